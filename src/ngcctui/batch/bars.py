"""What stands below the lines on a terminal: a bar for each running step, and one for the run."""

from __future__ import annotations

from dataclasses import dataclass

from ngcctui.engine.livepage import LivePhase, LiveView
from ngcctui.engine.state import RunState, Status, StepState, done_total
from ngcctui.model.outcome import Outcome
from ngcctui.model.step import Kind

FULL, EMPTY = "\N{FULL BLOCK}", "\N{LIGHT SHADE}"
_BAR = 20
_MOST_STEPS = 6


@dataclass(frozen=True)
class Moment:
    """When a picture is taken: CLOCK_MONOTONIC (ns), seconds since the printer began, and what is left (seconds)."""

    mono_ns: int
    elapsed_s: float
    left_s: tuple[float, float] | None = None


def picture(state: RunState, live: LiveView | None, moment: Moment, width: int) -> list[str]:
    """The lines to show, each at most `width` columns: running steps first, the run last."""
    running = [step for step in state.steps.values() if step.status is Status.RUNNING]
    lines = [_step(step, live, moment) for step in running[:_MOST_STEPS]]
    if len(running) > _MOST_STEPS:
        lines.append(f"and {len(running) - _MOST_STEPS} more")
    return [line[:width] for line in [*lines, _run(state, moment)]]


def _run(state: RunState, moment: Moment) -> str:
    done, total = done_total(state)
    words = ["stopping" if state.stopping else "paused" if state.paused else state.phase.value, f"{done}/{total} done"]
    failed = sum(step.failed and step.outcome is not Outcome.SKIPPED for step in state.steps.values())
    if failed:
        words.append(f"{failed} failed")
    words.append(f"{clock(moment.elapsed_s)} so far")
    if moment.left_s is not None:
        words.append(f"{span(*moment.left_s)} left")
    return f"{bar(done / total if total else 0.0)} {'  '.join(words)}"


def _step(step: StepState, live: LiveView | None, moment: Moment) -> str:
    fraction, words = progress(step, live)
    if step.started_mono_ns is not None:
        words.append(clock(max(0, moment.mono_ns - step.started_mono_ns) / 1e9))
    return f"{bar(fraction)} {step.step}  {'  '.join(words)}"


def progress(step: StepState, live: LiveView | None) -> tuple[float, list[str]]:
    """How much of a running step is done (0 to 1, 0 where that is unknown), and what it is doing."""
    kind = step.step.kind
    if kind is Kind.KAT and step.kat_covered:
        return min(1.0, step.kat_records / step.kat_covered), [f"record {step.kat_records}/{step.kat_covered}"]
    if kind in (Kind.BUILD, Kind.KAT):
        return 0.0, []
    words: list[str] = []
    within = 0.0
    if live is not None and live.pid and live.iterations and live.phase in (LivePhase.TIMED, LivePhase.PROFILE):
        within = live.fraction or 0.0
        words = [f"iteration {live.iteration}/{live.iterations}"]
    elif live is not None and live.pid and live.phase in (LivePhase.SETUP, LivePhase.WARM_UP):
        words = [live.phase.name.lower().replace("_", "-")]
    if kind is not Kind.MEASURE:
        return within, words
    ended = len({trial.trial for trial in step.trials if trial.used})
    planned = step.trials[-1].trials if step.trials else 0
    if not planned:
        return 0.0, ["trial 1", *words]
    now = min(ended + 1, planned)
    return min(1.0, (ended + within) / planned), [f"trial {now}/{planned}", *words]


def bar(fraction: float, width: int = _BAR) -> str:
    """A bar of `width` cells."""
    full = int(max(0.0, min(1.0, fraction)) * width)
    return FULL * full + EMPTY * (width - full)


def clock(seconds: float) -> str:
    """`1:42`, `2:03:04`, `3d 04:05`."""
    whole = int(max(0.0, seconds))
    minutes, second = divmod(whole, 60)
    hours, minute = divmod(minutes, 60)
    if hours >= 24:
        return f"{hours // 24}d {hours % 24:02d}:{minute:02d}"
    return f"{hours}:{minute:02d}:{second:02d}" if hours else f"{minute}:{second:02d}"


#: Longest span (seconds) that is told in a unit of so many seconds.
_UNITS = ((120.0, 1.0, "s"), (7200.0, 60.0, "min"), (172800.0, 3600.0, "h"), (float("inf"), 86400.0, "d"))


def span(low_s: float, high_s: float) -> str:
    """A range of time in one unit, rounded outwards: `40-90 s`, `2-4 min`, `3-8 h`, `2-5 d`."""
    size, unit = next((size, unit) for longest, size, unit in _UNITS if high_s <= longest)
    low, high = int(low_s // size), -int(-high_s // size)
    return f"{high} {unit}" if low == high else f"{low}-{high} {unit}"
