"""How a viewer keeps up with large runs: 3000 rows scrolled, sorted and filtered, and 200,000 events read at the start.

Times are those of an operator: from the key to the drawn answer, on a terminal of 80x24 cells.  The terminal is redrawn
15 times a second at most, so that a third of a frame goes by before the fastest answer.
"""

from __future__ import annotations

import time
from pathlib import Path

from benchmarks.common import goal_line, median, scratch, title
from benchmarks.viewed import Viewer, attach_argv, viewer_environ

ROWS = 3000
EVENTS = 200_000
ANSWER_MS = 100.0
ATTACH_S = 2.0
ROUNDS = 7


def large_run(directory: Path) -> Path:
    """A finished run of 3000 instances."""
    from tui.played_run import new_run

    run = new_run(directory / "large", schemes=3, each=ROWS // 3)
    run.start(live_page=False)
    run.prepare()
    for number in range(0, ROWS, 2):
        run.measured(number, "sign")
    run.end()
    return run.run.path


def long_run(directory: Path) -> Path:
    """A run of 300 instances whose journal holds 200,000 events."""
    from tui.played_run import new_run

    from ngcctui.model.step import Kind, Step

    run = new_run(directory / "long")
    run.start(live_page=False)
    run.prepare()
    number = 0
    while run.seq < EVENTS:
        place, operation = run.places[number % len(run.places)], run.operations[number // len(run.places) % 3]
        step = str(Step(Kind.MEASURE, *place, operation))
        run.emit(*(run.trial(step, number % len(run.places), trial) for trial in range(1, 101)))
        number += 1
    return run.run.path


def answers(viewer: Viewer) -> dict[str, list[float]]:
    """Milliseconds of each kind of answer."""
    last, first = f"Candidate3-{128 * ROWS // 3}", "Candidate1-128 "
    slowest = f"Candidate1-{128 * (ROWS // 3 - 1)}"
    found: dict[str, list[float]] = {"scroll to the end": [], "scroll to the top": [], "a page down": []}
    found |= {
        "sort by a column": [],
        "turn the order round": [],
        "filter, the last letter": [],
        "no filter": [],
    }

    def note(name: str, keys: str, text: str) -> None:
        found[name].append(viewer.answer_s(keys, text) * 1000)

    viewer.press("llll")
    for _ in range(ROUNDS):
        note("scroll to the end", "G", last)
        note("scroll to the top", "g", first)
        note("a page down", "\x06", "Candidate1-2048")
        viewer.answer_s("g", first)
        note("sort by a column", "o", "\N{BLACK UP-POINTING TRIANGLE}")
        note("turn the order round", "O", slowest)
        viewer.answer_s("o", first)
        viewer.press("/")
        time.sleep(0.3)
        viewer.answer_s("Candidate2-768", "Candidate2-7680")
        note("filter, the last letter", "$", "no row")
        note("no filter", "\x15", first)
        viewer.press("\r")
        time.sleep(0.3)
    return found


def main() -> None:
    """Measure and print."""
    title(f"viewer: {ROWS} rows, and {EVENTS} events")
    with scratch() as directory:
        environ = viewer_environ(directory)
        with Viewer(attach_argv(large_run(directory)), environ, "Candidate1-128 ") as viewer:
            print(
                f"{ROWS} rows: first picture after {viewer.wait_for_first():.2f} s, {viewer.rss_mb():.0f} MB"
            )
            time.sleep(2.0)
            for name, values in answers(viewer).items():
                goal_line(name, median(values), "ms", ANSWER_MS)
        path = long_run(directory)
        print(f"{EVENTS} events, {(path / 'journal.jsonl').stat().st_size / 1e6:.0f} MB:")
        firsts, wholes, cpus = [], [], []
        for _ in range(3):
            with Viewer(attach_argv(path), environ, "Candidate1-128 ") as viewer:
                firsts.append(viewer.wait_for_first())
                wholes.append(firsts[-1] + viewer.answer_s("", " left "))
                cpus.append(viewer.cpu_s())
        goal_line("attach: first picture", median(firsts), "s", ATTACH_S)
        goal_line("attach: read to the end", median(wholes), "s", ATTACH_S)
        print(f"  {'of that CPU time: all there is on a quiet machine':<44} {median(cpus):>9.3f} s")


if __name__ == "__main__":
    main()
