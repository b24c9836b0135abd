"""Two sides, operation by operation: their ratio, and whether the difference may be called one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ngcctui.model.natural import natural
from ngcctui.report.compare.ratio import Ratio, ratio
from ngcctui.report.compare.sides import PUBLISHED, Cost, Place, Side
from ngcctui.report.order import operation_rank

CYCLES, TIME = "cycles", "time"
#: Why no ratio is flagged although there may be one.
ONE_TRIAL = "no interval: one trial"
NO_NOISE = "noise floor unknown"
NOT_COMPARED = "no cycles on both sides"


@dataclass(frozen=True)
class Pair:
    """One operation of both sides.

    `basis` is what the judgement stands on: cycles where both sides counted them (clocks differ), else time, which of
    published figures is shown and not compared.  `flag` is `faster` or `slower` when the ratio's interval and the noise
    floor both exclude 1; `why` tells what keeps it from ever being set.
    """

    place: Place
    ours: Cost
    other: Cost
    cycles: Ratio | None
    time: Ratio | None
    basis: str
    flag: str
    why: str

    @property
    def decisive(self) -> Ratio | None:
        """The ratio that `basis` names."""
        return self.cycles if self.basis == CYCLES else self.time


@dataclass(frozen=True)
class Comparison:
    """Two sides and their pairs in page order; `only_ours` and `only_other` have figures on one side alone.

    `noise` is the larger noise floor of the sides that are runs, None when one of them is not known.
    """

    ours: Side
    other: Side
    noise: float | None
    pairs: tuple[Pair, ...]
    only_ours: tuple[Place, ...]
    only_other: tuple[Place, ...]

    def failing(self, limit: float) -> list[Pair]:
        """Pairs whose ratio is above `limit` beyond its interval and the noise floor."""
        return [p for p in self.pairs if p.decisive is not None and p.decisive.above(limit, self.noise)]

    @property
    def judgeable(self) -> bool:
        """True when at least one ratio has an interval, so that a limit can fail."""
        return any(pair.decisive is not None and pair.decisive.low is not None for pair in self.pairs)


def compare_sides(ours: Side, other: Side) -> Comparison:
    """Every operation that has figures on both sides."""
    noise = shared_noise(ours.noise, ours.published, other.noise, other.published)
    pairs, only_ours, met = [], [], set()
    for place in in_order(ours.costs):
        twin = other.find(place)
        if twin is None:
            only_ours.append(place)
            continue
        met.add(twin)
        pairs.append(judge(place, ours.costs[place], other.costs[twin], noise))
    only_other = [place for place in in_order(other.costs) if place not in met]
    return Comparison(ours, other, noise, tuple(pairs), tuple(only_ours), tuple(only_other))


def in_order(places: Iterable[Place]) -> list[Place]:
    """Places as the pages print them: schemes and instances naturally, operations as they are used."""
    return sorted(places, key=lambda p: (natural(p[0]), natural(p[1]), operation_rank(p[2])))


def shared_noise(
    ours: float | None, ours_published: bool, other: float | None, other_published: bool
) -> float | None:
    """The larger noise floor of two sides; None when that of a run is unknown (published figures have none)."""
    known = [
        noise for noise, published in ((ours, ours_published), (other, other_published)) if not published
    ]
    return max((noise for noise in known if noise is not None), default=None) if None not in known else None


def judge(place: Place, ours: Cost, other: Cost, noise: float | None) -> Pair:
    """Compare the costs of one operation."""
    cycles = ratio(ours.cycles, other.cycles)
    shown_only = PUBLISHED in (ours.bar, other.bar)
    time = None if shown_only else ratio(ours.time, other.time)
    basis = CYCLES if cycles is not None else TIME
    decisive = cycles or time
    if decisive is None:
        why = NOT_COMPARED
    elif ours.bar or other.bar:
        why = ours.bar or other.bar
    elif decisive.low is None:
        why = ONE_TRIAL
    else:
        why = NO_NOISE if noise is None else ""
    flag = decisive.beyond(noise) if decisive is not None and not why else ""
    return Pair(place, ours, other, cycles, time, basis, flag, why)
