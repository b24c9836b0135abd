"""What a viewer costs: on its own core, and what it does to a measurement on the other one.

A played run of 300 instances in three schemes, a trial a second, looked at once a second on a terminal of 80x24 cells
with 24-bit colours.  First the viewer's CPU time, bytes, memory and first picture; then a loop of 100 ms on the last
core, without and with a viewer on the others, in interleaved pairs: A, B and A again, so that the spread of A/A in the
same session says what such a ratio is worth.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.common import goal_line, median, quantile, scratch, spread_line, title
from benchmarks.viewed import Viewer, attach_argv, viewer_environ

CPU_PERCENT = 0.7
BYTES_PER_S = 1500.0
RSS_MB = 50.0
FIRST_S = 0.5
PAIRS = 11
#: The loop: about so long, so often in each leg.
LOOP_S = 0.1
LOOPS = 20
#: The first look folds the journal and starts threads: the steady cost is counted after it.
SETTLE_S = 5.0

LOOP = """
import hashlib, os, sys, time
os.sched_setaffinity(0, {{{core}}})
block, calls = bytes(65536), {calls}
def loop():
    start = time.perf_counter()
    for _ in range(calls):
        hashlib.sha256(block).digest()
    return time.perf_counter() - start
print(*(loop() for _ in range({loops})))
"""


@contextmanager
def played(directory: Path) -> Iterator[Path]:
    """A run that goes on, a trial a second, until the block ends."""
    from tui.played_run import new_run

    run = new_run(directory / "runs")
    run.start()
    run.prepare()
    for number in range(100):
        for operation in run.operations:
            run.measured(number, operation)
    over = threading.Event()

    def play() -> None:
        for _ in run.seconds(100):
            if over.wait(1.0):
                return

    player = threading.Thread(target=play, daemon=True)
    player.start()
    try:
        yield run.run.path
    finally:
        over.set()
        player.join()
        run.close()


def steady(run: Path, home: Path, seconds: float, environ: dict[str, str], name: str) -> None:
    """The cost of one viewer over some time."""
    with Viewer(attach_argv(run), environ, "instance") as viewer:
        first = viewer.wait_for_first()
        time.sleep(SETTLE_S)
        cpu, drawn, began = viewer.cpu_s(), viewer.bytes, time.monotonic()
        time.sleep(seconds)
        took = time.monotonic() - began
        print(f"{name}, {took:.0f} s:")
        goal_line("CPU time", (viewer.cpu_s() - cpu) / took * 100, "%", CPU_PERCENT)
        goal_line("bytes to the terminal", (viewer.bytes - drawn) / took, "B/s", BYTES_PER_S)
        goal_line("resident memory", viewer.rss_mb(), "MB", RSS_MB)
        goal_line("first picture", first, "s", FIRST_S)
        print(f"  {'of that CPU time: all there is on a quiet machine':<44} {viewer.first_cpu_s:>9.3f} s")


def loops(core: int, calls: int, count: int = LOOPS) -> list[float]:
    """Times of a fixed loop on `core` in a fresh process, seconds."""
    script = LOOP.format(core=core, calls=calls, loops=count)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return [float(word) for word in done.stdout.split()]


def pairs(run: Path, home: Path, environ: dict[str, str]) -> None:
    """Ratios of the loop with a viewer to the loop without, and of the loop without to itself."""
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        print("one core only: there is no other one to measure on")
        return
    core = cores[-1]
    os.sched_setaffinity(0, set(cores[:-1]))
    calls = max(1, round(LOOP_S / (median(loops(core, 200, 5)) / 200)))
    with_viewer, without, tails = [], [], []
    for _ in range(PAIRS):
        first = loops(core, calls)
        with Viewer(attach_argv(run), environ, "instance", cpu=cores[0]) as viewer:
            viewer.wait_for_first()
            time.sleep(1.0)
            viewed = loops(core, calls)
        second = loops(core, calls)
        alone = (median(first) + median(second)) / 2
        with_viewer.append(median(viewed) / alone)
        without.append(median(second) / median(first))
        tails.append((quantile(viewed, 1.0), quantile(first + second, 1.0)))
    ratio = abs(median(with_viewer) - 1) * 100
    spread = median([abs(value - 1) for value in without]) * 100
    print(f"{PAIRS} interleaved pairs of {LOOPS} loops of {LOOP_S * 1000:.0f} ms on core {core}:")
    spread_line("with viewer / without", with_viewer, "")
    spread_line("without / without", without, "")
    print(
        f"  slowest loop with viewer {max(v for v, _ in tails) * 1e3:.1f} ms, without {max(a for _, a in tails) * 1e3:.1f} ms"
    )
    goal_line("median ratio off 1", ratio, "%", max(0.5, spread))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long the steady cost is measured")
    parser.add_argument("--no-pairs", action="store_true", help="leave the loop on the other core out")
    args = parser.parse_args()
    title("viewer: cost of watching a run of 300 instances, a look a second")
    with scratch() as directory, played(directory) as run:
        environ = viewer_environ(directory)
        steady(run, directory, args.seconds, environ, "24-bit colours")
        steady(run, directory, args.seconds, environ | {"NO_COLOR": "1"}, "no colours")
        if not args.no_pairs:
            pairs(run, directory, environ)


if __name__ == "__main__":
    main()
