"""What the charts of a page show, without drawing it: costs beside published ones, and how calls and trials spread."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ngcctui.model.errors import ConfigError
from ngcctui.report import format as fmt
from ngcctui.report.dataset import page_file
from ngcctui.report.page import Page
from ngcctui.report.published import read_published
from ngcctui.report.tables import HashPerformanceRow, PerformanceRow, PrecisionRow

CYCLES, TIME = "cycles", "time"
#: Trial means are drawn one by one up to this many trials; of more, the least and the greatest.
MAX_TRIALS = 10


@dataclass(frozen=True)
class Bar:
    """The cost of one operation in cycles or ns; `low` and `high` bound it, `published` are others' figures by system."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None
    published: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True)
class CostChart:
    """Costs of all operations on one logarithmic axis; `systems` are those with published figures in it."""

    title: str
    unit: str
    bars: tuple[Bar, ...]
    systems: tuple[str, ...] = ()

    def text(self, value: float) -> str:
        """A value as the pages print it."""
        return fmt.cycles(value) if self.unit == CYCLES else fmt.time_ns(value)

    def span(self) -> tuple[float, float]:
        """Least and greatest value drawn."""
        values = [value for bar in self.bars for _, value in bar.published]
        values += [
            bound for bar in self.bars for bound in (bar.low or bar.value, bar.high or bar.value, bar.value)
        ]
        return min(values), max(values)


@dataclass(frozen=True)
class Spread:
    """How one operation's times spread, all as fractions of its mean: quantiles of single calls, means of trials."""

    name: str
    p5: float
    p25: float
    p50: float
    p75: float
    p95: float
    trials: tuple[float, ...]


@dataclass(frozen=True)
class TrialChart:
    """Spread of calls and of trials of all operations, relative to each one's mean."""

    title: str
    spreads: tuple[Spread, ...]

    def span(self) -> tuple[float, float]:
        """Least and greatest fraction drawn."""
        values = [value for spread in self.spreads for value in (spread.p5, spread.p95, *spread.trials)]
        return min(values), max(values)


Chart = CostChart | TrialChart


def charts(page: Page, published: Mapping[str, Page]) -> dict[str, Chart]:
    """The charts of a page by name (`cost`, `trials`), none where there are no figures.

    `published` are pages of the same scheme by system.  Cycles are drawn where the page has any, else times.
    """
    found: dict[str, Chart] = {}
    cost = cost_chart(page, published)
    if cost is not None:
        found["cost"] = cost
    spreads = tuple(_spread(row) for row in page.precision if row.mean_ns > 0)
    if spreads:
        found["trials"] = TrialChart(f"{_title(page)}: times of calls and trials against their mean", spreads)
    return found


def cost_chart(page: Page, published: Mapping[str, Page]) -> CostChart | None:
    """Costs of the page's operations; None when it has no figures."""
    unit = CYCLES if any(row.mean_cycles for row in page.performance) else TIME
    others = {system: {_place(row): row for row in other.performance} for system, other in published.items()}
    precision = {(row.instance, row.operation): row for row in page.precision}
    bars = []
    for row in page.performance:
        value = _cost(row, unit)
        if value is None or value <= 0:
            continue
        twins = ((system, rows.get(_place(row))) for system, rows in others.items())
        marks = ((system, _cost(twin, unit)) for system, twin in twins if twin is not None)
        low, high = _bounds(precision.get(_place(row)), unit)
        known = tuple((system, cost) for system, cost in marks if cost)
        bars.append(Bar(" ".join(row.cells()[:2]), value, low if low and low > 0 else None, high, known))
    if not bars:
        return None
    systems = tuple(system for system in others if any(system in dict(bar.published) for bar in bars))
    return CostChart(f"{_title(page)}: mean {unit} of one call", unit, tuple(bars), systems)


def published_twins(page: Page, systems: Mapping[str, Path]) -> dict[str, Page]:
    """What was published of a page's scheme, by system; `systems` are the directories with figures.

    Unreadable pages are left out, and so is what was published of the same run: it would be drawn beside itself.
    """
    found = {}
    for system, directory in sorted(systems.items()):
        path = page_file(directory, page.facts.scheme if page.facts else page.scheme.id)
        if path is None:
            continue
        try:
            twin = read_published(path)
        except ConfigError:
            continue
        if twin.facts is None or page.facts is None or twin.facts.run != page.facts.run:
            found[system] = twin
    return found


def ticks(low: float, high: float) -> list[float]:
    """Marks of a logarithmic axis over `low` to `high` (> 0): 1, 2, 5 of each power of ten, or powers alone; its ends if none fits."""
    exponent = -3
    values: list[float] = []
    while 10.0**exponent <= high:
        values += [step * 10.0**exponent for step in (1, 2, 5)]
        exponent += 1
    inside = [value for value in values if low <= value <= high]
    powers = [value for value in inside if f"{value:e}".startswith("1.")]
    return powers if len(powers) >= 4 else inside or [low, high]


def steps(low: float, high: float) -> list[float]:
    """Round marks of a linear axis over `low` to `high`, at most eleven."""
    if high <= low:
        return [low]
    power = 10.0 ** math.floor(math.log10((high - low) / 10))
    step = next(power * factor for factor in (1, 2, 5, 10) if (high - low) / (power * factor) <= 10)
    first = math.ceil(low / step)
    return [number * step for number in range(first, math.floor(high / step) + 1)]


def _spread(row: PrecisionRow) -> Spread:
    means = row.trial_means_ns
    drawn: Sequence[float] = means if len(means) <= MAX_TRIALS else (min(means), max(means))
    return Spread(
        name=f"{row.instance} {row.operation}",
        p5=row.p5_ns / row.mean_ns,
        p25=row.p25_ns / row.mean_ns,
        p50=row.p50_ns / row.mean_ns,
        p75=row.p75_ns / row.mean_ns,
        p95=row.p95_ns / row.mean_ns,
        trials=tuple(mean / row.mean_ns for mean in drawn),
    )


def _title(page: Page) -> str:
    return f"{page.facts.scheme if page.facts else page.scheme.id} on {page.scheme.system}"


def _place(row: PerformanceRow | HashPerformanceRow) -> tuple[str, str]:
    """Instance and operation as steps call it."""
    if isinstance(row, HashPerformanceRow):
        return row.instance, f"hash_{row.message_bytes}"
    return row.instance, row.operation


def _cost(row: PerformanceRow | HashPerformanceRow, unit: str) -> float | None:
    return row.mean_cycles if unit == CYCLES else row.mean_ns


def _bounds(row: PrecisionRow | None, unit: str) -> tuple[float | None, float | None]:
    if row is None:
        return None, None
    return (row.low_cycles, row.high_cycles) if unit == CYCLES else (row.low_ns, row.high_ns)
