"""How long the rest of a run takes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ngcctui.engine.estimate import Estimate, Remaining, estimate, remaining
from ngcctui.engine.state import fold
from ngcctui.model.campaign import Campaign, Kat, Planning
from ngcctui.model.event import Event, EventName
from ngcctui.model.step import Kind

S = 1e9
CAMPAIGN = Campaign("c")


def test_nothing_left_takes_no_time() -> None:
    assert estimate([], CAMPAIGN) == Estimate(0.0, 0.0, 0)


def test_a_calibrated_operation_takes_its_plan_and_at_most_its_repeats() -> None:
    # 5 trials of 20 calls and a warm-up of 0.1 s each; up to two repeats.
    got = estimate([Remaining(Kind.MEASURE, 0.1 * S, True, setup_ns=1 * S)], CAMPAIGN)
    assert (got.low_s, got.high_s) == pytest.approx((5 * 21 * 0.1 + 5, 3 * (5 * 21 * 0.1 + 5)))
    long = estimate([Remaining(Kind.MEASURE, 9 * S, True)], CAMPAIGN)
    assert (long.low_s, long.high_s) == (900, 900)  # no budget is left for repeats
    quick = Campaign("c", planning=Planning(repeats=0))
    once = estimate([Remaining(Kind.MEASURE, 0.1 * S, True)], quick)
    assert once.low_s == once.high_s == pytest.approx(10.5)


def test_a_guess_counts_within_a_factor_of_two() -> None:
    got = estimate([Remaining(Kind.MEASURE, 1 * S, False)], CAMPAIGN)
    assert (got.low_s, got.high_s) == pytest.approx((5 * 21 * 0.5, 630.0))


def test_calibration_and_profile() -> None:
    got = estimate([Remaining(Kind.CALIBRATE, 2 * S, True)], CAMPAIGN)
    assert (got.low_s, got.high_s) == (2, 8)
    assert estimate([Remaining(Kind.CALIBRATE, 100 * S, True)], CAMPAIGN) == Estimate(100, 100)
    assert estimate([Remaining(Kind.PROFILE, 1 * S, True)], CAMPAIGN) == Estimate(3, 4)
    assert estimate([Remaining(Kind.PROFILE, 100 * S, True)], CAMPAIGN) == Estimate(100, 100)


def test_builds_and_kats_are_like_those_before_and_share_the_cores() -> None:
    rest = [Remaining(Kind.KAT, typical_s=8.0)] * 4
    assert estimate(rest, CAMPAIGN, workers=4) == Estimate(4, 16)
    limited = replace(CAMPAIGN, kat=Kat(limit_s=10))
    assert estimate(rest, limited, workers=2) == Estimate(8, 20)


def test_what_nothing_is_known_of_is_counted() -> None:
    rest = [Remaining(Kind.BUILD), Remaining(Kind.MEASURE), Remaining(Kind.MEASURE, 500 * S, True)]
    assert estimate(rest, CAMPAIGN) == Estimate(0, 0, unknown=2)


def test_time_already_spent_is_taken_off() -> None:
    got = estimate([Remaining(Kind.MEASURE, 9 * S, True, elapsed_s=100)], CAMPAIGN)
    assert (got.low_s, got.high_s) == (800, 800)
    assert estimate([Remaining(Kind.MEASURE, 9 * S, True, elapsed_s=5000)], CAMPAIGN) == Estimate(0, 0)


STEP = st.builds(
    Remaining,
    kind=st.sampled_from(Kind),
    t1_ns=st.none() | st.floats(0, 1e13),
    measured=st.booleans(),
    setup_ns=st.floats(0, 1e12),
    typical_s=st.none() | st.floats(0, 1e5),
    elapsed_s=st.floats(0, 1e5),
)


@given(st.lists(STEP, max_size=8), st.integers(1, 8))
def test_a_range_is_a_range_and_more_work_is_never_less_time(rest: list[Remaining], workers: int) -> None:
    whole = estimate(rest, CAMPAIGN, workers)
    assert 0 <= whole.low_s <= whole.high_s and 0 <= whole.unknown <= len(rest)
    if rest:
        part = estimate(rest[1:], CAMPAIGN, workers)
        assert part.low_s <= whole.low_s and part.high_s <= whole.high_s


def test_what_is_left_follows_from_the_journal() -> None:
    names = ["build:a/X", "build:a/Y", "kat:a/X", "kat:a/Y"]
    timed = [f"{kind}:a/{name}/sign" for name in "XY" for kind in ("calibrate", "measure", "profile")]
    rows: list[tuple[EventName, str | None, int, dict[str, Any]]] = [
        (EventName.RUN_START, None, 0, {"run": "r", "steps": names + timed}),
        (EventName.SESSION_START, None, 0, {"pid": 1}),
        (EventName.STEP_START, "build:a/X", 10, {}),
        (EventName.STEP_END, "build:a/X", 14, {"outcome": "PASS"}),
        (EventName.STEP_START, "calibrate:a/X/sign", 20, {}),
        (
            EventName.STEP_END,
            "calibrate:a/X/sign",
            21,
            {"outcome": "done", "summary": {"t1_ns": 5e8, "setup_ns": 7}},
        ),
        (EventName.STEP_START, "measure:a/X/sign", 30, {}),
    ]
    events = [Event(n, "u", s * 10**9, name, step, data) for n, (name, step, s, data) in enumerate(rows, 1)]
    rest = remaining(fold(events), 42 * 10**9, {"a/X/sign": 1.0, "a/Y/sign": 3e9})
    assert rest == [
        Remaining(Kind.BUILD, typical_s=4.0),
        Remaining(Kind.KAT),
        Remaining(Kind.KAT),
        Remaining(Kind.MEASURE, 5e8, True, 7.0, elapsed_s=12.0),
        Remaining(Kind.PROFILE, 5e8, True, 7.0),
        Remaining(Kind.CALIBRATE, 3e9),
        Remaining(Kind.MEASURE, 3e9),
        Remaining(Kind.PROFILE, 3e9),
    ]
    pause = Event(9, "u", 33 * 10**9, EventName.CONTROL, None, {"request": "pause", "accepted": True})
    assert remaining(fold([*events, pause]), 42 * 10**9)[3].elapsed_s == 3.0
    assert remaining(fold(events), 0)[3].elapsed_s == 0.0  # another boot: its clock tells nothing


@pytest.mark.parametrize("value", [None, True, "5", -1, float("nan"), float("inf"), 1e30, [5]])
def test_a_foreign_time_is_no_time(value: object) -> None:
    events = [
        Event(
            1, "u", 0, EventName.RUN_START, None, {"run": "r", "steps": ["calibrate:a/X/s", "measure:a/X/s"]}
        ),
        Event(
            2, "u", 0, EventName.STEP_END, "calibrate:a/X/s", {"outcome": "done", "summary": {"t1_ns": value}}
        ),
    ]
    assert remaining(fold(events), 0) == [Remaining(Kind.MEASURE)]
