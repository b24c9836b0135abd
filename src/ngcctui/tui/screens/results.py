"""Results: the section tables of a run."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.widgets import Static

from ngcctui.engine.rundir import RunDir
from ngcctui.tui.screens.base import ActionScreen


class ResultsScreen(ActionScreen):
    """The tables of a run."""

    NAME = "results"

    def __init__(self, run: RunDir) -> None:
        super().__init__()
        self.run = run

    def compose(self) -> ComposeResult:
        yield Static(f"results of {self.run.name}", markup=False)
        yield self.keybar()
