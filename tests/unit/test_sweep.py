"""Strays and OOM kills, read from invented /proc and /sys trees."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ngcctui.engine.child.oom import oom_kills
from ngcctui.engine.child.sweep import Stat, children_of, descendants, read_stat, strays

ME = os.getpid()


def process(
    proc: Path, pid: int, children: str = "", *, session: int = 1, name: str = "x", state: str = "S"
) -> None:
    task = proc / str(pid) / "task" / str(pid)
    task.mkdir(parents=True)
    (task / "children").write_text(children)
    (proc / str(pid) / "stat").write_text(
        f"{pid} ({name}) {state} 1 {session} {session} 0 -1 4194560 1 0 0\n"
    )


def test_a_name_with_blanks_and_brackets_does_not_shift_the_fields(tmp_path: Path) -> None:
    process(tmp_path, 5, name=") S 9 9 (", session=77, state="Z")
    stat = read_stat(5, tmp_path)
    assert stat == Stat(5, "Z", 1, 77)
    assert stat.dead


@pytest.mark.parametrize("text", ["", "5 (x", "5 (x) S", "5 (x) S a b c"])
def test_a_torn_stat_is_no_process(tmp_path: Path, text: str) -> None:
    (tmp_path / "5").mkdir()
    (tmp_path / "5" / "stat").write_text(text)
    assert read_stat(5, tmp_path) is None
    assert read_stat(6, tmp_path) is None


def test_children_of_all_threads_and_all_below(tmp_path: Path) -> None:
    process(tmp_path, 5, "6 7 ")
    (tmp_path / "5" / "task" / "50").mkdir()
    (tmp_path / "5" / "task" / "50" / "children").write_text("8 ")
    process(tmp_path, 6, "9 ")
    process(tmp_path, 7)
    process(tmp_path, 8)
    process(tmp_path, 9)
    assert sorted(children_of(5, tmp_path)) == [6, 7, 8]
    assert sorted(descendants(5, tmp_path)) == [6, 7, 8, 9]
    assert children_of(99, tmp_path) == []


def test_without_children_files_every_process_is_asked_for_its_parent(tmp_path: Path) -> None:
    for pid, parent in ((5, 1), (6, 5), (7, 5), (8, 6)):
        (tmp_path / str(pid) / "task" / str(pid)).mkdir(parents=True)
        (tmp_path / str(pid) / "stat").write_text(f"{pid} (x) S {parent} 1 1 0\n")
    (tmp_path / "self").mkdir()
    assert sorted(children_of(5, tmp_path)) == [6, 7]


def test_only_orphans_of_no_living_child_are_strays(tmp_path: Path) -> None:
    process(tmp_path, ME, "10 11 20 21 22 23 ")
    process(tmp_path, 10, session=10)  # a child at work
    process(tmp_path, 11, session=11)  # the child that has ended
    process(tmp_path, 20, session=10)  # forked by 10, which still lives
    process(tmp_path, 21, session=11)  # forked by 11
    process(tmp_path, 22, session=22)  # with a session of its own
    process(tmp_path, 23, session=500)  # started by us in another way
    found = strays({10, 11}, {10}, own_session=500, proc=tmp_path)
    assert [stat.pid for stat in found] == [21, 22]


def tree(root: Path, groups: str, **files: str) -> Path:
    (root / "proc/self").mkdir(parents=True)
    (root / "proc/self/cgroup").write_text(groups)
    for name, text in files.items():
        path = root / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def test_oom_kills_of_cgroup_v2(tmp_path: Path) -> None:
    files = {
        "sys__fs__cgroup__a__b__memory_dot_events": "low 0\noom 3\noom_kill 2\n",
        "proc__vmstat": "oom_kill 9\n",
    }
    assert oom_kills(tree(tmp_path, "0::/a/b\n", **files)) == 2


def test_oom_kills_of_cgroup_v1(tmp_path: Path) -> None:
    files = {"sys__fs__cgroup__memory__g__memory_dot_oom_control": "under_oom 0\noom_kill 4\n"}
    assert oom_kills(tree(tmp_path, "5:cpu,cpuacct:/\n4:memory:/g\n0::/\n", **files)) == 4


def test_oom_kills_of_the_machine(tmp_path: Path) -> None:
    assert oom_kills(tree(tmp_path, "0::/\n", proc__vmstat="nr_free_pages 1\noom_kill 7\n")) == 7


def test_nothing_tells_of_oom_kills(tmp_path: Path) -> None:
    assert oom_kills(tmp_path) is None
