"""Plain data to dataclasses: what is made is what the class itself would make."""

from __future__ import annotations

import math
from dataclasses import FrozenInstanceError, dataclass, field
from typing import Any

import pytest

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
