"""Recompute the figures of a record from its timed values: every printed number must come out again."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ngcctui.engine.stats import statistics, trial_samples
from ngcctui.model.campaign import Inputs
from ngcctui.model.record import Record, Statistics

#: Figures agree when they differ by less than this fraction: sums may be taken in another order.
RELATIVE = 1e-9


@dataclass(frozen=True)
class Difference:
    """A figure that does not come out again."""

    figure: str
    stored: Any
    recomputed: Any

    def __str__(self) -> str:
        return f"{self.figure}: stored {self.stored}, recomputed {self.recomputed}"


def recompute(record: Record, samples: Sequence[int]) -> list[Difference]:
    """What the figures of `record` are by its trials and all values of its samples file (ns, u64), where they differ.

    An empty list means that every figure, count and interval follows from the stored values.  Nothing is raised for
    values that do not fit the trials: that is a difference as well.
    """
    found = _counts(record)
    used = [trial for trial in record.trials if trial.used]
    expected = sum(trial.samples for trial in record.trials)
    if expected != len(samples):
        return [*found, Difference("samples", expected, len(samples))]
    if record.statistics is None:
        return found
    try:
        parts = [trial_samples(trial, samples) for trial in used]
        shared = record.plan is not None and not record.plan.separate_processes
        figures = statistics(
            parts, inputs=Inputs(record.inputs), operation=record.operation, shared_process=shared
        )
    except ValueError as error:
        return [*found, Difference("statistics", "present", str(error))]
    return found + _figures(record.statistics, figures)


def _counts(record: Record) -> list[Difference]:
    used = [trial for trial in record.trials if trial.used]
    pairs: list[tuple[str, int, int]] = [
        ("retries", record.retries, sum(trial.retries for trial in used)),
        ("rejected", record.rejected, sum(trial.rejected for trial in record.trials)),
    ]
    if record.statistics is not None and record.plan is not None:
        plan = record.plan
        pairs += [
            ("trials", plan.trials, len(used)),
            ("calls", record.statistics.calls, plan.trials * plan.iterations),
        ]
    return [Difference(*pair) for pair in pairs if pair[1] != pair[2]]


def _figures(stored: Statistics, recomputed: Statistics) -> list[Difference]:
    if stored == recomputed:
        return []
    found = []
    for field in dataclasses.fields(Statistics):
        before, after = getattr(stored, field.name), getattr(recomputed, field.name)
        if not same(before, after):
            found.append(Difference(field.name, before, after))
    return found


def same(before: Any, after: Any) -> bool:
    """True when two figures agree; floats within RELATIVE."""
    if isinstance(before, tuple) and isinstance(after, tuple):
        return len(before) == len(after) and all(same(a, b) for a, b in zip(before, after, strict=True))
    if isinstance(before, float) and isinstance(after, float):
        return math.isclose(before, after, rel_tol=RELATIVE, abs_tol=RELATIVE)
    return bool(before == after)
