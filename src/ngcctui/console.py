"""Where output goes: data on stdout, talk on stderr, ASCII stand-ins where the terminal needs them."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ngcctui.model.errors import StorageError
from ngcctui.report.text import ascii_only, visible

#: Long enough for any message of ours; what is longer came from outside.
MAX_LINE = 2000


def one_line(text: str) -> str:
    """`text` as one line that shows every character and acts on no terminal, cut above 2000 characters."""
    return visible(text if len(text) <= MAX_LINE else text[:MAX_LINE] + "\N{HORIZONTAL ELLIPSIS}")


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
        """Print lines of data on stdout; StorageError when they cannot be written, BrokenPipeError when nobody reads."""
        self.raw(self.text(text) + "\n")

    def data_json(self, value: Any) -> None:
        """Print one JSON value in one line on stdout."""
        self.raw(json.dumps(value, ensure_ascii=True, allow_nan=False) + "\n")

    def raw(self, text: str) -> None:
        """Write `text` as it is."""
        with told_when_full():
            sys.stdout.write(text)

    def flush(self) -> None:
        """Hand over what is buffered."""
        with told_when_full():
            sys.stdout.flush()

    def talk(self, text: str) -> None:
        """Say something on stderr, unless quiet."""
        if not self.quiet:
            self.error(text)

    def error(self, text: str) -> None:
        """Say something in one line on stderr, always; what text from outside carries is shown, not acted on."""
        print(self.text(f"ngcctui: {one_line(text)}"), file=sys.stderr)


@contextlib.contextmanager
def told_when_full() -> Iterator[None]:
    """Turn a failed write to stdout into a StorageError; a closed pipe stays what it is."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise StorageError(f"standard output cannot be written: {error.strerror}") from None


def console(args: argparse.Namespace | None) -> Console:
    """The console that the options (None: they could not be read) and the locale ask for."""
    if args is None:
        return Console(ascii=not _utf8())
    return Console(args.json, args.quiet, args.ascii or not _utf8())


def movable() -> bool:
    """True when stdout is a terminal whose cursor can be moved."""
    return sys.stdout.isatty() and os.environ.get("TERM", "dumb") not in ("dumb", "unknown", "")


def _utf8() -> bool:
    """False in the C locale too: Python writes UTF-8 there, but the terminal was told nothing of it."""
    encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower().replace("-", "")
    return encoding == "utf8" and (not sys.flags.utf8_mode or os.environ.get("PYTHONUTF8") == "1")
