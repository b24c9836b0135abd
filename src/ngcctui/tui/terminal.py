"""What this terminal can do, decided before textual is loaded (it reads its environment once, at import)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

#: Terminals of 16 colours at most, without mouse, without the sequences of xterm, and without line graphics of Unicode
#: whatever the locale says.
_BASIC = ("linux", "vt100", "vt102", "vt220", "ansi", "cons25")
#: Beginnings of TERM that know a title (OSC 2).
_TITLED = ("xterm", "screen", "tmux", "rxvt", "alacritty", "foot", "kitty", "st-", "konsole", "gnome", "vte")
#: Animations and smooth scrolling cost bytes and wake-ups and tell nothing; a window is drawn 15 times a second at most.
_ALWAYS = {"TEXTUAL_ANIMATIONS": "none", "TEXTUAL_SMOOTH_SCROLL": "0", "TEXTUAL_FPS": "15"}
#: What needs no more than lines.
_ELSE = "`ngcctui --batch CAMPAIGN` and `ngcctui attach --plain`"
COLOUR_THEME = "textual-dark"
PLAIN_THEME = "ansi-dark"


@dataclass(frozen=True)
class Wishes:
    """What the command line and the configuration ask for; None and `auto` leave it to the terminal."""

    ascii: bool = False
    mouse: bool = True
    theme: str = "auto"
    title: bool = True


@dataclass(frozen=True)
class Streams:
    """Which of the standard streams are a terminal."""

    stdin: bool = True
    stdout: bool = True
    stderr: bool = True


@dataclass(frozen=True)
class Terminal:
    """How the screens are drawn here.

    `refuse` says in one line why they cannot be (empty: they can); `environ` is what to set before textual is loaded
    and `drop` what to remove; `basic`: the terminal knows none of the private sequences of xterm.
    """

    refuse: str = ""
    theme: str = COLOUR_THEME
    ascii: bool = False
    mouse: bool = True
    title: bool = False
    basic: bool = False
    environ: Mapping[str, str] = field(default_factory=dict)
    drop: tuple[str, ...] = ()


def decide(environ: Mapping[str, str], streams: Streams, wishes: Wishes) -> Terminal:
    """Decide from the environment, the streams and the wishes."""
    term = environ.get("TERM", "")
    refuse = _refusal(term, streams)
    if refuse:
        return Terminal(refuse=refuse)
    basic = term.startswith(_BASIC)
    plain = basic or bool(environ.get("NO_COLOR"))
    theme = wishes.theme if wishes.theme != "auto" else PLAIN_THEME if plain else COLOUR_THEME
    changes = {**_ALWAYS, "TEXTUAL_THEME": theme}
    if basic:
        changes["TEXTUAL_DISABLE_KITTY_KEY"] = "1"
    if term.startswith("screen") and "COLORTERM" in environ:
        # GNU screen passes COLORTERM of the outer terminal on and then mangles 24-bit colours.
        changes["TEXTUAL_COLOR_SYSTEM"] = "256"
    return Terminal(
        theme=theme,
        ascii=wishes.ascii or basic or not utf8(environ),
        mouse=wishes.mouse and not basic,
        title=wishes.title and term.startswith(_TITLED),
        basic=basic,
        environ=changes,
        # They freeze the size of the window: what they say is obeyed instead of what the terminal says.
        drop=("COLUMNS", "LINES"),
    )


def _refusal(term: str, streams: Streams) -> str:
    if not streams.stdin or not streams.stderr:
        stream = "standard input" if not streams.stdin else "standard error"
        return f"{stream} is no terminal: the screens need one; {_ELSE} do not"
    if term in ("", "dumb", "unknown"):
        what = f"TERM={term}" if term else "TERM is not set"
        return f"{what}: the screens need a terminal that can move its cursor; {_ELSE} do not"
    return ""


def utf8(environ: Mapping[str, str]) -> bool:
    """True when the locale that the environment names is UTF-8 (LC_ALL, else LC_CTYPE, else LANG)."""
    name = next((environ[key] for key in ("LC_ALL", "LC_CTYPE", "LANG") if environ.get(key)), "C")
    return name.partition("@")[0].partition(".")[2].lower().replace("-", "") == "utf8"
