"""How much of a run's measuring phase is measuring: `python -m benchmarks.efficiency [quick | published | RUN]`.

Timed is the time inside the timed loops; asked for is also the rest of what the plan wants of the driver, warm-ups and
set-up (for `verify` a key and up to 16 signatures in every process), reckoned with the run's own means.  What is left is
the engine's: processes, health samples, statistics, records on the disk.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path

from benchmarks.common import goal_line, measured_run, scratch, title
from ngcctui.engine.journal import JournalReader
from ngcctui.engine.rundir import open_run
from ngcctui.engine.stats import VERIFY_SIGNATURES
from ngcctui.model.codec import decode
from ngcctui.model.event import Event, EventName
from ngcctui.model.record import Record
from ngcctui.model.step import Kind

GOALS = {"quick": 0.95, "published": 0.97}
OPTIONS = {"quick": (), "published": ("--only", "sign-17", "--no-profile")}


@dataclass(frozen=True)
class Measured:
    """A measure step: begin and end on the journal's monotonic clock (ns), and its record."""

    start_ns: int
    end_ns: int
    record: Record

    @property
    def wall_ns(self) -> int:
        return self.end_ns - self.start_ns

    @property
    def processes(self) -> int:
        """Driver processes of the step."""
        return len({trial.pid for trial in self.record.trials})

    @property
    def timed_ns(self) -> int:
        """Inside the timed loops of all attempts."""
        return sum(trial.wall_ns for trial in self.record.trials)


def measured_steps(run: Path) -> list[Measured]:
    """The measure steps of a run in order."""
    directory = open_run(run)
    started: dict[str, Event] = {}
    found = []
    for event in JournalReader(directory.journal).read():
        if event.step is None or not event.step.startswith(f"{Kind.MEASURE.value}:"):
            continue
        if event.event is EventName.STEP_START:
            started[event.step] = event
        elif event.event is EventName.STEP_END and event.data.get("file"):
            record = decode(Record, json.loads((run / str(event.data["file"])).read_bytes()))
            found.append(Measured(started[event.step].mono_ns, event.mono_ns, record))
    return found


def set_up_ns(step: Measured, means: dict[tuple[str, str], float]) -> float:
    """Set-up of one process of a step: a key to sign or verify with, and the signatures to verify."""
    record = step.record

    def mean(operation: str) -> float:
        return means.get((record.instance, operation), 0.0)

    if record.operation == "sign":
        return mean("keygen")
    if record.operation == "verify":
        calls = record.plan.iterations if record.plan else 1
        signatures = min(calls, VERIFY_SIGNATURES) if record.inputs == "varied" else 1
        return mean("keygen") + signatures * (mean("sign") + mean("verify"))
    return 0.0


def warm_up_ns(step: Measured) -> float:
    """Warm-up calls of one process."""
    plan = step.record.plan
    return plan.warmups * plan.t1_ns if plan else 0.0


def show(run: Path, goal: float) -> None:
    """A line per step, and the shares of the whole phase."""
    steps = measured_steps(run)
    if not steps:
        sys.exit(f"{run}: nothing was measured in it")
    means = {
        (step.record.instance, step.record.operation): step.record.statistics.mean_ns
        for step in steps
        if step.record.statistics
    }
    print(f"  {'':<28} {'wall':>8} {'timed':>8} {'asked for':>9}   the rest, a process")
    asked_total = 0.0
    for step in steps:
        asked = step.timed_ns + step.processes * (warm_up_ns(step) + set_up_ns(step, means))
        asked_total += asked
        rest_ms = (step.wall_ns - asked) / step.processes / 1e6
        name = f"{step.record.instance}/{step.record.operation}"
        shares = f"{step.timed_ns / step.wall_ns:>8.3f} {asked / step.wall_ns:>9.3f}"
        print(f"  {name:<28} {step.wall_ns / 1e9:>6.2f} s {shares} {rest_ms:>8.2f} ms")
    phase_ns = max(step.end_ns for step in steps) - min(step.start_ns for step in steps)
    print()
    goal_line(
        "timed / wall of the measure phase",
        sum(s.timed_ns for s in steps) / phase_ns,
        "",
        goal,
        at_least=True,
    )
    goal_line("asked for / wall of the measure phase", asked_total / phase_ns, "", goal, at_least=True)


def main(words: list[str]) -> None:
    """Measure a run, or look at one that is there."""
    what = words[0] if words else "quick"
    if what not in GOALS:
        title(f"Measuring phase of {what}")
        show(Path(what), GOALS["quick"])
        return
    title(f"Measuring phase of campaign {what} {' '.join(OPTIONS[what])}")
    with scratch() as directory:
        show(measured_run(directory, what, *OPTIONS[what]), GOALS[what])


if __name__ == "__main__":
    main(sys.argv[1:])
