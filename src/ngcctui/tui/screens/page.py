"""A page of text above another screen; Esc goes back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

from ngcctui.tui.screens.base import ActionScreen


class PageScreen(ActionScreen):
    """A title and lines, wrapped at the width of the terminal; text from outside must have been made visible."""

    NAME: ClassVar[str] = "page"

    def __init__(self, title: str, lines: Sequence[str]) -> None:
        super().__init__()
        self._title = title
        self._lines = lines

    def compose(self) -> ComposeResult:
        glyphs = self.glyphs
        yield Static(Text(glyphs.text(self._title), Style(bold=True), no_wrap=True))
        with VerticalScroll():
            yield Static(Text(glyphs.text("\n".join(self._lines))))
        yield self.keybar()
