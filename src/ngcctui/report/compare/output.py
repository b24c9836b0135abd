"""A comparison as tables for a terminal, and as plain data for TOML and JSON."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import Any

from ngcctui.report import format as fmt
from ngcctui.report.compare.pairs import CYCLES, TIME, Comparison, Pair
from ngcctui.report.compare.ratio import Mean, Ratio
from ngcctui.report.compare.sides import Place, Side
from ngcctui.report.tables import Cells, Table

#: Ratios and their bounds lie close to 1: as many digits behind the point as the difference needs.
_DIGITS = 4
METHOD = (
    "95 % interval of the ratio of means: Welch's t on the logarithm, from the trial means of both sides; against a "
    "published figure the own interval and the rounding of the printed one"
)


@dataclass(frozen=True)
class RatioRow(Cells):
    """One operation by cycles or by time."""

    instance: str
    operation: str
    by: str
    ours: str
    other: str
    ratio: str
    interval: str
    verdict: str

    def cells(self) -> tuple[str, ...]:
        """The printed cells."""
        return (
            self.instance,
            self.operation,
            self.by,
            self.ours,
            self.other,
            self.ratio,
            self.interval,
            self.verdict,
        )


def tables(comparison: Comparison) -> list[Table]:
    """A table a scheme; of each operation first what the judgement stands on."""
    found = []
    heads = ("instance", "operation", "by", "A", "B", "A / B", "95 % interval", "verdict")
    for key, pairs in groupby(comparison.pairs, key=lambda pair: pair.place[0]):
        rows = [row for pair in pairs for row in _rows(pair)]
        found.append(Table(key, key, heads, rows))
    return found


def _rows(pair: Pair) -> list[RatioRow]:
    by_time = (TIME, pair.ours.time, pair.other.time, pair.time)
    by_cycles = (CYCLES, pair.ours.cycles, pair.other.cycles, pair.cycles)
    parts = [by_cycles, by_time] if pair.basis == CYCLES else [by_time]
    return [_row(pair, *part, decisive=number == 0) for number, part in enumerate(parts)]


def _row(
    pair: Pair, by: str, ours: Mean | None, other: Mean | None, ratio: Ratio | None, *, decisive: bool
) -> RatioRow:
    show = fmt.cycles if by == CYCLES else fmt.time_ns
    low = high = None
    if ratio is not None:
        low, high = ratio.low, ratio.high
    interval = fmt.DASH if low is None or high is None else f"{low:.{_DIGITS}g} to {high:.{_DIGITS}g}"
    return RatioRow(
        pair.place[1],
        pair.place[2],
        by,
        show(ours.value if ours else None),
        show(other.value if other else None),
        fmt.DASH if ratio is None else f"{ratio.value:.{_DIGITS}g}",
        interval,
        pair.flag if decisive else "",
    )


def remarks(comparison: Comparison) -> list[str]:
    """What a reader has to know besides the table, a line each."""
    said = []
    for letter, side in (("A", comparison.ours), ("B", comparison.other)):
        kind = "published figures" if side.published else "run"
        said.append(f"{letter} is {side.name}, {kind} of system {side.system}{_noise(side)}")
    for item, value in comparison.ours.environment.items():
        theirs = comparison.other.environment.get(item, value)
        if theirs != value and "UTC" not in item:
            said.append(f"{item}: A {value}; B {theirs}")
    reasons: dict[str, int] = {}
    for pair in comparison.pairs:
        if pair.why:
            reasons[pair.why] = reasons.get(pair.why, 0) + 1
    said += [f"not judged: {count} operations, {why}" for why, count in reasons.items()]
    hidden = sum(not (p.flag or p.why) and bool(p.decisive and p.decisive.verdict) for p in comparison.pairs)
    if hidden:
        said.append(f"within the noise floor: {hidden} operations whose interval excludes 1")
    for letter, missing in (("A", comparison.only_ours), ("B", comparison.only_other)):
        if missing:
            said.append(f"only in {letter}: {_named(missing)}")
    said += [*comparison.ours.problems, *comparison.other.problems]
    return said


def _noise(side: Side) -> str:
    if side.published:
        return ""
    if side.noise is None:
        return ", noise floor unknown"
    percent = side.noise * 100
    return f", noise floor {percent:.0f} %" if percent >= 10 else f", noise floor {percent:.2g} %"


def _named(places: tuple[Place, ...], most: int = 5) -> str:
    names = ", ".join("/".join(place) for place in places[:most])
    return names + (f" and {len(places) - most} more" if len(places) > most else "")


def as_data(comparison: Comparison) -> dict[str, Any]:
    """The comparison with all numbers in base units (ns, cycles, fractions); None where nothing is known."""
    return {
        "method": METHOD,
        "noise": comparison.noise,
        "a": _side(comparison.ours),
        "b": _side(comparison.other),
        "pairs": [_pair(pair) for pair in comparison.pairs],
        "only_a": ["/".join(place) for place in comparison.only_ours],
        "only_b": ["/".join(place) for place in comparison.only_other],
    }


def _side(side: Side) -> dict[str, Any]:
    return {
        "name": side.name,
        "kind": "published" if side.published else "run",
        "system": side.system,
        "noise": side.noise,
        "environment": dict(side.environment),
        "problems": list(side.problems),
    }


def _pair(pair: Pair) -> dict[str, Any]:
    scheme, instance, operation = pair.place
    return {
        "scheme": scheme,
        "instance": instance,
        "operation": operation,
        "basis": pair.basis,
        "flag": pair.flag,
        "why": pair.why,
        "a": {"cycles": _mean(pair.ours.cycles), "time_ns": _mean(pair.ours.time)},
        "b": {"cycles": _mean(pair.other.cycles), "time_ns": _mean(pair.other.time)},
        "cycles_ratio": _ratio(pair.cycles),
        "time_ratio": _ratio(pair.time),
    }


def _mean(mean: Mean | None) -> dict[str, Any] | None:
    if mean is None:
        return None
    return {"mean": mean.value, "low": mean.low, "high": mean.high, "trials": mean.trials}


def _ratio(ratio: Ratio | None) -> dict[str, Any] | None:
    return None if ratio is None else {"value": ratio.value, "low": ratio.low, "high": ratio.high}
