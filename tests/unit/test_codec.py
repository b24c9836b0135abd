"""Plain data to dataclasses: what is made is what the class itself would make."""

from __future__ import annotations

import math
from dataclasses import FrozenInstanceError, dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ngcctui.model.codec import CodecError, decode, encode


@dataclass(frozen=True)
class Leaf:
    name: str
    count: int | None = None
    ratio: float = 0.5


@dataclass(frozen=True)
class Tree:
    leaf: Leaf
    leaves: tuple[Leaf, ...] = ()
    table: dict[str, int] = field(default_factory=dict)
    renamed: bool = field(default=False, metadata={"key": "in-file"})
    numbers: tuple[float, ...] = ()


@dataclass(frozen=True)
class Checked:
    value: int

    def __post_init__(self) -> None:
        if self.value < 0:
            raise CodecError("value", "must not be negative")


def test_what_is_decoded_equals_what_the_class_makes() -> None:
    made = decode(
        Tree, {"leaf": {"name": "a", "count": 3}, "leaves": [{"name": "b", "ratio": 1}], "in-file": True}
    )
    assert made == Tree(Leaf("a", 3), (Leaf("b", None, 1.0),), {}, True)
    assert hash(made.leaf) == hash(Leaf("a", 3)) and repr(made.leaf) == repr(Leaf("a", 3))
    assert decode(Tree, encode(made)) == made
    with pytest.raises(FrozenInstanceError):
        made.leaf.name = "c"  # type: ignore[misc]


def test_defaults_that_can_change_are_not_shared() -> None:
    first, second = (decode(Tree, {"leaf": {"name": "a"}}) for _ in range(2))
    first.table["x"] = 1
    assert second.table == {}


def test_a_class_that_checks_itself_does_so() -> None:
    assert decode(Checked, {"value": 1}) == Checked(1)
    with pytest.raises(CodecError, match="value: must not be negative"):
        decode(Checked, {"value": -1})


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"leaf": {"name": 3}}, "leaf.name: must be a string, not a whole number"),
        ({"leaf": {"name": "a", "count": True}}, "leaf.count: must be a number, not true or false"),
        ({"leaf": {"name": "a", "count": 1.0}}, "leaf.count: must be a whole number, not a number"),
        ({"leaf": {"name": "a", "ratio": True}}, "leaf.ratio: must be a number, not true or false"),
        ({"leaf": {"name": "a", "ratio": math.nan}}, "leaf.ratio: must be a finite number"),
        ({"leaf": {"name": "a", "ratio": math.inf}}, "leaf.ratio: must be a finite number"),
        ({"leaf": {"name": "a", "ratio": 10**400}}, "leaf.ratio: must be a finite number"),
        ({"leaf": {"name": "a", "ratio": None}}, "leaf.ratio: must be a number, not null"),
        ({"leaf": {"name": 3, "ratio": math.inf}}, "leaf.name: must be a string"),
        ({"leaf": {"ratio": math.inf, "name": 3}}, "leaf.name: must be a string"),
        ({"leaf": {"count": "a"}}, "leaf.name: missing"),
        ({"leaf": {"name": "a"}, "numbers": [1.0, math.nan]}, "numbers[1]: must be a finite number"),
        ({"leaf": {"name": "a"}, "numbers": [1.0, "a"]}, "numbers[1]: must be a number, not a string"),
        ({"leaf": {"name": None}}, "leaf.name: must be a string, not null"),
        ({"leaf": {}}, "leaf.name: missing"),
        ({"leaf": {"name": "a"}, "leaves": [{"name": "b"}, {"nam": "c"}]}, "leaves[1].nam: unknown key"),
        ({"leaf": {"name": "a"}, "table": {"k": "v"}}, "table.k: must be a whole number, not a string"),
        ({"leaf": {"name": "a"}, "in-file": 1}, "in-file: must be true or false, not a whole number"),
        ([], "must be a table, not an array"),
    ],
)
def test_the_first_key_that_does_not_fit_is_named(data: Any, message: str) -> None:
    with pytest.raises(CodecError) as caught:
        decode(Tree, data)
    assert message in str(caught.value)


def test_a_table_seen_before_is_looked_at_again() -> None:
    """Tables of one shape share what was found out about it, and nothing of their values."""
    for _ in range(2):
        assert decode(Leaf, {"name": "a", "ratio": 2.0}) == Leaf("a", None, 2.0)
        with pytest.raises(CodecError, match="ratio: must be a finite number"):
            decode(Leaf, {"name": "a", "ratio": math.inf})
        with pytest.raises(CodecError, match="nam: unknown key"):
            decode(Leaf, {"nam": "a", "ratio": 2.0})
    large = decode(Tree, {"leaf": {"name": "a"}, "numbers": [1.7e308, 1.7e308]})
    assert large.numbers == (1.7e308, 1.7e308), "their sum need not be finite"


@dataclass(frozen=True)
class Wide:
    a: int | None = None
    b: float | None = None
    c: str | None = None
    d: bool | None = None


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "a": st.none() | st.integers(),
            "b": st.none() | st.floats(allow_nan=False, allow_infinity=False) | st.integers(-9, 9),
            "c": st.none() | st.text(),
            "d": st.none() | st.booleans(),
        },
    ),
    st.randoms(use_true_random=False),
)
def test_every_shape_of_a_table_gives_what_the_class_makes(table: dict[str, Any], chance: Any) -> None:
    """More shapes than are remembered, each with its keys in any order."""
    keys = list(table)
    chance.shuffle(keys)
    shuffled = {key: table[key] for key in keys}
    made, before = decode(Wide, shuffled), dict(shuffled)
    assert made == Wide(**table) and type(made.b) in (float, type(None))
    assert shuffled == before and vars(made) is not shuffled


def test_what_was_decoded_is_independent_of_its_source() -> None:
    source: dict[str, Any] = {"leaf": {"name": "a"}, "table": {"x": 1}, "numbers": [1.0]}
    made = decode(Tree, source)
    source["table"]["y"], source["leaf"]["name"] = 2, "b"
    source["numbers"].append(2.0)
    assert made == Tree(Leaf("a"), (), {"x": 1}, False, (1.0,))
