"""What the engine adds to a trial process, beyond what it costs to start any process from asyncio.

Three legs, interleaved: /bin/true, the timing driver (one call of a hash function) started by asyncio alone, and the same
through the engine.  The driver's own time is its leg less that of /bin/true.  The sweep that ends everything below a dead
child, and the fsync of a journal line, are told apart.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from benchmarks.common import goal_line, interleaved, median, program, scratch, spread_line, title
from ngcctui.engine.child import ChildSpec, become_subreaper, run_child
from ngcctui.engine.child.process import Process
from ngcctui.engine.job import new_tag, write_job
from ngcctui.engine.journal import Journal, SystemClock
from ngcctui.engine.store import Storage
from ngcctui.engine.toolchain import (
    GUIDE,
    Native,
    Toolchain,
    build_library,
    build_native,
    cache_dir,
    find_toolchain,
)
from ngcctui.model.event import EventName
from ngcctui.model.scheme import load_scheme
from ngcctui.share import share_dir

ROUNDS = 200
GOAL_MS = 1.5
MS = 1e3


class Legs:
    """The processes that are compared; each leg returns milliseconds from the call to the reaped child."""

    def __init__(self, native: Native, job: dict[str, str], directory: Path) -> None:
        self._driver = str(native.driver)
        self._job = job
        self._directory = directory
        self._true = program("true")
        self.sweeps: list[float] = []

    async def true(self) -> float:
        """Any process."""
        started = time.perf_counter()
        child = await asyncio.create_subprocess_exec(self._true)
        await child.wait()
        return (time.perf_counter() - started) * MS

    async def driver(self) -> float:
        """The driver without the engine: a job file written before, frames not read."""
        reader, writer = os.pipe()
        common = {"tag": new_tag(), "result_fd": writer, "parent": os.getpid(), "files_limit": 64}
        path = self._directory / "job"
        write_job(path, self._job | {key: str(value) for key, value in common.items()})
        started = time.perf_counter()
        child = await asyncio.create_subprocess_exec(self._driver, str(path), pass_fds=(writer,))
        await child.wait()
        elapsed = (time.perf_counter() - started) * MS
        os.close(writer)
        os.close(reader)
        path.unlink()
        return elapsed

    async def engine(self) -> float:
        """The driver through the engine: job, pipes, frames, verdict, sweep."""
        spec = ChildSpec((self._driver,), self._job, 60.0, None, self._directory)
        started = time.perf_counter()
        result = await run_child(spec)
        elapsed = (time.perf_counter() - started) * MS
        assert result.ended, result
        return elapsed

    @contextmanager
    def timing_sweeps(self) -> Iterator[None]:
        """Note how long each `Process.end` takes: kill what lives, sweep, reap."""
        end = Process.end

        async def timed(process: Process) -> tuple[int | None, int]:
            started = time.perf_counter()
            result = await end(process)
            self.sweeps.append((time.perf_counter() - started) * MS)
            return result

        with patch.object(Process, "end", timed):
            yield


def fsync_ms(directory: Path) -> list[float]:
    """A journal line that is on the disk when the call returns, ms."""
    values = []
    with Journal(directory / "journal.jsonl", Storage(), SystemClock()) as journal:
        for _ in range(ROUNDS):
            started = time.perf_counter()
            journal.append(EventName.WARNING, None, {"key": "bench", "text": "x" * 200}, sync=True)
            values.append((time.perf_counter() - started) * MS)
    return values


async def library_of(toolchain: Toolchain) -> Path:
    """The library of sm3hash-256."""
    scheme = load_scheme(share_dir() / "schemes" / "iccs")
    instance = scheme.instance("sm3hash-256")
    built = await build_library(toolchain, scheme, instance, GUIDE, cache_dir(os.environ), profile=False)
    assert built.library is not None, built.log
    return built.library


async def main() -> None:
    """Measure and print."""
    become_subreaper()
    toolchain = find_toolchain()
    native = await build_native(toolchain, cache_dir(os.environ))
    job = {
        "mode": "measure",
        "library": str(await library_of(toolchain)),
        "function": "hash",
        "operation": "hash",
        "message_bytes": "32",
        "digest_bits": "256",
        "counter": "none",
    }
    title(f"Start to reaped, {ROUNDS} interleaved rounds")
    with scratch() as directory:
        legs = Legs(native, job, directory)
        with legs.timing_sweeps():
            values = await interleaved(
                {"true": legs.true, "driver": legs.driver, "engine": legs.engine}, ROUNDS
            )
        fsyncs = fsync_ms(directory)
    sweeps = legs.sweeps[-ROUNDS:]
    rounds = list(zip(values["true"], values["driver"], values["engine"], sweeps, strict=True))
    own = [driver - true for true, driver, _, _ in rounds]
    over = [engine - driver for _, driver, engine, _ in rounds]
    spread_line("/bin/true", values["true"], "ms")
    spread_line("driver by asyncio alone", values["driver"], "ms")
    spread_line("driver by the engine", values["engine"], "ms")
    spread_line("the driver's own time", own, "ms")
    spread_line("kill, sweep and reap", sweeps, "ms")
    spread_line("fsync of a journal line", fsyncs, "ms")
    goal_line("the engine's overhead, sweep and all", median(over), "ms", GOAL_MS)
    apart = [engine - driver - sweep for _, driver, engine, sweep in rounds]
    goal_line("the engine's overhead without the sweep", median(apart), "ms", GOAL_MS)


if __name__ == "__main__":
    asyncio.run(main())
