"""The fold of a journal: what every session, kill, retry and foreign line makes of a run."""

from __future__ import annotations

import dataclasses
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngcctui.engine.journal import JournalReader
from ngcctui.engine.runstate import ran_s
from ngcctui.engine.state import (
    WAITS_FOR_CORE,
    Fold,
    Follower,
    Phase,
    RunState,
    Status,
    StepState,
    TrialState,
    Waiting,
    done_total,
    failed_steps,
    fold,
    is_interrupted,
    pending,
    verdict,
    with_dependents,
)
from ngcctui.model.errors import ExitCode
from ngcctui.model.event import Event, EventName
from ngcctui.model.outcome import Outcome
from ngcctui.model.step import Kind, Step

BUILD, KAT = "build:sign-17/OPSsig-128", "kat:sign-17/OPSsig-128"
CAL, MEASURE, PROFILE = (f"{kind}:sign-17/OPSsig-128/sign" for kind in ("calibrate", "measure", "profile"))
STEPS = [BUILD, KAT, CAL, MEASURE, PROFILE]


class Log:
    """Writes events as an engine would: numbered, a second apart."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def add(self, name: EventName, step: str | None = None, **data: Any) -> Log:
        seq = len(self.events) + 1
        utc = f"2026-11-30T15:{seq // 60:02d}:{seq % 60:02d}.000Z"
        self.events.append(Event(seq, utc, seq * 1_000_000_000, name, step, data))
        return self

    def run(self, steps: list[str] = STEPS) -> Log:
        return self.add(
            EventName.RUN_START,
            run="r1",
            campaign="quick",
            version="0.1",
            steps=steps,
            algorithms={"sign-17": "OPS"},
        )

    def session(self, mode: str = "start", pid: int = 100) -> Log:
        number = 1 + sum(event.event is EventName.SESSION_START for event in self.events)
        return self.add(
            EventName.SESSION_START,
            session=number,
            mode=mode,
            pid=pid,
            pid_start=5000,
            boot_id="boot",
            kernel="6.1",
            compiler="gcc 14",
            cpu="Zen",
            core=3,
            version="0.1",
            live_page="/dev/shm/page",
            changes=["kernel is 6.1, was 6.0"] if mode == "resume" else [],
            campaign_sha256="ab",
        )

    def start(self, step: str, attempt: int = 1) -> Log:
        return self.add(EventName.STEP_START, step, attempt=attempt)

    def end(self, step: str, outcome: str = "done", attempt: int = 1, **more: Any) -> Log:
        return self.add(EventName.STEP_END, step, outcome=outcome, attempt=attempt, **more)

    def whole(self, step: str, outcome: str = "done", **more: Any) -> Log:
        return self.start(step).end(step, outcome, **more)

    def close(self, reason: str = "finished", code: int = 0) -> Log:
        return self.add(EventName.SESSION_END, reason=reason, exit=code)

    @property
    def state(self) -> RunState:
        return fold(self.events)


def yes(pid: int, pid_start: int, boot_id: str) -> bool:
    assert (pid_start, boot_id) == (5000, "boot")
    return True


def no(pid: int, pid_start: int, boot_id: str) -> bool:
    return False


def finished_run() -> Log:
    log = Log().run().session().whole(BUILD, "PASS").whole(KAT, "MISMATCH", detail="record 3, SK")
    log.whole(CAL, summary={"t1_ns": 1.1e6}).whole(MEASURE).whole(PROFILE)
    return log.add(EventName.RUN_END, passed=4, failed=[KAT], exit=1).close("finished", 1)


def test_an_empty_journal() -> None:
    state = fold([])
    assert (state.run, state.steps, state.phase, state.exit_code) == ("", {}, Phase.STARTING, None)
    assert is_interrupted(state, yes) and verdict(state, yes) is ExitCode.INTERRUPTED


def test_what_a_run_and_its_session_say() -> None:
    state = Log().run().session().state
    assert (state.run, state.campaign, state.version, state.algorithms) == (
        "r1",
        "quick",
        "0.1",
        {"sign-17": "OPS"},
    )
    assert list(state.steps) == STEPS
    assert {entry.status for entry in state.steps.values()} == {Status.QUEUED}
    session = state.sessions[0]
    assert (session.session, session.mode, session.pid, session.core, session.cpu) == (
        1,
        "start",
        100,
        3,
        "Zen",
    )
    assert (state.core, state.live_page, state.open, state.ended) == (3, "/dev/shm/page", True, False)
    assert (
        state.started_utc == "2026-11-30T15:00:01.000Z" and state.last_event_utc == "2026-11-30T15:00:02.000Z"
    )


def test_a_step_runs_and_ends() -> None:
    log = Log().run().session().start(KAT)
    entry = log.state.steps[KAT]
    assert (entry.status, entry.attempt, entry.starts, entry.session) == (Status.RUNNING, 1, 1, 1)
    assert entry.started_mono_ns == 3_000_000_000 and log.state.phase is Phase.KAT
    log.add(EventName.KAT_RECORD, KAT, record=2, covered=10)
    assert (log.state.steps[KAT].kat_records, log.state.steps[KAT].kat_covered) == (2, 10)
    log.end(
        KAT, "MISMATCH", detail="record 3, SK", file="kat/x.log", sha256="cd", summary={"label": "MISMATCH"}
    )
    entry = log.state.steps[KAT]
    assert (entry.status, entry.outcome, entry.detail) == (Status.ENDED, Outcome.MISMATCH, "record 3, SK")
    assert (entry.file, entry.sha256, entry.summary) == ("kat/x.log", "cd", {"label": "MISMATCH"})
    assert entry.kat_records == 2 and entry.duration_ns == 2_000_000_000 and entry.failed


def test_trials_belong_to_the_latest_start() -> None:
    trial = {"trial": 1, "trials": 5, "attempt": 2, "mean_ns": 1.5, "wall_ns": 10, "cpu_ns": 9, "used": False}
    log = (
        Log()
        .run()
        .session()
        .start(MEASURE)
        .add(EventName.TRIAL, MEASURE, **trial, disturbed=["cpu/wall 0.9"])
    )
    (row,) = log.state.steps[MEASURE].trials
    assert row == TrialState(1, 5, 2, 1.5, 10, 9, ("cpu/wall 0.9",), False, row.utc)
    assert log.session("resume").start(MEASURE).state.steps[MEASURE].trials == ()


def test_a_kill_and_a_stop_leave_the_step_interrupted_and_the_next_start_counts() -> None:
    log = Log().run().session().whole(BUILD, "PASS").start(KAT)
    assert log.state.steps[KAT].status is Status.RUNNING
    log.session("resume", pid=101)  # the first engine was killed: no session_end
    assert log.state.steps[KAT].status is Status.INTERRUPTED
    log.start(KAT)
    entry = log.state.steps[KAT]
    assert (entry.status, entry.starts, entry.attempt, entry.session) == (Status.RUNNING, 2, 1, 2)
    log.close("stopped", 4)
    assert log.state.steps[KAT].status is Status.INTERRUPTED
    log.session("resume").whole(KAT, "PASS")
    entry = log.state.steps[KAT]
    assert (entry.status, entry.starts, entry.attempt) == (Status.ENDED, 3, 1)
    assert log.state.steps[BUILD].starts == 1


def test_a_second_start_without_an_end_counts() -> None:
    assert Log().run().session().start(KAT).start(KAT).state.steps[KAT].starts == 2


def test_starts_are_one_more_than_the_kills_whatever_their_number() -> None:
    for kills in range(6):
        log = Log().run().session()
        for _ in range(kills):
            log.start(MEASURE).session("resume")
        log.whole(MEASURE)
        assert log.state.steps[MEASURE].starts == 1 + kills


def test_a_retry_replaces_the_outcome_and_keeps_it_until_it_starts() -> None:
    log = finished_run()
    assert log.state.ended and log.state.exit_code == 1
    log.session("retry")
    state = log.state
    assert not state.ended and state.exit_code is None and state.steps[KAT].outcome is Outcome.MISMATCH
    assert [str(step) for step in pending(state)] == []
    log.add(EventName.CONTROL, request="retry", argument=KAT, accepted=True, why="", steps=[KAT])
    assert [str(step) for step in pending(log.state)] == [KAT]
    log.start(KAT, attempt=2)
    entry = log.state.steps[KAT]
    assert (entry.status, entry.outcome, entry.detail, entry.attempt, entry.starts) == (
        Status.RUNNING,
        None,
        "",
        2,
        1,
    )
    killed = log.state
    assert [str(step) for step in pending(killed)] == [KAT]  # not asked for again, still to be done
    log.session("resume").start(KAT, attempt=2).end(KAT, "PASS", attempt=2)
    entry = log.state.steps[KAT]
    assert (entry.outcome, entry.attempt, entry.starts, entry.failed) == (Outcome.PASS, 2, 2, False)


def test_a_pause_is_no_time_of_what_it_held() -> None:
    log = Log().run().session().start(KAT)  # second 3
    log.add(EventName.CONTROL, request="pause", accepted=True).add(
        EventName.CONTROL, request="pause", accepted=True
    )
    assert log.state.paused_mono_ns == 4_000_000_000
    log.start(CAL)  # second 6: what had begun to begin
    log.add(EventName.CONTROL, request="resume", accepted=True).add(
        EventName.CONTROL, request="resume", accepted=True
    )
    assert (log.state.paused, log.state.paused_mono_ns) == (False, None)
    state = log.end(KAT, "PASS").end(CAL).state
    assert (state.steps[KAT].duration_ns, state.steps[CAL].duration_ns) == (3_000_000_000, 3_000_000_000)
    assert (state.steps[KAT].started_mono_ns, state.steps[CAL].started_mono_ns) == (
        6_000_000_000,
        7_000_000_000,
    )
    paused = log.add(EventName.CONTROL, request="pause", accepted=True).state
    assert paused.paused_mono_ns is not None and log.session("resume").state.paused_mono_ns is None


def test_a_running_step_grows_no_older_while_the_run_is_paused() -> None:
    entry = StepState(Step.parse(KAT), started_mono_ns=5_000_000_000)
    assert ran_s(entry, 9_000_000_000, None) == 4
    assert ran_s(entry, 9_000_000_000, 6_000_000_000) == 1
    assert ran_s(entry, 9_000_000_000, 3_000_000_000) == 0  # begun while it was paused
    assert ran_s(entry, 1_000_000_000, None) == 0
    assert ran_s(dataclasses.replace(entry, started_mono_ns=None), 9_000_000_000, None) is None


def asked(log: Log, request: str, argument: str, accepted: bool = True, **more: Any) -> Log:
    return log.add(EventName.CONTROL, request=request, argument=argument, accepted=accepted, why="", **more)


def test_an_accepted_retry_outlives_the_engine_that_accepted_it() -> None:
    log = Log().run().session().whole(BUILD, "PASS").whole(KAT, "MISMATCH").whole(CAL).whole(MEASURE)
    asked(log, "retry", "failed", steps=[KAT, CAL, "kat:of/another"])
    asked(log, "retry", MEASURE)  # without a list: the step itself
    asked(log, "retry", BUILD, accepted=False)
    wanted = [KAT, CAL, MEASURE, PROFILE]
    assert [str(step) for step in pending(log.state)] == wanted
    log.session("resume")  # the first one was killed
    assert [str(step) for step in pending(log.state)] == wanted
    log.start(KAT, attempt=2).session("resume")  # and the second in the middle of it
    assert log.state.retry == {CAL, MEASURE} and [str(step) for step in pending(log.state)] == wanted
    log.whole(KAT, "PASS").whole(CAL).whole(MEASURE).whole(PROFILE)
    assert pending(log.state) == [] and not log.state.retry


def test_steps_that_a_session_was_started_to_retry_are_wanted_until_they_start() -> None:
    log = finished_run()
    log.add(EventName.SESSION_START, session=2, mode="retry", retry=[KAT, "nonsense", 5])
    assert [str(step) for step in pending(log.state)] == [KAT]
    assert [str(step) for step in pending(log.session("resume").state)] == [KAT]


def test_an_accepted_skip_stands_until_its_step_has_ended() -> None:
    log = asked(asked(Log().run().session().start(CAL), "skip", CAL), "skip", "measure:of/another")
    assert log.session("resume").state.skip == {CAL}
    assert log.start(CAL).state.skip == {CAL}
    assert log.end(CAL, "skipped").state.skip == frozenset()


def test_a_session_that_is_started_to_do_a_step_does_not_skip_it() -> None:
    log = asked(Log().run().session().start(CAL), "skip", CAL)
    log.add(EventName.SESSION_START, session=2, mode="retry", retry=[CAL])
    assert (log.state.skip, log.state.retry) == (frozenset(), {CAL})


def test_an_engine_that_waits_for_its_core_is_at_work() -> None:
    log = Log().run()
    waits = {"key": WAITS_FOR_CORE, "text": "core 3: waiting for 7", "pid": 100, "boot_id": "boot"}
    log.add(EventName.WARNING, **waits, pid_start=5000)
    state = log.state
    assert state.waiting == Waiting("core 3: waiting for 7", 100, 5000, "boot")
    assert verdict(state, yes) is None and not is_interrupted(state, yes)
    assert verdict(state, no) is ExitCode.INTERRUPTED and is_interrupted(state, no)
    log.session().start(CAL).add(
        EventName.WARNING, **waits, pid_start=5000
    )  # that one was killed, the next one waits
    state = log.state
    assert (state.open, state.live_page, state.steps[CAL].status) == (False, None, Status.INTERRUPTED)
    state = log.session("resume").start(CAL).state
    assert (state.waiting, state.steps[CAL].starts) == (None, 2)
    done = finished_run().add(EventName.WARNING, **waits, pid_start=5000)  # and now a retry of it
    assert verdict(done.state, yes) is None
    assert verdict(done.state, no) is ExitCode.FAILURES and not is_interrupted(done.state, no)


def test_a_warning_of_waiting_with_nonsense_in_it_names_nobody() -> None:
    log = Log().run().add(EventName.WARNING, key=WAITS_FOR_CORE, pid="me", pid_start=-1, boot_id=[], text=3)
    assert log.state.waiting == Waiting("", 0, 0, "")


def test_an_attempt_that_is_not_told_is_counted() -> None:
    log = Log().run().session()
    for expected in (1, 2, 3):
        log.add(EventName.STEP_START, KAT).add(EventName.STEP_END, KAT, outcome="PASS")
        assert log.state.steps[KAT].attempt == expected


def test_pending_progress_and_failures() -> None:
    log = Log().run().session().whole(BUILD, "PASS").whole(KAT, "skipped").start(CAL)
    state = log.state
    assert [str(step) for step in pending(state)] == [CAL, MEASURE, PROFILE]
    assert done_total(state) == (2, 5)
    assert done_total(state, {Kind.BUILD, Kind.MEASURE}) == (1, 2)
    assert [str(step) for step in failed_steps(state)] == [KAT]


def test_a_retry_takes_along_what_was_skipped_because_of_it() -> None:
    log = Log().run().session().whole(BUILD, "BUILDFAIL").whole(KAT, "skipped").whole(CAL, "skipped")
    log.add(EventName.CONTROL, request="skip", argument=PROFILE, accepted=True, why="")
    log.whole(MEASURE, "skipped").whole(PROFILE, "skipped")
    assert with_dependents(log.state, {BUILD}) == {BUILD, KAT, CAL, MEASURE}
    assert with_dependents(log.state, {CAL}) == {CAL, MEASURE}
    assert with_dependents(log.state, {MEASURE}) == {MEASURE}


def test_a_measurement_is_done_anew_with_its_calibration() -> None:
    log = Log().run().session().whole(BUILD, "PASS").whole(KAT, "PASS").whole(CAL)
    assert with_dependents(log.state, {CAL}) == {CAL}
    log.start(MEASURE)
    assert with_dependents(log.state, {CAL}) == {CAL, MEASURE}
    log.end(MEASURE).whole(PROFILE)
    assert with_dependents(log.state, {CAL}) == {CAL, MEASURE}
    assert with_dependents(log.state, {KAT}) == {KAT}


def test_a_step_that_is_skipped_is_not_wanted_anew() -> None:
    log = asked(Log().run().session().whole(CAL).start(MEASURE), "retry", CAL, steps=[CAL, MEASURE])
    assert log.end(MEASURE).state.retry == {CAL, MEASURE}
    log = asked(Log().run().session().whole(CAL).start(MEASURE), "retry", CAL, steps=[CAL, MEASURE])
    assert asked(log, "skip", MEASURE).state.retry == {CAL}


def test_liveness_decides_between_running_and_interrupted() -> None:
    log = Log().run().session().start(BUILD)
    assert not is_interrupted(log.state, yes) and verdict(log.state, yes) is None
    assert is_interrupted(log.state, no) and verdict(log.state, no) is ExitCode.INTERRUPTED
    log.close("stopped", 4)
    assert is_interrupted(log.state, yes) and verdict(log.state, yes) is ExitCode.INTERRUPTED


@pytest.mark.parametrize(("reason", "code"), [("error", 5), ("error", 3), ("stop-now", 4)])
def test_a_session_that_ended_early_tells_why(reason: str, code: int) -> None:
    assert verdict(Log().run().session().start(BUILD).close(reason, code).state, no) == code


def test_the_verdict_of_a_finished_run() -> None:
    log = finished_run()
    assert verdict(log.state, no) is ExitCode.FAILURES and not is_interrupted(log.state, no)
    reporting = fold(log.events[:-1])  # run_end is journalled, the report is being written
    assert verdict(reporting, yes) is None
    assert verdict(reporting, no) is ExitCode.FAILURES
    log.events.pop()
    assert verdict(log.close("error", 5).state, no) is ExitCode.STORAGE  # the report could not be written


def test_pause_stop_warnings_health_and_host() -> None:
    log = Log().run().session()
    log.add(EventName.CONTROL, request="pause", argument=None, accepted=True, why="")
    assert log.state.paused and not log.state.stopping
    log.add(EventName.CONTROL, request="resume", argument=None, accepted=False, why="too old")
    assert log.state.paused and log.state.controls[-1].why == "too old"
    log.add(EventName.CONTROL, request="resume", argument=None, accepted=True, why="")
    log.add(EventName.CONTROL, request="stop-now", argument=None, accepted=True, why="")
    assert not log.state.paused and log.state.stopping
    log.add(EventName.WARNING, MEASURE, key="clock-step", text="UTC moved")
    log.add(EventName.HEALTH, temperature_c=51.5)
    finding = {"key": "turbo", "text": "turbo is on", "command": "echo 1"}
    log.add(
        EventName.HOST, findings=[finding], allowed=True, environment={"processor": "Zen"}, counter="cycles"
    )
    log.add(EventName.HOST, noise={"a_ns": 1.0, "b_ns": 1.5, "spread": 0.5})
    state = log.state
    assert (state.warnings[0].key, state.warnings[0].step) == ("clock-step", MEASURE)
    assert state.health == {"temperature_c": 51.5}
    assert state.findings[0].command == "echo 1" and state.host_allowed and state.counter == "cycles"
    assert state.environment == {"processor": "Zen"} and state.noise["spread"] == 0.5
    state = log.session("resume").state
    assert not state.paused and not state.stopping


def test_steps_that_do_not_belong_are_ignored_and_counted() -> None:
    log = Log().run().session()
    for step in ("build:other/X", "no step", "measure:sign-17/../x/sign", None):
        log.add(EventName.STEP_START, step, attempt=1)
        log.add(EventName.TRIAL, step)
    state = log.state
    assert list(state.steps) == STEPS and state.ignored_events == 8
    assert {entry.status for entry in state.steps.values()} == {Status.QUEUED}


def test_a_lost_first_line_costs_the_order_only() -> None:
    log = finished_run()
    lost = fold(log.events[1:])
    assert lost.run == "" and list(lost.steps) == STEPS
    assert lost.steps[KAT].outcome is Outcome.MISMATCH
    # The next session writes the list anew; what was done stays done, what is not listed goes.
    log.events.pop(0)
    seq = log.events[-1].seq + 1
    again = Event(seq, "u", 1, EventName.RUN_START, None, {"run": "r1", "steps": [MEASURE, "kat:x/y", KAT]})
    state = fold([*log.events, again])
    assert list(state.steps) == [MEASURE, "kat:x/y", KAT]
    assert state.steps[KAT].outcome is Outcome.MISMATCH and state.steps["kat:x/y"].status is Status.QUEUED


def test_requests_for_steps_that_a_new_list_does_not_hold_are_gone() -> None:
    log = asked(asked(Log().session().whole(CAL).start(MEASURE), "retry", CAL), "skip", MEASURE)
    assert (log.state.retry, log.state.skip) == ({CAL}, {MEASURE})
    log.add(EventName.RUN_START, run="r1", steps=[KAT])
    assert (log.state.retry, log.state.skip) == (frozenset(), frozenset())


def test_an_unknown_outcome_is_a_failure() -> None:
    state = Log().run().session().whole(BUILD, "WONDERFUL").state
    assert state.steps[BUILD].outcome is Outcome.ENGINE_ERROR and state.steps[BUILD].failed


def test_half_a_surrogate_pair_cannot_break_a_terminal() -> None:
    line = b'{"v":1,"seq":9,"utc":"u","mono_ns":1,"event":"warning","data":{"key":"k","text":"a\\ud83d"}}'
    event = Event.from_line(line)
    assert event is not None
    fold([event]).warnings[0].text.encode("utf-8")


def test_a_repeated_line_changes_nothing_but_the_count() -> None:
    events = finished_run().events
    for number in range(len(events)):
        twice = fold([*events[: number + 1], events[number], *events[number + 1 :]])
        assert twice.ignored_events == 1
        assert twice.steps == fold(events).steps and twice.sessions == fold(events).sessions


def journal_bytes() -> bytes:
    log = (
        Log()
        .run()
        .session()
        .whole(BUILD, "PASS")
        .start(KAT)
        .add(EventName.KAT_RECORD, KAT, record=1, covered=10)
    )
    log.session("resume").whole(KAT, "PASS").start(MEASURE)
    log.add(
        EventName.TRIAL, MEASURE, trial=1, trials=5, mean_ns=1.5, wall_ns=3, cpu_ns=3, disturbed=[], used=True
    )
    log.add(EventName.WARNING, None, key="k", text="naïve ☃").end(MEASURE).add(
        EventName.RUN_END, exit=0
    ).close()
    return b"".join(event.to_line() for event in log.events)


def test_every_prefix_of_a_journal_folds_to_what_its_whole_lines_say(tmp_path: Path) -> None:
    whole = journal_bytes()
    path = tmp_path / "j"
    path.write_bytes(b"")
    follower = Follower(path)
    lines = whole.splitlines(keepends=True)
    events = [event for line in lines if (event := Event.from_line(line))]
    with path.open("ab", buffering=0) as file:
        for size in range(1, len(whole) + 1):
            file.write(whole[size - 1 : size])
            state = follower.poll()
            if whole[size - 1 : size] == b"\n":
                assert state == fold(events[: whole[:size].count(b"\n")])
    assert state.ended and state.skipped_lines == 0


def test_every_torn_prefix_can_be_read_at_once(tmp_path: Path) -> None:
    whole = journal_bytes()
    for size in range(0, len(whole), 7):
        path = tmp_path / "j"
        path.write_bytes(whole[:size])
        state = Follower(path).poll()
        assert state.events == whole[:size].count(b"\n")


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_a_journal_spoilt_at_random_still_folds(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    spoilt = bytearray(journal_bytes())
    for _ in range(data.draw(st.integers(0, 6))):
        at = data.draw(st.integers(0, len(spoilt) - 1))
        length = data.draw(st.integers(0, 80))
        spoilt[at : at + length] = data.draw(st.binary(max_size=80))
    path = tmp_path_factory.mktemp("j") / "j"
    path.write_bytes(bytes(spoilt))
    follower = Follower(path)
    seen: list[Event] = []
    state = follower.poll(seen.append)
    assert state.events + state.ignored_events == len(seen)
    assert state == follower.state


#: Keys that finished_run does not use.
MORE_KEYS = {"trial", "trials", "mean_ns", "wall_ns", "disturbed", "used", "record", "covered", "findings"}
MORE_KEYS |= {"retry", "steps"}
MORE_KEYS |= {"allowed", "environment", "noise", "request", "argument", "accepted", "why", "key", "text"}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(STEPS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
KEYS = st.sampled_from(sorted({key for event in finished_run().events for key in event.data} | MORE_KEYS))
FOREIGN = st.builds(
    Event,
    seq=st.integers(1, 60),
    utc=st.text(max_size=5),
    mono_ns=st.integers(),
    event=st.sampled_from(EventName),
    step=st.none() | st.sampled_from(STEPS) | st.text(max_size=20),
    data=st.dictionaries(KEYS, JSON, max_size=6),
)


@given(st.lists(FOREIGN, max_size=25))
@settings(max_examples=150, deadline=None)
def test_foreign_values_never_raise(events: list[Event]) -> None:
    mixed = sorted([*events, *finished_run().events], key=lambda event: event.seq)
    for order in (events, mixed):
        state = fold(order)
        assert len(pending(state)) <= len(state.steps)
        with_dependents(state, set(state.steps))
        assert len(failed_steps(state)) <= done_total(state)[0] <= len(state.steps)
        assert verdict(state, lambda *_: False) is not None
        for entry in state.steps.values():
            assert (entry.status is Status.ENDED) == (entry.outcome is not None)


@given(st.integers(0, 2**32))
@settings(max_examples=30, deadline=None)
def test_reordered_events_never_raise(seed: int) -> None:
    events = finished_run().events
    random.Random(seed).shuffle(events)
    fold(events)


def test_folding_bit_by_bit_is_folding_at_once() -> None:
    folding = Fold()
    events = finished_run().events
    for number, event in enumerate(events, 1):
        folding.apply(event)
        assert folding.state() == fold(events[:number])


def test_a_step_has_all_its_fields_and_no_other() -> None:
    (step, *_) = fold(Log().run().session().events).steps.values()
    assert set(vars(step)) == {field.name for field in dataclasses.fields(StepState)}
    assert step == StepState(**vars(step))


def test_a_state_once_given_does_not_change() -> None:
    folding = Fold()
    log = finished_run()
    states = []
    for event in log.events:
        folding.apply(event)
        states.append((folding.state(), repr(folding.state())))
    assert all(repr(state) == text for state, text in states)


def test_the_follower_begins_anew_with_a_new_file(tmp_path: Path) -> None:
    path = tmp_path / "j"
    path.write_bytes(journal_bytes())
    follower = Follower(path)
    assert follower.poll().ended
    path.write_bytes(Log().run().session().events[0].to_line())
    state = follower.poll()
    assert not state.ended and state.sessions == () and state.run == "r1"


def test_a_long_journal_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "j"
    log = Log().run().session().start(MEASURE)
    lines = [event.to_line() for event in log.events]
    lines += [
        Event(n, "u", n, EventName.TRIAL, MEASURE, {"trial": n, "mean_ns": 1.5, "disturbed": []}).to_line()
        for n in range(4, 30_004)
    ]
    path.write_bytes(b"".join(lines))
    state = Follower(path).poll()
    assert state.events == 30_003 and len(state.steps[MEASURE].trials) == 30_000
    assert state.steps[MEASURE].trials[-1].trial == 30_003
    assert JournalReader(path).poll()[-1].seq == 30_003
