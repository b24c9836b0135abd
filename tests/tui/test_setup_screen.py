"""The setup screen under a pilot: marks, fields, files, the host, and the launch of an engine that is scripted."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from host_trees import CPU, smt_server
from textual.pilot import Pilot
from textual.worker import WorkerFailed
from tui.pilot_kit import drive, paste, press, screen_text, settled, told

import ngcctui.tui.desk
from ngcctui.catalog import find_campaign
from ngcctui.cli import main
from ngcctui.engine.control import request
from ngcctui.engine.host.findings import findings
from ngcctui.engine.host.fix_script import fix_script
from ngcctui.engine.rundir import RunDir, list_runs
from ngcctui.model.campaign import HostPolicy, load_campaign
from ngcctui.model.errors import ExitCode
from ngcctui.tui.app import NgccApp
from ngcctui.tui.screens.host import SCRIPT
from ngcctui.tui.screens.monitor import MonitorScreen
from ngcctui.tui.screens.setup import SetupScreen

FAKE_ENGINE = Path(__file__).parents[1] / "engine" / "fake_engine.py"


@pytest.fixture(autouse=True)
def place(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty working directory and nothing of the operator's; its path is short, so that it is shown whole."""
    with TemporaryDirectory(prefix="ngcc-") as name:
        path = Path(name)
        for variable in ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
            monkeypatch.setenv(variable, str(path / variable))
        (path / "here").mkdir()
        with monkeypatch.context() as here:
            here.chdir(path / "here")
            yield path


@pytest.fixture
def host(place: Path) -> Path:
    """A machine in the measuring state."""
    root = place / "host"
    tree = smt_server(root, cores=1)
    for cpu in range(2):
        tree.put(f"{CPU}/cpu{cpu}/topology/thread_siblings_list", cpu)
    return root


@pytest.fixture
def unfit(host: Path) -> Path:
    """The same machine with its turbo on."""
    (host / f"{CPU}/intel_pstate/no_turbo").write_text("0\n")
    return host


Body = Callable[[NgccApp, SetupScreen, "Pilot[None]"], Any]


def at_setup(root: Path, place: Path, body: Body, **options: Any) -> None:
    """Drive an app that begins at the setup of a machine."""

    async def work(app: NgccApp, pilot: Pilot[None]) -> None:
        screen = app.screen
        assert isinstance(screen, SetupScreen)
        await body(app, screen, pilot)

    drive(lambda app: app.push_screen(SetupScreen(root)), work, runs=place / "runs", **options)


async def retype(app: NgccApp, pilot: Pilot[None], text: str) -> str:
    """Put other text into the open line and end it."""
    await paste(app, pilot, text)
    return await press(app, pilot, "enter")


async def mark_only(app: NgccApp, pilot: Pilot[None], text: str) -> None:
    """Unmark everything, and mark what the filter `text` shows."""
    await press(app, pilot, "A", "slash")
    await paste(app, pilot, text)
    await press(app, pilot, "enter", "a")


def marked(screen: SetupScreen) -> set[str]:
    return {name for _, name in screen.draft.marks}


class TestMarks:
    def test_it_begins_as_quick(self, host: Path, place: Path) -> None:
        async def body(app: NgccApp, screen: SetupScreen, pilot: Pilot[None]) -> None:
            assert screen.campaign() == find_campaign("quick", os.environ, Path.cwd())
            text = screen_text(app)
            for words in (
                "● OPSsig-128",
                "○ pseudohash-512",
                "instances 5, operations 15",
                "host: core 1, fit",
            ):
                assert words in text
            assert text.splitlines()[-1].rstrip().endswith("? help   q quit")

        at_setup(host, place, body)

    def test_marks_follow_the_keys(self, host: Path, place: Path) -> None:
        async def body(app: NgccApp, screen: SetupScreen, pilot: Pilot[None]) -> None:
            before = marked(screen)
            assert "nothing is marked" in await press(app, pilot, "A")
            await press(app, pilot, "i")
            everything = marked(screen)
            assert everything > before
            await press(app, pilot, "i", "a")
            assert marked(screen) == everything
            await press(app, pilot, "A", "home", "space")
            assert marked(screen) == {n for n in everything if n.startswith(("sm3", "pseudo"))}
            await press(app, pilot, "home", "space")
            assert marked(screen) == set()
            await press(app, pilot, "home", "down", "space", "space")
            assert marked(screen) == {"pseudoXOF-256", "pseudoXOF-512"}

        at_setup(host, place, body)

    def test_a_filter_narrows_what_keys_act_on_and_is_cleared_by_esc(self, host: Path, place: Path) -> None:
        async def body(app: NgccApp, screen: SetupScreen, pilot: Pilot[None]) -> None:
            await press(app, pilot, "A", "slash", *"opssig-1", "enter")
            text = await press(app, pilot, "a")
            assert marked(screen) == {"OPSsig-128"}
            assert "filter opssig-1" in text and "iccs" not in text
            assert "iccs" in await press(app, pilot, "slash", "escape")
            assert "filter" not in screen_text(app).splitlines()[-3]

        at_setup(host, place, body)

    def test_enter_folds_a_scheme_and_the_cursor_stays_on_it(self, host: Path, place: Path) -> None:
        async def body(app: NgccApp, screen: SetupScreen, pilot: Pilot[None]) -> None:
            assert "OPSsig-128" not in await press(
                app, pilot, "slash", *"ops", "enter", "slash", "escape", "enter"
            )
            assert "▸ ● sign-17" in screen_text(app)
            assert "OPSsig-128" in await press(app, pilot, "enter")

        at_setup(host, place, body)

    def test_in_ascii_nothing_else_is_drawn(self, host: Path, place: Path) -> None:
        async def body(app: NgccApp, screen: SetupScreen, pilot: Pilot[None]) -> None:
            text = screen_text(app)
            assert "v [x] sign-17" in text and "[ ] pseudohash-512" in text and "v [-] iccs" in text

        at_setup(host, place, body, ascii=True)

    def test_a_scheme_that_cannot_be_loaded_and_a_hostile_name_are_shown_as_text(
        self, host: Path, place: Path
    ) -> None:
        broken, hostile = place / "schemes" / "sign-17", place / "schemes" / "aa"
        for directory in (broken, hostile):
            (directory / "src").mkdir(parents=True)
            (directory / "src" / "a.c").write_text("int a;\n")
        (broken / "scheme.toml").write_text("id = 5\n")
        (hostile / "scheme.toml").write_text(
            'id = "aa"\nalgorithm = "[red]x[/] \\u001b[31m \\u4e2d\\u6587 e\\u0301 [/nope]"\ncategory = "c"\n'
            'function = "signature"\n[build]\nsources = ["src/a.c"]\n[[instance]]\nname = "A-1"\n'
        )

        async def body(app: NgccApp, screen: SetupScreen, pilot: Pilot[None]) -> None:
            text = screen_text(app)
            assert "sign-17: " in text and "[red]x[/]" in text and "\x1b" not in text
            assert "id: must be a string" in await press(app, pilot, "end", "enter")
            await press(app, pilot, "escape", "a", "end", "space")
            assert ("sign-17", "OPSsig-128") not in screen.draft.marks and "A-1" in marked(screen)

        # wide enough for the path of any test in one line
        at_setup(host, place, body, schemes=place / "schemes", size=(240, 24))


class TestFields:
    async def field(self, app: NgccApp, pilot: Pilot[None], label: str) -> None:
        """Put the cursor on a field."""
        await press(app, pilot, "tab", "home")
        labels = ["name", "system", "core", "inputs", "trials", "target", "budget", "repeats", "planning",
                  "KAT records", "KAT limit", "profile", "host", "operations"]  # fmt: skip
        await press(app, pilot, *["down"] * labels.index(label))

    def test_a_number_is_typed_and_checked(self, host: Path, place: Path) -> None:
        async def body(app: NgccApp, screen: SetupScreen, pilot: Pilot[None]) -> None:
            await self.field(app, pilot, "trials")
            text = await press(app, pilot, "enter", "end", "backspace", "x", "enter")
            assert "trials: must be a whole number, not 'x'" in text
            await press(app, pilot, "backspace", "7", "enter")
            assert screen.campaign().planning.trials == 7
            await press(app, pilot, "enter", "9", "escape")
            assert screen.campaign().planning.trials == 7
            assert "trials      7" in screen_text(app)

        at_setup(host, place, body)

    def test_choices_go_round_with_space_and_enter(self, host: Path, place: Path) -> None:
        async def body(app: NgccApp, screen: SetupScreen, pilot: Pilot[None]) -> None:
            await self.field(app, pilot, "host")
            assert "host        strict" in await press(app, pilot, "space")
            assert "host        allow" in await press(app, pilot, "enter")

        at_setup(host, place, body)

    def test_operations_decide_what_is_planned(self, host: Path, place: Path) -> None:
        async def body(app: NgccApp, screen: SetupScreen, pilot: Pilot[None]) -> None:
            await self.field(app, pilot, "operations")
            await press(app, pilot, "enter")
            text = await retype(app, pilot, "sing")
            assert "operations: no scheme has one called sing" in text
            text = await retype(app, pilot, "sign")
            assert "instances 3, operations 3" in text
            assert screen.campaign().selection.operations == ("sign",)

        at_setup(host, place, body)

    def test_a_core_that_is_not_there_is_told_and_another_is_looked_at(self, host: Path, place: Path) -> None:
        async def body(app: NgccApp, screen: SetupScreen, pilot: Pilot[None]) -> None:
            await self.field(app, pilot, "core")
            await press(app, pilot, "enter")
            await retype(app, pilot, "0")
            assert "host: core 0, 1 finding" in screen_text(app)
            await press(app, pilot, "enter")
            await retype(app, pilot, "9")
            assert "core 9: this host has no such CPU" in (await told(app, pilot))[-1]

        at_setup(host, place, body)


class TestFiles:
    def test_what_is_saved_is_loaded_again(self, host: Path, place: Path) -> None:
        (Path.cwd() / "campaigns").mkdir()

        async def body(app: NgccApp, screen: SetupScreen, pilot: Pilot[None]) -> None:
            await press(app, pilot, "A", "end", "space", "s")
            await retype(app, pilot, "campaigns/mine.txt")
            assert "ends in .toml" in screen_text(app)
            await retype(app, pilot, "campaigns/mine.toml")
            saved = screen.campaign()
            assert load_campaign(Path.cwd() / "campaigns/mine.toml") == saved
            assert "saved as" in (await told(app, pilot))[-1]
            await press(app, pilot, "a", "l", "home", "enter")
            assert screen.campaign() == saved

        at_setup(host, place, body)

    def test_a_file_that_is_there_is_kept_unless_the_operator_says_so(self, host: Path, place: Path) -> None:
        (Path.cwd() / "campaigns").mkdir()
        path = Path.cwd() / "campaigns" / "quick.toml"
        path.write_text('name = "quick"\n')

        async def body(app: NgccApp, screen: SetupScreen, pilot: Pilot[None]) -> None:
            assert "is there already" in await press(app, pilot, "s", "enter")
            await press(app, pilot, "enter")
            assert path.read_text() == 'name = "quick"\n'
            await press(app, pilot, "s", "enter", "o")
            assert load_campaign(path) == screen.campaign()

        at_setup(host, place, body)

    def test_another_file_is_named_and_a_broken_one_refused(self, host: Path, place: Path) -> None:
        (place / "good.toml").write_text('name = "good"\n[selection]\nschemes = ["sign-17"]\n')
        (place / "bad.toml").write_text('name = "bad"\ncolour = 1\n')

        async def body(app: NgccApp, screen: SetupScreen, pilot: Pilot[None]) -> None:
            await press(app, pilot, "l", "end", "enter")
            await retype(app, pilot, f"{place}/bad.toml")
            assert "colour: unknown key" in " ".join(screen_text(app).split())
            await retype(app, pilot, f"{place}/good.toml")
            assert screen.campaign().name == "good"
            assert marked(screen) == {"OPSsig-128", "OPSsig-256", "OPSsig-512"}

        at_setup(host, place, body, size=(240, 24))


class TestHostAndPlan:
    def test_each_finding_is_shown_with_what_mends_it_and_a_script_is_written(
        self, unfit: Path, place: Path
    ) -> None:
        async def body(app: NgccApp, screen: SetupScreen, pilot: Pilot[None]) -> None:
            assert "host: core 1, 1 finding" in screen_text(app)
            text = await press(app, pilot, "c")
            assert "stops  turbo is on" in text
            assert "echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo" in text
            await press(app, pilot, "w")
            found = findings(unfit, 1, {0, 1})
            assert (Path.cwd() / SCRIPT).read_text() == fix_script(found)
            assert str(Path.cwd() / SCRIPT) in (await told(app, pilot))[-1]

        at_setup(unfit, place, body)

    def test_the_plan_says_on_what_it_stands(self, host: Path, place: Path) -> None:
        async def body(app: NgccApp, screen: SetupScreen, pilot: Pilot[None]) -> None:
            await mark_only(app, pilot, "OPSsig-128")
            text = await press(app, pilot, "p")
            assert "sign-17/OPSsig-128: keygen sign verify" in text
            assert "3 from figures published for x86_1" in text or "published for arm_1" in text
            assert "in all" in text
            assert "campaign" in await press(app, pilot, "escape")

        at_setup(host, place, body)


SESSION = [
    {"event": "run_start", "data": {"run": "r", "campaign": "quick", "steps": ["kat:sign-17/OPSsig-128"]}},
    {"event": "session_start", "data": {"core": 1}},
]
DONE = [
    {"event": "session_end", "data": {"reason": "stopped", "exit": 4}},
    {"exit": 4},
]


class TestLaunch:
    @pytest.fixture
    def engine(self, monkeypatch: pytest.MonkeyPatch) -> Callable[[list[dict[str, Any]]], list[RunDir]]:
        """Put a scripted engine in the place of the real one; the runs that it was started on."""

        def script(actions: list[dict[str, Any]]) -> list[RunDir]:
            started: list[RunDir] = []

            def argv(run: RunDir, options: object) -> list[str]:
                started.append(run)
                return [sys.executable, str(FAKE_ENGINE), str(run.path), json.dumps(actions)]

            monkeypatch.setattr("ngcctui.spawn.engine_argv", argv)
            return started

        return script

    def test_on_a_fit_machine_it_is_launched_and_watched(
        self, host: Path, place: Path, engine: Callable[..., list[RunDir]]
    ) -> None:
        started = engine([*SESSION, *DONE])

        async def body(app: NgccApp, screen: SetupScreen, pilot: Pilot[None]) -> None:
            await mark_only(app, pilot, "OPSsig-128")
            await press(app, pilot, "g")
            assert isinstance(app.screen, MonitorScreen)
            assert [run.name for run in started] == [run.name for run in list_runs(place / "runs")]
            campaign = started[0].campaign()
            assert campaign.selection.only == ("sign-17/OPSsig-128",)
            assert [scheme.key for scheme in started[0].schemes()] == ["sign-17"]

        at_setup(host, place, body)

    def test_on_an_unfit_machine_it_asks_once_and_the_run_says_so(
        self, unfit: Path, place: Path, engine: Callable[..., list[RunDir]]
    ) -> None:
        started = engine([{"print": "no compiler"}, {"exit": 2}])

        async def body(app: NgccApp, screen: SetupScreen, pilot: Pilot[None]) -> None:
            await self.strict(app, pilot)
            text = await press(app, pilot, "g")
            assert "turbo is on" in text and "not fit to measure" in text
            await press(app, pilot, "enter")  # the answer that changes nothing is the selected one
            assert started == [] and list_runs(place / "runs") == []
            await press(app, pilot, "g", "m")
            assert (await told(app, pilot))[-1] == "no compiler"
            await press(app, pilot, "g")
            assert len(started) == 2 and screen.campaign().host.policy is HostPolicy.STRICT

        at_setup(unfit, place, body)

    async def strict(self, app: NgccApp, pilot: Pilot[None]) -> None:
        await press(app, pilot, "tab", "end", "up", "space", "tab")

    def test_leave_of_the_operator_stands_in_the_run(
        self, unfit: Path, place: Path, engine: Callable[..., list[RunDir]]
    ) -> None:
        started = engine([*SESSION, *DONE])

        async def body(app: NgccApp, screen: SetupScreen, pilot: Pilot[None]) -> None:
            await self.strict(app, pilot)
            await press(app, pilot, "g", "m")
            assert started[0].campaign().host.policy is HostPolicy.ALLOW

        at_setup(unfit, place, body)

    def test_an_engine_that_refuses_leaves_no_run_and_its_words_are_told(
        self, host: Path, place: Path, engine: Callable[..., list[RunDir]]
    ) -> None:
        engine([{"print": "ngcctui: core 1 is [taken]"}, {"exit": 3}])

        async def body(app: NgccApp, screen: SetupScreen, pilot: Pilot[None]) -> None:
            await press(app, pilot, "g")
            assert app.screen is screen
            assert (await told(app, pilot))[-1] == "core 1 is [taken]"
            assert list_runs(place / "runs") == []
            assert "new campaign" in screen_text(app)

        at_setup(host, place, body)

    def test_an_engine_that_waits_for_its_core_is_watched_and_told_of(
        self, host: Path, place: Path, engine: Callable[..., list[RunDir]]
    ) -> None:
        engine([{"print": "core 1: waiting for process 7 (x)"}, {"wait_for": "stop"}, {"exit": 4}])

        async def body(app: NgccApp, screen: SetupScreen, pilot: Pilot[None]) -> None:
            await press(app, pilot, "g")
            assert isinstance(app.screen, MonitorScreen)
            assert "core 1: waiting for process 7 (x)" in await told(app, pilot)
            request(list_runs(place / "runs")[0], "stop")

        at_setup(host, place, body)

    def test_an_engine_that_is_slow_is_watched_all_the_same(
        self, host: Path, place: Path, engine: Callable[..., list[RunDir]], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(ngcctui.tui.desk, "FIRST_WORD_S", 0.0)
        engine([{"wait_for": "stop"}, {"exit": 4}])

        async def body(app: NgccApp, screen: SetupScreen, pilot: Pilot[None]) -> None:
            await press(app, pilot, "g")
            assert isinstance(app.screen, MonitorScreen)
            assert any("still starting" in text for text in await told(app, pilot))
            request(list_runs(place / "runs")[0], "stop")

        at_setup(host, place, body)

    def test_a_fault_of_ours_is_told_and_the_setup_goes_on(
        self, host: Path, place: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def faulty(app: NgccApp, run: RunDir, options: object) -> None:
            raise RuntimeError("a fault of [ours]")

        monkeypatch.setattr(NgccApp, "launch", faulty)

        async def body(app: NgccApp, screen: SetupScreen, pilot: Pilot[None]) -> None:
            with contextlib.suppress(
                WorkerFailed
            ):  # when it has failed before it is waited for, nobody hears of it
                await press(app, pilot, "g")
            assert "internal error: RuntimeError: a fault of [ours]" in await told(app, pilot)
            assert app.screen is screen and "new campaign" in screen_text(app)

        at_setup(host, place, body)

    def test_a_system_that_is_not_registered_is_refused_as_by_run(
        self, host: Path, place: Path, engine: Callable[..., list[RunDir]], capsys: pytest.CaptureFixture[str]
    ) -> None:
        started = engine([{"exit": 0}])
        assert main(["run", "quick", "--core", "0", "--system", "x86_11"]) == ExitCode.USAGE
        words = capsys.readouterr().err.strip()
        assert "no system 'x86_11': did you mean x86_1?" in words

        async def body(app: NgccApp, screen: SetupScreen, pilot: Pilot[None]) -> None:
            await press(app, pilot, "tab", "down", "enter")
            assert "system" in screen_text(app)
            await retype(app, pilot, "x86_11")
            assert screen.campaign().host.system == "x86_11"
            await press(app, pilot, "g")
            assert words.endswith((await told(app, pilot))[-1])
            assert app.screen is screen and "new campaign" in screen_text(app)
            assert started == [] and list_runs(place / "runs") == []

        at_setup(host, place, body)

    def test_the_name_of_another_machine_is_told_of(
        self, host: Path, place: Path, engine: Callable[..., list[RunDir]]
    ) -> None:
        started = engine([*SESSION, *DONE])

        async def body(app: NgccApp, screen: SetupScreen, pilot: Pilot[None]) -> None:
            await press(app, pilot, "tab", "down", "enter")
            await retype(app, pilot, "x86_1")
            await press(app, pilot, "g")
            assert isinstance(app.screen, MonitorScreen) and len(started) == 1
            assert any("system x86_1 is registered as" in said for said in await told(app, pilot))

        at_setup(host, place, body)

    def test_a_read_only_view_starts_nothing(
        self, host: Path, place: Path, engine: Callable[..., list[RunDir]]
    ) -> None:
        started = engine([{"exit": 0}])

        async def body(app: NgccApp, screen: SetupScreen, pilot: Pilot[None]) -> None:
            await press(app, pilot, "g")
            assert "read-only" in (await told(app, pilot))[-1]
            assert started == [] and list_runs(place / "runs") == []

        at_setup(host, place, body, readonly=True)

    def test_nothing_marked_launches_nothing(
        self, host: Path, place: Path, engine: Callable[..., list[RunDir]]
    ) -> None:
        started = engine([{"exit": 0}])

        async def body(app: NgccApp, screen: SetupScreen, pilot: Pilot[None]) -> None:
            await press(app, pilot, "A", "g")
            assert "nothing is marked" in (await told(app, pilot))[-1]
            await press(app, pilot, "p")
            assert app.screen is screen and started == []
            await settled(app, pilot)

        at_setup(host, place, body)
