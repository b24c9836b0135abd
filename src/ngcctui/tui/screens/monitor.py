"""Monitor: one row an instance, one column a step."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.widgets import Static

from ngcctui.engine.rundir import RunDir
from ngcctui.engine.runstate import done_total
from ngcctui.tui.follow import RunFollower
from ngcctui.tui.messages import RunChanged
from ngcctui.tui.screens.base import ActionScreen


class MonitorScreen(ActionScreen):
    """A run, followed."""

    NAME = "monitor"

    def __init__(self, run: RunDir, readonly: bool) -> None:
        super().__init__()
        self.run = run
        self.readonly = readonly
        self._campaign = ""

    def compose(self) -> ComposeResult:
        yield Static("", id="head", markup=False)
        yield self.keybar()

    def on_mount(self) -> None:
        self._follower = RunFollower(self.run, self, self.ngcc.options.refresh_s)
        self._follower.start()

    def on_unmount(self) -> None:
        self._follower.stop()

    def on_run_changed(self, message: RunChanged) -> None:
        state = message.snapshot.state
        self._campaign = state.campaign
        done, total = done_total(state)
        self.query_one("#head", Static).update(f"{state.campaign} {done}/{total} done")

    def farewell(self) -> str:
        return f"left {self._campaign}; ngcctui attach {self.run.path} comes back"
