"""The noise floor of a run: a built-in reference loop measured against itself, at the start and daily."""

from __future__ import annotations

from ngcctui.engine.child import ChildSpec
from ngcctui.engine.context import Context
from ngcctui.engine.launch import listen
from ngcctui.engine.stats import median
from ngcctui.model.event import EventName
from ngcctui.model.outcome import Outcome

PERIOD_NS = 24 * 3600 * 1_000_000_000
#: Interleaved pairs of processes, and calls of the reference loop (about 1 ms each) in every process.
PAIRS = 3
CALLS = 20
LIMIT_S = 60.0


async def noise_floor(ctx: Context) -> None:
    """Measure A and A' when the run has no spread yet or one that is a day old, and journal it."""
    now_ns = ctx.journal.clock.epoch_ns()
    last_ns = ctx.noise_ns if ctx.noise_ns is not None else ctx.state.noise.get("epoch_ns")
    if last_ns is not None and 0 <= now_ns - last_ns < PERIOD_NS:
        return
    ctx.noise_ns = now_ns
    means: tuple[list[float], list[float]] = ([], [])
    for number in range(2 * PAIRS):
        mean = await _reference(ctx)
        if mean is None:
            ctx.warn("noise", "the reference loop gave no figures: the noise floor of this run is unknown")
            return
        means[number % 2].append(mean)
    a_ns, b_ns = median(means[0]), median(means[1])
    noise = {"a_ns": a_ns, "b_ns": b_ns, "spread": abs(a_ns / b_ns - 1.0), "epoch_ns": now_ns}
    ctx.emit(EventName.HOST, None, ctx.host_facts | {"noise": noise})


async def _reference(ctx: Context) -> float | None:
    """Mean time of one call of the reference loop in one fresh process, ns; waits while the run is paused."""
    await ctx.hold.passed()
    spec = ChildSpec(
        argv=(*ctx.toolchain.runner, str(ctx.native.driver)),
        job={
            "mode": "reference",
            "iterations": str(CALLS),
            "warmups": "3",
            "batch": "1",
            "counter": "none",
        },
        limit_s=LIMIT_S,
        log=None,
        scratch=ctx.scratch,
        cpu=ctx.core,
        memory_limit_bytes=ctx.memory_limit_bytes,
    )
    done = await listen(spec)
    if done.outcome is not Outcome.DONE or not done.answer.trials:
        return None
    raw, samples = done.answer.trials[0]
    return sum(samples) / raw.iterations
