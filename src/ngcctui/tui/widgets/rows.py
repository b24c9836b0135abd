"""The rows of the monitor: a window on a board that draws only lines which have changed.

Textual's DataTable draws all of itself whenever one cell changes; at a look a second that is most of what a viewer costs.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from textual import events
from textual.message import Message

from ngcctui.tui.bindings import bindings
from ngcctui.tui.view.board import Board
from ngcctui.tui.view.line import Tone
from ngcctui.tui.widgets.window import Drawn, Window


class RowsView(Window):
    """Shows a board.  Whoever changes the board says which lines to look at; equal lines are not drawn again."""

    DEFAULT_CSS = "RowsView { height: 1fr; width: 100%; }"
    BINDINGS = bindings("list")

    @dataclass
    class Moved(Message):
        """The cursor is elsewhere, or other rows or columns are in the window now."""

    @dataclass
    class Clicked(Message):
        """The row of the cursor was clicked."""

    def __init__(self, board: Board) -> None:
        super().__init__()
        self.board = board

    @property
    def count(self) -> int:
        return len(self.board.items) or 1

    def drawn_line(self, number: int) -> Drawn:
        if not self.board.items:
            hint = "  no row matches the filter" if self.board.order.pattern else ""
            return ((hint, Tone.DIM),), None
        line, cursor = self.board.line(number, self.top)
        return (*line, (self._thumb(number - self.top), line[-1][1])), cursor

    def _thumb(self, y: int) -> str:
        """The last cell of a line: where the window is in the whole."""
        height = self.size.height
        if self.count <= height:
            return " "
        size = max(1, height * height // self.count)
        start = round((height - size) * self.top / (self.count - height))
        return self.board.glyphs.full if start <= y < start + size else " "

    def look_at(self, numbers: Iterable[int] | None) -> None:
        """Draw those of the lines that show something else now; None: look at all, their number may have changed."""
        if numbers is None:
            self._keep_in_sight()
            numbers = range(self.top, self.top + self.size.height)
        for number in numbers:
            self.look(number - self.top)

    def move(self, lines: int = 0, columns: int = 0) -> None:
        """Move the cursor, and the window with it."""
        before = self.board.cursor
        other_columns = self.board.move(lines, columns)
        self._keep_in_sight()
        self.look_at(None if other_columns else (before, self.board.cursor))
        self.post_message(self.Moved())

    def _keep_in_sight(self) -> None:
        """Scroll so that the cursor is in the window, and above the first row the head of its scheme."""
        height = max(self.size.height, 1)
        cursor = self.board.cursor
        if cursor < self.top:
            self.go(0 if cursor == 1 else cursor)
        else:
            self.go(max(self.top, cursor - height + 1))

    def on_resize(self, event: events.Resize) -> None:
        self.board.resize(event.size.width)
        self._keep_in_sight()
        self.refresh()
        self.post_message(self.Moved())

    def action_cursor_up(self) -> None:
        self.move(-1)

    def action_cursor_down(self) -> None:
        self.move(1)

    def action_cursor_left(self) -> None:
        self.move(columns=-1)

    def action_cursor_right(self) -> None:
        self.move(columns=1)

    def _page(self, way: int) -> None:
        """Move window and cursor by a page, up (-1) or down (1)."""
        lines = way * max(self.size.height - 1, 1)
        self.go(self.top + lines)
        self.move(lines)

    def action_page_up(self) -> None:
        self._page(-1)

    def action_page_down(self) -> None:
        self._page(1)

    def action_scroll_top(self) -> None:
        self.move(-self.count)

    def action_scroll_bottom(self) -> None:
        self.move(self.count)

    # The mouse, which nothing needs.

    def on_click(self, event: events.Click) -> None:
        number = event.y + self.top
        if number < self.count:
            again = number == self.board.cursor
            self.move(number - self.board.cursor)
            if again:
                self.post_message(self.Clicked())

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self.move(3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self.move(-3)
