"""What the screens remember from one start to the next: orders, units, the size of the log; nothing that matters.

One small JSON file of the operator's own, read as if a stranger had written it.  Losing it costs nothing.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
from pathlib import Path
from typing import TypeVar

T = TypeVar("T", str, bool)

#: Of the file; what the screens put there is far from it.
MAX_BYTES = 65536


class Memory:
    """Small values by name.  With `keep` false (a read-only view) nothing is written.

    `trouble` is a line about a file that is there and is no good; the screens then begin as they come.
    """

    def __init__(self, path: Path, keep: bool = True) -> None:
        self._path = path
        self._keep = keep
        self._values, self.trouble = _read(path)

    def get(self, name: str, default: T) -> T:
        """The value called `name`, of the type of `default`; else `default`."""
        value = self._values.get(name)
        return value if type(value) is type(default) else default

    def put(self, name: str, value: str | bool) -> None:
        """Remember a value, and what other viewers have put there meanwhile."""
        if self._values.get(name) == value:
            return
        self._values[name] = value
        if not self._keep:
            return
        others, _ = _read(self._path)
        temporary = self._path.with_name(f".{self._path.name}.{os.urandom(4).hex()}")
        with contextlib.suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            try:
                temporary.write_text(json.dumps({**others, name: value}), encoding="ascii")
                os.replace(temporary, self._path)
            except OSError:
                temporary.unlink(missing_ok=True)


def _read(path: Path) -> tuple[dict[str, str | bool], str]:
    """The values in a file, and what is wrong with it, if anything."""
    try:
        fd = os.open(
            path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK
        )  # it may be a pipe that nobody writes to
        with open(fd, "rb") as file:
            if not stat.S_ISREG(os.fstat(fd).st_mode):
                return {}, _ignored(path, "no regular file")
            raw = file.read(MAX_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        return {}, ""
    except OSError as error:
        return {}, _ignored(path, error.strerror or "cannot be read")
    if len(raw) > MAX_BYTES:
        return {}, _ignored(path, f"larger than {MAX_BYTES >> 10} KiB")
    try:
        values = json.loads(raw)
    except (ValueError, RecursionError):
        return {}, _ignored(path, "no JSON")
    if not isinstance(values, dict):
        return {}, _ignored(path, "no JSON object")
    return {name: value for name, value in values.items() if type(value) in (str, bool)}, ""


def _ignored(path: Path, why: str) -> str:
    return f"{path}: {why}; what the screens remembered is ignored"
