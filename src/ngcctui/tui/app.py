"""The terminal program: which screen is shown, what leaves it, and what holds on all screens."""

from __future__ import annotations

import contextlib
import gc
import os
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import App, SystemCommand
from textual.driver import Driver
from textual.filter import LineFilter, Monochrome, NoColor
from textual.screen import Screen

from ngcctui.console import one_line
from ngcctui.engine.rundir import RunDir
from ngcctui.engine.runstate import done_total
from ngcctui.engine.state import Follower
from ngcctui.model.errors import NgccError
from ngcctui.overview import Overview
from ngcctui.paths import state_home
from ngcctui.tui.actions import actions_of, keys_of, shown_key
from ngcctui.tui.bindings import bindings
from ngcctui.tui.config import Options, Settings
from ngcctui.tui.driver import TerminalDriver
from ngcctui.tui.follow import keep_off
from ngcctui.tui.glyphs import ASCII, UNICODE
from ngcctui.tui.memory import Memory
from ngcctui.tui.messages import RunChanged, RunTrouble, Told
from ngcctui.tui.plainly import PlainFilter
from ngcctui.tui.screens.base import ActionScreen
from ngcctui.tui.snapshot import RunSnapshot

if TYPE_CHECKING:
    from ngcctui.spawn import Engine, EngineOptions

#: A second Ctrl-C within so many seconds leaves.
TWICE_S = 3.0

#: By then the first picture is drawn, seconds.
SETTLED_S = 2.0


def settle() -> None:
    """Look for garbage again, but never in what was there at the start (`start` has turned it off)."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()


class NgccApp(App[None]):
    """The screens over runs; `start` opens the first one (Runs when there is none).

    `farewell` is what to print on the terminal behind the view; `memory` keeps small values for the next start.
    """

    TITLE = "ngcctui"
    CSS_PATH = Path(__file__).with_name("style.tcss")
    BINDINGS = bindings("app")

    def __init__(
        self,
        options: Options,
        settings: Settings,
        start: Callable[[NgccApp], object] | None = None,
        driver_class: type[Driver] | None = None,
    ) -> None:
        super().__init__(driver_class=driver_class)
        self.options = options
        self.settings = settings
        self.glyphs = ASCII if options.ascii else UNICODE
        self.memory = Memory(state_home(os.environ) / "view.json", keep=not options.readonly)
        self.farewell = ""
        self._start = start or NgccApp.open_runs
        self._allowed = frozenset(os.sched_getaffinity(0))
        self._interrupted_at = float("-inf")
        self._plain = PlainFilter(options.ascii)
        self._seen: RunSnapshot | None = None
        self._left_core: int | None = None

    def on_mount(self) -> None:
        self.theme = self.options.theme
        self.set_keymap(self.settings.keys)
        self.app_resume_signal.subscribe(self, lambda app: self.action_redraw())
        self.set_timer(SETTLED_S, settle)
        self._start(self)
        if self.memory.trouble:
            self.on_told(Told(self.memory.trouble, "warning"))

    @property
    def allowed(self) -> frozenset[int]:
        """The cores that this program was given; the view may have left some of them since."""
        return self._allowed

    def get_line_filters(self) -> Sequence[LineFilter]:
        # Textual chose how to leave colours out before it knew the theme: as greys of 24 bits.
        filters = [NoColor() if isinstance(one, Monochrome) else one for one in super().get_line_filters()]
        return [*filters, self._plain] if self._plain.enabled else filters

    # screens

    def open_monitor(self, run: RunDir, readonly: bool = False) -> None:
        """Watch a run; nothing can be asked of it when `readonly`."""
        from ngcctui.tui.screens.monitor import MonitorScreen

        self._open(MonitorScreen(run, readonly or self.options.readonly))

    def open_results(self, run: RunDir) -> None:
        """Show the tables of a run above the current screen; Esc comes back to it."""
        from ngcctui.tui.screens.results import ResultsScreen

        self.push_screen(ResultsScreen(run))

    def open_runs(self) -> None:
        """List the runs."""
        from ngcctui.tui.screens.runs import RunsScreen

        self._open(RunsScreen())

    def open_setup(self) -> None:
        """Set up a new campaign."""
        from ngcctui.tui.screens.setup import SetupScreen

        self._open(SetupScreen())

    def _open(self, screen: Screen[None]) -> None:
        """Show `screen` in the place of everything that is open."""
        self._seen = None
        self.tell_title(self.TITLE)
        while len(self.screen_stack) > 2:
            self.pop_screen()
        if len(self.screen_stack) == 2:
            self.switch_screen(screen)
        else:
            self.push_screen(screen)

    def resume_run(self, run: RunDir, retry: tuple[str, ...] = ()) -> None:
        """Start a new session of the engine on a run, with steps to start anew, and watch it; a refusal is told."""
        from ngcctui.spawn import EngineOptions

        try:
            sessions = len(Follower(run.journal).poll().sessions)
            engine = self.launch(run, EngineOptions(resume=True, retry=retry))
        except NgccError as error:
            self.on_told(Told(str(error), "error"))
            return
        self.open_monitor(run)
        threading.Thread(target=self._await, args=(run, engine, sessions), name="engine", daemon=True).start()

    def _await(self, run: RunDir, engine: Engine, sessions: int) -> None:
        from ngcctui.tui.desk import await_engine

        try:
            await_engine(run, engine, sessions)
        except NgccError as error:
            self.post_message(Told(str(error), "error"))

    def launch(self, run: RunDir, options: EngineOptions) -> Engine:
        """Start the engine of a run, on every core that this program was given and not only those the view is on."""
        from ngcctui.spawn import engine_argv, start_engine

        now = os.sched_getaffinity(0)
        with contextlib.suppress(OSError):  # some may have been taken away since
            os.sched_setaffinity(0, self._allowed)
        try:
            return start_engine(run, engine_argv(run, options))
        finally:
            with contextlib.suppress(OSError):
                os.sched_setaffinity(0, now)

    # ends

    def leave(self, message: str = "") -> None:
        """End the view with exit code 0; `message` is printed on the terminal behind it."""
        self.farewell = message
        self.exit(return_code=0)

    def end(self, code: int) -> None:
        """End the view with an exit code, from any thread and from a signal handler."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(lambda: self.exit(return_code=code))

    def _fatal_error(self) -> None:
        """End without textual's page of source lines and variables; whoever ran the app tells of the error."""
        self._close_messages_no_wait()

    @property
    def fault(self) -> Exception | None:
        """The error that ended the view; None when none did."""
        return self._exception

    # actions of all screens

    def action_leave(self) -> None:
        words = [screen.farewell() for screen in self.screen_stack if isinstance(screen, ActionScreen)]
        self.leave(next((word for word in reversed(words) if word), ""))

    async def action_quit(self) -> None:
        self.action_leave()

    def action_interrupt(self) -> None:
        now = time.monotonic()
        if now - self._interrupted_at < TWICE_S:
            self.action_leave()
        else:
            self._interrupted_at = now
            self.notify("Ctrl-C again leaves this view; a run goes on", timeout=TWICE_S, markup=False)

    async def action_back(self) -> None:
        if len(self.screen_stack) > 2:
            self.pop_screen()

    def action_help(self) -> None:
        from ngcctui.tui.screens.help import HelpScreen

        name = getattr(self.screen, "NAME", "app")
        if name not in ("help", "confirm"):
            self.push_screen(HelpScreen(name))

    def action_runs(self) -> None:
        self.open_runs()

    def action_setup(self) -> None:
        self.open_setup()

    def action_redraw(self) -> None:
        if isinstance(self._driver, TerminalDriver):
            self._driver.ask_size()
        self.screen.refresh(layout=True)

    def action_suspend(self) -> None:
        self.action_suspend_process()

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """The palette: every action that counts here, and the themes."""
        places: list[tuple[str, App[None] | Screen[object]]] = [
            (getattr(screen, "NAME", ""), screen),
            ("app", self),
        ]
        for name, place in places:
            for action in actions_of(name):
                keys = " ".join(shown_key(key) for key in keys_of(action, self.settings.keys))
                run = partial(self.run_action, action.name, default_namespace=place)
                yield SystemCommand(action.help, keys, run)
        yield SystemCommand("choose other colours", "theme", self.action_change_theme)

    # what workers tell

    def on_run_changed(self, message: RunChanged) -> None:
        """What every look at a followed run means outside of its screen: cores, title, and what is due at its end."""
        now, before = message.snapshot, self._seen
        if not now.whole:
            return  # what the run was earlier says nothing about what it is
        self._seen = now
        if now.alive and now.state.core != self._left_core:
            keep_off(
                now.state.core, self._allowed
            )  # threads that begin later are where the one is that starts them
            self._left_core = now.state.core
        done, total = done_total(now.state)
        self.tell_title(f"{now.state.campaign} {done}/{total}")
        if before is not None and before.alive and not now.alive and before.run.path == now.run.path:
            self._ended(Overview(now.run, now.state, now.exit))

    def _ended(self, overview: Overview) -> None:
        if self.settings.bell:
            self.bell()
        if self.settings.on_end and not self.options.readonly:
            from ngcctui.tui.hook import start_hook

            trouble = start_hook(self.settings.on_end, overview)
            if trouble:
                self.notify(trouble, severity="error", markup=False)

    def tell_title(self, text: str) -> None:
        """Set the terminal's title, where it has one."""
        if self.options.title and isinstance(self._driver, TerminalDriver):
            self._driver.tell_title(one_line(text))

    def on_run_trouble(self, message: RunTrouble) -> None:
        self.notify(one_line(message.text), severity="error", markup=False)

    def on_told(self, message: Told) -> None:
        self.notify(one_line(message.text), severity=message.severity, markup=False)
