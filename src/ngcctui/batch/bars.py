"""What stands below the lines on a terminal: a bar for each running step, and one for the run."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ngcctui.durations import clock
from ngcctui.engine.livepage import LivePhase, LiveView
from ngcctui.engine.runstate import RunState, Status, StepState, done_total, ran_s
from ngcctui.model.outcome import Outcome
from ngcctui.model.step import Kind

FULL, EMPTY = "\N{FULL BLOCK}", "\N{LIGHT SHADE}"
_BAR = 20
_MOST_STEPS = 6


@dataclass(frozen=True)
class Moment:
    """When a picture is taken: CLOCK_MONOTONIC (ns), seconds since the printer began, and what is left in words."""

    mono_ns: int
    elapsed_s: float
    left: str = ""


def picture(state: RunState, live: LiveView | None, moment: Moment, width: int) -> list[str]:
    """The lines to show, each at most `width` columns: running steps first, the run last."""
    running = [step for step in state.steps.values() if step.status is Status.RUNNING]
    lines = [_step(state, step, live, moment) for step in running[:_MOST_STEPS]]
    if len(running) > _MOST_STEPS:
        lines.append(f"and {len(running) - _MOST_STEPS} more")
    return [line[:width] for line in [*lines, _run(state, moment)]]


def _run(state: RunState, moment: Moment) -> str:
    done, total = done_total(state)
    words = [
        "stopping" if state.stopping else "paused" if state.paused else state.phase.value,
        f"{done}/{total} done",
    ]
    failed = sum(step.failed and step.outcome is not Outcome.SKIPPED for step in state.steps.values())
    if failed:
        words.append(f"{failed} failed")
    words.append(f"{clock(moment.elapsed_s)} so far")
    if moment.left:
        words.append(moment.left)
    return f"{bar(done / total if total else 0.0)} {'  '.join(words)}"


def _step(state: RunState, step: StepState, live: LiveView | None, moment: Moment) -> str:
    fraction, words = progress(state, step, live)
    seconds = ran_s(step, moment.mono_ns, state.paused_mono_ns)
    if seconds is not None:
        words.append(clock(seconds))
    return f"{bar(fraction)} {step.step}  {'  '.join(words)}"


def progress(state: RunState, step: StepState, live: LiveView | None) -> tuple[float, list[str]]:
    """How much of a running step is done (0 to 1, 0 where that is unknown), and what it is doing."""
    kind = step.step.kind
    if kind is Kind.KAT and step.kat_covered:
        fraction = min(1.0, step.kat_records / step.kat_covered)
        return fraction, [f"record {step.kat_records}/{step.kat_covered}"]
    if kind in (Kind.BUILD, Kind.KAT):
        return 0.0, []
    within, words = _inside(live)
    if kind is not Kind.MEASURE:
        return within, words
    ended = len({trial.trial for trial in step.trials if trial.used})
    planned = step.trials[-1].trials if step.trials else _planned(state, step)
    if not planned:
        return 0.0, ["trial 1", *words]
    now = min(ended + 1, planned)
    return min(1.0, (ended + within) / planned), [f"trial {now}/{planned}", *words]


def _inside(live: LiveView | None) -> tuple[float, list[str]]:
    """The same of the child that runs now, as far as it says."""
    if live is None or not live.pid:
        return 0.0, []
    if live.phase in (LivePhase.SETUP, LivePhase.WARM_UP):
        return 0.0, [live.phase.name.lower().replace("_", "-")]
    held = ["held"] if live.phase is LivePhase.HELD else []
    if live.phase in (LivePhase.TIMED, LivePhase.PROFILE, LivePhase.HELD) and live.iterations:
        return live.fraction or 0.0, [f"iteration {live.iteration}/{live.iterations}", *held]
    return 0.0, held


def _planned(state: RunState, step: StepState) -> int:
    """Trials that the calibration planned; 0 when it does not tell."""
    calibrated = state.steps.get(str(replace(step.step, kind=Kind.CALIBRATE)))
    planned = calibrated.summary.get("trials") if calibrated is not None else None
    return planned if type(planned) is int and planned > 0 else 0


def bar(fraction: float, width: int = _BAR) -> str:
    """A bar of `width` cells."""
    full = int(max(0.0, min(1.0, fraction)) * width)
    return FULL * full + EMPTY * (width - full)
