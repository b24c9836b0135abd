"""The profile step: the share of an operation that is spent in the ICCS helper functions."""

from __future__ import annotations

import json
from typing import Any

from ngcctui.engine import driver
from ngcctui.engine.build_step import library_of
from ngcctui.engine.calibrate_step import calibration_fault, read_calibration
from ngcctui.engine.context import Context, StepEnd
from ngcctui.engine.driver import RawProfile
from ngcctui.engine.launch import launch
from ngcctui.engine.plan import WARM_UP_1_BELOW_S, profile_iterations
from ngcctui.engine.store import keep_attempt, sha256_bytes, write_atomic
from ngcctui.model.codec import encode
from ngcctui.model.outcome import Outcome
from ngcctui.model.record import ProfileCall, ProfileRecord
from ngcctui.model.step import Step

FUNCTIONS = ("pseudohash", "pseudoXOF", "sm3hash", "sm3stream", "drng")


async def profile(ctx: Context, step: Step) -> StepEnd:
    """Profile one operation with the wrapped library and write its profile record."""
    started = ctx.journal.clock.utc()
    fault = calibration_fault(ctx, step)
    calibration = read_calibration(ctx, step)
    library = library_of(ctx, step)
    if fault is not None:
        return StepEnd(Outcome.SKIPPED, f"{fault.outcome.value} {fault.detail}")
    if calibration is None or library is None or library.profile_path is None:
        return StepEnd(Outcome.SKIPPED, "no calibration or no wrapped library")
    scheme = ctx.schemes[step.scheme]
    t1_ns = calibration.t1_ns(ctx.campaign.planning.mode)
    setup_s = calibration.setup.setup_ns / 1e9
    iterations = profile_iterations(t1_ns, ctx.campaign.profile)
    keys = driver.job(scheme, scheme.instance(step.instance), ctx.operation(step), ctx.campaign) | {
        "mode": "profile",
        "library": str(ctx.run.path / library.profile_path),
        "iterations": str(iterations),
        "warmups": "1" if t1_ns < WARM_UP_1_BELOW_S * 1e9 else "0",
        "trial": "0",
        "counter": "none",
    }
    setup_s *= min(iterations, driver.most_inputs(step.operation or "", ctx.campaign))
    limit_s = 3 * (iterations * t1_ns / 1e9 + setup_s) + ctx.campaign.planning.limit_slack_s
    done = await launch(ctx, step, keys, limit_s)
    raw = done.answer.profile
    outcome, detail = done.outcome, done.detail
    if outcome is Outcome.DONE and raw is None:
        outcome, detail = Outcome.FAILED, "no profile in the driver's answer"
    record = ProfileRecord(
        step=str(step),
        scheme=step.scheme,
        instance=step.instance,
        operation=step.operation or "",
        outcome=outcome,
        detail=detail or (raw.why if raw else ""),
        library_sha256=library.profile_sha256 or "",
        started_utc=started,
        ended_utc=ctx.journal.clock.utc(),
        environment=ctx.environment,
        attempt=ctx.attempt(step),
        **(_figures(raw) if raw is not None and done.complete else {}),
    )
    path = ctx.run.profile(step.scheme, step.instance, step.operation or "")
    if record.attempt > 1:
        keep_attempt(path, record.attempt - 1, ctx.storage)
    data = json.dumps(encode(record), indent=1, allow_nan=False).encode() + b"\n"
    write_atomic(path, data, ctx.storage)
    summary = {
        "hash_share": record.hash_share,
        "drng_share": record.drng_share,
        "operations": record.operations,
    }
    return StepEnd(outcome, record.detail, ctx.run.relative(path), sha256_bytes(data), summary)


def _figures(raw: RawProfile) -> dict[str, Any]:
    """The record's fields from the driver's rows; shares only when the self-check proved interception."""
    calls = tuple(
        ProfileCall(str(name), int(in_bits), int(out_bits), int(count), int(ticks))
        for name, in_bits, out_bits, count, ticks in raw.calls
        if name in FUNCTIONS
    )
    hash_ticks = sum(c.ticks for c in calls if c.function != "drng")
    drng_ticks = sum(c.ticks for c in calls if c.function == "drng")
    known = raw.intercepted and raw.total_ticks > 0 and not raw.overflow_calls
    return {
        "operations": raw.operations,
        "warmups": raw.warmups,
        "total_ticks": raw.total_ticks,
        "tick_source": raw.tick_source,
        "intercepted": raw.intercepted,
        "overflow_calls": raw.overflow_calls,
        "calls": calls,
        "hash_share": hash_ticks / raw.total_ticks if known else None,
        "drng_share": drng_ticks / raw.total_ticks if known else None,
    }
