"""The monitor under textual's pilot: what it draws, what its keys do, what it asks of an engine, and what a look costs."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from golden.runs import mixed_run
from textual.pilot import Pilot
from tui.pilot_kit import drive, press, screen_text, settled, told
from tui.played_run import PlayedRun, new_run, write_events
from tui.story import steps_of

from ngcctui.engine.rundir import RunDir
from ngcctui.engine.state import Follower
from ngcctui.forecast import Knowledge
from ngcctui.model.event import EventName
from ngcctui.tui.actions import Action, actions_of, keys_of
from ngcctui.tui.app import NgccApp
from ngcctui.tui.messages import RunChanged
from ngcctui.tui.screens.confirm import ConfirmScreen
from ngcctui.tui.screens.detail import DetailScreen
from ngcctui.tui.screens.monitor import MonitorScreen
from ngcctui.tui.screens.results import ResultsScreen
from ngcctui.tui.snapshot import look
from ngcctui.tui.view.grid import NAME
from ngcctui.tui.widgets.bar import Bar
from ngcctui.tui.widgets.logpane import LogPane
from ngcctui.tui.widgets.rows import RowsView

Body = Callable[[NgccApp, Pilot[None], MonitorScreen], Awaitable[None]]


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the screens remember stays in the test's directory."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> RunDir:
    """A finished run in which nearly everything has happened."""
    return mixed_run(tmp_path_factory.mktemp("mixed"))


@pytest.fixture
def played(tmp_path: Path) -> Iterator[PlayedRun]:
    """A run that this process works on: two schemes of two instances, calibrated, one operation measured."""
    run = new_run(tmp_path, schemes=2, each=2)
    run.start()
    run.prepare()
    run.measured(0, "keygen")
    yield run
    run.close()


def watch(
    run: RunDir, body: Body, *, size: tuple[int, int] = (80, 24), readonly: bool = False, ascii: bool = False
) -> None:
    """Run `body` with a monitor that has had its first look; further looks come from the body alone."""

    async def work(app: NgccApp, pilot: Pilot[None]) -> None:
        screen = app.screen
        assert isinstance(screen, MonitorScreen)
        while screen.snapshot is None:
            await pilot.pause(0.01)
        screen._follower.stop()
        await settled(app, pilot)
        await body(app, pilot, screen)

    drive(
        lambda app: app.open_monitor(run),
        work,
        runs=run.path.parent,
        size=size,
        readonly=readonly,
        ascii=ascii,
    )


async def take(pilot: Pilot[None], screen: MonitorScreen) -> None:
    """A new look at the run."""
    screen.post_message(RunChanged(look(screen.run, Follower(screen.run.journal), deque(maxlen=500))))
    await settled(screen.ngcc, pilot)


def asked(run: RunDir) -> list[tuple[str, str | None]]:
    """The requests that wait for the engine, oldest first."""
    files = sorted(path for path in run.control.iterdir() if path.suffix == ".json")
    found = [json.loads(path.read_bytes()) for path in files]
    return [(request["request"], request["argument"]) for request in found]


# what is drawn ---------------------------------------------------------------------------------------------------------


def test_a_finished_run(mixed: RunDir) -> None:
    async def body(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        text = screen_text(app)
        for words in (
            "golden · done with failures · bench_7 · core 3 · unfixed host",
            "toy-1",
            "instance ",
            "keygen",
            "1 KiB",
            "FAIL",
            "TIMEOUT",
            "CRASH",
            "SELFTEST",
            "crashed",
            "rejected",
            "skipped",
            "log ",
            "? help",
            "q quit",
        ):
            assert words in text, f"{words!r} in\n{text}"

    watch(mixed, body, size=(110, 30))


def test_a_run_on_its_way(played: PlayedRun) -> None:
    played.show("measure:sign-01/Candidate1-128/sign", 0, 125)

    async def body(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        played.emit((EventName.STEP_START, "measure:sign-01/Candidate1-128/sign", {"attempt": 1}))
        played.show("measure:sign-01/Candidate1-128/sign", 0, 0)
        played.show("measure:sign-01/Candidate1-128/sign", 0, 125)
        await take(pilot, screen)
        text = screen_text(app)
        assert "played · local · core 1 · unfixed host" in text
        assert "401 µs ±0.4%" in text
        assert "t 1/5 █░░ 50%" in text
        assert "now  Candidate1-128 sign   trial 1 of 5   iteration 125 of 250" in text
        assert "RSS 1.8 MiB" in text
        assert "left" in text.split("\n")[0], "how long the rest takes"

    watch(played.run, body, size=(100, 24))


@pytest.mark.parametrize("size", [(60, 15), (80, 24), (132, 43), (240, 70), (59, 14), (1, 1)])
def test_every_size_is_drawn(mixed: RunDir, size: tuple[int, int]) -> None:
    async def body(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        lines = screen_text(app).split("\n")
        assert len(lines) == size[1]
        if size[0] >= 60:
            assert "Toy-128" in screen_text(app) or size[1] < 15
        for key in ("j", "l", "G", "enter", "escape", "g", "j", "b"):
            await pilot.press(key)
        await settled(app, pilot)
        await pilot.resize_terminal(1, 1)
        await pilot.resize_terminal(80, 24)
        await settled(app, pilot)
        assert "Toy-128" in screen_text(app)
        assert "? help" in screen_text(app)

    watch(mixed, body, size=size)


def test_in_ascii_the_whole_screen_is(mixed: RunDir) -> None:
    async def body(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        assert screen_text(app).isascii()
        assert screen_text(app) == (await press(app, pilot, "enter", "escape"))
        await press(app, pilot, "down", "right", "right", "right", "enter")
        assert screen_text(app).isascii()
        assert "+-" in screen_text(app)

    watch(mixed, body, ascii=True)


def test_brackets_escapes_and_wide_names_of_a_strangers_run_are_text(tmp_path: Path) -> None:
    run = new_run(tmp_path, schemes=1, each=1).run
    steps = steps_of("sign-01", ["x"], ["sign"])
    bad = "[bold]x[/] \x1b[2J 字字 e\u0301 " + "y" * 200

    def event(seq: int, name: str, step: str | None = None, **data: object) -> dict[str, object]:
        return {
            "v": 1,
            "seq": seq,
            "utc": "2026-11-30T12:00:00.000Z",
            "mono_ns": seq,
            "event": name,
            "step": step,
            "data": data,
        }

    write_events(
        run,
        [
            event(1, "run_start", run="r", campaign=bad, steps=steps, algorithms={"sign-01": bad}),
            event(2, "session_start", session=1, pid=0, cpu=bad, kernel=bad),
            event(3, "host", findings=[{"key": bad, "text": bad, "command": bad}], environment={bad: bad}),
            event(4, "step_end", steps[0], outcome="BUILDFAIL", detail=bad, file=bad, summary={"flags": bad}),
            event(5, "warning", text=bad),
        ],
    )

    async def body(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        assert screen_text(app).startswith(" [bold]x[/] \\x1b[2J 字字")
        assert "warning: [bold]x[/] \\x1b[2J" in screen_text(app)
        assert "[bold]x[/] \\x1b[2J 字字" in await press(app, pilot, "l", "enter")
        await press(app, pilot, "escape", "h", "enter", "escape", "f")
        assert "mend: [bold]x[/]" in await press(app, pilot, "H")

    watch(run, body)


def test_runs_without_a_journal_or_a_campaign_are_shown_as_they_are(tmp_path: Path) -> None:
    empty = new_run(tmp_path, "20261130T120000Z-empty").run
    empty.campaign_file.write_text("name = 3")

    async def body(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        assert "20261130T120000Z-empty · not started" in screen_text(app)
        for key in ("enter", "space", "o", "O", "f", "K", "R", "F", "j", "l", "H", "escape"):
            await pilot.press(key)
        assert any("campaign.toml" in text for text in await told(app, pilot))

    watch(empty, body)


def test_a_long_journal_is_shown_while_it_is_read(mixed: RunDir) -> None:
    async def body(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        follower = Follower(mixed.journal)
        part = look(mixed, follower, max_bytes=mixed.journal.stat().st_size // 2)
        assert 0.4 < part.read < 0.6
        screen.post_message(RunChanged(part))
        await settled(app, pilot)
        text = screen_text(app)
        assert "golden · reading 5" in text or "golden · reading 4" in text
        assert "the journal is long and still being read" in text
        assert "interrupted" not in text, "what it was earlier says nothing about what it is"
        await press(app, pilot, "R", "F")
        assert await told(app, pilot) == ["the run has not been read yet"] * 2
        screen.post_message(RunChanged(look(mixed, follower)))
        await settled(app, pilot)
        assert "golden · done with failures" in screen_text(app)

    watch(mixed, body)


# keys ------------------------------------------------------------------------------------------------------------------

PLACES: list[tuple[str, type, str]] = [
    ("monitor", MonitorScreen, ""),
    ("list", RowsView, ""),
    ("detail", DetailScreen, "enter"),
    ("list", LogPane, "enter"),
]


@pytest.mark.parametrize(("group", "owner", "first"), PLACES, ids=[f"{p[0]}-{p[1].__name__}" for p in PLACES])
def test_every_key_calls_its_action(
    monkeypatch: pytest.MonkeyPatch, mixed: RunDir, group: str, owner: type, first: str
) -> None:
    pressed: list[str] = []

    def recorder(action: Action) -> Callable[[object], None]:
        return lambda screen: pressed.append(action.id)

    async def body(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        if first:
            await pilot.press(first)
            await settled(app, pilot)
        wanted = [action for action in actions_of(group) if hasattr(owner, f"action_{action.name}")]
        assert wanted
        assert len(wanted) == len(list(actions_of(group))) or owner is LogPane, "it has no left and right"
        for action in wanted:
            monkeypatch.setattr(owner, f"action_{action.name}", recorder(action))
        for action in wanted:
            for key in keys_of(action, {}):
                pressed.clear()
                await pilot.press(key)
                assert pressed == [action.id], key

    watch(mixed, body)


def test_the_cursor_moves_over_all_rows_and_cells(mixed: RunDir) -> None:
    async def body(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        board = screen.board
        await press(app, pilot, "G")
        assert board.cursor == len(board.items) - 1
        await press(app, pilot, "g", "j", "j", "k")
        assert board.cursor == 1
        await press(app, pilot, "l", "l", "l", "h")
        assert board.column == "KAT"
        await press(app, pilot, "pagedown")
        assert board.cursor > 1
        await press(app, pilot, "pageup")
        assert board.cursor <= 1

    watch(mixed, body)


def test_a_click_selects_a_row_and_another_opens_it(mixed: RunDir) -> None:
    async def body(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        await pilot.click(RowsView, offset=(4, 3))
        assert screen.board.cursor == 3
        await pilot.click(RowsView, offset=(4, 3))
        await settled(app, pilot)
        assert isinstance(app.screen, DetailScreen)

    watch(mixed, body)


def test_a_filter_is_typed_and_cleared(mixed: RunDir) -> None:
    async def body(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        await press(app, pilot, "slash", *"512")
        text = screen_text(app)
        assert "Toy-512" in text
        assert "Toy-128" not in text
        assert "filter 512" in text
        assert "no row matches" in await press(app, pilot, "x")
        assert "Toy-128" in await press(app, pilot, "escape")

    watch(mixed, body)


def test_order_and_its_way_are_kept_over_looks(mixed: RunDir) -> None:
    async def body(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        await press(app, pilot, "l", "l", "l", "o", "O")
        assert "keygen▼" in screen_text(app) or "32 B▼" in screen_text(app)
        rows = [name for _, name in screen.board.items]
        await take(pilot, screen)
        assert [name for _, name in screen.board.items] == rows
        assert rows.index("Toy-256") < rows.index("Toy-512")

    watch(mixed, body)


def test_the_layout_is_remembered_from_one_start_to_the_next(mixed: RunDir) -> None:
    async def change(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        await press(app, pilot, "l", "l", "l", "o", "O", "f", "b", "t")

    async def look_again(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        text = screen_text(app)
        assert "▼" in text.splitlines()[1] and "\n step" in text
        assert screen.log_pane.size.height == 12
        rows = [name for _, name in screen.board.items]
        assert rows.index("Toy-256") < rows.index("Toy-512")
        await press(app, pilot, "l", "l", "l", "o", "f")

    async def and_again(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        text = screen_text(app)
        assert not set(text.splitlines()[1]) & set("▲▼") and "\n log" in text

    watch(mixed, change)
    watch(mixed, look_again)
    watch(mixed, and_again)


def test_a_read_only_view_begins_as_the_last_one_ended_and_changes_nothing(
    mixed: RunDir, tmp_path: Path
) -> None:
    async def change(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        await press(app, pilot, "o")

    watch(mixed, change)
    file = tmp_path / "state/ngcctui/view.json"
    before = file.read_bytes()

    async def only_look(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        assert "instance▲" in screen_text(app)
        assert "instance▼" in await press(app, pilot, "O", "b")

    watch(mixed, only_look, readonly=True)
    assert file.read_bytes() == before


def test_a_damaged_memory_is_told_in_one_line(mixed: RunDir, tmp_path: Path) -> None:
    file = tmp_path / "state/ngcctui/view.json"
    file.parent.mkdir(parents=True)
    file.write_bytes(b'{"monitor.sort": "\x1b[31m')

    async def body(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        assert await told(app, pilot) == [f"{file}: no JSON; what the screens remembered is ignored"]

    watch(mixed, body)


@pytest.mark.parametrize("name", ["", "encaps", "\x1b[31m", "9", "instance "])
def test_a_remembered_order_that_this_run_cannot_have_is_none(
    mixed: RunDir, tmp_path: Path, name: str
) -> None:
    file = tmp_path / "state/ngcctui/view.json"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps({"monitor.sort": name, "monitor.cycles": "x", "monitor.big_log": [], "v": {}}))

    async def body(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        assert screen.board.order.sort is None
        assert not set(screen_text(app).splitlines()[1]) & set("▲▼")

    watch(mixed, body)


def test_enter_on_a_scheme_folds_it(mixed: RunDir) -> None:
    async def body(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        assert "Toy-128" not in await press(app, pilot, "g", "enter")
        assert "Toy-128" in await press(app, pilot, "enter")

    watch(mixed, body)


def test_details_of_every_column(mixed: RunDir) -> None:
    async def body(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        wanted = {
            NAME: ("Toy-128 · toy-1", "measure    keygen   done", "profile    verify   done"),
            "build": ("Toy-128 build · PASS", "library"),
            "KAT": ("Toy-128 KAT · PASS", "10 of 10 records"),
            0: (
                "Toy-128 keygen · done",
                "median",
                "distinct calls",
                "memory",
                "evidence",
                "toy-1/Toy-128/keygen",
            ),
            1: ("signing retried 7", "rejected 1/6"),
            2: ("still disturbed", "cpu/wall 0.97"),
            "share": ("hash functions", "pseudoXOF", "no helper call was seen"),
        }
        for column, words in wanted.items():
            screen.board.cursor, screen.board.column = 2, column  # type: ignore[assignment]
            await press(app, pilot, "enter")
            assert isinstance(app.screen, DetailScreen)
            text = "\n".join("".join(part for part, _ in line) for line in app.screen._pane.lines)
            for word in words:
                assert word in text, f"{word!r} in\n{text}"
            await press(app, pilot, "escape")

    watch(mixed, body, size=(120, 40))


def test_a_detail_follows_its_step(played: PlayedRun) -> None:
    async def body(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        await press(app, pilot, "l", "l", "l", "l", "enter")
        assert "measure    queued" in screen_text(app)
        played.measured(0, "sign")
        await take(pilot, screen)
        assert "measure    done" in screen_text(app)
        await press(app, pilot, "escape")
        assert app.screen is screen
        await take(pilot, screen)

    watch(played.run, body)


def test_the_command_of_a_cell_is_copied_to_a_file(
    mixed: RunDir, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    async def body(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        await press(app, pilot, "j", "l", "l", "l", "enter", "y")
        (said,) = await told(app, pilot)
        path = Path(said.removeprefix("copied, and written to "))
        assert path.read_text().endswith("--only toy-1/Toy-128/keygen\n")
        assert app.clipboard.startswith("ngcctui run ")
        await press(app, pilot, "escape", "H", "y")
        assert path.read_text().startswith("           host of ")

    watch(mixed, body, readonly=True)


def bar_of_keys(app: NgccApp) -> str:
    """The two rows at the bottom."""
    return " ".join(" ".join(screen_text(app).split("\n")[-2:]).split())


def test_the_bar_names_what_can_be_asked_of_this_run(mixed: RunDir, played: PlayedRun) -> None:
    def bar(run: RunDir, **options: bool) -> str:
        seen = []

        async def body(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
            seen.append(bar_of_keys(app))

        watch(run, body, **options)
        return seen[0]

    assert "P pause K skip R retry e results S stop" in bar(played.run)
    assert "f follow log e results r runs ? help q quit" in bar(played.run, readonly=True)
    assert "f follow log R retry e results r runs ? help q quit" in bar(mixed)
    accepted = {"request": "pause", "argument": None, "accepted": True, "why": ""}
    played.emit((EventName.CONTROL, None, accepted))
    assert "P go on K skip" in bar(played.run)


def test_screens_above_another_one_say_how_to_go_back(mixed: RunDir) -> None:
    async def body(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        for key in ("enter", "H", "question_mark", "e"):
            await press(app, pilot, key)
            assert app.screen is not screen
            assert "esc back" in bar_of_keys(app), key
            await press(app, pilot, "escape")
            assert app.screen is screen and "esc back" not in bar_of_keys(app)

    watch(mixed, body)


@pytest.mark.parametrize("ascii", [False, True])
def test_help_says_what_the_signs_in_the_cells_mean(mixed: RunDir, ascii: bool) -> None:
    async def body(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        text = await press(app, pilot, "question_mark")
        assert "Signs" in text and "behind a figure: trials that were disturbed went into it" in text
        assert ("+-0.4%" if ascii else "±0.4%") in text

    watch(mixed, body, size=(100, 60), ascii=ascii)


def test_what_is_left_is_estimated_anew_soon_whatever_the_first_guess_took(
    played: PlayedRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [1000.0]
    clocks = {"monotonic": lambda: clock[0], "thread_time": lambda: 0.0}
    monkeypatch.setattr("ngcctui.tui.screens.monitor.time", type("Clocks", (), clocks))

    def slow(*_: object) -> object:
        clock[0] += 3.0
        return Knowledge()

    monkeypatch.setattr("ngcctui.forecast.gather", slow)
    played.emit((EventName.STEP_START, "calibrate:sign-01/Candidate1-128/sign", {"attempt": 1}))

    async def body(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        assert screen._left_due == 1003.0 + 5.0

    watch(played.run, body)


def test_results_and_back(mixed: RunDir) -> None:
    async def body(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        await press(app, pilot, "e")
        assert isinstance(app.screen, ResultsScreen)
        await press(app, pilot, "escape")
        assert app.screen is screen

    watch(mixed, body)


def test_times_in_place_of_cycles_and_back(played: PlayedRun) -> None:
    step = "measure:sign-01/Candidate1-128/sign"
    cycles = {"mean_cycles": 2_310_000.0, "low_cycles": 2_305_380.0, "high_cycles": 2_314_620.0}
    figures = played.figures(0) | cycles
    end = {"outcome": "done", "detail": "", "attempt": 1, "summary": figures}
    played.emit((EventName.STEP_START, step, {"attempt": 1}), (EventName.STEP_END, step, end))

    async def body(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        assert "2.31 M ±0.2%" in screen_text(app)
        assert "2.31 M" not in await press(app, pilot, "t")
        assert "2.31 M ±0.2%" in await press(app, pilot, "t")

    watch(played.run, body)


def test_a_frozen_picture_holds_still(played: PlayedRun) -> None:
    async def body(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        before = await press(app, pilot, "z")
        assert "frozen" in before.split("\n")[0]
        played.measured(0, "sign")
        await take(pilot, screen)
        assert screen_text(app) == before
        after = await press(app, pilot, "z")
        assert "frozen" not in after
        assert after.count("401 µs") == before.count("401 µs") + 1

    watch(played.run, body)


# the log ---------------------------------------------------------------------------------------------------------------


def test_the_log_follows_until_it_is_scrolled_and_again_at_its_end(played: PlayedRun) -> None:
    async def body(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        pane = screen.log_pane

        def last() -> str:
            number = pane.top + pane.size.height - 1
            return "".join(text for text, _ in pane.lines[number])

        assert "keygen done" in last()
        await press(app, pilot, "less_than_sign", "less_than_sign")
        held = pane.top
        played.measured(1, "keygen")
        await take(pilot, screen)
        assert pane.top == held, "what is read does not jump"
        await press(app, pilot, *["greater_than_sign"] * 12)
        assert "Candidate1-256 keygen done" in last()
        played.measured(2, "keygen")
        await take(pilot, screen)
        assert "Candidate2-128 keygen done" in last()

    watch(played.run, body)


def test_the_log_of_the_selected_step_with_what_its_programs_printed(mixed: RunDir) -> None:
    log = mixed.path / "build/toy-1/Toy-128.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_bytes(b"cc -O2 toy.c\nwarning: \x1b[31mred\n")

    async def body(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        text = await press(app, pilot, "j", "l", "f", "b")
        assert "step 12:" in text
        assert "started" in text
        assert "warning: \\x1b[31mred" in text
        assert "skipped (not timed)" in await press(app, pilot, "k", "l", "l")
        assert "log " in await press(app, pilot, "f")
        assert "select a step" in await press(app, pilot, "g", "f")

    watch(mixed, body)


def test_the_log_gets_more_lines_and_that_is_remembered(mixed: RunDir) -> None:
    heights: list[int] = []

    async def body(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        heights.append(screen.log_pane.size.height)
        if len(heights) == 1:
            await press(app, pilot, "b")
            heights.append(screen.log_pane.size.height)

    watch(mixed, body)
    watch(mixed, body)
    assert heights == [3, 12, 12]


# what is asked of the engine -------------------------------------------------------------------------------------------


def test_pause_and_go_on(played: PlayedRun) -> None:
    async def body(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        await press(app, pilot, "P")
        assert asked(played.run) == [("pause", None)]
        played.emit((EventName.CONTROL, None, {"request": "pause", "argument": None, "accepted": True}))
        await take(pilot, screen)
        assert "paused" in screen_text(app).split("\n")[0]
        await press(app, pilot, "P")
        assert asked(played.run) == [("pause", None), ("resume", None)]

    watch(played.run, body)


def test_a_queued_step_is_skipped_at_once(played: PlayedRun) -> None:
    async def body(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        await press(app, pilot, "l", "l", "l", "l", "K")
        assert asked(played.run) == [("skip", "measure:sign-01/Candidate1-128/sign")]
        await press(app, pilot, "h", "K")
        assert await told(app, pilot) == ["nothing selected is still to do"]

    watch(played.run, body)


def test_a_running_step_is_skipped_after_a_question(played: PlayedRun) -> None:
    step = "measure:sign-01/Candidate1-128/sign"
    played.emit((EventName.STEP_START, step, {"attempt": 1}))

    async def body(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        text = await press(app, pilot, "l", "l", "l", "l", "K")
        assert isinstance(app.screen, ConfirmScreen)
        assert "Skip 1 step?" in text
        assert "runs now and would be ended" in text
        await press(app, pilot, "enter")
        assert asked(played.run) == [], "the answer that is selected changes nothing"
        await press(app, pilot, "K", "escape")
        assert asked(played.run) == []
        await press(app, pilot, "K", "y")
        assert asked(played.run) == [("skip", step)]

    watch(played.run, body)


def test_marked_rows_are_acted_on_together(played: PlayedRun) -> None:
    async def body(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        await press(app, pilot, "space", "space", "l", "l", "l", "l", "l", "K")
        assert "Skip 2 steps?" in screen_text(app)
        await press(app, pilot, "y")
        assert asked(played.run) == [
            ("skip", f"measure:sign-01/Candidate1-{size}/verify") for size in (128, 256)
        ]
        await press(app, pilot, "U")
        assert screen.board.marks == set()

    watch(played.run, body)


def test_a_failed_step_is_started_anew(played: PlayedRun) -> None:
    step = "measure:sign-01/Candidate1-128/sign"
    end = {"outcome": "timeout", "detail": "", "attempt": 1, "summary": {}}
    played.emit((EventName.STEP_START, step, {"attempt": 1}), (EventName.STEP_END, step, end))

    async def body(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        await press(app, pilot, "l", "l", "l", "l", "R")
        assert asked(played.run) == [("retry", step)]
        await press(app, pilot, "F")
        assert asked(played.run)[1:] == [("retry", "failed")]
        await press(app, pilot, "l", "R")
        assert await told(app, pilot) == ["nothing selected has ended yet"]

    watch(played.run, body)


def test_nothing_has_failed(played: PlayedRun) -> None:
    async def body(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        await press(app, pilot, "F")
        assert await told(app, pilot) == ["nothing has failed"]
        assert asked(played.run) == []

    watch(played.run, body)


@pytest.mark.parametrize(
    ("keys", "request_made"),
    [
        (["enter"], None),
        (["escape"], None),
        (["l"], None),
        (["s"], "stop"),
        (["right", "right", "enter"], "stop-now"),
        (["n"], "stop-now"),
    ],
)
def test_a_run_is_stopped_only_after_a_question(
    played: PlayedRun, keys: list[str], request_made: str | None
) -> None:
    async def body(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        text = await press(app, pilot, "S")
        assert "Stop this run?" in text
        for words in ("leave it running", "stop after this step", "stop now"):
            assert words in text
        await press(app, pilot, *keys)
        assert app.screen is screen
        assert asked(played.run) == ([(request_made, None)] if request_made else [])

    watch(played.run, body)


def test_a_stop_of_a_paused_run_is_told_to_act_at_once(played: PlayedRun) -> None:
    async def body(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        assert "acts at once" not in await press(app, pilot, "S")
        await press(app, pilot, "escape")
        played.emit((EventName.CONTROL, None, {"request": "pause", "argument": None, "accepted": True}))
        await take(pilot, screen)
        assert "a stop of either kind acts at once" in await press(app, pilot, "S")

    watch(played.run, body)


def test_the_cells_of_a_paused_run_grow_no_older(played: PlayedRun) -> None:
    async def body(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        played.emit((EventName.CONTROL, None, {"request": "pause", "argument": None, "accepted": True}))
        await take(pilot, screen)
        assert screen.snapshot is not None
        paused_ns = screen.snapshot.state.paused_mono_ns
        assert paused_ns is not None and screen._moment(screen.snapshot).paused_mono_ns == paused_ns

    watch(played.run, body)


def test_a_read_only_view_asks_for_nothing(played: PlayedRun) -> None:
    async def body(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        await press(app, pilot, "P", "K", "R", "F", "S")
        assert await told(app, pilot) == ["this view is read only"] * 5
        assert "read only" in screen_text(app).split("\n")[0]
        assert asked(played.run) == []

    watch(played.run, body, readonly=True)


def test_without_an_engine_there_is_nobody_to_ask_but_a_new_one(
    mixed: RunDir, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[tuple[str, ...]] = []
    monkeypatch.setattr(NgccApp, "resume_run", lambda app, run, retry=(): started.append(retry))

    async def body(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        await press(app, pilot, "P", "K", "S")
        assert await told(app, pilot) == ["no engine works on this run"] * 3
        app.clear_notifications()
        assert "No engine works on this run: one would be started" in await press(
            app, pilot, "j", "l", "l", "l", "R"
        )
        await press(app, pilot, "y", "F", "y")
        assert started == [("measure:toy-1/Toy-128/keygen",), ("failed",)]
        assert asked(mixed) == []

    watch(mixed, body)


def test_a_directory_that_cannot_be_written_is_told(played: PlayedRun) -> None:
    played.run.control.rmdir()

    async def body(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        await press(app, pilot, "P")
        (said,) = await told(app, pilot)
        assert "control" in said

    watch(played.run, body)


def test_leaving_says_how_to_come_back(played: PlayedRun) -> None:
    said: list[str] = []

    async def body(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        await pilot.press("q")
        said.append(app.farewell)

    watch(played.run, body)
    assert said == [f"left played; ngcctui attach {played.run.path} comes back"]


# what a look costs -----------------------------------------------------------------------------------------------------


def drawn(screen: MonitorScreen) -> dict[str, int]:
    """Lines drawn so far, by widget."""
    bars = {bar.id or "": bar.drawn for bar in screen.query(Bar)}
    return bars | {"rows": screen.rows.drawn, "log": screen.log_pane.drawn}


def since(before: dict[str, int], screen: MonitorScreen) -> dict[str, int]:
    return {name: count - before[name] for name, count in drawn(screen).items() if count != before[name]}


def test_a_look_that_shows_nothing_new_draws_nothing(played: PlayedRun) -> None:
    async def body(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        await take(pilot, screen)
        before = drawn(screen)
        assert screen.snapshot is not None
        for later in range(1, 4):
            screen.post_message(
                RunChanged(replace(screen.snapshot, now_mono_ns=screen.snapshot.now_mono_ns + later))
            )
            await settled(app, pilot)
        assert since(before, screen) == {}

    watch(played.run, body)


def test_a_second_of_a_measurement_draws_one_row(tmp_path: Path) -> None:
    run = new_run(tmp_path)
    run.start()
    run.prepare()
    seconds = run.seconds(1)
    next(seconds)

    async def body(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        await take(pilot, screen)
        before = drawn(screen)
        next(seconds)
        await take(pilot, screen)
        cost = since(before, screen)
        assert cost.pop("rows") == 1
        assert cost.pop("now") <= 2
        assert cost.pop("log") <= 3
        assert cost.pop("head", 0) <= 1
        assert cost == {}

    watch(run.run, body)
    run.close()


def test_rows_out_of_sight_draw_nothing(tmp_path: Path) -> None:
    run = new_run(tmp_path)
    run.start()
    run.prepare()

    async def body(app: NgccApp, pilot: Pilot[None], screen: MonitorScreen) -> None:
        before = drawn(screen)
        for number in range(100, 200):
            run.measured(number, "sign")
        await take(pilot, screen)
        assert "rows" not in since(before, screen)
        before = drawn(screen)
        await press(app, pilot, "j")
        assert since(before, screen) == {"rows": 2}, (
            "moving the cursor draws the line it leaves and the one it comes to"
        )

    watch(run.run, body)
    run.close()
