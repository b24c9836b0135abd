"""How long the rest of a run takes: a range from what is known, and how many steps nothing is known of."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ngcctui.engine.plan import make_plan, profile_iterations, work_s
from ngcctui.engine.runstate import RunState, Status, pending, ran_s
from ngcctui.engine.stats import median
from ngcctui.model.campaign import Campaign
from ngcctui.model.step import Kind, Step

#: Figures of another machine are right within this factor, and so is what one build or KAT says of the next.
GUESS_FACTOR = 2.0
#: Calibration: calls below this are averaged over at least so many, seconds.
_SINGLE_CALL_S = 5.0
_CALIBRATION_CALLS = 4
_CALIBRATION_S = 0.020
#: No time in a summary is longer (30 years); a longer one came from no engine.
_LONGEST_NS = 1e18


@dataclass(frozen=True)
class Remaining:
    """A step still to do: time of one call and of the set-up, ns; `measured` if not guessed.

    `typical_s` is what ended steps of its kind took (build and KAT), `elapsed_s` how long it runs already.
    """

    kind: Kind
    t1_ns: float | None = None
    measured: bool = False
    setup_ns: float = 0.0
    typical_s: float | None = None
    elapsed_s: float = 0.0


@dataclass(frozen=True)
class Estimate:
    """Seconds left, `low_s` to `high_s`, for the steps something is known of; `unknown` counts the others."""

    low_s: float = 0.0
    high_s: float = 0.0
    unknown: int = 0


def estimate(rest: Sequence[Remaining], campaign: Campaign, workers: int = 1) -> Estimate:
    """Time for the rest of a run; builds and KATs run on `workers` cores, everything else one by one.

    The low end needs no trial to be repeated, the high end all that the campaign allows; a guessed time per
    call counts within a factor of two.
    """
    low = high = 0.0
    unknown = 0
    for step in rest:
        span = _span(step, campaign)
        if span is None:
            unknown += 1
            continue
        share = workers if step.kind in (Kind.BUILD, Kind.KAT) else 1
        low += max(span[0] - step.elapsed_s, 0.0) / share
        high += max(span[1] - step.elapsed_s, 0.0) / share
    return Estimate(low, high, unknown)


def _span(step: Remaining, campaign: Campaign) -> tuple[float, float] | None:
    if step.kind in (Kind.BUILD, Kind.KAT):
        if step.typical_s is None:
            return None
        most_s = campaign.kat.limit_s if step.kind is Kind.KAT else math.inf
        typical_s = min(step.typical_s, most_s)
        return typical_s / GUESS_FACTOR, min(typical_s * GUESS_FACTOR, most_s)
    if step.t1_ns is None:
        return None
    factors = (1.0,) if step.measured else (1 / GUESS_FACTOR, 1.0, GUESS_FACTOR)
    spans = [_timed_span(replace(step, t1_ns=step.t1_ns * factor), campaign) for factor in factors]
    return min(low for low, _ in spans), max(high for _, high in spans)


def _timed_span(step: Remaining, campaign: Campaign) -> tuple[float, float]:
    t1_ns = step.t1_ns or 0.0
    t1_s, setup_s = t1_ns / 1e9, step.setup_ns / 1e9
    if step.kind is Kind.CALIBRATE:
        calls = _CALIBRATION_CALLS if t1_s < _SINGLE_CALL_S else 1
        return setup_s + t1_s, setup_s + max(calls * t1_s, _CALIBRATION_S)
    if step.kind is Kind.PROFILE:
        profiled_s = setup_s + profile_iterations(t1_ns, campaign.profile) * t1_s
        return profiled_s, profiled_s + (t1_s if t1_s < _SINGLE_CALL_S else 0.0)
    work = work_s(make_plan(t1_ns, step.setup_ns, campaign.planning))
    repeated = min(work * (1 + campaign.planning.repeats), campaign.planning.budget_s)
    return work, max(work, repeated)


def remaining(
    state: RunState, now_mono_ns: int, guesses: Mapping[str, float] | None = None
) -> list[Remaining]:
    """What a run has still to do.

    `guesses` gives ns of a call by `scheme/instance/operation` where another machine's figures are known;
    `now_mono_ns` is CLOCK_MONOTONIC on the machine of the run.
    """
    typical = {kind: _typical_s(state, kind) for kind in (Kind.BUILD, Kind.KAT)}
    rest = []
    for step in pending(state):
        entry = state.steps[str(step)]
        running = entry.status is Status.RUNNING
        elapsed_s = (ran_s(entry, now_mono_ns, state.paused_mono_ns) if running else None) or 0.0
        if step.kind in typical:
            rest.append(Remaining(step.kind, typical_s=typical[step.kind], elapsed_s=elapsed_s))
            continue
        summary = _calibration(state, step)
        t1_ns, setup_ns = _time(summary.get("t1_ns")), _time(summary.get("setup_ns"))
        guess = (guesses or {}).get(f"{step.scheme}/{step.instance}/{step.operation}")
        known = t1_ns is not None
        rest.append(
            Remaining(step.kind, t1_ns if known else guess, known, setup_ns or 0.0, elapsed_s=elapsed_s)
        )
    return rest


def _typical_s(state: RunState, kind: Kind) -> float | None:
    took = [entry.duration_ns for entry in state.steps.values() if entry.step.kind is kind]
    known = [duration / 1e9 for duration in took if duration is not None]
    return median(known) if known else None


def _calibration(state: RunState, step: Step) -> Mapping[str, object]:
    entry = state.steps.get(str(replace(step, kind=Kind.CALIBRATE)))
    return entry.summary if entry is not None else {}


def _time(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < _LONGEST_NS:
        return None
    return float(value)
