"""The last look at what is drawn on a terminal that can show ASCII only: whatever a widget draws, it gets no more."""

from __future__ import annotations

from functools import lru_cache

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from ngcctui.report.text import ascii_only

_HORIZONTAL = "─━┄┅┈┉═╌╍▁▂▃▄▀▔╴╶╸╺"
_VERTICAL = "│┃┆┇┊┋║╎╏▏▎▍▌▐▕▊▉╵╷╹╻"
_CORNERS = "┌┍┎┏┐┑┒┓└┕┖┗┘┙┚┛├┝┞┟┠┡┢┣┤┥┦┧┨┩┪┫┬┭┮┯┰┱┲┳┴┵┶┷┸┹┺┻┼┽┾┿╀╁╂╃╄╅╆╇╈╉╊╋╔╗╚╝╠╣╦╩╬╭╮╯╰"
_STAND_INS = {
    **dict.fromkeys(_HORIZONTAL, "-"),
    **dict.fromkeys(_VERTICAL, "|"),
    **dict.fromkeys(_CORNERS, "+"),
    **dict.fromkeys("█▓▒■", "#"),
    **dict.fromkeys("░·•", "."),
    **dict.fromkeys("▸▶►❯➤", ">"),
    **dict.fromkeys("▾▼", "v"),
    **dict.fromkeys("▴▲", "^"),
}


@lru_cache(4096)
def plainly(text: str) -> str:
    """`text` in ASCII and as many cells wide as before; a character without a stand-in of its width is `?`."""
    if text.isascii():
        return text
    return "".join(char if char.isascii() else _stand_in(char) for char in text)


def _stand_in(char: str) -> str:
    cells = cell_len(char)
    known = _STAND_INS.get(char) or ascii_only(char)
    return known if len(known) == cells else "?" * cells


class PlainFilter(LineFilter):
    """Applied to every line that is drawn."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [Segment(plainly(text), style, control) for text, style, control in segments]
