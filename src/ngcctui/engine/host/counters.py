"""Which cycle counter the timing driver opens on a core, or why there is none.

A spec is what perf_event_open(2) needs: `<type>:<config in hex>:<unit>`, or `none`.  Counting is in user mode only, so
a host that lets unprivileged users count themselves is enough.  Only the driver learns whether the kernel really gives
the counter (a container may forbid the call); its record then says so.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from ngcctui.engine.host.files import fields, names, read, read_cpus, read_int
from ngcctui.model.errors import ConfigError

PMUS = "sys/bus/event_source/devices"
PARANOID = "proc/sys/kernel/perf_event_paranoid"
#: From this level on, kernels that know it (Debian, Ubuntu) refuse the call to unprivileged users.
PARANOID_ALLOWED = 2

_HARDWARE = 0  # PERF_TYPE_HARDWARE, whose config 0 is CPU cycles
_TYPE_SHIFT = 32  # the PMU type in config of an extended hardware event (Linux 5.13)
_CAP_SYS_ADMIN, _CAP_PERFMON = 21, 38
_UNITS = {"tsc": "tsc", "cpu-cycles": "cycles", "cpu_cycles": "cycles", "cycles": "cycles"}


@dataclass(frozen=True)
class Counter:
    """A counter for the driver's job file: its spec, and one line of text that says what it is or why there is none."""

    spec: str
    text: str

    @property
    def present(self) -> bool:
        """Whether there is a counter to open."""
        return self.spec != "none"


@dataclass(frozen=True)
class Pmu:
    """A performance monitoring unit of CPU cores; `cpus` is None when it covers all of them."""

    name: str
    type: int
    cpus: frozenset[int] | None


def core_pmus(root: Path = Path("/")) -> tuple[Pmu, ...]:
    """The PMUs that count on CPU cores, by name.

    Those are `cpu` (all CPUs alike) and every PMU with a `cpus` mask.  A `cpumask` marks something else: an uncore unit,
    C-state residency, or statistical sampling (arm_spe), whose mask also holds CPU cores.
    """
    found = []
    for name in names(root, PMUS):
        kind = read_int(root, f"{PMUS}/{name}/type")
        cpus = read_cpus(root, f"{PMUS}/{name}/cpus")
        if kind is not None and (cpus is not None or name == "cpu"):
            found.append(Pmu(name, kind, cpus))
    return tuple(found)


def pmu_of(pmus: tuple[Pmu, ...], core: int) -> Pmu | None:
    """The PMU that counts on `core`; one with a mask goes before one for all."""
    masked = [pmu for pmu in pmus if pmu.cpus is not None and core in pmu.cpus]
    general = [pmu for pmu in pmus if pmu.cpus is None]
    return (masked + general + [None])[0]


def may_count(root: Path = Path("/")) -> bool:
    """Whether perf_event_paranoid and the capabilities of this process let it count its own user-mode events."""
    level = read_int(root, PARANOID)
    if level is None or level <= PARANOID_ALLOWED:
        return True
    effective = fields(read(root, "proc/self/status")).get("CapEff", "")
    held = int(effective, 16) if re.fullmatch(r"[0-9a-f]{1,16}", effective) else 0
    return bool(held >> _CAP_SYS_ADMIN & 1 or held >> _CAP_PERFMON & 1)


def counter_for(root: Path, core: int) -> Counter:
    """The cycle counter of `core`, or `none` with the reason.

    With a single PMU it is the generic hardware event.  With several (hybrid x86, big.LITTLE) the generic event would
    count on one type of core only and read 0 on the others, so the PMU whose mask holds the core is named: by the event
    that it publishes itself where that is the Arm event (works on every kernel), else by its type in the upper half of
    the config.
    """
    pmus = core_pmus(root)
    if not names(root, PMUS):
        return Counter("none", "no cycle counter: this kernel has no perf events")
    if not pmus:
        return Counter(
            "none", "no cycle counter: the kernel shows no PMU of the CPU (usual on a virtual machine)"
        )
    pmu = pmu_of(pmus, core)
    if pmu is None:
        listed = ", ".join(other.name for other in pmus)
        return Counter("none", f"no cycle counter: no PMU counts on CPU {core} (there are {listed})")
    if not may_count(root):
        level = read_int(root, PARANOID)
        return Counter(
            "none", f"no cycle counter: perf_event_paranoid is {level}, more than {PARANOID_ALLOWED}"
        )
    if len(pmus) == 1:
        return Counter(f"{_HARDWARE}:0:cycles", f"user-mode CPU cycles ({pmu.name})")
    event = _event(root, pmu.name, "cpu_cycles")
    if event is not None:
        return Counter(f"{pmu.type}:{event:x}:cycles", f"user-mode CPU cycles ({pmu.name})")
    return Counter(f"{_HARDWARE}:{pmu.type << _TYPE_SHIFT:x}:cycles", f"user-mode CPU cycles ({pmu.name})")


def counter_named(root: Path, name: str) -> Counter:
    """The counter `<pmu>/<event>` that an operator names for a test or diagnosis, or `none`.

    `msr/tsc` opens on x86 machines without a PMU and counts TSC ticks, so the path from opening to the record can be
    tried there.  ConfigError if the host has no such event or its unit is not known.
    """
    if name == "none":
        return Counter("none", "no cycle counter: switched off")
    pmu, _, event = name.partition("/")
    unit = _UNITS.get(event)
    kind = read_int(root, f"{PMUS}/{pmu}/type") if re.fullmatch(r"[A-Za-z0-9_.-]+", pmu) else None
    config = _event(root, pmu, event) if unit and kind is not None else None
    if config is None:
        raise ConfigError(
            f"counter {name!r}: not here; give none, or <pmu>/<event> of /{PMUS} with tsc or cycles"
        )
    return Counter(
        f"{kind}:{config:x}:{unit}", f"{name} in {'ticks' if unit == 'tsc' else 'cycles'} (by request)"
    )


def _event(root: Path, pmu: str, event: str) -> int | None:
    text = read(root, f"{PMUS}/{pmu}/events/{event}") or ""
    match = re.fullmatch(r"event=(0x[0-9a-fA-F]{1,8})", text)
    return int(match[1], 16) if match else None
