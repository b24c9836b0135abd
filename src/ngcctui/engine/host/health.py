"""Signs of a disturbed machine, read before and after each trial: a handful of small files, well under a millisecond.

/proc/cpuinfo is left alone on purpose: on some kernels reading it interrupts every core of the machine.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ngcctui.engine.host.files import names, read, read_int
from ngcctui.engine.host.topology import CPU

THERMAL = "sys/class/thermal"
HWMON = "sys/class/hwmon"
PI_THROTTLED = "sys/devices/platform/soc/soc:firmware/get_throttled"

#: Thermal zones and hardware monitors that measure the processor, best first.
_ZONES = (
    "x86_pkg_temp",
    "cpu-thermal",
    "cpu_thermal",
    "cpu0-thermal",
    "soc-thermal",
    "soc_thermal",
    "acpitz",
)
_MONITORS = ("coretemp", "k10temp", "zenpower", "cpu_thermal")
#: Cooling devices that lower the processor's clock.
_COOLERS = re.compile(r"(thermal-)?(cpufreq|cpuidle).*|Processor|intel_powerclamp")
#: Bits of the Raspberry Pi firmware that hold now: under-voltage, clock capped, throttled, soft temperature limit.
_PI_NOW = 0xF


@dataclass(frozen=True)
class HealthSample:
    """The host at one moment; None where it does not tell.

    Temperature in degrees Celsius, frequency in kHz; throttle counts are events since boot, steal ticks are those of the
    core (USER_HZ, 10 ms), swap counts are pages since boot.  `capped` is the sum of the states of the cooling devices
    that hold the clock down at this moment (0: none).  `load_average` is that of 1 minute, 0.0 if not told.
    """

    temperature_c: float | None
    throttle_core: int | None
    throttle_package: int | None
    capped: int | None
    frequency_khz: int | None
    load_average: float
    steal_ticks: int | None
    swap_in_pages: int | None
    swap_out_pages: int | None

    @property
    def throttle(self) -> int | None:
        """Throttle events of core and package together since boot."""
        return _sum(self.throttle_core, self.throttle_package)


@dataclass(frozen=True)
class HealthDelta:
    """What happened between two samples: events, ticks and pages; the rest as it was at the later one.

    A count is None when a sample lacks it, or when it went backwards (the core was switched off and on in between).
    `throttle` also counts a clock that is held down at either end.
    """

    throttle: int | None
    steal_ticks: int | None
    swap_pages: int | None
    temperature_c: float | None
    frequency_khz: int | None
    load_average: float


def sample_health(root: Path, core: int) -> HealthSample:
    """Read the host's health as seen from `core`."""
    vmstat = read(root, "proc/vmstat") or ""
    return HealthSample(
        temperature_c=temperature_c(root),
        throttle_core=read_int(root, f"{CPU}/cpu{core}/thermal_throttle/core_throttle_count"),
        throttle_package=read_int(root, f"{CPU}/cpu{core}/thermal_throttle/package_throttle_count"),
        capped=clock_capped(root),
        frequency_khz=core_frequency_khz(root, core),
        load_average=_load_average(root),
        steal_ticks=_steal_ticks(root, core),
        swap_in_pages=_count(vmstat, "pswpin"),
        swap_out_pages=_count(vmstat, "pswpout"),
    )


def delta(
    before: HealthSample, after: HealthSample, waits: Sequence[tuple[HealthSample, HealthSample]] = ()
) -> HealthDelta:
    """The change from `before` to `after`, without what was counted between the samples of each of `waits`."""

    def growth(count: Callable[[HealthSample], int | None]) -> int | None:
        whole = _growth(count(before), count(after))
        parts = [_growth(count(start), count(end)) for start, end in waits]
        return None if whole is None else max(whole - sum(part or 0 for part in parts), 0)

    throttle = _sum(
        growth(lambda sample: sample.throttle_core),
        growth(lambda sample: sample.throttle_package),
        None if before.capped is None or after.capped is None else max(before.capped, after.capped),
    )
    return HealthDelta(
        throttle=throttle,
        steal_ticks=growth(lambda sample: sample.steal_ticks),
        swap_pages=_sum(
            growth(lambda sample: sample.swap_in_pages),
            growth(lambda sample: sample.swap_out_pages),
        ),
        temperature_c=after.temperature_c,
        frequency_khz=after.frequency_khz,
        load_average=after.load_average,
    )


def core_frequency_khz(root: Path, core: int) -> int | None:
    """The clock of the core now, in kHz; None without cpufreq."""
    return read_int(root, f"{CPU}/cpu{core}/cpufreq/scaling_cur_freq")


def clock_capped(root: Path) -> int | None:
    """How strongly the clock is held down at this moment (0: not at all); None when nothing here would tell."""
    states = [
        read_int(root, f"{THERMAL}/{name}/cur_state")
        for name in names(root, THERMAL)
        if name.startswith("cooling_device")
        and _COOLERS.fullmatch(read(root, f"{THERMAL}/{name}/type") or "")
    ]
    firmware = pi_throttled(root)
    if firmware is not None:
        states.append((firmware & _PI_NOW).bit_count())
    # A device that is not active at all reads -1 (intel_powerclamp).
    told = [max(state, 0) for state in states if state is not None]
    return sum(told) if told else None


def pi_throttled(root: Path) -> int | None:
    """The throttle word of the Raspberry Pi firmware: bits 0-3 hold now, 16-19 held at some time since boot."""
    text = read(root, PI_THROTTLED) or ""
    return int(text, 16) if re.fullmatch(r"(0x)?[0-9a-fA-F]{1,8}", text) else None


def temperature_c(root: Path) -> float | None:
    """The processor's temperature in degrees Celsius; None when no sensor is known as the processor's."""
    zones = {
        read(root, f"{THERMAL}/{n}/type"): n
        for n in reversed(names(root, THERMAL))
        if n.startswith("thermal_zone")
    }
    for kind in _ZONES:
        if kind in zones and (value := read_int(root, f"{THERMAL}/{zones[kind]}/temp")) is not None:
            return value / 1000
    monitors = {read(root, f"{HWMON}/{name}/name"): name for name in reversed(names(root, HWMON))}
    for kind in _MONITORS:
        if (
            kind in monitors
            and (value := read_int(root, f"{HWMON}/{monitors[kind]}/temp1_input")) is not None
        ):
            return value / 1000
    return None


def memory_available(root: Path = Path("/")) -> int | None:
    """Bytes of memory that programs can still take without swapping: MemAvailable, or less in a limited cgroup (v2)."""
    match = re.search(r"^MemAvailable:\s*([0-9]+) kB$", read(root, "proc/meminfo") or "", re.MULTILINE)
    free = [int(match[1]) * 1024] if match else []
    group = re.search(r"^0::/(.*)$", read(root, "proc/self/cgroup") or "", re.MULTILINE)
    parts = group[1].split("/") if group and ".." not in group[1] else []
    for depth in range(len(parts) + 1):
        place = "/".join(["sys/fs/cgroup", *parts[:depth]])
        limit, used = read_int(root, f"{place}/memory.max"), read_int(root, f"{place}/memory.current")
        if limit is not None and used is not None:
            free.append(max(limit - used, 0))
    return min(free) if free else None


def free_disk(path: Path) -> int | None:
    """Bytes that this user can still write where `path` is or would be made; None when that cannot be told."""
    for place in (path, *path.absolute().parents):
        try:
            status = os.statvfs(place)
        except FileNotFoundError:
            continue
        except OSError:
            return None
        return status.f_bavail * status.f_frsize
    return None


def _load_average(root: Path) -> float:
    match = re.match(r"[0-9]+\.[0-9]+", read(root, "proc/loadavg") or "")
    return float(match[0]) if match else 0.0


def _steal_ticks(root: Path, core: int) -> int | None:
    # "cpuN user nice system idle iowait irq softirq steal ..." (proc(5)); the blank keeps cpu1 apart from cpu12.
    match = re.search(rf"^cpu{core}((?: [0-9]+){{8}})", read(root, "proc/stat") or "", re.MULTILINE)
    return int(match[1].split()[7]) if match else None


def _count(vmstat: str, name: str) -> int | None:
    match = re.search(rf"^{name} ([0-9]+)$", vmstat, re.MULTILINE)
    return int(match[1]) if match else None


def _growth(before: int | None, after: int | None) -> int | None:
    return after - before if before is not None and after is not None and after >= before else None


def _sum(*values: int | None) -> int | None:
    told = [value for value in values if value is not None]
    return sum(told) if told else None
