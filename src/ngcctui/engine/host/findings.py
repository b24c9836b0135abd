"""What on this host would disturb a measurement: each finding with the command that mends it and the one that undoes it.

Only values that were read become findings; a file that is missing gives none, because nothing is known then.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ngcctui.engine.host.core import core_holder, foreign_tasks, process_family, smt_sibling_run
from ngcctui.engine.host.counters import PARANOID, PARANOID_ALLOWED, core_pmus, counter_for, may_count, pmu_of
from ngcctui.engine.host.environment import boost_files
from ngcctui.engine.host.files import fields, format_cpus, names, plain, read, read_cpus, read_int
from ngcctui.engine.host.health import clock_capped, free_disk, memory_available, pi_throttled, sample_health
from ngcctui.engine.host.machine import CLOCKSOURCE, hypervisor
from ngcctui.engine.host.processor import architecture
from ngcctui.engine.host.topology import CPU, core_types, siblings

KERNEL = "proc/sys/kernel"
THP = "sys/kernel/mm/transparent_hugepage/enabled"
POWER = "sys/class/power_supply"

#: Clock sources that user space reads without a system call, per architecture; the first is the wanted one.
_CLOCKS = {"x86_64": ("tsc", "kvm-clock", "hyperv_clocksource_tsc_page"), "aarch64": ("arch_sys_counter",)}
_REAL_TIME = ("1", "2")  # SCHED_FIFO and SCHED_RR in field 41 of /proc/<pid>/stat


@dataclass(frozen=True)
class Write:
    """A value to write to a file of /proc or /sys (absolute path), and the value read there before."""

    path: str
    value: str
    before: str


@dataclass(frozen=True)
class Finding:
    """Something that disturbs a measurement: a stable key, one line of text, and the writes that mend it.

    Without writes the text says what can be done.  `blocking` findings make the host policy `strict` refuse to measure.
    """

    key: str
    text: str
    writes: tuple[Write, ...] = ()
    blocking: bool = False

    @property
    def command(self) -> str:
        """The shell line that mends the finding (as root); empty where no single value does."""
        return "; ".join(
            f"echo {shlex.quote(write.value)} > {shlex.quote(write.path)}" for write in self.writes
        )

    @property
    def undo(self) -> str:
        """The shell line that restores what was read."""
        return "; ".join(
            f"echo {shlex.quote(write.before)} > {shlex.quote(write.path)}" for write in reversed(self.writes)
        )


@dataclass(frozen=True)
class Needs:
    """What a run is going to need: bytes of memory for a candidate, and bytes of disk where the run is kept."""

    memory_bytes: int = 256 << 20
    disk_bytes: int = 64 << 20
    disk: Path = Path(".")


@dataclass(frozen=True)
class _Host:
    root: Path
    core: int
    allowed: frozenset[int]
    own: frozenset[int]
    needs: Needs
    arch: str
    virtual: str | None

    @property
    def cpufreq(self) -> str:
        return f"{CPU}/cpu{self.core}/cpufreq"

    def read(self, name: str) -> str | None:
        return read(self.root, name)

    def write(self, name: str, value: str) -> tuple[Write, ...]:
        """The write of `value`, undone by what the file holds now."""
        return (Write(f"/{name}", value, self.read(name) or ""),)


_Found = Iterator[Finding]


def findings(
    root: Path,
    core: int,
    allowed: set[int] | frozenset[int],
    *,
    own: set[int] | frozenset[int] | None = None,
    needs: Needs | None = None,
) -> tuple[Finding, ...]:
    """Everything on this host that would disturb a measurement on `core`, worst things first.

    `own` are the processes that do not count as foreign (default: this one and its ancestors).
    """
    host = _Host(
        root,
        core,
        frozenset(allowed),
        process_family(root) if own is None else frozenset(own),
        needs or Needs(),
        architecture(root),
        hypervisor(root),
    )
    return tuple(finding for check in _CHECKS for finding in check(host))


def _governor(host: _Host) -> _Found:
    name = f"{host.cpufreq}/scaling_governor"
    now = host.read(name)
    if not now or now == "performance":
        return
    offered = host.read(f"{host.cpufreq}/scaling_available_governors")
    text = f"the governor of CPU {host.core} is {plain(now)}, so its clock follows the load"
    if offered is not None and "performance" not in offered.split():
        yield Finding(
            "governor", f"{text}; this kernel has no performance governor: load its module", blocking=True
        )
    else:
        yield Finding("governor", text, host.write(name, "performance"), blocking=True)


def _turbo(host: _Host) -> _Found:
    switch = boost_files(host.root, host.core)
    if switch is not None and host.read(switch[0]) == switch[1]:
        text = "turbo is on: the clock depends on temperature and on the other cores"
        yield Finding("turbo", text, host.write(switch[0], switch[2]), blocking=True)


def _frequency_range(host: _Host) -> _Found:
    low, high = (read_int(host.root, f"{host.cpufreq}/scaling_{end}_freq") for end in ("min", "max"))
    if host.arch == "aarch64" and low is not None and high is not None and low != high:
        text = f"the clock of CPU {host.core} may move between {low // 1000} and {high // 1000} MHz"
        yield Finding(
            "frequency-range", text, host.write(f"{host.cpufreq}/scaling_min_freq", str(high)), blocking=True
        )


def _clock_unknown(host: _Host) -> _Found:
    if host.virtual is None and read_int(host.root, f"{host.cpufreq}/scaling_max_freq") is None:
        yield Finding(
            "clock-not-told",
            f"the kernel has no cpufreq for CPU {host.core}: whether its clock is fixed is not told",
        )


def _smt(host: _Host) -> _Found:
    others = siblings(host.root, host.core)
    if not others:
        return
    switches = [f"{CPU}/cpu{cpu}/online" for cpu in sorted(others)]
    text = f"CPU {format_cpus(others)} shares the physical core with CPU {host.core}"
    if all(host.read(name) == "1" for name in switches):
        writes = tuple(write for name in switches for write in host.write(name, "0"))
        yield Finding("smt", f"{text} and is switched on", writes, blocking=True)
    else:
        yield Finding("smt", f"{text} and cannot be switched off: choose another core", blocking=True)


def _counter(host: _Host) -> _Found:
    if pmu_of(core_pmus(host.root), host.core) and not may_count(host.root):
        level = read_int(host.root, PARANOID)
        text = f"perf_event_paranoid is {level}: no cycle counter for this user"
        yield Finding("paranoid", text, host.write(PARANOID, str(PARANOID_ALLOWED)), blocking=True)
    else:
        counter = counter_for(host.root, host.core)
        if not counter.present:
            yield Finding("no-counter", f"{counter.text}; pages show times only", blocking=True)


def _hypervisor(host: _Host) -> _Found:
    if host.virtual is not None:
        text = f"this is a virtual machine ({host.virtual}): clock and neighbours are not under its control"
        yield Finding(
            "hypervisor", f"{text}; measure on bare metal, or let the campaign allow it", blocking=True
        )


def _clock_source(host: _Host) -> _Found:
    now = host.read(f"{CLOCKSOURCE}/current_clocksource")
    good = _CLOCKS.get(host.arch)
    if not now or not good or now == good[0]:
        return
    text = f"the clock source is {plain(now)}, not {good[0]}"
    slow = now not in good
    if good[0] in (host.read(f"{CLOCKSOURCE}/available_clocksource") or "").split():
        yield Finding(
            "clocksource", text, host.write(f"{CLOCKSOURCE}/current_clocksource", good[0]), blocking=slow
        )
    else:
        yield Finding("clocksource", f"{text}, and the kernel does not offer that (see dmesg)", blocking=slow)


def _throttled(host: _Host) -> _Found:
    if clock_capped(host.root):
        text = (
            "the clock is held down at this moment (heat or power supply); cool the machine, mend its supply"
        )
        yield Finding("throttled", text, blocking=True)
    events = sample_health(host.root, host.core).throttle
    firmware = pi_throttled(host.root)
    if events or firmware is not None and firmware >> 16:
        times = f"{events} times" if events else "at some time"
        text = f"the processor was throttled {times} since boot; watch the temperature, the run counts new events"
        yield Finding("throttled-before", text)


def _under_voltage(host: _Host) -> _Found:
    for name in names(host.root, "sys/class/hwmon"):
        where = f"sys/class/hwmon/{name}"
        if host.read(f"{where}/name") == "rpi_volt" and read_int(host.root, f"{where}/in0_lcrit_alarm"):
            yield Finding(
                "under-voltage", "the board reports under-voltage: use a stronger supply", blocking=True
            )


def _battery(host: _Host) -> _Found:
    kinds = {name: host.read(f"{POWER}/{name}/type") for name in names(host.root, POWER)}
    supplied = any(
        read_int(host.root, f"{POWER}/{name}/online")
        for name, kind in kinds.items()
        if kind in ("Mains", "USB")
    )
    draining = any(
        kind == "Battery"
        and host.read(f"{POWER}/{name}/scope") != "Device"
        and host.read(f"{POWER}/{name}/status") == "Discharging"
        for name, kind in kinds.items()
    )
    if draining and not supplied:
        yield Finding("battery", "the machine runs on its battery: connect the mains", blocking=True)


def _busy_core(host: _Host) -> _Found:
    tasks = foreign_tasks(host.root, host.core, host.own)
    if tasks:
        # Pages print this: where a stranger's files are is none of their business.
        words = " ".join(word.rpartition("/")[2] for word in tasks[0].command.split())
        first = f"process {tasks[0].pid} ({plain(words, 60)})"
        more = f" and {len(tasks) - 1} more" if len(tasks) > 1 else ""
        text = f"{first}{more} tied to CPU {host.core}: end it, or move it with taskset -pc"
        yield Finding("busy-core", text, blocking=True)


def _core_taken(host: _Host) -> _Found:
    holder = core_holder(host.root, host.core)
    if holder is not None and holder.pid not in host.own:
        yield Finding("core-taken", f"CPU {host.core} is held by {holder}; wait for it", blocking=True)


def _sibling_run(host: _Host) -> _Found:
    holder = smt_sibling_run(host.root, host.core)
    if holder is not None:
        text = f"another run measures on the same physical core as CPU {host.core}: {holder}; wait for it"
        yield Finding("sibling-run", text, blocking=True)


def _memory(host: _Host) -> _Found:
    free = memory_available(host.root)
    if free is not None and free < host.needs.memory_bytes:
        text = f"{free >> 20} MiB of memory are free, {host.needs.memory_bytes >> 20} MiB may be needed"
        yield Finding("memory", f"{text}: end other programs or lower the memory limit", blocking=True)


def _disk(host: _Host) -> _Found:
    free = free_disk(host.needs.disk)
    if free is not None and free < host.needs.disk_bytes:
        text = f"{free >> 20} MiB are free where the run is kept, {host.needs.disk_bytes >> 20} MiB may be needed"
        yield Finding("disk", f"{text}: make room or give --runs another place", blocking=True)


def _swap(host: _Host) -> _Found:
    told = fields(host.read("proc/meminfo"))
    total, free = (told.get(name, "").removesuffix(" kB") for name in ("SwapTotal", "SwapFree"))
    if total.isdecimal() and free.isdecimal() and (used := int(total) - int(free)) > 0:
        yield Finding(
            "swap", f"{used // 1024} MiB are swapped out; clear with swapoff -a, undo with swapon -a"
        )


def _core_kind(host: _Host) -> _Found:
    types = core_types(host.root)
    if host.core not in types[0].cpus:
        own = next((kind.name for kind in types if host.core in kind.cpus), "unknown")
        fastest = format_cpus(types[0].cpus)
        yield Finding("core-type", f"CPU {host.core} ({own}) is not of the fastest type; those are {fastest}")


def _one_core(host: _Host) -> _Found:
    if len(host.allowed) == 1:
        yield Finding(
            "one-core", "this process may use one CPU only: engine and measurement share it, so use --batch"
        )
    elif host.core == 0:
        yield Finding("core-0", "CPU 0 does most of the kernel's own work: a higher core is quieter")


def _autogroup(host: _Host) -> _Found:
    if host.read(f"{KERNEL}/sched_autogroup_enabled") == "1":
        text = "autogroup scheduling is on: a busy session gets as much of a shared core as the measurement"
        yield Finding("autogroup", text, host.write(f"{KERNEL}/sched_autogroup_enabled", "0"))


def _nmi_watchdog(host: _Host) -> _Found:
    if host.read(f"{KERNEL}/nmi_watchdog") == "1":
        text = "the NMI watchdog interrupts the core and holds a hardware counter"
        yield Finding("nmi-watchdog", text, host.write(f"{KERNEL}/nmi_watchdog", "0"))


def _huge_pages(host: _Host) -> _Found:
    if "[always]" in (host.read(THP) or "").split():
        text = "transparent huge pages are always used: memory figures and times depend on what the kernel merges"
        yield Finding("huge-pages", text, (Write(f"/{THP}", "madvise", "always"),))


def _real_time(host: _Host) -> _Found:
    rest = (host.read("proc/self/stat") or "").rpartition(")")[2].split()
    budget, period = (read_int(host.root, f"{KERNEL}/sched_rt_{part}_us") for part in ("runtime", "period"))
    if len(rest) > 38 and rest[38] in _REAL_TIME and budget is not None and period and 0 <= budget < period:
        text = f"this process is a real-time task, which the kernel stops {(period - budget) // 1000} ms in every "
        yield Finding(
            "real-time", f"{text}{period // 1000} ms", host.write(f"{KERNEL}/sched_rt_runtime_us", "-1")
        )


def _interrupts(host: _Host) -> _Found:
    routed = []
    for number in sorted((name for name in names(host.root, "proc/irq") if name.isdecimal()), key=int):
        for name in ("effective_affinity_list", "smp_affinity_list"):
            cpus = read_cpus(host.root, f"proc/irq/{number}/{name}")
            if cpus is not None:
                routed += [number] if host.core in cpus else []
                break
    if routed:
        listed = ", ".join(routed[:6]) + (", ..." if len(routed) > 6 else "")
        text = f"{len(routed)} device interrupts ({listed}) go to CPU {host.core}"
        yield Finding("interrupts", f"{text}; /proc/irq/N/smp_affinity_list moves those that can be moved")


_CHECKS: tuple[Callable[[_Host], _Found], ...] = (
    _governor,
    _turbo,
    _frequency_range,
    _smt,
    _counter,
    _hypervisor,
    _clock_source,
    _throttled,
    _under_voltage,
    _battery,
    _busy_core,
    _core_taken,
    _sibling_run,
    _memory,
    _disk,
    _core_kind,
    _one_core,
    _clock_unknown,
    _autogroup,
    _nmi_watchdog,
    _huge_pages,
    _swap,
    _real_time,
    _interrupts,
)
