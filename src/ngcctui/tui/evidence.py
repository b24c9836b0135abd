"""What the files of a run hold about some of its steps; read in a thread for the detail of a cell."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

from ngcctui.data_dirs import published_systems
from ngcctui.engine.rundir import RunDir
from ngcctui.engine.runstate import Status, StepState
from ngcctui.model.errors import NgccError
from ngcctui.model.step import Kind, Step
from ngcctui.report.dataset import page_file
from ngcctui.report.page import Page
from ngcctui.report.published import read_published
from ngcctui.report.source import load_measured, load_profiled
from ngcctui.report.tables import PerformanceRow
from ngcctui.tui.view.detail import Evidence, Published


def read_evidence(run: RunDir, steps: Sequence[StepState]) -> Evidence:
    """Records, profiles and published figures of the steps of one cell; a file that cannot be used is named."""
    ended = [entry for entry in steps if entry.status is Status.ENDED and entry.file]
    measured = [load_measured(run, entry) for entry in ended if entry.step.kind is Kind.MEASURE]
    profiled = [load_profiled(run, entry) for entry in ended if entry.step.kind is Kind.PROFILE]
    return Evidence(
        records=tuple(item.record for item in measured if item.record is not None),
        profiles=tuple(item.record for item in profiled if item.record is not None),
        published=tuple(
            found for entry in steps if entry.step.kind is Kind.MEASURE for found in published(entry.step)
        ),
        problems=tuple(filter(None, [*(m.problem for m in measured), *(p.problem for p in profiled)])),
    )


def published(step: Step) -> Iterable[Published]:
    """What was published for an operation, by system; a file that cannot be read says nothing."""
    for system, directory in published_systems(os.environ, Path.cwd()).items():
        path = page_file(directory, step.scheme)
        page = _page(path) if path is not None else None
        rows = page.performance if page is not None else ()
        for row in rows:
            if isinstance(row, PerformanceRow) and (row.instance, row.operation) == (
                step.instance,
                step.operation,
            ):
                clock = (
                    next((fact.value for fact in page.environment if fact.item == "clock"), "")
                    if page
                    else ""
                )
                yield Published(system, clock, row)


@lru_cache(maxsize=64)
def _page(path: Path) -> Page | None:
    try:
        return read_published(path)
    except NgccError:
        return None
