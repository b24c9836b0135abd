"""What holds on all screens: leaving, going back, help, the palette, titles, the end of a run, and the keys of all this."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.command import CommandPalette
from textual.message import Message
from textual.pilot import Pilot
from textual.widgets import Input, OptionList
from tui.pilot_kit import drive, press, screen_text, settled, told
from tui.played_run import PlayedRun, new_run

from ngcctui.tui.actions import Action, actions_of, keys_of
from ngcctui.tui.app import NgccApp
from ngcctui.tui.config import Options, Settings
from ngcctui.tui.screens.base import ActionScreen
from ngcctui.tui.screens.confirm import Answer, ConfirmScreen
from ngcctui.tui.screens.help import HelpPage, HelpScreen
from ngcctui.tui.screens.monitor import MonitorScreen
from ngcctui.tui.screens.results import ResultsScreen
from ngcctui.tui.screens.runs import RunsScreen
from ngcctui.tui.screens.setup import SetupScreen


@pytest.fixture(autouse=True)
def nothing_of_the_operator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "xdg"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def played(tmp_path: Path) -> PlayedRun:
    run = new_run(tmp_path / "runs", schemes=1, each=2)
    run.start()
    return run


class Page(ActionScreen):
    """A screen with nothing on it but a line to type in."""

    NAME = "detail"

    def compose(self) -> Any:
        yield Input()
        yield self.keybar()

    def on_mount(self) -> None:
        self.query_one(Input).focus()


def page(app: NgccApp) -> object:
    return app.push_screen(Page())


# leaving ---------------------------------------------------------------------------------------------------------------


def test_leaving_says_how_to_come_back(played: PlayedRun, tmp_path: Path) -> None:
    async def body(app: NgccApp, pilot: Pilot[None]) -> None:
        await press(app, pilot, "e")
        assert isinstance(app.screen, ResultsScreen)
        await pilot.press("q")
        assert app.farewell == f"left played; ngcctui attach {played.run.path} comes back"
        assert app.return_code == 0

    drive(lambda app: app.open_monitor(played.run), body, runs=tmp_path / "runs")


def test_leaving_a_list_says_nothing(tmp_path: Path) -> None:
    async def body(app: NgccApp, pilot: Pilot[None]) -> None:
        await pilot.press("q")
        assert (app.farewell, app.return_code) == ("", 0)

    drive(NgccApp.open_runs, body, runs=tmp_path)


def test_ctrl_c_asks_and_twice_leaves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("ngcctui.tui.app.time", type("Clock", (), {"monotonic": lambda: now[0]}))

    async def body(app: NgccApp, pilot: Pilot[None]) -> None:
        await pilot.press("ctrl+c")
        now[0] += 3.5
        await pilot.press("ctrl+c")
        assert await told(app, pilot) == ["Ctrl-C again leaves this view; a run goes on"] * 2
        assert not app._exit
        now[0] += 1.0
        await pilot.press("ctrl+c")
        assert app._exit

    drive(NgccApp.open_runs, body, runs=tmp_path)


def test_ctrl_c_counts_while_text_is_typed_and_letters_are_text(tmp_path: Path) -> None:
    async def body(app: NgccApp, pilot: Pilot[None]) -> None:
        await pilot.press("q", "question_mark", "r", "ctrl+c")
        assert isinstance(app.screen, Page)
        assert app.screen.query_one(Input).value == "q?r"
        assert len(await told(app, pilot)) == 1

    drive(page, body, runs=tmp_path)


def test_ctrl_c_counts_above_a_question_too(tmp_path: Path) -> None:
    async def body(app: NgccApp, pilot: Pilot[None]) -> None:
        app.push_screen(ConfirmScreen("?", [], [Answer("y", "yes", "yes")]))
        await settled(app, pilot)
        await pilot.press("q", "ctrl+c")
        assert len(await told(app, pilot)) == 1
        assert not app._exit
        await pilot.press("ctrl+c")
        assert app._exit

    drive(NgccApp.open_runs, body, runs=tmp_path)


def test_ctrl_q_of_textual_leaves_as_q_does(played: PlayedRun, tmp_path: Path) -> None:
    async def body(app: NgccApp, pilot: Pilot[None]) -> None:
        await pilot.press("ctrl+q")
        assert app.farewell.startswith("left played")

    drive(lambda app: app.open_monitor(played.run), body, runs=tmp_path)


def test_an_end_from_outside_has_its_code(tmp_path: Path) -> None:
    async def body(app: NgccApp, pilot: Pilot[None]) -> None:
        await asyncio.to_thread(app.end, 143)
        await pilot.pause()
        assert app.return_code == 143

    drive(NgccApp.open_runs, body, runs=tmp_path)


def test_an_error_ends_the_view_without_a_page_of_its_variables(tmp_path: Path) -> None:
    class Broken(ActionScreen):
        NAME = "detail"

        def on_mount(self) -> None:
            raise ZeroDivisionError("boom")

    async def work() -> None:
        app = NgccApp(Options(runs_root=tmp_path), Settings(), lambda app: app.push_screen(Broken()))
        with pytest.raises(ZeroDivisionError):
            async with app.run_test():
                pass
        assert isinstance(app.fault, ZeroDivisionError)
        assert app._exit_renderables == []

    asyncio.run(work())


# screens ---------------------------------------------------------------------------------------------------------------


def test_screens_take_each_others_place_and_results_lie_above(played: PlayedRun, tmp_path: Path) -> None:
    def stack(app: NgccApp) -> list[type]:
        return [type(screen) for screen in app.screen_stack[1:]]

    async def body(app: NgccApp, pilot: Pilot[None]) -> None:
        await press(app, pilot, "e")
        assert stack(app) == [MonitorScreen, ResultsScreen]
        await press(app, pilot, "escape")
        assert stack(app) == [MonitorScreen]
        await press(app, pilot, "escape")
        assert stack(app) == [MonitorScreen], "escape never ends anything"
        await press(app, pilot, "e", "r")
        assert stack(app) == [RunsScreen]
        await press(app, pilot, "n")
        assert stack(app) == [SetupScreen]
        app.open_monitor(played.run)
        await settled(app, pilot)
        assert stack(app) == [MonitorScreen]

    drive(lambda app: app.open_monitor(played.run), body, runs=tmp_path / "runs")


def test_help_shows_the_keys_of_the_screen_below(tmp_path: Path) -> None:
    async def body(app: NgccApp, pilot: Pilot[None]) -> None:
        text = await press(app, pilot, "question_mark")
        assert text.splitlines()[0] == "Runs"
        assert "go on with an interrupted run and watch it" in text
        await press(app, pilot, "question_mark", "f1")
        assert len(app.screen_stack) == 3
        await press(app, pilot, "escape")
        assert isinstance(app.screen, RunsScreen)

    drive(NgccApp.open_runs, body, runs=tmp_path)


def test_help_shows_the_operators_keys_and_they_count(tmp_path: Path) -> None:
    settings = Settings(keys={"app.help": "f2", "runs.resume": "ctrl+u,U"})

    async def body(app: NgccApp, pilot: Pilot[None]) -> None:
        assert "U resume" in screen_text(app) or "^U resume" in screen_text(app)
        assert "F2 help   q quit" in screen_text(app)
        await press(app, pilot, "question_mark")
        assert isinstance(app.screen, RunsScreen), "the old key means nothing"
        assert "^U U" in await press(app, pilot, "f2")

    drive(NgccApp.open_runs, body, runs=tmp_path, settings=settings)


def test_the_palette_knows_the_actions_of_the_screen(played: PlayedRun, tmp_path: Path) -> None:
    async def body(app: NgccApp, pilot: Pilot[None]) -> None:
        commands = {command.title: command for command in app.get_system_commands(app.screen)}
        for action in [*actions_of("monitor"), *actions_of("app")]:
            assert action.help in commands
        await pilot.press("ctrl+p")
        await until(pilot, lambda: isinstance(app.screen, CommandPalette))
        app.screen.query_one(Input).value = "open the tables of this run"
        await until(pilot, lambda: app.screen.query_one(OptionList).option_count == 1)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ResultsScreen))

    drive(lambda app: app.open_monitor(played.run), body, runs=tmp_path / "runs")


@pytest.mark.parametrize("size", [(59, 24), (80, 14), (30, 6), (10, 3), (1, 1)])
def test_a_window_too_small_says_so_and_how_to_leave(tmp_path: Path, size: tuple[int, int]) -> None:
    async def body(app: NgccApp, pilot: Pilot[None]) -> None:
        text = screen_text(app)
        if size >= (30, 6):
            assert f"window {size[0]} x {size[1]}, needs 60 x 15" in text
            assert "? help   q quit" in text
        await pilot.resize_terminal(80, 24)
        await settled(app, pilot)
        assert "needs 60 x 15" not in screen_text(app)
        assert "0 runs in" in screen_text(app)

    drive(NgccApp.open_runs, body, runs=tmp_path, size=size)


def test_nothing_but_ascii_is_drawn_where_nothing_else_can_be(played: PlayedRun, tmp_path: Path) -> None:
    async def body(app: NgccApp, pilot: Pilot[None]) -> None:
        for keys in (["question_mark"], ["escape", "r"], ["ctrl+p"], ["escape", "n"]):
            text = await press(app, pilot, *keys)
            assert text.strip()
            assert text.isascii()

    drive(lambda app: app.open_monitor(played.run), body, runs=tmp_path / "runs", ascii=True)


# questions -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "value"),
    [
        (["enter"], "leave"),
        (["right", "enter"], "stop"),
        (["l", "j", "enter"], "now"),
        (["tab", "tab", "tab", "enter"], "leave"),
        (["left", "enter"], "now"),
        (["k", "h", "enter"], "stop"),
        (["s"], "stop"),
        (["N"], "now"),
        (["escape"], None),
        (["x", "escape"], None),
    ],
)
def test_a_question_is_answered_by_letters_and_arrows(
    tmp_path: Path, keys: list[str], value: str | None
) -> None:
    given: list[str | None] = []
    answers = [Answer("g", "go on", "leave"), Answer("s", "stop", "stop"), Answer("N", "stop now", "now")]

    async def body(app: NgccApp, pilot: Pilot[None]) -> None:
        app.push_screen(ConfirmScreen("stop [b]quick[/b]?", ["it [red]runs"], answers), given.append)
        await settled(app, pilot)
        assert "stop [b]quick[/b]?" in screen_text(app)
        assert "it [red]runs" in screen_text(app)
        await press(app, pilot, *keys)
        assert given == [value]

    drive(NgccApp.open_runs, body, runs=tmp_path)


# what the app does with what it is told --------------------------------------------------------------------------------


def test_the_end_of_a_watched_run_rings_and_starts_the_hook(
    played: PlayedRun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rung: list[int] = []
    hooked: list[tuple[list[str], str, int | None]] = []
    titles: list[str] = []
    monkeypatch.setattr(NgccApp, "bell", lambda app: rung.append(1))
    monkeypatch.setattr(NgccApp, "tell_title", lambda app, text: titles.append(text))
    monkeypatch.setattr(
        "ngcctui.tui.hook.start_hook",
        lambda words, overview: (
            hooked.append((list(words), overview.word, overview.exit)) or "on_end: it failed"
        ),
    )

    async def body(app: NgccApp, pilot: Pilot[None]) -> None:
        await until_titled(pilot, titles, f"played 0/{len(played.steps)}")
        assert (rung, hooked) == ([], [])
        played.prepare()
        played.end()
        await until_titled(pilot, titles, f"played 10/{len(played.steps)}")
        assert rung == [1]
        assert hooked == [(["say", "done"], "done", 0)]
        assert "on_end: it failed" in await told(app, pilot)

    settings = Settings(on_end=("say", "done"), refresh_s=0.2)
    drive(lambda app: app.open_monitor(played.run), body, runs=tmp_path / "runs", settings=settings)


async def until_titled(pilot: Pilot[None], titles: list[str], text: str) -> None:
    """Wait until the look that makes this title has been handled."""
    await until(pilot, lambda: titles[-1:] == [text])


async def until(pilot: Pilot[None], done: Callable[[], bool]) -> None:
    """Look again until it is so."""
    for _ in range(600):
        if done():
            return
        await pilot.pause(0.05)
    raise AssertionError(screen_text(pilot.app))  # type: ignore[arg-type]


def test_a_run_that_had_ended_before_rings_no_bell(
    played: PlayedRun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played.end()
    rung: list[int] = []
    titles: list[str] = []
    monkeypatch.setattr(NgccApp, "bell", lambda app: rung.append(1))
    monkeypatch.setattr(NgccApp, "tell_title", lambda app, text: titles.append(text))

    async def body(app: NgccApp, pilot: Pilot[None]) -> None:
        await until_titled(pilot, titles, f"played 0/{len(played.steps)}")
        assert rung == []

    drive(lambda app: app.open_monitor(played.run), body, runs=tmp_path / "runs")


def test_trouble_is_told_as_text(tmp_path: Path) -> None:
    async def body(app: NgccApp, pilot: Pilot[None]) -> None:
        from ngcctui.tui.messages import RunTrouble, Told

        app.post_message(RunTrouble("[red]journal\x1b[2J gone"))
        app.post_message(Told("[/]", "warning"))
        await settled(app, pilot)
        assert await told(app, pilot) == ["[red]journal\\x1b[2J gone", "[/]"]
        assert "[red]journal\\x1b[2J gone" in screen_text(app)

    drive(NgccApp.open_runs, body, runs=tmp_path)


# keys ------------------------------------------------------------------------------------------------------------------

PLACES: list[tuple[str, type, Callable[[NgccApp], object]]] = [
    ("app", NgccApp, NgccApp.open_runs),
    ("runs", RunsScreen, NgccApp.open_runs),
    ("list", HelpPage, lambda app: app.push_screen(HelpScreen("monitor"))),
    (
        "confirm",
        ConfirmScreen,
        lambda app: app.push_screen(ConfirmScreen("?", [], [Answer("y", "yes", "yes")])),
    ),
]


@pytest.mark.parametrize(("group", "owner", "start"), PLACES, ids=[place[0] for place in PLACES])
def test_every_key_calls_its_action(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    group: str,
    owner: type,
    start: Callable[[NgccApp], object],
) -> None:
    pressed: list[str] = []

    def recorder(action: Action) -> Callable[[object], None]:
        return lambda screen: pressed.append(action.id)

    for action in actions_of(group):
        assert callable(getattr(owner, f"action_{action.name}"))
        monkeypatch.setattr(owner, f"action_{action.name}", recorder(action))

    async def body(app: NgccApp, pilot: Pilot[None]) -> None:
        for action in actions_of(group):
            for key in keys_of(action, {}):
                pressed.clear()
                await pilot.press(key)
                await settled(app, pilot)
                assert pressed == [action.id], key

    drive(start, body, runs=tmp_path)


def test_twenty_starts_and_ends(tmp_path: Path) -> None:
    for _ in range(20):
        seen: list[Message] = []

        async def work(seen: list[Message] = seen) -> None:
            app = NgccApp(Options(runs_root=tmp_path), Settings())
            async with app.run_test(message_hook=seen.append) as pilot:
                await pilot.press("q")
            assert not isinstance(app.fault, Exception)

        asyncio.run(asyncio.wait_for(work(), 20))
        assert seen
