"""One page against another of the same scheme: how many times the cost, with bounds where both sides have them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ngcctui.report import format as fmt
from ngcctui.report.page import Page
from ngcctui.report.tables import HashPerformanceRow, PerformanceRow, PrecisionRow

Figures = PerformanceRow | HashPerformanceRow
FASTER, SLOWER = "faster", "slower"


@dataclass(frozen=True)
class Bounded:
    """A figure; `low` and `high` bound it, None where nothing is known of its spread."""

    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Ratio:
    """This side over the other: below 1 is cheaper.

    `low` and `high` are the extremes of both sides' bounds: two 95 % intervals make at least 90 %, and of a published
    figure only the rounding counts, because its own spread is not published.
    """

    value: float
    low: float | None = None
    high: float | None = None

    @property
    def verdict(self) -> str:
        """`faster` or `slower` when the bounds leave no doubt, else empty."""
        if self.high is not None and self.high < 1:
            return FASTER
        return SLOWER if self.low is not None and self.low > 1 else ""


@dataclass(frozen=True)
class Compared:
    """One operation of both pages: the other side's figures, and this side's as a ratio of them.

    `flag` is the verdict by cycles where both sides counted them (clocks differ), else by time; empty with fixed
    inputs, whose intervals show repeatability only.
    """

    instance: str
    operation: str
    other: Figures
    time: Ratio | None
    cycles: Ratio | None
    flag: str = ""


def compare(page: Page, other: Page) -> list[Compared]:
    """Every operation of `page` that has figures on both pages, in its order."""
    others = {place(row): row for row in other.performance if not row.word}
    ours, theirs = _precision(page), _precision(other)
    ranks = page.facts is None or page.facts.inputs != ("fixed",)
    found = []
    for row in page.performance:
        twin = others.get(place(row))
        if row.word or twin is None:
            continue
        mine, foreign = ours.get(place(row)), theirs.get(place(twin))
        time = _ratio(_time(page, row, mine), _time(other, twin, foreign))
        cycles = _ratio(_cycles(page, row, mine), _cycles(other, twin, foreign))
        decisive = cycles or time
        flag = decisive.verdict if decisive is not None and ranks else ""
        found.append(Compared(*place(row), twin, time, cycles, flag))
    return found


def place(row: Figures) -> tuple[str, str]:
    """Instance and operation of a row, the operation as its step calls it (`sign`, `hash_1024`)."""
    if isinstance(row, HashPerformanceRow):
        return row.instance, f"hash_{row.message_bytes}"
    return row.instance, row.operation


def _precision(page: Page) -> dict[tuple[str, str], PrecisionRow]:
    return {(row.instance, row.operation): row for row in page.precision}


def _time(page: Page, row: Figures, precision: PrecisionRow | None) -> Bounded | None:
    if row.mean_ns is None:
        return None
    if page.facts is None:
        return _as_printed(row.mean_ns, fmt.time_ns, fmt.parse_time_ns)
    return Bounded(row.mean_ns, *((precision.low_ns, precision.high_ns) if precision else ()))


def _cycles(page: Page, row: Figures, precision: PrecisionRow | None) -> Bounded | None:
    if row.mean_cycles is None:
        return None
    if page.facts is None:
        return _as_printed(row.mean_cycles, fmt.cycles, fmt.parse_cycles)
    return Bounded(row.mean_cycles, *((precision.low_cycles, precision.high_cycles) if precision else ()))


def _as_printed(
    value: float, show: Callable[[float], str], parse: Callable[[str], fmt.Printed | None]
) -> Bounded:
    """A published figure is only known to the digits printed."""
    printed = parse(show(value))
    return Bounded(value, printed.low, printed.high) if printed else Bounded(value)


def _ratio(ours: Bounded | None, other: Bounded | None) -> Ratio | None:
    if ours is None or other is None or other.value <= 0:
        return None
    value = ours.value / other.value
    if ours.low is None or ours.high is None or other.low is None or other.high is None or other.low <= 0:
        return Ratio(value)
    return Ratio(value, max(ours.low, 0.0) / other.high, ours.high / other.low)
