"""The rows of the monitor, one an instance, kept up to date with as little work as a look at a run has changed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from ngcctui.engine.runstate import RunState, Status, StepState
from ngcctui.model.natural import natural
from ngcctui.model.outcome import Outcome
from ngcctui.model.step import Kind
from ngcctui.report.order import operation_rank
from ngcctui.tui.view.cells import (
    Cell,
    Moment,
    OperationSteps,
    build_cell,
    kat_cell,
    operation_cell,
    share_cell,
    shares,
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
        done += entry.status is Status.ENDED
        failed += entry.failed and entry.outcome is not Outcome.SKIPPED
        for trial in entry.trials:
            if trial.used:
                trials += 1
                disturbed += bool(trial.disturbed)
    return Tally(steps, done, failed, trials, disturbed)


@dataclass(frozen=True)
class Row:
    """One instance: its steps and its cells (build, KAT, one per operation, share)."""

    key: RowKey
    build: StepState | None
    kat: StepState | None
    operations: tuple[OperationSteps, ...]
    profiles: tuple[StepState, ...]
    build_cell: Cell
    kat_cell: Cell
    operation_cells: tuple[Cell, ...]
    share_cell: Cell
    busy: bool
    tally: Tally

    def cell(self, column: Column) -> Cell:
        """The cell in a column; empty where the instance has no such operation."""
        if isinstance(column, int):
            return self.operation_cells[column] if column < len(self.operation_cells) else Cell(("",))
        return {BUILD: self.build_cell, KAT: self.kat_cell, SHARE: self.share_cell}.get(column, Cell(("",)))

    def steps(self, column: Column) -> tuple[StepState, ...]:
        """The steps behind a cell; of the name all of the instance."""
        if column == SHARE:
            return self.profiles
        if isinstance(column, int):
            chosen = self.operations[column : column + 1]
            return _there(step for one in chosen for step in (one.calibrate, one.measure))
        if column in (BUILD, KAT):
            return _there((self.build if column == BUILD else self.kat,))
        timed = (step for one in self.operations for step in (one.calibrate, one.measure, one.profile))
        return _there((self.build, self.kat, *timed))

    def searched(self) -> str:
        """What a filter looks at: the names, and the word of every cell."""
        cells = (self.build_cell, self.kat_cell, *self.operation_cells, self.share_cell)
        return " ".join((f"{self.key[0]}/{self.key[1]}", *(cell.word for cell in cells)))

    def rank(self, column: Column) -> tuple[bool, Any]:
        """Sort key in a column: what has no figure comes last."""
        if isinstance(column, int):
            value = value_ns(self.operations[column].measure) if column < len(self.operations) else None
        elif column == SHARE:
            value = max((share for share in shares(self.profiles) if share is not None), default=None)
        elif column == NAME:
            return False, natural(self.key[1])
        else:
            return False, self.cell(column).word
        return value is None, 0.0 if value is None else value


def _there(steps: Iterable[StepState | None]) -> tuple[StepState, ...]:
    return tuple(step for step in steps if step is not None)


def make_row(key: RowKey, entries: Iterable[StepState], moment: Moment) -> Row:
    """The row of an instance from all of its steps."""
    entries = tuple(entries)
    single = {entry.step.kind: entry for entry in entries if entry.step.operation is None}
    timed: dict[str, dict[Kind, StepState]] = {}
    for entry in entries:
        if entry.step.operation is not None:
            timed.setdefault(entry.step.operation, {})[entry.step.kind] = entry
    operations = tuple(
        OperationSteps(name, kinds.get(Kind.CALIBRATE), kinds.get(Kind.MEASURE), kinds.get(Kind.PROFILE))
        for name, kinds in sorted(timed.items(), key=lambda item: operation_rank(item[0]))
    )
    profiles = _there(one.profile for one in operations)
    build, kat = single.get(Kind.BUILD), single.get(Kind.KAT)
    return Row(
        key,
        build,
        kat,
        operations,
        profiles,
        build_cell(build, kat),
        kat_cell(kat, moment),
        tuple(operation_cell(one, moment) for one in operations),
        share_cell(profiles, moment),
        any(entry.status is Status.RUNNING for entry in entries),
        tally(entries),
    )


class Grid:
    """All rows of a run, by scheme in the order of the run.

    The fold hands out the same object for a step as long as nothing of it has changed: only rows with another object,
    and those with a running step (time goes on), are made anew.
    """

    def __init__(self) -> None:
        self.rows: dict[RowKey, Row] = {}
        self.groups: dict[str, list[RowKey]] = {}
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
    def operations(self) -> int:
        """The most operations that an instance has."""
        return max((len(row.operations) for row in self.rows.values()), default=0)

    def running(self) -> list[StepState]:
        """The steps that run, in the order of the run."""
        entries = (self._steps[name] for key in self.rows if key in self._busy for name in self._members[key])
        return [entry for entry in entries if entry.status is Status.RUNNING]

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
        new = make_row(key, (self._steps[name] for name in self._members[key]), moment)
        self.rows[key] = new
        self.tally = self.tally - old.tally + new.tally
        (self._busy.add if new.busy else self._busy.discard)(key)
        return (
            old.build_cell != new.build_cell
            or old.kat_cell != new.kat_cell
            or old.operation_cells != new.operation_cells
            or old.share_cell != new.share_cell
        )

    def _rebuild(self, steps: dict[str, StepState], moment: Moment) -> None:
        self.names = list(steps)
        self._steps = steps
        self._members = {}
        for name, entry in steps.items():
            self._members.setdefault((entry.step.scheme, entry.step.instance), []).append(name)
        self._row_of = {name: key for key, names in self._members.items() for name in names}
        self.rows = {
            key: make_row(key, (steps[name] for name in names), moment)
            for key, names in self._members.items()
        }
        self.groups = {}
        for key in self.rows:
            self.groups.setdefault(key[0], []).append(key)
        self._busy = {key for key, row in self.rows.items() if row.busy}
        self.tally = sum((row.tally for row in self.rows.values()), Tally())
