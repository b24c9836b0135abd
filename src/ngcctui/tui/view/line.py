"""Lines of a screen as plain data: pieces of text, each with a tone; no colour and no markup is known here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum

from rich.cells import cell_len, set_cell_size

from ngcctui.report.text import outside
from ngcctui.tui.glyphs import Glyphs


class Tone(Enum):
    """What a piece of text says beside its words; a theme turns it into a colour, or into nothing."""

    PLAIN = "plain"
    TITLE = "title"
    GOOD = "good"
    BUSY = "busy"
    WARN = "warn"
    BAD = "bad"
    DIM = "dim"


#: A piece of text and its tone.
Span = tuple[str, Tone]
Line = tuple[Span, ...]


def shown(text: str, glyphs: Glyphs) -> str:
    """Text from outside in one line, every character visible, as this terminal can show it."""
    return glyphs.text(outside(text))


def fit(text: str, width: int, glyphs: Glyphs) -> str:
    """`text` in exactly `width` cells: padded with blanks, or cut with an ellipsis."""
    size = cell_len(text)
    if size <= width:
        return text + " " * (width - size)
    mark = glyphs.ellipsis
    if width <= len(mark):
        return set_cell_size(text, max(width, 0))
    return set_cell_size(text, width - len(mark)) + mark


def fit_name(name: str, width: int, glyphs: Glyphs) -> str:
    """The same for a name, cut in its middle: what tells names apart is often at their end."""
    mark = glyphs.ellipsis
    keep = width - len(mark)
    if cell_len(name) <= width or keep < 4 or not name.isascii():
        return fit(name, width, glyphs)
    tail = keep // 2
    return name[: keep - tail] + mark + name[-tail:]


def choose(texts: Sequence[str], width: int, glyphs: Glyphs) -> str:
    """The first of `texts` (the widest first) that fits, in exactly `width` cells; else the last one, cut."""
    for text in texts:
        if cell_len(text) <= width:
            return fit(text, width, glyphs)
    return fit(texts[-1], width, glyphs) if texts else " " * max(width, 0)


def width_of(line: Line) -> int:
    """Cells that a line takes."""
    return sum(cell_len(text) for text, _ in line)


def clip(line: Line, width: int, glyphs: Glyphs) -> Line:
    """A line in exactly `width` cells; what is cut ends in an ellipsis, what is missing is blank."""
    room = max(width, 0)
    pieces: list[Span] = []
    for number, (text, tone) in enumerate(line):
        size = cell_len(text)
        if size > room or (size == room and any(part for part, _ in line[number + 1 :])):
            pieces.append((fit(text + " " * (room + 1), room, glyphs), tone))
            return tuple(pieces)
        pieces.append((text, tone))
        room -= size
    if room:
        pieces.append((" " * room, Tone.PLAIN))
    return tuple(pieces)


def joined(parts: Iterable[Line], gap: str = "   ") -> Line:
    """The lines behind each other with a gap between; empty ones are left out."""
    found: list[Span] = []
    for part in parts:
        if part:
            if found:
                found.append((gap, Tone.PLAIN))
            found += part
    return tuple(found)


def wrap(text: str, width: int) -> list[str]:
    """`text` in lines of at most `width` cells, broken at blanks where there are any; never empty."""
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if cell_len(longer) <= width:
            line = longer
            continue
        if line:
            lines.append(line)
        pieces = _pieces(word, max(width, 2))
        lines += pieces[:-1]
        line = pieces[-1]
    return [*lines, line]


def _pieces(word: str, width: int) -> list[str]:
    """A word in pieces of at most `width` cells (at least 2: the widest character); never empty."""
    pieces, piece, size = [], "", 0
    for char in word:
        cells = cell_len(char)
        if size + cells > width:
            pieces.append(piece)
            piece, size = "", 0
        piece += char
        size += cells
    return [*pieces, piece]
