"""Starting the engine: a child in a session of its own that outlives whoever started it."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ngcctui.engine.rundir import RunDir
from ngcctui.model.errors import StorageError

#: More of the engine's last words than this is not read.
_TAIL_BYTES = 65536


@dataclass(frozen=True)
class EngineOptions:
    """What the command line passes on to the engine."""

    resume: bool = False
    retry: tuple[str, ...] = ()
    accept_changes: bool = False
    wait: bool = False

    def words(self) -> list[str]:
        """The engine's options as argv words."""
        words = ["--resume"] if self.resume else []
        for step in self.retry:
            words += ["--retry", step]
        return words + ["--accept-changes"] * self.accept_changes + ["--wait"] * self.wait


def engine_argv(run: RunDir, options: EngineOptions) -> list[str]:
    """The engine's command line.  `-P`: no module of the working directory gets into the engine."""
    return [sys.executable, "-P", "-m", "ngcctui.engine", str(run.path), *options.words()]


@dataclass(frozen=True)
class Engine:
    """A started engine; its log grows from `log_start` (bytes) in this session."""

    process: subprocess.Popen[bytes]
    log: Path
    log_start: int

    def last_words(self) -> str:
        """The last line that the engine of this session printed; empty when it printed nothing."""
        try:
            with self.log.open("rb") as log:
                end = log.seek(0, os.SEEK_END)
                log.seek(max(self.log_start, end - _TAIL_BYTES))
                lines = log.read().decode("utf-8", "replace").split("\n")
        except OSError:
            return ""
        said = [line.strip() for line in lines if line.strip()]
        return said[-1].removeprefix("ngcctui: ") if said else ""


def start_engine(run: RunDir, argv: Sequence[str]) -> Engine:
    """Start the engine of a run; its output goes to the run's logs/engine.log."""
    log = run.path / "logs" / "engine.log"
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("ab") as output:
            start = output.tell()
            process = subprocess.Popen(
                argv,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
    except OSError as error:
        raise StorageError(f"{log}: the engine cannot be started: {error.strerror}") from None
    return Engine(process, log, start)


def leave_core(core: int | None) -> None:
    """Keep this process off the measured core, where it has another one."""
    with contextlib.suppress(OSError):
        others = os.sched_getaffinity(0) - {core}
        if others:
            os.sched_setaffinity(0, others)
