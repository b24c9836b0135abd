"""Pauses: a trial waited only while the run was paused, and no longer than that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from ngcctui.model.event import Event, EventName
from ngcctui.model.record import Record
from ngcctui.model.step import Kind, Step

#: A process goes on when its engine has written down that the pause is over: how long that may take on a busy disk, ns.
LATE_NS = 5_000_000_000


@dataclass(frozen=True)
class Pause:
    """How often the run was paused during one start of a step, and for how long in all, ns."""

    count: int = 0
    ns: int = 0


@dataclass
class Pauses:
    """What the journal says of pauses; `during` is that of the last start of each step, by its name."""

    during: dict[str, Pause] = field(default_factory=dict)
    _began: dict[str, int] = field(default_factory=dict)
    _since: int | None = None

    def take(self, event: Event) -> None:
        """Take one event, whatever is in it."""
        if event.event is EventName.SESSION_START:
            self._began, self._since = {}, None
        elif event.event is EventName.CONTROL and event.data.get("accepted") is True:
            self._asked(event.data.get("request"), event.mono_ns)
        elif event.event is EventName.STEP_START and event.step is not None:
            self._began[event.step] = event.mono_ns
            self.during[event.step] = Pause()
        elif event.event is EventName.STEP_END and event.step is not None:
            self._add(event.step, event.mono_ns)
            self._began.pop(event.step, None)

    def _asked(self, request: object, mono_ns: int) -> None:
        if request == "pause" and self._since is None:
            self._since = mono_ns
        elif request == "resume":
            for step in self._began:
                self._add(step, mono_ns)
            self._since = None

    def _add(self, step: str, mono_ns: int) -> None:
        """Count the pause that lasts until now, when there is one, for a step that has begun."""
        if self._since is not None and step in self._began:
            so_far = self.during[step]
            lasted_ns = max(mono_ns - max(self._since, self._began[step]), 0)
            self.during[step] = Pause(so_far.count + 1, so_far.ns + lasted_ns)


def check_held(step: Step, record: Record, during: Mapping[str, Pause]) -> Iterator[str]:
    """What is wrong with the time that the trials of a record waited, one clause each."""
    for trial in record.trials:
        if trial.held_ns < 0:
            yield f"trial {trial.trial}, attempt {trial.attempt} waited {trial.held_ns} ns, less than no time"
    reused = record.plan is not None and record.plan.reuse_calibration
    timed = str(replace(step, kind=Kind.CALIBRATE) if reused else step)
    pause = during.get(timed, Pause())
    held_ns = sum(max(trial.held_ns, 0) for trial in record.trials)
    if held_ns and not pause.count:
        yield f"its trials waited {held_ns} ns in a pause, the journal has none during {timed}"
    elif held_ns > pause.ns + pause.count * LATE_NS:
        yield f"its trials waited {held_ns} ns, the pauses during {timed} lasted {pause.ns} ns"
