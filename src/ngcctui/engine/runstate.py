"""The state of a run as frozen data, and what follows from it: progress, failures, the rest, the verdict."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NamedTuple

from ngcctui.model.errors import ExitCode
from ngcctui.model.outcome import Outcome
from ngcctui.model.step import Kind, Step


class Status(str, Enum):
    """Where a step stands.  `interrupted`: it was started, and its session is over without its end."""

    QUEUED = "queued"
    RUNNING = "running"
    ENDED = "ended"
    INTERRUPTED = "interrupted"


class Phase(str, Enum):
    """What a run is at: the phase of the step started last, or `ended`."""

    STARTING = "starting"
    BUILD = "build"
    KAT = "kat"
    MEASURE = "measure"
    ENDED = "ended"


class TrialState(NamedTuple):
    """One attempt at a trial, as journalled: times in ns, why it was disturbed, whether the figures hold it.

    A tuple, because there are more of these than of anything else.
    """

    trial: int
    trials: int
    attempt: int
    mean_ns: float
    wall_ns: int
    cpu_ns: int
    disturbed: tuple[str, ...]
    used: bool
    utc: str


@dataclass(frozen=True)
class StepState:
    """One step.

    `attempt` counts from 1 (0: never started); `starts` counts the starts of this attempt: 1 + kills inside
    it.  Outcome, detail, file, digest, summary, trials and KAT records are those of the latest attempt.
    `mono_ns` values compare only within one boot; that of the start moves on by the pauses since then.
    """

    step: Step
    status: Status = Status.QUEUED
    outcome: Outcome | None = None
    detail: str = ""
    attempt: int = 0
    starts: int = 0
    session: int = 0
    started_utc: str = ""
    ended_utc: str = ""
    started_mono_ns: int | None = None
    ended_mono_ns: int | None = None
    file: str | None = None
    sha256: str | None = None
    summary: dict[str, Any] = field(default_factory=dict)
    kat_records: int = 0
    kat_covered: int = 0
    trials: tuple[TrialState, ...] = ()

    @property
    def failed(self) -> bool:
        """True when the step has ended, and not well (skipped included)."""
        return self.status is Status.ENDED and (self.outcome is None or not self.outcome.good)

    @property
    def duration_ns(self) -> int | None:
        """Time the ended attempt took in its last start, ns; None when unknown."""
        if self.status is not Status.ENDED or self.started_mono_ns is None or self.ended_mono_ns is None:
            return None
        return max(self.ended_mono_ns - self.started_mono_ns, 0)


@dataclass(frozen=True)
class SessionState:
    """One session of the engine; `reason` and `exit` are None while it is open (or was killed)."""

    session: int
    mode: str
    pid: int
    pid_start: int
    boot_id: str
    kernel: str
    compiler: str
    cpu: str
    core: int | None
    version: str
    campaign_sha256: str
    changes: tuple[str, ...]
    started_utc: str
    reason: str | None = None
    exit: int | None = None


@dataclass(frozen=True)
class FindingState:
    """A finding of the host check and the command that mends it."""

    key: str
    text: str
    command: str


@dataclass(frozen=True)
class WarningState:
    """A journalled warning."""

    utc: str
    key: str
    text: str
    step: str | None


@dataclass(frozen=True)
class ControlState:
    """A request and what became of it."""

    utc: str
    request: str
    argument: str | None
    accepted: bool
    why: str


@dataclass(frozen=True)
class Waiting:
    """An engine that waited for its core when it last wrote; `text` says for whom."""

    text: str
    pid: int
    pid_start: int
    boot_id: str


@dataclass(frozen=True)
class RunState:
    """Everything a journal says about a run.  `run` is empty before run_start, which orders `steps`.

    `retry` are ended steps that an operator wants anew, `skip` steps that shall not run to their end: accepted requests
    that have not been done yet.  `waiting` is an engine that has not begun its session yet, dead or alive.
    """

    run: str = ""
    campaign: str = ""
    version: str = ""
    algorithms: dict[str, str] = field(default_factory=dict)
    steps: dict[str, StepState] = field(default_factory=dict)
    sessions: tuple[SessionState, ...] = ()
    open: bool = False
    core: int | None = None
    live_page: str | None = None
    findings: tuple[FindingState, ...] = ()
    host_allowed: bool = False
    environment: dict[str, str] = field(default_factory=dict)
    noise: dict[str, float] = field(default_factory=dict)
    counter: str = ""
    health: dict[str, Any] = field(default_factory=dict)
    phase: Phase = Phase.STARTING
    paused: bool = False
    paused_mono_ns: int | None = None
    stopping: bool = False
    warnings: tuple[WarningState, ...] = ()
    controls: tuple[ControlState, ...] = ()
    retry: frozenset[str] = frozenset()
    skip: frozenset[str] = frozenset()
    waiting: Waiting | None = None
    ended: bool = False
    exit_code: int | None = None
    events: int = 0
    ignored_events: int = 0
    skipped_lines: int = 0
    started_utc: str = ""
    last_event_utc: str = ""
    last_event_mono_ns: int | None = None


#: Asks whether the process (pid, start ticks, boot id) still runs: engine.liveness.process_alive.
Alive = Callable[[int, int, str], bool]


def done_total(state: RunState, kinds: Collection[Kind] = tuple(Kind)) -> tuple[int, int]:
    """How many steps of `kinds` have ended, and how many there are."""
    steps = list(state.steps.values())
    if len(kinds) < len(Kind):  # a viewer asks for all of them every second
        steps = [step for step in steps if step.step.kind in kinds]
    return len([step for step in steps if step.status is Status.ENDED]), len(steps)


def ran_s(entry: StepState, now_mono_ns: int, paused_mono_ns: int | None) -> float | None:
    """How long a running step runs already without the pauses, seconds; None when its start is not known.

    `now_mono_ns` is CLOCK_MONOTONIC on the machine of the run, `paused_mono_ns` that of RunState: since then time stands
    still, as the start moves on by the pause when it ends.
    """
    if entry.started_mono_ns is None:
        return None
    until_ns = now_mono_ns if paused_mono_ns is None else min(now_mono_ns, paused_mono_ns)
    return max(until_ns - entry.started_mono_ns, 0) / 1e9


def failed_steps(state: RunState) -> list[Step]:
    """Steps that ended and not well, in the order of the run."""
    return [step.step for step in state.steps.values() if step.failed]


def pending(state: RunState) -> list[Step]:
    """Steps to run, in the order of the run: those that have not ended, and those that are wanted anew."""
    steps = state.steps.items()
    return [step.step for name, step in steps if step.status is not Status.ENDED or name in state.retry]


def _causes(step: Step) -> list[Step]:
    """The steps that `step` follows from, the nearest last."""
    kinds = list(Kind)
    earlier = [(kind, None if kind in (Kind.BUILD, Kind.KAT) else step.operation) for kind in kinds]
    return [
        Step(kind, step.scheme, step.instance, operation)
        for kind, operation in earlier[: kinds.index(step.kind)]
    ]


def with_dependents(state: RunState, retry: Collection[str]) -> set[str]:
    """`retry`, the steps that were skipped because one of them had failed, and measurements that a calibration had planned.

    A step follows from the earlier kinds of its instance, a timed one only from those of its own operation.
    What the operator skipped stays skipped.
    """
    by_operator = {note.argument for note in state.controls if note.request == "skip" and note.accepted}
    again = set(retry)
    for name, entry in state.steps.items():
        if name in by_operator:
            continue
        causes = _causes(entry.step)
        if entry.outcome is not Outcome.SKIPPED:
            # A record counts only beside the calibration that it was planned by.
            planned = entry.step.kind is Kind.MEASURE and entry.status is not Status.QUEUED
            causes = causes[-1:] if planned else []
        if any(str(cause) in retry for cause in causes):
            again.add(name)
    return again


def is_interrupted(state: RunState, alive: Alive) -> bool:
    """True when the run has not ended and no engine works on it: resume goes on with it."""
    if state.ended:
        return False
    return not _engine_alive(state, alive)


def _engine_alive(state: RunState, alive: Alive) -> bool:
    """True when an engine has a session open, or waits for its core before it opens one."""
    last = state.waiting or (state.sessions[-1] if state.open and state.sessions else None)
    return last is not None and alive(last.pid, last.pid_start, last.boot_id)


def verdict(state: RunState, alive: Alive) -> ExitCode | None:
    """The exit code of the run as it stands; None while an engine works on it."""
    if _engine_alive(state, alive):
        return None
    if not state.ended:
        code = state.exit_code if not state.open else None
        return ExitCode(code) if code in (ExitCode.HOST, ExitCode.STORAGE) else ExitCode.INTERRUPTED
    # A session that ended after run_end knows more than it: a report that could not be written is exit 5.
    code = state.exit_code
    if code in tuple(ExitCode):
        return ExitCode(code)
    return ExitCode.FAILURES if failed_steps(state) else ExitCode.DONE
