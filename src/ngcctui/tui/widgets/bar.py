"""A few lines that stay where they are; a line that says what it said before is not drawn again."""

from __future__ import annotations

from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from ngcctui.tui.view.line import Line
from ngcctui.tui.widgets.paint import strip


class Bar(Widget):
    """A fixed number of lines."""

    DEFAULT_CSS = "Bar { height: 1; width: 100%; }"

    def __init__(self, count: int = 1, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.styles.height = count
        self._lines: tuple[Line, ...] = ((),) * count
        #: Lines drawn so far: what a look at the run costs the terminal.
        self.drawn = 0

    def show(self, *lines: Line) -> None:
        """Show other lines; those that say something else are drawn."""
        before, self._lines = self._lines, lines
        changed = [y for y, line in enumerate(lines) if y >= len(before) or line != before[y]]
        if changed:
            self.refresh(*(Region(0, y, self.size.width, 1) for y in changed))

    def text(self) -> str:
        """What is shown, without tones."""
        return "\n".join("".join(text for text, _ in line) for line in self._lines)

    def render_line(self, y: int) -> Strip:
        """One of the lines."""
        self.drawn += 1
        return strip(self._lines[y] if y < len(self._lines) else (), self.size.width)
