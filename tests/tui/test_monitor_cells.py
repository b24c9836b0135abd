"""Every state of a step as the monitor words it, and what of that fits into a cell."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from tui.story import MS, Story

from ngcctui.engine.livepage import LivePhase
from ngcctui.engine.runstate import StepState
from ngcctui.model.event import EventName
from ngcctui.model.outcome import Outcome
from ngcctui.tui.glyphs import ASCII, UNICODE, Glyphs
from ngcctui.tui.view.cells import (
    Cell,
    Moment,
    OperationSteps,
    build_cell,
    kat_cell,
    operation_cell,
    operation_title,
    share_cell,
)
from ngcctui.tui.view.line import Tone, choose, clip, fit, fit_name, width_of, wrap
from ngcctui.tui.view.pace import Pace, seconds

BUILD, KAT = "build:sign-17/OPSsig-128", "kat:sign-17/OPSsig-128"
CALIBRATE, MEASURE = "calibrate:sign-17/OPSsig-128/sign", "measure:sign-17/OPSsig-128/sign"
PROFILES = [f"profile:sign-17/OPSsig-128/{name}" for name in ("keygen", "sign", "verify")]


def entry(story: Story, step: str) -> StepState:
    return story.state().steps[step]


def operation(story: Story, moment: Moment | None = None) -> Cell:
    steps = OperationSteps("sign", entry(story, CALIBRATE), entry(story, MEASURE))
    return operation_cell(steps, moment or story.moment())


def at(cell: Cell, width: int) -> str:
    return choose(cell.texts, width, UNICODE).rstrip()


# figures ---------------------------------------------------------------------------------------------------------------


def test_a_figure_comes_with_its_interval_alone_or_as_a_word() -> None:
    story = Story()
    story.end(CALIBRATE, "done", t1_ns=7e5, trials=5)
    story.measured(MEASURE, 765e3, 0.4)
    cell = operation(story)
    assert cell.tone is Tone.GOOD
    assert [at(cell, width) for width in (40, 24, 14, 12, 8, 4)] == [
        "765 µs ±0.4% n 660 (5×132) rejected 0",
        "765 µs ±0.4% n 660",
        "765 µs ±0.4%",
        "765 µs ±0.4%",
        "765 µs",
        "done",
    ]


def test_cycles_where_they_were_counted_and_wanted() -> None:
    story = Story()
    counted = {"mean_cycles": 2_310_000.0, "low_cycles": 2_305_380.0, "high_cycles": 2_314_620.0}
    story.measured(MEASURE, 1.1 * MS, **counted)
    assert at(operation(story), 14) == "2.31 M ±0.2%", "the interval of the cycles, not of the time"
    assert at(operation(story, story.moment(cycles=False)), 14) == "1.1 ms ±0.4%"
    story.measured(MEASURE, 1.1 * MS, mean_cycles=2_310_000.0)
    assert at(operation(story), 8) == "2.31 M"


def test_where_there_is_room_calls_that_repeat_others_are_told() -> None:
    story = Story()
    story.measured(MEASURE, distinct_calls=80)
    assert [at(operation(story), width) for width in (60, 46, 35, 24)] == [
        "765 µs ±0.4% n 660 (5×132) distinct 80 rejected 0",
        "765 µs ±0.4% n 660 distinct 80 rejected 0",
        "765 µs ±0.4% n 660 distinct 80",
        "765 µs ±0.4% n 660",
    ]
    for distinct in (660, 661, 0, -1, None, "80"):
        story.measured(MEASURE, distinct_calls=distinct)
        assert "distinct" not in at(operation(story), 60)


def test_a_figure_with_disturbed_trials_is_marked() -> None:
    story = Story()
    story.begin(MEASURE)
    story.trial(MEASURE, 1, disturbed=["cpu/wall 0.93"])
    story.measured(MEASURE)
    assert operation(story).tone is Tone.GOOD, "the next start forgets the trials of the one before"
    story = Story()
    story.begin(MEASURE)
    story.trial(MEASURE, 1, disturbed=["cpu/wall 0.93"])
    end = {"outcome": "done", "summary": {"mean_ns": 1e6, "low_ns": None, "high_ns": None}}
    story.tell(EventName.STEP_END, MEASURE, end)
    cell = operation(story)
    assert (at(cell, 12), cell.word, cell.tone) == ("1 ms!", "done!", Tone.WARN)


def test_a_figure_that_its_process_did_not_survive_says_so() -> None:
    story = Story()
    story.measured(MEASURE, outcome="crashed")
    cell = operation(story)
    assert (at(cell, 30), at(cell, 14), cell.tone) == ("765 µs ±0.4% crashed", "765 µs crashed", Tone.BAD)


@pytest.mark.parametrize("outcome", [o for o in Outcome if o.value.islower() and o is not Outcome.DONE])
def test_an_end_without_figures_is_its_word(outcome: Outcome) -> None:
    story = Story()
    story.end(MEASURE, outcome.value, mean_ns=None)
    cell = operation(story)
    assert cell.texts[0] == outcome.value
    assert len(cell.word) <= 5, "the share of a run is five cells wide"
    assert cell.tone is (Tone.DIM if outcome is Outcome.SKIPPED else Tone.BAD)


# on the way ------------------------------------------------------------------------------------------------------------


def test_an_operation_on_its_way() -> None:
    story = Story()
    assert operation(story).texts[0] == "queued"
    story.begin(CALIBRATE)
    assert at(operation(story), 14) == "calibrating"
    story.end(CALIBRATE, "done", t1_ns=7e5, trials=5)
    assert operation(story).texts[0] == "queued"
    story.begin(MEASURE)
    assert at(operation(story), 14) == "t 1/5"
    story.trial(MEASURE, 1)
    story.trial(MEASURE, 2)
    live = story.live(MEASURE)
    cell = operation(story, story.moment(live, MEASURE))
    assert cell.tone is Tone.BUSY
    assert [at(cell, width) for width in (14, 10, 6, 4)] == ["t 3/5 █░░ 58%", "t 3/5 58%", "t 3/5", "runs"]


def test_the_live_page_of_another_step_says_nothing() -> None:
    story = Story()
    story.begin(MEASURE)
    live = story.live(CALIBRATE)
    assert at(operation(story, story.moment(live, CALIBRATE)), 14) == "t 1"


@pytest.mark.parametrize(("phase", "word"), [(LivePhase.SETUP, "setup"), (LivePhase.WARM_UP, "warm-up")])
def test_what_comes_before_the_first_call(phase: LivePhase, word: str) -> None:
    story = Story()
    story.begin(MEASURE)
    live = replace(story.live(MEASURE, 0), phase=phase)
    assert at(operation(story, story.moment(live, MEASURE)), 14) == f"t 1 {word}"


def test_a_disturbed_trial_is_told_while_it_is_repeated() -> None:
    story = Story()
    story.begin(MEASURE)
    story.trial(MEASURE, 1)
    story.trial(MEASURE, 2, disturbed=["cpu/wall 0.93"], used=False)
    cell = operation(story)
    assert (at(cell, 20), at(cell, 9), cell.tone) == ("t 2/5 disturbed", "disturbed", Tone.WARN)


def test_a_trial_that_showed_a_wrong_plan_is_not_disturbed() -> None:
    story = Story()
    story.begin(MEASURE)
    story.trial(MEASURE, 1, disturbed=["replanned"], used=False)
    assert operation(story).tone is Tone.BUSY


def test_an_interrupted_step_is_told() -> None:
    story = Story()
    story.begin(MEASURE)
    story.tell(EventName.SESSION_END, None, {"reason": "stop-now", "exit": 4})
    assert (at(operation(story), 14), operation(story).tone) == ("interrupted", Tone.WARN)


def test_a_failed_calibration_shows_before_its_measurement_is_reached() -> None:
    story = Story()
    story.end(CALIBRATE, "timeout")
    assert (at(operation(story), 12), operation(story).tone) == ("timeout", Tone.BAD)


# limits ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ran_s", "word", "tone"),
    [
        (5.9, "", Tone.BUSY),
        (6.0, "slow", Tone.WARN),
        (8.9, "slow", Tone.WARN),
        (9.0, "-0:03", Tone.WARN),
        (99.0, "-0:00", Tone.WARN),
    ],
)
def test_a_step_is_slow_from_half_its_limit_and_counted_down_from_three_quarters(
    ran_s: float, word: str, tone: Tone
) -> None:
    story = Story()
    story.begin(MEASURE)
    cell = operation(story, story.moment(story.live(MEASURE, ran_s=ran_s, limit_s=12.0), MEASURE))
    assert cell.tone is tone
    assert cell.texts[0].startswith(word or "t 1")
    assert cell.word == (word or "runs")


def test_a_kat_counts_down_to_the_campaigns_limit() -> None:
    story = Story()
    story.begin(KAT)
    story.tell(EventName.KAT_RECORD, KAT, {"record": 3, "covered": 10})
    moment = replace(story.moment(kat_limit_s=900.0), now_mono_ns=story.now_ns + 700 * 1_000_000_000)
    cell = kat_cell(entry(story, KAT), moment)
    assert (at(cell, 16), at(cell, 5), cell.tone) == ("KAT 3/10 -3:19", "-3:19", Tone.WARN)


def test_a_pace_without_a_limit_warns_of_nothing() -> None:
    assert (Pace(1e6, 0).slow, Pace(1e6, 0).left_s, Pace(7.25, 0).told()) == (False, None, "7.2 s")
    assert Pace(7.25, 12).told() == "7.2 s of 12 s limit, slow"
    assert Pace(600, 720).told() == "10:00 of 12:00 limit, ended in 2:00"
    assert [seconds(value) for value in (0.94, 3.0, 12.6, 99.9, 100, 7200)] == [
        "0.9 s",
        "3 s",
        "13 s",
        "100 s",
        "1:40",
        "2:00:00",
    ]


# build, KAT, shares ----------------------------------------------------------------------------------------------------


def test_builds() -> None:
    story = Story()
    assert build_cell(entry(story, BUILD), None).texts[0] == "queued"
    story.begin(BUILD)
    assert build_cell(entry(story, BUILD), None).texts[0] == "building"
    story.end(BUILD, "PASS", flags="guide")
    assert build_cell(entry(story, BUILD), entry(story, KAT)) == Cell(("ok",), Tone.GOOD)
    story.end(KAT, "PASS", flags="harness-default")
    assert build_cell(entry(story, BUILD), entry(story, KAT)).texts[0] == "fallback"
    story.end(BUILD, "BUILDFAIL")
    cell = build_cell(entry(story, BUILD), None)
    assert (at(cell, 9), at(cell, 6), cell.tone) == ("BUILDFAIL", "FAIL", Tone.BAD)


def test_kats() -> None:
    story = Story()
    story.begin(KAT)
    assert at(kat_cell(entry(story, KAT), story.moment()), 8) == "KAT runs"
    story.tell(EventName.KAT_RECORD, KAT, {"record": 7, "covered": 10})
    cell = kat_cell(entry(story, KAT), story.moment())
    assert (at(cell, 14), at(cell, 8), at(cell, 5)) == ("KAT 7/10 ██░", "KAT 7/10", "7/10")
    for label, shown in (("PASS", "PASS"), ("SELFTEST PASS", "SELFTEST"), ("PASS (1 record)", "PASS")):
        story.end(KAT, "PASS", label=label)
        assert (at(kat_cell(entry(story, KAT), story.moment()), 8), label) == (shown, label)
    story.end(KAT, "MISMATCH")
    assert kat_cell(entry(story, KAT), story.moment()) == Cell(("MISMATCH", "DIFF"), Tone.BAD)


@pytest.mark.parametrize("label", [None, 7, "MISMATCH", "PASS\x1b[31m", "PASS" * 90, ["PASS"]])
def test_a_label_that_no_kat_has_is_not_shown(label: object) -> None:
    story = Story()
    story.end(KAT, "PASS", label=label)
    assert kat_cell(entry(story, KAT), story.moment()).texts == ("PASS",)


def test_shares_of_the_helpers() -> None:
    story = Story()

    def cell() -> Cell:
        return share_cell([entry(story, name) for name in PROFILES], story.moment())

    assert cell().texts[0] == "queued"
    story.end(PROFILES[0], "done", hash_share=0.61)
    assert at(cell(), 5) == "1/3"
    story.begin(PROFILES[1])
    assert (at(cell(), 13), at(cell(), 12), cell().tone) == ("profiling 2/3", "p 2/3", Tone.BUSY)
    story.end(PROFILES[1], "done", hash_share=0.58)
    story.end(PROFILES[2], "done", hash_share=0.031)
    assert [at(cell(), width) for width in (14, 6, 4)] == ["61% 58% 3.1%", "3-61%", "61%"]
    story.end(PROFILES[2], "done", hash_share=None)
    assert at(cell(), 14) == "61% 58% ?"
    for name in PROFILES:
        story.end(name, "done", hash_share=None)
    assert (at(cell(), 8), cell().tone) == ("unknown", Tone.WARN)
    story.end(PROFILES[0], "crashed")
    assert cell() == Cell(("crashed", "crash"), Tone.BAD)


def test_what_a_run_does_not_have_is_empty() -> None:
    moment = Story().moment()
    assert {build_cell(None, None), kat_cell(None, moment), share_cell([], moment)} == {Cell(("",))}
    assert operation_cell(OperationSteps("sign"), moment) == Cell(("",))


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("sign", "sign"),
        ("hash_32", "32 B"),
        ("hash_1024", "1 KiB"),
        ("hash_65536", "64 KiB"),
        ("hash_1500", "1500 B"),
        ("hash_2097152", "2 MiB"),
        ("hash_x", "hash_x"),
    ],
)
def test_titles_of_operations(name: str, title: str) -> None:
    assert operation_title(name) == title


# texts in cells --------------------------------------------------------------------------------------------------------


@given(st.text(max_size=30), st.integers(0, 20), st.sampled_from([UNICODE, ASCII]))
def test_a_text_fits_exactly(text: str, width: int, glyphs: Glyphs) -> None:
    assert cell_len(fit(text, width, glyphs)) == width
    assert cell_len(fit_name(text, width, glyphs)) == width


@given(
    st.lists(st.tuples(st.text(max_size=9), st.sampled_from(list(Tone))), max_size=6).map(tuple),
    st.integers(0, 40),
)
def test_a_line_is_clipped_exactly(line: tuple[tuple[str, Tone], ...], width: int) -> None:
    assert width_of(clip(line, width, UNICODE)) == width


def test_a_name_is_cut_in_its_middle() -> None:
    assert fit_name("FlexTree-L1-compact-160f", 14, UNICODE) == "FlexTre…t-160f"
    assert fit_name("OPSsig-128", 14, UNICODE) == "OPSsig-128    "


@given(st.text(max_size=60), st.integers(2, 20))
def test_wrapped_text_loses_nothing_and_fits(text: str, width: int) -> None:
    lines = wrap(text, width)
    assert lines
    assert all(cell_len(line) <= width for line in lines)
    assert "".join("".join(lines).split(" ")) == "".join(text.split(" "))
