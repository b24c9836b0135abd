"""Statistics against independent ones, published tables, and properties that hold for any values."""

from __future__ import annotations

import math
import statistics as reference
from array import array
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ngcctui.engine.stats import TrialSamples, distinct_calls, median, statistics, student_975, trial_samples
from ngcctui.model.campaign import Inputs
from ngcctui.model.record import Health, Statistics, Trial


def single(*trials: list[int], cycles: list[int] | None = None) -> list[TrialSamples]:
    counts = cycles or [None] * len(trials)
    return [TrialSamples(len(row), 1, row, count) for row, count in zip(trials, counts, strict=True)]


def stats(trials: list[TrialSamples]) -> Statistics:
    return statistics(trials, "sign", Inputs.VARIED)


# Student's t, two-sided 95 %: the printed tables of the distribution.
TABLE = {
    1: 12.706,
    2: 4.303,
    3: 3.182,
    4: 2.776,
    5: 2.571,
    6: 2.447,
    7: 2.365,
    8: 2.306,
    9: 2.262,
    10: 2.228,
    15: 2.131,
    20: 2.086,
    29: 2.045,
    30: 2.042,
    40: 2.021,
    60: 2.000,
    100: 1.984,
    120: 1.980,
    1000: 1.962,
    10**9: 1.960,
}


@pytest.mark.parametrize(("df", "printed"), TABLE.items())
def test_student_quantiles_are_those_of_the_tables(df: int, printed: float) -> None:
    assert f"{student_975(df):.3f}" == f"{printed:.3f}"


def test_student_quantiles_with_closed_forms() -> None:
    assert student_975(1) == pytest.approx(math.tan(math.pi * 0.475), rel=1e-11)
    assert student_975(2) == pytest.approx(0.95 * math.sqrt(2 / (1 - 0.95**2)), rel=1e-11)


def test_the_quantile_integrates_to_95_percent() -> None:
    # Simpson's rule over the density, which the quantile is not computed from.
    for df in (3, 4, 7, 50, 999, 1001):
        t = student_975(df)
        scale = math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(df * math.pi)
        steps = 20_000
        h = t / steps
        weights = (1 if i in (0, steps) else 4 if i % 2 else 2 for i in range(steps + 1))
        area = (
            math.fsum(w * (1 + (i * h) ** 2 / df) ** (-(df + 1) / 2) for i, w in enumerate(weights)) * h / 3
        )
        assert 2 * scale * area == pytest.approx(0.95, abs=1e-10)


def test_student_falls_towards_the_normal_quantile_and_joins_smoothly() -> None:
    values = [student_975(df) for df in [*range(1, 60), *range(60, 1100, 13), 998, 999, 1000, 1001]]
    assert all(
        a > b > 1.95996
        for a, b in zip(sorted(values, reverse=True), sorted(values, reverse=True)[1:], strict=False)
    )
    assert student_975(999) - student_975(1000) == pytest.approx(
        student_975(1000) - student_975(1001), rel=0.01
    )
    with pytest.raises(ValueError):
        student_975(0)


def test_a_worked_example() -> None:
    # Two trials of four calls; every figure below by hand.
    figures = stats(single([100, 110, 120, 130], [200, 210, 220, 630], cycles=[920, 2520]))
    assert (figures.calls, figures.distinct_calls, figures.mean_ns) == (8, 8, 215.0)
    assert figures.trial_means_ns == (115.0, 315.0) and figures.median_trial_ns == 215.0
    assert (figures.min_ns, figures.max_ns, figures.p50_ns) == (100.0, 630.0, 165.0)
    assert (figures.p25_ns, figures.p75_ns) == (117.5, 212.5)
    assert figures.p5_ns == pytest.approx(103.5) and figures.p95_ns == pytest.approx(486.5)
    assert figures.ops_per_second == pytest.approx(1e9 / 215)
    half = 12.706204736 * 100  # t(1) times the standard error of 115 and 315
    assert figures.interval_low_ns == 0.0 and figures.interval_high_ns == pytest.approx(215 + half)
    assert (figures.mean_cycles, figures.median_trial_cycles) == (430.0, 430.0)
    assert figures.interval_high_cycles == pytest.approx(430 + 12.706204736 * 200)
    assert not figures.approximate


def test_one_trial_has_no_interval() -> None:
    figures = stats(single([5, 6, 7, 8], cycles=[100]))
    assert (figures.interval_low_ns, figures.interval_high_ns) == (None, None)
    assert (figures.interval_low_cycles, figures.interval_high_cycles) == (None, None)
    assert figures.mean_cycles == 25.0


def test_few_calls_a_trial_are_marked() -> None:
    assert stats(single([5, 6, 7], [5, 6, 7])).approximate
    assert not stats(single([5, 6, 7, 8], [5, 6, 7, 8])).approximate


def test_cycles_are_there_for_all_trials_or_not_at_all() -> None:
    trials = single([5, 6], [7, 8], cycles=[100, 200])
    assert stats(trials).mean_cycles == 75.0
    for unusable in (None, 0):
        figures = stats([trials[0], replace(trials[1], cycles=unusable)])
        assert figures.mean_cycles is None and figures.median_trial_cycles is None
        assert figures.interval_low_cycles is None and figures.interval_high_cycles is None


def test_each_batch_stands_for_its_calls() -> None:
    # 10 calls in batches of 4, 4, 2: per call 10, 20, 50 ns.
    figures = stats([TrialSamples(10, 4, [40, 80, 100])])
    expanded = [10.0] * 4 + [20.0] * 4 + [50.0] * 2
    assert figures.mean_ns == 22.0
    quartiles = reference.quantiles(expanded, n=4, method="inclusive")
    assert (figures.p25_ns, figures.p50_ns, figures.p75_ns) == pytest.approx(tuple(quartiles))
    assert (figures.min_ns, figures.max_ns) == (10.0, 50.0)
    twentieths = reference.quantiles(expanded, n=20, method="inclusive")
    assert (figures.p5_ns, figures.p95_ns) == pytest.approx((twentieths[0], twentieths[-1]))


@pytest.mark.parametrize(
    ("iterations", "batch", "samples"),
    [(0, 1, []), (3, 1, [1, 2]), (10, 4, [1, 2]), (1, 0, [1]), (4, 4, [1, 2])],
)
def test_values_that_do_not_fit_their_trial_are_refused(
    iterations: int, batch: int, samples: list[int]
) -> None:
    with pytest.raises(ValueError):
        TrialSamples(iterations, batch, samples)


def test_without_a_trial_there_are_no_figures() -> None:
    with pytest.raises(ValueError):
        stats([])
    with pytest.raises(ValueError):
        median([])


def test_calls_that_took_no_time_are_no_division() -> None:
    assert stats(single([0, 0])).ops_per_second == 0.0


@pytest.mark.parametrize(
    ("operation", "inputs", "expected"),
    [
        ("keygen", Inputs.FIXED, 20),
        ("sign", Inputs.FIXED, 20),
        ("verify", Inputs.FIXED, 1),
        ("hash_1024", Inputs.FIXED, 1),
        ("keygen", Inputs.VARIED, 100),
        ("sign", Inputs.VARIED, 100),
        ("verify", Inputs.VARIED, 80),
        ("hash_1024", Inputs.VARIED, 100),
    ],
)
def test_distinct_calls_of_5_trials_of_20(operation: str, inputs: Inputs, expected: int) -> None:
    assert distinct_calls(operation, inputs, 5, 20) == expected
    assert statistics(single(*[[1] * 20] * 5), operation, inputs).distinct_calls == expected


def test_verify_of_few_calls_has_as_many_signatures() -> None:
    assert distinct_calls("verify", Inputs.VARIED, 3, 1) == 3
    assert distinct_calls("verify", Inputs.VARIED, 3, 40, shared_process=True) == 16


def test_a_trial_of_a_record_is_cut_out_of_the_samples_file() -> None:
    health = Health(1, 1, 0, 0, 0, 0)
    trial = Trial(2, 1, 3, 1, 60, 60, 600, "cycles", 7, "tsc", health, samples_offset=2, samples=3)
    values = array("Q", [9, 9, 10, 20, 30, 9])
    assert list(trial_samples(trial, values).samples) == [10, 20, 30]
    assert trial_samples(trial, values).cycles == 600
    assert trial_samples(replace(trial, counter="tsc"), values).cycles is None
    with pytest.raises(ValueError):
        trial_samples(replace(trial, samples_offset=4), values)


NS = st.integers(0, 2**63)
SMALL = st.integers(0, 10**12)
TRIALS = st.integers(1, 12).flatmap(
    lambda calls: st.lists(st.lists(SMALL, min_size=calls, max_size=calls), min_size=1, max_size=6)
)


def figures_of(result: Statistics) -> list[float]:
    names = "mean_ns median_trial_ns min_ns p5_ns p25_ns p50_ns p75_ns p95_ns max_ns"
    return [getattr(result, name) for name in names.split()]


@given(TRIALS)
@settings(max_examples=150)
def test_it_agrees_with_the_statistics_module(rows: list[list[int]]) -> None:
    result = stats(single(*rows))
    flat = [value for row in rows for value in row]
    means = [reference.fmean(row) for row in rows]
    assert result.mean_ns == pytest.approx(reference.mean(flat))
    assert result.median_trial_ns == pytest.approx(reference.median(means))
    assert result.p50_ns == pytest.approx(reference.median(flat))
    if len(flat) > 1:
        quartiles = reference.quantiles(flat, n=4, method="inclusive")
        assert [result.p25_ns, result.p50_ns, result.p75_ns] == pytest.approx(quartiles)
    if len(rows) > 1:
        half = student_975(len(rows) - 1) * reference.stdev(means) / math.sqrt(len(rows))
        assert result.interval_high_ns == pytest.approx(result.mean_ns + half, rel=1e-9, abs=1e-3)
        assert result.interval_low_ns == pytest.approx(max(result.mean_ns - half, 0), rel=1e-9, abs=1e-3)


@given(st.lists(st.lists(NS, min_size=3, max_size=3), min_size=2, max_size=5))
def test_figures_keep_their_order_over_the_whole_range(rows: list[list[int]]) -> None:
    result = stats(single(*rows))
    ordered = [
        result.min_ns,
        result.p5_ns,
        result.p25_ns,
        result.p50_ns,
        result.p75_ns,
        result.p95_ns,
        result.max_ns,
    ]
    assert ordered == sorted(ordered)
    slack = 1 + 1e-12
    assert result.min_ns / slack <= result.mean_ns <= result.max_ns * slack
    assert result.interval_low_ns is not None and result.interval_high_ns is not None
    assert 0 <= result.interval_low_ns <= result.mean_ns <= result.interval_high_ns
    assert all(math.isfinite(value) for value in figures_of(result))
    assert result.mean_ns == pytest.approx(float(sum(map(sum, rows))) / (3 * len(rows)), rel=1e-15)


@given(TRIALS, st.integers(1, 1000))
def test_twice_as_slow_is_twice_the_figures(rows: list[list[int]], factor: int) -> None:
    before, after = stats(single(*rows)), stats(single(*[[v * factor for v in row] for row in rows]))
    assert figures_of(after) == pytest.approx([value * factor for value in figures_of(before)])
    if before.interval_high_ns is not None:
        assert after.interval_high_ns == pytest.approx(before.interval_high_ns * factor, rel=1e-9, abs=1e-3)


@given(TRIALS, SMALL)
def test_a_shift_moves_every_figure_and_no_width(rows: list[list[int]], shift: int) -> None:
    before, after = stats(single(*rows)), stats(single(*[[v + shift for v in row] for row in rows]))
    assert figures_of(after) == pytest.approx([value + shift for value in figures_of(before)])
    if before.interval_high_ns is not None and after.interval_high_ns is not None:
        widths = [after.interval_high_ns - after.mean_ns, before.interval_high_ns - before.mean_ns]
        assert widths[0] == pytest.approx(widths[1], rel=1e-6, abs=1e-2)


@given(TRIALS, st.randoms(use_true_random=False))
def test_the_order_of_calls_and_trials_does_not_count(rows: list[list[int]], shuffler: object) -> None:
    before = stats(single(*rows))
    mixed = [sorted(row, key=lambda _: shuffler.random()) for row in rows]  # type: ignore[attr-defined]
    mixed.sort(key=lambda _: shuffler.random())  # type: ignore[attr-defined]
    after = stats(single(*mixed))
    assert figures_of(after) == pytest.approx(figures_of(before), rel=1e-12)
    assert sorted(after.trial_means_ns) == pytest.approx(sorted(before.trial_means_ns))


@given(st.lists(SMALL, min_size=1, max_size=60), st.integers(1, 9))
def test_batches_keep_the_mean_and_the_bounds(values: list[int], batch: int) -> None:
    sums = [sum(values[i : i + batch]) for i in range(0, len(values), batch)]
    batched, plain = stats([TrialSamples(len(values), batch, sums)]), stats(single(values))
    assert batched.mean_ns == plain.mean_ns
    assert batched.min_ns >= plain.min_ns * (1 - 1e-12) and batched.max_ns <= plain.max_ns * (1 + 1e-12)


@given(st.lists(st.floats(0, 1e18), min_size=1, max_size=9))
def test_the_median_is_the_median(values: list[float]) -> None:
    assert median(values) == pytest.approx(reference.median(values))


@given(st.integers(2, 8))
def test_equal_trials_have_an_interval_of_no_width(trials: int) -> None:
    assume(trials > 1)
    result = stats(single(*[[100, 200, 300, 400]] * trials))
    assert (result.interval_low_ns, result.interval_high_ns) == (250.0, 250.0)
