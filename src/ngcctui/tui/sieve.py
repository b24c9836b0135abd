"""What a terminal sends, before it becomes keys: nothing that no key makes gets through as one.

A broken mouse report that is read as text would press the keys of its letters.
"""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from dataclasses import dataclass

#: So many characters at once, of so many kinds, are no typing: they are text, as if pasted.
BURST = 8
KINDS = 4
_PRINTABLE = re.compile(r"[^\x00-\x1f\x7f]*")
#: Mouse reports: SGR (xterm 1006), urxvt (1015) and X10, whose three characters can be anything.
_SGR = re.compile(r"\x1b\[<\d{1,5};-?\d{1,5};-?\d{1,5}[Mm]")
_MOUSE = r"\x1b\[<[^\x1b]{0,40}?[Mm]|\x1b\[\d+;\d+;\d+M|\x1b\[M[^\x1b]{3}"
#: Answers about the size: the one to CSI 18 t, and claims of a new one that nobody asked for.
_SIZE = re.compile(r"\x1b\[8;([1-9]\d{0,2});([1-9]\d{0,2})t")
_CLAIM = r"\x1b\[(?:8|48);[\d:;]*t"
_REPORT = re.compile(f"{_MOUSE}|{_CLAIM}")
#: What may be the beginning of one of those, at the end of what came.
_OPEN = re.compile(r"\x1b\[(?:<[^\x1bMm]{0,40}|M[^\x1b]{0,2}|\d[\d;:]{0,40})\Z")


@dataclass(frozen=True)
class Typed:
    """What came: text to read keys from, text that was put in at once, and the size (rows, columns) the terminal told."""

    keys: str = ""
    pasted: str = ""
    size: tuple[int, int] | None = None


class Sieve:
    """Decodes input and drops what is broken; keeps the beginning of a report until the rest has come."""

    def __init__(self, mouse: bool) -> None:
        self._mouse = mouse
        self._decoder = getincrementaldecoder("utf-8")("replace")
        self._rest = ""

    def feed(self, data: bytes) -> Typed:
        """Take bytes as they came."""
        # A byte that is no UTF-8 keeps its place (X10 reports count them) until the reports are gone.
        text = self._rest + self._decoder.decode(data)
        sizes = [(int(found[1]), int(found[2])) for found in _SIZE.finditer(text)]
        text = _REPORT.sub(self._kept, text)
        begun = _OPEN.search(text)
        self._rest = begun[0] if begun else ""
        text = text[: len(text) - len(self._rest)].replace("\ufffd", "")
        size = sizes[-1] if sizes else None
        if len(text) >= BURST and len(set(text)) >= KINDS and _PRINTABLE.fullmatch(text):
            return Typed("", text, size)
        return Typed(text, "", size)

    def _kept(self, found: re.Match[str]) -> str:
        return found[0] if self._mouse and _SGR.fullmatch(found[0]) else ""
