"""What the screens remember from one start to the next: order, filters, marks of the layout; nothing that matters."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
from pathlib import Path
from typing import TypeVar

T = TypeVar("T", str, int, bool)

_MAX_BYTES = 65536


class Memory:
    """Small values by name, in one file of the operator's; a file that is lost, foreign or unwritable costs nothing."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._values: dict[str, object] = {}
        with contextlib.suppress(OSError, ValueError, RecursionError):
            with path.open("rb") as file:
                values = json.loads(file.read(_MAX_BYTES))
            if isinstance(values, dict):
                self._values = values

    def get(self, name: str, default: T) -> T:
        """The value called `name`, of the type of `default`; else `default`."""
        value = self._values.get(name)
        return value if type(value) is type(default) else default

    def put(self, name: str, value: str | int | bool) -> None:
        """Remember a value."""
        if self._values.get(name) == value:
            return
        self._values[name] = value
        temporary = self._path.with_name(f".{self._path.name}.{secrets.token_hex(4)}")
        with contextlib.suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_text(json.dumps(self._values), encoding="ascii")
            os.replace(temporary, self._path)
