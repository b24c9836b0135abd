"""From lines of plain data to what a terminal draws: tones become styles here and nowhere else."""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.strip import Strip

from ngcctui.tui.view.line import Line, Tone

#: Colours by name, never RGB: a terminal of 8 colours has them, and its operator chose them.
STYLES: dict[Tone, Style] = {
    Tone.PLAIN: Style(),
    Tone.TITLE: Style(bold=True),
    Tone.GOOD: Style(color="green"),
    Tone.BUSY: Style(color="yellow"),
    Tone.WARN: Style(color="yellow", bold=True),
    Tone.BAD: Style(color="red", bold=True),
    Tone.DIM: Style(dim=True),
}


def strip(line: Line, width: int, under: Style | None = None) -> Strip:
    """A line in exactly `width` cells; `under` lies below every piece, as for the row of the cursor."""
    segments = [Segment(text, STYLES[tone] + under if under else STYLES[tone]) for text, tone in line if text]
    return Strip(segments).adjust_cell_length(width, under or STYLES[Tone.PLAIN])


def text(lines: Line | list[Line]) -> Text:
    """Lines as a rich text, for a Static."""
    found = Text(no_wrap=True, end="")
    for number, line in enumerate(lines if isinstance(lines, list) else [lines]):
        found.append("\n" if number else "")
        for piece, tone in line:
            found.append(piece, STYLES[tone])
    return found
