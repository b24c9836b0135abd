"""A list to choose one thing from."""

from __future__ import annotations

from collections.abc import Sequence

from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from ngcctui.tui.screens.base import ActionModal
from ngcctui.tui.view.line import Line, Tone, shown
from ngcctui.tui.widgets.lines import Lines

#: Rows of the list at most; more scroll.
_ROWS = 12


class ChooseScreen(ActionModal):
    """Shows labels; the result is the value of the chosen one, None for Esc."""

    NAME = "choose"

    def __init__(self, title: str, choices: Sequence[tuple[str, str]], selected: int = 0) -> None:
        """`choices` are pairs of value and label."""
        super().__init__()
        self._title = title
        self._choices = tuple(choices)
        self._selected = selected

    def compose(self) -> ComposeResult:
        with Vertical(id="box", classes="list"):
            yield Static(Text(self._title, Style(bold=True)))
            yield Lines(id="list")
            yield Static(Text("enter takes it   esc goes back"))

    def on_mount(self) -> None:
        glyphs = self.ngcc.glyphs
        lines: list[Line] = [((shown(label, glyphs), Tone.PLAIN),) for _, label in self._choices]
        rows = self.query_one(Lines)
        rows.styles.height = min(max(len(lines), 1), _ROWS)
        rows.show(lines, self._selected)
        rows.focus()

    def action_accept(self) -> None:
        if self._choices:
            self.dismiss(self._choices[self.query_one(Lines).cursor][0])
        else:
            self.dismiss(None)

    def action_close(self) -> None:
        self.dismiss(None)
