"""Run one driver process for a step on the measured core and judge how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ngcctui.engine.child import ChildResult, ChildSpec, Death, run_child, timing_outcome
from ngcctui.engine.child.verdict import near_limit
from ngcctui.engine.context import Context
from ngcctui.engine.driver import Answer, ProtocolError
from ngcctui.engine.frames import Frame
from ngcctui.engine.host import HealthDelta, delta
from ngcctui.model.outcome import Outcome
from ngcctui.model.step import Step

_END_STATUS = {
    "ok": Outcome.DONE,
    "failed": Outcome.FAILED,
    "rejected": Outcome.REJECTED,
    "overflow": Outcome.OVERFLOWED,
    "loadfail": Outcome.FAILED,
    "isolation": Outcome.ENGINE_ERROR,
}


@dataclass(frozen=True)
class Launched:
    """What one driver process said and how it ended; `complete` when its figures are whole.

    `health` is what happened to the host meanwhile, without the time that the process was held.
    """

    answer: Answer
    child: ChildResult
    outcome: Outcome
    detail: str
    started_utc: str = ""
    health: HealthDelta | None = None

    @property
    def complete(self) -> bool:
        """True when the last frame came: the figures stand even if the process died afterwards."""
        return self.answer.end is not None and self.answer.end.status == "ok"


async def launch(ctx: Context, step: Step, keys: Mapping[str, str], limit_s: float) -> Launched:
    """Start the driver with `keys` as soon as the run is not paused, give it `limit_s` seconds to work, and judge it."""
    await ctx.hold.passed()
    started = ctx.journal.clock.utc()
    before = ctx.sample_health()
    ctx.show(step, limit_s)
    with ctx.hold.over(ctx.live_page, ctx.sample_health) as held:
        spec = ChildSpec(
            argv=(*ctx.toolchain.runner, str(ctx.native.driver)),
            job=dict(keys),
            limit_s=limit_s,
            log=ctx.run.child_log(step),
            scratch=ctx.scratch,
            cpu=ctx.core,
            memory_limit_bytes=ctx.memory_limit_bytes,
            seccomp=not ctx.campaign.host.processes,
            live_page=ctx.live_page.path if ctx.live_page else None,
            held_s=held.seconds,
        )
        done = await listen(spec)
    health = delta(before, ctx.sample_health(), held.waits)
    return replace(done, started_utc=started, health=health)


async def listen(spec: ChildSpec) -> Launched:
    """Run a driver process, gather its answer up to the first frame that does not belong, and judge it."""
    answer = Answer()
    broken: list[str] = []

    def take(frame: Frame) -> None:
        try:
            if not broken:
                answer.feed(frame)
        except ProtocolError as error:
            broken.append(str(error))

    child = await run_child(spec, on_frame=take)
    outcome, detail = judge(answer, child, broken[0] if broken else child.malformed)
    return Launched(answer, child, outcome, detail)


def judge(answer: Answer, child: ChildResult, broken: str | None) -> tuple[Outcome, str]:
    """Outcome and one line of detail of a driver process.

    A death after the last frame keeps the figures but is still named: the candidate crashed at exit.
    """
    if child.death is not Death.NORMAL and answer.end is None:
        return timing_outcome(child)
    if broken:
        return Outcome.FAILED, f"the driver's answer is damaged: {broken}"
    if answer.end is None:
        return timing_outcome(child)
    outcome, detail = _END_STATUS.get(answer.end.status, Outcome.ENGINE_ERROR), answer.end.detail
    if outcome is Outcome.FAILED and near_limit(answer.end.vm_peak_kib or 0, answer.end.vm_limit_kib or 0):
        outcome, detail = Outcome.OUT_OF_MEMORY, f"out of memory: {detail}"
    if child.death is not Death.NORMAL:
        death, how = timing_outcome(child)
        outcome = death if outcome is Outcome.DONE else outcome
        detail = "; ".join(part for part in (detail, f"{how} at exit, after the figures") if part)
    if child.survivors:
        left = f"{child.survivors} process{'es' if child.survivors != 1 else ''} left behind, ended"
        detail = f"{detail}; {left}" if detail else left
    return outcome, detail
