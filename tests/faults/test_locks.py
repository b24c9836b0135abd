"""Two engines never share a core or a run."""

from __future__ import annotations

import signal

import pytest
from faults.lab import Lab, Mock, of_kind, one_line, read_events, read_state, wait_for

from ngcctui.engine.rundir import RunDir
from ngcctui.engine.state import RunState
from ngcctui.model.event import EventName
from ngcctui.overview import look
from ngcctui.report.validate import validate

SLOW = Mock("slow", defines=("SLOW_NS=20000000",))
QUICK = Mock("quick")


def waits(run: RunDir) -> RunState | None:
    """The state of a run whose engine waits for its core."""
    state = read_state(run)
    return state if state.waiting is not None else None


def test_a_taken_core_names_its_holder_and_can_be_waited_for(lab: Lab) -> None:
    first, second = lab.new_run([SLOW], planning={"min_calls": 2000}), lab.new_run([QUICK], records=2)
    holder = lab.start(first, "--wait")
    wait_for(lambda: of_kind(read_events(first), EventName.SESSION_START), "the first engine's session")

    assert lab.finish(second, wait=False) == 3
    core = read_state(first).core
    line = one_line(lab.said(second), rf"^ngcctui: core {core} is taken by ")
    assert str(holder.pid) in line
    assert first.name in line
    assert read_events(second) == []

    waiting = lab.start(second, "--wait")
    wait_for(lambda: f"waiting for process {holder.pid} " in lab.printed(second), "the second engine to wait")
    state = wait_for(lambda: waits(second), "the journal to tell so")
    assert list(state.steps) and not state.sessions
    assert state.waiting is not None
    assert state.waiting.pid == waiting.pid
    assert state.waiting.text == f"core {core}: waiting for process {holder.pid}, run {first.name}"
    overview = look(second)
    assert (overview.working, overview.word) == (True, "waiting for its core")
    assert holder.poll() is None
    holder.send_signal(signal.SIGTERM)
    assert holder.wait(30) == 4
    assert waiting.wait(60) == 0, lab.said(second)
    state = read_state(second)
    assert [session.reason for session in state.sessions] == ["finished"]
    assert state.waiting is None
    assert [str(finding) for finding in validate(second, {}).findings] == []


def test_a_run_has_one_engine(lab: Lab) -> None:
    run = lab.new_run([SLOW], planning={"min_calls": 2000})
    engine = lab.start(run, "--wait")
    wait_for(lambda: of_kind(read_events(run), EventName.SESSION_START), "the first engine's session")
    for options in ((), ("--resume",), ("--wait",), ("--retry", "failed")):
        assert lab.start(run, *options).wait(30) == 3
    said = [line for line in lab.said(run).splitlines() if line]
    assert len(said) == 4
    assert all(run.name in line and "engine is at work" in line for line in said)
    engine.terminate()
    assert engine.wait(30) == 4
    assert len(read_state(run).sessions) == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_an_engine_that_waits_for_a_core_can_be_ended(number: signal.Signals, lab: Lab) -> None:
    first, second = lab.new_run([SLOW], planning={"min_calls": 2000}), lab.new_run([QUICK])
    holder = lab.start(first, "--wait")
    wait_for(lambda: of_kind(read_events(first), EventName.SESSION_START), "the first engine's session")
    waiting = lab.start(second, "--wait")
    wait_for(lambda: f"waiting for process {holder.pid} " in lab.printed(second), "the second engine to wait")
    waiting.send_signal(number)
    assert waiting.wait(30) == 4
    assert lab.said(second) == ""
    assert read_state(second).sessions == ()
    assert look(second).word == "not started"
