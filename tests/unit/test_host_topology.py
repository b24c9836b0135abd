"""CPU lists, core types and the choice of the measured core."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from host_trees import CPU, Tree, big_little, hybrid_intel, raspberry_pi, smt_server, virtual_machine
from hypothesis import given, settings
from hypothesis import strategies as st

from ngcctui.engine.host.core import choose_core
from ngcctui.engine.host.files import MAX_CPU, format_cpus, parse_cpus, plain, read
from ngcctui.engine.host.topology import allowed_cpus, core_types, online_cpus, siblings
from ngcctui.model.errors import ConfigError


@settings(deadline=None)
@given(st.frozensets(st.integers(0, MAX_CPU), min_size=1, max_size=60))
def test_a_cpu_list_survives_writing_and_reading(cpus: frozenset[int]) -> None:
    assert parse_cpus(format_cpus(cpus)) == cpus


@settings(deadline=None)
@given(st.text(max_size=30))
def test_any_text_is_a_list_or_a_value_error(text: str) -> None:
    try:
        assert all(0 <= cpu <= MAX_CPU for cpu in parse_cpus(text))
    except ValueError:
        pass


@pytest.mark.parametrize(
    ("text", "cpus"),
    [
        ("", set()),
        ("\n", set()),
        ("0", {0}),
        ("0-3,8", {0, 1, 2, 3, 8}),
        ("0-7:2/4", {0, 1, 4, 5}),
        ("1, 3", {1, 3}),
    ],
)
def test_lists_as_the_kernel_writes_them(text: str, cpus: set[int]) -> None:
    assert parse_cpus(text) == cpus


@pytest.mark.parametrize("text", ["3-1", "0-99999", "1-", "a", "0,,1", "-1", "0x3", "0-3:3/2", "٣"])
def test_what_is_no_list(text: str) -> None:
    with pytest.raises(ValueError, match="not a CPU list"):
        parse_cpus(text)


def test_groups_are_written_as_ranges() -> None:
    assert format_cpus({0, 1, 2, 3, 8}) == "0-3,8"
    assert format_cpus(frozenset()) == "none"


@settings(deadline=None)
@given(st.text(max_size=300))
def test_foreign_text_becomes_one_printable_line(text: str) -> None:
    line = plain(text)
    assert line.isprintable()
    assert len(line) <= 160


def test_escapes_of_a_terminal_are_shown_not_sent() -> None:
    assert plain("a\x1b[2Jb\n\u202ec") == r"a\x1b[2Jb\n\u202ec"


def test_types_of_a_hybrid_processor(tmp_path: Path) -> None:
    hybrid_intel(tmp_path)
    fast, slow = core_types(tmp_path)
    assert (fast.name, fast.cpus) == (
        "cpu_core",
        frozenset(range(8)),
    )  # favoured CPUs are no type of their own
    assert (slow.name, slow.cpus) == ("cpu_atom", frozenset(range(8, 12)))


def test_types_of_a_big_little_processor(tmp_path: Path) -> None:
    big_little(tmp_path)
    fast, slow = core_types(tmp_path)
    assert (fast.name, fast.cpus, fast.capacity) == ("Arm Cortex-A76", frozenset({4, 5, 6, 7}), 1024)
    assert (slow.name, slow.cpus, slow.capacity) == ("Arm Cortex-A55", frozenset({0, 1, 2, 3}), 430)


def test_types_told_apart_by_their_clock_alone(tmp_path: Path) -> None:
    Tree(tmp_path).cpus(4).cpufreq((0, 1), 400_000, 5_000_000).cpufreq((2, 3), 400_000, 3_700_000)
    assert [kind.cpus for kind in core_types(tmp_path)] == [{0, 1}, {2, 3}]


def test_types_told_apart_by_their_capacity_alone(tmp_path: Path) -> None:
    tree = Tree(tmp_path).cpus(4)
    for cpu, capacity in enumerate((500, 1024, 500, 1000)):
        tree.put(f"{CPU}/cpu{cpu}/cpu_capacity", capacity)
    assert [kind.cpus for kind in core_types(tmp_path)] == [{1, 3}, {0, 2}]


def test_a_host_that_tells_nothing_has_one_cpu(tmp_path: Path) -> None:
    assert online_cpus(tmp_path) == allowed_cpus(tmp_path) == {0}
    assert [kind.cpus for kind in core_types(tmp_path)] == [{0}]


def test_cpus_are_counted_by_their_directories_without_a_list(tmp_path: Path) -> None:
    Tree(tmp_path).put(f"{CPU}/cpu0/x", 1).put(f"{CPU}/cpu11/x", 1).put(f"{CPU}/cpufreq/x", 1)
    assert online_cpus(tmp_path) == {0, 11}


def test_allowed_are_online_cpus_of_the_affinity_mask(tmp_path: Path) -> None:
    Tree(tmp_path).cpus(8, allowed="2-3,7").put(f"{CPU}/online", "0-5")
    assert allowed_cpus(tmp_path) == {2, 3}


def test_siblings_are_online_and_not_the_core_itself(tmp_path: Path) -> None:
    tree = smt_server(tmp_path)
    assert siblings(tmp_path, 12) == {13}
    tree.put(f"{CPU}/online", "0-12,14-15")
    assert siblings(tmp_path, 12) == frozenset()


def test_siblings_by_their_newer_name(tmp_path: Path) -> None:
    Tree(tmp_path).cpus(12).drop(f"{CPU}/cpu3/topology/thread_siblings_list").put(
        f"{CPU}/cpu3/topology/core_cpus_list", "3,11"
    )
    assert siblings(tmp_path, 3) == {11}


@pytest.mark.parametrize(
    ("host", "allowed", "core"),
    [
        (hybrid_intel, set(range(12)), 7),
        (hybrid_intel, {2, 3, 8, 9}, 3),
        (hybrid_intel, {8, 9}, 9),
        (hybrid_intel, {0, 9}, 9),
        (hybrid_intel, {0}, 0),
        (big_little, set(range(8)), 7),
        (big_little, set(range(4)), 3),
        (smt_server, set(range(16)), 15),
        (smt_server, {0, 1}, 1),
        (virtual_machine, {0, 1}, 1),
        (raspberry_pi, {0, 1, 2, 3, 99}, 3),
    ],
)
def test_the_default_core(host: Callable[[Path], Tree], allowed: set[int], core: int, tmp_path: Path) -> None:
    host(tmp_path)
    assert choose_core(tmp_path, allowed) == core


@settings(deadline=None)
@given(st.sets(st.integers(0, 11), min_size=1))
def test_the_default_core_is_allowed_and_never_0_unless_alone(
    tmp_path_factory: pytest.TempPathFactory, allowed: set[int]
) -> None:
    root = tmp_path_factory.getbasetemp() / "hybrid"
    if not root.exists():
        hybrid_intel(root)
    core = choose_core(root, allowed)
    assert core in allowed
    assert core != 0 or allowed == {0}


def test_a_wanted_core_is_taken_even_if_it_is_0(tmp_path: Path) -> None:
    hybrid_intel(tmp_path)
    assert choose_core(tmp_path, {0, 1, 9}, 0) == 0
    assert choose_core(tmp_path, {0, 1, 9}, 9) == 9


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        (64, "core 64: this host has no such CPU; allowed here: 0-2,9"),
        (10, "core 10: that CPU is switched off; allowed here: 0-2,9"),
        (5, "core 5: this process may not use that CPU; allowed here: 0-2,9"),
        (
            6,
            "core 6: this process may not use that CPU (it is isolated: start ngcctui with taskset -c 0-9,11); ",
        ),
    ],
)
def test_a_core_that_cannot_be_had(wanted: int, why: str, tmp_path: Path) -> None:
    hybrid_intel(tmp_path).put(f"{CPU}/online", "0-9,11").put(f"{CPU}/isolated", "6")
    with pytest.raises(ConfigError) as caught:
        choose_core(tmp_path, {0, 1, 2, 9}, wanted)
    assert str(caught.value).startswith(why)
    assert str(caught.value).endswith("allowed here: 0-2,9")


def test_no_usable_core_at_all(tmp_path: Path) -> None:
    virtual_machine(tmp_path)
    with pytest.raises(ConfigError, match="none of the CPUs 0-1 may be used"):
        choose_core(tmp_path, {7})


def test_unreadable_files_are_not_told(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "directory").mkdir()
    (tmp_path / "bytes").write_bytes(b"\xff\x00model\x00\n")
    assert read(tmp_path, "missing") is None
    assert read(tmp_path, "directory") is None
    assert read(tmp_path, "pipe") == ""  # no writer: empty, and no waiting for one
    assert read(tmp_path, "bytes") == "\ufffd\0model"


def test_this_host(tmp_path: Path) -> None:
    root = Path("/")
    allowed = allowed_cpus(root)
    assert allowed == os.sched_getaffinity(0)
    assert len(online_cpus(root)) == os.sysconf("SC_NPROCESSORS_ONLN")
    assert choose_core(root, allowed) in allowed
    assert frozenset().union(*(kind.cpus for kind in core_types(root))) == online_cpus(root)
