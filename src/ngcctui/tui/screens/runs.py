"""Runs: all that are there, newest first; watch one, go on with one, or open its results."""

from __future__ import annotations

from rich.text import Text
from textual.app import ComposeResult
from textual.message import Message
from textual.widgets import Static

from ngcctui.console import one_line
from ngcctui.durations import clock
from ngcctui.model.errors import ExitCode
from ngcctui.tui.follow import Poller
from ngcctui.tui.messages import RunsListed
from ngcctui.tui.runs import RunList, RunRow
from ngcctui.tui.screens.base import ActionScreen
from ngcctui.tui.view.line import shown
from ngcctui.tui.widgets.table import Table

#: Looks of a followed run for each look at all of them.
_SLOWER = 5
_COLUMNS = ("run", "state", "system", "started (UTC)", "length", "size")


def cells(row: RunRow, dash: str) -> tuple[str, ...]:
    """What the row shows."""
    length = dash if row.length_s is None else clock(row.length_s)
    started = row.started_utc[:16].replace("T", " ") or dash
    word = row.word if row.ours or not row.working else f"{row.word}, read-only"
    return row.run.name, word, row.system or dash, started, length, size_text(row.size)


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


class RunsScreen(ActionScreen):
    """The list of runs."""

    NAME = "runs"

    def compose(self) -> ComposeResult:
        yield Static("", id="head", markup=False)
        yield Table(self.glyphs)
        yield self.keybar()

    def on_mount(self) -> None:
        self._rows: tuple[RunRow, ...] = ()
        self._table = self.query_one(Table)
        self._table.fill(_COLUMNS, ())
        self._table.focus()
        options = self.ngcc.options
        self._lister = RunLister(RunList(options.runs_root), self, options.refresh_s * _SLOWER)
        self._lister.start()

    def on_unmount(self) -> None:
        self._lister.stop()

    def on_runs_listed(self, message: RunsListed) -> None:
        chosen = self._chosen()
        self._rows = message.rows
        paths = [row.run.path for row in self._rows]
        cursor = paths.index(chosen.run.path) if chosen is not None and chosen.run.path in paths else 0
        self._table.fill(_COLUMNS, [cells(row, self.glyphs.dash) for row in self._rows])
        self._table.show_order(range(len(paths)), cursor)
        count = len(self._rows)
        head = f" {count} run{'s' if count != 1 else ''} in {self.ngcc.options.runs_root}"
        self.query_one("#head", Static).update(Text(shown(head, self.glyphs)))

    def _chosen(self) -> RunRow | None:
        """The run under the cursor."""
        place = self._table.cursor_row
        return self._rows[place] if 0 <= place < len(self._rows) else None

    def action_open(self) -> None:
        row = self._chosen()
        if row is not None and row.ended and not row.working:
            self.ngcc.open_results(row.run)
        elif row is not None:
            self.ngcc.open_monitor(row.run, readonly=not row.ours)

    def action_monitor(self) -> None:
        row = self._chosen()
        if row is not None:
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
            return f"is {row.word}; m opens its monitor, where R starts steps anew"
        if self.ngcc.options.readonly:
            return "this view is read-only"
        return "" if row.ours else "belongs to another user"

    def action_refresh(self) -> None:
        self._lister.poke()
