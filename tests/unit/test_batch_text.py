"""What the batch printer writes: lines of events, bars, times, and the meaning of an engine's end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ngcctui.batch.bars import Moment, bar, picture
from ngcctui.batch.lines import line, measured
from ngcctui.batch.verdict import verdict
from ngcctui.commands.status import rows
from ngcctui.durations import clock, span
from ngcctui.engine.livepage import EngineHalf, LivePhase, LiveView
from ngcctui.engine.rundir import RunDir
from ngcctui.engine.runstate import RunState
from ngcctui.engine.state import fold
from ngcctui.model.errors import ExitCode
from ngcctui.model.event import Event, EventName
from ngcctui.model.outcome import Outcome
from ngcctui.overview import Overview

UTC = "2026-01-02T03:04:05.678Z"
SIGN = "measure:sig/sig-1/sign"


def event(name: str, step: str | None = None, seq: int = 1, **data: Any) -> Event:
    return Event(seq, UTC, seq * 10**9, EventName(name), step, data)


@pytest.mark.parametrize(
    ("given_event", "text"),
    [
        (
            event("run_start", run="r", campaign="quick", steps=["a", "b"]),
            "run start r: campaign quick, 2 steps",
        ),
        (
            event(
                "session_start",
                session=2,
                mode="resume",
                core=1,
                pid=7,
                compiler="gcc 14",
                changes=["kernel is new"],
            ),
            "run session 2 resume: core 1, pid 7, gcc 14; kernel is new",
        ),
        (event("host", findings=[]), "run host ready"),
        (event("host", findings=[{"text": "turbo on"}, 3]), "run host unfixed, 1 finding: turbo on"),
        (event("step_start", SIGN, attempt=1), f"{SIGN} started"),
        (event("step_start", SIGN, attempt=2), f"{SIGN} started, attempt 2"),
        (event("kat_record", "kat:sig/sig-1", record=3, covered=10), "kat:sig/sig-1 record 3/10"),
        (event("trial", SIGN, trial=2, trials=5, mean_ns=765000.0, used=True), f"{SIGN} trial 2/5 765 µs"),
        (
            event("trial", SIGN, trial=2, trials=5, mean_ns=1.0, disturbed=["cpu/wall 0.930"], used=False),
            f"{SIGN} trial 2/5 1 ns disturbed (cpu/wall 0.930) not used",
        ),
        (
            event("step_end", "build:sig/sig-1", outcome="PASS", summary={"flags": "guide"}),
            "build:sig/sig-1 PASS guide flags",
        ),
        (
            event("step_end", "build:sig/sig-1", outcome="BUILDFAIL", detail="a.c:1: error: x"),
            "build:sig/sig-1 BUILDFAIL (a.c:1: error: x)",
        ),
        (
            event(
                "step_end",
                "kat:sig/sig-1",
                outcome="PASS",
                summary={"records": 10, "covered": 10, "flags": "guide"},
            ),
            "kat:sig/sig-1 PASS 10/10",
        ),
        (
            event("step_end", SIGN, outcome="done", summary={"t1_ns": 2e9, "trials": 5, "iterations": 20}),
            f"{SIGN} done 2 s a call, plan 5 × 20",
        ),
        (event("step_end", SIGN, outcome="done", summary={"hash_share": 0.917}), f"{SIGN} done helpers 92%"),
        (
            event("step_end", SIGN, outcome="done", summary={"hash_share": None}),
            f"{SIGN} done helpers unknown",
        ),
        (event("control", request="skip", argument=SIGN, accepted=True), f"run skip {SIGN} accepted"),
        (event("control", request="stop", accepted=False, why="too old"), "run stop refused: too old"),
        (event("host", findings=[], noise={"spread": 0.0123}), "run noise floor 1.2 % (the same loop twice)"),
        (
            event("health", temperature_c=45.4, frequency_khz=2100000, throttle_core=3, load_average=0.5),
            "run health 45 C, 2.10 GHz, throttled 3 times since boot, load 0.50",
        ),
        (event("health", temperature_c=None), "run health unknown"),
        (event("warning", text="UTC moved"), "run warning: UTC moved"),
        (event("session_end", reason="stopped", exit=4), "run session stopped, exit 4"),
        (event("run_end", passed=11, failed=[SIGN], exit=1), f"run done: 11 passed, 1 failed ({SIGN})"),
    ],
)
def test_the_line_of_an_event(given_event: Event, text: str) -> None:
    assert line(given_event) == f"2026-01-02T03:04:05Z {text}"


def test_a_measured_figure_has_its_interval_n_and_rejected_trials() -> None:
    summary = {
        "mean_ns": 765000.0,
        "low_ns": 762000.0,
        "high_ns": 768000.0,
        "n": 660,
        "trials": 5,
        "iterations": 132,
    }
    assert measured(summary) == "765 µs ±0.39 % (n 660, 5 × 132)"
    assert (
        measured(summary | {"rejected_trials": 2, "low_ns": None})
        == "765 µs (n 660, 5 × 132, 2 trials rejected)"
    )


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
KEYS = st.sampled_from(
    [
        "run",
        "steps",
        "session",
        "core",
        "changes",
        "findings",
        "attempt",
        "record",
        "covered",
        "trial",
        "mean_ns",
        "disturbed",
        "outcome",
        "detail",
        "summary",
        "request",
        "argument",
        "accepted",
        "temperature_c",
        "load",
        "text",
        "reason",
        "exit",
        "passed",
        "failed",
    ]
)
SUMMARY = st.dictionaries(
    st.sampled_from(["mean_ns", "low_ns", "high_ns", "t1_ns", "hash_share", "records", "n"]), JUNK
)


@given(st.sampled_from(EventName), st.none() | st.text(max_size=30), st.dictionaries(KEYS, JUNK | SUMMARY))
def test_whatever_an_event_carries_is_one_harmless_line(
    name: EventName, step: str | None, data: dict[str, Any]
) -> None:
    text = line(Event(1, UTC, 1, name, step, data))
    assert len(text.splitlines()) <= 1
    assert all(char.isprintable() or char == " " for char in text)


def live(iteration: int, iterations: int, phase: LivePhase = LivePhase.TIMED) -> LiveView:
    return LiveView(1, 0, iteration, iterations, 0, phase, EngineHalf())


def state(*events: Event) -> RunState:
    steps = [SIGN, "kat:sig/sig-1", "build:sig/sig-1", "profile:sig/sig-1/sign"]
    return fold([event("run_start", run="r", steps=steps), event("session_start", seq=2, core=1), *events])


NOW = Moment(mono_ns=65 * 10**9, elapsed_s=62.0)


def test_the_bar_of_a_measured_step_counts_trials_and_iterations() -> None:
    lines = picture(
        state(
            event("step_start", SIGN, 5, attempt=1),
            event("trial", SIGN, 6, trial=1, trials=5, mean_ns=1.0, used=True),
            event("trial", SIGN, 7, trial=2, trials=5, mean_ns=1.0, used=False),
            event("trial", SIGN, 8, trial=2, trials=5, mean_ns=1.0, used=True),
        ),
        live(66, 132),
        NOW,
        100,
    )
    assert lines[0] == f"{'█' * 10}{'░' * 10} {SIGN}  trial 3/5  iteration 66/132  1:00"
    assert lines[1] == f"{'░' * 20} measure  0/4 done  1:02 so far"


def test_before_the_first_trial_the_calibration_tells_how_many_there_will_be() -> None:
    calibrate = SIGN.replace("measure", "calibrate")
    events = [
        event("run_start", run="r", steps=[calibrate, SIGN]),
        event("step_end", calibrate, 2, outcome="done", summary={"t1_ns": 1.0, "trials": 5, "iterations": 9}),
        event("step_start", SIGN, 3, attempt=1),
    ]
    assert "trial 1/5  iteration 66/132" in picture(fold(events), live(66, 132), NOW, 100)[0]
    assert "trial 1  iteration" in picture(fold([events[0], events[2]]), live(66, 132), NOW, 100)[0]


def test_the_bars_of_other_steps() -> None:
    lines = picture(
        state(
            event("step_start", "build:sig/sig-1", 4, attempt=1),
            event("step_start", "kat:sig/sig-1", 5, attempt=1),
            event("kat_record", "kat:sig/sig-1", 6, record=5, covered=10),
        ),
        None,
        NOW,
        100,
    )
    assert lines[0] == f"{'█' * 10}{'░' * 10} kat:sig/sig-1  record 5/10  1:00"
    assert lines[1] == f"{'░' * 20} build:sig/sig-1  1:01"


def test_a_profile_and_a_warm_up_show_what_the_child_says() -> None:
    running = state(event("step_start", "profile:sig/sig-1/sign", 4, attempt=1))
    assert "iteration 5/10" in picture(running, live(5, 10, LivePhase.PROFILE), NOW, 100)[0]
    assert "warm-up" in picture(running, live(1, 3, LivePhase.WARM_UP), NOW, 100)[0]


def test_a_held_child_shows_where_it_waits() -> None:
    running = state(event("step_start", SIGN, 4, attempt=1))
    assert "trial 1  iteration 5/10  held" in picture(running, live(5, 10, LivePhase.HELD), NOW, 100)[0]
    assert "trial 1  held" in picture(running, live(0, 0, LivePhase.HELD), NOW, 100)[0]


def test_the_time_of_a_step_stands_still_while_the_run_is_paused() -> None:
    kat = "kat:sig/sig-1"
    begun = [
        event("step_start", kat, 5, attempt=1),
        event("control", None, 9, request="pause", accepted=True),
    ]
    assert picture(state(*begun), None, NOW, 100)[0].endswith("kat:sig/sig-1  0:04")
    done = event("control", None, 60, request="resume", accepted=True)
    assert picture(state(*begun, done), None, NOW, 100)[0].endswith("kat:sig/sig-1  0:09")


def test_the_now_line_of_status_stands_still_too() -> None:
    kat = "kat:sig/sig-1"
    begun = [
        event("step_start", kat, 5, attempt=1),
        event("control", None, 9, request="pause", accepted=True),
    ]
    for events, seconds in ((begun, "0:04"), (begun[:1], "1:00")):
        overview = Overview(RunDir(Path("runs/r")), state(*events), None)
        assert ("now", f"{kat}  {seconds}") in rows(overview, None, NOW.mono_ns, steps=False)


def test_the_last_line_tells_of_failures_and_requests_and_what_is_left() -> None:
    stopping = state(
        event("step_end", "kat:sig/sig-1", 4, outcome=Outcome.MISMATCH.value),
        event("step_end", SIGN, 5, outcome=Outcome.SKIPPED.value),
        event("control", None, 6, request="stop", accepted=True),
    )
    last = picture(stopping, None, Moment(0, 3.0, "40-90 s left"), 100)[-1]
    assert last == f"{'█' * 10}{'░' * 10} stopping  2/4 done  1 failed  0:03 so far  40-90 s left"


def test_no_line_is_wider_than_the_terminal_and_many_steps_are_counted() -> None:
    names = [f"build:sig/sig-{n}" for n in range(9)]
    starts = [event("step_start", name, 3 + n, attempt=1) for n, name in enumerate(names)]
    lines = picture(
        fold([event("run_start", run="r", steps=names), event("session_start", seq=2), *starts]),
        None,
        NOW,
        40,
    )
    assert len(lines) == 8
    assert lines[6] == "and 3 more"
    assert max(map(len, lines)) == 40


@given(st.floats(allow_nan=False))
def test_a_bar_has_its_width(fraction: float) -> None:
    assert len(bar(fraction)) == 20


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0:00"), (102.9, "1:42"), (7384, "2:03:04"), (3 * 86400 + 4 * 3600 + 300, "3d 04:05")],
)
def test_clock(seconds: float, text: str) -> None:
    assert clock(seconds) == text


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (40, 89.2, "40-90 s"),
        (61, 121, "61 s-3 min"),
        (130, 190, "2-4 min"),
        (0.5, 300, "0-5 min"),
        (3, 3, "3 s"),
        (0, 0.2, "0-1 s"),
        (3 * 3600, 7.5 * 3600, "3-8 h"),
        (86400, 4.2 * 86400, "24 h-5 d"),
    ],
)
def test_span_is_rounded_outwards(low: float, high: float, text: str) -> None:
    assert span(low, high) == text


RUN = Path("/runs/r")


@pytest.mark.parametrize(
    ("returncode", "over", "words", "code", "said"),
    [
        (0, True, "", ExitCode.DONE, ""),
        (1, True, "", ExitCode.FAILURES, ""),
        (4, True, "x", ExitCode.INTERRUPTED, "stopped; `ngcctui resume /runs/r` goes on with it"),
        (
            4,
            False,
            "",
            ExitCode.INTERRUPTED,
            "stopped before it began; `ngcctui resume /runs/r` goes on with it",
        ),
        (5, True, "x", ExitCode.STORAGE, ""),
        (5, False, "disk full", ExitCode.STORAGE, "disk full"),
        (3, False, "core taken", ExitCode.HOST, "core taken"),
        (1, False, "Traceback", ExitCode.STORAGE, "Traceback"),
        (120, True, "x", ExitCode.STORAGE, "x"),
        (
            -9,
            False,
            "x",
            ExitCode.INTERRUPTED,
            "the engine was killed by SIGKILL; `ngcctui resume /runs/r` goes on",
        ),
        (-77, True, "x", ExitCode.INTERRUPTED, "the engine was killed by signal 77; "),
    ],
)
def test_verdict(returncode: int, over: bool, words: str, code: ExitCode, said: str) -> None:
    found, text = verdict(returncode, over, words, RUN)
    assert found is code
    assert text.startswith(said)
    assert bool(text) == bool(said)
