"""Which cycle counter the driver is told to open."""

from __future__ import annotations

from pathlib import Path

import pytest
from host_trees import CPU, PMUS, Tree, big_little, hybrid_intel, raspberry_pi, smt_server, virtual_machine

from ngcctui.engine.host.counters import PARANOID, core_pmus, counter_for, counter_named
from ngcctui.model.errors import ConfigError


def test_one_pmu_is_the_generic_event(tmp_path: Path) -> None:
    smt_server(tmp_path)
    assert counter_for(tmp_path, 3).spec == "0:0:cycles"
    assert counter_for(tmp_path, 3).text == "user-mode CPU cycles (cpu)"


def test_one_masked_pmu_is_the_generic_event_too(tmp_path: Path) -> None:
    raspberry_pi(tmp_path)
    assert counter_for(tmp_path, 2).spec == "0:0:cycles"


@pytest.mark.parametrize(
    ("core", "spec"), [(0, "0:400000000:cycles"), (7, "0:400000000:cycles"), (8, "0:a00000000:cycles")]
)
def test_hybrid_counts_on_the_pmu_that_holds_the_core(core: int, spec: str, tmp_path: Path) -> None:
    hybrid_intel(tmp_path)
    assert counter_for(tmp_path, core).spec == spec


@pytest.mark.parametrize(("core", "spec"), [(1, "8:11:cycles"), (4, "9:11:cycles")])
def test_big_little_takes_the_event_its_pmu_publishes(core: int, spec: str, tmp_path: Path) -> None:
    big_little(tmp_path)
    assert counter_for(tmp_path, core).spec == spec


def test_a_pmu_without_a_published_event_is_named_in_the_config(tmp_path: Path) -> None:
    tree = big_little(tmp_path)
    tree.drop(f"{PMUS}/armv8_cortex_a76/events/cpu_cycles")
    assert counter_for(tmp_path, 6).spec == "0:900000000:cycles"


def test_masks_of_cores_beyond_ten(tmp_path: Path) -> None:
    tree = Tree(tmp_path).cpus(24).common().pmu("cpu_core", 4, "0-11").pmu("cpu_atom", 10, "12-23")
    assert counter_for(tree.root, 1).spec == "0:400000000:cycles"
    assert counter_for(tree.root, 12).spec == "0:a00000000:cycles"


def test_units_with_a_cpumask_are_no_core_pmus(tmp_path: Path) -> None:
    big_little(tmp_path / "arm")
    assert [pmu.name for pmu in core_pmus(tmp_path / "arm")] == ["armv8_cortex_a55", "armv8_cortex_a76"]
    smt_server(tmp_path / "x86")
    assert [pmu.name for pmu in core_pmus(tmp_path / "x86")] == ["cpu"]


def test_a_core_without_its_pmu(tmp_path: Path) -> None:
    tree = big_little(tmp_path)
    tree.drop(f"{PMUS}/armv8_cortex_a76/cpus")
    counter = counter_for(tmp_path, 5)
    assert (counter.spec, counter.present) == ("none", False)
    assert counter.text == "no cycle counter: no PMU counts on CPU 5 (there are armv8_cortex_a55)"


def test_a_virtual_machine_shows_no_pmu(tmp_path: Path) -> None:
    virtual_machine(tmp_path)
    counter = counter_for(tmp_path, 1)
    assert counter.spec == "none"
    assert "shows no PMU of the CPU" in counter.text


def test_a_kernel_without_perf(tmp_path: Path) -> None:
    Tree(tmp_path).cpus(2)
    assert counter_for(tmp_path, 1).text == "no cycle counter: this kernel has no perf events"


@pytest.mark.parametrize(("level", "present"), [(-1, True), (2, True), (3, False), (4, False)])
def test_perf_event_paranoid(level: int, present: bool, tmp_path: Path) -> None:
    smt_server(tmp_path).put(PARANOID, level)
    counter = counter_for(tmp_path, 2)
    assert counter.present is present
    assert present or counter.text == f"no cycle counter: perf_event_paranoid is {level}, more than 2"


@pytest.mark.parametrize(("bit", "present"), [(21, True), (38, True), (12, False)])
def test_capabilities_go_before_perf_event_paranoid(bit: int, present: bool, tmp_path: Path) -> None:
    tree = smt_server(tmp_path).put(PARANOID, 4)
    tree.put("proc/self/status", f"Pid:\t1\nCapEff:\t{1 << bit:016x}")
    assert counter_for(tmp_path, 2).present is present


def test_counters_by_name(tmp_path: Path) -> None:
    virtual_machine(tmp_path)
    assert counter_named(tmp_path, "msr/tsc").spec == "9:0:tsc"
    assert counter_named(tmp_path, "none").spec == "none"
    big_little(tmp_path / "arm")
    assert counter_named(tmp_path / "arm", "armv8_cortex_a55/cpu_cycles").spec == "8:11:cycles"


@pytest.mark.parametrize(
    "name", ["", "msr", "msr/aperf", "nope/tsc", "../../../etc/tsc", "msr/../msr/tsc", "tsc"]
)
def test_counters_that_are_not_here(name: str, tmp_path: Path) -> None:
    virtual_machine(tmp_path).put(f"{PMUS}/msr/events/aperf", "event=0x01")
    with pytest.raises(ConfigError, match="not here"):
        counter_named(tmp_path, name)


def test_an_event_in_another_form_is_not_guessed(tmp_path: Path) -> None:
    virtual_machine(tmp_path).put(f"{PMUS}/msr/events/tsc", "event=0x00,umask=0x01")
    with pytest.raises(ConfigError, match="not here"):
        counter_named(tmp_path, "msr/tsc")


def test_this_host_has_a_counter_or_says_why_not() -> None:
    root = Path("/")
    counter = counter_for(root, 0)
    assert counter.present or counter.text.startswith("no cycle counter: ")
    if not core_pmus(root):
        assert counter.spec == "none"
    assert (root / CPU).is_dir()
