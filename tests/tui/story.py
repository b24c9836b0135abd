"""A run told in a few lines: events are folded as they come, without a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ngcctui.engine.livepage import EngineHalf, LivePhase, LiveView
from ngcctui.engine.rundir import RunDir
from ngcctui.engine.runstate import RunState
from ngcctui.engine.state import Fold
from ngcctui.model.errors import ExitCode
from ngcctui.model.event import Event, EventName
from ngcctui.model.step import Kind, Step
from ngcctui.tui.glyphs import UNICODE, Glyphs
from ngcctui.tui.snapshot import RunSnapshot
from ngcctui.tui.view.cells import Moment

SECOND = 1_000_000_000
MS = 1e6


def steps_of(scheme: str, instances: Iterable[str], operations: Iterable[str]) -> list[str]:
    """The steps of some instances, as a run lists them."""
    operations = list(operations)
    found = []
    for instance in instances:
        found += [str(Step(kind, scheme, instance)) for kind in (Kind.BUILD, Kind.KAT)]
        kinds = (Kind.CALIBRATE, Kind.MEASURE, Kind.PROFILE)
        found += [str(Step(kind, scheme, instance, name)) for name in operations for kind in kinds]
    return found


TWO = steps_of("iccs", ["sm3hash-256"], ["hash_32", "hash_1024"]) + steps_of(
    "sign-17", ["OPSsig-128", "OPSsig-256"], ["keygen", "sign", "verify"]
)


class Story:
    """Events of one session, a second after the other."""

    def __init__(self, steps: Iterable[str] = TWO, **begun: Any) -> None:
        self.fold = Fold()
        self.events: list[Event] = []
        self.now_ns = 1000 * SECOND
        self.names = list(steps)
        data = {"run": "20261130T120000Z-quick", "campaign": "quick", "version": "0", "steps": self.names}
        algorithms = {"sign-17": "OPS", "iccs": "ICCS functions"}
        self.tell(EventName.RUN_START, None, data | {"algorithms": algorithms} | begun)
        self.tell(
            EventName.SESSION_START, None, {"session": 1, "pid": 1, "pid_start": 1, "boot_id": "b", "core": 3}
        )

    def tell(self, name: EventName, step: str | None = None, data: Mapping[str, Any] | None = None) -> None:
        """One event."""
        self.now_ns += SECOND
        seconds = self.now_ns // SECOND
        utc = f"2026-11-30T12:{seconds // 60 % 60:02d}:{seconds % 60:02d}.000Z"
        event = Event(len(self.events) + 1, utc, self.now_ns, name, step, dict(data or {}))
        self.events.append(event)
        self.fold.apply(event)

    def begin(self, step: str) -> None:
        """A step starts."""
        self.tell(EventName.STEP_START, step, {"attempt": 1})

    def end(self, step: str, outcome: str, detail: str = "", **summary: Any) -> None:
        """A step starts and ends."""
        self.begin(step)
        self.tell(
            EventName.STEP_END, step, {"outcome": outcome, "detail": detail, "attempt": 1, "summary": summary}
        )

    def trial(self, step: str, trial: int, mean_ns: float = 765e3, **changes: Any) -> None:
        """A trial ends."""
        data = {"trial": trial, "trials": 5, "attempt": 1, "mean_ns": mean_ns, "wall_ns": 100, "cpu_ns": 100}
        self.tell(EventName.TRIAL, step, data | {"disturbed": [], "used": True} | changes)

    def measured(self, step: str, mean_ns: float = 765e3, percent: float = 0.4, **changes: Any) -> None:
        """An operation has been measured."""
        half = mean_ns * percent / 100
        figures = {
            "mean_ns": mean_ns,
            "low_ns": mean_ns - half,
            "high_ns": mean_ns + half,
            "mean_cycles": None,
        }
        counts = {"n": 660, "trials": 5, "iterations": 132, "rejected_trials": 0}
        self.end(step, changes.pop("outcome", "done"), **(figures | counts | changes))

    def state(self) -> RunState:
        """What has been told so far."""
        return self.fold.state()

    def moment(
        self, live: LiveView | None = None, step: str = "", glyphs: Glyphs = UNICODE, **more: Any
    ) -> Moment:
        """The moment of the last event."""
        return Moment(self.now_ns, glyphs, live, step, paused_mono_ns=self.state().paused_mono_ns, **more)

    def live(
        self, step: str, iteration: int = 77, *, ran_s: float = 0.9, limit_s: float = 12.0, **engine: int
    ) -> LiveView:
        """A live page of the child that works for `step`."""
        half = {
            "rss_kib": 1900,
            "cpu_permille": 1000,
            "updated_ns": 1,
            "step_index": self.names.index(step),
        } | engine
        engine_half = EngineHalf(limit_ns=round(limit_s * SECOND), **half)
        start_ns = self.now_ns - round(ran_s * SECOND)
        return LiveView(7, 0, iteration, 132, start_ns, LivePhase.TIMED, engine_half)

    def snapshot(
        self, live: LiveView | None = None, exit: ExitCode | None = None, run: Path = Path("runs/r")
    ) -> RunSnapshot:
        """A look at the run now; by default an engine works on it."""
        utc = self.events[-1].utc
        return RunSnapshot(RunDir(run), self.state(), live, exit, self.now_ns, utc, tuple(self.events))
