"""Health samples around a trial, free memory and free disk."""

from __future__ import annotations

from pathlib import Path

import pytest
from host_trees import CPU, Tree, big_little, hybrid_intel, raspberry_pi, smt_server, virtual_machine
from hypothesis import given, settings
from hypothesis import strategies as st

from ngcctui.engine.host.health import (
    HealthSample,
    core_frequency_khz,
    delta,
    free_disk,
    memory_available,
    sample_health,
    temperature_c,
)

NOTHING = HealthSample(None, None, None, None, None, 0.0, None, None, None)


def test_a_sample_of_a_server(tmp_path: Path) -> None:
    tree = smt_server(tmp_path)
    tree.put(f"{CPU}/cpu12/thermal_throttle/core_throttle_count", 3)
    tree.put(f"{CPU}/cpu12/thermal_throttle/package_throttle_count", 4)
    tree.put("sys/class/hwmon/hwmon0/name", "nvme").put("sys/class/hwmon/hwmon0/temp1_input", 30000)
    tree.put("sys/class/hwmon/hwmon3/name", "coretemp").put("sys/class/hwmon/hwmon3/temp1_input", 61500)
    assert sample_health(tmp_path, 12) == HealthSample(
        temperature_c=61.5,
        throttle_core=3,
        throttle_package=4,
        capped=None,
        frequency_khz=2_099_000,
        load_average=0.25,
        steal_ticks=120,
        swap_in_pages=7,
        swap_out_pages=11,
    )
    assert sample_health(tmp_path, 12).throttle == 7


@pytest.mark.parametrize("core", [1, 2, 11, 12])
def test_steal_is_that_of_the_core_and_of_no_other_with_its_digits(core: int, tmp_path: Path) -> None:
    smt_server(tmp_path)
    assert sample_health(tmp_path, core).steal_ticks == core * 10


def test_a_host_that_tells_nothing(tmp_path: Path) -> None:
    assert sample_health(tmp_path, 0) == NOTHING
    change = delta(NOTHING, NOTHING)
    assert (change.throttle, change.steal_ticks, change.swap_pages) == (None, None, None)


def test_a_delta_counts_what_grew(tmp_path: Path) -> None:
    tree = smt_server(tmp_path)
    before = sample_health(tmp_path, 12)
    tree.put(f"{CPU}/cpu12/thermal_throttle/core_throttle_count", 2)
    tree.put(f"{CPU}/cpu12/thermal_throttle/package_throttle_count", 5)
    tree.put("proc/vmstat", "pswpin 8\npswpout 31").put("proc/stat", "cpu12 1 2 3 4 5 6 7 125 0 0")
    tree.put("proc/loadavg", "4.50 1.00 1.00 1/1 1")
    change = delta(before, sample_health(tmp_path, 12))
    assert (change.throttle, change.steal_ticks, change.swap_pages) == (7, 5, 21)
    assert (change.load_average, change.frequency_khz) == (4.5, 2_099_000)


counts = st.none() | st.integers(0, 1 << 40)


@settings(deadline=None)
@given(counts, counts)
def test_a_count_that_is_missing_or_went_backwards_is_unknown(before: int | None, after: int | None) -> None:
    first = HealthSample(None, None, None, None, None, 0.0, before, None, None)
    second = HealthSample(None, None, None, None, None, 0.0, after, None, None)
    grown = delta(first, second).steal_ticks
    assert grown == (after - before if before is not None and after is not None and after >= before else None)


def test_what_happened_in_a_wait_between_two_samples_is_left_out() -> None:
    def at(throttle: int | None, steal: int | None, swap: int) -> HealthSample:
        return HealthSample(None, throttle, throttle, 0, None, 0.0, steal, swap, swap)

    waits = [(at(2, 10, 5), at(3, 60, 9)), (at(3, 61, 9), at(None, None, 9))]
    found = delta(at(1, 10, 5), at(3, 63, 9), waits)
    assert (found.throttle, found.steal_ticks, found.swap_pages) == (2, 3, 0)
    assert delta(at(1, 10, 5), at(None, None, 9), waits).steal_ticks is None
    assert (
        delta(at(1, 10, 5), at(1, 10, 5), waits).steal_ticks == 0
    )  # counts that fell back: never below nothing


def test_a_clock_held_down_at_either_end_counts_as_throttling(tmp_path: Path) -> None:
    tree = big_little(tmp_path)
    free = sample_health(tmp_path, 5)
    tree.put("sys/class/thermal/cooling_device0/cur_state", 2)
    held = sample_health(tmp_path, 5)
    assert (free.capped, held.capped) == (0, 2)
    assert [delta(*pair).throttle for pair in ((free, free), (free, held), (held, free))] == [0, 2, 2]


def test_cooling_devices_that_do_not_touch_the_clock(tmp_path: Path) -> None:
    tree = big_little(tmp_path).put("sys/class/thermal/cooling_device1/type", "pwm-fan")
    tree.put("sys/class/thermal/cooling_device1/cur_state", 3)
    tree.put("sys/class/thermal/cooling_device2/type", "intel_powerclamp")
    tree.put("sys/class/thermal/cooling_device2/cur_state", -1)
    assert sample_health(tmp_path, 5).capped == 0


@pytest.mark.parametrize(
    ("word", "capped"), [("0", 0), ("50000", 0), ("50005", 2), ("0x8", 1), ("soup", None)]
)
def test_the_throttle_word_of_a_raspberry_pi(word: str, capped: int | None, tmp_path: Path) -> None:
    raspberry_pi(tmp_path).put("sys/devices/platform/soc/soc:firmware/get_throttled", word)
    assert sample_health(tmp_path, 1).capped == capped


def test_temperatures(tmp_path: Path) -> None:
    assert temperature_c(raspberry_pi(tmp_path / "pi").root) == 51.121
    assert temperature_c(big_little(tmp_path / "board").root) == 47.222
    assert temperature_c(virtual_machine(tmp_path / "vm").root) is None
    tree = Tree(tmp_path).put("sys/class/thermal/thermal_zone0/type", "acpitz")
    tree.put("sys/class/thermal/thermal_zone0/temp", 27800)
    tree.put("sys/class/thermal/thermal_zone9/type", "x86_pkg_temp").put(
        "sys/class/thermal/thermal_zone9/temp", 44000
    )
    assert temperature_c(tmp_path) == 44.0


def test_the_clock_of_a_core(tmp_path: Path) -> None:
    hybrid_intel(tmp_path)
    assert core_frequency_khz(tmp_path, 9) == 3_599_000
    assert core_frequency_khz(tmp_path, 99) is None


def test_memory_of_the_machine_and_of_its_cgroups(tmp_path: Path) -> None:
    assert memory_available(tmp_path) is None
    tree = Tree(tmp_path).common()
    assert memory_available(tmp_path) == 8_000_000 * 1024
    tree.put("proc/self/cgroup", "12:cpu:/x\n0::/user.slice/run.scope")
    assert memory_available(tmp_path) == 8_000_000 * 1024
    tree.put("sys/fs/cgroup/user.slice/memory.max", 5000).put("sys/fs/cgroup/user.slice/memory.current", 1500)
    tree.put("sys/fs/cgroup/user.slice/run.scope/memory.max", "max")
    tree.put("sys/fs/cgroup/user.slice/run.scope/memory.current", 1000)
    assert memory_available(tmp_path) == 3500
    tree.put("sys/fs/cgroup/memory.max", 100).put(
        "sys/fs/cgroup/memory.current", 200
    )  # a container's own root
    assert memory_available(tmp_path) == 0


def test_disk_of_a_place_that_is_still_to_be_made(tmp_path: Path) -> None:
    free = free_disk(tmp_path / "runs" / "of" / "tomorrow")
    assert free is not None
    assert free > 0
    (tmp_path / "file").write_text("x")
    assert free_disk(tmp_path / "file" / "below") is None


def test_this_host() -> None:
    root = Path("/")
    first = sample_health(root, 0)
    change = delta(first, sample_health(root, 0))
    assert first.steal_ticks is not None
    assert change.steal_ticks is not None
    assert change.steal_ticks >= 0
    assert (memory_available(root) or 0) > 1 << 20
