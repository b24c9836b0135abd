"""The CPUs of a host: which exist, which this process may use, which share a core, and which are the fastest."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from ngcctui.engine.host.counters import core_pmus, pmu_of
from ngcctui.engine.host.files import cpus_or_none, fields, names, read, read_cpus, read_int
from ngcctui.engine.host.processor import arm_parts, part_name

CPU = "sys/devices/system/cpu"
#: CPUs of one type differ a little in capacity and top clock (favoured cores); types differ by more than this factor.
SAME_TYPE = 0.9


@dataclass(frozen=True)
class CoreType:
    """CPUs of one kind; `capacity` (1024: the fastest) and `max_khz` are those of its best CPU, 0 where not told."""

    name: str
    cpus: frozenset[int]
    capacity: int
    max_khz: int


def online_cpus(root: Path = Path("/")) -> frozenset[int]:
    """CPUs that are switched on; {0} when the host tells nothing."""
    told = read_cpus(root, f"{CPU}/online")
    if told:
        return told
    present = (re.fullmatch(r"cpu([0-9]+)", name) for name in names(root, CPU))
    return frozenset(int(match[1]) for match in present if match) or frozenset({0})


def allowed_cpus(root: Path = Path("/")) -> frozenset[int]:
    """Online CPUs that the calling process may use: its affinity mask, so `taskset` and cpusets count."""
    online = online_cpus(root)
    mask = cpus_or_none(fields(read(root, "proc/self/status")).get("Cpus_allowed_list"))
    return online & mask if mask else online


def siblings(root: Path, core: int) -> frozenset[int]:
    """Online CPUs that share the physical core with `core` (SMT), without itself."""
    for name in ("thread_siblings_list", "core_cpus_list"):
        told = read_cpus(root, f"{CPU}/cpu{core}/topology/{name}")
        if told is not None:
            return (told & online_cpus(root)) - {core}
    return frozenset()


def core_types(root: Path = Path("/")) -> tuple[CoreType, ...]:
    """The types of the online CPUs, fastest first.

    CPUs belong together when the same PMU counts on them, they carry the same Arm part number, and their capacity and
    top clock lie within 10 % of the type's best.
    """
    online = online_cpus(root)
    pmus = core_pmus(root)
    parts = arm_parts(root, online)
    capacity = {cpu: read_int(root, f"{CPU}/cpu{cpu}/cpu_capacity") or 0 for cpu in online}
    max_khz = {cpu: read_int(root, f"{CPU}/cpu{cpu}/cpufreq/cpuinfo_max_freq") or 0 for cpu in online}
    groups: dict[tuple[str, str], list[list[int]]] = {}
    for cpu in sorted(online, key=lambda cpu: (-capacity[cpu], -max_khz[cpu], cpu)):
        pmu = pmu_of(pmus, cpu)
        kinds = groups.setdefault(
            (pmu.name if pmu else "", part_name(*parts[cpu]) if cpu in parts else ""), []
        )
        for kind in kinds:
            best = kind[0]
            if _close(capacity[cpu], capacity[best]) and _close(max_khz[cpu], max_khz[best]):
                kind.append(cpu)
                break
        else:
            kinds.append([cpu])
    types = [
        CoreType(part or pmu or "cpu", frozenset(kind), capacity[kind[0]], max_khz[kind[0]])
        for (pmu, part), kinds in groups.items()
        for kind in kinds
    ]
    return tuple(sorted(types, key=lambda kind: (-kind.capacity, -kind.max_khz, min(kind.cpus))))


def _close(value: int, best: int) -> bool:
    return value >= SAME_TYPE * best
