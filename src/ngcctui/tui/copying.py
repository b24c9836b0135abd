"""Copies out of the screens: to the terminal's clipboard where it takes them, and always to a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from ngcctui.engine.rundir import RunDir
from ngcctui.engine.store import Storage, write_atomic
from ngcctui.model.errors import StorageError

T = TypeVar("T")


def into_run_or_here(run: RunDir, readonly: bool, write: Callable[[Path], T]) -> T:
    """Let `write` write below a directory: the run's report/export, or `<run>-export` in the working directory.

    The second when nothing may be written into the run.  StorageError when neither can be written.
    """
    here = Path.cwd() / f"{run.name}-export"
    if readonly:
        return write(here)
    try:
        return write(run.path / "report" / "export")
    except StorageError:
        return write(here)


def write_copy(run: RunDir, readonly: bool, text: str) -> Path:
    """Keep copied text in a file, because a terminal never tells whether it took it; returns the file."""

    def write(directory: Path) -> Path:
        path = directory / "copied.txt"
        write_atomic(path, f"{text}\n".encode("utf-8", "backslashreplace"), Storage())
        return path

    return into_run_or_here(run, readonly, write)
