"""What a terminal sends, before it becomes keys: nothing that no key makes gets through as one.

A broken mouse report that is read as text would press the keys of its letters.
"""

from __future__ import annotations

import re
from codecs import getincrementaldecoder

#: So many characters at once, of so many kinds, are no typing: they are text, as if pasted.
BURST = 8
KINDS = 4
_PRINTABLE = re.compile(r"[^\x00-\x1f\x7f]*")
#: Mouse reports: SGR (xterm 1006), urxvt (1015) and X10, whose three characters can be anything.
_SGR = re.compile(r"\x1b\[<\d{1,5};-?\d{1,5};-?\d{1,5}[Mm]")
_MOUSE = re.compile(r"\x1b\[<[^\x1b]{0,40}?[Mm]|\x1b\[\d+;\d+;\d+M|\x1b\[M[\s\S]{3}")
#: A claim of a new size, which was not asked for.
_SIZE = re.compile(r"\x1b\[48;[\d:;]*t")
_DROPPED = re.compile(f"{_MOUSE.pattern}|{_SIZE.pattern}")
#: What may be the beginning of one of those, at the end of what came.
_OPEN = re.compile(r"\x1b\[(?:<[^\x1bMm]{0,40}|M[\s\S]{0,2}|\d[\d;:]{0,40})\Z")


class Sieve:
    """Decodes input and drops what is broken; keeps the beginning of a report until the rest has come."""

    def __init__(self, mouse: bool) -> None:
        self._mouse = mouse
        self._decode = getincrementaldecoder("utf-8")("replace").decode
        self._rest = ""

    def feed(self, data: bytes) -> tuple[str, str]:
        """The text to read keys from, and text that was put in at once and is no key."""
        text = self._rest + self._decode(data).replace("\ufffd", "")
        self._rest = ""
        text = _DROPPED.sub(self._keep, text)
        open_report = _OPEN.search(text)
        if open_report:
            self._rest, text = open_report[0], text[: open_report.start()]
        if len(text) >= BURST and len(set(text)) >= KINDS and _PRINTABLE.fullmatch(text):
            return "", text
        return text, ""

    def _keep(self, found: re.Match[str]) -> str:
        return found[0] if self._mouse and _SGR.fullmatch(found[0]) else ""
