"""Write dataclasses as TOML: no key without a value, no table without rows.

Pages of a large run hold hundreds of thousands of values, which a general writer turns into dicts first and looks at one
by one.  This one walks the dataclasses themselves; the text is TOML 1.0 and any reader gives the same values back.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_PLAIN = re.compile(r"[\x20\x21\x23-\x5b\x5d-\x7e\u00a1-\u02ff\u2010-\u2027]*")
_SPECIAL = re.compile(r'["\\\x00-\x1f\x7f]')
_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
#: Arrays that would make a longer line get a line for each item.
_WIDTH = 100


def toml_text(table: Any) -> str:
    """A dataclass (or a mapping of names to values) as a TOML document.

    Values are strings, numbers, booleans, enums of these, dataclasses, mappings, and lists or tuples of them; None and what is empty are
    left out.  TypeError for anything else, ValueError for a number that is not finite.
    """
    lines: list[str] = []
    _table(lines, "", _items(table))
    return "".join(lines).lstrip("\n")


#: `key = `, key and attribute of each field of a dataclass.
_FIELDS: dict[type, list[tuple[str, str, str]]] = {}


def _items(table: Any) -> Iterable[tuple[str, str, Any]]:
    """`key = `, key and value of everything in a table."""
    kind = type(table)
    if kind in _FIELDS:
        return [(start, key, getattr(table, name)) for start, key, name in _FIELDS[kind]]
    if isinstance(table, Mapping):
        keys = ((_key(str(name)), value) for name, value in table.items())
        return [(f"{key} = ", key, value) for key, value in keys]
    if not dataclasses.is_dataclass(table):
        raise TypeError(f"no TOML table: {kind.__name__}")
    named = ((_key(str(f.metadata.get("key", f.name))), f.name) for f in dataclasses.fields(table))
    _FIELDS[kind] = [(f"{key} = ", key, name) for key, name in named]
    return _items(table)


def _table(lines: list[str], path: str, items: Iterable[tuple[str, str, Any]]) -> None:
    """The values of a table, then the tables in it: TOML lets no value stand behind a table's head."""
    tables: list[tuple[str, Any]] = []
    for start, key, value in items:
        literal = _LITERALS.get(type(value))
        if literal is not None:
            lines += start, literal(value), "\n"
        elif isinstance(value, Enum):
            lines += start, _LITERALS[type(value.value)](value.value), "\n"
        elif value is not None:
            if type(value) in (list, tuple) and (not value or type(value[0]) in _LITERALS):
                if value:
                    lines += start, _array(value), "\n"
            else:
                tables.append((f"{path}.{key}" if path else key, value))
    for name, value in tables:
        for row in value if isinstance(value, (list, tuple)) else (value,):
            inner: list[str] = []
            _table(inner, name, _items(row))
            if row is not value:
                lines.append(f"\n[[{name}]]\n")
            elif inner and not inner[0].startswith("\n["):  # a table of tables alone needs no head
                lines.append(f"\n[{name}]\n")
            lines += inner


def _array(values: Iterable[Any]) -> str:
    literals = [_LITERALS[type(value)](value) for value in values]
    line = f"[{', '.join(literals)}]"
    return line if len(line) <= _WIDTH else "".join(("[\n", *(f"    {text},\n" for text in literals), "]"))


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _string(name)


def _string(text: str) -> str:
    if _PLAIN.fullmatch(text):
        return f'"{text}"'
    return f'"{_SPECIAL.sub(_escape, text)}"'


def _escape(found: re.Match[str]) -> str:
    return _SHORT.get(found[0]) or f"\\u{ord(found[0]):04x}"


def _float(value: float) -> str:
    if not math.isfinite(value):
        raise ValueError("must be a finite number")
    return repr(value)


_LITERALS: dict[type, Callable[[Any], str]] = {
    str: _string,
    int: str,
    float: _float,
    bool: lambda value: "true" if value else "false",
}
