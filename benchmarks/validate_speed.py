"""Validation and comparison of a large run: 3000 records with their timed values, written by the tests' builder of runs."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TypeVar

from benchmarks.common import ROOT, goal_line, median, scratch, title
from ngcctui.report.compare import compare_sides, published_side, run_side
from ngcctui.report.compare.output import tables
from ngcctui.report.dataset import published_pages
from ngcctui.report.publish import publish
from ngcctui.report.terminal import table_text
from ngcctui.report.validate import Private, validate
from ngcctui.share import share_dir

sys.path.insert(0, str(ROOT / "tests"))
from golden.whole import whole_run

SCHEMES, INSTANCES = 100, 10  # with 3 operations each
ROUNDS = 3
VALIDATE_S, COMPARE_S = 5.0, 1.0

T = TypeVar("T")


def timed(work: Callable[[], T], rounds: int = ROUNDS) -> tuple[T, float, float]:
    """Result of `work`, and its median wall and CPU time, s."""
    walls, cpus = [], []
    for _ in range(rounds):
        wall, cpu = time.perf_counter(), time.process_time()
        result = work()
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
    return result, median(walls), median(cpus)


def main() -> None:
    """Measure and print."""
    title(f"A run with {3 * SCHEMES * INSTANCES} records")
    private = Private(("somebody", "some-host"))
    with scratch() as directory:
        names = [f"Toy-{number}" for number in range(INSTANCES)]
        run = whole_run(directory, names, hashes=False, schemes_of=SCHEMES, charts=False)
        found, wall_s, cpu_s = timed(lambda: validate(run, {}, private))
        if found.findings:
            sys.exit(f"{len(found.findings)} findings, the first: {found.findings[0]}")
        goal_line(f"validate (CPU time {cpu_s:.2f} s)", wall_s, "s", VALIDATE_S)

        def compared() -> str:
            comparison = compare_sides(run_side(run), run_side(run))
            return "\n".join(table_text(table) for table in tables(comparison))

        _, wall_s, cpu_s = timed(compared)
        goal_line(f"compare with another such run (CPU {cpu_s:.2f} s)", wall_s, "s", COMPARE_S)
        figures = share_dir() / "data" / "published" / "x86_1"
        _, wall_s, cpu_s = timed(
            lambda: compare_sides(run_side(run), published_side(published_pages(figures), "x86_1"))
        )
        goal_line(f"compare with published figures (CPU {cpu_s:.2f} s)", wall_s, "s", COMPARE_S)
        _, wall_s, cpu_s = timed(lambda: publish(run, directory / "data", {}, private), rounds=1)
        print(f"  publish, with both validations and all fsyncs: {wall_s:.1f} s (CPU {cpu_s:.1f} s)")


if __name__ == "__main__":
    main()
