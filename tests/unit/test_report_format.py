"""The notation of the pages: every published string comes out again, and every printed number says what is behind it."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ngcctui.report import format as fmt

DATA = Path(__file__).parents[2] / "data" / "published"
FILES = sorted(DATA.glob("*/*.toml"))
KINDS: dict[str, tuple[Callable[[str], fmt.Printed | None], Callable[[float | None], str]]] = {
    "mean_cycles": (fmt.parse_cycles, fmt.cycles),
    "mean_time": (fmt.parse_time_ns, fmt.time_ns),
    "median_trial": (fmt.parse_time_ns, fmt.time_ns),
    "ops_per_second": (fmt.parse_rate, fmt.rate),
    "hash_share": (fmt.parse_share, fmt.share),
    "drng_share": (fmt.parse_share, fmt.share),
}


def _strings(path: Path) -> Iterator[tuple[str, str]]:
    page = tomllib.loads(path.read_text("utf-8"))
    for row in (*page["performance"], *page["symmetric"]):
        yield from ((key, row[key]) for key in KINDS if key in row)


def _inside(printed: fmt.Printed) -> Iterator[float]:
    """Values of the interval, its ends left out: rounding to even decides there."""
    yield printed.value
    for part in (0.001, 0.3, 0.7, 0.999):
        yield printed.low + (printed.high - printed.low) * part


def test_there_are_eight_published_pages() -> None:
    assert len(FILES) == 8


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_published_strings_come_out_again(path: Path) -> None:
    strings = list(_strings(path))
    assert len(strings) > 50
    for key, text in strings:
        parse, write = KINDS[key]
        printed = parse(text)
        assert printed is not None
        assert [write(value) for value in _inside(printed)] == [text] * 5


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_published_call_counts_come_out_again(path: Path) -> None:
    for row in tomllib.loads(path.read_text("utf-8"))["symmetric"]:
        text = row["calls_per_operation"]
        calls = fmt.parse_calls(text)
        for values in zip(*(_inside(printed) for printed in calls.values()), strict=True):
            assert fmt.calls_per_operation(dict(zip(calls, values, strict=True))) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (0, "–"),
        (-1.0, "–"),
        (float("nan"), "–"),
        (float("inf"), "–"),
        (301, "301"),
        (9_999.4, "9999"),
        (9_999.9, "10000"),
        (10_000, "10.0 k"),
        (999_949, "999.9 k"),
        (999_999, "1000.0 k"),
        (1e6, "1.00 M"),
        (999.994e6, "999.99 M"),
        (999_999_999, "1000.00 M"),
        (1e9, "1.00 G"),
        (6234.951e9, "6234.95 G"),
    ],
)
def test_cycles(value: float | None, text: str) -> None:
    assert fmt.cycles(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (0.0, "–"),
        (0.25, "0.25 ns"),
        (1.0, "1 ns"),
        (999.4, "999 ns"),
        (999.6, "1e+03 ns"),
        (1_000.0, "1 µs"),
        (60e6, "60 ms"),
        (5.5e6, "5.5 ms"),
        (999.6e6, "1e+03 ms"),
        (1e9, "1 s"),
        (30e9, "30 s"),
        (999.4e9, "999 s"),
        (4000.4e9, "4e+03 s"),
        (2310.9e9, "2.31e+03 s"),
    ],
)
def test_times(value: float | None, text: str) -> None:
    assert fmt.time_ns(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (0.0, "0.0%"),
        (0.0004, "0.0%"),
        (0.0949, "9.5%"),
        (0.095, "10%"),
        (0.914, "91%"),
        (1.0, "100%"),
    ],
)
def test_shares(value: float | None, text: str) -> None:
    assert fmt.share(value) == text


@pytest.mark.parametrize(
    ("fraction", "text"),
    [
        (None, "–"),
        (-0.1, "–"),
        (float("nan"), "–"),
        (0.0, "0%"),
        (0.00021, "0.021%"),
        (0.0994, "9.9%"),
        (0.0996, "10%"),
        (1.31, "131%"),
        (9.994, "999%"),
        (9.996, "10×"),
        (130.4, "130×"),
    ],
)
def test_deviations(fraction: float | None, text: str) -> None:
    assert fmt.deviation(fraction) == text


def test_the_other_formats() -> None:
    assert fmt.rate(1221.0) == "1.22e+03" and fmt.rate(0.02) == "0.02" and fmt.rate(None) == "–"
    assert fmt.one_decimal(19.37) == "19.4" and fmt.one_decimal(None) == "–"
    assert fmt.kib_floor(2047) == 1 and fmt.kib_floor(None) is None and fmt.kib_floor(-1) is None
    assert fmt.kib(1720) == "1720 KiB" and fmt.kib(None) == "–"
    assert fmt.whole(3183557) == "3183557" and fmt.whole(None) == "–"
    assert fmt.count(4460, 5, 892) == "4460 (5 × 892)" and fmt.count(None, 5, 892) == "–"
    assert (
        fmt.digest_prefix("74f0d60b6353c8f5" + "0" * 48) == "74f0d60b6353c8f5…"
        and fmt.digest_prefix("") == "–"
    )
    assert fmt.calls_per_operation({}) == "–"
    assert fmt.calls_per_operation({"sm3hash": 1.125, "drng": 2, "pseudoXOF": 15.84}) == (
        "drng 2, pseudoXOF 15.8, sm3hash 1.12"
    )


def _round_trip(
    parse: Callable[[str], fmt.Printed | None], write: Callable[[float | None], str], value: float
) -> None:
    text = write(value)
    printed = parse(text)
    assert printed is not None
    slack = 1e-12 * printed.high
    assert printed.low - slack <= value <= printed.high + slack
    assert printed.low - slack <= printed.value <= printed.high + slack
    assert write(printed.value) == text


POSITIVE = st.floats(min_value=1e-3, max_value=1e17, allow_nan=False)
#: Values around the edges between units, where rounding and the choice of the unit meet.
EDGES = st.builds(
    lambda exponent, off: 10.0**exponent * (1 + off),
    st.integers(0, 13),
    st.floats(-0.01, 0.01, allow_nan=False),
)


@given(st.one_of(POSITIVE, EDGES))
def test_times_say_what_is_behind_them(value: float) -> None:
    _round_trip(fmt.parse_time_ns, fmt.time_ns, value)


@given(st.one_of(st.floats(min_value=0.6, max_value=1e16, allow_nan=False), EDGES))
def test_cycles_say_what_is_behind_them(value: float) -> None:
    _round_trip(fmt.parse_cycles, fmt.cycles, value)


@given(st.one_of(POSITIVE, EDGES))
def test_rates_say_what_is_behind_them(value: float) -> None:
    _round_trip(fmt.parse_rate, fmt.rate, value)


@given(st.one_of(st.floats(min_value=0, max_value=1.5), st.floats(min_value=0.0945, max_value=0.0955)))
def test_shares_say_what_is_behind_them(value: float) -> None:
    _round_trip(fmt.parse_share, fmt.share, value)


@given(st.floats(min_value=0.05, max_value=1e9))
def test_one_decimal_says_what_is_behind_it(value: float) -> None:
    _round_trip(fmt.parse_one_decimal, fmt.one_decimal, value)


@given(st.dictionaries(st.sampled_from(["drng", "sm3hash", "pseudoXOF"]), st.floats(1e-3, 1e12), min_size=1))
def test_calls_say_what_is_behind_them(calls: dict[str, float]) -> None:
    text = fmt.calls_per_operation(calls)
    again = fmt.parse_calls(text)
    assert all(again[name].low <= value * (1 + 1e-12) for name, value in calls.items())
    assert fmt.calls_per_operation({name: printed.value for name, printed in again.items()}) == text


def test_at_the_edge_of_two_units_a_number_stands_for_the_smaller_one_only() -> None:
    assert fmt.parse_time_ns("1e+03 ms") == fmt.Printed(999.75e6, 999.5e6, 1e9)
    assert fmt.parse_cycles("1000.00 M") == fmt.Printed(999.9975e6, 999.995e6, 1e9)
    share = fmt.parse_share("9.5%")
    assert share is not None and share.high == pytest.approx(0.095) and share.low == pytest.approx(0.0945)
    ten = fmt.parse_share("10%")
    assert ten is not None and ten.low == 0.095


@pytest.mark.parametrize(
    ("parse", "text"),
    [
        (fmt.parse_cycles, "14.52M"),
        (fmt.parse_cycles, "14.5 M"),
        (fmt.parse_cycles, "0.5"),
        (fmt.parse_cycles, "2000.00 M"),
        (fmt.parse_cycles, "-3"),
        (fmt.parse_time_ns, "1.10 ms"),
        (fmt.parse_time_ns, "0.5 ms"),
        (fmt.parse_time_ns, "1234 s"),
        (fmt.parse_time_ns, "3 min"),
        (fmt.parse_time_ns, "5 us"),
        (fmt.parse_rate, "1234"),
        (fmt.parse_share, "9.7%"),
        (fmt.parse_share, "9%"),
        (fmt.parse_share, "91"),
        (fmt.parse_one_decimal, "19"),
        (fmt.parse_calls, "sm3hash 1, drng 2"),
        (fmt.parse_calls, "drng 1, drng 1"),
        (fmt.parse_calls, "drng"),
        (fmt.parse_rate, ""),
    ],
)
def test_what_no_value_prints_is_refused(parse: Callable[[str], object], text: str) -> None:
    with pytest.raises(ValueError, match="not in the notation"):
        parse(text)


@pytest.mark.parametrize(
    "parse", [fmt.parse_cycles, fmt.parse_time_ns, fmt.parse_rate, fmt.parse_share, fmt.parse_one_decimal]
)
def test_an_en_dash_is_a_missing_value(parse: Callable[[str], object]) -> None:
    assert parse("–") is None
    assert fmt.parse_calls("–") == {}
