"""Fold and report of a large run: 3000 records of 1000 invented instances, written by the tests' builder of runs."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TypeVar

from benchmarks.common import ROOT, goal_line, median, scratch, title
from ngcctui.collector import no_collection
from ngcctui.engine.journal import JournalReader
from ngcctui.engine.rundir import RunDir
from ngcctui.engine.state import Fold, RunState
from ngcctui.report.build import build_report
from ngcctui.report.plots_svg import available
from ngcctui.report.write import chart_files, page_files

sys.path.insert(0, str(ROOT / "tests"))
from golden.runs import large_run

RECORDS = 3000
ROUNDS = 3
GOAL_S = 1.0

T = TypeVar("T")


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """Result of `work` and its median time of some calls, s."""
    times = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        result = work()
        times.append(time.perf_counter() - started)
    return result, median(times)


def folded(run: RunDir) -> RunState:
    """The state of a run from its whole journal."""
    fold = Fold()
    for event in JournalReader(run.journal).read():
        fold.apply(event)
    return fold.state()


def main() -> None:
    """Measure and print."""
    title(f"A run with {RECORDS} records")
    with scratch() as directory:
        run = large_run(directory, RECORDS)
        size = run.journal.stat().st_size / 1e6
        state, fold_s = timed(lambda: folded(run))
        with no_collection():  # as the command does
            report, report_s = timed(lambda: build_report(run))
            files, text_s = timed(lambda: page_files(run, report))
        drawn, draw_s = timed(lambda: list(chart_files(run, report, {}))) if available() else ([], None)
    print(f"  {len(state.steps)} steps, a journal of {size:.1f} MB, {len(report.pages)} schemes")
    goal_line("journal to state", fold_s, "s", GOAL_S)
    goal_line("journal and records to typed rows", report_s, "s", GOAL_S)
    goal_line(f"typed rows to the text of {len(files)} files", text_s, "s", GOAL_S)
    goal_line("report in all, without charts", report_s + text_s, "s", GOAL_S)
    if draw_s is not None:
        print(f"  {len(drawn)} charts drawn in {draw_s:.2f} s (only where pygal is installed)")


if __name__ == "__main__":
    main()
