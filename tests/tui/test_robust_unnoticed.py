"""After everything that was done to its viewers: the run has noticed nothing."""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path
from typing import Any

from faults.lab import read_state
from tui.terminal_kit import NGCCTUI, PtyScreen, cpu_s, environment, until
from tui.watched_run import CORE_S, HERE, Stalled, Watched

from ngcctui.engine.rundir import RunDir

STALL_S = 60.0


def test_the_stalled_viewer_is_well_again_when_its_terminal_is(stalled: Stalled) -> None:
    until(lambda: time.monotonic() - stalled.since >= STALL_S, lambda: "", STALL_S + 5)
    assert stalled.screen.poll() is None
    assert cpu_s(stalled.screen.pid) - stalled.cpu_s < 0.05 * STALL_S
    stalled.screen.wait_for(*HERE)
    stalled.screen.send("q")
    assert stalled.screen.end() == 0


def test_the_run_never_noticed(watched: Watched) -> None:
    until(watched.over.is_set, lambda: str(watched.moves[-1:]), 120.0)
    assert len(watched.moves) > 500
    assert watched.gap_s() < 1.0
    for run in (watched.run, watched.alone):
        until(lambda run=run: read_state(run).ended, lambda run=run: watched.lab.printed(run), CORE_S)  # type: ignore[misc]
    assert outcomes(watched.run) == outcomes(watched.alone)
    assert measured(watched.run) == measured(watched.alone)


def measured(run: RunDir) -> dict[str, Any]:
    """What a record says of a measurement but for times, memory and the digest of the (different) library."""
    record = json.loads(run.record("mock", "toy", "sign").read_text())
    found = {
        key: record[key]
        for key in ("step", "outcome", "flags", "inputs", "kat", "sizes", "retries", "rejected")
    }
    found["plan"] = [
        record["plan"][key] for key in ("trials", "iterations", "warmups", "batch", "separate_processes")
    ]
    found["calls"] = [record["statistics"][key] for key in ("calls", "distinct_calls")]
    counts = ("trial", "iterations", "batch", "retries", "rejected", "failures", "samples")
    # A trial that only showed how long a call really takes is none of the measurement.
    found["trials"] = [[trial[key] for key in counts] for trial in record["trials"] if trial["used"]]
    return found


def outcomes(run: RunDir) -> list[tuple[str, str]]:
    """How every step ended."""
    state = read_state(run)
    return [(name, step.outcome.value if step.outcome else "") for name, step in state.steps.items()]


def test_a_viewer_of_a_copied_run(watched: Watched, home: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(watched.run.path, copy)
    with PtyScreen([*NGCCTUI, "attach", str(copy)], environment(home), cwd=home) as screen:
        screen.wait_for(*HERE)
        screen.send("q")
        assert screen.end() == 0
