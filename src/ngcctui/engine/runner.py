"""The runner: phases of a run, one step after the other, operator requests in between, until nothing is pending."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import Any

from ngcctui.engine import control
from ngcctui.engine.build_step import build
from ngcctui.engine.calibrate_step import calibrate
from ngcctui.engine.context import Context, StepEnd
from ngcctui.engine.kat_step import kat
from ngcctui.engine.measure_step import measure
from ngcctui.engine.noise import noise_floor
from ngcctui.engine.profile_step import profile
from ngcctui.engine.state import Status, failed_steps, pending, with_dependents
from ngcctui.model.errors import NgccError, StorageError
from ngcctui.model.event import EventName
from ngcctui.model.outcome import NOT_TIMED_AFTER, Outcome
from ngcctui.model.step import Kind, Step

Work = Callable[[Context, Step], Coroutine[Any, Any, StepEnd]]

SKIPPED = StepEnd(Outcome.SKIPPED, "skipped by the operator")

_MEASURED: dict[Kind, Work] = {Kind.CALIBRATE: calibrate, Kind.MEASURE: measure, Kind.PROFILE: profile}


class Stopped(Exception):
    """The operator asked to stop: steps without an end run again on resume."""


class Runner:
    """Works off the pending steps of a run; requests come from the monitor between and during steps.

    What is to be skipped or done anew is what the journal says: an accepted request outlives this engine.
    """

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self.stopping = False
        self.done = False
        self._cancelled = False
        self._running: dict[str, asyncio.Future[StepEnd]] = {}
        self._awake = asyncio.Event()

    async def run(self) -> None:
        """Work until nothing is pending; Stopped on request, StorageError when the run cannot be written."""
        while True:
            await self._between()
            todo = pending(self.ctx.state)
            if not todo:
                self.done = True
                return
            builds = [step for step in todo if step.kind is Kind.BUILD]
            kats = [step for step in todo if step.kind is Kind.KAT]
            if builds:
                await self._builds(builds)
            elif kats:
                await self._kats(kats)
            else:
                step = self._next_measured(todo)
                await self._step(step, partial(self._measured, step))

    # requests -------------------------------------------------------------------------------------------------

    @property
    def paused(self) -> bool:
        """True while the operator wants nothing to go on."""
        return self.ctx.hold.asked

    @property
    def held(self) -> bool:
        """True when the pause has reached everything that is at work."""
        return self.paused and self.ctx.hold.waiting >= len(self._running)

    def act(self, asked: control.Request) -> None:
        """Judge one operator request, journal what became of it, and do it."""
        name, argument = asked.name, asked.argument or ""
        why = asked.problem or self._why_not(name, argument)
        data: dict[str, Any] = {
            "request": name,
            "argument": asked.argument,
            "accepted": not why,
            "why": why,
        }
        if name == "retry" and not why:
            data["steps"] = self._anew(argument)
        self.ctx.emit(EventName.CONTROL, None, data)
        if not why:
            self._do(name, argument)

    def _why_not(self, name: str, argument: str) -> str:
        """Why a request is refused; an empty string when it is not."""
        if self.done:
            return "the run has ended"
        if name not in ("skip", "retry") or argument == control.FAILED:
            return ""
        entry = self.ctx.state.steps.get(argument)
        if entry is None:
            return "no such step in this run"
        ended = entry.status is Status.ENDED
        if name == "retry":
            return "" if ended else "the step has not ended yet"
        return "the step has ended already" if ended else ""

    def _anew(self, argument: str) -> list[str]:
        """The steps that `retry ARGUMENT` does anew."""
        state = self.ctx.state
        failed = [str(step) for step in failed_steps(state)]
        return sorted(with_dependents(state, failed if argument == control.FAILED else [argument]))

    def _do(self, name: str, argument: str) -> None:
        if name == "pause":
            self.ctx.hold.ask()
        elif name == "resume":
            self.ctx.hold.release()
        elif name == "stop-now" or (name == "stop" and self.paused):
            self.cancel()  # a step that is held would never end
        elif name == "stop":
            self.stopping = True
        elif name == "skip" and argument in self._running:
            self._running[argument].cancel()
        elif name == "skip":
            self._end_skipped()
        self._awake.set()

    def cancel(self) -> None:
        """End the running children now; their steps keep no end."""
        self.stopping = self._cancelled = True
        self._awake.set()
        for future in self._running.values():
            future.cancel()

    async def _between(self) -> None:
        """Between steps: stop, wait while the run is paused, look at the host's health."""
        self._end_skipped()
        await self._go_on()
        if self.stopping:
            raise Stopped
        self.ctx.watch_health()

    async def _go_on(self) -> None:
        """Wait until the run is not paused, or is to stop."""
        while self.paused and not self.stopping:
            self._awake.clear()
            await self._awake.wait()

    def _end_skipped(self) -> None:
        """End the steps that are to be skipped and do not run."""
        for text in sorted(self.ctx.state.skip):
            entry = self.ctx.state.steps[text]
            if entry.status is not Status.ENDED and text not in self._running:
                self._end_at_once(entry.step, SKIPPED)

    # phases ---------------------------------------------------------------------------------------------------

    async def _builds(self, steps: Sequence[Step]) -> None:
        slots = asyncio.Semaphore(len(self.ctx.cores))

        async def one(step: Step) -> None:
            async with slots:
                if await self._wanted(step):
                    await self._step(step, partial(build, self.ctx, step))

        await self._all([one(step) for step in steps])

    async def _kats(self, steps: Sequence[Step]) -> None:
        free: asyncio.Queue[int] = asyncio.Queue()
        for core in self.ctx.cores:
            free.put_nowait(core)

        async def one(step: Step) -> None:
            cpu = await free.get()
            try:
                if await self._wanted(step):
                    await self._step(step, partial(kat, self.ctx, step, cpu))
            finally:
                free.put_nowait(cpu)

        await self._all([one(step) for step in steps])

    async def _wanted(self, step: Step) -> bool:
        """Wait while the run is paused; False when the step is not to be started any more."""
        await self._go_on()
        return not self.stopping and step in pending(self.ctx.state)

    async def _all(self, work: list[Coroutine[Any, Any, None]]) -> None:
        """Run all to their ends; when one raises, the children of the others are ended before it goes on."""
        tasks = [asyncio.ensure_future(item) for item in work]
        try:
            await asyncio.gather(*tasks)
        except BaseException:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            raise

    def _next_measured(self, todo: Sequence[Step]) -> Step:
        """Calibrations first, then measurements, then profiles, the cheapest first."""
        order = [Kind.CALIBRATE, Kind.MEASURE, Kind.PROFILE]
        kind = min((step.kind for step in todo), key=order.index)
        candidates = [step for step in todo if step.kind is kind]
        return candidates[0] if kind is Kind.CALIBRATE else min(candidates, key=self.ctx.t1_ns)

    async def _measured(self, step: Step) -> StepEnd:
        reason = self._not_timed(step)
        if reason is not None:
            return StepEnd(Outcome.SKIPPED, reason)
        await noise_floor(self.ctx)
        return await _MEASURED[step.kind](self.ctx, step)

    def _not_timed(self, step: Step) -> str | None:
        for kind in (Kind.BUILD, Kind.KAT):
            entry = self.ctx.state.steps.get(str(Step(kind, step.scheme, step.instance)))
            if entry is not None and entry.outcome in NOT_TIMED_AFTER:
                return f"not timed after {entry.outcome.value}"
        return None

    # one step -------------------------------------------------------------------------------------------------

    async def _step(self, step: Step, work: Callable[[], Coroutine[Any, Any, StepEnd]]) -> None:
        self._start(step)
        future = asyncio.ensure_future(work())
        self._running[str(step)] = future
        try:
            end = await future
        except asyncio.CancelledError:
            # Comes only when the work is over, and its children with it: nothing of it may outlive the core's lock.
            if str(step) not in self.ctx.state.skip or self._cancelled:
                raise Stopped from None
            end = SKIPPED
        except StorageError:
            raise
        except NgccError as error:
            end = StepEnd(Outcome.ENGINE_ERROR, str(error))
        except Exception as error:  # noqa: BLE001 - a fault of ours ends the step, not the run
            traceback.print_exc()
            end = StepEnd(Outcome.ENGINE_ERROR, f"{type(error).__name__}: {error}"[:200])
        finally:
            del self._running[str(step)]
        self._end(step, end)

    def _end_at_once(self, step: Step, end: StepEnd) -> None:
        self._start(step)
        self._end(step, end)

    def _start(self, step: Step) -> None:
        entry = self.ctx.state.steps[str(step)]
        attempt = entry.attempt + 1 if entry.status is Status.ENDED else max(1, entry.attempt)
        self.ctx.emit(EventName.STEP_START, step, {"attempt": attempt}, sync=True)

    def _end(self, step: Step, end: StepEnd) -> None:
        data = {
            "outcome": end.outcome.value,
            "detail": end.detail,
            "attempt": self.ctx.attempt(step),
            "file": end.file,
            "sha256": end.sha256,
            "summary": dict(end.summary),
        }
        self.ctx.emit(EventName.STEP_END, step, data, sync=True)
