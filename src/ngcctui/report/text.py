"""Text from outside on pages and terminals: nothing in it can break a table, hide, or act."""

from __future__ import annotations

import re
import unicodedata

#: Longer texts from outside are cut; the record beside the page holds all of it.
MAX_TEXT = 400

_PLAIN = re.compile(r"[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e]*")
#: Markup inside a line, then what would start a heading, a list or a rule at its beginning.
_MARKDOWN = re.compile(
    r"[\\`*|<>&~$]|(?<![0-9A-Za-z])_|_(?![0-9A-Za-z])|(?<=\])[(\[:]" r"|^[#+=-]|(?<=^\d)[.)](?=\s|$)"
)
#: Most cells: nothing to escape, known after one look.
_HARMLESS = re.compile(r"[0-9A-Za-z–][0-9A-Za-z .,/()%;=–×µ±-]*")
_ENTITIES = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
_ASCII = {
    "\N{EN DASH}": "-",
    "\N{EM DASH}": "-",
    "\N{MICRO SIGN}": "u",
    "\N{MULTIPLICATION SIGN}": "x",
    "\N{PLUS-MINUS SIGN}": "+-",
    "\N{HORIZONTAL ELLIPSIS}": "...",
    "\N{ALMOST EQUAL TO}": "~",
}


def visible(text: str, limit: int = MAX_TEXT) -> str:
    """One line that shows every character: line ends and tabs as blanks, controls and invisible ones as escapes.

    Direction overrides, zero-width characters and lone surrogates are invisible ones.  Texts above `limit` characters
    end in an ellipsis.
    """
    if len(text) > limit:
        text = text[:limit] + "\N{HORIZONTAL ELLIPSIS}"
    if _PLAIN.fullmatch(text):
        return text
    return "".join(_show(char) for char in " ".join(text.split()))


def _show(char: str) -> str:
    if unicodedata.category(char)[0] != "C":
        return char
    code = ord(char)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def markdown(text: str) -> str:
    """Plain text for a Markdown paragraph or table cell: shown as it is, no markup, no HTML."""
    if _HARMLESS.fullmatch(text) and not text[1:2] in (".", ")"):
        return text
    text = visible(text)
    return _MARKDOWN.sub(lambda found: _ENTITIES.get(found[0], "\\" + found[0]), text)


def markdown_code(text: str) -> str:
    """Text as a code span that is safe in a Markdown table."""
    text = visible(text)
    if not text:
        return ""
    if "`" in text:
        fence = "`" * (max(len(run) for run in re.findall("`+", text)) + 1)
        text = f"{fence} {text} {fence}"
    else:
        text = f"`{text}`"
    return text.replace("|", "\\|")


def ascii_only(text: str) -> str:
    """Text for a terminal that is not UTF-8: stand-ins for our glyphs, `?` for anything else."""
    if text.isascii():
        return text
    return "".join(char if char.isascii() else _ASCII.get(char, "?") for char in text)


def width(text: str) -> int:
    """Columns that a text takes on a terminal."""
    if text.isascii():
        return len(text)
    return sum(_columns(char) for char in text)


def _columns(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
