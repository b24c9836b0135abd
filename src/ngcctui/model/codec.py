"""Plain data to frozen dataclasses and back, with errors that name the key.

One mechanism reads schemes, campaigns, events and records: a table becomes a dataclass when every key is known and every
value has the annotated type.  Nothing is guessed or converted, except that whole numbers are accepted for floats.
"""

from __future__ import annotations

import dataclasses
import math
import types
import typing
from collections.abc import Callable
from enum import Enum
from typing import Any, TypeVar

T = TypeVar("T")

#: Turns plain data into a value; its CodecError names the key from the value down.
_Decoder = Callable[[Any], Any]


class CodecError(ValueError):
    """A value that does not fit; `key` is its dotted path, `why` what is wrong with it."""

    def __init__(self, key: str, why: str) -> None:
        self.key = key
        self.why = why
        super().__init__(f"{key}: {why}" if key else why)


def decode(cls: type[T], data: Any, key: str = "") -> T:
    """Build dataclass `cls` from the mapping `data`; CodecError names the first key that does not fit."""
    try:
        return typing.cast(T, _decoder(cls)(data))
    except CodecError as error:
        raise CodecError(_join(key, error.key), error.why) from None


_PLAIN = frozenset({str, int, float, bool, type(None)})
#: Names in files and attributes of each dataclass ever written.
_NAMES: dict[type, list[tuple[str, str]]] = {}


def encode(value: Any) -> Any:
    """Turn dataclasses, enums and tuples into dicts, strings and lists; None stays None."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if dataclasses.is_dataclass(kind):
        if kind not in _NAMES:
            _NAMES[kind] = [(_name(f), f.name) for f in dataclasses.fields(kind)]
        return {name: encode(getattr(value, attribute)) for name, attribute in _NAMES[kind]}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, (tuple, list)):
        return [encode(item) for item in value]
    if isinstance(value, dict):
        return {str(k): encode(v) for k, v in value.items()}
    return value


def _name(field: dataclasses.Field[Any]) -> str:
    return str(field.metadata.get("key", field.name))


def _join(key: str, part: str) -> str:
    return f"{key}.{part}" if key and part and not part.startswith("[") else key + part


#: One decoder for each annotation ever met: records are read by the thousand.
_DECODERS: dict[Any, _Decoder] = {}


def _decoder(hint: Any) -> _Decoder:
    if hint not in _DECODERS:
        _DECODERS[hint] = _make_decoder(hint)
    return _DECODERS[hint]


def _make_decoder(hint: Any) -> _Decoder:
    origin = typing.get_origin(hint)
    if hint is Any:
        return lambda data: data
    if origin in (types.UnionType, typing.Union):
        return _union(typing.get_args(hint))
    if origin is tuple:
        return _array(_decoder(typing.get_args(hint)[0]))
    if origin is dict:
        return _table(_decoder(typing.get_args(hint)[1]))
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return _dataclass(hint)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _enum(hint)
    if hint is float:
        return _float
    return lambda data: data if type(data) is hint else _plain(hint, data)


def _float(data: Any) -> Any:
    return data if type(data) is float and math.isfinite(data) else _plain(float, data)


def _dataclass(cls: type[Any]) -> _Decoder:
    hints = typing.get_type_hints(cls)
    fields = [f for f in dataclasses.fields(cls) if f.init]
    known = frozenset(_name(f) for f in fields)
    # A value that is exactly of its plain type needs no call; floats can be infinite, so they always get one.
    rules = [(_name(f), f.name, _exact(hints[f.name]), _decoder(hints[f.name]), _required(f)) for f in fields]
    construct = _constructor(cls)

    def decode_fields(data: Any) -> Any:
        if not isinstance(data, dict):
            raise CodecError("", f"must be a table, not {_kind(data)}")
        if not data.keys() <= known:
            unknown = next(name for name in data if name not in known)
            raise CodecError(str(unknown), f"unknown key (known here: {', '.join(sorted(known))})")
        made: dict[str, Any] = {}
        name = ""
        try:
            for name, attribute, exact, decoder, required in rules:
                if name in data:
                    value = data[name]
                    made[attribute] = value if type(value) is exact else decoder(value)
                elif required:
                    raise CodecError("", "missing")
        except CodecError as error:
            raise CodecError(_join(name, error.key), error.why) from None
        return construct(made)

    return decode_fields


def _exact(hint: Any) -> Any:
    """The type whose every value fits `hint` as it is; a type that no value has, when there is none."""
    plain = [part for part in (typing.get_args(hint) or (hint,)) if part in (str, int, bool)]
    return (
        plain[0] if plain and typing.get_origin(hint) in (None, types.UnionType, typing.Union) else _NoValue
    )


class _NoValue:
    """Type of nothing."""


def _required(field: dataclasses.Field[Any]) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _constructor(cls: type[Any]) -> Callable[[dict[str, Any]], Any]:
    """Makes an object of its fields.

    A frozen dataclass sets each field by a call, which for records takes as long as all the rest: one that computes
    nothing in its __init__ gets its fields at once.
    """
    fields = dataclasses.fields(cls)
    if hasattr(cls, "__post_init__") or hasattr(cls, "__slots__") or not all(field.init for field in fields):
        return lambda made: cls(**made)
    defaults = {f.name: f.default for f in fields if f.default is not dataclasses.MISSING}
    factories = [(f.name, f.default_factory) for f in fields if f.default_factory is not dataclasses.MISSING]
    new = object.__new__

    def construct(made: dict[str, Any]) -> Any:
        value = new(cls)
        value.__dict__.update(defaults)
        for name, factory in factories:
            if name not in made:
                made[name] = factory()
        value.__dict__.update(made)
        return value

    return construct


def _array(item: _Decoder) -> _Decoder:
    def decode_items(data: Any) -> Any:
        if not isinstance(data, (list, tuple)):
            raise CodecError("", f"must be an array, not {_kind(data)}")
        made = []
        for number, entry in enumerate(data):
            try:
                made.append(item(entry))
            except CodecError as error:
                raise CodecError(_join(f"[{number}]", error.key), error.why) from None
        return tuple(made)

    return decode_items


def _table(item: _Decoder) -> _Decoder:
    def decode_entries(data: Any) -> Any:
        if not isinstance(data, dict):
            raise CodecError("", f"must be a table, not {_kind(data)}")
        made = {}
        for name, entry in data.items():
            try:
                made[str(name)] = item(entry)
            except CodecError as error:
                raise CodecError(_join(str(name), error.key), error.why) from None
        return made

    return decode_entries


def _enum(hint: type[Enum]) -> _Decoder:
    def decode_member(data: Any) -> Any:
        try:
            return hint(data)
        except ValueError:
            raise CodecError("", f"must be one of {', '.join(str(e.value) for e in hint)}") from None

    return decode_member


def _union(hints: tuple[Any, ...]) -> _Decoder:
    optional = type(None) in hints
    decoders = [_decoder(hint) for hint in hints if hint is not type(None)]

    def decode_one(data: Any) -> Any:
        if data is None and optional:
            return None
        first: CodecError | None = None
        for decoder in decoders:
            try:
                return decoder(data)
            except CodecError as error:
                first = first or error
        raise first or CodecError("", "no value fits")

    return decode_one


def _plain(hint: Any, data: Any) -> Any:
    if hint is float and isinstance(data, int) and not isinstance(data, bool):
        try:
            return float(data)
        except OverflowError:
            raise CodecError("", "must be a finite number") from None
    if hint in (int, float) and isinstance(data, bool):
        raise CodecError("", f"must be a number, not {_kind(data)}")
    if not isinstance(data, hint):
        wanted = {str: "a string", int: "a whole number", float: "a number", bool: "true or false"}
        raise CodecError("", f"must be {wanted.get(hint, hint)}, not {_kind(data)}")
    if hint is float and not math.isfinite(data):
        raise CodecError("", "must be a finite number")
    return data


def _kind(data: Any) -> str:
    names = {str: "a string", int: "a whole number", float: "a number", bool: "true or false"}
    if data is None:
        return "null"
    if isinstance(data, (list, tuple)):
        return "an array"
    return "a table" if isinstance(data, dict) else names.get(type(data), type(data).__name__)
