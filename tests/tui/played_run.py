"""A run that is played: its journal and its live page are written as an engine writes them, by the caller.

What is measured or tested is the viewer; a candidate that really runs would only disturb it.
"""

from __future__ import annotations

import json
import os
import struct
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tomli_w

from ngcctui.engine.journal import utc_text
from ngcctui.engine.liveness import boot_id, start_ticks
from ngcctui.engine.livepage import LivePage, LivePhase
from ngcctui.engine.rundir import RunDir
from ngcctui.model.campaign import Campaign, campaign_toml
from ngcctui.model.event import Event, EventName
from ngcctui.model.step import Kind, Step

OPERATIONS = ("keygen", "sign", "verify")
TRIALS = 5
ITERATIONS = 250
#: Time of one call of the first instance, ns; the others are slower, each by a little.
CALL_NS = 400_000.0


def instances(schemes: int, each: int) -> Iterator[tuple[str, str]]:
    """Names of schemes and instances."""
    for scheme in range(1, schemes + 1):
        for number in range(1, each + 1):
            yield f"sign-{scheme:02d}", f"Candidate{scheme}-{128 * number}"


@dataclass
class PlayedRun:
    """A run directory whose engine is this process, as far as a viewer can tell."""

    run: RunDir
    places: list[tuple[str, str]]
    operations: tuple[str, ...] = OPERATIONS
    seq: int = 0
    page: LivePage | None = None
    steps: list[str] = field(default_factory=list)
    clock_ns: int = 0

    def emit(self, *events: tuple[EventName, str | None, Mapping[str, Any]]) -> None:
        """Append events to the journal, with one write."""
        lines = []
        for name, step, data in events:
            self.seq += 1
            self.clock_ns += 1_000_000
            utc, mono = utc_text(time.time_ns()), time.monotonic_ns()
            lines.append(Event(self.seq, utc, mono, name, step, dict(data)).to_line())
        with self.run.journal.open("ab") as journal:
            journal.write(b"".join(lines))

    def start(self, *, live_page: bool = True, pid: int | None = None) -> None:
        """The run and its session begin."""
        pid = os.getpid() if pid is None else pid
        self.page = LivePage.create(self.run.path) if live_page else None
        for scheme, instance in self.places:
            self.steps += [str(Step(kind, scheme, instance)) for kind in (Kind.BUILD, Kind.KAT)]
            self.steps += [
                str(Step(kind, scheme, instance, operation))
                for operation in self.operations
                for kind in (Kind.CALIBRATE, Kind.MEASURE, Kind.PROFILE)
            ]
        algorithms = {scheme: f"Algorithm of {scheme}" for scheme, _ in self.places}
        begun = {"run": self.run.name, "campaign": "played", "version": "0", "steps": self.steps}
        session = {
            "session": 1,
            "mode": "start",
            "pid": pid,
            "pid_start": start_ticks(pid) or 0,
            "boot_id": boot_id(),
            "cpu": "played",
            "core": 1,
            "live_page": str(self.page.path) if self.page is not None else None,
        }
        finding = {"key": "turbo", "text": "turbo is on", "command": "echo 0 > /sys/turbo"}
        self.emit(
            (EventName.RUN_START, None, begun | {"algorithms": algorithms}),
            (EventName.SESSION_START, None, session),
            (EventName.HOST, None, {"findings": [finding], "allowed": True}),
        )

    def prepare(self) -> None:
        """All builds, KATs and calibrations are done."""
        events: list[tuple[EventName, str | None, Mapping[str, Any]]] = []
        for number, (scheme, instance) in enumerate(self.places):
            build, kat = (str(Step(kind, scheme, instance)) for kind in (Kind.BUILD, Kind.KAT))
            events += self._ended(build, "PASS", {"flags": "guide"})
            events += self._ended(kat, "PASS", {"label": "PASS", "records": 10, "covered": 10})
            for operation in self.operations:
                step = str(Step(Kind.CALIBRATE, scheme, instance, operation))
                plan = {
                    "t1_ns": self.call_ns(number),
                    "setup_ns": 1e6,
                    "trials": TRIALS,
                    "iterations": ITERATIONS,
                }
                events += self._ended(step, "done", plan)
        self.emit(*events)

    def call_ns(self, number: int) -> float:
        """Time of a call of instance `number`."""
        return CALL_NS * (1 + number / 7)

    def measured(self, number: int, operation: str) -> None:
        """An operation of an instance is measured from its first trial to its end."""
        step = str(Step(Kind.MEASURE, *self.places[number], operation))
        trials = [self.trial(step, number, trial) for trial in range(1, TRIALS + 1)]
        start, end = self._ended(step, "done", self.figures(number))
        self.emit(start, *trials, end)

    def trial(self, step: str, number: int, trial: int) -> tuple[EventName, str, Mapping[str, Any]]:
        """The event of one trial; the last digit of its mean changes from trial to trial."""
        mean_ns = self.call_ns(number) * (1 + trial / 1000)
        wall_ns = round(mean_ns * ITERATIONS)
        return (
            EventName.TRIAL,
            step,
            {"trial": trial, "trials": TRIALS, "attempt": 1, "mean_ns": mean_ns, "wall_ns": wall_ns}
            | {"cpu_ns": wall_ns, "disturbed": [], "used": True},
        )

    def figures(self, number: int) -> dict[str, Any]:
        """The summary of a measurement."""
        mean_ns = self.call_ns(number) * 1.003
        return {
            "mean_ns": mean_ns,
            "low_ns": mean_ns * 0.996,
            "high_ns": mean_ns * 1.004,
            "mean_cycles": None,
            "n": TRIALS * ITERATIONS,
            "trials": TRIALS,
            "iterations": ITERATIONS,
            "rejected": 0,
            "retries": 0,
            "rejected_trials": 0,
        }

    def _ended(
        self, step: str, outcome: str, summary: Mapping[str, Any]
    ) -> tuple[tuple[EventName, str, Mapping[str, Any]], tuple[EventName, str, Mapping[str, Any]]]:
        end = {
            "outcome": outcome,
            "detail": "",
            "attempt": 1,
            "file": None,
            "sha256": None,
            "summary": dict(summary),
        }
        return (EventName.STEP_START, step, {"attempt": 1}), (EventName.STEP_END, step, end)

    def show(self, step: str, trial: int, iteration: int, limit_s: float = 304.0) -> None:
        """Write what the child and the engine write into the live page while `step` is timed."""
        if self.page is None:
            return
        if iteration == 0:
            self.page.begin(self.steps.index(step), round(limit_s * 1e9))
        started = time.monotonic_ns()
        with open(self.page.path, "r+b", buffering=0) as page:
            page.seek(64)
            page.write(
                struct.pack("<6Q", os.getpid(), trial, iteration, ITERATIONS, started, LivePhase.TIMED)
            )
        self.page.fill(rss_kib=1890, frequency_khz=2_100_000, cpu_ns=started, voluntary=0, involuntary=1)

    def seconds(self, first: int) -> Iterator[str]:
        """Play a measurement a second at a time from instance `first` on: a trial each, five an operation.

        Yields after each the step that runs, for ever.
        """
        number = first
        while True:
            for operation in self.operations:
                step = str(Step(Kind.MEASURE, *self.places[number % len(self.places)], operation))
                start, end = self._ended(step, "done", self.figures(number))
                self.emit(start)
                for trial in range(1, TRIALS + 1):
                    for part in range(4):
                        self.show(step, trial, part * ITERATIONS // 4)
                    self.emit(self.trial(step, number, trial))
                    yield step
                self.emit(end)
            number += 1

    def end(self, exit_code: int = 0) -> None:
        """The run and its session end."""
        self.emit(
            (EventName.RUN_END, None, {"passed": len(self.steps), "failed": [], "exit": exit_code}),
            (EventName.SESSION_END, None, {"reason": "finished", "exit": exit_code}),
        )
        self.close()

    def close(self) -> None:
        """Remove the live page."""
        if self.page is not None:
            self.page.close()


def new_run(
    parent: Path, name: str = "20261130T120000Z-played", schemes: int = 3, each: int = 100
) -> PlayedRun:
    """A run directory with an empty journal."""
    run = RunDir(parent / name)
    for directory in ("control", "logs", "schemes"):
        (run.path / directory).mkdir(parents=True)
    run.campaign_file.write_text(tomli_w.dumps(campaign_toml(Campaign("played"))))
    return PlayedRun(run, list(instances(schemes, each)))


def write_events(run: RunDir, events: Sequence[Mapping[str, Any]]) -> None:
    """Write a journal of raw lines: whatever a stranger may have put there."""
    with run.journal.open("ab") as journal:
        for event in events:
            journal.write(json.dumps(event).encode("ascii") + b"\n")
