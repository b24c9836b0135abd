"""The schemes and their instances as a tree with marks."""

from __future__ import annotations

from collections.abc import Sequence

from ngcctui.tui.glyphs import Glyphs
from ngcctui.tui.view.line import Line, Tone, fit, shown
from ngcctui.tui.view.setup import Marked, TreeRow
from ngcctui.tui.widgets.lines import Lines

#: Cells for the key of a scheme; a longer one is cut.
_KEY_CELLS = 12


def tree_line(row: TreeRow, width: int, glyphs: Glyphs) -> Line:
    """A row of the tree in `width` cells."""
    if row.broken:
        return ((fit(f"  {shown(row.key, glyphs)}: {shown(row.note, glyphs)}", width, glyphs), Tone.BAD),)
    mark = {Marked.ALL: glyphs.marked, Marked.SOME: glyphs.half}.get(row.state, glyphs.unmarked)
    tone = Tone.PLAIN if row.marked else Tone.DIM
    if row.instance:
        return ((fit(f"    {mark} {shown(row.instance, glyphs)}", width, glyphs), tone),)
    fold = glyphs.open if row.open else glyphs.closed
    count = f" {row.marked}/{len(row.places)}"
    name = f"{fold} {mark} {fit(shown(row.key, glyphs), _KEY_CELLS, glyphs)} {shown(row.note, glyphs)}"
    return ((fit(name, width - len(count), glyphs), Tone.TITLE if row.marked else Tone.PLAIN), (count, tone))


class MarksTree(Lines):
    """Rows of the tree; what they mean is the screen's."""

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__(id="tree")
        self._glyphs = glyphs
        self.rows: tuple[TreeRow, ...] = ()

    def show_rows(self, rows: Sequence[TreeRow]) -> None:
        """Show other rows; the cursor stays on the scheme or instance it was on, where that is still shown."""
        before = self.selected
        self.rows = tuple(rows)
        cursor = None
        if before is not None:
            same = [
                n for n, row in enumerate(rows) if (row.key, row.instance) == (before.key, before.instance)
            ]
            head = [n for n, row in enumerate(rows) if row.key == before.key]
            cursor = next(iter(same + head), None)
        self._paint(cursor)

    @property
    def selected(self) -> TreeRow | None:
        """The row of the cursor."""
        return self.rows[self.cursor] if self.cursor < len(self.rows) else None

    def on_resize(self) -> None:
        self._paint(None)

    def _paint(self, cursor: int | None) -> None:
        width = self.size.width
        self.show([tree_line(row, width, self._glyphs) for row in self.rows], cursor)
