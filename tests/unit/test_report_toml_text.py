"""The TOML writer of the pages: every reader gives the same values back."""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ngcctui.report.toml_text import toml_text


class Colour(Enum):
    RED = "red"


@dataclass(frozen=True)
class Inner:
    name: str
    value: float | None = None


@dataclass(frozen=True)
class Outer:
    title: str
    colour: Colour = Colour.RED
    inner: Inner | None = None
    rows: tuple[Inner, ...] = ()
    words: tuple[str, ...] = ()
    table: dict[str, Any] = field(default_factory=dict)


TEXT = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    TEXT
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: (
        st.dictionaries(TEXT, inner, min_size=1, max_size=3)
        | st.lists(st.dictionaries(TEXT, inner, min_size=1, max_size=3), min_size=1, max_size=3)
    ),
    max_leaves=12,
)


@given(st.dictionaries(TEXT, VALUES | st.lists(TEXT, min_size=1), max_size=5))
def test_what_is_written_is_read_back(table: dict[str, Any]) -> None:
    assert tomllib.loads(toml_text(table)) == table


def test_dataclasses_are_tables_and_what_is_missing_has_no_key() -> None:
    value = Outer("t", inner=Inner("i"), rows=(Inner("a", 1.5), Inner("b")), table={"x": {"y": 1}, "z": None})
    assert tomllib.loads(toml_text(value)) == {
        "title": "t",
        "colour": "red",
        "inner": {"name": "i"},
        "rows": [{"name": "a", "value": 1.5}, {"name": "b"}],
        "table": {"x": {"y": 1}},
    }


def test_values_stand_before_tables_and_long_arrays_get_a_line_an_item() -> None:
    text = toml_text({"table": {"a": 1}, "after": 2, "words": ["w" * 60, "v" * 60], "short": ["a", "b"]})
    assert text.index("after = 2") < text.index("[table]")
    assert 'short = ["a", "b"]' in text and '    "' + "w" * 60 + '",\n' in text


@pytest.mark.parametrize(
    "text", ['"', "\\", "\n\r\t\b\f", "\x00\x1f\x7f", "\u202e", "é–µ", "]", "#", "'", '"""', "\U0001f600"]
)
def test_any_text_survives(text: str) -> None:
    assert tomllib.loads(toml_text({text: text, "list": [text]})) == {text: text, "list": [text]}


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_number_that_is_not_finite_is_an_error(value: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        toml_text({"x": value})


@pytest.mark.parametrize("value", [object(), {"x": b"bytes"}, {"x": object()}])
def test_what_toml_cannot_hold_is_an_error(value: object) -> None:
    with pytest.raises(TypeError):
        toml_text(value)


@given(TEXT, TEXT, st.floats(allow_nan=False, allow_infinity=False) | st.none(), st.lists(TEXT, max_size=3))
def test_rows_of_one_form_are_read_back_whatever_their_values(
    title: str, name: str, value: float | None, words: list[str]
) -> None:
    rows = (Inner(name, value), Inner("%s", 1e308), Inner("plain", 1e308))
    told = tomllib.loads(toml_text(Outer(title, rows=rows, words=tuple(words))))
    first = {"name": name} | ({} if value is None else {"value": value})
    assert told["rows"] == [first, {"name": "%s", "value": 1e308}, {"name": "plain", "value": 1e308}]
    assert told["title"] == title and told.get("words", []) == words


@dataclass(frozen=True)
class Two:
    first: float
    second: float
    percent: str = field(default="", metadata={"key": "100 %d"})


def test_large_numbers_are_finite_and_their_sum_need_not_be() -> None:
    assert tomllib.loads(toml_text(Two(1.7e308, 1.7e308, "%r"))) == {
        "first": 1.7e308,
        "second": 1.7e308,
        "100 %d": "%r",
    }
    for value in (math.nan, math.inf, -math.inf):
        with pytest.raises(ValueError, match="finite"):
            toml_text(Two(1.0, value))
    with pytest.raises(ValueError, match="finite"):
        toml_text(Two(math.inf, -math.inf))
