"""Every action of the screens in one table: bindings, footer, help, palette and docs/keys.md come from it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Action:
    """One action.

    `id` is `<screen>.<name>` and stands for it in the configuration; the method is `action_<name>` of the screen, of the
    app (`app`: on all screens) or of any list in one (`list`).  `keys` are textual's key names with commas between;
    `label` is the footer's word, `help` the sentence of the help screen; `shown`: it is in the footer of its screen where
    there is room; `always`: its keys count while text is typed too.
    """

    id: str
    keys: str
    label: str
    help: str
    shown: bool = True
    always: bool = False

    @property
    def screen(self) -> str:
        """The screen it belongs to; `app` when it is there on all."""
        return self.id.partition(".")[0]

    @property
    def name(self) -> str:
        """Name of the method without `action_`."""
        return self.id.partition(".")[2]


ACTIONS: tuple[Action, ...] = (
    # Setup
    Action("setup.mark", "space", "mark", "mark or unmark the scheme or instance"),
    Action("setup.edit", "enter", "edit", "change the selected field; open or close the selected scheme"),
    Action("setup.launch", "g", "launch", "start the engine on this campaign and watch it"),
    Action("setup.all", "a", "all", "mark everything that is shown"),
    Action("setup.none", "A", "none", "unmark everything that is shown", False),
    Action("setup.invert", "i", "invert", "turn every mark that is shown round"),
    Action(
        "setup.filter", "slash", "filter", "show only what matches (regular expression, ! turns it round)"
    ),
    Action("setup.side", "tab", "side", "go to the other side"),
    Action("setup.save", "s", "save", "save the campaign to a file"),
    Action("setup.load", "l", "load", "load a campaign"),
    Action("setup.host", "c", "host", "check the host and show what mends it"),
    Action("setup.plan", "p", "plan", "show what the campaign would do and how long it takes"),
    # Host check
    Action(
        "host.script", "w", "write script", "write a shell script that mends the machine and takes it back"
    ),
    # Monitor
    Action("monitor.detail", "enter", "detail", "show everything about the selected cell"),
    Action(
        "monitor.filter",
        "slash",
        "filter",
        "show only rows that match (regular expression, ! turns it round)",
    ),
    Action("monitor.sort", "o", "sort", "sort by the selected column, or again in the order of the run"),
    Action("monitor.reverse", "O", "reverse", "turn the order round", False),
    Action(
        "monitor.mark",
        "space",
        "mark",
        "mark the row or the scheme; skip and retry act on the column in marked rows",
    ),
    Action("monitor.unmark", "U", "unmark", "take all marks away", False),
    Action(
        "monitor.follow",
        "f",
        "follow log",
        "follow the log of the run, or keep the selected step's with its output",
    ),
    Action("monitor.log_up", "less_than_sign,shift+up", "", "scroll the log up", False),
    Action(
        "monitor.log_down",
        "greater_than_sign,shift+down",
        "",
        "scroll the log down; at its end it follows again",
        False,
    ),
    Action("monitor.log_size", "b", "big log", "give the log more lines, or fewer", False),
    Action("monitor.unit", "t", "time", "show figures as time, or in cycles where they were counted", False),
    Action(
        "monitor.host",
        "H",
        "host",
        "show the machine: findings, facts, noise, health, sessions, warnings",
        False,
    ),
    Action("monitor.freeze", "z", "freeze", "hold the picture still; the run goes on", False),
    Action("monitor.pause", "P", "pause", "pause after the call in progress, or go on"),
    Action("monitor.skip", "K", "skip", "skip the selected or marked steps"),
    Action(
        "monitor.retry",
        "R",
        "retry",
        "start the selected or marked steps anew; where some failed, only those",
    ),
    Action("monitor.retry_failed", "F", "retry failed", "start every failed step anew", False),
    Action("monitor.results", "e", "results", "open the tables of this run"),
    Action("monitor.stop", "S", "stop", "ask, then stop the run"),
    # Detail
    Action("detail.copy", "y", "copy", "copy the command that does this again, and write it to a file"),
    # Results
    Action("results.next_section", "right_square_bracket", "section", "go to the next section"),
    Action("results.previous_section", "left_square_bracket", "section", "go to the previous section", False),
    Action(
        "results.filter",
        "slash",
        "filter",
        "show only rows that match (regular expression, ! turns it round)",
    ),
    Action("results.sort", "o", "sort", "sort by the next column"),
    Action("results.reverse", "O", "reverse", "turn the order round", False),
    Action("results.row", "enter", "row", "show the whole row, whatever its width"),
    Action(
        "results.compare",
        "c",
        "compare",
        "compare with the published figures of a system, or with another run",
    ),
    Action(
        "results.export", "x", "export", "write Markdown, TOML, JSON and CSV; the message names the files"
    ),
    Action("results.copy", "y", "copy row", "copy the row to the clipboard and to a file"),
    Action("results.update", "u", "update", "read the run again", False),
    # Runs
    Action("runs.open", "enter", "open", "watch the run, or open the results of one that has ended"),
    Action("runs.results", "e", "results", "open the tables of the run"),
    Action("runs.monitor", "m", "monitor", "open the monitor of the run, also of one that has ended"),
    Action("runs.resume", "u", "resume", "go on with an interrupted run and watch it"),
    Action("runs.refresh", "f5,ctrl+r", "refresh", "look for runs again", False),
    # Confirm
    Action("confirm.previous", "left,up,h,k", "", "go to the previous answer", False),
    Action("confirm.next", "right,down,l,j,tab", "", "go to the next answer", False),
    Action("confirm.accept", "enter", "choose", "give the selected answer"),
    Action("confirm.close", "escape", "back", "give no answer; nothing is done", False),
    # Lists
    Action("list.cursor_up", "up,k", "", "go up", False),
    Action("list.cursor_down", "down,j", "", "go down", False),
    Action("list.cursor_left", "left,h", "", "go left", False),
    Action("list.cursor_right", "right,l", "", "go right", False),
    Action("list.page_up", "pageup,ctrl+b", "", "go up a page", False),
    Action("list.page_down", "pagedown,ctrl+f", "", "go down a page", False),
    Action("list.scroll_top", "home,g", "", "go to the first row", False),
    Action("list.scroll_bottom", "end,G", "", "go to the last row", False),
    # The tree and the fields of Setup, and lists to choose from
    Action("tree.cursor_up", "up,k", "", "go up", False),
    Action("tree.cursor_down", "down,j", "", "go down", False),
    Action("tree.page_up", "pageup,ctrl+b", "", "go up a page", False),
    Action("tree.page_down", "pagedown,ctrl+f", "", "go down a page", False),
    Action("tree.scroll_top", "home", "", "go to the first row", False),
    Action("tree.scroll_bottom", "end", "", "go to the last row", False),
    # A list above a screen, and a line to type in
    Action("choose.accept", "enter", "choose", "take the selected one"),
    Action("choose.close", "escape", "back", "take none"),
    Action("prompt.accept", "enter", "done", "take what was typed"),
    Action("prompt.close", "escape", "back", "leave it as it was"),
    Action("filter.clear", "escape", "", "show every row again", False),
    # Everywhere
    Action("app.runs", "r", "runs", "list the runs", False),
    Action("app.setup", "n", "new campaign", "set up a new campaign", False),
    Action("app.back", "escape", "back", "go back; nothing is lost", False),
    Action("app.command_palette", "ctrl+p,colon", "commands", "find a command by its name", False),
    Action(
        "app.redraw",
        "ctrl+l",
        "redraw",
        "ask the terminal for its size and draw everything anew",
        False,
        True,
    ),
    Action("app.suspend", "ctrl+z", "suspend", "suspend this view, not the run; fg comes back", False, True),
    Action(
        "app.interrupt", "ctrl+c", "leave", "leave the view when pressed twice; the run goes on", False, True
    ),
    Action("app.help", "question_mark,f1", "help", "show the keys of this screen"),
    Action("app.leave", "q", "quit", "leave the view; a run goes on"),
)

#: Screens in the order in which an operator meets them, with their titles.
SCREENS: Mapping[str, str] = {
    "setup": "Setup",
    "host": "Host check",
    "monitor": "Monitor",
    "detail": "Detail of a cell",
    "results": "Results",
    "runs": "Runs",
    "help": "Help",
    "confirm": "Questions",
    "choose": "Choices",
    "prompt": "Lines to type in",
    "filter": "The line of the filter",
    "list": "Lists",
    "tree": "Rows",
    "app": "Everywhere",
}
#: What counts on a screen beside its own actions, where that is not a list and the actions of all screens.
_BESIDE = {
    "setup": ("tree", "app"),
    "choose": ("tree",),
    "prompt": (),
    "filter": (),
    "confirm": (),
    "app": (),
    "list": ("app",),
    "tree": ("app",),
}


def actions_of(screen: str) -> Iterator[Action]:
    """The actions of one screen, without those of lists and of all screens."""
    return (action for action in ACTIONS if action.screen == screen)


#: Screens that lie above another one.
_ABOVE = frozenset({"host", "page", "detail", "results", "help"})


def beside(screen: str) -> tuple[str, ...]:
    """Of the actions of all screens, the ids of those that the bar of keys of `screen` shows beside help and leave."""
    if screen == "runs":
        return ("app.setup",)
    return ("app.back", "app.runs") if screen in _ABOVE else ("app.runs",)


def groups(screen: str) -> tuple[str, ...]:
    """The screens of the table whose actions count on `screen`, its own first."""
    return (screen, *_BESIDE.get(screen, ("list", "app")))


# keys -----------------------------------------------------------------------------------------------------------------

#: Names that textual gives to characters where Unicode has another one.
_RENAMED = {
    "solidus": "slash",
    "reverse_solidus": "backslash",
    "commercial_at": "at",
    "hyphen_minus": "minus",
    "plus_sign": "plus",
    "low_line": "underscore",
}
_CHARACTERS = {
    _RENAMED.get(name, name): char
    for char in map(chr, range(33, 127))
    if not char.isalnum() and (name := unicodedata.name(char).lower().replace("-", "_").replace(" ", "_"))
}
_NAMES = {char: name for name, char in _CHARACTERS.items()}
_KEY = re.compile(
    r"(?:(?:ctrl|alt|shift)\+)*(?:[A-Za-z0-9]|f[1-9][0-9]?|enter|space|tab|escape|backspace|delete|insert|home|end|pageup|"
    r"pagedown|up|down|left|right|" + "|".join(_CHARACTERS) + ")"
)
_SHORT = {"escape": "esc", "pageup": "pgup", "pagedown": "pgdn", "backspace": "bksp", "delete": "del"}


def key_names(keys: str) -> list[str]:
    """Keys with commas between, as textual names them; a printable character stands for itself.  ValueError for what is
    no key."""
    names = []
    for word in keys.split(","):
        key = _NAMES.get(word.strip(), word.strip())
        if not _KEY.fullmatch(key):
            raise ValueError(
                f"{word.strip()!r} is no key (such as p, P, ctrl+p, f5, slash or /; the comma is `comma`)"
            )
        names.append(key)
    return names


def keys_of(action: Action, keymap: Mapping[str, str]) -> list[str]:
    """The keys of an action, as textual names them; the operator's `keymap` (by action id) comes first."""
    return key_names(keymap.get(action.id, action.keys))


def shown_key(key: str) -> str:
    """A key as it is printed: `?`, `esc`, `^L`, `F1`."""
    *modifiers, name = key.split("+")
    if modifiers == ["ctrl"]:
        return f"^{_CHARACTERS.get(name, name.upper())}"
    if name[:1] == "f" and name[1:].isdigit():
        name = name.upper()
    return "+".join([*modifiers, _CHARACTERS.get(name, _SHORT.get(name, name))])


def clash(keymap: Mapping[str, str]) -> tuple[str, str, str] | None:
    """Two actions that one key would mean on the same screen, and that key; None when there are none."""
    for screen in SCREENS:
        taken: dict[str, str] = {}
        for action in (action for name in groups(screen) for action in actions_of(name)):
            for key in keys_of(action, keymap):
                if taken.setdefault(key, action.id) != action.id:
                    return taken[key], action.id, shown_key(key)
    return None


def help_rows(screen: str, keymap: Mapping[str, str]) -> Iterable[tuple[str, list[tuple[str, str]]]]:
    """Title and (keys, sentence) of every group that counts on `screen`, its own first."""
    for name in groups(screen):
        rows = [
            (" ".join(shown_key(key) for key in keys_of(action, keymap)), action.help)
            for action in actions_of(name)
        ]
        if rows:
            yield SCREENS[name], rows
