"""The rows of the monitor: a window on a board that draws only lines which have changed.

Textual's DataTable draws all of itself whenever one cell changes; at a look a second that is most of what a viewer costs.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from ngcctui.tui.bindings import bindings
from ngcctui.tui.view.board import Board
from ngcctui.tui.view.line import Line
from ngcctui.tui.widgets.paint import strip

#: A line, the cells of the cursor in it, and the cell behind it.
_Drawn = tuple[Line, tuple[int, int] | None, str]
_REVERSE = Style(reverse=True)


class RowsView(ScrollView, can_focus=True):
    """Shows a board.  Whoever changes the board says which lines to look at; equal lines are not drawn again."""

    DEFAULT_CSS = "RowsView { height: 1fr; width: 100%; scrollbar-size: 0 0; overflow: hidden; }"
    BINDINGS = bindings("list")

    @dataclass
    class Moved(Message):
        """The cursor is elsewhere, or other rows or columns are in the window now."""

    @dataclass
    class Clicked(Message):
        """A row was chosen with the mouse."""

    def __init__(self, board: Board) -> None:
        super().__init__()
        self.board = board
        #: Lines drawn so far: what a look at the run costs the terminal.
        self.drawn = 0
        self._shown: dict[int, _Drawn] = {}

    # drawing ------------------------------------------------------------------------------------------------------

    @property
    def top(self) -> int:
        """The first line in the window."""
        return self.scroll_offset.y

    def _line(self, number: int) -> _Drawn:
        line, cursor = self.board.line(number, self.top)
        return line, cursor, self._thumb(number - self.top)

    def _thumb(self, y: int) -> str:
        """The last cell of a line: where the window is in the whole."""
        total, height = len(self.board.items), self.size.height
        if total <= height or height < 1:
            return " "
        size = max(1, height * height // total)
        start = round((height - size) * self.top / (total - height))
        return self.board.glyphs.full if start <= y < start + size else " "

    def render_line(self, y: int) -> Strip:
        number = y + self.top
        width = self.size.width
        self.drawn += 1
        if number >= len(self.board.items):
            return Strip.blank(width)
        line, cursor, thumb = self._shown[number] = self._line(number)
        return _with_cursor(strip((*line, (thumb, line[-1][1])), width), cursor)

    def look_at(self, numbers: Iterable[int] | None) -> None:
        """Draw those of the lines that show something else now; None: look at all, their number may have changed."""
        if numbers is None:
            size = Size(self.size.width, len(self.board.items))
            if size != self.virtual_size:
                self.virtual_size = size
            self._keep_in_sight()
            numbers = range(self.top, self.top + self.size.height)
        window = range(self.top, self.top + self.size.height)
        for number in numbers:
            if number in window and self._differs(number):
                self.refresh(Region(0, number - self.top, self.size.width, 1))

    def _differs(self, number: int) -> bool:
        before = self._shown.get(number)
        if number >= len(self.board.items):
            return self._shown.pop(number, None) is not None
        return before is None or before != self._line(number)

    # moving -------------------------------------------------------------------------------------------------------

    def move(self, lines: int = 0, columns: int = 0) -> None:
        """Move the cursor, and the window with it."""
        before = self.board.cursor
        scrolled = self.board.move(lines, columns)
        self._keep_in_sight()
        self.look_at(None if scrolled else (before, self.board.cursor))
        self.post_message(self.Moved())

    def _keep_in_sight(self) -> None:
        """Scroll so that the cursor is in the window, and the head of its scheme where that is the line above."""
        height = max(self.size.height, 1)
        cursor = self.board.cursor
        top = self.top
        if cursor < top:
            top = cursor - 1 if cursor == 1 else cursor
        elif cursor >= top + height:
            top = cursor - height + 1
        top = max(0, min(top, len(self.board.items) - height))
        if top != self.top:
            self._shown.clear()
            self.scroll_to(y=top, animate=False, force=True)

    def on_resize(self, event: events.Resize) -> None:
        self._shown.clear()
        self.board.resize(event.size.width)
        self.look_at(None)
        self.post_message(self.Moved())

    def action_cursor_up(self) -> None:
        self.move(-1)

    def action_cursor_down(self) -> None:
        self.move(1)

    def action_cursor_left(self) -> None:
        self.move(columns=-1)

    def action_cursor_right(self) -> None:
        self.move(columns=1)

    def action_page_up(self) -> None:
        self.move(1 - max(self.size.height, 2))

    def action_page_down(self) -> None:
        self.move(max(self.size.height, 2) - 1)

    def action_scroll_top(self) -> None:
        self.move(-len(self.board.items))

    def action_scroll_bottom(self) -> None:
        self.move(len(self.board.items))

    # the mouse, which nothing needs -------------------------------------------------------------------------------

    def on_click(self, event: events.Click) -> None:
        number = event.y + self.top
        if number < len(self.board.items):
            here = number == self.board.cursor
            self.move(number - self.board.cursor)
            if here:
                self.post_message(self.Clicked())

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self.move(3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self.move(-3)


def _with_cursor(line: Strip, cells: tuple[int, int] | None) -> Strip:
    """The line with the cells of the cursor reversed, which every terminal can show."""
    if cells is None:
        return line
    start, end = (min(cell, line.cell_length) for cell in cells)
    return Strip.join([line.crop(0, start), line.crop(start, end).apply_style(_REVERSE), line.crop(end)])
