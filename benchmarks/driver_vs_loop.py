"""Does the timing driver measure what a bare loop measures?  The median call of both over the same library.

Eleven interleaved rounds of four processes: the bare loop (bare_loop.c) twice and the driver twice.  The ratio of driver
and loop is judged by what the ratio of each with itself makes up in the same rounds.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
from pathlib import Path

from benchmarks.common import goal_line, interleaved, median, program, scratch, spread_line, title
from ngcctui.engine.child import ChildSpec, become_subreaper, run_child
from ngcctui.engine.driver import Answer
from ngcctui.engine.toolchain import GUIDE, Native, build_library, build_native, cache_dir, find_toolchain
from ngcctui.model.scheme import load_scheme
from ngcctui.share import share_dir

ROUNDS = 11
GOAL_PERCENT = 0.5
CORE = max(os.sched_getaffinity(0))


class Legs:
    """Both ways to time one operation; each gives the median time of a call (ns)."""

    def __init__(
        self, native: Native, loop: Path, library: Path, operation: str, calls: int, batch: int
    ) -> None:
        self._native = native
        self._loop = [str(loop), str(library), str(CORE), operation, str(calls)]
        self._loop += [str(batch)] if operation == "hash" else []
        self._batch = batch
        self._job = {
            "mode": "measure",
            "library": str(library),
            "function": "hash" if operation == "hash" else "signature",
            "operation": operation,
            "inputs": "fixed",
            "message_bytes": "1024",
            "digest_bits": "256",
            "iterations": str(calls),
            "batch": str(batch),
            "warmups": "3",
            "counter": "none",
        }

    async def loop(self) -> float:
        """The bare loop."""
        child = await asyncio.create_subprocess_exec(*self._loop, stdout=subprocess.PIPE)
        printed, _ = await child.communicate()
        assert child.returncode == 0
        return median([int(line) for line in printed.split()]) / self._batch

    async def driver(self) -> float:
        """The driver, as the engine starts it."""
        answer = Answer()
        with scratch() as directory:
            spec = ChildSpec((str(self._native.driver),), self._job, 60.0, None, directory, cpu=CORE)
            await run_child(spec, on_frame=answer.feed)
        ((trial, samples),) = answer.trials
        whole = samples[: trial.iterations // trial.batch]
        return median(list(whole)) / trial.batch


def built_loop(directory: Path) -> Path:
    """The compiled bare_loop.c."""
    target = directory / "bare_loop"
    flags = ["-std=c99", "-Wpedantic", "-Wall", "-Wextra", "-O2", "-D_GNU_SOURCE"]
    source = str(Path(__file__).with_name("bare_loop.c"))
    subprocess.run([program("gcc"), *flags, source, "-o", str(target), "-ldl"], check=True)
    return target


async def compare(name: str, legs: Legs) -> None:
    """Print one operation's ratio, and that of each way with itself."""
    values = await interleaved(
        {"loop": legs.loop, "driver": legs.driver, "loop again": legs.loop, "driver again": legs.driver},
        ROUNDS,
    )
    print(name)
    for leg in ("loop", "driver"):
        spread_line(leg, [value / 1e3 for value in values[leg]], "us")

    def percent(above: str, below: str) -> float:
        ratios = [a / b for a, b in zip(values[above], values[below], strict=True)]
        return 100 * (median(ratios) - 1)

    same = [percent("loop again", "loop"), percent("driver again", "driver")]
    floor = max(abs(value) for value in same)
    print(f"  the loop with itself {same[0]:+.3f} %, the driver with itself {same[1]:+.3f} %")
    ratio = percent("driver", "loop")
    goal_line("|driver / loop - 1|", abs(ratio), "%", round(max(GOAL_PERCENT, floor), 3))
    print(f"  driver / loop {1 + ratio / 100:.5f}\n")


async def main() -> None:
    """Measure and print."""
    become_subreaper()
    toolchain, cache = find_toolchain(), cache_dir(os.environ)
    native = await build_native(toolchain, cache)
    title(f"Median call of the driver and of a bare loop, {ROUNDS} interleaved rounds on core {CORE}")
    with scratch() as directory:
        loop = built_loop(directory)
        for key, name, operation, calls, batch in (
            ("sign-17", "OPSsig-128", "verify", 500, 1),
            ("iccs", "sm3hash-256", "hash", 30000, 4),
        ):
            scheme = load_scheme(share_dir() / "schemes" / key)
            instance = scheme.instance(name)
            built = await build_library(toolchain, scheme, instance, GUIDE, cache, profile=False)
            assert built.library is not None, built.log
            legs = Legs(native, loop, built.library, operation, calls, batch)
            await compare(f"{name} {operation}, {calls} calls in batches of {batch}", legs)


if __name__ == "__main__":
    asyncio.run(main())
