"""Every stored figure follows from the stored values, and one that does not is named."""

from __future__ import annotations

from array import array
from dataclasses import replace
from typing import Any

import pytest
from golden.synthetic import SyntheticRun, Timing, steps_of, write_scheme

from ngcctui.engine.store import read_samples
from ngcctui.model.campaign import Campaign
from ngcctui.model.outcome import Outcome
from ngcctui.model.record import Record
from ngcctui.report.validate import recompute


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> SyntheticRun:
    parent = tmp_path_factory.mktemp("run")
    scheme = write_scheme(parent / "schemes", "toy-1", ["Toy-128"])
    return SyntheticRun(parent / "runs", [scheme], Campaign("unit"), steps_of(scheme))


@pytest.fixture(scope="module")
def stored(made: SyntheticRun) -> tuple[Record, array[int]]:
    record = made.measure("toy-1", "Toy-128", "sign", Timing(iterations=40, retries=2, repeated=1))
    return record, read_samples(made.run.samples("toy-1", "Toy-128", "sign"), record.samples_sha256)


@pytest.mark.parametrize(
    "timing",
    [
        Timing(),
        Timing(trials=1, iterations=1),
        Timing(trials=2, iterations=3, clock_ghz=None),
        Timing(mean_ns=300.0, iterations=1000, batch=33),
        Timing(inputs="fixed", repeated=2),
        Timing(outcome=Outcome.CRASHED, signal="SIGSEGV"),
        Timing(outcome=Outcome.REJECTED, rejected=21),
    ],
)
def test_what_was_written_is_recomputed(made: SyntheticRun, timing: Timing) -> None:
    record = made.measure("toy-1", "Toy-128", "verify", timing)
    samples = read_samples(made.run.samples("toy-1", "Toy-128", "verify"), record.samples_sha256)
    assert len(samples) > 0
    assert recompute(record, samples) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("mean_ns", 1_200_000.0),
        ("median_trial_ns", 1.0),
        ("p95_ns", 1.0),
        ("max_ns", 1.0),
        ("ops_per_second", 1.0),
        ("mean_cycles", None),
        ("interval_low_ns", None),
        ("interval_high_cycles", 1.0),
        ("distinct_calls", 1),
        ("approximate", True),
        ("trial_means_ns", (1.0,) * 5),
        ("trial_means_ns", (1.0,)),
    ],
)
def test_a_changed_figure_is_named(stored: tuple[Record, array[int]], name: str, value: Any) -> None:
    record, samples = stored
    assert record.statistics is not None
    changed = replace(record, statistics=replace(record.statistics, **{name: value}))
    (difference,) = recompute(changed, samples)
    assert difference.figure == name and difference.stored == value
    assert difference.recomputed == getattr(record.statistics, name)
    assert str(difference).startswith(f"{name}: stored {value}")


def test_a_small_change_is_a_change(stored: tuple[Record, array[int]]) -> None:
    record, samples = stored
    assert record.statistics is not None
    for factor, count in ((1 + 1e-7, 1), (1 + 1e-12, 0)):
        figures = replace(record.statistics, mean_ns=record.statistics.mean_ns * factor)
        assert len(recompute(replace(record, statistics=figures), samples)) == count


def test_changed_samples_change_figures(stored: tuple[Record, array[int]]) -> None:
    record, samples = stored
    changed = array("Q", samples)
    changed[record.trials[-1].samples_offset] += 1_000_000
    names = {difference.figure for difference in recompute(record, changed)}
    assert {"mean_ns", "trial_means_ns", "max_ns", "interval_high_ns", "ops_per_second"} <= names


def test_samples_of_a_repeated_attempt_do_not_count(stored: tuple[Record, array[int]]) -> None:
    record, samples = stored
    rejected = next(trial for trial in record.trials if not trial.used)
    changed = array("Q", samples)
    changed[rejected.samples_offset] += 1_000_000
    assert recompute(record, changed) == []


def test_counts_that_do_not_add_up_are_named(stored: tuple[Record, array[int]]) -> None:
    record, samples = stored
    assert record.statistics is not None and record.plan is not None
    changed = replace(record, retries=3, rejected=1, plan=replace(record.plan, trials=4))
    assert [difference.figure for difference in recompute(changed, samples)] == [
        "retries",
        "rejected",
        "trials",
        "calls",
    ]


@pytest.mark.parametrize("values", [array("Q"), array("Q", [1] * 7)])
def test_too_few_samples_are_a_difference(stored: tuple[Record, array[int]], values: array[int]) -> None:
    (difference,) = recompute(stored[0], values)
    assert difference.figure == "samples"


def test_trials_that_do_not_fit_are_a_difference(stored: tuple[Record, array[int]]) -> None:
    record, samples = stored
    broken = replace(record, trials=tuple(replace(trial, iterations=39) for trial in record.trials))
    assert [difference.figure for difference in recompute(broken, samples)] == ["statistics"]
    unknown = replace(record, inputs="guessed")
    assert [difference.figure for difference in recompute(unknown, samples)] == ["statistics"]
