"""The calibrate step: a few calls that tell how long one takes, kept on disk so that the plan can be recomputed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from ngcctui.engine import driver
from ngcctui.engine.build_step import library_of
from ngcctui.engine.context import Context, StepEnd
from ngcctui.engine.driver import RawTrial, Setup
from ngcctui.engine.launch import launch
from ngcctui.engine.plan import make_plan
from ngcctui.engine.store import keep_attempt, sha256_bytes, write_atomic
from ngcctui.model.campaign import Campaign, PlanningMode
from ngcctui.model.codec import CodecError, decode, encode
from ngcctui.model.outcome import Outcome
from ngcctui.model.record import Memory, Plan
from ngcctui.model.step import Kind, Step


@dataclass(frozen=True)
class Calibration:
    """Calls of one process before the plan: its set-up, the trial, its samples (ns) and its memory."""

    setup: Setup
    trial: RawTrial
    samples: tuple[int, ...]
    memory: Memory
    started_utc: str

    def t1_ns(self, mode: PlanningMode) -> float:
        """Time of one call in ns: the only call, or the mean without the first, cold one."""
        if mode is PlanningMode.PUBLISHED or len(self.samples) < 2:
            return self.samples[0] / min(self.trial.batch, self.trial.iterations)
        return sum(self.samples[1:]) / (self.trial.iterations - self.trial.batch)

    def plan(self, campaign: Campaign, operation: str, t1_ns: float | None = None) -> Plan:
        """The plan that follows; `t1_ns` replaces the calibrated time of a call when a trial has shown it wrong."""
        t1_ns = self.t1_ns(campaign.planning.mode) if t1_ns is None else t1_ns
        inputs = driver.most_inputs(operation, campaign)
        return make_plan(t1_ns, self.setup.setup_ns, campaign.planning, inputs)


def calibration_path(ctx: Context, step: Step) -> Path:
    """Where the calibration of the step's operation lies, beside its record."""
    record = ctx.run.record(step.scheme, step.instance, step.operation or "")
    return record.with_name(f"{record.stem}.calibration.json")


def read_calibration(ctx: Context, step: Step) -> Calibration | None:
    """The stored calibration of the step's operation, None when it is missing or damaged."""
    try:
        return decode(Calibration, json.loads(calibration_path(ctx, step).read_bytes()))
    except (OSError, ValueError, CodecError, RecursionError):
        return None


async def calibrate(ctx: Context, step: Step) -> StepEnd:
    """Time a few calls and keep them; a fault here is the operation's outcome."""
    scheme = ctx.schemes[step.scheme]
    instance = scheme.instance(step.instance)
    library = library_of(ctx, step)
    if library is None:
        return StepEnd(Outcome.SKIPPED, "no library")
    published = ctx.campaign.planning.mode is PlanningMode.PUBLISHED
    keys = driver.job(scheme, instance, ctx.operation(step), ctx.campaign) | {
        "mode": "calibrate",
        "library": str(ctx.run.path / library.path),
        "calibrate": "single" if published else "mean",
        "trial": "0",
        "counter": ctx.counter.spec,
    }
    done = await launch(ctx, step, keys, ctx.campaign.planning.calibrate_limit_s)
    if not done.complete or done.answer.setup is None or not done.answer.trials:
        outcome = done.outcome if done.outcome is not Outcome.DONE else Outcome.FAILED
        return StepEnd(outcome, done.detail)
    raw, samples = done.answer.trials[0]
    end = done.answer.end
    peak = end.peak_rss_kib if end else None
    calibration = Calibration(
        done.answer.setup,
        raw,
        tuple(samples),
        Memory(
            library.static_bytes, done.answer.setup.baseline_rss_kib * 1024, peak * 1024 if peak else None
        ),
        done.started_utc,
    )
    path = calibration_path(ctx, step)
    if ctx.attempt(step) > 1:
        keep_attempt(path, ctx.attempt(step) - 1, ctx.storage)
    data = json.dumps(encode(calibration), indent=1).encode() + b"\n"
    write_atomic(path, data, ctx.storage)
    plan = calibration.plan(ctx.campaign, step.operation or "")
    summary = {
        "t1_ns": plan.t1_ns,
        "setup_ns": plan.setup_ns,
        "trials": plan.trials,
        "iterations": plan.iterations,
    }
    return StepEnd(Outcome.DONE, done.detail, ctx.run.relative(path), sha256_bytes(data), summary)


def calibration_fault(ctx: Context, step: Step) -> StepEnd | None:
    """Why the step's operation cannot be timed: its calibration's outcome, None when it is calibrated."""
    before = ctx.state.steps.get(str(Step(Kind.CALIBRATE, step.scheme, step.instance, step.operation)))
    if before is None or before.outcome is None:
        return StepEnd(Outcome.SKIPPED, "not calibrated")
    if before.outcome is not Outcome.DONE:
        return StepEnd(
            before.outcome, f"in calibration: {before.detail}" if before.detail else "in calibration"
        )
    return None
