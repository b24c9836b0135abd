"""Help: every key that counts on the screen below, from the table of actions."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Group
from rich.style import Style
from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

from ngcctui.tui.actions import help_rows
from ngcctui.tui.bindings import bindings
from ngcctui.tui.glyphs import Glyphs
from ngcctui.tui.screens.base import ActionScreen

#: What stands in cells and is no word, by screen.
SIGNS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "monitor": (
        ("±0.4%", "half of the 95 % interval of the mean, in percent of it"),
        ("!", "behind a figure: trials that were disturbed went into it"),
        ("n 660 (5×132)", "calls that were timed: 5 trials of 132"),
        ("distinct 80", "only so many of these calls differ in their inputs"),
        ("rejected 1", "trials that were disturbed and measured again"),
        ("t 3/5 58%", "trial 3 of 5 runs, 58 % of its calls are done"),
        ("slow, -1:05", "half of the time limit is over; so long until it ends the step"),
        ("fallback", "built with other flags than the guide's, which failed"),
        ("share", "part of each operation spent in the competition's helpers"),
    ),
}
#: Width of the column of keys, cells.
_KEYS = 15


def help_page(screen: str, keymap: Mapping[str, str], glyphs: Glyphs) -> Group:
    """The keys of `screen`, its signs, the keys of its lists and of all screens, a heading above each."""
    groups = list(help_rows(screen, keymap))
    signs = [(glyphs.text(sign), said) for sign, said in SIGNS.get(screen, ())]
    if signs:
        groups.insert(1, ("Signs", signs))
    parts: list[Text | Table] = []
    for title, rows in groups:
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(width=_KEYS)
        table.add_column()
        for keys, sentence in rows:
            table.add_row(Text(keys), Text(sentence))
        parts += [Text(title, Style(bold=True)), table, Text()]
    return Group(*parts)


class HelpPage(VerticalScroll, inherit_bindings=False):
    """The page; the keys of lists scroll it."""

    BINDINGS = bindings("list")
    action_cursor_up = VerticalScroll.action_scroll_up
    action_cursor_down = VerticalScroll.action_scroll_down
    action_cursor_left = VerticalScroll.action_scroll_left
    action_cursor_right = VerticalScroll.action_scroll_right
    action_scroll_top = VerticalScroll.action_scroll_home
    action_scroll_bottom = VerticalScroll.action_scroll_end


class HelpScreen(ActionScreen):
    """The keys of the screen it was opened on."""

    NAME = "help"

    def __init__(self, about: str) -> None:
        super().__init__()
        self._about = about

    def compose(self) -> ComposeResult:
        with HelpPage():
            yield Static(help_page(self._about, self.ngcc.settings.keys, self.glyphs))
        yield self.keybar()

    def on_mount(self) -> None:
        self.query_one(HelpPage).focus()
