"""Where output goes: data on stdout, talk on stderr, ASCII stand-ins where the terminal needs them."""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import dataclass
from typing import Any

from ngcctui.report.text import ascii_only, visible

#: Long enough for any message of ours; what is longer came from outside.
MAX_LINE = 2000


@dataclass(frozen=True)
class Console:
    """How this command prints."""

    json: bool = False
    quiet: bool = False
    ascii: bool = False

    def text(self, text: str) -> str:
        """`text` as this terminal can show it."""
        return ascii_only(text) if self.ascii else text

    def data(self, text: str = "") -> None:
        """Print lines of data on stdout."""
        print(self.text(text))

    def data_json(self, value: Any) -> None:
        """Print one JSON value in one line on stdout."""
        print(json.dumps(value, ensure_ascii=True, allow_nan=False))

    def talk(self, text: str) -> None:
        """Say something on stderr, unless quiet."""
        if not self.quiet:
            self.error(text)

    def error(self, text: str) -> None:
        """Say something in one line on stderr, always; what text from outside carries is shown, not acted on."""
        print(self.text(f"ngcctui: {visible(text, MAX_LINE)}"), file=sys.stderr)


def console(args: argparse.Namespace) -> Console:
    """The console that the options and the locale ask for."""
    return Console(args.json, args.quiet, args.ascii or not _utf8())


def movable() -> bool:
    """True when stdout is a terminal whose cursor can be moved."""
    return sys.stdout.isatty() and os.environ.get("TERM", "dumb") not in ("dumb", "unknown", "")


def _utf8() -> bool:
    """False in the C locale too: Python writes UTF-8 there, but the terminal was told nothing of it."""
    encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower().replace("-", "")
    return encoding == "utf8" and (not sys.flags.utf8_mode or os.environ.get("PYTHONUTF8") == "1")
