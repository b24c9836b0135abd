"""The runs below a directory, each as one row: what the list of runs shows."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ngcctui.engine.rundir import RunDir, list_runs
from ngcctui.model.errors import NgccError
from ngcctui.overview import look


@dataclass(frozen=True)
class RunRow:
    """One run in the list."""

    run: RunDir
    word: str
    working: bool


def rows(root: Path) -> tuple[RunRow, ...]:
    """The runs below `root`, newest first."""
    found = []
    for run in list_runs(root):
        try:
            overview = look(run)
        except NgccError as error:
            found.append(RunRow(run, str(error), False))
        else:
            found.append(RunRow(run, overview.word, overview.working))
    return tuple(found)
