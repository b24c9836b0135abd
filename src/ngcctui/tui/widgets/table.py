"""A table of text under heads: thousands of rows are sorted and filtered without being made anew.

Textual's DataTable builds every cell again when the order changes, which takes seconds for 3000 rows.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from ngcctui.tui.bindings import bindings
from ngcctui.tui.glyphs import Glyphs
from ngcctui.tui.view.line import Line, Span, Tone, fit, shown
from ngcctui.tui.widgets.paint import strip

#: A wider cell is cut with an ellipsis.
MAX_CELLS = 48
_GAP = "  "


def cell_text(cell: str, glyphs: Glyphs) -> str:
    """A cell as it is drawn: every character visible, at most 48 cells wide."""
    text = shown(cell, glyphs)
    return fit(text, MAX_CELLS, glyphs) if cell_len(text) > MAX_CELLS else text


class Table(Widget, can_focus=True):
    """Shows some rows of a table in some order; the first columns stay in sight while others are brought up."""

    DEFAULT_CSS = "Table { height: 1fr; width: 100%; }"
    BINDINGS = bindings("list")

    @dataclass
    class Chosen(Message):
        """The row of the cursor was chosen with the mouse."""

    @dataclass
    class HeadClicked(Message):
        """A head was chosen with the mouse."""

        column: int

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__()
        self._glyphs = glyphs
        self._heads: tuple[str, ...] = ()
        self._rows: Sequence[Sequence[str]] = ()
        self._widths: list[int] = []
        self._names = 0
        self._right: frozenset[int] = frozenset()
        self._order: Sequence[int] = ()
        self._mark: tuple[int, str] | None = None
        self._left = 0
        self._top = 0
        self.cursor_row = 0

    # what is shown

    def fill(
        self,
        heads: Sequence[str],
        rows: Sequence[Sequence[str]],
        *,
        names: int = 1,
        right: Collection[int] = (),
        cursor: int = 0,
    ) -> None:
        """Show other rows, the cursor on row `cursor`.

        The first `names` columns stay in sight; columns in `right` are set to the right.
        """
        if self._heads != tuple(heads):
            self._left = 0
        self._heads, self._rows = tuple(heads), rows
        self._names, self._right = names, frozenset(right)
        longest = [
            max((cell_len(cell_text(cells[column], self._glyphs)) for cells in rows), default=0)
            for column in range(len(heads))
        ]
        self._widths = [max(size, cell_len(head)) for size, head in zip(longest, heads, strict=True)]
        self.show_order(range(len(rows)), cursor)

    def show_order(self, order: Sequence[int], cursor: int = 0, mark: tuple[int, str] | None = None) -> None:
        """Show the rows with these numbers in this order, the cursor on the row with number `cursor`.

        `mark` is a column and the glyph that tells how it is sorted.
        """
        self._order, self._mark = order, mark
        self.cursor_row = order.index(cursor) if cursor in order else 0
        self._bring_up()
        self.refresh()

    @property
    def row_count(self) -> int:
        """How many rows are shown."""
        return len(self._order)

    def cells(self, place: int) -> tuple[str, ...]:
        """The cells of the row at a place, as they are drawn."""
        return tuple(cell_text(cell, self._glyphs) for cell in self._rows[self._order[place]])

    # drawing

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        place = self._top + y - 1
        if y == 0:
            before = self._glyphs.before if self._left else " "
            return strip(self._line(self._head_cells(), Tone.TITLE, before), width).apply_style(
                self.rich_style
            )
        if place >= len(self._order):
            return Strip.blank(width, self.rich_style)
        under = Style(reverse=True) if place == self.cursor_row and self.has_focus else None
        return strip(self._line(self.cells(place), Tone.PLAIN), width, under).apply_style(self.rich_style)

    def _head_cells(self) -> list[str]:
        heads = [shown(head, self._glyphs) for head in self._heads]
        if self._mark is not None and self._mark[0] < len(heads):
            heads[self._mark[0]] += f" {self._mark[1]}"
        return heads

    def _line(self, cells: Sequence[str], tone: Tone, before: str = " ") -> Line:
        """One line; `before` stands at its left end.  What is cut ends in an ellipsis: half a figure is another one."""
        pieces: list[Span] = [(before, tone)]
        room = self.size.width - 1
        for column in self._columns():
            size = min(self._width(column), max(room, 0))
            mark = self._glyphs.ellipsis
            cut = (
                cell_len(cells[column]) > size <= len(mark)
            )  # not even one character would stay before the mark
            text = mark[:size] if cut else fit(cells[column], size, self._glyphs)
            if column in self._right:
                text = text.rstrip().rjust(len(text))
            pieces += [(text, tone), (_GAP, Tone.PLAIN)]
            room -= self._width(column) + len(_GAP)
        return tuple(pieces)

    def _width(self, column: int) -> int:
        """Cells of a column; the mark of the order needs room behind its head."""
        marked = self._mark is not None and self._mark[0] == column
        return max(self._widths[column], cell_len(self._heads[column]) + 2 if marked else 0)

    def _columns(self) -> list[int]:
        """The columns in sight: the names, then those from the one that was brought up."""
        return [*range(self._names), *range(self._names + self._left, len(self._heads))]

    def _bring_up(self) -> None:
        """Move the window so that the cursor is in it."""
        height = max(self.size.height - 1, 1)
        top = min(max(self._top, self.cursor_row - height + 1), self.cursor_row)
        top = max(min(top, len(self._order) - height), 0)
        if top != self._top:
            self._top = top
            self.refresh()

    def _go(self, place: int) -> None:
        before = self.cursor_row
        self.cursor_row = max(min(place, len(self._order) - 1), 0)
        self._bring_up()
        for row in (before, self.cursor_row):
            self.refresh(Region(0, row - self._top + 1, self.size.width, 1))

    # actions

    def action_cursor_up(self) -> None:
        self._go(self.cursor_row - 1)

    def action_cursor_down(self) -> None:
        self._go(self.cursor_row + 1)

    def action_cursor_left(self) -> None:
        self._bring(self._left - 1)

    def action_cursor_right(self) -> None:
        self._bring(self._left + 1)

    def action_page_up(self) -> None:
        self._go(self.cursor_row - max(self.size.height - 2, 1))

    def action_page_down(self) -> None:
        self._go(self.cursor_row + max(self.size.height - 2, 1))

    def action_scroll_top(self) -> None:
        self._go(0)

    def action_scroll_bottom(self) -> None:
        self._go(len(self._order) - 1)

    def _bring(self, left: int) -> None:
        self._left = max(min(left, len(self._heads) - self._names - 1), 0)
        self.refresh()

    # events

    def on_resize(self) -> None:
        self._bring_up()

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()

    def on_mouse_scroll_down(self) -> None:
        self.action_cursor_down()

    def on_mouse_scroll_up(self) -> None:
        self.action_cursor_up()

    def on_click(self, event: events.Click) -> None:
        if event.y:
            place = self._top + event.y - 1
            if place == self.cursor_row and self._order:
                self.post_message(self.Chosen())
            self._go(place)
            return
        end = 1
        for column in self._columns():
            end += self._width(column) + len(_GAP)
            if event.x < end:
                self.post_message(self.HeadClicked(column))
                return
