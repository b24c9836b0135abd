"""A table that does not change by itself: textual's DataTable with the keys of our lists and text that is only text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text
from textual.widgets import DataTable

from ngcctui.tui.bindings import bindings
from ngcctui.tui.glyphs import Glyphs
from ngcctui.tui.view.line import fit, shown

#: A wider cell is cut with an ellipsis; `enter` shows all of it.
MAX_CELLS = 48


class Table(DataTable[Text], inherit_bindings=False):
    """Rows of text under heads, with a cursor on a whole row."""

    DEFAULT_CSS = "Table { height: 1fr; scrollbar-size: 0 0; }"
    BINDINGS = bindings("list")

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__(cursor_type="row", cell_padding=1)
        self._glyphs = glyphs

    def fill(
        self,
        heads: Sequence[str],
        rows: Iterable[Sequence[str]],
        *,
        names: int = 1,
        right: Iterable[int] = (),
        cursor: int = 0,
    ) -> None:
        """Show other rows under other heads.

        The first `names` columns stay in sight when the rest is scrolled; columns in `right` are set to the right;
        `cursor` is the row to select.
        """
        self.clear(columns=True)
        self.fixed_columns = names
        to_the_right = set(right)
        for head in heads:
            self.add_column(Text(self._cell(head), Style(bold=True)))
        for cells in rows:
            self.add_row(
                *(
                    Text(
                        self._cell(cell), justify="right" if column in to_the_right else "left", no_wrap=True
                    )
                    for column, cell in enumerate(cells)
                )
            )
        if self.row_count:
            self.move_cursor(row=min(cursor, self.row_count - 1))

    def action_cursor_right(self) -> None:
        """Bring the next column to the names."""
        self.scroll_to(x=next((x for x in self._starts() if x > self.scroll_x), None), animate=False)

    def action_cursor_left(self) -> None:
        """Bring the previous column to the names."""
        self.scroll_to(x=max((x for x in self._starts() if x < self.scroll_x), default=0), animate=False)

    def _starts(self) -> list[int]:
        """How far to scroll so that each column stands behind the names, in cells."""
        widths = [column.get_render_width(self) for column in self.ordered_columns[self.fixed_columns :]]
        return [sum(widths[:number]) for number in range(len(widths))]

    def _cell(self, cell: str) -> str:
        text = shown(cell, self._glyphs)
        return fit(text, MAX_CELLS, self._glyphs) if cell_len(text) > MAX_CELLS else text
