"""The ratio of two means with its 95 % interval.

Both means come from the trial means of their record.  The interval is made on the logarithm of the ratio: its variance is
the sum of the squared relative standard errors (delta method), its degrees of freedom are those of Welch and
Satterthwaite.  Chosen over Fieller's interval because it exists for any error of the denominator, is never negative and
turns over exactly when the sides are exchanged; with relative errors of a few percent and 5 trials a side the two differ
by less than a tenth of their width.  benchmarks/coverage.py shows how often equal costs are told apart.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ngcctui.engine.stats import student_975

FASTER, SLOWER = "faster", "slower"
#: Beyond this a relative error says nothing any more, and its exponential is no number.
_MOST = 300.0


@dataclass(frozen=True)
class Mean:
    """A mean cost (ns or cycles) and how well it is known.

    With `trials` of 2 or more, `low` and `high` are the 95 % interval by Student's t from that many trial means.  With 0 it is
    a printed figure, and they are the least and the largest value that print like it.  None: not known.
    """

    value: float
    low: float | None = None
    high: float | None = None
    trials: int = 0

    @property
    def error(self) -> float | None:
        """Standard error of the mean; None for a printed figure or a single trial."""
        if self.high is None or self.trials < 2:
            return None
        return max(self.high - self.value, 0.0) / student_975(self.trials - 1)


@dataclass(frozen=True)
class Ratio:
    """One mean over another: below 1 the first is cheaper.

    `low` and `high` bound it with 95 % confidence; against a printed figure they hold the own interval and the rounding
    only, because the spread behind a printed figure is not known.  None with a single trial, or two printed figures.
    """

    value: float
    low: float | None = None
    high: float | None = None

    @property
    def verdict(self) -> str:
        """`faster` or `slower` when the interval excludes 1, else empty."""
        if self.high is not None and self.high < 1:
            return FASTER
        return SLOWER if self.low is not None and self.low > 1 else ""

    def beyond(self, noise: float | None) -> str:
        """The verdict, when `noise` (a fraction of the time) excludes 1 as well; empty for an unknown noise floor."""
        if noise is None or not math.isfinite(noise):
            return ""
        return self.verdict if abs(math.log(self.value)) > math.log1p(noise) else ""

    def above(self, limit: float, noise: float | None) -> bool:
        """True when the ratio is above `limit` (> 0) beyond its interval and beyond the noise floor (None: unknown, 0)."""
        return self.low is not None and self.low > limit and self.value > limit * (1 + (noise or 0.0))


def ratio(ours: Mean | None, other: Mean | None) -> Ratio | None:
    """`ours` over `other` with its interval; None when a side has no figure."""
    if ours is None or other is None or ours.value <= 0 or other.value <= 0:
        return None
    value = ours.value / other.value
    errors = ours.error, other.error
    if errors[0] is not None and errors[1] is not None:
        return _welch(value, (errors[0] / ours.value, ours.trials), (errors[1] / other.value, other.trials))
    if (errors[0] is None) == (errors[1] is None):
        return Ratio(value)  # one trial a side, or printed figures only
    return _against_printed(value, ours, other)


def _against_printed(value: float, ours: Mean, other: Mean) -> Ratio:
    """The extremes of a 95 % interval and of the values that print like the other side's figure."""
    if ours.low is None or ours.high is None or not other.low or not other.high:
        return Ratio(value)
    return Ratio(value, ours.low / other.high, ours.high / other.low)


def _welch(value: float, ours: tuple[float, int], other: tuple[float, int]) -> Ratio:
    """The interval from relative standard errors and numbers of trials of both sides."""
    variances = [(error * error, trials - 1) for error, trials in (ours, other)]
    variance = math.fsum(part for part, _ in variances)
    if variance == 0.0:
        return Ratio(value, value, value)
    degrees = variance / math.fsum(part / variance * part / df for part, df in variances)
    half = student_975_between(max(degrees, 1.0)) * math.sqrt(variance)
    if half > _MOST:
        return Ratio(value)
    return Ratio(value, value * math.exp(-half), value * math.exp(half))


def student_975_between(df: float) -> float:
    """The 97.5 % quantile of Student's t for `df` >= 1 that need not be whole: linear in 1/df between whole ones.

    The quantile is convex in 1/df, so this is never too small.
    """
    below = math.floor(df)
    if below < 1:
        raise ValueError("at least one degree of freedom")
    if below == df:
        return student_975(below)
    weight = (1 / df - 1 / (below + 1)) / (1 / below - 1 / (below + 1))
    return weight * student_975(below) + (1 - weight) * student_975(below + 1)
