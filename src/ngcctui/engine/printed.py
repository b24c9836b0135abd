"""What a child prints: kept up to a limit, and shown without the power to act on a terminal."""

from __future__ import annotations

import re

_HIDDEN = re.compile(r"[^\n\t -~]")


def shown(raw: bytes | str) -> str:
    """Text with every control, escape and invisible character written out (`\\x1b`); line ends and tabs stay.

    Bytes are read as UTF-8, what is not UTF-8 as U+FFFD.
    """
    text = raw if isinstance(raw, str) else raw.decode("utf-8", "replace")
    return _HIDDEN.sub(_written_out, text)


def shown_line(raw: bytes | str, limit: int = 300) -> str:
    """The same as one line of at most `limit` characters."""
    line = " ".join(shown(raw).split())
    return line if len(line) <= limit else line[: limit - 1] + "\N{HORIZONTAL ELLIPSIS}"


def _written_out(match: re.Match[str]) -> str:
    char = match.group()
    if char.isprintable():
        return char
    return char.encode("unicode_escape").decode("ascii")


class Printed:
    """Output of a child: the first `keep` bytes, and how many came in all."""

    def __init__(self, keep: int) -> None:
        self._keep = keep
        self._kept = bytearray()
        self.total = 0

    def feed(self, data: bytes) -> None:
        """Count `data` and keep what still fits."""
        self.total += len(data)
        room = self._keep - len(self._kept)
        if room > 0:
            self._kept += data[:room]

    @property
    def dropped(self) -> int:
        """Bytes that were not kept."""
        return self.total - len(self._kept)

    def text(self) -> str:
        """What was kept, safe to show, each line ended; a last line tells how much was dropped."""
        text = shown(bytes(self._kept))
        if text and not text.endswith("\n"):
            text += "\n"
        return text + (f"[{self.dropped} more bytes were dropped]\n" if self.dropped else "")
