"""The assessment environment as the pages print it, and the identity that must not change between two sessions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from ngcctui import __version__
from ngcctui.engine.host.files import fields, plain, read, read_int
from ngcctui.engine.host.machine import hypervisor, machine_name
from ngcctui.engine.host.processor import architecture, arm_parts, cpu_model, cpuinfo, part_name
from ngcctui.engine.host.topology import CPU, online_cpus, siblings

PSTATE_NO_TURBO = f"{CPU}/intel_pstate/no_turbo"


@dataclass(frozen=True)
class Identity:
    """What a resumed run compares: processor model(s), kernel release, and the id of this boot."""

    cpu: str
    kernel: str
    boot_id: str


def identity(root: Path = Path("/")) -> Identity:
    """Who this host is; `not told` where it does not tell."""
    return Identity(
        cpu=plain(_models(root)),
        kernel=plain(read(root, "proc/sys/kernel/osrelease") or "not told"),
        boot_id=plain(read(root, "proc/sys/kernel/random/boot_id") or "not told"),
    )


def environment(root: Path, core: int, compiler: str, measured_hz: float | None = None) -> dict[str, str]:
    """The rows of the page's environment table, in its order; `machine` only where the host names itself.

    `compiler` is the version line of the compiler, which is also the build tool: no other one is used, so the row ends
    with our own version.  `measured_hz` is the clock of a calibrated cycle counter, used where cpufreq tells none.
    """
    rows = {"processor": f"{plain(cpu_model(root, core) or 'not told')} (CPU {core}, one core)"}
    name = machine_name(root)
    if name is not None:
        rows["machine"] = name
    memory = re.match(r"([0-9]+) kB", fields(read(root, "proc/meminfo")).get("MemTotal", ""))
    rows["clock"] = clock(root, core, measured_hz)
    rows["memory"] = f"{int(memory[1]) // 1024} MiB" if memory else "not told"
    kernel = plain(read(root, "proc/sys/kernel/osrelease") or "kernel not told")
    rows["OS / kernel"] = f"{_os_name(root)} / {kernel}"
    rows["compiler / build tool"] = f"{plain(compiler)} / ngcctui {__version__}"
    return rows


def clock(root: Path, core: int, measured_hz: float | None = None) -> str:
    """The clock row: limits, governor, turbo and SMT as the kernel tells them for `core`."""
    cpufreq = f"{CPU}/cpu{core}/cpufreq"
    low, high = (read_int(root, f"{cpufreq}/scaling_{end}_freq") for end in ("min", "max"))
    if high is None:
        below = "hypervisor" if hypervisor(root) else "firmware"
        return f"{_clock_without_cpufreq(root, core, measured_hz)}, set by the {below}"
    governor = plain(read(root, f"{cpufreq}/scaling_governor") or "not told")
    if architecture(root) != "aarch64":
        return (
            f"max {_ghz(high)}, governor {governor}, turbo {turbo_state(root, core)}, {smt_state(root, core)}"
        )
    boost = f"boost {turbo_state(root, core)}, {smt_state(root, core)}"
    if low == high:
        return f"fixed {_ghz(high)} (governor {governor}, minimum = maximum), {boost}"
    lowest = "minimum not told" if low is None else f"minimum {_ghz(low)}"
    return f"max {_ghz(high)} (governor {governor}, {lowest}), {boost}"


def _clock_without_cpufreq(root: Path, core: int, measured_hz: float | None) -> str:
    if measured_hz is not None:
        return f"measured {measured_hz / 1e9:.2f} GHz"
    told = re.fullmatch(r"([0-9]+)\.[0-9]+", cpuinfo(root).get(core, {}).get("cpu MHz", ""))
    return f"{float(told[0]) / 1e3:.2f} GHz as the kernel tells it" if told else "not told"


def boost_files(root: Path, core: int) -> tuple[str, str, str] | None:
    """The file that switches turbo or boost, its value for on, its value for off; None where there is none."""
    if read_int(root, PSTATE_NO_TURBO) is not None:
        return PSTATE_NO_TURBO, "0", "1"
    for name in (f"{CPU}/cpufreq/boost", f"{CPU}/cpu{core}/cpufreq/boost"):
        if read_int(root, name) is not None:
            return name, "1", "0"
    return None


def turbo_state(root: Path, core: int) -> str:
    """`on`, `off`, or `not told` where the kernel has no switch for it."""
    switch = boost_files(root, core)
    if switch is None:
        return "not told"
    name, on, off = switch
    return {on: "on", off: "off"}.get(read(root, name) or "", "not told")


def smt_state(root: Path, core: int) -> str:
    """`SMT on`, `SMT off`, `SMT none` (the processor has none), or that this core has no sibling online."""
    control = read(root, f"{CPU}/smt/control")
    if siblings(root, core):
        return "SMT on"
    if control in (None, "notsupported", "notimplemented"):
        return "SMT none"
    return "SMT off" if control in ("off", "forceoff") else "SMT on, but not on this core"


def _ghz(khz: int) -> str:
    return f"{khz / 1e6:.2f} GHz"


def _models(root: Path) -> str:
    """The models of the online CPUs, each once, in the order of the CPUs."""
    online = online_cpus(root)
    parts = arm_parts(root, online)
    if parts:
        found = [part_name(*parts[cpu]) for cpu in sorted(parts)]
    else:
        blocks = cpuinfo(root)
        found = [" ".join(blocks[cpu].get("model name", "").split()) for cpu in sorted(online & set(blocks))]
    return " + ".join(dict.fromkeys(name for name in found if name)) or "not told"


def _os_name(root: Path) -> str:
    text = read(root, "etc/os-release") or read(root, "usr/lib/os-release") or ""
    match = re.search(r"""^PRETTY_NAME=(["']?)(.*)\1\s*$""", text, re.MULTILINE)
    return plain(match[2]) if match and match[2] else "Linux"
