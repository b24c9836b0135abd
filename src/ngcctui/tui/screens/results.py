"""Results: the section tables of a run, sorted and filtered, compared, exported."""

from __future__ import annotations

import os
import time
from pathlib import Path

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text
from textual import events, work
from textual.app import ComposeResult
from textual.widgets import Static

from ngcctui.data_dirs import published_systems
from ngcctui.engine.journal import utc_text
from ngcctui.engine.rundir import RunDir
from ngcctui.engine.store import Storage
from ngcctui.model.errors import NgccError
from ngcctui.overview import look
from ngcctui.report.build import build_pages
from ngcctui.report.export import export_pages
from ngcctui.report.page import Page
from ngcctui.tui.copying import into_run_or_here, write_copy
from ngcctui.tui.messages import OtherRead, PagesBuilt, Told
from ngcctui.tui.others import choices, read_other
from ngcctui.tui.screens.base import ActionScreen
from ngcctui.tui.screens.choose import ChooseScreen
from ngcctui.tui.screens.page import PageScreen
from ngcctui.tui.view import results as view
from ngcctui.tui.view.filtering import RowFilter
from ngcctui.tui.view.line import Tone, fit, shown
from ngcctui.tui.widgets.filterline import FilterLine
from ngcctui.tui.widgets.paint import text
from ngcctui.tui.widgets.table import Table


class ResultsScreen(ActionScreen):
    """The tables of a run, as they were when it was last read."""

    NAME = "results"
    DEFAULT_CSS = """
    ResultsScreen #head { height: 1; text-wrap: nowrap; }
    ResultsScreen #tabs { height: auto; max-height: 3; padding: 0 1; }
    """
    #: The section that is open at first.
    FIRST = "performance"

    def __init__(self, run: RunDir) -> None:
        super().__init__()
        self.run = run
        self._pages: tuple[Page, ...] = ()
        self._other: view.Other | None = None
        self._sheets: tuple[view.Sheet, ...] = ()
        self._drawn: view.Sheet | None = None
        self._section = self.FIRST
        self._orders: dict[str, view.Order] = {}
        self._rows: list[int] = []
        self._state = "being read"

    # what is shown

    def compose(self) -> ComposeResult:
        yield Static(id="head")
        yield Static(id="tabs")
        yield Table(self.glyphs)
        yield FilterLine()
        yield self.keybar()

    def on_mount(self) -> None:
        self._section = self.ngcc.memory.get("results.section", self.FIRST)
        self._table.focus()
        self._show_head()
        self.action_update()

    @property
    def _table(self) -> Table:
        return self.query_one(Table)

    @property
    def _number(self) -> int:
        """The open sheet's place; that of the first one to open where this run has no such sheet."""
        places = {sheet.key: n for n, sheet in enumerate(self._sheets)}
        return places.get(self._section, places.get(self.FIRST, 0))

    @property
    def sheet(self) -> view.Sheet | None:
        """The open sheet; None while the run is read."""
        return self._sheets[self._number] if self._sheets else None

    @property
    def _order(self) -> view.Order:
        """How the open sheet is sorted; until it is sorted anew as at the last start, if it has that column."""
        sheet = self.sheet
        if sheet is None:
            return view.Order()
        if sheet.key not in self._orders:
            memory = self.ngcc.memory
            head = memory.get(f"results.{sheet.key}.sort", "")
            column = sheet.heads.index(head) if head in sheet.heads else None
            descending = memory.get(f"results.{sheet.key}.descending", False)
            self._orders[sheet.key] = view.Order(column, descending and (column is not None or not head))
        return self._orders[sheet.key]

    def _show(self, cursor: int = 0) -> None:
        """Draw the open sheet; `cursor` is the row of the sheet to select."""
        sheet = self.sheet
        if sheet is None:
            return
        self._section = sheet.key
        if sheet is not self._drawn:
            self._table.fill(sheet.heads, sheet.rows, names=sheet.names, right=view.figure_columns(sheet))
            self._drawn = sheet
        order, glyphs = self._order, self.glyphs
        self._rows = view.arranged(sheet, order, RowFilter(self.query_one(FilterLine).text))
        mark = glyphs.descending if order.descending else glyphs.ascending
        self._table.show_order(self._rows, cursor, None if order.column is None else (order.column, mark))
        self._show_tabs()
        self._show_head()

    def _show_tabs(self) -> None:
        text = Text(end="", no_wrap=True)
        for row, tabs in enumerate(view.tab_rows(self._sheets, self._number, self.app.size.width - 2)):
            text.append("\n" if row else "")
            for place, (label, is_open) in enumerate(tabs):
                text.append(view.TAB_GAP if place else "")
                text.append(label, Style(bold=is_open))
        self.query_one("#tabs", Static).update(text)

    def _show_head(self) -> None:
        glyphs = self.glyphs
        total = len(self.sheet.rows) if self.sheet else 0
        count = f"{len(self._rows)} of {total} rows" if len(self._rows) != total else f"{total} rows"
        right = f"  {count if self.sheet else ''} "
        parts = [
            "results",
            self._state,
            *([f"against {self._other.name}"] if self._other else []),
            self.run.name,
        ]
        left = f" {f' {glyphs.dot} '.join(shown(part, glyphs) for part in parts)}"
        room = max(self.app.size.width - cell_len(right), 0)
        self.query_one("#head", Static).update(
            text(((fit(left, room, glyphs), Tone.TITLE), (right, Tone.PLAIN)))
        )

    def on_resize(self, event: events.Resize) -> None:
        super().on_resize(event)
        self._show_tabs()
        self._show_head()

    def _selected(self) -> int | None:
        """The row of the sheet that the cursor is on."""
        cursor = self._table.cursor_row
        return self._rows[cursor] if 0 <= cursor < len(self._rows) else None

    # reading

    @work(thread=True, exclusive=True, group="read", exit_on_error=False)
    def action_update(self) -> None:
        try:
            overview = look(self.run)
            pages = tuple(build_pages(self.run))
            self.post_message(PagesBuilt(pages, overview.word, overview.working, utc_text(time.time_ns())))
        except NgccError as error:
            self.post_message(Told(str(error), "error"))

    def on_pages_built(self, message: PagesBuilt) -> None:
        self._pages = message.pages
        self._state = message.word
        if message.running:
            self._state += f", read {message.utc[11:19]} UTC"
        self._rebuild()

    def on_other_read(self, message: OtherRead) -> None:
        self._other = message.other
        self._section = view.COMPARE
        self._rebuild()
        if self.sheet is not None and self.sheet.key != view.COMPARE:
            self.post_message(Told("nothing of this run has figures on both sides", "warning"))

    def _rebuild(self) -> None:
        cursor = self._selected()
        self._sheets = view.sheets(self._pages, self._other)
        self._show(cursor or 0)

    # actions

    def action_next_section(self) -> None:
        self._go(1)

    def action_previous_section(self) -> None:
        self._go(-1)

    def _go(self, by: int) -> None:
        if self._sheets:
            self._section = self._sheets[(self._number + by) % len(self._sheets)].key
            self.ngcc.memory.put("results.section", self._section)
            self._show()

    def action_filter(self) -> None:
        self.query_one(FilterLine).open(self._table)

    def on_filter_line_changed(self, message: FilterLine.Changed) -> None:
        self._show(self._selected() or 0)

    def action_sort(self) -> None:
        if self.sheet is not None:
            self._sort(self._order.next(len(self.sheet.heads)))

    def action_reverse(self) -> None:
        self._sort(view.Order(self._order.column, not self._order.descending))

    def on_table_chosen(self) -> None:
        self.action_row()

    def on_table_head_clicked(self, message: Table.HeadClicked) -> None:
        again = message.column == self._order.column
        self._sort(view.Order(message.column, again and not self._order.descending))

    def _sort(self, order: view.Order) -> None:
        if self.sheet is None:
            return
        self._orders[self.sheet.key] = order
        head = "" if order.column is None else self.sheet.heads[order.column]
        self.ngcc.memory.put(f"results.{self.sheet.key}.sort", head)
        self.ngcc.memory.put(f"results.{self.sheet.key}.descending", order.descending)
        self._show(self._selected() or 0)

    def action_row(self) -> None:
        number = self._selected()
        if self.sheet is not None and number is not None:
            lines = [shown(line, self.glyphs) for line in view.row_lines(self.sheet, number)]
            self.app.push_screen(PageScreen(self.sheet.label, lines))

    def action_compare(self) -> None:
        published = published_systems(os.environ, Path.cwd())
        found = choices(self.run, self._pages, published, self.ngcc.options.runs_root)

        def answered(said: str | None) -> None:
            if said:
                self._read_other(said)
            elif said is not None:
                self._other = None
                self._rebuild()

        self.app.push_screen(ChooseScreen("compare with", found), answered)

    @work(thread=True, exclusive=True, group="other", exit_on_error=False)
    def _read_other(self, value: str) -> None:
        try:
            self.post_message(OtherRead(read_other(value, self._pages)))
        except NgccError as error:
            self.post_message(Told(str(error), "error"))

    @work(thread=True, exclusive=True, group="export", exit_on_error=False)
    def action_export(self) -> None:
        if not self._pages:
            return

        def write(directory: Path) -> list[Path]:
            return export_pages(self._pages, directory, Storage())

        try:
            paths = into_run_or_here(self.run, self.ngcc.options.readonly, write)
        except NgccError as error:
            self.post_message(Told(str(error), "error"))
            return
        kinds = ", ".join(f"*{suffix}" for suffix in dict.fromkeys(path.suffix for path in paths))
        self.post_message(Told(f"exported {len(paths)} files ({kinds}) below {paths[0].parents[1]}"))

    def action_copy(self) -> None:
        number = self._selected()
        if self.sheet is None or number is None:
            return
        said = view.row_text(self.sheet, number)
        try:
            path = write_copy(self.run, self.ngcc.options.readonly, said)
        except NgccError as error:
            self.post_message(Told(str(error), "error"))
            return
        self.app.copy_to_clipboard(said)
        self.post_message(Told(f"copied; also in {path}"))
