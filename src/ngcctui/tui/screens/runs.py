"""Runs: all that are there, newest first; watch one, go on with one, or open its results."""

from __future__ import annotations

from rich.text import Text
from textual.app import ComposeResult
from textual.message import Message
from textual.widgets import DataTable, Static

from ngcctui.console import one_line
from ngcctui.durations import clock
from ngcctui.model.errors import ExitCode
from ngcctui.tui.bindings import bindings
from ngcctui.tui.follow import Poller
from ngcctui.tui.messages import RunsListed
from ngcctui.tui.runs import RunList, RunRow
from ngcctui.tui.screens.base import ActionScreen

#: Looks of a followed run for each look at all of them.
_SLOWER = 5
_COLUMNS = ("run", "state", "system", "started (UTC)", "length", "size")


def cells(row: RunRow, dash: str) -> tuple[str, ...]:
    """What the row shows, safe to draw."""
    length = dash if row.length_s is None else clock(row.length_s)
    started = row.started_utc[:16].replace("T", " ") or dash
    word = row.word if row.ours or not row.working else f"{row.word}, read-only"
    return tuple(one_line(text) for text in (row.run.name, word, row.system or dash, started, length, size_text(row.size)))


def size_text(size: int) -> str:
    """Bytes in KiB, MiB or GiB, rounded up to a whole one below ten MiB."""
    for unit, bytes_ in (("GiB", 1 << 30), ("MiB", 1 << 20)):
        if size >= 10 * bytes_:
            return f"{size / bytes_:.0f} {unit}"
    return f"{-(-size // 1024)} KiB"


class RunLister(Poller):
    """Looks at all runs and posts the list when it has changed."""

    def __init__(self, runs: RunList, target: ActionScreen, every_s: float) -> None:
        super().__init__(target, every_s)
        self._runs = runs
        self._last: tuple[RunRow, ...] | None = None

    def look(self) -> Message | None:
        rows = self._runs.rows()
        if rows == self._last:
            return None
        self._last = rows
        return RunsListed(rows)


class RunTable(DataTable[Text], inherit_bindings=False):
    """The list; its keys are those of all lists."""

    BINDINGS = bindings("list")


class RunsScreen(ActionScreen):
    """The list of runs."""

    NAME = "runs"

    def compose(self) -> ComposeResult:
        yield Static("", id="head", markup=False)
        yield RunTable(cursor_type="row")
        yield self.keybar()

    def on_mount(self) -> None:
        self._rows: dict[str, RunRow] = {}
        self._table = self.query_one(RunTable)
        for column in _COLUMNS:
            self._table.add_column(column, key=column)
        options = self.ngcc.options
        self._lister = RunLister(RunList(options.runs_root), self, options.refresh_s * _SLOWER)
        self._lister.start()

    def on_unmount(self) -> None:
        self._lister.stop()

    def on_runs_listed(self, message: RunsListed) -> None:
        rows = {str(row.run.path): row for row in message.rows}
        count = len(rows)
        head = f"{count} run{'s' if count != 1 else ''} in {self.ngcc.options.runs_root}"
        self.query_one("#head", Static).update(Text(one_line(head)))
        if list(rows) != list(self._rows):
            self._fill(rows)
        else:
            self._update(rows)
        self._rows = rows

    def _fill(self, rows: dict[str, RunRow]) -> None:
        """Draw all rows anew; the cursor stays on its run."""
        chosen = self._chosen()
        self._table.clear()
        for key, row in rows.items():
            self._table.add_row(*map(Text, cells(row, self.glyphs.dash)), key=key)
        if chosen is not None and str(chosen.run.path) in rows:
            self._table.move_cursor(row=self._table.get_row_index(str(chosen.run.path)))

    def _update(self, rows: dict[str, RunRow]) -> None:
        dash = self.glyphs.dash
        for key, row in rows.items():
            before, after = cells(self._rows[key], dash), cells(row, dash)
            for column, old, new in zip(_COLUMNS, before, after, strict=True):
                if old != new:
                    self._table.update_cell(key, column, Text(new), update_width=True)

    def _chosen(self) -> RunRow | None:
        """The run under the cursor."""
        keys = list(self._rows)
        place = self._table.cursor_row
        return self._rows[keys[place]] if 0 <= place < len(keys) else None

    def on_data_table_row_selected(self) -> None:
        """A click on the row that the cursor is on."""
        self.action_open()

    def action_open(self) -> None:
        row = self._chosen()
        if row is not None and row.ended and not row.working:
            self.ngcc.open_results(row.run)
        elif row is not None:
            self.ngcc.open_monitor(row.run, readonly=not row.ours)

    def action_results(self) -> None:
        row = self._chosen()
        if row is not None:
            self.ngcc.open_results(row.run)

    def action_resume(self) -> None:
        row = self._chosen()
        if row is None:
            return
        why = self._why_not(row)
        if why:
            self.notify(one_line(f"{row.run.name}: {why}"), severity="warning", markup=False)
        else:
            self.ngcc.resume_run(row.run)

    def _why_not(self, row: RunRow) -> str:
        """Why the run cannot be resumed from here; empty when it can."""
        if row.working:
            return f"is {row.word} already; enter watches it"
        if row.exit in (ExitCode.DONE, ExitCode.FAILURES):
            return f"is {row.word}; open it and retry single steps"
        if self.ngcc.options.readonly:
            return "this view is read-only"
        return "" if row.ours else "belongs to another user"

    def action_refresh(self) -> None:
        self._lister.poke()
