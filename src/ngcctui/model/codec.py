"""Plain data to frozen dataclasses and back, with errors that name the key.

One mechanism reads schemes, campaigns, events and records: a table becomes a dataclass when every key is known and every
value has the annotated type.  Nothing is guessed or converted, except that whole numbers are accepted for floats.
"""

from __future__ import annotations

import dataclasses
import math
import types
import typing
from enum import Enum
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")


class CodecError(ValueError):
    """A value that does not fit; `key` is its dotted path, `why` what is wrong with it."""

    def __init__(self, key: str, why: str) -> None:
        self.key = key
        self.why = why
        super().__init__(f"{key}: {why}" if key else why)


def decode(cls: type[T], data: Any, key: str = "") -> T:
    """Build dataclass `cls` from the mapping `data`; CodecError names the first key that does not fit."""
    return typing.cast(T, _value(cls, data, key))


def encode(value: Any) -> Any:
    """Turn dataclasses, enums and tuples into dicts, strings and lists; None stays None."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {_name(f): encode(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, (tuple, list)):
        return [encode(item) for item in value]
    if isinstance(value, dict):
        return {str(k): encode(v) for k, v in value.items()}
    return value


def _name(field: dataclasses.Field[Any]) -> str:
    return str(field.metadata.get("key", field.name))


@cache
def _fields(cls: Any) -> dict[str, tuple[dataclasses.Field[Any], Any]]:
    hints = typing.get_type_hints(cls)
    return {_name(f): (f, hints[f.name]) for f in dataclasses.fields(cls) if f.init}


def _join(key: str, part: str) -> str:
    return f"{key}.{part}" if key else part


def _dataclass(cls: type[Any], data: Any, key: str) -> Any:
    if not isinstance(data, dict):
        raise CodecError(key, f"must be a table, not {_kind(data)}")
    fields: dict[str, tuple[dataclasses.Field[Any], Any]] = _fields(cls)
    for name in data:
        if name not in fields:
            known = ", ".join(sorted(fields))
            raise CodecError(_join(key, str(name)), f"unknown key (known here: {known})")
    made: dict[str, Any] = {}
    for name, (field, hint) in fields.items():
        if name in data:
            made[field.name] = _value(hint, data[name], _join(key, name))
        elif field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            raise CodecError(_join(key, name), "missing")
    try:
        return cls(**made)
    except CodecError as error:
        raise CodecError(_join(key, error.key), error.why) from None


def _value(hint: Any, data: Any, key: str) -> Any:
    origin = typing.get_origin(hint)
    if hint is Any:
        return data
    if origin in (types.UnionType, typing.Union):
        return _union(typing.get_args(hint), data, key)
    if origin is tuple:
        if not isinstance(data, (list, tuple)):
            raise CodecError(key, f"must be an array, not {_kind(data)}")
        item = typing.get_args(hint)[0]
        return tuple(_value(item, entry, f"{key}[{i}]") for i, entry in enumerate(data))
    if origin is dict:
        if not isinstance(data, dict):
            raise CodecError(key, f"must be a table, not {_kind(data)}")
        item = typing.get_args(hint)[1]
        return {str(k): _value(item, v, _join(key, str(k))) for k, v in data.items()}
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return _dataclass(hint, data, key)
    if isinstance(hint, type) and issubclass(hint, Enum):
        try:
            return hint(data)
        except ValueError:
            raise CodecError(key, f"must be one of {', '.join(str(e.value) for e in hint)}") from None
    return _plain(hint, data, key)


def _union(hints: tuple[Any, ...], data: Any, key: str) -> Any:
    if data is None and type(None) in hints:
        return None
    error: CodecError | None = None
    for hint in hints:
        if hint is type(None):
            continue
        try:
            return _value(hint, data, key)
        except CodecError as caught:
            error = error or caught
    raise error or CodecError(key, "no value fits")


def _plain(hint: Any, data: Any, key: str) -> Any:
    if hint is float and isinstance(data, int) and not isinstance(data, bool):
        return float(data)
    if hint in (int, float) and isinstance(data, bool):
        raise CodecError(key, f"must be a number, not {_kind(data)}")
    if not isinstance(data, hint):
        wanted = {str: "a string", int: "a whole number", float: "a number", bool: "true or false"}
        raise CodecError(key, f"must be {wanted.get(hint, hint)}, not {_kind(data)}")
    if hint is float and not math.isfinite(data):
        raise CodecError(key, "must be a finite number")
    return data


def _kind(data: Any) -> str:
    names = {str: "a string", int: "a whole number", float: "a number", bool: "true or false"}
    if data is None:
        return "null"
    if isinstance(data, (list, tuple)):
        return "an array"
    return "a table" if isinstance(data, dict) else names.get(type(data), type(data).__name__)
