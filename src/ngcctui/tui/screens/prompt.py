"""One line to type in, checked before it is taken."""

from __future__ import annotations

from collections.abc import Callable

from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input, Static

from ngcctui.model.errors import NgccError
from ngcctui.tui.screens.base import ActionModal
from ngcctui.tui.view.line import shown


class PromptScreen(ActionModal):
    """Asks for a text; the result is the text, None for Esc.

    `check` raises an error (one line) for a text that cannot be taken; the operator then goes on typing.
    """

    NAME = "prompt"

    def __init__(self, title: str, hint: str, value: str, check: Callable[[str], object]) -> None:
        super().__init__()
        self._title = title
        self._hint = hint
        self._value = value
        self._check = check

    def compose(self) -> ComposeResult:
        glyphs = self.ngcc.glyphs
        with Vertical(id="box", classes="list"):
            yield Static(Text(shown(self._title, glyphs), Style(bold=True)))
            yield Static(Text(shown(self._hint, glyphs)), id="hint")
            yield Input(self._value, compact=True, select_on_focus=False)
            yield Static(Text("enter takes it   esc goes back"))

    def on_mount(self) -> None:
        line = self.query_one(Input)
        line.cursor_blink = False
        line.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_accept()

    def action_accept(self) -> None:
        text = self.query_one(Input).value
        try:
            self._check(text)
        except NgccError as error:
            self.query_one("#hint", Static).update(
                Text(shown(str(error), self.ngcc.glyphs), Style(color="red"))
            )
            return
        self.dismiss(text)

    def action_close(self) -> None:
        self.dismiss(None)
