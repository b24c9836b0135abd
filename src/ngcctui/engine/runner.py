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

_MEASURED: dict[Kind, Work] = {Kind.CALIBRATE: calibrate, Kind.MEASURE: measure, Kind.PROFILE: profile}


class Stopped(Exception):
    """The operator asked to stop: steps without an end run again on resume."""


class Runner:
    """Works off the pending steps of a run; `requests` come from the monitor between and during steps."""

    def __init__(self, ctx: Context, retry: Sequence[str] = ()) -> None:
        self.ctx = ctx
        self.retry: set[str] = set(retry)
        self.skip: set[str] = set()
        self.paused = False
        self.stopping = False
        self._running: dict[str, asyncio.Future[StepEnd]] = {}
        self._awake = asyncio.Event()

    async def run(self) -> None:
        """Work until nothing is pending; Stopped on request, StorageError when the run cannot be written."""
        while True:
            await self._between()
            todo = pending(self.ctx.state, self.retry)
            if not todo:
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

    def request(self, asked: control.Request) -> tuple[bool, str]:
        """Act on one operator request; True when accepted, and why not otherwise."""
        name, argument = asked.name, asked.argument
        if name in ("skip", "retry"):
            return self._mark(name, argument or "")
        if name == "pause":
            self.paused = True
        elif name == "resume":
            self.paused = False
        elif name in ("stop", "stop-now"):
            self.stopping = True
            if name == "stop-now":
                self.cancel()
        self._awake.set()
        return True, ""

    def cancel(self) -> None:
        """End the running children now; their steps keep no end."""
        self.stopping = True
        self._awake.set()
        for future in self._running.values():
            future.cancel()

    def _mark(self, name: str, argument: str) -> tuple[bool, str]:
        state = self.ctx.state
        if name == "retry" and argument == "failed":
            failed = [str(step) for step in failed_steps(state)]
            self.retry |= with_dependents(state, failed)
            return True, ""
        if argument not in state.steps:
            return False, "no such step in this run"
        status = state.steps[argument].status
        if name == "retry":
            if status is not Status.ENDED:
                return False, "the step has not ended yet"
            self.retry |= with_dependents(state, [argument])
        else:
            if status is Status.ENDED:
                return False, "the step has ended already"
            self.skip.add(argument)
            if argument in self._running:
                self._running[argument].cancel()
        self._awake.set()
        return True, ""

    async def _between(self) -> None:
        """Between steps: stop, pause, end what is to be skipped, look at the host's health."""
        while True:
            if self.stopping:
                raise Stopped
            for text in sorted(self.skip):
                entry = self.ctx.state.steps[text]
                if entry.status is not Status.ENDED and text not in self._running:
                    self._end_at_once(entry.step, StepEnd(Outcome.SKIPPED, "skipped by the operator"))
            self.skip.clear()
            if not self.paused:
                break
            self._awake.clear()
            await self._awake.wait()
        self.ctx.watch_health()

    # phases ---------------------------------------------------------------------------------------------------

    async def _builds(self, steps: Sequence[Step]) -> None:
        slots = asyncio.Semaphore(len(self.ctx.cores))

        async def one(step: Step) -> None:
            async with slots:
                if not self.stopping and str(step) not in self.skip:
                    await self._step(step, partial(build, self.ctx, step))

        await self._all([one(step) for step in steps])

    async def _kats(self, steps: Sequence[Step]) -> None:
        free: asyncio.Queue[int] = asyncio.Queue()
        for core in self.ctx.cores:
            free.put_nowait(core)

        async def one(step: Step) -> None:
            cpu = await free.get()
            try:
                if not self.stopping and str(step) not in self.skip:
                    await self._step(step, partial(kat, self.ctx, step, cpu))
            finally:
                free.put_nowait(cpu)

        await self._all([one(step) for step in steps])

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
            future.cancel()
            # its children are ended before the step is: nothing of it may outlive the core's lock
            await asyncio.wait({future})
            if str(step) not in self.skip or self.stopping:
                raise Stopped from None
            end = StepEnd(Outcome.SKIPPED, "skipped by the operator")
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
        self.retry.discard(str(step))
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
