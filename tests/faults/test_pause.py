"""A pause takes effect after the call in progress, in every kind of step, and leaves no trace in what is measured."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest
from faults.audit import check_whole
from faults.lab import KEY, Lab, Mock, of_kind, processes_below, read_events, read_state, wait_for

from ngcctui.engine import control
from ngcctui.engine.livepage import LivePhase, LiveView, read_page
from ngcctui.engine.rundir import RunDir
from ngcctui.engine.state import Status
from ngcctui.engine.store import read_samples
from ngcctui.model.codec import decode
from ngcctui.model.event import EventName
from ngcctui.model.outcome import Outcome
from ngcctui.model.record import Record
from ngcctui.report.validate import validate

#: 10 ms a call, and 120 of them a trial: there is always time to ask for something in the middle of it.
SLOW = Mock("slow", defines=("SLOW_NS=10000000",), operations=("keygen",))
CALIBRATE, MEASURE, PROFILE = (f"{kind}:{KEY}/slow/keygen" for kind in ("calibrate", "measure", "profile"))
PLANNING = {"min_calls": 240}
SECOND = 1_000_000_000


def live(run: RunDir) -> LiveView | None:
    """The live page of the run's engine."""
    page = read_state(run).live_page
    return read_page(page) if page else None


def wait_for_step(run: RunDir, step: str) -> None:
    wait_for(lambda: of_kind(read_events(run), EventName.STEP_START, step), step)


def wait_for_page(run: RunDir, what: str, **wanted: int) -> LiveView:
    """Wait until the page says all that is wanted, of the child (`phase`, least `iteration`) or the engine (`held`)."""

    def look() -> LiveView | None:
        view = live(run)
        if view is None or view.phase != wanted.get("phase", view.phase):
            return None
        fits = view.iteration >= wanted.get("iteration", 0)
        return view if fits and view.engine.held == wanted.get("held", view.engine.held) else None

    return wait_for(look, what)


def paused_in_a_trial(lab: Lab, run: RunDir) -> tuple[subprocess.Popen[bytes], LiveView]:
    """An engine whose child was paused in the middle of the first trial, and its page then."""
    engine = lab.start(run, "--wait")
    wait_for_step(run, MEASURE)
    wait_for_page(run, "a trial on its way", phase=LivePhase.TIMED, iteration=5)
    control.request(run, "pause")
    return engine, wait_for_page(run, "the child to wait", phase=LivePhase.HELD, held=1)


def waits_on(run: RunDir, since: LiveView, at_least_ns: int) -> LiveView:
    """Look until the child has waited longer by so much, as its page tells; it must not do anything meanwhile."""

    def look() -> LiveView | None:
        view = live(run)
        assert view is not None
        assert (view.pid, view.trial, view.iteration) == (since.pid, since.trial, since.iteration)
        assert view.phase is LivePhase.HELD
        return view if view.start_ns - since.start_ns >= at_least_ns else None

    return wait_for(look, "the child to wait longer")


def record_of(run: RunDir) -> Record:
    return decode(Record, json.loads(run.record(KEY, "slow", "keygen").read_bytes()))


def shape(record: Record) -> dict[str, Any]:
    """What a record holds besides times and the host."""
    plan, figures = record.plan, record.statistics
    assert plan is not None and figures is not None
    trials = [
        (t.trial, t.attempt, t.iterations, t.batch, t.samples_offset, t.samples, t.used)
        for t in record.trials
    ]
    names = (
        "outcome",
        "detail",
        "attempt",
        "sizes",
        "retries",
        "rejected",
        "rejected_trials",
        "signal",
        "kat",
    )
    told = {name: getattr(record, name) for name in names}
    counts = (plan.trials, plan.iterations, plan.warmups, plan.batch, figures.calls, figures.distinct_calls)
    return told | {"trials": trials, "counts": counts}


def test_a_pause_in_the_middle_of_a_trial(lab: Lab) -> None:
    run, calm = (lab.new_run([SLOW], records=1, planning=PLANNING) for _ in range(2))
    engine, view = paused_in_a_trial(lab, run)
    waits_on(run, view, SECOND)
    assert read_state(run).paused and read_state(run).steps[MEASURE].status is Status.RUNNING
    control.request(run, "resume")
    assert engine.wait(60) == 0, lab.said(run)
    check_whole(run)
    record = record_of(run)
    first, second = record.trials
    assert first.held_ns > SECOND and second.held_ns == 0
    in_calls = sum_of(run, record, 0)
    assert 120 * 0.01 * SECOND <= in_calls <= first.wall_ns < in_calls + first.held_ns / 2
    assert [str(finding) for finding in validate(run, {}).findings] == []
    assert [(c.request, c.accepted) for c in read_state(run).controls] == [("pause", True), ("resume", True)]

    assert lab.finish(calm) == 0, lab.said(calm)
    assert shape(record) == shape(record_of(calm))


def sum_of(run: RunDir, record: Record, index: int) -> int:
    """Time in the calls of a trial, ns."""
    assert record.samples_file is not None
    samples = read_samples(run.path / record.samples_file, record.samples_sha256)
    trial = record.trials[index]
    return sum(samples[trial.samples_offset : trial.samples_offset + trial.samples])


def test_the_limit_of_a_child_stands_still_while_it_is_held(lab: Lab) -> None:
    """Four calls of half a second in a calibration of at most four seconds, held for five."""
    mock = Mock("slow", defines=("SLOW_NS=500000000",), operations=("keygen",))
    planning = {"trials": 1, "min_calls": 1, "calibrate_limit_s": 4.0}
    run = lab.new_run([mock], records=1, planning=planning, profile={"on": False})
    engine = lab.start(run, "--wait")
    wait_for_step(run, CALIBRATE)
    wait_for_page(run, "the calibration", phase=LivePhase.TIMED)
    control.request(run, "pause")
    waits_on(run, wait_for_page(run, "the child to wait", phase=LivePhase.HELD), 5 * SECOND)
    control.request(run, "resume")
    assert engine.wait(60) == 0, lab.said(run)
    assert read_state(run).steps[CALIBRATE].outcome is Outcome.DONE


def test_who_claims_to_be_held_gains_nothing(lab: Lab) -> None:
    forger = Mock("forger", "forge.c", ("AFTER=4",), ("keygen",))  # behind the four calls of the KAT
    sleeper = Mock("sleeper", "forge.c", ("AFTER=2", "ASK"), ("keygen",))
    run = lab.new_run([forger, sleeper], records=1, planning={"calibrate_limit_s": 2.0})
    assert lab.finish(run) == 1, lab.said(run)
    steps = read_state(run).steps
    for name in ("forger", "sleeper"):
        assert steps[f"kat:{KEY}/{name}"].outcome is Outcome.PASS
        step = steps[f"calibrate:{KEY}/{name}/keygen"]
        assert (step.outcome, step.detail) == (Outcome.TIMED_OUT, "not done within 2 s"), name


@pytest.mark.parametrize("how", ["stop", "stop-now", "kill"])
def test_a_held_run_can_be_ended_at_once(how: str, lab: Lab) -> None:
    run = lab.new_run([SLOW], records=1, planning={"min_calls": 40_000})  # minutes, if anybody waited for it
    engine, _ = paused_in_a_trial(lab, run)
    if how == "kill":
        engine.kill()
        assert engine.wait() < 0
    else:
        control.request(run, how)
        assert engine.wait(30) == 4, lab.said(run)
    wait_for(lambda: not processes_below(lab.path), "the child to be gone")
    state = read_state(run)
    assert state.steps[MEASURE].outcome is None
    assert not run.record(KEY, "slow", "keygen").exists()


def test_a_resumed_run_is_not_paused(lab: Lab) -> None:
    run = lab.new_run([SLOW], records=1, planning={"min_calls": 100})
    engine, _ = paused_in_a_trial(lab, run)
    engine.kill()
    engine.wait()
    assert lab.finish(run, "--resume") == 0, lab.said(run)
    state = read_state(run)
    assert (state.paused, state.steps[MEASURE].starts) == (False, 2)
    assert all(trial.held_ns == 0 for trial in record_of(run).trials)


def test_a_held_step_can_be_skipped_and_the_next_one_waits(lab: Lab) -> None:
    run = lab.new_run([SLOW], records=1, planning=PLANNING)
    engine, _ = paused_in_a_trial(lab, run)
    control.request(run, "skip", MEASURE)
    wait_for(lambda: read_state(run).steps[MEASURE].status is Status.ENDED, "the skip")
    assert read_state(run).steps[PROFILE].status is Status.QUEUED
    control.request(run, "skip", PROFILE)  # it has not begun
    wait_for(lambda: read_state(run).steps[PROFILE].status is Status.ENDED, "the other skip")
    control.request(run, "retry", MEASURE)
    wait_for(lambda: len(read_state(run).controls) == 4, "the retry")
    assert read_state(run).paused and read_state(run).steps[MEASURE].attempt == 1
    control.request(run, "resume")
    assert engine.wait(60) == 1, lab.said(run)
    steps = read_state(run).steps
    assert (steps[MEASURE].outcome, steps[MEASURE].attempt) == (Outcome.DONE, 2)
    assert (steps[PROFILE].outcome, steps[PROFILE].attempt) == (Outcome.SKIPPED, 1)


def test_known_answer_tests_wait_too(lab: Lab) -> None:
    """Ten records of four calls of 50 ms in two instances beside each other."""
    mocks = [Mock(name, defines=("SLOW_NS=50000000",), operations=("keygen",)) for name in ("one", "two")]
    run = lab.new_run(mocks, planning={"min_calls": 1}, profile={"on": False})
    engine = lab.start(run, "--wait")
    kats = [f"kat:{KEY}/{mock.name}" for mock in mocks]
    wait_for_step(run, kats[0])
    control.request(run, "pause")
    wait_for_page(run, "all workers to wait", held=1)
    control.request(run, "resume")
    assert engine.wait(60) == 0, lab.said(run)
    events = read_events(run)
    paused, resumed = of_kind(events, EventName.CONTROL)
    meanwhile = [event for event in events if paused.seq < event.seq < resumed.seq]
    # each of the two can have been in the last call of a record
    assert len(of_kind(meanwhile, EventName.KAT_RECORD)) <= 2
    assert len(of_kind([event for event in events if event.seq > resumed.seq], EventName.KAT_RECORD)) > 2
    assert [read_state(run).steps[kat].outcome for kat in kats] == [Outcome.PASS] * 2


def test_a_retry_that_was_accepted_outlives_its_engine(lab: Lab) -> None:
    run = lab.new_run([SLOW], records=1, planning=PLANNING)
    engine = lab.start(run, "--wait")
    wait_for_step(run, MEASURE)
    control.request(run, "retry", CALIBRATE)
    wait_for(lambda: read_state(run).controls, "the request to be accepted")
    engine.kill()
    engine.wait()
    state = read_state(run)
    assert state.controls[0].accepted and state.steps[CALIBRATE].attempt == 1
    assert lab.finish(run, "--resume") == 0, lab.said(run)
    steps = read_state(run).steps
    assert [steps[name].attempt for name in (CALIBRATE, MEASURE, PROFILE)] == [2, 1, 1]
    check_whole(run)
