"""The rows of the monitor: kept up to date, filtered, sorted, folded, marked, and never wider than the screen."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tui.story import MS, TWO, Story, steps_of

from ngcctui.model.event import EventName
from ngcctui.tui.glyphs import ASCII, UNICODE, Glyphs
from ngcctui.tui.view.board import Board, Order
from ngcctui.tui.view.cells import REPLANNED
from ngcctui.tui.view.columns import MARGIN, THUMB, layout
from ngcctui.tui.view.grid import BUILD, KAT, NAME, SHARE, Tally
from ngcctui.tui.view.line import width_of

SIGN = "measure:sign-17/OPSsig-256/sign"


def board_of(story: Story, width: int = 80, glyphs: Glyphs = UNICODE) -> Board:
    board = Board(glyphs)
    board.resize(width)
    board.update(story.state(), story.moment(glyphs=glyphs))
    return board


def text(board: Board, top: int = 0) -> str:
    lines = [board.header(top)] + [board.line(number, top)[0] for number in range(len(board.items))]
    return "\n".join("".join(part for part, _ in line).rstrip() for line in lines)


def measured() -> Story:
    """Two schemes with a few figures."""
    story = Story()
    story.end("kat:iccs/sm3hash-256", "PASS", label="SELFTEST PASS")
    story.measured("measure:iccs/sm3hash-256/hash_32", 310)
    for name, mean in (("OPSsig-128", 0.67 * MS), ("OPSsig-256", 1.14 * MS)):
        story.end(f"build:sign-17/{name}", "PASS", flags="guide")
        story.end(f"kat:sign-17/{name}", "PASS", label="PASS")
        story.measured(f"measure:sign-17/{name}/keygen", mean, 0.3)
    story.end(SIGN, "timeout")
    return story


def test_a_run_as_it_is_drawn() -> None:
    """Operations stand in the table's head, and again where a scheme has others."""
    assert text(board_of(measured())) == (
        "  instance    build  KAT      32 B           1 KiB                        share\n"
        " ▾iccs ICCS functions\n"
        "▌ sm3hash-256 queued SELFTEST 310 ns ±0.4%   queued                       wait\n"
        " ▾sign-17 OPS                 keygen         sign           verify\n"
        "  OPSsig-128  ok     PASS     670 µs ±0.3%   queued         queued        wait\n"
        "  OPSsig-256  ok     PASS     1.14 ms ±0.3%  timeout        queued        wait"
    )


def test_in_ascii_nothing_else_is_drawn() -> None:
    drawn = text(board_of(measured(), glyphs=ASCII))
    assert drawn.isascii()
    assert "> sm3hash-256 queued SELFTEST 310 ns +-0.4%" in drawn
    assert " vsign-17 OPS" in drawn


def test_an_order_that_was_wanted_before_there_was_a_run() -> None:
    """By the operation's name, because another run can have it in another column."""
    story = measured()
    for name, column in (("hash_1024", 1), ("sign", 1), ("keygen", 0), ("KAT", KAT), ("instance", NAME)):
        board = Board(UNICODE)
        board.want_order(name, True)
        board.update(story.state(), story.moment())
        assert (board.order.sort, board.order.reverse) == (column, True), name
        assert board.order_name == (name if name not in ("sign", "keygen") else f"hash_{(32, 1024)[column]}")
    board.move(lines=3)
    board.reorder(replace(board.order, sort=1))
    assert board.order_name == "sign"


# looks at the run ------------------------------------------------------------------------------------------------------


def test_a_look_without_news_changes_nothing() -> None:
    story = measured()
    board = board_of(story)
    assert board.update(story.state(), story.moment()) == set()


def test_only_the_line_of_a_changed_step_changes() -> None:
    story = measured()
    board = board_of(story)
    story.begin("measure:sign-17/OPSsig-128/verify")
    assert board.update(story.state(), story.moment()) == {3}
    later = replace(story.moment(), now_mono_ns=story.now_ns + 1)
    assert board.update(story.state(), later) == set(), "time alone shows nothing without a live page"
    live = story.live("measure:sign-17/OPSsig-128/verify", 40)
    assert board.update(story.state(), story.moment(live, "measure:sign-17/OPSsig-128/verify")) == {3}


def test_what_shows_the_same_is_not_drawn_again() -> None:
    story = measured()
    board = board_of(story)
    story.tell(EventName.KAT_RECORD, "kat:sign-17/OPSsig-128", {"record": 10, "covered": 10})
    assert board.update(story.state(), story.moment()) == set()


def test_what_a_killed_engine_was_at_is_interrupted() -> None:
    story = measured()
    step = "measure:sign-17/OPSsig-128/verify"
    story.begin(step)
    board = board_of(story)
    assert board.grid.busy
    assert board.update(story.state(), story.moment(alive=False)) == {3}
    assert "interrupted" in text(board)
    assert not board.grid.busy
    assert board.grid.running() == []
    assert board.update(story.state(), story.moment(alive=False)) == set()
    story.begin(step)
    assert board.update(story.state(), story.moment()) == {3}
    assert [str(entry.step) for entry in board.grid.running()] == [step]


def test_another_run_is_all_new() -> None:
    board = board_of(measured())
    other = Story(steps_of("sign-30", ["A"], ["sign"]))
    assert board.update(other.state(), other.moment()) is None
    assert [item for item in board.items if item[1]] == [("sign-30", "A")]


def test_counts_over_the_whole_run() -> None:
    story = measured()
    board = board_of(story)
    assert board.grid.tally == Tally(len(TWO), 9, 1, 0, 0)
    story.begin(SIGN)
    story.trial(SIGN, 1)
    story.trial(SIGN, 2, disturbed=["steal 3"])
    story.trial(SIGN, 3, disturbed=list(REPLANNED), used=False)
    board.update(story.state(), story.moment())
    assert board.grid.tally == Tally(len(TWO), 8, 0, 2, 1)
    assert board.grid.tally == board_of(story).grid.tally


ACTIONS = st.lists(
    st.tuples(
        st.sampled_from(["begin", "PASS", "done", "timeout", "trial", "kat", "stop"]),
        st.integers(0, len(TWO) - 1),
    ),
    max_size=30,
)


@settings(max_examples=60, deadline=None)
@given(ACTIONS)
def test_looks_one_by_one_show_what_one_look_shows(actions: list[tuple[str, int]]) -> None:
    story, board = Story(), Board(UNICODE)
    for what, number in actions:
        step = TWO[number]
        if what == "begin":
            story.begin(step)
        elif what == "trial":
            story.trial(step, 1 + number % 5)
        elif what == "kat":
            story.tell(EventName.KAT_RECORD, step, {"record": 3, "covered": 10})
        elif what == "stop":
            story.tell(EventName.SESSION_END, None, {"reason": "stopped", "exit": 4})
        else:
            story.end(step, what, mean_ns=1e6, hash_share=0.5)
        board.update(story.state(), story.moment())
    board.update(story.state(), story.moment())
    fresh = board_of(story)
    assert text(board) == text(fresh)
    assert board.grid.tally == fresh.grid.tally
    assert board.grid.running() == fresh.grid.running()


# order -----------------------------------------------------------------------------------------------------------------


def shown(board: Board) -> list[str]:
    return [name for _, name in board.items if name is not None]


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("", ["sm3hash-256", "OPSsig-128", "OPSsig-256"]),
        ("256", ["sm3hash-256", "OPSsig-256"]),
        ("!256", ["OPSsig-128"]),
        ("sign-17/", ["OPSsig-128", "OPSsig-256"]),
        ("timeout", ["OPSsig-256"]),
        ("opssig", ["OPSsig-128", "OPSsig-256"]),
        ("[", []),
        ("nothing", []),
    ],
)
def test_filters_look_at_names_and_states(pattern: str, names: list[str]) -> None:
    board = board_of(measured())
    board.reorder(Order(pattern))
    assert shown(board) == names


def test_a_filter_follows_the_states() -> None:
    story = measured()
    board = board_of(story)
    board.reorder(Order("running"))
    assert board.items == []
    story.begin(SIGN)
    assert board.update(story.state(), story.moment()) is None
    assert shown(board) == ["OPSsig-256"]


def test_sorting_by_a_column_and_back() -> None:
    board = board_of(measured())
    board.column = 0
    board.sort_by_cursor()
    assert "32 B▲" in text(board)
    assert shown(board) == ["sm3hash-256", "OPSsig-128", "OPSsig-256"]
    board.reorder(replace(board.order, reverse=True))
    assert shown(board) == ["sm3hash-256", "OPSsig-256", "OPSsig-128"]
    assert "32 B▼" in text(board)
    board.sort_by_cursor()
    assert (board.order, shown(board)) == (Order(), ["sm3hash-256", "OPSsig-128", "OPSsig-256"])


def test_what_has_no_figure_comes_last_both_ways() -> None:
    story = Story(steps_of("s", ["a", "b", "c"], ["sign"]))
    story.measured("measure:s/b/sign", 2e6)
    story.measured("measure:s/c/sign", 1e6)
    board = board_of(story)
    for reverse, names in ((False, ["c", "b", "a"]), (True, ["b", "c", "a"])):
        board.reorder(Order(sort=0, reverse=reverse))
        assert shown(board) == names


def test_every_column_sorts() -> None:
    story = measured()
    story.end("profile:sign-17/OPSsig-128/sign", "done", hash_share=0.5)
    board = board_of(story)
    for column in (NAME, BUILD, KAT, 0, 1, 2, SHARE):
        for reverse in (False, True):
            board.reorder(Order(sort=column, reverse=reverse))
            assert sorted(shown(board)) == ["OPSsig-128", "OPSsig-256", "sm3hash-256"]


def test_the_cursor_stays_on_its_row() -> None:
    board = board_of(measured())
    board.move(9)
    assert board.current == ("sign-17", "OPSsig-256")
    board.reorder(Order(sort=0, reverse=True))
    assert board.current == ("sign-17", "OPSsig-256")
    board.reorder(Order("OPSsig-128"))
    assert board.current == ("sign-17", "OPSsig-128")


def test_folding_a_scheme() -> None:
    board = board_of(measured())
    board.move(3)
    board.toggle_fold()
    assert board.items == [("iccs", None), ("iccs", "sm3hash-256"), ("sign-17", None)]
    assert board.current == ("sign-17", None)
    assert "▸sign-17 (2) OPS" in text(board)
    board.toggle_fold()
    assert len(board.items) == 5


def test_the_head_is_that_of_the_first_line_in_sight() -> None:
    board = board_of(measured())
    assert "32 B" in text(board, 0).split("\n")[0]
    assert "keygen" in text(board, 2).split("\n")[0]
    assert "keygen" not in text(board, 2).split("\n")[3]


def test_an_instance_without_an_operation_leaves_its_column_empty() -> None:
    steps = steps_of("s", ["a"], ["keygen", "sign"]) + steps_of("s", ["b"], ["sign"])
    story = Story(steps)
    story.measured("measure:s/b/sign", 1e6)
    board = board_of(story)
    keygen = text(board).split("\n")[0].index("keygen")
    sign = text(board).split("\n")[0].index("sign")
    row = text(board).split("\n")[3]
    assert row[keygen:sign].strip() == ""
    assert row[sign:].startswith("1 ms")


# marks and targets -----------------------------------------------------------------------------------------------------


def names(board: Board) -> list[str]:
    return [str(entry.step) for entry in board.targets()]


def test_without_marks_the_cell_of_the_cursor_is_meant() -> None:
    board = board_of(measured())
    board.move(2)
    board.column = 1
    assert names(board) == [f"{kind}:sign-17/OPSsig-128/sign" for kind in ("calibrate", "measure")]
    board.column = KAT
    assert names(board) == ["kat:sign-17/OPSsig-128"]
    board.column = SHARE
    assert len(names(board)) == 3
    board.column = NAME
    assert names(board) == [step for step in TWO if "/OPSsig-128" in step]


def test_on_the_head_of_a_scheme_all_its_rows_are_meant() -> None:
    board = board_of(measured())
    board.move(1)
    board.column = KAT
    assert names(board) == ["kat:sign-17/OPSsig-128", "kat:sign-17/OPSsig-256"]


def test_marked_rows_are_meant_wherever_the_cursor_is() -> None:
    board = board_of(measured())
    board.move(3)
    assert board.toggle_mark() == {4}
    assert "▌●OPSsig-256" in text(board)
    board.move(-3)
    board.column = 2
    assert names(board) == [f"{kind}:sign-17/OPSsig-256/verify" for kind in ("calibrate", "measure")]
    assert "sign-17 (1 marked)" in text(board)
    assert board.clear_marks() == {0, 2, 4}
    assert board.marks == set()


def test_marks_of_a_scheme_are_those_of_its_rows_in_sight() -> None:
    board = board_of(measured())
    board.reorder(Order("OPSsig-128"))
    board.cursor = 0
    board.toggle_mark()
    assert board.marks == {("sign-17", "OPSsig-128")}
    board.reorder(Order())
    board.cursor = 2
    board.toggle_mark()
    assert board.marks == {("sign-17", "OPSsig-128"), ("sign-17", "OPSsig-256")}
    board.toggle_mark()
    assert board.marks == set()


# columns ---------------------------------------------------------------------------------------------------------------


@given(st.integers(1, 300), st.integers(1, 120), st.integers(0, 12), st.booleans(), st.integers(0, 12))
def test_columns_never_take_more_than_the_screen(
    width: int, name: int, count: int, share: bool, first: int
) -> None:
    made = layout(width, name, count, share, first)
    assert all(size >= 1 for _, size in made.columns)
    assert MARGIN + sum(size for _, size in made.columns) + THUMB <= max(width, MARGIN + THUMB + 1)
    assert made.shown[0] == NAME
    assert len(set(made.shown)) == len(made.shown)


def test_wider_screens_show_all_operations_before_intervals() -> None:
    assert layout(80, 13, 3, True).columns == (
        (NAME, 14),
        (BUILD, 7),
        (KAT, 9),
        (0, 14),
        (1, 14),
        (2, 14),
        (SHARE, 5),
    )
    assert layout(80, 13, 6, True).shown == (NAME, BUILD, KAT, 0, 1, 2, 3, 4)
    assert layout(80, 13, 6, True, first=3).shown == (NAME, BUILD, KAT, 1, 2, 3, 4, 5)
    assert layout(120, 13, 6, True).shown == (NAME, BUILD, KAT, 0, 1, 2, 3, 4, 5, SHARE)
    assert [size for _, size in layout(200, 13, 3, True).columns][3:] == [46, 46, 46, 22]


def test_the_cursor_reaches_every_operation_on_a_narrow_screen() -> None:
    story = Story(steps_of("s", ["an-instance-with-a-name"], [f"hash_{1 << n}" for n in range(3, 11)]))
    board = board_of(story, 60)
    seen = {board.column}
    for _ in range(20):
        board.move(columns=1)
        assert board.column in board.layout.shown
        seen.add(board.column)
    assert set(range(8)) <= seen
    for _ in range(20):
        board.move(columns=-1)
        assert board.column in board.layout.shown
    assert board.column == NAME


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 200),
    st.sampled_from([UNICODE, ASCII]),
    st.text(max_size=300),
    st.lists(st.integers(-9, 9), max_size=5),
)
def test_every_line_is_exactly_as_wide_as_the_screen(
    width: int, glyphs: Glyphs, algorithm: str, moves: list[int]
) -> None:
    story = Story(algorithms={"sign-17": algorithm, "iccs": algorithm})
    story.measured(SIGN)
    board = board_of(story, width, glyphs)
    for step in moves:
        board.move(step, -step)
        board.toggle_mark()
    wanted = MARGIN + sum(size for _, size in board.layout.columns)
    for number in range(len(board.items)):
        line, cells = board.line(number, 0)
        assert width_of(line) == wanted
        assert cells is None or 0 <= cells[0] < cells[1] <= wanted
        assert glyphs is UNICODE or all(part.isascii() for part, _ in line)
    assert width_of(board.header(0)) == wanted
