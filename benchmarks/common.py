"""What all benchmarks share: interleaved legs, order statistics, and lines with the goal beside the number."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]


async def interleaved(
    legs: Mapping[str, Callable[[], Awaitable[float]]], rounds: int
) -> dict[str, list[float]]:
    """One value of each leg after the other, `rounds` times after a first round that does not count.

    The order turns around from round to round: what drifts hits every leg alike.
    """
    values: dict[str, list[float]] = {name: [] for name in legs}
    for number in range(rounds + 1):
        names = list(legs) if number % 2 else list(legs)[::-1]
        for name in names:
            value = await legs[name]()
            if number:
                values[name].append(value)
    return values


def quantile(values: Sequence[float], p: float) -> float:
    """The value below which a share `p` of the values lies, between neighbours in proportion."""
    ordered = sorted(values)
    position = p * (len(ordered) - 1)
    below = int(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (position - below)


def median(values: Sequence[float]) -> float:
    """The middle value."""
    return quantile(values, 0.5)


def title(text: str) -> None:
    """Say what is measured, and how busy the machine is with other things."""
    load = os.getloadavg()[0]
    print(
        f"{text}\n({len(os.sched_getaffinity(0))} cores, load {load:.2f}, Python {sys.version.split()[0]})\n"
    )


def spread_line(name: str, values: Sequence[float], unit: str) -> None:
    """Median and the middle 80 % of a leg."""
    low, high = quantile(values, 0.1), quantile(values, 0.9)
    print(f"  {name:<44} {median(values):>9.3f} {unit:<3} ({low:.3f} to {high:.3f})")


def goal_line(name: str, value: float, unit: str, goal: float, *, at_least: bool = False) -> None:
    """A figure beside its goal."""
    reached = value >= goal if at_least else value <= goal
    sign = ">=" if at_least else "<="
    print(f"  {name:<44} {value:>9.3f} {unit:<3} goal {sign} {goal:g}: {'reached' if reached else 'MISSED'}")


@contextmanager
def scratch() -> Iterator[Path]:
    """A directory for this benchmark, on a disk: in a file system in memory fsync costs nothing."""
    with TemporaryDirectory(prefix="ngcctui-bench-", dir="/var/tmp") as name:
        yield Path(name)


def ngcctui(*words: str | Path, cwd: Path | None = None) -> None:
    """Run the program; what it says goes through.  SystemExit when it could not do its work."""
    argv = [sys.executable, "-P", "-m", "ngcctui", *map(str, words)]
    done = subprocess.run(argv, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"ngcctui {words[0]}: exit code {done.returncode}")


def measured_run(directory: Path, campaign: str, *options: str) -> Path:
    """A run of a bundled campaign in `directory`, waited for; its path."""
    words = [
        "--batch",
        campaign,
        "--runs",
        str(directory),
        "--wait",
        "--quiet",
        "--allow-unfixed-host",
        *options,
    ]
    ngcctui(*words)
    (run,) = [path for path in directory.iterdir() if (path / "journal.jsonl").exists()]
    return run


def program(name: str) -> str:
    """Absolute path of a program."""
    found = shutil.which(name)
    if found is None:
        sys.exit(f"{name} is not installed")
    return found
