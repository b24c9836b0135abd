"""A run that is measured for more than a minute while terminals do to its viewers what terminals do.

It lasts through the tests of test_robust*.py; a thread of this process looks at its live page all the time, and
test_robust_unnoticed.py checks what it saw, and the record against that of a run that nobody watched.
"""

from __future__ import annotations

import itertools
import os
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from faults.lab import Lab, Mock, read_state
from tui.terminal_kit import NGCCTUI, PtyScreen, environment, until

from ngcctui.engine.livepage import LivePhase, read_page
from ngcctui.engine.rundir import RunDir

#: The same plan whatever a call takes: 5 trials of 300 calls, 3 warm-ups.
PLANNING = {"trials": 5, "target_s": 0.001, "min_calls": 1500, "budget_s": 600.0, "limit_slack_s": 120.0}
ITERATIONS = 300
SLOW = Mock("toy", defines=("SLOW_NS=43000000",))
QUICK = Mock("toy", defines=("SLOW_NS=1000000",))
#: Says that the view is there: its head and its keys.
HERE = ("faults", "? help")
#: A core that other programs hold is waited for so long.
CORE_S = 300.0


@dataclass
class Watched:
    """A run that is measured all the time, and when its counter was seen to move; and one that nobody watches."""

    run: RunDir
    alone: RunDir
    lab: Lab
    page: Path = Path()
    moves: list[tuple[float, int, int]] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    def wait_until_measured(self) -> None:
        """Wait until the calls of the first trial are timed."""

        def measuring() -> bool:
            self.page = Path(read_state(self.run).live_page or "/")
            view = read_page(self.page)
            return view is not None and view.phase is LivePhase.TIMED and view.iterations == ITERATIONS

        until(measuring, lambda: self.lab.printed(self.run), CORE_S)

    def look(self) -> None:
        """Note every change of the counter until the measurement is over."""
        last = None
        while not self.over.wait(0.05):
            view = read_page(self.page)
            if view is None or view.phase is LivePhase.PROFILE:
                break
            if (view.trial, view.iteration) != last:
                last = (view.trial, view.iteration)
                self.moves.append((time.monotonic(), *last))
        self.over.set()

    def gap_s(self) -> float:
        """The longest time in which the counter did not move."""
        times = [moment for moment, _, _ in self.moves]
        return max(after - before for before, after in itertools.pairwise(times))


def start_runs(lab: Lab) -> Watched:
    """Start the run, and beside it, on another core where there is one, the one that nobody watches."""
    other = min(os.sched_getaffinity(0))
    run = lab.new_run([SLOW], records=2, planning=PLANNING)
    alone = lab.new_run([QUICK], records=2, planning=PLANNING, host={"core": other})
    lab.start(run, "--wait")
    found = Watched(run, alone, lab)
    found.wait_until_measured()
    lab.start(alone, "--wait")
    return found


@dataclass
class Stalled:
    """A viewer whose terminal takes nothing any more."""

    screen: PtyScreen
    since: float
    cpu_s: float


def command(watched: Watched, *options: str) -> list[str]:
    """The command line of a viewer."""
    return [*NGCCTUI, "attach", str(watched.run.path), *options]


def viewer(
    watched: Watched, home: Path, *options: str, preexec: tuple[str, ...] = (), **environ: str
) -> PtyScreen:
    """A viewer on a pseudo-terminal."""
    return PtyScreen(command(watched, *options), environment(home, **environ), cwd=home, preexec=preexec)
