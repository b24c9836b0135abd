"""The log: events of a run, or of one step, as lines with the time in front."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace

from ngcctui.batch.lines import line as event_line
from ngcctui.batch.lines import step_figure
from ngcctui.engine.plan import share_text
from ngcctui.engine.printed import shown as printed
from ngcctui.engine.runstate import Status, StepState, TrialState
from ngcctui.model.event import Event, EventName
from ngcctui.model.outcome import Outcome
from ngcctui.model.step import Step
from ngcctui.report.format import time_ns
from ngcctui.tui.glyphs import Glyphs
from ngcctui.tui.view.cells import step_name
from ngcctui.tui.view.line import Line, Tone, shown

#: Said by the rows already.
_LEFT_OUT = (EventName.RUN_START, EventName.STEP_START, EventName.KAT_RECORD, EventName.HEALTH)
#: Of the events that were there before the log, so many are told.
_AT_FIRST = 100
#: Lines of a file that are shown, and cells of each.
MAX_LINES = 500
MAX_CELLS = 400


class RunLog:
    """What happened in a run, the newest last; every event is told once."""

    def __init__(self, glyphs: Glyphs) -> None:
        self._glyphs = glyphs
        self._lines: deque[Line] = deque(maxlen=MAX_LINES)
        self._seq = 0

    def take(self, events: Sequence[Event]) -> Sequence[Line]:
        """Add those of `events` that are new (they are in the order of the journal); returns all lines."""
        if events and events[-1].seq < self._seq:  # the journal was replaced
            self._lines.clear()
            self._seq = 0
        new: list[Event] = []
        for event in reversed(events if self._seq else events[-_AT_FIRST:]):
            if event.seq <= self._seq:
                break
            new.append(event)
        for event in reversed(new):
            self._seq = max(self._seq, event.seq)
            if event.event not in _LEFT_OUT:
                self._lines.append(_event(event, self._glyphs))
        return tuple(self._lines)


def _event(event: Event, glyphs: Glyphs) -> Line:
    told = event_line(replace(event, step=_short(event.step)), short=True)
    return ((shown(told, glyphs), _tone(event)),)


def _short(step: str | None) -> str | None:
    """A step id as an operator calls it; what is none stays as it is."""
    try:
        return step_name(Step.parse(step or ""))
    except ValueError:
        return step


def _tone(event: Event) -> Tone:
    if event.event is EventName.STEP_END:
        outcome = event.data.get("outcome")
        good = outcome in (Outcome.PASS.value, Outcome.DONE.value)
        return Tone.PLAIN if good else Tone.DIM if outcome == Outcome.SKIPPED.value else Tone.BAD
    if event.event is EventName.WARNING or event.data.get("disturbed"):
        return Tone.WARN
    return Tone.PLAIN


def step_log(entries: Sequence[StepState], glyphs: Glyphs) -> list[Line]:
    """What the journal tells of some steps, in the order of time."""
    lines: list[tuple[str, int, Line]] = []
    for entry in entries:
        name = f"{entry.step.kind.value} " if len(entries) > 1 else ""
        if entry.started_utc:
            again = f", attempt {entry.attempt}" if entry.attempt > 1 else ""
            again += f", start {entry.starts}" if entry.starts > 1 else ""
            lines.append(_timed(entry.started_utc, 0, f"{name}started{again}", Tone.PLAIN, glyphs))
        for number, trial in enumerate(entry.trials, 1):
            told, tone = _trial(trial)
            lines.append(_timed(trial.utc, number, told, tone, glyphs))
        if entry.status is Status.ENDED and entry.outcome is not None:
            figure, detail = step_figure(entry.summary), f" ({entry.detail})" if entry.detail else ""
            told = f"{name}{entry.outcome.value} {figure}".rstrip() + detail
            tone = (
                Tone.PLAIN
                if entry.outcome.good
                else Tone.DIM
                if entry.outcome is Outcome.SKIPPED
                else Tone.BAD
            )
            lines.append(_timed(entry.ended_utc, 1 << 30, told, tone, glyphs))
    return [line for _, _, line in sorted(lines, key=lambda item: item[:2])]


def _timed(utc: str, number: int, text: str, tone: Tone, glyphs: Glyphs) -> tuple[str, int, Line]:
    return utc, number, ((shown(f"{utc[11:19]} {text}", glyphs), tone),)


def _trial(trial: TrialState) -> tuple[str, Tone]:
    share = f"  cpu/wall {share_text(trial.cpu_ns / trial.wall_ns)}" if trial.wall_ns else ""
    attempt = f", attempt {trial.attempt}" if trial.attempt > 1 else ""
    reasons = f"  disturbed: {', '.join(trial.disturbed)}" if trial.disturbed else ""
    unused = "" if trial.used else ", not used"
    told = f"trial {trial.trial}/{trial.trials}{attempt} {time_ns(trial.mean_ns)}{share}{reasons}{unused}"
    return told, Tone.WARN if trial.disturbed else Tone.PLAIN


def output_log(raw: bytes, glyphs: Glyphs) -> list[Line]:
    """The last lines of what a program printed, with every control character written out."""
    lines = printed(raw).expandtabs(8).split("\n")
    if lines and not lines[-1]:
        lines.pop()
    return [((glyphs.text(line[:MAX_CELLS]), Tone.DIM),) for line in lines[-MAX_LINES:]]
