"""Whether the engine a journal names is still the process with that pid."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ngcctui.engine.liveness import boot_id, process_alive, start_ticks


def tree(root: Path, pid: int, state: str, ticks: str, command: str = "python") -> Path:
    (root / "proc" / str(pid)).mkdir(parents=True)
    fields = [state, *["0"] * 18, ticks, "0", "0"]
    (root / "proc" / str(pid) / "stat").write_text(f"{pid} ({command}) {' '.join(fields)}\n")
    kernel = root / "proc" / "sys" / "kernel" / "random"
    kernel.mkdir(parents=True)
    (kernel / "boot_id").write_text("b-1\n")
    return root


def test_this_process_is_alive() -> None:
    ticks = start_ticks(os.getpid())
    assert ticks is not None and ticks > 0
    assert process_alive(os.getpid(), ticks, boot_id())
    assert not process_alive(os.getpid(), ticks + 1, boot_id())
    assert not process_alive(os.getpid(), ticks, "another boot")


def test_a_command_with_parentheses_and_blanks_is_no_trap(tmp_path: Path) -> None:
    assert start_ticks(7, tree(tmp_path, 7, "S", "1234", command="a) S 1 2 (b")) == 1234


@pytest.mark.parametrize(("state", "ticks"), [("Z", "1234"), ("X", "1234"), ("S", "no")])
def test_dead_or_unreadable_processes_are_not_alive(tmp_path: Path, state: str, ticks: str) -> None:
    root = tree(tmp_path, 7, state, ticks)
    assert start_ticks(7, root) is None
    assert not process_alive(7, 1234, "b-1", root)


def test_nothing_is_known_of_other_pids(tmp_path: Path) -> None:
    root = tree(tmp_path, 7, "R", "1234")
    assert process_alive(7, 1234, "b-1", root)
    assert not process_alive(8, 1234, "b-1", root)
    assert not process_alive(0, 1234, "b-1", root)
    assert boot_id(tmp_path / "none") == ""
