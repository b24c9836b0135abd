"""A pane of lines: new ones come at the end, and what the operator reads does not jump."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from ngcctui.tui.bindings import bindings
from ngcctui.tui.view.line import Line
from ngcctui.tui.widgets.paint import strip


class LogPane(ScrollView):
    """Lines of text.  With `follow` the window stays at the end as long as it is there."""

    DEFAULT_CSS = "LogPane { height: 1fr; width: 100%; scrollbar-size: 0 0; overflow: hidden; }"
    BINDINGS = bindings("list")

    def __init__(self, follow: bool, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.follow = follow
        self.lines: list[Line] = []
        #: Lines drawn so far.
        self.drawn = 0
        self._shown: dict[int, Line] = {}

    @property
    def top(self) -> int:
        """The first line in the window."""
        return self.scroll_offset.y

    @property
    def at_end(self) -> bool:
        """True when the last line is in the window."""
        return self.top + self.size.height >= len(self.lines)

    def show(self, lines: Sequence[Line], *, anew: bool = False) -> None:
        """Show `lines`, which are those shown before with others behind, or (`anew`) something else altogether."""
        to_end = self.follow and (anew or self.at_end)
        self.lines = list(lines)
        self.virtual_size = Size(self.size.width, len(self.lines))
        self._go(len(self.lines) if to_end else 0 if anew else self.top)
        for y in range(self.size.height):
            if self._shown.get(y) != self._at(y):
                self.refresh(Region(0, y, self.size.width, 1))

    def _at(self, y: int) -> Line:
        number = y + self.top
        return self.lines[number] if number < len(self.lines) else ()

    def _go(self, top: int) -> None:
        top = max(0, min(top, len(self.lines) - self.size.height))
        if top != self.top:
            self.scroll_to(y=top, animate=False, force=True)

    def scroll(self, lines: int) -> None:
        """Move the window."""
        self._go(self.top + lines)

    def render_line(self, y: int) -> Strip:
        self.drawn += 1
        line = self._shown[y] = self._at(y)
        return strip(line, self.size.width)

    def on_resize(self, event: events.Resize) -> None:
        self._shown.clear()
        self._go(len(self.lines) if self.follow else self.top)

    def action_cursor_up(self) -> None:
        self.scroll(-1)

    def action_cursor_down(self) -> None:
        self.scroll(1)

    def action_page_up(self) -> None:
        self.scroll(1 - max(self.size.height, 2))

    def action_page_down(self) -> None:
        self.scroll(max(self.size.height, 2) - 1)

    def action_scroll_top(self) -> None:
        self.scroll(-len(self.lines))

    def action_scroll_bottom(self) -> None:
        self.scroll(len(self.lines))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self.scroll(3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self.scroll(-3)
