"""Run as a script: sessions of the engine on one run over a disk that refuses one operation after the other.

`refusing_engine.py write|other [OPTION]... RUN`: sessions until one comes to the end.  Each lets one more operation of the
kind through than the one before, and begins again with few once a step has ended: so every one of every step is refused.
The run is checked after each; one JSON line a session tells the operations let through, the exit code, and what was said.
"""

from __future__ import annotations

import contextlib
import errno
import io
import json
import os
import signal
import sys
import time
from pathlib import Path

from faults.audit import check_whole
from faults.lab import read_state

from ngcctui.engine.rundir import RunDir
from ngcctui.engine.service import main
from ngcctui.engine.state import Status
from ngcctui.engine.store import Storage

#: Operations with which a session opens at least, before its first step.
OPENING = 3


class FullDisk(Storage):
    """Lets `room` writes through; the next one is cut in half, and all behind it are refused."""

    def __init__(self, room: int) -> None:
        self.room = room

    def write(self, fd: int, data: bytes | memoryview) -> int:
        self.room -= 1
        if self.room >= 0:
            return super().write(fd, data)
        if self.room == -1 and len(data) > 1:
            return super().write(fd, data[: len(data) // 2])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


class BrokenDisk(Storage):
    """Lets `room` operations through that are no writes, and refuses all behind them."""

    def __init__(self, room: int) -> None:
        self.room = room

    def _take(self) -> None:
        self.room -= 1
        if self.room < 0:
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    def open(self, path: Path, flags: int, mode: int = 0o644) -> int:
        self._take()
        return super().open(path, flags, mode)

    def fsync(self, fd: int) -> None:
        self._take()
        super().fsync(fd)

    def rename(self, source: Path, target: Path) -> None:
        self._take()
        super().rename(source, target)

    def mkdir(self, path: Path) -> None:
        self._take()
        super().mkdir(path)


DISKS: dict[str, type[FullDisk | BrokenDisk]] = {"write": FullDisk, "other": BrokenDisk}


def ended(run: RunDir) -> int:
    return sum(step.status is Status.ENDED for step in read_state(run).steps.values())


def sessions(kind: str, run: RunDir) -> None:
    cores = os.sched_getaffinity(0)
    room, code, before = 0, -1, 0
    while code != 0:
        os.sched_setaffinity(0, cores)  # the engine left the core that it measured on
        signal.pthread_sigmask(signal.SIG_SETMASK, ())  # and hears no signals at its end
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            code = main([str(run.path), "--resume", "--wait"], DISKS[kind](room))
        if code == 3 and "pinned to it" in said.getvalue():
            time.sleep(0.05)
            continue  # by a test of others that runs beside this one
        print(json.dumps({"room": room, "code": code, "said": said.getvalue()}), flush=True)
        check_whole(run)
        after = ended(run)
        room, before = (OPENING if after > before else room + 1), after


if __name__ == "__main__":
    sessions(sys.argv[1], RunDir(Path(sys.argv[-1])))
