"""Records read at once are what the codec makes of their JSON, and what it refuses is refused in its words."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ngcctui.model.codec import CodecError, decode, encode
from ngcctui.model.outcome import Outcome
from ngcctui.model.record import Health, Memory, Plan, ProfileRecord, Record, Statistics, Trial
from ngcctui.model.typed_json import decode_json


class Colour(Enum):
    RED = "red"


@dataclass(frozen=True)
class Leaf:
    name: str
    count: int | None = None
    ratio: float | None = 0.5


@dataclass(frozen=True)
class Tree:
    leaf: Leaf
    other: Leaf | None = None
    leaves: tuple[Leaf, ...] = ()
    words: tuple[str, ...] = ()
    table: dict[str, int] = field(default_factory=dict)
    colour: Colour = Colour.RED
    yes: bool = True


RECORD = Record(
    step="measure:toy-1/Toy-128/sign", scheme="toy-1", instance="Toy-128", operation="sign", outcome=Outcome.DONE,
    detail="é \ud800", flags="guide", inputs="varied", message_bytes=0, library="build/toy-1/Toy-128.so",
    library_sha256="0" * 64, kat="PASS", attempt=1, started_utc="", ended_utc="", command="",
    environment={"OS / kernel": "x"}, plan=Plan(1.5, 2e6, 5, 20, 3, 1, True, False, 303.0),
    trials=(
        Trial(1, 1, 20, 1, 10**9, 10**9, None, "no", 2**63, "tsc", Health(0, 0, 1, 2, 3, 4, swap_pages=7)),
        Trial(2, 1, 20, 1, 10**9, 10**9, 5, "cycles", None, "", Health(0, 0, 1, 2, 3, 4), disturbed=("a", "b")),
    ),
    memory=Memory(1, None, 3), sizes={"public_key": 32},
    statistics=Statistics(100, 100, 1.0, 1e-300, (1.0, 2.0), 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1e300, 1e9),
)  # fmt: skip


def _text(value: Any) -> bytes:
    return json.dumps(encode(value), indent=1).encode()


def _told(read: Any) -> str:
    """What comes of reading: the object, or the error in its words."""
    try:
        return repr(read())
    except CodecError as error:
        return f"{type(error).__name__} {error}"
    except (ValueError, RecursionError) as error:
        return type(error).__name__


def _alike(cls: type[Any], data: bytes) -> str:
    at_once = _told(lambda: decode_json(cls, data))
    assert at_once == _told(lambda: decode(cls, json.loads(data)))
    return at_once


@pytest.mark.parametrize("record", [RECORD, replace(RECORD, detail="plain")])
def test_a_record_is_itself_again(record: Record) -> None:
    assert decode_json(Record, _text(record)) == record
    profile = ProfileRecord(*["x"] * 4, Outcome.DONE, *["x"] * 4)  # type: ignore[arg-type]
    assert decode_json(ProfileRecord, _text(profile)) == profile


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b'{"leaf": {"name": "a", "count": 3.0}}', "leaf.count: must be a whole number"),
        (b'{"leaf": {"name": "a", "count": true}}', "leaf.count: must be a number"),
        (b'{"leaf": {"name": "a", "ratio": 1}}', "ratio=1.0"),
        (b'{"leaf": {"name": "a", "ratio": 1e999}}', "leaf.ratio: must be a finite number"),
        (b'{"leaf": {"name": "a", "ratio": NaN}}', "leaf.ratio: must be a finite number"),
        (b'{"leaf": {"name": "a", "ratio": 1%s}}' % (b"0" * 400), "leaf.ratio: must be a finite number"),
        (b'{"leaf": {"name": "a", "size": 1}}', "leaf.size: unknown key"),
        (b'{"leaf": {"name": "a"}, "other": {"name": "b", "size": 1}}', "other.size: unknown key"),
        (b'{"leaf": {"name": "a"}, "leaves": [{"name": "b"}, {"name": "c", "d": 1}]}', "leaves[1].d: unknown key"),
        (b'{"leaf": {"name": "a"}, "other": null, "colour": "red"}', "other=None"),
        (b'{"leaf": {"name": "a"}, "colour": "blue"}', "colour: must be one of red"),
        (b'{"leaf": {"name": "a"}, "table": {"x": 1.5}}', "table.x: must be a whole number"),
        (b'{"leaf": {"name": "a"}, "words": ["a", null]}', "words[1]: must be a string, not null"),
        (b'{"leaf": {"name": 1, "name": "a"}}', "name='a'"),
        (b'{"leaf": {}}', "leaf.name: missing"),
        (b'{"leaf": {"name": "\\ud800"}}', "ud800"),
        (b'{"leaf": {"name": "a"}} x', "JSONDecodeError"),
        (b'{"leaf": {"name": "\xff"}}', "UnicodeDecodeError"),
        (b"[]", "must be a table, not an array"),
        (b"", "JSONDecodeError"),
        (b"[" * 100_000, "RecursionError"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_told_in_the_same_words(data: bytes, told: str) -> None:
    assert told in _alike(Tree, data)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=4,
)
LEAF = st.fixed_dictionaries({"name": st.text() | JSON}, optional={"count": JSON, "ratio": JSON, "x": JSON})


@given(
    st.fixed_dictionaries(
        {"leaf": LEAF},
        optional={
            "other": LEAF | JSON,
            "leaves": st.lists(LEAF, max_size=2) | JSON,
            "words": st.lists(st.text(), max_size=2) | JSON,
            "table": st.dictionaries(st.text(), st.integers()) | JSON,
            "colour": st.just("red") | JSON,
            "yes": JSON,
        },
    )
)
def test_any_table_is_taken_or_refused_alike(table: Any) -> None:
    _alike(Tree, json.dumps(table).encode())


def test_damaged_records_are_taken_or_refused_alike() -> None:
    chance = random.Random(7)
    whole = _text(replace(RECORD, detail="plain"))
    taken = 0
    for _ in range(4000):
        data = bytearray(whole)
        for _ in range(chance.choice((1, 1, 2))):
            place = chance.randrange(len(data))
            new = bytes([chance.choice(b'"\\{}[],:0123456789eE.-+ tfn\x00\x1f\xff\x80')])
            data[place : place + chance.randrange(3)] = new
        taken += _alike(Record, bytes(data)).startswith("Record(")
    assert taken > 100
