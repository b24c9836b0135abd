"""A window on many lines, drawn line by line; what is scrolled is ours, because textual lays out anew for it."""

from __future__ import annotations

from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from ngcctui.tui.view.line import Line
from ngcctui.tui.widgets.paint import strip

_REVERSE = Style(reverse=True)
#: A line, and the cells in it (start, end) that are shown reversed.
Drawn = tuple[Line, tuple[int, int] | None]


class Window(Widget, can_focus=True):
    """Shows the lines from `top` on of the `count` that `drawn_line` gives."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.top = 0
        #: Lines drawn so far: what a look at the run costs the terminal.
        self.drawn = 0
        self._shown: dict[int, Drawn] = {}

    @property
    def count(self) -> int:
        """How many lines there are."""
        raise NotImplementedError

    def drawn_line(self, number: int) -> Drawn:
        """Line `number`, as wide as it is; the window cuts it."""
        raise NotImplementedError

    @property
    def at_end(self) -> bool:
        """True when the last line is in the window."""
        return self.top + self.size.height >= self.count

    def go(self, top: int) -> bool:
        """Show the lines from `top` on, or from the last possible one; True when they are others than before."""
        top = max(0, min(top, self.count - self.size.height))
        if top == self.top:
            return False
        self.top = top
        self._shown.clear()
        self.refresh()
        return True

    def look(self, y: int) -> None:
        """Draw line `y` of the window if it shows something else now."""
        if 0 <= y < self.size.height and self._shown.get(y) != self._at(y):
            self.refresh(Region(0, y, self.size.width, 1))

    def _at(self, y: int) -> Drawn:
        number = y + self.top
        return self.drawn_line(number) if number < self.count else ((), None)

    def render_line(self, y: int) -> Strip:
        """One line of the window."""
        self.drawn += 1
        line, cells = self._shown[y] = self._at(y)
        drawn = strip(line, self.size.width)
        if cells is None:
            return drawn
        start, end = (min(cell, drawn.cell_length) for cell in cells)
        middle = drawn.crop(start, end).apply_style(_REVERSE)
        return Strip.join([drawn.crop(0, start), middle, drawn.crop(end)])
