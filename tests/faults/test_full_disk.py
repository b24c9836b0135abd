"""A disk that is full at any write: one clear line, exit 5, nothing of what was there is lost, and resume goes on."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from faults.audit import check_whole, report_shape
from faults.lab import Lab, of_kind, one_line, read_events, read_state

from ngcctui.model.event import EventName

SCRIPT = Path(__file__).with_name("refusing_engine.py")


@pytest.mark.parametrize(
    ("kind", "why"),
    [("write", "the disk is full: free some space"), ("other", "the disk reports an I/O error")],
)
def test_every_operation_of_a_run_on_its_disk_is_refused_once(kind: str, why: str, lab: Lab) -> None:
    calm, run = lab.toy_run(), lab.toy_run()
    assert lab.finish(calm) == 0, lab.said(calm)
    assert lab.finish(run, kind, script=SCRIPT) == 0, lab.said(run)
    *failed, last = [json.loads(line) for line in lab.said(run).splitlines()]
    assert last["code"] == 0
    for session in failed:
        assert session["code"] == 5, session
        line = one_line(session["said"], rf"^ngcctui: {run.path}.*: cannot be [a-z]+: {why}")
        assert session["said"] == line + "\n"
    assert len(failed) > len(of_kind(read_events(calm), EventName.STEP_END)) * 5
    state = read_state(run)
    assert all(step.outcome is not None and step.outcome.good for step in state.steps.values())
    assert report_shape(run) == report_shape(calm)
    assert not list(run.path.rglob("*.tmp"))


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 4 MiB in memory."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount a small file system")
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=4m", "none", str(place)]
    mounted = subprocess.run(mount, capture_output=True, text=True, check=False)
    if mounted.returncode != 0:
        pytest.skip(f"mounting a small file system is not allowed here: {mounted.stderr.strip()}")
    try:
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)


@pytest.mark.parametrize("free_kib", [8, 48, 96])
def test_a_file_system_that_runs_full(free_kib: int, small_disk: Path, lab: Lab) -> None:
    lab.runs_root = small_disk
    run = lab.toy_run()
    filler = small_disk / "filler"
    room = os.statvfs(small_disk)
    filler.write_bytes(bytes(room.f_bavail * room.f_frsize - (free_kib << 10)))
    assert lab.finish(run) == 5, lab.said(run)
    assert "the disk is full" in one_line(lab.said(run), "^ngcctui: ")
    check_whole(run)
    filler.unlink()
    assert lab.finish(run, "--resume") == 0, lab.said(run)
    check_whole(run)


def test_a_journal_that_is_no_file_is_refused(lab: Lab) -> None:
    run = lab.toy_run()
    run.journal.mkdir()
    assert lab.finish(run) == 5
    assert str(run.journal) in one_line(lab.said(run), "^ngcctui: ")
    lab.runs.remove(run)  # there is no journal to look at
