"""The rows of keys at the bottom: what can be done here, with `?` and `q` always in sight."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text
from textual.widget import Widget

from ngcctui.tui.actions import ACTIONS, actions_of, beside, keys_of, shown_key

#: The smallest window that a screen is drawn in, cells.
MIN_WIDTH, MIN_HEIGHT = 60, 15
#: Windows of fewer lines have one row of keys, others two where one does not hold all.
_TALL = 20
#: Between two keys, cells.
_GAP = 3
#: Always there, and at the end.
_ALWAYS = ("app.help", "app.leave")
_BOLD = Style(bold=True)

Item = tuple[str, str]


def items(
    screen: str,
    keymap: Mapping[str, str],
    without: Collection[str] = (),
    words: Mapping[str, str] | None = None,
) -> list[Item]:
    """Key and word of every shown action of `screen`, those of all screens behind; the last two are help and leave.

    `without` are ids of actions that mean nothing at the moment, `words` other words for some.
    """
    shown = [action for action in actions_of(screen) if action.shown and action.id not in without]
    shown += [action for name in (*beside(screen), *_ALWAYS) for action in ACTIONS if action.id == name]
    return [
        (shown_key(keys_of(action, keymap)[0]), (words or {}).get(action.id, action.label))
        for action in shown
    ]


def fit(found: Sequence[Item], width: int, rows: int) -> list[list[Item]]:
    """Lay out items in at most `rows` rows of `width` cells.

    What has no room is left out, from the end of the others; the last two items (help and leave) never are: where they
    do not fit their words go first.
    """
    others, always = list(found[: -len(_ALWAYS)]), list(found[-len(_ALWAYS) :])
    if cells(always) > width:
        return [[(key, "") for key, _ in always]]
    while True:
        lines = _fill(others, width)
        lines = [*lines[:-1], lines[-1] + always] if cells(lines[-1] + always) <= width else [*lines, always]
        if len(lines) <= rows or not others:
            return lines[-rows:]
        others.pop()


def _fill(found: Sequence[Item], width: int) -> list[list[Item]]:
    lines: list[list[Item]] = [[]]
    for item in found:
        if lines[-1] and cells([*lines[-1], item]) > width:
            lines.append([])
        lines[-1].append(item)
    return lines


def cells(found: Sequence[Item]) -> int:
    """Width of items in one row."""
    return sum(cell_len(f"{key} {label}".rstrip()) for key, label in found) + _GAP * (len(found) - 1)


class Keybar(Widget):
    """The keys of one screen."""

    DEFAULT_CSS = "Keybar { dock: bottom; width: 100%; height: auto; max-height: 2; padding: 0 1; }"

    def __init__(self, screen: str, keymap: Mapping[str, str]) -> None:
        super().__init__()
        self._items = items(screen, keymap)

    def set_items(self, found: Sequence[Item]) -> None:
        """Show other items than those of the table, as when an action has another word now."""
        if list(found) != self._items:
            self._items = list(found)
            self.refresh(layout=True)

    def render(self) -> Text:
        width, height = self.app.size
        rows = fit(self._items, width - 2, 2 if height >= _TALL else 1)
        lines = [_line(row) for row in rows]
        if width < MIN_WIDTH or height < MIN_HEIGHT:
            lines.insert(0, Text(f"window {width} x {height}, needs {MIN_WIDTH} x {MIN_HEIGHT}"))
        return Text("\n").join(lines)


def _line(row: Sequence[Item]) -> Text:
    text = Text(no_wrap=True, end="")
    for place, (key, label) in enumerate(row):
        text.append(" " * _GAP if place else "")
        text.append(key, _BOLD)
        text.append(f" {label}" if label else "")
    return text
