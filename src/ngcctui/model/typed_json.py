"""JSON straight into frozen dataclasses: what `codec.decode` makes of it, in a fraction of the time.

Pages are made of thousands of records.  msgspec checks types and makes the objects while it reads, but passes over keys that
a dataclass does not have, so a second look sees to these: at keys alone, it is short.  Whatever one of them refuses is
left to `codec.decode`, which takes it after all (half of a surrogate pair in what a candidate printed) or names the key.
"""

from __future__ import annotations

import dataclasses
import json
import types
import typing
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from ngcctui.model.codec import decode

T = TypeVar("T")

#: For each dataclass ever read: what looks at the keys, and what makes the object.
_READERS: dict[Any, tuple[Callable[[bytes], Any], Callable[[bytes], Any]]] = {}


def decode_json(cls: type[T], data: bytes) -> T:
    """Build dataclass `cls` from a JSON object; CodecError names the first key that does not fit.

    ValueError or RecursionError when it is no JSON.  Keys are the names of the fields, and the classes compute nothing when
    they are made.
    """
    if cls not in _READERS:
        _READERS[cls] = msgspec.json.Decoder(_keys(cls)).decode, msgspec.json.Decoder(cls).decode
    look_at_keys, read = _READERS[cls]
    try:
        look_at_keys(data)
        return typing.cast(T, read(data))
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return decode(cls, json.loads(data))


def _keys(cls: type[Any]) -> type[msgspec.Struct]:
    """A type of the same keys and no others, whatever their values."""
    hints = typing.get_type_hints(cls)
    fields = [(field.name, _tables(hints[field.name]), None) for field in dataclasses.fields(cls)]
    return msgspec.defstruct(cls.__name__, fields, forbid_unknown_fields=True, gc=False)


def _tables(hint: Any) -> Any:
    """A type that holds the keys of the dataclasses in `hint`, and anything where there are none."""
    inside = typing.get_args(hint)
    if dataclasses.is_dataclass(hint):
        return _keys(typing.cast(type[Any], hint))
    if typing.get_origin(hint) is tuple:
        item = _tables(inside[0])
        return item if item is msgspec.Raw else tuple[item, ...]  # type: ignore[valid-type]
    if typing.get_origin(hint) in (types.UnionType, typing.Union):
        for part in map(_tables, inside):
            if part is not msgspec.Raw:
                return part | None
    return msgspec.Raw
