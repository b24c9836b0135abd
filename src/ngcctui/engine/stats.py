"""Statistics of a record: pure functions from the timed values to the figures on the pages.

Percentiles interpolate linearly between order statistics (Hyndman and Fan's type 7) of the values of single
calls.  Where calls were timed in batches, each batch stands for its calls with their mean: the middle of the
distribution is right, its tails are narrower than those of single calls.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, chain

from ngcctui.model.campaign import Inputs
from ngcctui.model.record import Statistics, Trial

#: Most different signatures that `verify` cycles through in one trial with varied inputs.
VERIFY_SIGNATURES = 16
#: Below this many calls a trial, trial means are too far from normal for Student's interval to be exact.
APPROXIMATE_BELOW = 4
#: Operations that draw random bytes: with fixed inputs the calls of one trial still differ.
DRAWING = frozenset({"keygen", "sign"})
#: So many values are sorted as they are.
_FEW = 2000
_NORMAL_975 = 1.959963984540054


@dataclass(frozen=True)
class TrialSamples:
    """The timed values of one used trial: `samples[i]` is the ns of `batch` calls; the last can be of fewer.

    `cycles` of the whole trial, None without a counter of CPU cycles.
    """

    iterations: int
    batch: int
    samples: Sequence[int]
    cycles: int | None = None

    def __post_init__(self) -> None:
        if self.iterations < 1 or self.batch < 1:
            raise ValueError("a trial has at least one call and one call a batch")
        if len(self.samples) != -(-self.iterations // self.batch):
            raise ValueError(
                f"{self.iterations} calls in batches of {self.batch} are not {len(self.samples)} values"
            )

    @property
    def last_batch(self) -> int:
        """Calls in the last batch."""
        return self.iterations - self.batch * (len(self.samples) - 1)


def trial_samples(trial: Trial, values: Sequence[int]) -> TrialSamples:
    """The samples of a record's trial, cut out of all `values` of its samples file.

    What a counter of TSC or cntvct ticks says is no cycles.  ValueError when the file is too short.
    """
    part = values[trial.samples_offset : trial.samples_offset + trial.samples]
    return TrialSamples(
        trial.iterations, trial.batch, part, trial.cycles if trial.counter == "cycles" else None
    )


def statistics(
    trials: Sequence[TrialSamples], operation: str, inputs: Inputs, *, shared_process: bool = False
) -> Statistics:
    """The figures over the used trials of one operation; ValueError without a trial.

    `shared_process` tells that all trials ran in one process, with one set-up.

    The mean is that over all calls; its 95 % interval is Student's on the trial means, cut off at 0.
    """
    if not trials:
        raise ValueError("no trial")
    calls = sum(trial.iterations for trial in trials)
    means = tuple(sum(trial.samples) / trial.iterations for trial in trials)
    mean = sum(sum(trial.samples) for trial in trials) / calls
    low, high = _interval(mean, means)
    spread = _Distribution(trials)
    cycles = _cycles(trials, calls)
    return Statistics(
        calls=calls,
        distinct_calls=distinct_calls(operation, inputs, len(trials), trials[0].iterations, shared_process),
        mean_ns=mean,
        median_trial_ns=median(means),
        trial_means_ns=means,
        min_ns=spread.quantile(0.0),
        p5_ns=spread.quantile(0.05),
        p25_ns=spread.quantile(0.25),
        p50_ns=spread.quantile(0.5),
        p75_ns=spread.quantile(0.75),
        p95_ns=spread.quantile(0.95),
        max_ns=spread.quantile(1.0),
        ops_per_second=1e9 / mean if mean > 0 else 0.0,
        mean_cycles=cycles.mean,
        median_trial_cycles=cycles.median,
        interval_low_ns=low,
        interval_high_ns=high,
        interval_low_cycles=cycles.low,
        interval_high_cycles=cycles.high,
        approximate=min(trial.iterations for trial in trials) < APPROXIMATE_BELOW,
    )


@dataclass(frozen=True)
class _Cycles:
    mean: float | None = None
    median: float | None = None
    low: float | None = None
    high: float | None = None


def _cycles(trials: Sequence[TrialSamples], calls: int) -> _Cycles:
    counts = [trial.cycles for trial in trials if trial.cycles is not None and trial.cycles > 0]
    if len(counts) != len(trials):
        return _Cycles()
    means = [count / trial.iterations for count, trial in zip(counts, trials, strict=True)]
    mean = sum(counts) / calls
    return _Cycles(mean, median(means), *_interval(mean, means))


def distinct_calls(
    operation: str, inputs: Inputs, trials: int, iterations: int, shared_process: bool = False
) -> int:
    """How many different calls `trials` x `iterations` hold.

    Fixed inputs: every trial repeats the same calls; within a trial keygen and sign draw on the generator, verify and
    a hash repeat one call.  Varied: all differ, but `verify` has at most 16 inputs a process.
    """
    if inputs is Inputs.FIXED:
        return iterations if operation in DRAWING else 1
    if operation == "verify":
        return min(iterations, VERIFY_SIGNATURES) * (1 if shared_process else trials)
    return trials * iterations


def median(values: Sequence[float]) -> float:
    """The middle value, or the mean of the two middle ones; ValueError when there is none."""
    if not values:
        raise ValueError("no value")
    ordered = sorted(values)
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return ordered[middle - 1] + (ordered[middle] - ordered[middle - 1]) / 2


def _interval(mean: float, means: Sequence[float]) -> tuple[float | None, float | None]:
    count = len(means)
    if count < 2:
        return None, None
    centre = math.fsum(means) / count
    variance = math.fsum((value - centre) ** 2 for value in means) / (count - 1)
    half = student_975(count - 1) * math.sqrt(variance / count)
    return max(mean - half, 0.0), mean + half


class _Distribution:
    """Values of single calls, kept as sorted batch means with the number of calls up to each.

    Whole nanoseconds repeat: of tens of thousands of values of a short call a few hundred are left to be sorted.  A few
    values are sorted sooner than counted.
    """

    def __init__(self, trials: Sequence[TrialSamples]) -> None:
        count = sum(len(trial.samples) for trial in trials)
        if count <= _FEW and all(trial.batch == 1 for trial in trials):
            self._values: list[float] = sorted(chain.from_iterable(trial.samples for trial in trials))
            self._ends: Sequence[int] = range(1, count + 1)
            return
        calls: Counter[float] = Counter()
        for trial in trials:
            for value, times in Counter(trial.samples[:-1]).items():
                calls[value / trial.batch] += times * trial.batch
            calls[trial.samples[-1] / trial.last_batch] += trial.last_batch
        self._values = sorted(calls)
        self._ends = list(accumulate(calls[value] for value in self._values))

    def quantile(self, p: float) -> float:
        """The value below which a share `p` of the calls lies (type 7)."""
        position = p * (self._ends[-1] - 1)
        below = math.floor(position)
        low = self._call(below)
        high = self._call(min(below + 1, self._ends[-1] - 1))
        return low + (high - low) * (position - below)

    def _call(self, index: int) -> float:
        return self._values[bisect_right(self._ends, index)]


@lru_cache(maxsize=256)
def student_975(df: int) -> float:
    """The 97.5 % quantile of Student's t with `df` degrees of freedom (>= 1), to about 1e-10 relative.

    Bisection on the exact distribution for whole degrees (Abramowitz and Stegun 26.7.3 and 26.7.4); from 1000
    on its expansion around the normal quantile (26.7.5), which is closer than 1e-12 there.
    """
    if df < 1:
        raise ValueError("at least one degree of freedom")
    if df >= 1000:
        return _expansion_975(df)
    low, high = _NORMAL_975, 13.0
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        if _student_between(middle, df) < 0.95:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _student_between(t: float, df: int) -> float:
    """Probability that |T| < t."""
    angle = math.atan2(t, math.sqrt(df))
    cosine_squared = math.cos(angle) ** 2
    odd = df % 2
    if df == 1:
        return 2 * angle / math.pi
    term = math.cos(angle) if odd else 1.0
    terms = [term]
    for k in range(2 + odd, df - 1, 2):
        term *= cosine_squared * (k - 1) / k
        terms.append(term)
    total = math.sin(angle) * math.fsum(terms)
    return 2 / math.pi * (angle + total) if odd else total


def _expansion_975(df: int) -> float:
    z = _NORMAL_975
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / df + second / df**2 + third / df**3
