"""Simulated candidates: what a campaign would say of a cost whose true mean is known.

The figures are made by the statistics of real records and compared as real runs are; only the timed values are drawn.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from ngcctui.engine.stats import TrialSamples, statistics
from ngcctui.model.campaign import Inputs
from ngcctui.report.compare import Mean, ratio

TRIALS, CALLS = 5, 20
#: Ns of a cost of 1: so many that rounding to whole ns does not count.
UNIT_NS = 1_000_000


@dataclass(frozen=True)
class Candidate:
    """A cost: how one call's is drawn, and its mean; both in units of UNIT_NS."""

    name: str
    draw: Callable[[Random], float]
    mean: float


def _geometric(chance: Random) -> float:
    """Attempts until the first that succeeds, each with probability 1/2."""
    return 1 + int(math.log(1.0 - chance.random()) / math.log(0.5))


def _lognormal(chance: Random) -> float:
    return chance.lognormvariate(0.0, 0.5)


GEOMETRIC = Candidate("geometric, p = 1/2", _geometric, 2.0)
LOGNORMAL = Candidate("lognormal, sigma 0.5", _lognormal, math.exp(0.125))
CANDIDATES = (GEOMETRIC, LOGNORMAL)


def campaign(candidate: Candidate, chance: Random, factor: float = 1.0) -> Mean:
    """One campaign of 5 trials of 20 calls; `factor` stretches every call."""
    unit = UNIT_NS * factor
    trials = [
        TrialSamples(CALLS, 1, [round(unit * candidate.draw(chance)) for _ in range(CALLS)])
        for _ in range(TRIALS)
    ]
    figures = statistics(trials, "sign", Inputs.VARIED)
    return Mean(figures.mean_ns, figures.interval_low_ns, figures.interval_high_ns, TRIALS)


def covered(candidate: Candidate, campaigns: int, seed: int) -> float:
    """Share of campaigns whose 95 % interval holds the true mean."""
    chance = Random(f"{candidate.name} coverage {seed}")
    true = candidate.mean * UNIT_NS
    hits = 0
    for _ in range(campaigns):
        mean = campaign(candidate, chance)
        hits += mean.low is not None and mean.high is not None and mean.low <= true <= mean.high
    return hits / campaigns


def flagged(candidate: Candidate, comparisons: int, seed: int, factor: float = 1.0) -> float:
    """Share of comparisons of a candidate with itself that are flagged, without any noise floor to help.

    With a `factor` the second campaign is that much slower, and a flag is right.
    """
    chance = Random(f"{candidate.name} comparison {seed}")
    flags = 0
    for _ in range(comparisons):
        found = ratio(campaign(candidate, chance), campaign(candidate, chance, factor))
        flags += found is not None and bool(found.beyond(0.0))
    return flags / comparisons
