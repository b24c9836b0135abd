"""Lines with a cursor: the base of the tree with marks and of the list of fields."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from ngcctui.tui.bindings import bindings
from ngcctui.tui.view.line import Line
from ngcctui.tui.widgets.paint import strip


class Lines(ScrollView, can_focus=True):
    """Shows lines and moves a cursor over them; the cursor's line is reversed while the widget has the focus."""

    DEFAULT_CSS = "Lines { height: 1fr; scrollbar-size: 0 0; }"
    BINDINGS = bindings("tree")

    @dataclass
    class Moved(Message):
        """The cursor is on another line now."""

        sender: Lines
        cursor: int

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._lines: tuple[Line, ...] = ()
        self.cursor = 0

    def show(self, lines: Sequence[Line], cursor: int | None = None) -> None:
        """Show other lines, with the cursor where it was or on `cursor`; only what differs is drawn anew."""
        before, self._lines = self._lines, tuple(lines)
        if len(before) != len(self._lines):
            self.virtual_size = Size(0, len(self._lines))
            self.refresh()
        else:
            for y, (old, new) in enumerate(zip(before, self._lines, strict=True)):
                if old != new:
                    self._draw(y)
        self._go(self.cursor if cursor is None else cursor)

    @property
    def count(self) -> int:
        """How many lines there are."""
        return len(self._lines)

    def render_line(self, y: int) -> Strip:
        """One row of the window."""
        row = y + self.scroll_offset.y
        width = self.size.width
        if row >= len(self._lines):
            return Strip.blank(width, self.rich_style)
        under = Style(reverse=True) if row == self.cursor and self.has_focus else None
        return strip(self._lines[row], width, under).apply_style(self.rich_style)

    def _draw(self, row: int) -> None:
        y = row - self.scroll_offset.y
        if 0 <= y < self.size.height:
            self.refresh(Region(0, y, self.size.width, 1))

    def _go(self, row: int) -> None:
        row = max(0, min(row, len(self._lines) - 1))
        if row != self.cursor:
            self._draw(self.cursor)
            self.cursor = row
            self._draw(row)
            self.post_message(self.Moved(self, row))
        self.scroll_to_region(Region(0, row, 1, 1), animate=False, force=True)

    def action_cursor_up(self) -> None:
        self._go(self.cursor - 1)

    def action_cursor_down(self) -> None:
        self._go(self.cursor + 1)

    def action_page_up(self) -> None:
        self._go(self.cursor - max(self.size.height - 1, 1))

    def action_page_down(self) -> None:
        self._go(self.cursor + max(self.size.height - 1, 1))

    def action_scroll_top(self) -> None:
        self._go(0)

    def action_scroll_bottom(self) -> None:
        self._go(len(self._lines) - 1)

    def on_click(self, event: events.Click) -> None:
        self._go(event.y + self.scroll_offset.y)

    def on_focus(self) -> None:
        self._draw(self.cursor)

    def on_blur(self) -> None:
        self._draw(self.cursor)
