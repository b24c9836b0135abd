"""A pane of lines: new ones come at the end, and what the operator reads does not jump."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events

from ngcctui.tui.bindings import bindings
from ngcctui.tui.view.line import Line, Tone
from ngcctui.tui.widgets.window import Drawn, Window

#: Cells of a label.
_LABEL = 5


class LogPane(Window):
    """Lines of text.  With `stick` the window stays at the end as long as it is there."""

    DEFAULT_CSS = "LogPane { height: 1fr; width: 100%; }"
    BINDINGS = bindings("list")

    def __init__(self, stick: bool, label: str = "", *, id: str | None = None) -> None:
        super().__init__(id=id)
        #: Stands left of the first line in the window.
        self.label = label
        self.lines: Sequence[Line] = ()
        self._stick = stick

    @property
    def count(self) -> int:
        return len(self.lines)

    def drawn_line(self, number: int) -> Drawn:
        label = f" {self.label if number == self.top else '':<{_LABEL}}"
        return ((label, Tone.TITLE), *self.lines[number]) if self.label else self.lines[number], None

    def show(self, lines: Sequence[Line], *, anew: bool = False) -> None:
        """Show `lines`: those shown before with others behind, or (`anew`) something else altogether."""
        to_end = self._stick and (anew or self.at_end)
        self.lines = lines
        self.go(self.count if to_end else 0 if anew else self.top)
        for y in range(self.size.height):
            self.look(y)

    def scroll(self, lines: int) -> None:
        """Move the window."""
        self.go(self.top + lines)

    def on_resize(self, event: events.Resize) -> None:
        self.go(self.count if self._stick else self.top)
        self.refresh()

    def action_cursor_up(self) -> None:
        self.scroll(-1)

    def action_cursor_down(self) -> None:
        self.scroll(1)

    def action_page_up(self) -> None:
        self.scroll(1 - max(self.size.height, 2))

    def action_page_down(self) -> None:
        self.scroll(max(self.size.height, 2) - 1)

    def action_scroll_top(self) -> None:
        self.go(0)

    def action_scroll_bottom(self) -> None:
        self.go(self.count)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self.scroll(3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self.scroll(-3)
