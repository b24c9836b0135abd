"""Runs: all that are there, newest first; watch one, go on with one, or open its results."""

from __future__ import annotations

from textual import work
from textual.app import ComposeResult
from textual.widgets import DataTable, Static

from ngcctui.tui.messages import RunsListed
from ngcctui.tui.runs import RunRow, rows
from ngcctui.tui.screens.base import ActionScreen


class RunsScreen(ActionScreen):
    """The list of runs."""

    NAME = "runs"

    def __init__(self) -> None:
        super().__init__()
        self._rows: tuple[RunRow, ...] = ()

    def compose(self) -> ComposeResult:
        yield Static("runs", markup=False)
        yield DataTable(cursor_type="row")
        yield self.keybar()

    def on_mount(self) -> None:
        self.query_one(DataTable).add_columns("run", "state")
        self.action_refresh()

    @work(thread=True, exclusive=True, exit_on_error=False)
    def action_refresh(self) -> None:
        self.post_message(RunsListed(rows(self.ngcc.options.runs_root)))

    def on_runs_listed(self, message: RunsListed) -> None:
        self._rows = message.rows
        table = self.query_one(DataTable)
        table.clear()
        for row in message.rows:
            table.add_row(row.run.name, row.word, key=row.run.name)
