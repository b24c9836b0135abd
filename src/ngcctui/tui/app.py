"""The terminal program: which screen is shown, what leaves it, and what holds on all screens."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

from textual.app import App
from textual.driver import Driver
from textual.screen import Screen

from ngcctui.engine.rundir import RunDir
from ngcctui.spawn import Engine, EngineOptions, engine_argv, start_engine
from ngcctui.tui.config import Options, Settings
from ngcctui.tui.follow import keep_off
from ngcctui.tui.glyphs import ASCII, UNICODE
from ngcctui.tui.messages import RunChanged, RunTrouble, Told
from ngcctui.tui.screens.base import ActionScreen, bindings

#: A second Ctrl-C within so many seconds leaves.
TWICE_S = 3.0


class NgccApp(App[None]):
    """The screens over runs; `start` opens the first one (Runs when there is none)."""

    TITLE = "ngcctui"
    CSS_PATH = Path(__file__).with_name("style.tcss")
    ENABLE_COMMAND_PALETTE = True
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
        self.farewell = ""
        self._start = start or NgccApp.open_runs
        self._allowed = frozenset(os.sched_getaffinity(0))
        self._interrupted_at = float("-inf")

    def on_mount(self) -> None:
        self.theme = self.options.theme
        if self.settings.keys:
            self.set_keymap(self.settings.keys)
        self._start(self)

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
        while len(self.screen_stack) > 2:
            self.pop_screen()
        if len(self.screen_stack) == 2:
            self.switch_screen(screen)
        else:
            self.push_screen(screen)

    def launch(self, run: RunDir, options: EngineOptions) -> Engine:
        """Start the engine of a run, on every core that this program was given and not only those the view is on."""
        now = os.sched_getaffinity(0)
        os.sched_setaffinity(0, self._allowed)
        try:
            return start_engine(run, engine_argv(run, options))
        finally:
            os.sched_setaffinity(0, now)

    def leave(self, message: str = "") -> None:
        """End the view with exit code 0; `message` is printed on the terminal behind it."""
        self.farewell = message
        self.exit(return_code=0)

    def end(self, code: int) -> None:
        """End the view with an exit code, from any thread and from a signal handler."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(lambda: self.exit(return_code=code))

    # actions of all screens

    def action_leave(self) -> None:
        words = [screen.farewell() for screen in self.screen_stack if isinstance(screen, ActionScreen)]
        self.leave(next((word for word in reversed(words) if word), ""))

    def action_interrupt(self) -> None:
        now = time.monotonic()
        if now - self._interrupted_at < TWICE_S:
            self.action_leave()
        else:
            self._interrupted_at = now
            self.notify("Ctrl-C again leaves this view; a run goes on", timeout=TWICE_S, markup=False)

    def action_back(self) -> None:
        if len(self.screen_stack) > 2:
            self.pop_screen()

    def action_help(self) -> None:
        from ngcctui.tui.screens.help import HelpScreen

        name = getattr(self.screen, "NAME", "app")
        if name != "help":
            self.push_screen(HelpScreen(name))

    def action_runs(self) -> None:
        self.open_runs()

    def action_setup(self) -> None:
        self.open_setup()

    def action_palette(self) -> None:
        self.action_command_palette()

    def action_redraw(self) -> None:
        self.refresh(layout=True)

    def action_suspend(self) -> None:
        self.action_suspend_process()

    # what workers tell

    def on_run_changed(self, message: RunChanged) -> None:
        if message.snapshot.alive:
            keep_off(message.snapshot.state.core, self._allowed)

    def on_run_trouble(self, message: RunTrouble) -> None:
        self.notify(message.text, severity="error", markup=False)

    def on_told(self, message: Told) -> None:
        self.notify(message.text, severity=message.severity, markup=False)  # type: ignore[arg-type]
