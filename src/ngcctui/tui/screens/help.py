"""Help: every key of the screen below, from the table of actions."""

from __future__ import annotations

from collections.abc import Mapping

from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

from ngcctui.tui.actions import SCREENS, actions_of, keys_of, shown_key
from ngcctui.tui.screens.base import ActionScreen


def help_text(screen: str, keymap: Mapping[str, str]) -> Text:
    """The keys of `screen`, then those of all screens."""
    text = Text()
    for name in dict.fromkeys((screen, "app")):
        text.append(f"{SCREENS.get(name, name)}\n", Style(bold=True))
        for action in actions_of(name):
            keys = ", ".join(shown_key(key) for key in keys_of(action, keymap))
            text.append(f"  {keys:<14} {action.help}\n")
        text.append("\n")
    return text


class HelpScreen(ActionScreen):
    """The keys of the screen it was opened on."""

    NAME = "help"

    def __init__(self, about: str) -> None:
        super().__init__()
        self._about = about

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Static(help_text(self._about, self.ngcc.settings.keys))
        yield self.keybar()
