"""How long `ngcctui --help` takes, beside a Python that does nothing; byte code is there, as in an installed package."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable

from benchmarks.common import goal_line, interleaved, median, scratch, spread_line, title

ROUNDS = 21
GOAL_S = 0.15


def leg(argv: list[str], environ: dict[str, str]) -> Callable[[], Awaitable[float]]:
    """Time of one process, s."""

    async def run() -> float:
        started = time.perf_counter()
        child = await asyncio.create_subprocess_exec(*argv, env=environ, stdout=subprocess.DEVNULL)
        assert await child.wait() == 0
        return time.perf_counter() - started

    return run


async def main() -> None:
    """Measure and print."""
    title(f"ngcctui --help, {ROUNDS} interleaved rounds")
    with scratch() as directory:
        environ = os.environ | {"PYTHONPYCACHEPREFIX": str(directory)}
        environ.pop("PYTHONDONTWRITEBYTECODE", None)
        legs = {
            "python -c pass": leg([sys.executable, "-c", "pass"], environ),
            "ngcctui --help": leg([sys.executable, "-m", "ngcctui", "--help"], environ),
            "ngcctui run --help": leg([sys.executable, "-m", "ngcctui", "run", "--help"], environ),
        }
        values = await interleaved(legs, ROUNDS)
    for name, times in values.items():
        spread_line(name, times, "s")
    goal_line("ngcctui --help", median(values["ngcctui --help"]), "s", GOAL_S)


if __name__ == "__main__":
    asyncio.run(main())
