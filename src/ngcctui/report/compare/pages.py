"""One page against another of the same scheme, for the screens."""

from __future__ import annotations

from dataclasses import dataclass

from ngcctui.model.campaign import Inputs
from ngcctui.report.compare.pairs import judge, shared_noise
from ngcctui.report.compare.ratio import Mean, Ratio
from ngcctui.report.compare.sides import FIXED, Cost, place, printed_cost
from ngcctui.report.page import Page
from ngcctui.report.tables import HashPerformanceRow, PerformanceRow, PrecisionRow

Figures = PerformanceRow | HashPerformanceRow


@dataclass(frozen=True)
class Compared:
    """One operation of both pages: the other side's figures, and this side's as a ratio of them.

    `flag` and `why` are those of pairs.Pair.
    """

    instance: str
    operation: str
    other: Figures
    time: Ratio | None
    cycles: Ratio | None
    flag: str = ""
    why: str = ""


def compare(page: Page, other: Page) -> list[Compared]:
    """Every operation of `page` that has figures on both pages, in its order."""
    others = {place(row): row for row in other.performance if not row.word}
    ours, theirs = _precision(page), _precision(other)
    noise = shared_noise(
        page.facts.noise if page.facts else None,
        page.facts is None,
        other.facts.noise if other.facts else None,
        other.facts is None,
    )
    found = []
    for row in page.performance:
        twin = others.get(place(row))
        if row.word or twin is None:
            continue
        instance, operation = place(row)
        mine, foreign = _cost(page, row, ours), _cost(other, twin, theirs)
        pair = judge((page.scheme.id, instance, operation), mine, foreign, noise)
        found.append(Compared(instance, operation, twin, pair.time, pair.cycles, pair.flag, pair.why))
    return found


def _precision(page: Page) -> dict[tuple[str, str], PrecisionRow]:
    return {(row.instance, row.operation): row for row in page.precision}


def _cost(page: Page, row: Figures, precision: dict[tuple[str, str], PrecisionRow]) -> Cost:
    """Of a page of ours the intervals are known; published figures are known as printed."""
    if page.facts is None:
        return printed_cost(row)
    known = precision.get(place(row))
    trials = row.n.trials or 0
    time = _mean(row.mean_ns, known.low_ns if known else None, known.high_ns if known else None, trials)
    cycles = _mean(
        row.mean_cycles, known.low_cycles if known else None, known.high_cycles if known else None, trials
    )
    return Cost(time, cycles, FIXED if Inputs.FIXED.value in page.facts.inputs else "")


def _mean(value: float | None, low: float | None, high: float | None, trials: int) -> Mean | None:
    return None if value is None else Mean(value, low, high, trials)
