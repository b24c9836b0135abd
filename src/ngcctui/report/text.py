"""Text from outside on pages and terminals: nothing in it can break a table, hide, or act."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

#: Longer texts from outside are cut; the record beside the page holds all of it.
MAX_TEXT = 400

_PLAIN = re.compile(r"[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e]*")
#: Markup inside a line, then what would start a heading, a rule or a list at its beginning.
_MARKDOWN = re.compile(
    r"[\\`*|<>&~$]|(?<![0-9A-Za-z])_|_(?![0-9A-Za-z])|(?<=\])[(\[:]|^[#+=-]|^\d{1,9}[.)](?=\s|$)"
)
#: Most cells: nothing to escape, known after one look.
_CELL = r"(?!\d{1,9}[.)](?:[ \n]|$))[0-9A-Za-z\u2013\u00b1\u2248][0-9A-Za-z .,/()%;=\u2013\u00d7\u00b5\u00b1\u2248-]*"
_HARMLESS = re.compile(_CELL)
#: The same for code.
_CODE = r"[\x20-\x5f\x61-\x7b\x7d\x7e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027]+"
_ENTITIES = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
_ASCII = {
    "\N{EN DASH}": "-",
    "\N{EM DASH}": "-",
    "\N{MICRO SIGN}": "u",
    "\N{MULTIPLICATION SIGN}": "x",
    "\N{PLUS-MINUS SIGN}": "+-",
    "\N{HORIZONTAL ELLIPSIS}": "...",
    "\N{ALMOST EQUAL TO}": "~",
    "\N{WARNING SIGN}": "!",
    "\N{PRIME}": "'",
    "\N{MINUS SIGN}": "-",
}


def outside(text: str) -> str:
    """Text from outside, fit to be stored in a page: visible, and cut with an ellipsis above 400 characters."""
    return visible(text if len(text) <= MAX_TEXT else text[:MAX_TEXT] + "\N{HORIZONTAL ELLIPSIS}")


def visible(text: str) -> str:
    """One line that shows every character: line ends and tabs as blanks, controls and invisible ones as escapes.

    Direction overrides, zero-width characters and lone surrogates are invisible ones.
    """
    if (text.isascii() and text.isprintable()) or _PLAIN.fullmatch(text):
        return text
    return "".join(_show(char) for char in " ".join(text.split()))


def _show(char: str) -> str:
    if unicodedata.category(char)[0] != "C":
        return char
    code = ord(char)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def markdown(text: str) -> str:
    """Plain text for a Markdown paragraph or table cell: shown as it is, no markup, no HTML."""
    if _HARMLESS.fullmatch(text):
        return text
    return _MARKDOWN.sub(_escape, visible(text).strip(" "))


def _escape(found: re.Match[str]) -> str:
    """The last character of what was found as an entity or behind a backslash."""
    text = found[0]
    return _ENTITIES.get(text) or f"{text[:-1]}\\{text[-1]}"


@cache
def harmless_cells(count: int, code: tuple[int, ...]) -> re.Pattern[str]:
    """Matches so many cells with a line end between them when `markdown`, or `markdown_code` in the columns of `code`,
    has nothing to escape in any.
    """
    return re.compile("\n".join(_CODE if number in code else f"(?:{_CELL})?" for number in range(count)))


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
