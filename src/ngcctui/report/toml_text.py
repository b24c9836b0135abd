"""Write dataclasses as TOML: no key without a value, no table without rows.

Pages of a large run hold hundreds of thousands of values, which a general writer turns into dicts first and looks at one
by one.  This one walks the dataclasses themselves, and rows whose values have the same types share one form; the text is
TOML 1.0 and any reader gives the same values back.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from functools import lru_cache
from operator import attrgetter, itemgetter
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
    _table(lines, "", table)
    return "".join(lines).lstrip("\n")


def _table(lines: list[str], path: str, table: Any) -> None:
    """The values of a table, then the tables in it: TOML lets no value stand behind a table's head."""
    known = type(table) in _FIELDS or not isinstance(table, Mapping)
    text, tables = _dataclass(table) if known else _mapping(table)
    if text:
        lines.append(text)
    for key, value in tables:
        name = f"{path}.{key}" if path else key
        for row in value if isinstance(value, (list, tuple)) else (value,):
            inner: list[str] = []
            _table(inner, name, row)
            if row is not value:
                lines.append(f"\n[[{name}]]\n")
            elif inner and not inner[0].startswith("\n["):  # a table of tables alone needs no head
                lines.append(f"\n[{name}]\n")
            lines += inner


#: Gets some values of a table.
_Pick = Callable[[Any], tuple[Any, ...]]
#: Lines of a table's own values, and key and content of the tables in it.
_Parts = tuple[str, list[tuple[str, Any]]]


def _mapping(table: Mapping[Any, Any]) -> _Parts:
    lines, tables = [], []
    for name, value in table.items():
        key = _key(str(name))
        line = _line(key, value)
        if line is None:
            tables.append((key, value))
        else:
            lines.append(line)
    return "".join(lines), tables


def _line(key: str, value: Any) -> str | None:
    """The line of a value, empty when it has none; None when the value is a table."""
    if value is None:
        return ""
    if isinstance(value, Enum):
        value = value.value
    literal = _LITERALS.get(type(value))
    if literal is not None:
        return f"{key} = {literal(value)}\n"
    if isinstance(value, (list, tuple)) and (not value or type(value[0]) in _LITERALS):
        return f"{key} = {_array(value)}\n" if value else ""
    return None


@dataclasses.dataclass(frozen=True)
class _Form:
    """How tables of one dataclass are written whose values have certain types; values go by their place among all.

    `text` has a gap for each value that is not None, `gaps` picks what goes there.  `strings` and `floats` pick what can
    need escapes or be no number.  `others` are the places and keys of the rest, whose text (an array, an enum, nothing
    for a table) depends on more than the type.
    """

    text: str
    gaps: _Pick
    strings: _Pick
    string_places: tuple[int, ...]
    floats: _Pick | None
    others: tuple[tuple[int, str], ...]


#: Keys of the fields of each dataclass, and what gets their values.
_FIELDS: dict[type, tuple[tuple[str, ...], _Pick]] = {}
_FORMS: dict[tuple[type, ...], _Form] = {}


def _dataclass(table: Any) -> _Parts:
    kind = type(table)
    keys, get = _FIELDS.get(kind) or _fields(kind)
    values: Sequence[Any] = get(table)
    shape = (kind, *map(type, values))
    form = _FORMS.get(shape) or _FORMS.setdefault(shape, _form(keys, shape[1:]))
    if form.string_places and not _PLAIN.fullmatch("".join(form.strings(values))):
        values = list(values)
        for place in form.string_places:
            values[place] = _escaped(values[place])
    if form.floats and not math.isfinite(sum(form.floats(values))):
        for number in form.floats(values):
            _float(number)  # finite ones can add up to more than there is
    tables = []
    if form.others:
        values = list(values)
        for place, key in form.others:
            line = _line(key, values[place])
            if line is None:
                tables.append((key, values[place]))
            values[place] = line or ""
    return form.text % form.gaps(values), tables


def _fields(kind: type) -> tuple[tuple[str, ...], _Pick]:
    if not dataclasses.is_dataclass(kind):
        raise TypeError(f"no TOML table: {kind.__name__}")
    fields = dataclasses.fields(kind)
    keys = tuple(_key(str(field.metadata.get("key", field.name))) for field in fields)
    _FIELDS[kind] = keys, _picker(attrgetter, [field.name for field in fields])
    return _FIELDS[kind]


def _picker(getter: Callable[..., _Pick], names: Sequence[Any]) -> _Pick:
    """attrgetter or itemgetter, which give a tuple for two names or more only."""
    if len(names) > 1:
        return getter(*names)
    return (lambda table: (getter(names[0])(table),)) if names else lambda table: ()


#: How values of a type are written, all but their special cases.
_FORMAT = {str: '"%s"', int: "%d", float: "%r"}


def _form(keys: Sequence[str], kinds: Sequence[type]) -> _Form:
    there = [place for place, kind in enumerate(kinds) if kind is not type(None)]
    strings = [place for place in there if kinds[place] is str]
    floats = [place for place in there if kinds[place] is float]
    return _Form(
        "".join(
            f"{keys[place].replace('%', '%%')} = {_FORMAT[kinds[place]]}\n"
            if kinds[place] in _FORMAT
            else "%s"
            for place in there
        ),
        _picker(itemgetter, there),
        _picker(itemgetter, strings),
        tuple(strings),
        _picker(itemgetter, floats) if floats else None,
        tuple((place, keys[place]) for place in there if kinds[place] not in _FORMAT),
    )


def _array(values: Iterable[Any]) -> str:
    literals = [_LITERALS[type(value)](value) for value in values]
    line = f"[{', '.join(literals)}]"
    return line if len(line) <= _WIDTH else "".join(("[\n", *(f"    {text},\n" for text in literals), "]"))


@lru_cache(maxsize=4096)
def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _string(name)


def _string(text: str) -> str:
    return f'"{text if _PLAIN.fullmatch(text) else _escaped(text)}"'


def _escaped(text: str) -> str:
    return _SPECIAL.sub(_escape, text)


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
