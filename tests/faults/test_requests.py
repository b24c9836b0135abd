"""What an operator can ask of a running engine, and what it refuses to go on with."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest
from faults.lab import KEY, Lab, Mock, of_kind, one_line, read_events, read_state, wait_for

from ngcctui.engine import control
from ngcctui.engine.rundir import RunDir
from ngcctui.engine.state import Status
from ngcctui.engine.store import attempt_path, sha256_file
from ngcctui.model.event import EventName
from ngcctui.model.outcome import Outcome
from ngcctui.report.validate import validate

#: 20 ms a call: a measurement of 80 takes 1.7 s, long enough for an engine that looks once a second; the rest is short.
SLOW = Mock("slow", defines=("SLOW_NS=20000000",), operations=("keygen",))
BEFORE, MEASURE, AFTER = (f"{kind}:{KEY}/slow/keygen" for kind in ("calibrate", "measure", "profile"))
QUICK = Mock("quick")


def slow_run(lab: Lab, min_calls: int = 80) -> RunDir:
    return lab.new_run([SLOW], records=1, planning={"min_calls": min_calls})


def wait_for_step(run: RunDir, step: str, name: EventName = EventName.STEP_START) -> None:
    wait_for(lambda: of_kind(read_events(run), name, step), f"{name.value} of {step}")


def started(lab: Lab, run: RunDir, step: str) -> subprocess.Popen[bytes]:
    """An engine that is at work on `step`."""
    engine = lab.start(run, "--wait")
    wait_for_step(run, step)
    return engine


def test_stop_lets_the_running_step_end_and_resume_does_the_rest(lab: Lab) -> None:
    run = slow_run(lab)
    engine = started(lab, run, MEASURE)
    control.request(run, "stop")
    assert engine.wait(30) == 4
    state = read_state(run)
    assert state.steps[MEASURE].status is Status.ENDED
    assert state.steps[AFTER].status is Status.QUEUED
    assert (state.sessions[-1].reason, state.exit_code) == ("stopped", 4)
    assert [(c.request, c.accepted) for c in state.controls] == [("stop", True)]

    assert lab.finish(run, "--resume") == 0, lab.said(run)
    after = read_state(run)
    assert [session.mode for session in after.sessions] == ["start", "resume"]
    assert all(
        step.starts == 1 and step.outcome is not None and step.outcome.good for step in after.steps.values()
    )


@pytest.mark.parametrize(("how", "calls"), [("stop-now", 80), ("SIGTERM", 30)])
def test_stop_now_and_sigterm_end_the_running_step_without_an_outcome(how: str, calls: int, lab: Lab) -> None:
    run = slow_run(lab, calls)
    engine = started(lab, run, MEASURE)
    if how == "stop-now":
        control.request(run, how)
    else:
        engine.send_signal(signal.Signals[how])
    assert engine.wait(30) == 4
    state = read_state(run)
    assert state.steps[MEASURE].status is Status.INTERRUPTED
    assert state.steps[MEASURE].outcome is None
    assert not run.record(KEY, "slow", "keygen").exists()
    assert state.exit_code == 4

    assert lab.finish(run, "--resume") == 0, lab.said(run)
    after = read_state(run)
    assert (after.steps[MEASURE].starts, after.steps[MEASURE].attempt) == (2, 1)
    assert after.steps[AFTER].starts == 1
    assert lab.said(run) == ""


def test_the_engine_outlives_a_hangup(lab: Lab) -> None:
    run = slow_run(lab, 30)
    engine = started(lab, run, MEASURE)
    engine.send_signal(signal.SIGHUP)
    assert engine.wait(60) == 0, lab.said(run)


def test_a_skipped_step_ends_as_skipped_whether_it_runs_or_waits(lab: Lab) -> None:
    run = slow_run(lab)
    engine = started(lab, run, MEASURE)
    control.request(run, "skip", AFTER)
    control.request(run, "skip", MEASURE)
    assert engine.wait(30) == 1
    state = read_state(run)
    for name in (MEASURE, AFTER):
        outcome = state.steps[name].outcome
        assert outcome is not None
        assert outcome.value == "skipped"
        assert "operator" in state.steps[name].detail
    assert all(c.accepted for c in state.controls)


def test_a_step_that_is_skipped_while_the_run_stops_has_ended(lab: Lab) -> None:
    run = slow_run(lab)
    engine = started(lab, run, MEASURE)
    control.request(run, "stop")
    control.request(run, "skip", MEASURE)
    assert engine.wait(30) == 4
    state = read_state(run)
    assert state.steps[MEASURE].outcome is Outcome.SKIPPED
    assert state.steps[AFTER].status is Status.QUEUED


def test_a_step_can_be_retried_while_the_run_goes_on(lab: Lab) -> None:
    run = slow_run(lab)
    engine = started(lab, run, MEASURE)
    control.request(run, "retry", BEFORE)
    control.request(run, "retry", MEASURE)  # it runs: no retry yet
    control.request(run, "skip", f"measure:{KEY}/none/sign")
    assert engine.wait(60) == 0, lab.said(run)
    state = read_state(run)
    assert [state.steps[name].attempt for name in (BEFORE, MEASURE, AFTER)] == [2, 2, 1]
    assert [str(finding) for finding in validate(run, {}).findings] == []
    calibration = run.inside(str(state.steps[BEFORE].file))
    assert calibration is not None
    assert attempt_path(calibration, 1).exists()
    assert [(c.request, c.accepted) for c in state.controls] == [
        ("retry", True),
        ("retry", False),
        ("skip", False),
    ]
    assert all(c.why for c in state.controls if not c.accepted)


def test_old_and_foreign_files_in_control_are_dropped_and_journalled(lab: Lab) -> None:
    run = lab.new_run([QUICK], records=1)
    old = control.request(run, "stop-now")
    os.utime(old, (1_000_000_000, 1_000_000_000))
    (run.control / "stop").write_text("stop", "ascii")
    (run.control / "1-2-stop.json").write_bytes(b"\xff\x00" * 5000)
    (run.control / "directory").mkdir()
    (run.control / "link").symlink_to("/etc/passwd")
    assert lab.finish(run) == 0, lab.said(run)
    controls = read_state(run).controls
    assert len(controls) == 5
    assert not any(c.accepted for c in controls)
    assert [c.why for c in controls if c.request == "stop-now"]
    assert [entry for entry in run.control.iterdir() if not entry.name.startswith(".")] == []


def test_retry_of_a_finished_run_keeps_the_old_record(lab: Lab) -> None:
    mock = Mock("late", "crash.c", ("BY_SEGV", "SLOW_NS=1000000", "AFTER=40"), ("keygen", "sign"))
    run = lab.new_run([mock], records=1, planning={"min_calls": 100})
    assert lab.finish(run) == 1, lab.said(run)
    first = read_state(run)
    failed = [name for name, step in first.steps.items() if step.failed]
    assert f"measure:{KEY}/late/sign" in failed

    assert lab.finish(run, "--retry", "failed", "--retry", f"measure:{KEY}/late/keygen") == 1, lab.said(run)
    second = read_state(run)
    assert second.sessions[-1].mode == "retry"
    again = {*failed, f"measure:{KEY}/late/keygen"}
    for name, step in second.steps.items():
        assert step.attempt == (2 if name in again else 1), name
        if name in again and step.step.kind.value == "measure":
            check_kept(run, first.steps[name].file, first.steps[name].sha256)


def check_kept(run: RunDir, file: str | None, sha256: str | None) -> None:
    """The first attempt's record and samples lie beside the second's, as they were journalled."""
    assert file is not None
    path = run.inside(file)
    assert path is not None
    kept = attempt_path(path, 1)
    assert sha256_file(kept) == sha256
    record = json.loads(kept.read_bytes())
    assert record["attempt"] == 1
    assert json.loads(path.read_bytes())["attempt"] == 2
    if record["samples_file"]:
        assert sha256_file(attempt_path(run.path / record["samples_file"], 1)) == record["samples_sha256"]


def test_a_step_that_nobody_knows_cannot_be_retried(lab: Lab) -> None:
    run = lab.new_run([QUICK], records=1, profile={"on": False})
    assert lab.finish(run) == 0, lab.said(run)
    events = len(read_events(run))
    assert lab.finish(run, "--retry", f"measure:{KEY}/none/sign") == 2
    assert "no such step" in one_line(lab.said(run), "^ngcctui: ")
    assert len(read_events(run)) == events


def change_library(run: RunDir) -> None:
    library = run.library(KEY, "quick")
    library.write_bytes(library.read_bytes() + b"\n")


def remove_library(run: RunDir) -> None:
    run.library(KEY, "quick").unlink()


def change_campaign(run: RunDir) -> None:
    with run.campaign_file.open("a", encoding="utf-8") as file:
        file.write("# changed\n")


@pytest.mark.parametrize(
    ("change", "word", "accepted"),
    [
        (change_library, "library of quick", 0),
        (change_campaign, "campaign", 0),
        (remove_library, "library of quick", 1),
    ],
)
def test_resume_refuses_what_has_changed_until_it_is_accepted(
    change: object, word: str, accepted: int, lab: Lab
) -> None:
    run = lab.new_run([QUICK], records=1, profile={"on": False})
    engine = lab.start(run, "--wait")
    wait_for_step(run, f"kat:{KEY}/quick", EventName.STEP_END)
    engine.kill()
    engine.wait()
    assert callable(change)
    change(run)
    events = len(read_events(run))

    assert lab.finish(run, "--resume") == 3
    line = one_line(lab.said(run), "^ngcctui: ")
    assert word in line
    assert "--accept-changes" in line
    assert len(read_events(run)) == events

    assert lab.finish(run, "--resume", "--accept-changes") == accepted, lab.said(run)
    session = read_state(run).sessions[-1]
    assert any(word in change for change in session.changes)


def test_a_directory_that_is_no_run_is_refused_in_one_line(lab: Lab, tmp_path: Path) -> None:
    run = RunDir(tmp_path / "nothing")
    assert lab.finish(run) == 2
    assert "is no run" in one_line(lab.said(run), "^ngcctui: ")
