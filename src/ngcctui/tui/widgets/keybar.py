"""The rows of keys at the bottom: what can be done here, with `?` and `q` always in sight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text
from textual.widget import Widget

from ngcctui.tui.actions import ACTIONS, actions_of, keys_of, shown_key

#: Between two keys, cells.
_GAP = 3
#: Cells left free at both sides.
_MARGIN = 1
#: Always there, and at the end.
_ALWAYS = ("app.help", "app.leave")

Item = tuple[str, str]


def items(screen: str, keymap: Mapping[str, str]) -> list[Item]:
    """Key and word of every shown action of `screen`, those of all screens behind; the last two are help and leave."""
    shown = [action for action in actions_of(screen) if action.shown]
    shown += [action for action in actions_of("app") if action.shown and action.id not in _ALWAYS]
    shown += [action for action in ACTIONS if action.id in _ALWAYS]
    return [(shown_key(keys_of(action, keymap)[0]), action.label) for action in shown]


def fit(found: Sequence[Item], width: int, rows: int) -> list[list[Item]]:
    """Lay out items in at most `rows` rows of `width` cells; what has no room is left out, never the last two."""
    width -= 2 * _MARGIN
    always = list(found[-len(_ALWAYS) :])
    lines: list[list[Item]] = [[]]
    for item in found[: -len(_ALWAYS)]:
        last = len(lines) == rows
        if _width([*lines[-1], item, *(always if last else [])]) <= width:
            lines[-1].append(item)
        elif not last and lines[-1]:
            lines.append([item] if _width([item, *(always if len(lines) + 1 == rows else [])]) <= width else [])
    if len(lines) < rows and _width([*lines[-1], *always]) > width and lines[-1]:
        lines.append([])
    lines[-1] += always if _width(always) <= width else [(key, "") for key, _ in always]
    return lines


def _width(found: Sequence[Item]) -> int:
    return sum(cell_len(_word(item)) for item in found) + _GAP * (len(found) - 1)


def _word(item: Item) -> str:
    return f"{item[0]} {item[1]}".rstrip()


class Keybar(Widget):
    """The keys of one screen."""

    DEFAULT_CSS = "Keybar { dock: bottom; width: 100%; height: auto; max-height: 2; padding: 0 1; }"

    def __init__(self, screen: str, keymap: Mapping[str, str], rows: int = 2) -> None:
        super().__init__()
        self._items = items(screen, keymap)
        self._rows = rows

    def set_items(self, found: Sequence[Item]) -> None:
        """Show other keys than those of the table, as when an action has another word now."""
        if list(found) != self._items:
            self._items = list(found)
            self.refresh(layout=True)

    def render(self) -> Text:
        key_style = Style(bold=True)
        rows = self._rows if self.app.size.height >= 20 else 1
        text = Text(no_wrap=True, end="")
        for number, line in enumerate(fit(self._items, self.app.size.width, rows)):
            text.append("\n" if number else "")
            for place, (key, label) in enumerate(line):
                text.append(" " * _GAP if place else "")
                text.append(key, key_style)
                text.append(f" {label}" if label else "")
        return text
