"""What a terminal sends, before it becomes keys: nothing that no key makes gets through as one.

textual reads a sequence that it does not know as its characters, so the letters of a broken mouse report, of an
answer that nobody asked for, or of noise on a serial line would be pressed.
"""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from dataclasses import dataclass

#: So many characters at once, of so many kinds, are no typing: they are text, as if pasted.
BURST = 8
KINDS = 4
#: Ticks after which the beginning of a sequence whose end has not come is forgotten.
PATIENCE = 10

#: Everything that begins with an escape and belongs together (ECMA-48, and the mouse reports that it does not know).
_SEQUENCE = re.compile(
    r"\x1b\[M[^\x1b]{3}"  # X10 mouse: any three characters
    r"|\x1b\[<[^\x1b]{0,40}?[Mm]"  # SGR mouse, whole or broken
    r"|\x1b\[\[[A-E]"  # function keys of the Linux console
    r"|\x1b\[(?![<M\[])[0-?]*[ -/]*[@-~]"  # control sequences
    r"|\x1b[\]P_^X][^\x07\x1b]*(?:\x07|\x1b\\)"  # strings: titles, colours, capabilities
    # cut off by the next one
    r"|\x1b(?:\[(?:M[^\x1b]{0,2}|<[^\x1bMm]{0,40}|[0-?]*[ -/]*)|[\]P_^X][^\x07\x1b]*)(?=\x1b[^\\])"
)
#: The beginning of such a one, at the end of what came.
_BEGUN = re.compile(
    r"\x1b(?:\[(?:M[^\x1b]{0,2}|<[^\x1bMm]{0,40}|\[|(?![<M\[])[0-?]{0,4096}[ -/]{0,8})?"
    r"|[\]P_^X][^\x07\x1b]{0,4096}\x1b?)?\Z"
)
#: Of control sequences, those that keys make (xterm, kitty, rxvt), focus, pasting, and the answer about a mode.
_KEYS = re.compile(
    r"\x1b\[(?:"
    r"\[[A-E]|(?:1;\d{1,3})?[A-HPQRSZ]|5[A-D]|1;[5-8][p-y]|[IOa-d]|\d{1,2}[@^]"
    r"|\d{1,3}(?:;\d{1,3})?~|27;\d{1,3};\d{1,6}~"
    r"|\d{1,7}(?:;\d{0,3})?(?:;\d{1,7}(?::\d{1,7}){0,7})?u|\?\d{1,4};\d\$y"
    r")"
)
_MOUSE = re.compile(r"\x1b\[<\d{1,3};\d{1,5};\d{1,5}[Mm]")
_SIZE = re.compile(r"\x1b\[8;([1-9]\d{0,2});([1-9]\d{0,2})t")
_PRINTABLE = re.compile(r"[^\x00-\x1f\x7f]*")
_PASTE_ON, _PASTE_OFF = "\x1b[200~", "\x1b[201~"


@dataclass(frozen=True)
class Typed:
    """What came: text to read keys from, text that was put in at once, and the size (rows, columns) the terminal told."""

    keys: str = ""
    pasted: str = ""
    size: tuple[int, int] | None = None


class Sieve:
    """Decodes input and drops what no key makes; keeps the beginning of a sequence until its end has come."""

    def __init__(self, mouse: bool) -> None:
        self._mouse = mouse
        self._decoder = getincrementaldecoder("utf-8")("replace")
        self._begun = ""
        self._ticks = 0
        self._pasting = False
        self._size: tuple[int, int] | None = None

    def feed(self, data: bytes) -> Typed:
        """Take bytes as they came."""
        # A byte that is no UTF-8 keeps its place until the mouse reports, which count characters, are gone.
        text = self._begun + self._decoder.decode(data)
        self._ticks = 0
        self._size = None
        text = _SEQUENCE.sub(self._kept, text)
        begun = _BEGUN.search(text)
        self._begun = begun[0] if begun else ""
        text = text[: len(text) - len(self._begun)].replace("\ufffd", "")
        typed = not self._pasting
        if _PASTE_ON in text or _PASTE_OFF in text:
            self._pasting = text.rfind(_PASTE_ON) > text.rfind(_PASTE_OFF)
        if typed and len(text) >= BURST and len(set(text)) >= KINDS and _PRINTABLE.fullmatch(text):
            return Typed("", text, self._size)
        return Typed(text, "", self._size)

    def tick(self) -> str:
        """Nothing came for a while: a lone escape was the key, and what was only begun is forgotten in the end."""
        self._ticks += 1
        begun = self._begun
        if begun in ("\x1b", "\x1b[") or self._ticks >= PATIENCE:
            self._begun = ""
        return begun if begun in ("\x1b", "\x1b[") else ""

    def _kept(self, found: re.Match[str]) -> str:
        text = found[0]
        if _KEYS.fullmatch(text) or (self._mouse and _MOUSE.fullmatch(text)):
            return text
        size = _SIZE.fullmatch(text)
        if size:
            self._size = int(size[1]), int(size[2])
        return ""
