"""The rows of the monitor, one an instance, kept up to date with as little work as a look at a run has changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ngcctui.engine.runstate import RunState, Status, StepState
from ngcctui.model.natural import natural
from ngcctui.model.outcome import Outcome
from ngcctui.model.step import Kind
from ngcctui.report.order import operation_rank
from ngcctui.tui.view.cells import (
    EMPTY,
    FALLBACK,
    Cell,
    Moment,
    OperationSteps,
    build_cell,
    kat_cell,
    operation_cell,
    share_cell,
    shares,
    standing,
    value_ns,
)

#: Scheme and instance.
RowKey = tuple[str, str]
#: Columns beside those of the operations, which are numbered from 0 on.
NAME, BUILD, KAT, SHARE = "instance", "build", "KAT", "share"
Column = str | int


@dataclass(frozen=True)
class Tally:
    """Counts over steps: all, ended, ended badly (without the skipped), used trials and the disturbed ones of them."""

    steps: int = 0
    done: int = 0
    failed: int = 0
    trials: int = 0
    disturbed: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(*(a + b for a, b in zip(self._all(), other._all(), strict=True)))

    def __sub__(self, other: Tally) -> Tally:
        return Tally(*(a - b for a, b in zip(self._all(), other._all(), strict=True)))

    def _all(self) -> tuple[int, ...]:
        return self.steps, self.done, self.failed, self.trials, self.disturbed


def tally(entries: Iterable[StepState]) -> Tally:
    """Count steps and their trials."""
    steps = done = failed = trials = disturbed = 0
    for entry in entries:
        steps += 1
        if entry.status is Status.ENDED:
            done += 1
            failed += entry.failed and entry.outcome is not Outcome.SKIPPED
        for trial in entry.trials:
            if trial.used:
                trials += 1
                disturbed += bool(trial.disturbed)
    return Tally(steps, done, failed, trials, disturbed)


@dataclass(frozen=True)
class Row:
    """One instance at one moment.  Its cells are made when they are looked at: most rows are out of sight.

    `names` are the operations of its scheme; the instance need not have all of them.
    """

    key: RowKey
    entries: tuple[StepState, ...]
    names: tuple[str, ...]
    moment: Moment

    @cached_property
    def tally(self) -> Tally:
        """Counts over its steps."""
        return tally(self.entries)

    @property
    def busy(self) -> bool:
        """True when one of its steps runs."""
        return any(entry.status is Status.RUNNING for entry in self.entries)

    @cached_property
    def _by_kind(self) -> Mapping[tuple[Kind, str | None], StepState]:
        return {(entry.step.kind, entry.step.operation): entry for entry in self.entries}

    @cached_property
    def operations(self) -> tuple[OperationSteps, ...]:
        """The steps of each operation of the scheme."""
        kinds = (Kind.CALIBRATE, Kind.MEASURE, Kind.PROFILE)
        return tuple(
            OperationSteps(name, *(self._by_kind.get((kind, name)) for kind in kinds)) for name in self.names
        )

    @cached_property
    def profiles(self) -> tuple[StepState, ...]:
        """The profile steps."""
        return _there(one.profile for one in self.operations)

    @cached_property
    def build_cell(self) -> Cell:
        """The cell of the build."""
        return build_cell(self._by_kind.get((Kind.BUILD, None)), self._by_kind.get((Kind.KAT, None)))

    @cached_property
    def kat_cell(self) -> Cell:
        """The cell of the KAT."""
        return kat_cell(self._by_kind.get((Kind.KAT, None)), self.moment)

    @cached_property
    def operation_cells(self) -> tuple[Cell, ...]:
        """The cells of the operations."""
        return tuple(operation_cell(one, self.moment) for one in self.operations)

    @cached_property
    def share_cell(self) -> Cell:
        """The cell of the profiles."""
        return share_cell(self.profiles, self.moment)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All cells from left to right."""
        return self.build_cell, self.kat_cell, *self.operation_cells, self.share_cell

    def cell(self, column: Column) -> Cell:
        """The cell in a column; empty where the instance has no such operation."""
        if isinstance(column, int):
            return self.operation_cells[column] if column < len(self.operation_cells) else EMPTY
        if column == BUILD:
            return self.build_cell
        return self.kat_cell if column == KAT else self.share_cell if column == SHARE else EMPTY

    def steps(self, column: Column) -> tuple[StepState, ...]:
        """The steps behind a cell; of the name all of the instance."""
        if column == SHARE:
            return self.profiles
        if isinstance(column, int):
            chosen = self.operations[column : column + 1]
            return _there(step for one in chosen for step in (one.calibrate, one.measure))
        if column == NAME:
            return self.entries
        return _there((self._by_kind.get((Kind.BUILD if column == BUILD else Kind.KAT, None)),))

    @cached_property
    def searched(self) -> str:
        """What a filter looks at: the names, where each step stands, and `disturbed` and `fallback` where they are true.

        Not the cells: a filter looks at every row, and most rows have never been drawn.
        """
        words = {entry.outcome.value if entry.outcome else entry.status.value for entry in self.entries}
        if self.tally.disturbed:
            words.add("disturbed")
        if any(entry.summary.get("flags") == FALLBACK for entry in self.entries):
            words.add("fallback")
        return " ".join((f"{self.key[0]}/{self.key[1]}", *sorted(words)))

    def rank(self, column: Column) -> tuple[bool, Any]:
        """Sort key in a column: what has no figure comes last."""
        if column == NAME:
            return False, natural(self.key[1])
        if column in (BUILD, KAT):
            return False, self.cell(column).word
        value: float | None
        if isinstance(column, int):
            value = value_ns(self.operations[column].measure) if column < len(self.operations) else None
        else:
            value = max((share for share in shares(self.profiles) if share is not None), default=None)
        return value is None, value


def _there(steps: Iterable[StepState | None]) -> tuple[StepState, ...]:
    return tuple(step for step in steps if step is not None)


class Grid:
    """All rows of a run, by scheme in the order of the run.

    The fold hands out the same object for a step as long as nothing of it has changed: only rows with another object,
    and those with a running step (time goes on), are made anew.  `operations` are the names of each scheme's
    operations, `profiled` tells that there are profiles.
    """

    def __init__(self) -> None:
        self.rows: dict[RowKey, Row] = {}
        self.groups: dict[str, list[RowKey]] = {}
        self.operations: dict[str, tuple[str, ...]] = {}
        self.profiled = False
        self.tally = Tally()
        self.names: list[str] = []
        self._steps: dict[str, StepState] = {}
        self._row_of: dict[str, RowKey] = {}
        self._members: dict[RowKey, list[str]] = {}
        self._busy: set[RowKey] = set()

    @property
    def busy(self) -> bool:
        """True when a step runs."""
        return bool(self._busy)

    @property
    def columns(self) -> int:
        """The most operations that a scheme has."""
        return max((len(names) for names in self.operations.values()), default=0)

    def running(self) -> list[StepState]:
        """The steps that run, in the order of the run."""
        keys = (key for key in self.rows if key in self._busy) if self._busy else ()
        return [entry for key in keys for entry in self.rows[key].entries if entry.status is Status.RUNNING]

    def calibration(self, entry: StepState) -> StepState | None:
        """The calibration of the same operation."""
        return self._steps.get(str(replace(entry.step, kind=Kind.CALIBRATE)))

    def update(self, state: RunState, moment: Moment, *, all_rows: bool = False) -> set[RowKey] | None:
        """Take a state; returns the rows that now show something else, None when the rows are others than before."""
        steps = state.steps
        if steps is not self._steps and list(steps) != self.names:
            self._rebuild(steps, moment)
            return None
        touched = set(self.rows) if all_rows else set(self._busy)
        if steps is not self._steps:
            old = self._steps
            touched |= {self._row_of[name] for name, entry in steps.items() if entry is not old[name]}
            self._steps = steps
        return {key for key in touched if self._remake(key, moment)}

    def _remake(self, key: RowKey, moment: Moment) -> bool:
        old = self.rows[key]
        new = replace(old, entries=self._entries(key, moment), moment=moment)
        self.rows[key] = new
        if new.entries != old.entries:
            self.tally = self.tally - old.tally + new.tally
        (self._busy.add if new.busy else self._busy.discard)(key)
        return new.cells != old.cells

    def _entries(self, key: RowKey, moment: Moment) -> tuple[StepState, ...]:
        """The steps of a row as they stand."""
        return tuple(standing(self._steps[name], moment.alive) for name in self._members[key])

    def _rebuild(self, steps: dict[str, StepState], moment: Moment) -> None:
        self.names = list(steps)
        self._steps = steps
        self._members = {}
        found: dict[str, set[str]] = {}
        self.profiled = False
        for name, entry in steps.items():
            step = entry.step
            self._members.setdefault((step.scheme, step.instance), []).append(name)
            self.profiled = self.profiled or step.kind is Kind.PROFILE
            if step.operation is not None:
                found.setdefault(step.scheme, set()).add(step.operation)
        self._row_of = {name: key for key, names in self._members.items() for name in names}
        self.operations = {
            scheme: tuple(sorted(names, key=operation_rank)) for scheme, names in found.items()
        }
        self.rows = {
            key: Row(key, self._entries(key, moment), self.operations.get(key[0], ()), moment)
            for key in self._members
        }
        self.groups = {}
        for key in self.rows:
            self.groups.setdefault(key[0], []).append(key)
        self._busy = {key for key, row in self.rows.items() if row.busy}
        self.tally = sum((row.tally for row in self.rows.values()), Tally())
