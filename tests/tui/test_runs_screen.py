"""The list of runs: what is there, and what can be done with each."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest
from textual.pilot import Pilot
from tui.pilot_kit import drive, press, screen_text, told
from tui.played_run import PlayedRun, new_run

from ngcctui.engine.liveness import boot_id
from ngcctui.model.errors import ExitCode
from ngcctui.model.event import EventName
from ngcctui.spawn import EngineOptions
from ngcctui.tui.app import NgccApp
from ngcctui.tui.config import Settings
from ngcctui.tui.runs import RunList, RunRow, working
from ngcctui.tui.screens.monitor import MonitorScreen
from ngcctui.tui.screens.results import ResultsScreen
from ngcctui.tui.screens.runs import cells, size_text

HERE = Path(__file__).parent
SCHEMES = Settings(refresh_s=0.2)


@pytest.fixture(autouse=True)
def nothing_of_the_operator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "xdg"))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "runs"


def played(root: Path, name: str) -> PlayedRun:
    return new_run(root, name, schemes=1, each=1)


@pytest.fixture
def three(root: Path) -> dict[str, PlayedRun]:
    """A run that works, one that was interrupted, one that is done: from the newest to the oldest."""
    runs = {
        word: played(root, f"2026113{number}T120000Z-{word}")
        for number, word in ((3, "working"), (2, "interrupted"), (1, "done"))
    }
    runs["working"].start()
    runs["interrupted"].start(pid=0)
    runs["done"].start()
    runs["done"].end()
    return runs


# rows ------------------------------------------------------------------------------------------------------------------


def test_rows_tell_states_newest_first(root: Path, three: dict[str, PlayedRun]) -> None:
    rows = RunList(root).rows()
    assert [row.run.name[17:] for row in rows] == ["working", "interrupted", "done"]
    assert [row.word for row in rows] == ["running on core 1, 0/11", "interrupted at 0/11", "done"]
    assert [row.exit for row in rows] == [None, ExitCode.INTERRUPTED, ExitCode.DONE]
    assert [row.ended for row in rows] == [False, False, True]
    assert all(
        row.system == "local" and row.size > 0 and row.length_s is not None and row.ours for row in rows
    )


def test_a_row_changes_with_its_run_and_others_are_not_read_again(
    root: Path, three: dict[str, PlayedRun], monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = RunList(root)
    before = runs.rows()
    read: list[str] = []
    real = RunList._read
    monkeypatch.setattr(RunList, "_read", lambda self, run: (read.append(run.name[17:]), real(self, run))[1])
    assert runs.rows() == before
    assert read == ["working"]
    three["working"].end()
    assert [row.word for row in runs.rows()] == ["done", "interrupted at 0/11", "done"]
    read.clear()
    runs.rows()
    assert read == []
    three["done"].emit((EventName.WARNING, None, {"key": "x", "text": "x"}))
    runs.rows()
    assert read == ["done"]
    shutil.rmtree(three["done"].run.path)
    assert len(runs.rows()) == 2


def test_a_run_that_cannot_be_read_has_its_error_for_a_state(root: Path, three: dict[str, PlayedRun]) -> None:
    journal = three["done"].run.journal
    journal.unlink()
    journal.mkdir()
    three["interrupted"].run.campaign_file.write_text("[")
    rows = RunList(root).rows()
    assert "is no regular file" in rows[2].word
    assert rows[1].system == ""
    assert rows[1].word == "interrupted at 0/11"


def test_no_directory_is_no_run(root: Path) -> None:
    assert RunList(root).rows() == ()


def test_whether_a_run_works_is_seen_at_its_end(root: Path, three: dict[str, PlayedRun]) -> None:
    assert [working(run.run) for run in three.values()] == [True, False, False]
    three["done"].run.journal.write_bytes(b"\xff\n" + b"x" * 200_000)
    assert not working(three["done"].run)
    three["working"].run.journal.unlink()
    assert not working(three["working"].run)


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0 KiB"), (1, "1 KiB"), (10 << 20, "10 MiB"), ((10 << 20) - 1, "10240 KiB"), (11 << 30, "11 GiB")],
)
def test_sizes_are_short(size: int, text: str) -> None:
    assert size_text(size) == text


def test_what_is_unknown_is_a_dash(root: Path) -> None:
    row = RunRow(played(root, "x").run, "not started", None)
    assert cells(row, "-") == ("x", "not started", "-", "-", "-", "0 KiB")


def test_a_run_of_somebody_else_is_read_only(root: Path) -> None:
    assert cells(RunRow(played(root, "x").run, "running on core 1, 0/9", None, ours=False), "-")[1].endswith(
        "read-only"
    )


# the screen ------------------------------------------------------------------------------------------------------------


def test_the_list_is_shown_and_goes_on(root: Path, three: dict[str, PlayedRun]) -> None:
    async def body(app: NgccApp, pilot: Pilot[None]) -> None:
        text = await shown(app, pilot, "running on core 1, 0/11")
        assert "3 runs in" in text
        assert "interrupted at 0/11" in text
        await press(app, pilot, "down")
        three["working"].end()
        played(root, "20261134T120000Z-newer").start()
        await press(app, pilot, "f5")
        await shown(app, pilot, "4 runs in")
        await press(app, pilot, "e")
        assert isinstance(app.screen, ResultsScreen)
        assert app.screen.run.name.endswith("interrupted"), "the cursor stays on its run"

    drive(NgccApp.open_runs, body, runs=root)


async def shown(app: NgccApp, pilot: Pilot[None], text: str) -> str:
    for _ in range(600):
        if text in screen_text(app):
            return screen_text(app)
        await pilot.pause(0.05)
    raise AssertionError(screen_text(app))


@pytest.mark.parametrize(
    ("downs", "screen", "readonly"),
    [(0, MonitorScreen, False), (1, MonitorScreen, False), (2, ResultsScreen, None)],
)
def test_enter_watches_a_run_or_opens_the_results_of_an_ended_one(
    root: Path, three: dict[str, PlayedRun], downs: int, screen: type, readonly: bool | None
) -> None:
    async def body(app: NgccApp, pilot: Pilot[None]) -> None:
        await shown(app, pilot, "3 runs in")
        await press(app, pilot, *["j"] * downs, "enter")
        assert isinstance(app.screen, screen)
        if isinstance(app.screen, MonitorScreen):
            assert app.screen.readonly is readonly

    drive(NgccApp.open_runs, body, runs=root)


def test_m_opens_the_monitor_of_an_ended_run_too(root: Path, three: dict[str, PlayedRun]) -> None:
    async def body(app: NgccApp, pilot: Pilot[None]) -> None:
        text = await shown(app, pilot, "3 runs in")
        assert "m monitor" in text and "n new campaign" in text and "r runs" not in text
        await press(app, pilot, "j", "j", "m")
        assert isinstance(app.screen, MonitorScreen)
        assert app.screen.run.name.endswith("done") and not app.screen.readonly

    drive(NgccApp.open_runs, body, runs=root)


def test_a_run_of_somebody_else_is_watched_read_only(
    root: Path, three: dict[str, PlayedRun], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ngcctui.tui.runs.os.access", lambda path, mode: False)

    async def body(app: NgccApp, pilot: Pilot[None]) -> None:
        await shown(app, pilot, "running on core 1, 0/11, read-only")
        await press(app, pilot, "enter")
        assert isinstance(app.screen, MonitorScreen)
        assert app.screen.readonly

    drive(NgccApp.open_runs, body, runs=root)


@pytest.mark.parametrize(
    ("downs", "readonly", "said"),
    [
        (0, False, "is running on core 1, 0/11 already; enter watches it"),
        (2, False, "is done; m opens its monitor, where R starts steps anew"),
        (1, True, "this view is read-only"),
    ],
)
def test_what_cannot_be_resumed_is_told(
    root: Path, three: dict[str, PlayedRun], downs: int, readonly: bool, said: str
) -> None:
    async def body(app: NgccApp, pilot: Pilot[None]) -> None:
        await shown(app, pilot, "3 runs in")
        await press(app, pilot, *["down"] * downs, "u")
        assert [text.partition(": ")[2] for text in await told(app, pilot)] == [said]

    drive(NgccApp.open_runs, body, runs=root, readonly=readonly)


def resuming(monkeypatch: pytest.MonkeyPatch, script: str) -> list[EngineOptions]:
    """In place of the engine a program that does what `script` says; how it was asked for."""
    asked: list[EngineOptions] = []

    def argv(run: object, options: EngineOptions) -> list[str]:
        asked.append(options)
        return [sys.executable, "-c", script]

    monkeypatch.setattr("ngcctui.spawn.engine_argv", argv)
    return asked


def test_an_interrupted_run_is_resumed_and_watched(
    root: Path, three: dict[str, PlayedRun], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = resuming(monkeypatch, "pass")
    before = os.sched_getaffinity(0)

    async def body(app: NgccApp, pilot: Pilot[None]) -> None:
        await shown(app, pilot, "3 runs in")
        await press(app, pilot, "down", "u")
        assert isinstance(app.screen, MonitorScreen)
        assert app.screen.run.name.endswith("interrupted")

    drive(NgccApp.open_runs, body, runs=root)
    assert asked == [EngineOptions(resume=True)]
    assert os.sched_getaffinity(0) <= before


def test_an_engine_that_refuses_is_told(
    root: Path, three: dict[str, PlayedRun], monkeypatch: pytest.MonkeyPatch
) -> None:
    resuming(
        monkeypatch,
        "import sys; print('ngcctui: core 1 is taken by x'); sys.exit(3)",
    )

    async def body(app: NgccApp, pilot: Pilot[None]) -> None:
        await shown(app, pilot, "3 runs in")
        await press(app, pilot, "down", "u")
        for _ in range(600):
            if await told(app, pilot):
                break
            await pilot.pause(0.05)
        assert await told(app, pilot) == ["core 1 is taken by x"]

    drive(NgccApp.open_runs, body, runs=root)


def test_the_engine_gets_the_cores_that_the_view_has_left(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    allowed = os.sched_getaffinity(0)
    if len(allowed) < 2:
        pytest.skip("there is one core only")
    run = played(root, "20261130T120000Z-x").run
    seen = root / "seen"
    resuming(monkeypatch, f"import os; open({str(seen)!r}, 'w').write(str(sorted(os.sched_getaffinity(0))))")

    async def body(app: NgccApp, pilot: Pilot[None]) -> None:
        os.sched_setaffinity(0, {min(allowed)})
        engine = app.launch(run, EngineOptions())
        assert engine.process.wait(30) == 0
        assert os.sched_getaffinity(0) == {min(allowed)}

    try:
        drive(NgccApp.open_runs, body, runs=root)
    finally:
        os.sched_setaffinity(0, allowed)
    assert seen.read_text() == str(sorted(allowed))


def test_hostile_names_are_text(root: Path) -> None:
    run = played(root, "20261130T120000Z-[red]\x1b[2Jname")
    run.start()

    async def body(app: NgccApp, pilot: Pilot[None]) -> None:
        assert "-[red]\\x1b[2Jname" in await shown(app, pilot, "1 run in")

    drive(NgccApp.open_runs, body, runs=root)
    assert boot_id()
