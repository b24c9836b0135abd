"""What the programs of a step printed, for the log."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from ngcctui.engine.rundir import RunDir
from ngcctui.engine.runstate import StepState
from ngcctui.model.step import Kind

#: Of a log file this much of its end is shown.
TAIL_BYTES = 65536


def output_path(run: RunDir, entry: StepState) -> Path:
    """The file with what a step's programs printed: compiler messages, the KAT's log, the candidate's own output."""
    step = entry.step
    if step.kind is Kind.BUILD:
        return run.build_log(step.scheme, step.instance)
    if step.kind is Kind.KAT:
        try:
            return run.inside(entry.file or "")
        except ValueError:
            return run.kat_log(step.scheme, step.instance)
    return run.child_log(step)


def read_tail(path: Path, limit: int = TAIL_BYTES) -> bytes:
    """The last lines of a regular file, at most `limit` bytes; empty when there is none.  Never waits (FIFO, device)."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        with open(fd, "rb") as file:
            status = os.fstat(fd)
            if not stat.S_ISREG(status.st_mode):
                return b""
            start = max(0, status.st_size - limit)
            file.seek(start)
            data = file.read(limit)
    except OSError:
        return b""
    return data.partition(b"\n")[2] if start else data
