"""What the monitor's rows show: the grid with filter, order, folded groups, cursor and marks.  Knows no screen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ngcctui.engine.runstate import RunState, StepState
from ngcctui.tui.glyphs import Glyphs
from ngcctui.tui.view.cells import Moment, operation_title
from ngcctui.tui.view.columns import MARGIN, layout
from ngcctui.tui.view.filtering import RowFilter
from ngcctui.tui.view.grid import BUILD, KAT, NAME, SHARE, Column, Grid, Row, RowKey
from ngcctui.tui.view.line import Line, Span, Tone, choose, fit, fit_name, shown

#: A shown line: a row, or (with None) the head of its scheme.
Item = tuple[str, str | None]


@dataclass(frozen=True)
class Order:
    """How rows are picked and ordered; `sort` None is the order of the run."""

    pattern: str = ""
    sort: Column | None = None
    reverse: bool = False
    folded: frozenset[str] = frozenset()


def arrange(grid: Grid, order: Order) -> list[Item]:
    """The lines to show, in order; the head of a scheme stands over those of its rows that the filter leaves."""
    fits = RowFilter(order.pattern)
    items: list[Item] = []
    for scheme, keys in grid.groups.items():
        rows = [grid.rows[key] for key in keys]
        if order.pattern:
            rows = [row for row in rows if fits(row.searched)]
        if not rows:
            continue
        items.append((scheme, None))
        if scheme not in order.folded:
            items += [row.key for row in _sorted(rows, order)]
    return items


def _sorted(rows: list[Row], order: Order) -> Sequence[Row]:
    if order.sort is None:
        return rows[::-1] if order.reverse else rows
    ranked = [(row.rank(order.sort), row) for row in rows]
    known = sorted(
        (pair for pair in ranked if not pair[0][0]), key=lambda pair: pair[0][1], reverse=order.reverse
    )
    return [row for _, row in known] + [row for rank, row in ranked if rank[0]]


class Board:
    """The rows as they are shown: which lines, where the cursor is, what is marked, and each line's text."""

    def __init__(self, glyphs: Glyphs) -> None:
        self.glyphs = glyphs
        self.grid = Grid()
        self.order = Order()
        self.items: list[Item] = []
        self.marks: set[RowKey] = set()
        self.cursor = 0
        self.column: Column = NAME
        self.algorithms: dict[str, str] = {}
        self._width = 80
        self._first = 0
        self.layout = layout(80, 8, 0, False)
        self._wanted: tuple[str, bool] | None = None

    # what is shown ------------------------------------------------------------------------------------------------

    def update(self, state: RunState, moment: Moment, *, all_rows: bool = False) -> set[int] | None:
        """Take a look at the run; returns the numbers of the lines that changed, None when all may have."""
        algorithms, self.algorithms = self.algorithms, state.algorithms
        changed = self.grid.update(state, moment, all_rows=all_rows)
        if changed is None:
            self._lay_out()
            self._order_as_wanted()
        elif not changed and algorithms is state.algorithms:
            return set()
        if (
            changed is None
            or self.order.pattern
            or self.order.sort is not None
            or algorithms != state.algorithms
        ):
            before = self.items
            self._arrange()
            if changed is None or before != self.items:
                return None
        return {number for number, item in enumerate(self.items) if item in changed}

    def reorder(self, order: Order) -> None:
        """Show other lines or another order."""
        self.order = order
        self._arrange()

    def sort_by_cursor(self) -> None:
        """Sort by the column of the cursor; if that is so already, go back to the order of the run."""
        same = self.order.sort == self.column
        self.reorder(replace(self.order, sort=None if same else self.column, reverse=False))

    @property
    def order_name(self) -> str:
        """The column that rows are sorted by, as it is called in any run; empty for the order of the run.

        Schemes have different operations in it: that of the scheme under the cursor counts, where it has one.
        """
        column = self.order.sort
        if not isinstance(column, int):
            return column or ""
        operations = self.grid.operations
        here = operations.get(self.current[0], ()) if self.current is not None else ()
        return next((names[column] for names in (here, *operations.values()) if column < len(names)), "")

    def want_order(self, name: str, reverse: bool) -> None:
        """Sort by the column called `name` as soon as a run is there; not at all when it has none of that name."""
        self._wanted = name, reverse

    def _order_as_wanted(self) -> None:
        if self._wanted is None:
            return
        (name, reverse), self._wanted = self._wanted, None
        places = [names.index(name) for names in self.grid.operations.values() if name in names]
        column: Column | None = name if name in (NAME, BUILD, KAT, SHARE) else min(places, default=None)
        if column is not None or not name:
            self.order = replace(self.order, sort=column, reverse=reverse)

    def _arrange(self) -> None:
        at = self.current
        self.items = arrange(self.grid, self.order)
        if at in self.items:
            self.cursor = self.items.index(at)
        elif at is not None and (at[0], None) in self.items and at[0] in self.order.folded:
            self.cursor = self.items.index((at[0], None))
        elif at is None and len(self.items) > 1:
            self.cursor = 1  # the first row, below the head of its scheme
        self.cursor = max(0, min(self.cursor, len(self.items) - 1))

    def resize(self, width: int) -> bool:
        """Fit the columns to a new width; True when they changed."""
        before, self._width = self.layout, width
        self._lay_out()
        return before != self.layout

    def _lay_out(self) -> None:
        names = max((len(key[1]) for key in self.grid.rows), default=8)
        self.layout = layout(self._width, names, self.grid.columns, self.grid.profiled, self._first)
        if self.column not in self.columns:
            self.column = NAME

    # cursor and marks ---------------------------------------------------------------------------------------------

    @property
    def current(self) -> Item | None:
        """The line under the cursor."""
        return self.items[self.cursor] if self.cursor < len(self.items) else None

    @property
    def row(self) -> Row | None:
        """The row under the cursor; None on the head of a scheme."""
        item = self.current
        return self.grid.rows.get((item[0], item[1])) if item is not None and item[1] is not None else None

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns that the cursor can be in, from left to right: those in sight, and all operations."""
        there = self.layout.shown
        return (
            *(c for c in (NAME, BUILD, KAT) if c in there),
            *range(self.grid.columns),
            *(c for c in (SHARE,) if c in there),
        )

    def move(self, lines: int = 0, columns: int = 0) -> bool:
        """Move the cursor; True when other columns are shown now."""
        self.cursor = max(0, min(self.cursor + lines, len(self.items) - 1))
        every = self.columns
        self.column = every[max(0, min(every.index(self.column) + columns, len(every) - 1))]
        if self.column in self.layout.shown or not columns:
            return False
        if isinstance(self.column, int):
            shown_operations = [c for c in self.layout.shown if isinstance(c, int)]
            behind = self.column - max(len(shown_operations), 1) + 1
            self._first = self.column if self.column < min(shown_operations, default=0) else max(behind, 0)
        before = self.layout
        self._lay_out()
        return before != self.layout

    def toggle_mark(self) -> set[int]:
        """Mark or unmark the row, or all rows of the scheme under the cursor; returns the lines that changed."""
        item = self.current
        if item is None:
            return set()
        if item[1] is not None:
            keys = {(item[0], item[1])}
        else:
            shown_keys = {key for key in self.items if key[0] == item[0] and key[1] is not None}
            keys = {
                (scheme, name) for scheme, name in shown_keys or self.grid.groups[item[0]] if name is not None
            }
        self.marks = self.marks - keys if keys <= self.marks else self.marks | keys
        return {number for number, entry in enumerate(self.items) if entry in keys or entry == item}

    def clear_marks(self) -> set[int]:
        """Take all marks away; returns the lines that changed."""
        marked, self.marks = self.marks, set()
        return {number for number, item in enumerate(self.items) if item in marked or item[1] is None}

    def toggle_fold(self) -> None:
        """Hide or show the rows of the scheme under the cursor."""
        if self.current is not None:
            self.reorder(replace(self.order, folded=self.order.folded ^ {self.current[0]}))

    def targets(self) -> tuple[StepState, ...]:
        """The steps that skip and retry act on: those of the cursor's column, in the marked rows or else its own.

        In the column of the names these are all steps of a row; on the head of a scheme those of all its rows.
        """
        item = self.current
        keys: Iterable[RowKey] = (key for key in self.grid.rows if key in self.marks)
        if not self.marks:
            if item is None:
                return ()
            keys = [(item[0], item[1])] if item[1] is not None else self.grid.groups[item[0]]
        return tuple(step for key in keys for step in self.grid.rows[key].steps(self.column))

    # lines --------------------------------------------------------------------------------------------------------

    def header(self, top: int) -> Line:
        """The heads of the columns, those of the operations as the scheme of line `top` calls them."""
        titles = self._titles(self.items[top][0]) if top < len(self.items) else ()
        text = " " * MARGIN
        for column, width in self.layout.columns:
            label = str(column)
            if isinstance(column, int):
                label = titles[column] if column < len(titles) else ""
            if column == self.order.sort:
                label += self.glyphs.descending if self.order.reverse else self.glyphs.ascending
            text += self._padded((label,), column, width)
        return ((text, Tone.TITLE),)

    def _titles(self, scheme: str) -> tuple[str, ...]:
        return tuple(operation_title(name) for name in self.grid.operations.get(scheme, ()))

    def line(self, number: int, top: int) -> tuple[Line, tuple[int, int] | None]:
        """Line `number` while line `top` is the first on the screen, and the cells of the cursor (start, end) in it."""
        item = self.items[number]
        here = number == self.cursor
        cursor = self.glyphs.cursor if here else " "
        if item[1] is None:
            return self._group(item[0], cursor, top), self._cursor_cells() if here else None
        row = self.grid.rows[(item[0], item[1])]
        mark = self.glyphs.tick if row.key in self.marks else " "
        spans: list[Span] = [(cursor + mark, Tone.PLAIN)]
        for column, width in self.layout.columns:
            if column == NAME:
                _add(spans, fit_name(row.key[1], width - 1, self.glyphs) + " ", Tone.PLAIN)
                continue
            cell = row.cell(column)
            texts = tuple(self.glyphs.text(text) for text in cell.texts)
            _add(spans, self._padded(texts, column, width), cell.tone)
        return tuple(spans), self._cursor_cells() if here else None

    def _padded(self, texts: tuple[str, ...], column: Column, width: int) -> str:
        """The widest of `texts` that fits into a column; all columns but the last end in a blank."""
        if column == self.layout.columns[-1][0]:
            return choose(texts, width, self.glyphs)
        return choose(texts, width - 1, self.glyphs) + " "

    def _cursor_cells(self) -> tuple[int, int] | None:
        start = MARGIN
        for column, width in self.layout.columns:
            if column == self.column:
                last = column == self.layout.columns[-1][0]
                return start, start + (width if last else max(width - 1, 1))
            start += width
        return None

    def _group(self, scheme: str, cursor: str, top: int) -> Line:
        """The head of a scheme: its name, and its operations where they are others than those in the table's head."""
        glyphs = self.glyphs
        keys = self.grid.groups[scheme]
        folded = scheme in self.order.folded
        marked = sum(key in self.marks for key in keys)
        counts = f" ({marked} marked)" if marked else f" ({len(keys)})" if folded else ""
        title = f"{scheme}{counts} {shown(self.algorithms.get(scheme, ''), glyphs)}".rstrip()
        titles = self._titles(scheme)
        same = titles == self._titles(self.items[top][0])
        width = sum(
            size
            for column, size in self.layout.columns
            if same or isinstance(column, str) and column != SHARE
        )
        text = cursor + (glyphs.closed if folded else glyphs.open) + fit(title, width - 1, glyphs) + " "
        for column, size in self.layout.columns if not same else ():
            if isinstance(column, int):
                text += self._padded((titles[column] if column < len(titles) else "",), column, size)
            elif column == SHARE:
                text += " " * size
        return ((text, Tone.TITLE),)


def _add(spans: list[Span], text: str, tone: Tone) -> None:
    """Add a piece; a piece of the same tone before it takes it up: fewer pieces are fewer bytes on the line."""
    if spans and (spans[-1][1] is tone or not text.strip()):
        spans[-1] = (spans[-1][0] + text, spans[-1][1])
    else:
        spans.append((text, tone))
