"""The lines around the rows: head, what runs now, log, detail and host; and that hostile text in any of them stays text."""

from __future__ import annotations

import json
import unicodedata
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tui.story import MS, SECOND, TWO, Story, steps_of

from ngcctui.engine.livepage import LivePhase
from ngcctui.engine.rundir import RunDir
from ngcctui.engine.runstate import RunState
from ngcctui.model.errors import ExitCode
from ngcctui.model.event import Event, EventName
from ngcctui.tui.glyphs import ASCII, UNICODE, Glyphs
from ngcctui.tui.view.board import Board
from ngcctui.tui.view.cells import kat_cell
from ngcctui.tui.view.controls import killed, to_retry, to_skip
from ngcctui.tui.view.detail import Evidence, cell_parts, instance_parts, page, sparkline
from ngcctui.tui.view.grid import Grid
from ngcctui.tui.view.line import Line, Tone, width_of
from ngcctui.tui.view.log import RunLog, output_log, step_log
from ngcctui.tui.view.machine import host_parts
from ngcctui.tui.view.status import Facts, calibrated, elapsed_s, head, now, state_word

RUN = RunDir(Path("runs/20261130T120000Z-quick"))
SIGN = "measure:sign-17/OPSsig-128/sign"
NO_FACTS = Facts()
KAT = "kat:sign-17/OPSsig-128"
CALIBRATE = "calibrate:sign-17/OPSsig-128/sign"


def plain(*lines: Line) -> str:
    return "\n".join("".join(text for text, _ in line).rstrip() for line in lines)


def grid_of(story: Story, **more: Any) -> Grid:
    grid = Grid()
    grid.update(story.state(), story.moment(**more))
    return grid


def head_of(story: Story, facts: Facts = NO_FACTS, width: int = 80, exit: ExitCode | None = None) -> str:
    return plain(head(story.snapshot(exit=exit), grid_of(story), facts, width, UNICODE))


def now_of(
    story: Story, step: str = "", width: int = 80, exit: ExitCode | None = None, **live: Any
) -> list[str]:
    page = story.live(step, **live) if step else None
    lines = now(story.snapshot(page, exit), grid_of(story), story.moment(page, step), width)
    assert [width_of(line) for line in lines] == [width, width]
    return plain(*lines).split("\n")


# the head --------------------------------------------------------------------------------------------------------------


def test_the_head_of_a_run() -> None:
    story = Story()
    story.tell(EventName.HOST, None, {"findings": [{"key": "turbo", "text": "turbo is on", "command": ""}]})
    story.end(SIGN, "timeout")
    facts = Facts("x86_1", left="2-4 min left")
    assert head_of(story, facts, 100) == (
        " quick · x86_1 · core 3 · unfixed host                    1/30 done, 1 failed   0:03   2-4 min left"
    )


def test_what_the_operator_must_know_first_is_said_when_there_is_little_room() -> None:
    assert head_of(Story(campaign="c" * 70), width=60).startswith(" ccc")
    assert head_of(Story(), width=30).startswith("0/30 done   0:00 · quick")


@pytest.mark.parametrize(
    ("requests", "word"),
    [([], ""), (["pause"], "paused"), (["pause", "resume"], ""), (["stop"], "stopping")],
)
def test_a_run_that_does_not_go_on_says_so(requests: list[str], word: str) -> None:
    story = Story()
    for request in requests:
        story.tell(EventName.CONTROL, None, {"request": request, "argument": None, "accepted": True})
    assert head_of(story).startswith(f" quick · {word} · core 3 " if word else " quick · core 3 ")


def test_a_pause_waits_for_the_call_in_progress() -> None:
    story = Story()
    story.begin(SIGN)
    story.tell(EventName.CONTROL, None, {"request": "pause", "argument": None, "accepted": True})
    assert " pausing · " in head_of(story)
    grid = grid_of(story)
    for live, word in ((story.live(SIGN), "pausing"), (story.live(SIGN, held=1), "paused")):
        assert state_word(story.snapshot(live), grid) == (word, Tone.WARN)
    held = replace(story.live(SIGN, held=1), phase=LivePhase.HELD)
    line = plain(now(story.snapshot(held), grid, story.moment(held, SIGN), 100)[0])
    assert (
        line
        == " now  paused: P goes on   OPSsig-128 sign   trial 1   iteration 77 of 132   0.9 s of 12 s limit"
    )


def test_while_the_run_is_paused_time_stands_still() -> None:
    story = Story()
    story.begin("build:sign-17/OPSsig-256")
    story.begin(KAT)
    story.tell(EventName.KAT_RECORD, KAT, {"record": 3, "covered": 10})
    story.tell(EventName.CONTROL, None, {"request": "pause", "argument": None, "accepted": True})
    told = now_of(story, width=100)
    cell = kat_cell(story.state().steps[KAT], story.moment(kat_limit_s=20.0))
    assert told[0] == " now  OPSsig-128 KAT 3/10 2 s   OPSsig-256 build 3 s"
    story.now_ns += 3600 * SECOND
    assert now_of(story, width=100) == told
    assert kat_cell(story.state().steps[KAT], story.moment(kat_limit_s=20.0)) == cell
    story.tell(EventName.CONTROL, None, {"request": "resume", "argument": None, "accepted": True})
    story.now_ns += SECOND
    assert now_of(story, width=100)[0] == " now  OPSsig-128 KAT 3/10 3 s   OPSsig-256 build 4 s"


def test_between_two_processes_a_paused_step_stands_still_but_a_call_in_progress_goes_on() -> None:
    story = Story()
    story.begin(SIGN)
    story.tell(EventName.CONTROL, None, {"request": "pause", "argument": None, "accepted": True})
    entry, live = story.state().steps[SIGN], story.live(SIGN)
    story.now_ns += 60 * SECOND
    assert story.moment().pace(entry).elapsed_s == 1
    assert story.moment(live, SIGN).pace(entry).elapsed_s == pytest.approx(60.9)


def test_an_engine_that_waits_for_its_core_says_so() -> None:
    story = Story()
    story.tell(EventName.WARNING, None, {"key": "core-wait", "text": "core 3: waiting for process 7, run r"})
    assert " waiting for its core · " in head_of(story)
    assert now_of(story)[0] == " now  core 3: waiting for process 7, run r"
    assert " interrupted · " in head_of(story, exit=ExitCode.INTERRUPTED)


def test_the_head_says_what_kind_of_view_it_is() -> None:
    assert head_of(Story(), Facts(readonly=True, frozen=True)).startswith(
        " quick · frozen · read only · core 3 "
    )


@pytest.mark.parametrize(
    ("ended", "exit", "word"),
    [
        (False, ExitCode.INTERRUPTED, "interrupted"),
        (True, ExitCode.DONE, "done"),
        (True, ExitCode.FAILURES, "done with failures"),
    ],
)
def test_a_run_without_an_engine(ended: bool, exit: ExitCode, word: str) -> None:
    story = Story()
    if exit is ExitCode.FAILURES:
        story.end(SIGN, "timeout")
    if ended:
        story.tell(EventName.RUN_END, None, {"passed": 0, "failed": [], "exit": int(exit)})
    assert head_of(story, exit=exit).startswith(f" quick · {word} · core 3 ")


def test_elapsed_time_is_that_of_the_session() -> None:
    story = Story()
    story.end(SIGN, "done")
    assert elapsed_s(story.snapshot()) == 2
    assert elapsed_s(replace(story.snapshot(), now_utc="2026-11-30T13:16:42.000Z")) == 3600
    assert elapsed_s(story.snapshot(exit=ExitCode.INTERRUPTED)) == 2
    assert elapsed_s(replace(story.snapshot(), state=RunState())) == 0
    assert elapsed_s(replace(story.snapshot(), now_utc="never")) == 0


# what runs now ---------------------------------------------------------------------------------------------------------


def test_a_measurement_on_its_way() -> None:
    story = Story()
    story.end(CALIBRATE, "done", t1_ns=1e6, trials=5)
    story.begin(SIGN)
    story.trial(SIGN, 1)
    story.trial(SIGN, 2, disturbed=["steal 2"], used=False)
    story.trial(SIGN, 2, attempt=2, disturbed=["steal 1"])
    assert now_of(story, SIGN, voluntary=1, involuntary=2, frequency_khz=2_100_000) == [
        " now  OPSsig-128 sign   trial 3 of 5   iteration 77 of 132   0.9 s of 12 s limit",
        "      RSS 1.9 MiB  clock 2.10 GHz  cpu/wall 1.00  rejected 1/3  disturbed 1/2",
    ]
    assert now_of(story, SIGN, width=78)[0] == (
        " now  OPSsig-128 sign  trial 3 of 5  iteration 77 of 132  0.9 s of 12 s limit"
    ), "blanks go before words"
    assert now_of(story, SIGN, width=120, voluntary=1, involuntary=2, frequency_khz=2_100_000)[1] == (
        "      RSS 1.9 MiB   clock 2.10 GHz   cpu/wall 1.00   switches 3   rejected 1/3   disturbed 1/2"
    )


def test_what_is_not_known_is_a_dash() -> None:
    story = Story()
    story.begin(SIGN)
    assert now_of(story) == [
        " now  OPSsig-128 sign   trial 1   0 s",
        "      RSS –   clock –   cpu/wall –   switches –   rejected 0/0",
    ]


def test_a_slow_step_counts_down() -> None:
    story = Story()
    story.begin(SIGN)
    assert "9.5 s of 12 s limit, ended in 0:02" in now_of(story, SIGN, ran_s=9.5)[0]


def test_builds_and_kats_run_beside_each_other() -> None:
    story = Story()
    for name in ("iccs/sm3hash-256", "sign-17/OPSsig-128", "sign-17/OPSsig-256"):
        story.begin(f"kat:{name}")
    story.tell(EventName.KAT_RECORD, "kat:sign-17/OPSsig-128", {"record": 7, "covered": 10})
    assert now_of(story, width=100)[0] == (
        " now  sm3hash-256 KAT 3 s   OPSsig-128 KAT 7/10 2 s   OPSsig-256 KAT 1 s"
    )


def test_many_at_once_are_counted() -> None:
    story = Story(steps_of("s", [f"i{n}" for n in range(6)], []))
    for step in story.names[::2]:
        story.begin(step)
    assert now_of(story)[0].endswith("i2 build 3 s   and 3 more")


def test_between_steps_and_without_an_engine() -> None:
    story = Story()
    assert now_of(story)[0] == " now  starting"
    story.tell(EventName.CONTROL, None, {"request": "pause", "accepted": True})
    assert now_of(story)[0] == " now  paused: P goes on"
    assert now_of(story, exit=ExitCode.INTERRUPTED) == [
        " now  no engine works on this run: interrupted",
        "      u in the list of runs (r), or `ngcctui resume`, goes on with it",
    ]


def test_nothing_is_guessed_once_everything_is_calibrated() -> None:
    story = Story(steps_of("s", ["a"], ["sign"]))
    assert not calibrated(story.state())
    story.end("calibrate:s/a/sign", "done", t1_ns=1e6)
    assert calibrated(story.state())


# log -------------------------------------------------------------------------------------------------------------------


def test_the_log_tells_each_event_once() -> None:
    story, log = Story(), RunLog(UNICODE)
    story.begin(SIGN)
    story.trial(SIGN, 1, disturbed=["cpu/wall 0.93"])
    first = plain(*log.take(story.events)).split("\n")
    assert first[1:] == ["12:16:44 OPSsig-128 sign trial 1/5 765 µs disturbed (cpu/wall 0.93)"]
    story.end("kat:sign-17/OPSsig-128", "MISMATCH", "record 3: sig differs")
    story.tell(EventName.WARNING, None, {"key": "clock-step", "text": "UTC moved"})
    assert plain(*log.take(story.events)).split("\n")[2:] == [
        "12:16:46 OPSsig-128 KAT MISMATCH (record 3: sig differs)",
        "12:16:47 run warning: UTC moved",
    ]
    assert len(log.take(story.events)) == 4


def test_the_log_begins_anew_with_another_journal() -> None:
    log = RunLog(UNICODE)
    story = Story()
    for number in range(9):
        story.trial(SIGN, number)
    assert len(log.take(story.events)) == 10
    assert len(log.take(Story().events)) == 1


def test_the_log_of_a_step() -> None:
    story = Story()
    story.end(CALIBRATE, "done", t1_ns=7e5, trials=5, iterations=132)
    story.begin(SIGN)
    story.trial(SIGN, 1, cpu_ns=93, disturbed=["cpu/wall 0.930"], used=False)
    story.trial(SIGN, 1, attempt=2)
    entries = [story.state().steps[name] for name in (SIGN, CALIBRATE)]
    assert plain(*step_log(entries, UNICODE)).split("\n") == [
        "12:16:43 calibrate started",
        "12:16:44 calibrate done 700 µs a call, plan 5 × 132",
        "12:16:45 measure started",
        "12:16:46 trial 1/5 765 µs  cpu/wall 0.930  disturbed: cpu/wall 0.930, not used",
        "12:16:47 trial 1/5, attempt 2 765 µs  cpu/wall 1.000",
    ]


def test_what_a_program_printed_cannot_act_on_the_terminal() -> None:
    raw = b"one\n\x1b[2Jtwo\ttabs\r\n" + b"x" * 5000 + b"\n" + bytes(range(32)) + b"\xff\xfe"
    lines = plain(*output_log(raw, UNICODE)).split("\n")
    assert lines[:2] == ["one", "\\x1b[2Jtwo      tabs\\r"]
    assert len(lines[2]) == 400
    assert not any(unicodedata.category(char)[0] == "C" for line in lines for char in line)
    assert len(output_log(b"line\n" * 5000, UNICODE)) == 500


# what is asked ---------------------------------------------------------------------------------------------------------


def test_what_is_skipped_and_what_is_retried() -> None:
    story = Story()
    story.end(CALIBRATE, "done")
    story.end(SIGN, "timeout")
    story.begin("profile:sign-17/OPSsig-128/sign")
    steps = [story.state().steps[name] for name in (CALIBRATE, SIGN, "profile:sign-17/OPSsig-128/sign")]
    assert to_skip(steps) == ["profile:sign-17/OPSsig-128/sign"]
    assert killed(steps) == 1
    assert to_retry(steps) == [SIGN]
    story.measured(SIGN)
    steps = [story.state().steps[name] for name in (CALIBRATE, SIGN)]
    assert to_retry(steps) == [SIGN], "what went well is measured again, from the same calibration"
    assert to_retry(steps[:1]) == [], "a calibration by itself gives no figure"
    assert to_retry([story.state().steps["kat:sign-17/OPSsig-128"]]) == []


# detail ----------------------------------------------------------------------------------------------------------------


def test_a_cell_without_its_files_still_tells_what_the_journal_says() -> None:
    story = Story()
    story.end(CALIBRATE, "done", t1_ns=7.5e5, setup_ns=2e6, trials=5, iterations=132)
    story.begin(SIGN)
    for trial, mean in enumerate((0.762, 0.765, 0.768), 1):
        story.trial(SIGN, trial, mean * MS)
    steps = [story.state().steps[name] for name in (CALIBRATE, SIGN)]
    told = plain(
        *page(cell_parts(RUN, steps, Evidence(problems=("a record is damaged",)), UNICODE), 80, UNICODE)
    )
    for line in (
        " OPSsig-128 sign · running · sign-17",
        " trials     1 762 µs   2 765 µs   3 768 µs",
        "            ▁▅█ lowest to highest +0.79 %",
        "            750 µs a call, set-up 2 ms, plan 5 × 132",
        " problem    a record is damaged",
        "            runs/20261130T120000Z-quick/schemes --only sign-17/OPSsig-128/sign",
    ):
        assert line in told.split("\n"), told


def test_a_sparkline_goes_from_the_lowest_to_the_highest() -> None:
    assert sparkline([1.0, 2.0, 8.0], UNICODE) == "▁▂█"
    assert sparkline([5.0], UNICODE) == "▁"
    assert sparkline([1.0, 1.0], ASCII) == "__"
    assert len(sparkline([float(n) for n in range(500)], UNICODE)) == 60


# hostile text ----------------------------------------------------------------------------------------------------------

TEXT = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        [
            "[bold red]x[/] [/] [link=a]",
            "\x1b[2J\x1b]0;owned\x07",
            "\r\n\t\x00\x7f\u009b31m",
            "字" * 200,
            "e" + "\u0301" * 300,
            "\u202egnihtemos\u200b\ud800",
            "x" * 200,
            "",
        ]
    ),
)
VALUE = st.recursive(
    st.one_of(TEXT, st.none(), st.booleans(), st.integers(-(2**70), 2**70), st.floats()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
KEYS = {
    EventName.RUN_START: ("run", "campaign", "version", "algorithms"),
    EventName.SESSION_START: ("mode", "core", "kernel", "compiler", "cpu", "changes", "live_page"),
    EventName.HOST: ("findings", "environment", "counter", "noise"),
    EventName.TRIAL: ("trial", "trials", "attempt", "mean_ns", "wall_ns", "cpu_ns", "disturbed", "used"),
    EventName.STEP_END: ("outcome", "detail", "attempt", "file", "sha256", "summary"),
    EventName.STEP_START: ("attempt",),
    EventName.KAT_RECORD: ("record", "covered"),
    EventName.CONTROL: ("request", "argument", "accepted", "why"),
    EventName.HEALTH: ("temperature_c", "load_average"),
    EventName.WARNING: ("key", "text"),
    EventName.SESSION_END: ("reason", "exit"),
    EventName.RUN_END: ("passed", "failed", "exit"),
}
SUMMARY = (
    "label",
    "flags",
    "mean_ns",
    "low_ns",
    "high_ns",
    "n",
    "t1_ns",
    "hash_share",
    "records",
    "covered",
    "sizes",
    "library",
)


@st.composite
def hostile(draw: st.DrawFn) -> Event:
    name = draw(st.sampled_from(list(KEYS)))
    data = {key: draw(VALUE) for key in KEYS[name] if draw(st.booleans())}
    if name is EventName.STEP_END:
        data |= {"outcome": draw(st.sampled_from(["PASS", "done", "timeout", "x"]))}
        data |= {"summary": {key: draw(VALUE) for key in SUMMARY if draw(st.booleans())}}
    if name is EventName.HOST and draw(st.booleans()):
        data["findings"] = [{key: draw(TEXT) for key in ("key", "text", "command")}]
        data["environment"] = {draw(TEXT): draw(TEXT)}
    if name is EventName.RUN_START:
        data |= {"steps": TWO, "algorithms": {"iccs": draw(TEXT), "sign-17": draw(TEXT)}}
    return Event(
        1, draw(TEXT), draw(st.integers(-(2**70), 2**70)), name, draw(st.sampled_from([None, *TWO])), data
    )


def everything(story: Story, glyphs: Glyphs, width: int) -> list[Line]:
    """Every line that a monitor and its detail could draw of a state."""
    snapshot, state = story.snapshot(), story.state()
    board = Board(glyphs)
    board.resize(width)
    moment = story.moment(glyphs=glyphs)
    board.update(state, moment)
    lines = [board.header(0), *(board.line(number, 0)[0] for number in range(len(board.items)))]
    for exit in (None, ExitCode.INTERRUPTED, ExitCode.DONE):
        shown = replace(snapshot, exit=exit)
        lines.append(head(shown, board.grid, Facts("local", left="2 min left"), width, glyphs))
        lines += now(shown, board.grid, moment, width)
    lines += RunLog(glyphs).take(story.events)
    entries = list(state.steps.values())
    lines += step_log(entries, glyphs)
    lines += page(host_parts(state), width, glyphs)
    lines += page(instance_parts(RUN, entries, glyphs), width, glyphs)
    for entry in entries:
        lines += page(cell_parts(RUN, [entry], Evidence(), glyphs), width, glyphs)
    return lines


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(st.lists(hostile(), max_size=10), st.sampled_from([UNICODE, ASCII]), st.integers(20, 130))
def test_whatever_a_journal_says_is_shown_as_text(events: list[Event], glyphs: Glyphs, width: int) -> None:
    story = Story()
    for event in events:
        made = replace(event, seq=len(story.events) + 1)
        if Event.from_line(json.dumps(line_of(made)).encode()) is None:
            continue
        story.events.append(made)
        story.fold.apply(made)
    for line in everything(story, glyphs, width):
        for text, _ in line:
            assert not any(unicodedata.category(char)[0] == "C" for char in text), repr(text)
            assert glyphs is UNICODE or text.isascii()


def line_of(event: Event) -> dict[str, Any]:
    fields = {
        "v": 1,
        "seq": event.seq,
        "utc": event.utc,
        "mono_ns": event.mono_ns,
        "event": event.event.value,
    }
    return fields | {"step": event.step, "data": event.data}


def test_seconds_of_a_moment_are_never_negative() -> None:
    story = Story()
    story.begin(SIGN)
    entry = story.state().steps[SIGN]
    moment = story.moment()
    assert moment.pace(replace(entry, started_mono_ns=moment.now_mono_ns + SECOND)).elapsed_s == 0
    assert moment.pace(replace(entry, started_mono_ns=None)).elapsed_s == 0
    ahead = story.live(SIGN, ran_s=-1.0)
    for live in (ahead, replace(ahead, start_ns=0)):
        assert story.moment(live, SIGN).pace(entry).elapsed_s == 0
