"""The fold: what a journal says about a run, as frozen data.

Any sequence of events folds: torn, missing, repeated, reordered or foreign lines cost what they said and
nothing more.  The fold trusts no value of an event; a field of the wrong type counts as absent.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from ngcctui.collector import no_collection
from ngcctui.engine.journal import JournalReader
from ngcctui.engine.runstate import (
    ControlState,
    FindingState,
    Phase,
    RunState,
    SessionState,
    Status,
    StepState,
    TrialState,
    Waiting,
    WarningState,
    done_total,
    failed_steps,
    is_interrupted,
    pending,
    verdict,
    with_dependents,
)
from ngcctui.model.event import Event, EventName
from ngcctui.model.outcome import Outcome
from ngcctui.model.step import Kind, Step

__all__ = [
    "ControlState",
    "FindingState",
    "Fold",
    "Follower",
    "Phase",
    "RunState",
    "SessionState",
    "Status",
    "StepState",
    "TrialState",
    "Waiting",
    "WarningState",
    "done_total",
    "failed_steps",
    "fold",
    "is_interrupted",
    "pending",
    "verdict",
    "with_dependents",
]

#: Of warnings and requests the latest are kept, of a step's trials the first; a run has far fewer of each.
MAX_NOTES = 1000
MAX_TRIALS = 100_000
#: Largest number taken from an event; what is beyond came from no engine.
_MAX_NUMBER = 1 << 63
#: Key of the warning that an engine writes before its session, while another one has its core.
WAITS_FOR_CORE = "core-wait"
_PHASE = {Kind.BUILD: Phase.BUILD, Kind.KAT: Phase.KAT}


def _text(value: Any, default: str = "") -> str:
    """`value` as text that can be encoded: a JSON escape can smuggle in half a surrogate pair."""
    if not isinstance(value, str):
        return default
    return value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")


def _optional_text(value: Any) -> str | None:
    return _text(value) if isinstance(value, str) else None


def _whole(value: Any, default: int = 0) -> int:
    """`value` as a whole number from 0 on, else `default`."""
    return value if type(value) is int and 0 <= value < _MAX_NUMBER else default


def _number(value: Any) -> float:
    """`value` as a finite number from 0 on, else 0."""
    if type(value) is float:
        return value if 0.0 <= value < _MAX_NUMBER else 0.0
    return float(_whole(value))


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(_text(item) for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def _table(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        return {}
    if all(map(str.isascii, value)):  # nearly always, and then nothing is to be mended
        return dict(value)
    return {_text(key): item for key, item in value.items()}


def _exit(value: Any) -> int | None:
    return value if type(value) is int and 0 <= value <= 255 else None


class _OpenStep:
    """A step while it is folded."""

    __slots__ = ("snapshot", "state", "trials")

    def __init__(self, step: Step) -> None:
        self.state = _StepFields(step)
        self.trials: list[TrialState] = []
        self.snapshot: StepState | None = None

    def freeze(self) -> StepState:
        if self.snapshot is None:
            # What the generated __init__ does, without its call of object.__setattr__ for each of the fields: a viewer
            # that attaches freezes every step of the run before it can draw anything.
            self.snapshot = object.__new__(StepState)
            self.snapshot.__dict__.update(vars(self.state), trials=tuple(self.trials))
        return self.snapshot


class _StepFields:
    """The changing fields of a step, under the names of StepState."""

    def __init__(self, step: Step) -> None:
        self.step = step
        self.status = Status.QUEUED
        self.attempt = 0
        self.starts = 0
        self.session = 0
        self.started_utc = ""
        self.started_mono_ns: int | None = None
        self.clear()

    def clear(self) -> None:
        """Forget what an earlier start or attempt brought."""
        self.outcome: Outcome | None = None
        self.detail = ""
        self.ended_utc = ""
        self.ended_mono_ns: int | None = None
        self.file: str | None = None
        self.sha256: str | None = None
        self.summary: dict[str, Any] = {}
        self.kat_records = 0
        self.kat_covered = 0


class Fold:
    """Folds events one by one; `state` is what they say so far.

    A journal has one writer, so seq only rises: an event whose seq does not is a repetition or foreign and is
    ignored.
    """

    def __init__(self) -> None:
        self.skipped_lines = 0
        self._cached: RunState | None = None
        self._seq = 0
        self._events = 0
        self._ignored = 0
        self._last: Event | None = None
        self._facts: dict[str, Any] = {}
        self._sessions: list[SessionState] = []
        self._open = False
        self._steps: dict[str, _OpenStep] = {}
        self._running: set[str] = set()
        self._warnings: deque[WarningState] = deque(maxlen=MAX_NOTES)
        self._controls: deque[ControlState] = deque(maxlen=MAX_NOTES)
        self._retry: set[str] = set()
        self._skip: set[str] = set()
        self._apply: dict[EventName, Callable[[Event], bool | None]] = {
            EventName.RUN_START: self._run_start,
            EventName.SESSION_START: self._session_start,
            EventName.HOST: self._host,
            EventName.STEP_START: self._step_start,
            EventName.KAT_RECORD: self._kat_record,
            EventName.TRIAL: self._trial,
            EventName.STEP_END: self._step_end,
            EventName.CONTROL: self._control,
            EventName.HEALTH: self._health,
            EventName.WARNING: self._warning,
            EventName.SESSION_END: self._session_end,
            EventName.RUN_END: self._run_end,
        }

    def apply(self, event: Event) -> None:
        """Take one event."""
        self._cached = None
        if event.seq <= self._seq or self._apply[event.event](event) is False:
            self._ignored += 1
            return
        self._seq = event.seq
        self._events += 1
        self._last = event

    def state(self) -> RunState:
        """What the events so far say."""
        if self._cached is None or self._cached.skipped_lines != self.skipped_lines:
            self._cached = RunState(
                steps={name: step.freeze() for name, step in self._steps.items()},
                sessions=tuple(self._sessions),
                open=self._open,
                warnings=tuple(self._warnings),
                controls=tuple(self._controls),
                retry=frozenset(self._retry),
                skip=frozenset(self._skip),
                events=self._events,
                ignored_events=self._ignored,
                skipped_lines=self.skipped_lines,
                last_event_utc=_text(self._last.utc) if self._last else "",
                last_event_mono_ns=self._last.mono_ns if self._last else None,
                **self._facts,
            )
        return self._cached

    # the run and its sessions

    def _run_start(self, event: Event) -> bool | None:
        if self._facts.get("run"):
            return False
        data = event.data
        self._facts |= {
            "run": _text(data.get("run")) or "?",
            "campaign": _text(data.get("campaign")),
            "version": _text(data.get("version")),
            "algorithms": {key: _text(text) for key, text in _table(data.get("algorithms")).items()},
            "started_utc": _text(event.utc),
        }
        # A journal whose first line was lost gets a second run_start: steps known by their own events keep
        # their state.
        listed: dict[str, _OpenStep] = {}
        for name in _texts(data.get("steps")):
            step = self._steps.get(name) or _new_step(name)
            if step is not None:
                listed[name] = step
        self._steps = listed
        for names in (self._running, self._retry, self._skip):
            names.intersection_update(listed)
        return None

    def _session_start(self, event: Event) -> None:
        data = event.data
        self._interrupt()
        core = data.get("core")
        session = SessionState(
            session=_whole(data.get("session"), len(self._sessions) + 1),
            mode=_text(data.get("mode")),
            pid=_whole(data.get("pid")),
            pid_start=_whole(data.get("pid_start")),
            boot_id=_text(data.get("boot_id")),
            kernel=_text(data.get("kernel")),
            compiler=_text(data.get("compiler")),
            cpu=_text(data.get("cpu")),
            core=_whole(core) if type(core) is int and core >= 0 else None,
            version=_text(data.get("version")),
            campaign_sha256=_text(data.get("campaign_sha256")),
            changes=_texts(data.get("changes")),
            started_utc=_text(event.utc),
        )
        self._sessions.append(session)
        self._open = True
        retry = self._known(_texts(data.get("retry")))
        self._retry.update(retry)
        self._skip.difference_update(retry)  # what was asked last counts
        self._facts |= {
            "waiting": None,
            "core": session.core,
            "live_page": _optional_text(data.get("live_page")),
            "paused": False,
            "paused_mono_ns": None,
            "stopping": False,
            "ended": False,
            "exit_code": None,
            "phase": Phase.STARTING,
        }

    def _session_end(self, event: Event) -> None:
        self._interrupt()
        self._open = False
        code = _exit(event.data.get("exit"))
        if self._sessions:
            last = self._sessions[-1]
            reason = _text(event.data.get("reason")) or "?"
            self._sessions[-1] = SessionState(**{**vars(last), "reason": reason, "exit": code})
        self._facts |= {"exit_code": code, "live_page": None, "paused": False, "paused_mono_ns": None}

    def _run_end(self, event: Event) -> None:
        self._facts |= {"ended": True, "exit_code": _exit(event.data.get("exit")), "phase": Phase.ENDED}

    def _interrupt(self) -> None:
        for name in self._running:
            step = self._steps[name]
            step.state.status = Status.INTERRUPTED
            step.snapshot = None
        self._running.clear()

    def _host(self, event: Event) -> None:
        data = event.data
        findings = data.get("findings")
        if isinstance(findings, list):
            rows = [row for row in findings if isinstance(row, dict)]
            self._facts["findings"] = tuple(
                FindingState(_text(row.get("key")), _text(row.get("text")), _text(row.get("command")))
                for row in rows
            )
        if isinstance(data.get("allowed"), bool):
            self._facts["host_allowed"] = data["allowed"]
        if isinstance(data.get("environment"), dict):
            self._facts["environment"] = {
                key: _text(text) for key, text in _table(data["environment"]).items()
            }
        if isinstance(data.get("noise"), dict):
            self._facts["noise"] = {key: _number(value) for key, value in _table(data["noise"]).items()}
        if isinstance(data.get("counter"), str):
            self._facts["counter"] = _text(data["counter"])

    # steps

    def _step(self, event: Event) -> _OpenStep | None:
        """The step of an event, None when it has none that belongs to the run."""
        name = event.step
        if name is None:
            return None
        step = self._steps.get(name)
        if step is None and not self._facts.get("run") and len(self._steps) < MAX_TRIALS:
            step = _new_step(name)
            if step is not None:
                self._steps[name] = step
        if step is not None:
            step.snapshot = None
        return step

    def _step_start(self, event: Event) -> bool | None:
        step = self._step(event)
        if step is None:
            return False
        state = step.state
        again = state.status in (Status.RUNNING, Status.INTERRUPTED)
        state.starts = state.starts + 1 if again else 1
        given = _whole(event.data.get("attempt"))
        state.attempt = given or (max(state.attempt, 1) if again else state.attempt + 1)
        state.clear()
        step.trials = []
        state.status = Status.RUNNING
        state.session = len(self._sessions)
        state.started_utc = _text(event.utc)
        state.started_mono_ns = event.mono_ns
        self._running.add(str(event.step))
        self._retry.discard(str(event.step))
        if not self._facts.get("ended"):
            self._facts["phase"] = _PHASE.get(state.step.kind, Phase.MEASURE)
        return None

    def _step_end(self, event: Event) -> bool | None:
        step = self._step(event)
        if step is None:
            return False
        data = event.data
        state = step.state
        state.status = Status.ENDED
        state.outcome = _outcome(data.get("outcome"))
        state.detail = _text(data.get("detail"))
        state.attempt = _whole(data.get("attempt")) or max(state.attempt, 1)
        state.starts = max(state.starts, 1)
        state.ended_utc = _text(event.utc)
        state.ended_mono_ns = event.mono_ns
        state.file = _optional_text(data.get("file"))
        state.sha256 = _optional_text(data.get("sha256"))
        state.summary = _table(data.get("summary"))
        self._running.discard(str(event.step))
        self._skip.discard(str(event.step))
        return None

    def _kat_record(self, event: Event) -> bool | None:
        step = self._step(event)
        if step is None:
            return False
        step.state.kat_records = _whole(event.data.get("record"))
        step.state.kat_covered = _whole(event.data.get("covered"))
        return None

    def _trial(self, event: Event) -> bool | None:
        step = self._step(event)
        if step is None:
            return False
        if len(step.trials) < MAX_TRIALS:
            step.trials.append(_trial_state(event))
        return None

    # notes

    def _control(self, event: Event) -> None:
        data = event.data
        name, accepted = _text(data.get("request")), data.get("accepted") is True
        argument, why = _optional_text(data.get("argument")), _text(data.get("why"))
        self._controls.append(ControlState(_text(event.utc), name, argument, accepted, why))
        if accepted and self._open:
            if name in ("pause", "resume"):
                self._pause(name == "pause", event.mono_ns)
            elif name in ("stop", "stop-now"):
                self._facts["stopping"] = True
        # These stand until they are done, in whatever session: the operator has been told so.
        if accepted and name == "retry":
            self._retry.update(self._known(_texts(data.get("steps")) or (argument or "",)))
        elif accepted and name == "skip":
            self._skip.update(self._known((argument or "",)))
            self._retry.discard(argument or "")  # it runs, and was wanted anew behind that

    def _pause(self, paused: bool, mono_ns: int) -> None:
        """Note a pause, or its end; the start of what it held moves on, so that no duration holds any of it."""
        since = self._facts.get("paused_mono_ns")
        if not paused and since is not None:
            for name in self._running:
                step = self._steps[name]
                started = step.state.started_mono_ns
                if started is not None:
                    step.state.started_mono_ns = started + max(mono_ns - max(since, started), 0)
                    step.snapshot = None
        if not paused or since is None:
            self._facts |= {"paused": paused, "paused_mono_ns": mono_ns if paused else None}

    def _known(self, names: Iterable[str]) -> list[str]:
        return [name for name in names if name in self._steps]

    def _health(self, event: Event) -> None:
        self._facts["health"] = _table(event.data)

    def _warning(self, event: Event) -> None:
        data = event.data
        step = _optional_text(event.step)
        if data.get("key") == WAITS_FOR_CORE:
            # It has the run for itself: the session before it is over.
            self._interrupt()
            self._open = False
            pid, pid_start = _whole(data.get("pid")), _whole(data.get("pid_start"))
            waiting = Waiting(_text(data.get("text")), pid, pid_start, _text(data.get("boot_id")))
            self._facts |= {"waiting": waiting, "live_page": None, "paused": False, "paused_mono_ns": None}
        self._warnings.append(
            WarningState(_text(event.utc), _text(data.get("key")), _text(data.get("text")), step)
        )


def _trial_state(event: Event) -> TrialState:
    get = event.data.get
    disturbed = get("disturbed")
    return TrialState(
        _whole(get("trial")),
        _whole(get("trials")),
        _whole(get("attempt")),
        _number(get("mean_ns")),
        _whole(get("wall_ns")),
        _whole(get("cpu_ns")),
        _texts(disturbed) if disturbed else (),
        get("used") is not False,
        _text(event.utc),
    )


def _new_step(name: str) -> _OpenStep | None:
    try:
        return _OpenStep(Step.parse(name))
    except ValueError:
        return None


def _outcome(value: Any) -> Outcome:
    try:
        return Outcome(value)
    except ValueError:
        return Outcome.ENGINE_ERROR


def fold(events: Iterable[Event]) -> RunState:
    """The state after all `events`."""
    folding = Fold()
    for event in events:
        folding.apply(event)
    return folding.state()


class Follower:
    """Follows the journal of a run: `poll` takes what is new and `state` is the fold so far."""

    def __init__(self, journal: Path) -> None:
        self._reader = JournalReader(journal)
        self._fold = Fold()
        self._generation = 0

    @property
    def state(self) -> RunState:
        """The fold of everything read so far."""
        return self._fold.state()

    @property
    def unread(self) -> int:
        """Bytes of the journal that the last call left because of its limit."""
        return self._reader.unread

    def poll(self, on_event: Callable[[Event], None] | None = None, max_bytes: int | None = None) -> RunState:
        """Read what was appended since the last call, tell `on_event` of each, and return the new state.

        With `max_bytes` no more than that is read, and the next call goes on from there.  When the file was replaced or
        rewritten the fold begins anew with it.
        """
        with no_collection():
            for events in self._reader.batches(max_bytes):
                if events and self._reader.generation != self._generation:
                    self._generation = self._reader.generation
                    self._fold = Fold()
                apply = self._fold.apply
                for event in events:
                    apply(event)
                    if on_event is not None:
                        on_event(event)
            self._fold.skipped_lines = self._reader.skipped
            return self._fold.state()
