"""Read an operator's TOML file into a dataclass: one clear error naming the file and the key."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TypeVar

from ngcctui.model.codec import CodecError, decode
from ngcctui.model.errors import ConfigError

T = TypeVar("T")

#: Larger files are no configuration; refused before parsing.
MAX_BYTES = 4 << 20


def read_toml(path: Path) -> dict[str, object]:
    """Parse a TOML file of at most 4 MiB; ConfigError when it is missing, too large, not UTF-8 or malformed."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
    if len(raw) > MAX_BYTES:
        raise ConfigError(f"{path}: larger than 4 MiB, not a configuration file")
    try:
        return tomllib.loads(raw.decode("utf-8"))
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: not UTF-8 text") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(f"{path}: malformed TOML: {error}") from None


def load(cls: type[T], path: Path) -> T:
    """Read `path` into dataclass `cls`; ConfigError names file and key."""
    data = read_toml(path)
    try:
        return decode(cls, data)
    except CodecError as error:
        raise ConfigError(f"{path}: {error}") from None
