"""Every key of the setup, of the results and of what opens above them, pressed once: each does what the table says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from golden.runs import mixed_run
from textual.pilot import Pilot
from tui.pilot_kit import drive, settled

from ngcctui.engine.rundir import RunDir
from ngcctui.tui.actions import Action, actions_of, keys_of
from ngcctui.tui.app import NgccApp
from ngcctui.tui.desk import HostCheck
from ngcctui.tui.screens.choose import ChooseScreen
from ngcctui.tui.screens.host import HostScreen
from ngcctui.tui.screens.prompt import PromptScreen
from ngcctui.tui.screens.results import ResultsScreen
from ngcctui.tui.screens.setup import SetupScreen
from ngcctui.tui.widgets.filterline import FilterLine
from ngcctui.tui.widgets.lines import Lines
from ngcctui.tui.widgets.table import Table


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunDir:
    return mixed_run(tmp_path_factory.mktemp("keys"))


def choose(app: NgccApp) -> object:
    return app.push_screen(ChooseScreen("choose", [("a", "A"), ("b", "B")]))


def prompt(app: NgccApp) -> object:
    return app.push_screen(PromptScreen("type", "a hint", "text", str))


def host(app: NgccApp) -> object:
    return app.push_screen(HostScreen(HostCheck(1, ())))


def setup(app: NgccApp) -> object:
    return app.push_screen(SetupScreen())


#: Group of the table, the class that its methods are in, what opens it, and a key that brings the focus there.
PLACES: list[tuple[str, type, Callable[[NgccApp], object] | None, str]] = [
    ("setup", SetupScreen, setup, ""),
    ("tree", Lines, setup, ""),
    ("tree", Lines, choose, ""),
    ("host", HostScreen, host, ""),
    ("results", ResultsScreen, None, ""),
    ("list", Table, None, ""),
    ("filter", FilterLine, None, "slash"),
    ("choose", ChooseScreen, choose, ""),
    ("prompt", PromptScreen, prompt, ""),
]


@pytest.mark.parametrize(
    ("group", "owner", "start", "first"), PLACES, ids=[f"{p[0]}-{n}" for n, p in enumerate(PLACES)]
)
def test_every_key_calls_its_action(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    run: RunDir,
    group: str,
    owner: type,
    start: Callable[[NgccApp], object] | None,
    first: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    pressed: list[str] = []

    def recorder(action: Action) -> Callable[[object], None]:
        return lambda screen: pressed.append(action.id)

    async def body(app: NgccApp, pilot: Pilot[None]) -> None:
        if first:
            await pilot.press(first)
        for action in actions_of(group):
            monkeypatch.setattr(owner, f"action_{action.name}", recorder(action))
        for action in actions_of(group):
            for key in keys_of(action, {}):
                pressed.clear()
                await pilot.press(key)
                await settled(app, pilot)
                assert pressed == [action.id], key

    drive(start or (lambda app: app.open_results(run)), body, runs=tmp_path / "runs")
