"""Setup: choose schemes and numbers, check the host, launch."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.widgets import Static

from ngcctui.tui.screens.base import ActionScreen


class SetupScreen(ActionScreen):
    """A new campaign."""

    NAME = "setup"

    def compose(self) -> ComposeResult:
        yield Static("ngcctui: new campaign", markup=False)
        yield self.keybar()
