"""A question with a few answers; the safe one is selected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.style import Style
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from ngcctui.tui.screens.base import ActionModal


@dataclass(frozen=True)
class Answer:
    """An answer: the letter that gives it, its words, and what the screen returns for it."""

    key: str
    label: str
    value: str | None


class ConfirmScreen(ActionModal):
    """Asks; the result is the value of the answer, None for Esc.

    `answers[0]` is selected at the start, so it must be the one that destroys nothing.
    """

    NAME = "confirm"

    def __init__(self, question: str, details: Sequence[str], answers: Sequence[Answer]) -> None:
        super().__init__()
        self._question = question
        self._details = details
        self._answers = tuple(answers)
        self._selected = 0

    def compose(self) -> ComposeResult:
        with Vertical(id="box"):
            yield Static(Text(self._question, Style(bold=True)), id="question")
            yield Static(Text("\n".join(self._details)), id="details")
            yield Static(self._row(), id="answers")

    def _row(self) -> Text:
        text = Text()
        for number, answer in enumerate(self._answers):
            selected = number == self._selected
            mark = self.ngcc.glyphs.closed if selected else " "
            text.append(f"{mark} {answer.key} {answer.label}   ", Style(reverse=selected, bold=selected))
        return text

    def _select(self, number: int) -> None:
        self._selected = number % len(self._answers)
        self.query_one("#answers", Static).update(self._row())

    def action_previous(self) -> None:
        self._select(self._selected - 1)

    def action_next(self) -> None:
        self._select(self._selected + 1)

    def action_accept(self) -> None:
        self.dismiss(self._answers[self._selected].value)

    def action_close(self) -> None:
        self.dismiss(None)

    def on_key(self, event: events.Key) -> None:
        for answer in self._answers:
            if event.character == answer.key:
                event.stop()
                self.dismiss(answer.value)
                return
