"""One side of a comparison: what every operation of a run, or of a system's published figures, costs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ngcctui.collector import no_collection
from ngcctui.engine.rundir import RunDir
from ngcctui.engine.runstate import StepState
from ngcctui.model.campaign import Inputs
from ngcctui.model.errors import StorageError
from ngcctui.model.step import Kind
from ngcctui.report import format as fmt
from ngcctui.report.compare.ratio import Mean
from ngcctui.report.history import read_measurements
from ngcctui.report.page import Page
from ngcctui.report.source import load_measured
from ngcctui.report.tables import HashPerformanceRow, PerformanceRow
from ngcctui.report.text import outside

#: Scheme key, instance, operation.
Place = tuple[str, str, str]
#: Why figures never rank.
FIXED = "fixed inputs: repeatability only"
PUBLISHED = "published figure: its spread is not known"


@dataclass(frozen=True)
class Cost:
    """Mean time (ns) and cycles of one operation; `bar` tells why it never ranks, empty when it may."""

    time: Mean | None
    cycles: Mean | None
    bar: str = ""


@dataclass(frozen=True)
class Side:
    """A run, a dataset or a published system.

    `noise` is the spread of the run's reference loop (a fraction; None: unknown); `environment` is that of its pages;
    `problems` name records that could not be used.
    """

    name: str
    system: str
    costs: Mapping[Place, Cost]
    published: bool = False
    noise: float | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[str, ...] = ()

    def find(self, place: Place) -> Place | None:
        """The place of this side that is to be compared with `place`; None without one.

        Published figures go by a scheme's id alone, so the variant behind `@` does not count for them.
        """
        if place in self.costs:
            return place
        bare = (place[0].partition("@")[0], *place[1:])
        return bare if self.published and bare in self.costs else None


def run_side(run: RunDir, name: str = "") -> Side:
    """The side of a run or dataset, from its journal; StorageError when it cannot be read.

    The end of each measure step repeats the means and intervals of its record (`validate` holds them against each other),
    so records are opened only for steps whose journal does not.
    """
    with no_collection():
        state, history = read_measurements(run)
        if not state.steps:
            raise StorageError(f"{run.journal}: holds no step yet: there is nothing to compare")
        campaign = run.campaign()
        bar = FIXED if campaign.inputs is Inputs.FIXED else ""
        costs: dict[Place, Cost] = {}
        problems: list[str] = []
        for entry in state.steps.values():
            if entry.step.kind is Kind.MEASURE and entry.file is not None:
                cost = _told(entry.summary, bar)
                if cost is None:
                    cost = _recorded(run, entry, bar, problems)
                if cost is not None and cost.time is not None:
                    costs[entry.step.scheme, entry.step.instance, entry.step.operation or ""] = cost
    return Side(
        name or outside(state.run),
        campaign.host.system,
        costs,
        noise=history.noise,
        environment=state.environment,
        problems=tuple(problems),
    )


def _told(summary: Mapping[str, Any], bar: str) -> Cost | None:
    """The cost that the end of a step tells (no time where it has no figures); None when it does not tell all of it."""
    values = [summary.get(key) for key in _KEYS]
    trials = summary.get("trials")
    if not all(key in summary for key in _KEYS) or type(trials) is not int:
        return None
    if any(value is not None and not _number(value) for value in values):
        return None
    mean_ns, low_ns, high_ns, mean_cycles, low_cycles, high_cycles = values
    time = None if mean_ns is None else Mean(mean_ns, low_ns, high_ns, trials)
    cycles = None if mean_cycles is None else Mean(mean_cycles, low_cycles, high_cycles, trials)
    return Cost(time, cycles, bar)


_KEYS = ("mean_ns", "low_ns", "high_ns", "mean_cycles", "low_cycles", "high_cycles")


def _number(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value) and value >= 0


def _recorded(run: RunDir, entry: StepState, bar: str, problems: list[str]) -> Cost | None:
    """The cost in the record of a step; None, with a problem, when it cannot be used."""
    measured = load_measured(run, entry)
    if measured.problem:
        problems.append(measured.problem)
    figures = measured.figures
    if figures is None:
        return None
    trials = len(figures.trial_means_ns)
    time = Mean(figures.mean_ns, figures.interval_low_ns, figures.interval_high_ns, trials)
    cycles = None
    if figures.mean_cycles is not None:
        bounds = figures.interval_low_cycles, figures.interval_high_cycles
        cycles = Mean(figures.mean_cycles, *bounds, trials=trials)
    return Cost(time, cycles, bar)


def published_side(pages: Iterable[Page], name: str) -> Side:
    """The side of figures that are known as printed."""
    costs: dict[Place, Cost] = {}
    environment: dict[str, str] = {}
    system = ""
    for page in pages:
        system = page.scheme.system
        environment = {row.item: row.value for row in page.environment}
        for row in page.performance:
            if not row.word:
                costs[(page.scheme.id, *place(row))] = printed_cost(row)
    return Side(name, system, costs, published=True, environment=environment)


def place(row: PerformanceRow | HashPerformanceRow) -> tuple[str, str]:
    """Instance and operation of a row, the operation as its step calls it (`sign`, `hash_1024`)."""
    if isinstance(row, HashPerformanceRow):
        return row.instance, f"hash_{row.message_bytes}"
    return row.instance, row.operation


def printed_cost(row: PerformanceRow | HashPerformanceRow) -> Cost:
    """The cost in a published row: each figure stands for all values that print like it."""
    return Cost(
        _as_printed(row.mean_ns, fmt.time_ns, fmt.parse_time_ns),
        _as_printed(row.mean_cycles, fmt.cycles, fmt.parse_cycles),
        PUBLISHED,
    )


def _as_printed(
    value: float | None, show: Callable[[float], str], parse: Callable[[str], fmt.Printed | None]
) -> Mean | None:
    if value is None:
        return None
    printed = parse(show(value))
    return Mean(value, printed.low, printed.high) if printed else Mean(value)
