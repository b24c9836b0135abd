"""Run one worker: job file in, frames and printed text out, and a verdict on how it ended."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ngcctui.engine.child.drain import Pipe
from ngcctui.engine.child.oom import oom_kills
from ngcctui.engine.child.process import Process, uninterrupted
from ngcctui.engine.child.verdict import Crash, Death, death_of, signal_name
from ngcctui.engine.frames import Frame, FrameReader
from ngcctui.engine.job import new_tag, write_job
from ngcctui.engine.printed import Printed
from ngcctui.engine.store import storage_error

#: Bytes of a child's output that are kept.
KEEP_PRINTED = 1 << 20

_FILES_LIMIT = 64
_SHORTEST_WAIT_S = 0.1


@dataclass(frozen=True)
class ChildSpec:
    """A worker to run.

    `argv` gets the path of the job file as its last argument; `job` are its own keys, those of every child are added.
    `limit_s` bounds its life (s), `held_s` tells how long it was held so far, which does not count; `log` is the file that its output is appended to; a fresh directory in `scratch` is
    its working directory; `cpu` the core it pins itself to (-1: none); `memory_limit_bytes` its address space (0: no
    limit).
    """

    argv: tuple[str, ...]
    job: dict[str, str]
    limit_s: float
    log: Path | None
    scratch: Path
    cpu: int = -1
    memory_limit_bytes: int = 0
    seccomp: bool = True
    namespaces: bool = True
    live_page: Path | None = None
    held_s: Callable[[], float] = lambda: 0.0


@dataclass(frozen=True)
class ChildResult:
    """What became of a worker.

    `frames` are its J and C frames in order (samples and bytes went to `on_frame`), `end` its last J frame when that is
    of type "end".  `exit_code` is None after a signal, `signal` its name; both are None for a process that even SIGKILL
    did not end.  `survivors` counts processes of it that had to be killed, `malformed` tells what was wrong with its
    frames.
    """

    frames: tuple[Frame, ...]
    death: Death
    exit_code: int | None
    signal: str | None
    wall_s: float
    limit_s: float
    pid: int
    crash: Crash | None = None
    end: dict[str, Any] | None = None
    printed_bytes: int = 0
    dropped_bytes: int = 0
    survivors: int = 0
    malformed: str | None = None

    @property
    def ended(self) -> bool:
        """True when the last frame came: what the worker found is whole, however it died afterwards."""
        return self.end is not None


@dataclass
class _Collected:
    """J and C frames of a running child; all of them go to the listener first."""

    reader: FrameReader
    listener: Callable[[Frame], None] | None
    frames: list[Frame] = field(default_factory=list)

    def feed(self, data: bytes) -> None:
        for frame in self.reader.feed(data):
            if frame.type in "JC":
                self.frames.append(frame)
            if self.listener is not None:
                self.listener(frame)

    @property
    def end(self) -> dict[str, Any] | None:
        last = next((f for f in reversed(self.frames) if f.type == "J"), None)
        return last.data if last is not None and last.data.get("type") == "end" else None

    @property
    def crash(self) -> Crash | None:
        last = next((f for f in reversed(self.frames) if f.type == "C"), None)
        return Crash.from_data(last.data) if last is not None else None


async def run_child(spec: ChildSpec, on_frame: Callable[[Frame], None] | None = None) -> ChildResult:
    """Run a worker to its end, or kill it with all below it at its limit or when this task is cancelled.

    Call from the main thread.  HostError when it cannot be started, StorageError when its log or job file cannot be
    written; what `on_frame` raises ends the child and goes on.
    """
    tag = new_tag()
    collected = _Collected(FrameReader(tag), on_frame)
    printed = Printed(KEEP_PRINTED)
    oom_before = oom_kills()
    with _scratch(spec) as directory, Pipe(printed.feed) as output, Pipe(collected.feed) as results:
        job = directory / "job"
        _write_job(job, spec, tag, results.write_fd)
        started = time.monotonic()
        process = Process(
            [*spec.argv, str(job)],
            cwd=directory,
            environment=_environment(directory),
            output=output.write_fd,
            pass_fds=(results.write_fd,),
        )
        timed_out = True
        try:
            output.start(process.wake)
            results.start(process.wake)
            timed_out = not await _in_time(process, spec)
        finally:
            code, survivors = await uninterrupted(process.end())
        wall_s = time.monotonic() - started
        await results.finish()
        await output.finish()
    collected.reader.close()
    if spec.log is not None and printed.total:
        _append(spec.log, f"--- {Path(spec.argv[-1]).name}, process {process.pid}\n{printed.text()}")
    end, crash = collected.end, collected.crash
    death = death_of(
        code,
        timed_out=timed_out,
        ended=end is not None,
        isolated=end is None or end.get("status") != "isolation",
        crash=crash,
        oom_killed=oom_before is not None and (oom_kills() or 0) > oom_before,
    )
    return ChildResult(
        frames=tuple(collected.frames),
        death=death,
        exit_code=code if code is not None and code >= 0 else None,
        signal=signal_name(code),
        wall_s=wall_s,
        limit_s=spec.limit_s,
        pid=process.pid,
        crash=crash,
        end=end,
        printed_bytes=printed.total,
        dropped_bytes=printed.dropped,
        survivors=survivors,
        malformed=collected.reader.problem,
    )


async def _in_time(process: Process, spec: ChildSpec) -> bool:
    """Wait for the end of the process; False when it has not come within its limit."""
    started = time.monotonic()
    left_s = spec.limit_s
    while not await process.exited(left_s):
        left_s = started + spec.limit_s + spec.held_s() - time.monotonic()
        if left_s <= 0:
            return False
        left_s = max(left_s, _SHORTEST_WAIT_S)  # while it is held, what is left does not shrink
    return True


@contextlib.contextmanager
def _scratch(spec: ChildSpec) -> Iterator[Path]:
    """A fresh directory that only we can enter; gone afterwards, whatever was put into it."""
    try:
        directory = tempfile.mkdtemp(prefix="child-", dir=spec.scratch)
    except OSError as error:
        raise storage_error("given a scratch directory", spec.scratch, error) from None
    try:
        yield Path(directory)
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def _write_job(path: Path, spec: ChildSpec, tag: str, result_fd: int) -> None:
    values: dict[str, str | int | Path] = {
        **spec.job,
        "tag": tag,
        "result_fd": result_fd,
        "parent": os.getpid(),
        "cpu": spec.cpu,
        "memory_limit": spec.memory_limit_bytes,
        "files_limit": _FILES_LIMIT,
        "seccomp": int(spec.seccomp),
        "namespaces": int(spec.namespaces),
        "live_page": spec.live_page or "",
    }
    try:
        write_job(path, values)
    except OSError as error:
        raise storage_error("written", path, error) from None


def _environment(directory: Path) -> dict[str, str]:
    return {"PATH": "/usr/bin:/bin", "LANG": "C", "HOME": str(directory), "TMPDIR": str(directory)}


def _append(log: Path, text: str) -> None:
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("a", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise storage_error("written", log, error) from None
