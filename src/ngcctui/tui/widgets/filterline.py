"""The line in which a filter is typed; rows follow every letter."""

from __future__ import annotations

from dataclasses import dataclass

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Static

from ngcctui.tui.bindings import bindings


class _Line(Input):
    """The focus moves within the key that ends the line, so that the next one is not typed into it."""

    async def action_submit(self) -> None:
        line = self.parent
        if isinstance(line, FilterLine):
            line.leave()


class FilterLine(Horizontal):
    """Hidden until `open`; Enter keeps the filter and closes the line when the filter is empty, Esc clears it."""

    DEFAULT_CSS = """
    FilterLine { height: 1; display: none; }
    FilterLine.open { display: block; }
    FilterLine Static { width: auto; }
    FilterLine Input { width: 1fr; }
    FilterLine #how { display: none; }
    FilterLine.typing #how { display: block; }
    """
    BINDINGS = bindings("filter")

    @dataclass
    class Changed(Message):
        """The filter is another one now."""

        text: str

    def __init__(self, back_to: Widget | None = None) -> None:
        super().__init__()
        self._back_to = back_to

    def compose(self) -> ComposeResult:
        yield Static(Text("filter "))
        yield _Line(compact=True, select_on_focus=False)
        yield Static(Text(" enter keeps it   esc clears it "), id="how")

    @property
    def _input(self) -> Input:
        return self.query_one(Input)

    @property
    def text(self) -> str:
        """The filter as it stands."""
        return self._input.value

    def open(self, back_to: Widget) -> None:
        """Show the line and type in it; the focus returns to `back_to`."""
        self._back_to = back_to
        self._input.cursor_blink = False
        self.add_class("open")
        self._input.focus()

    def on_descendant_focus(self) -> None:
        self.add_class("typing")

    def on_descendant_blur(self) -> None:
        self.remove_class("typing")

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self.post_message(self.Changed(event.value))

    def action_clear(self) -> None:
        """Show everything again."""
        self._input.value = ""
        self.leave()

    def leave(self) -> None:
        """End typing: the focus goes back, and an empty line is hidden."""
        self.set_class(bool(self.text), "open")
        self.screen.set_focus(self._back_to)
