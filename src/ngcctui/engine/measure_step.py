"""The measure step: trials in fresh processes on the measured core, disturbed ones repeated, one record written."""

from __future__ import annotations

import itertools
import json
from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ngcctui.engine import driver
from ngcctui.engine.build_step import library_of
from ngcctui.engine.calibrate_step import Calibration, calibration_fault, read_calibration
from ngcctui.engine.context import Context, StepEnd
from ngcctui.engine.driver import RawTrial
from ngcctui.engine.host import HealthDelta
from ngcctui.engine.launch import Launched, launch
from ngcctui.engine.plan import choose_attempt, cycles_per_ns, disturbed, needs_replan
from ngcctui.engine.stats import TrialSamples, statistics
from ngcctui.engine.store import keep_attempt, sha256_bytes, write_atomic, write_samples
from ngcctui.model.codec import encode
from ngcctui.model.event import EventName
from ngcctui.model.outcome import Outcome
from ngcctui.model.record import Health, LibraryInfo, Memory, Plan, Record, Statistics, Trial
from ngcctui.model.step import Step

#: Marks the first trial when it showed that the calibration was off: it then counts as a calibration.
REPLANNED = ("replanned",)


@dataclass
class Series:
    """The trials of one operation while they are made, each with its samples (ns a batch)."""

    plan: Plan
    trials: list[Trial] = field(default_factory=list)
    samples: list[array[int]] = field(default_factory=list)
    memory: Memory = field(default_factory=Memory)
    sizes: dict[str, int] = field(default_factory=dict)
    empty_loop_ns: float | None = None
    outcome: Outcome = Outcome.DONE
    detail: str = ""
    signal: str | None = None

    @property
    def timed_ns(self) -> int:
        """Wall time of all attempts so far, ns."""
        return sum(trial.wall_ns for trial in self.trials)

    @property
    def failed(self) -> bool:
        """True when a trial has ended without whole figures: no more are made."""
        return self.outcome is not Outcome.DONE and self.signal is None


async def measure(ctx: Context, step: Step) -> StepEnd:
    """Measure one operation and write its record and samples; the outcome is the record's."""
    started = ctx.journal.clock.utc()
    library = library_of(ctx, step)
    fault = calibration_fault(ctx, step)
    if fault is not None or library is None:
        return fault or StepEnd(Outcome.SKIPPED, "no library")
    calibration = read_calibration(ctx, step)
    if calibration is None:
        return StepEnd(
            Outcome.ENGINE_ERROR, "the calibration's file is missing or damaged: retry the calibration"
        )
    series = Series(calibration.plan(ctx.campaign, step.operation or ""))
    _note_setup(series, calibration.setup)
    if series.plan.reuse_calibration:
        _reuse(series, calibration)
    elif series.plan.separate_processes:
        await _separate_trials(ctx, step, library, calibration, series)
    else:
        await _shared_trials(ctx, step, library, series)
    return _write(ctx, step, library, series, started)


def _note_setup(series: Series, setup: driver.Setup) -> None:
    lengths = {"public_key": setup.public_key, "secret_key": setup.secret_key, "signature": setup.signature}
    series.sizes = {name: value for name, value in lengths.items() if value}
    series.empty_loop_ns = setup.empty_loop_ns


def _reuse(series: Series, calibration: Calibration) -> None:
    """One trial of one call without warm-up is the calibration call itself."""
    trial = _trial(calibration.trial, None, 1, calibration.started_utc, 0)
    series.trials.append(replace(trial, trial=1))
    series.samples.append(array("Q", calibration.samples))
    series.memory = calibration.memory


async def _separate_trials(
    ctx: Context, step: Step, library: LibraryInfo, calibration: Calibration, series: Series
) -> None:
    replanned = False
    number = 0
    while number < series.plan.trials and not series.failed:
        first = len(series.trials)
        for attempt in itertools.count(1):
            if not await _process(ctx, step, library, series, number, attempt, 1):
                return
            last = series.trials[-1]
            if number == 0 and attempt == 1 and not replanned:
                mean_ns = _mean_ns(series, first)
                if needs_replan(series.plan, mean_ns):
                    replanned = True
                    series.trials[-1] = replace(last, used=False, disturbed=REPLANNED)
                    series.plan = calibration.plan(ctx.campaign, step.operation or "", mean_ns)
                    break
            planning = ctx.campaign.planning
            too_long = series.timed_ns + last.wall_ns > planning.budget_s * 1e9
            if not last.disturbed or attempt > planning.repeats or too_long:
                break
        if series.trials[first].disturbed != REPLANNED:
            series.trials[first:] = choose_attempt(series.trials[first:])
            number += 1
        for trial, samples in zip(series.trials[first:], series.samples[first:], strict=True):
            _journal_trial(ctx, step, series.plan, trial, samples)


async def _shared_trials(ctx: Context, step: Step, library: LibraryInfo, series: Series) -> None:
    """A long set-up is paid once: all trials in one process, disturbed ones are only flagged."""
    await _process(ctx, step, library, series, 0, 1, series.plan.trials)
    for trial, samples in zip(series.trials, series.samples, strict=True):
        _journal_trial(ctx, step, series.plan, trial, samples)


async def _process(
    ctx: Context, step: Step, library: LibraryInfo, series: Series, first: int, attempt: int, trials: int
) -> bool:
    """Run one driver process and take its trials; False when it gave no whole figures."""
    done = await launch(ctx, step, _job(ctx, step, library, series.plan, first, trials), series.plan.limit_s)
    if done.outcome is not Outcome.DONE or done.detail:
        _note_fault(series, done)
    whole = done.complete and len(done.answer.trials) == trials and done.answer.setup is not None
    if not whole:
        series.outcome = Outcome.FAILED if series.outcome is Outcome.DONE else series.outcome
        series.signal = None
    for raw, samples in done.answer.trials:
        trial = _trial(raw, done.health, attempt, done.started_utc, done.child.pid)
        reasons = disturbed(trial, ctx.median_cycles_per_ns(), ctx.core)
        series.trials.append(replace(trial, disturbed=reasons, used=whole))
        series.samples.append(samples)
        clock = cycles_per_ns(trial)
        if clock is not None and not reasons:
            ctx.cycles_per_ns.append(clock)
    if whole:
        _note_memory(series, done, library)
    return whole


def _note_fault(series: Series, done: Launched) -> None:
    series.detail = series.detail or done.detail
    if done.outcome is not Outcome.DONE:
        series.outcome = done.outcome
        # figures that were whole before the process died at exit stay; the signal says so
        series.signal = (done.child.signal or "exit") if done.complete else None


def _note_memory(series: Series, done: Launched, library: LibraryInfo) -> None:
    """Keep baseline and peak of the process with the highest peak: both from one process."""
    setup, end = done.answer.setup, done.answer.end
    if setup is None or end is None or end.peak_rss_kib is None:
        return
    _note_setup(series, setup)
    peak = end.peak_rss_kib * 1024
    if series.memory.peak_rss_bytes is None or peak > series.memory.peak_rss_bytes:
        series.memory = Memory(library.static_bytes, setup.baseline_rss_kib * 1024, peak)


def _job(
    ctx: Context, step: Step, library: LibraryInfo, plan: Plan, first: int, trials: int
) -> Mapping[str, str]:
    scheme = ctx.schemes[step.scheme]
    return driver.job(scheme, scheme.instance(step.instance), ctx.operation(step), ctx.campaign) | {
        "mode": "measure",
        "library": str(ctx.run.path / library.path),
        "trial": str(first),
        "trials": str(trials),
        "iterations": str(plan.iterations),
        "warmups": str(plan.warmups),
        "batch": str(plan.batch),
        "counter": ctx.counter.spec,
    }


def _trial(raw: RawTrial, health: HealthDelta | None, attempt: int, started: str, pid: int) -> Trial:
    return Trial(
        trial=raw.trial + 1,
        attempt=attempt,
        iterations=raw.iterations,
        batch=raw.batch,
        wall_ns=raw.wall_ns,
        cpu_ns=raw.cpu_ns,
        cycles=raw.cycles,
        counter=raw.counter,
        ticks=raw.ticks,
        tick_source=raw.tick_source,
        health=Health(
            raw.cpu_before,
            raw.cpu_after,
            raw.voluntary_switches,
            raw.involuntary_switches,
            raw.minor_faults,
            raw.major_faults,
            health.throttle if health else None,
            health.steal_ticks if health else None,
            health.swap_pages if health else None,
        ),
        retries=raw.retries,
        rejected=raw.rejected,
        failures=raw.failures,
        started_utc=started,
        load_average=health.load_average if health else 0.0,
        frequency_khz=health.frequency_khz if health else None,
        samples=raw.samples,
        pid=pid,
        held_ns=raw.held_ns,
    )


def _mean_ns(series: Series, index: int) -> float:
    return sum(series.samples[index]) / series.trials[index].iterations


def _journal_trial(ctx: Context, step: Step, plan: Plan, trial: Trial, samples: array[int]) -> None:
    data = {
        "trial": trial.trial,
        "trials": plan.trials,
        "attempt": trial.attempt,
        "mean_ns": sum(samples) / trial.iterations,
        "wall_ns": trial.wall_ns,
        "cpu_ns": trial.cpu_ns,
        "disturbed": list(trial.disturbed),
        "used": trial.used,
    }
    ctx.emit(EventName.TRIAL, step, data)


def _write(ctx: Context, step: Step, library: LibraryInfo, series: Series, started: str) -> StepEnd:
    """Write samples and record, each whole or not at all, and sum them up for the journal."""
    operation = step.operation or ""
    path = ctx.run.record(step.scheme, step.instance, operation)
    samples_path = ctx.run.samples(step.scheme, step.instance, operation)
    attempt = ctx.attempt(step)
    if attempt > 1:
        keep_attempt(path, attempt - 1, ctx.storage)
    figures = None
    if series.outcome is Outcome.DONE or series.signal is not None:
        used = [
            TrialSamples(t.iterations, t.batch, s, t.cycles if t.counter == "cycles" else None)
            for t, s in zip(series.trials, series.samples, strict=True)
            if t.used
        ]
        shared = not series.plan.separate_processes
        figures = statistics(used, inputs=ctx.campaign.inputs, operation=operation, shared_process=shared)
    digest = write_samples(samples_path, series.samples, ctx.storage) if series.samples else None
    record = Record(
        step=str(step),
        scheme=step.scheme,
        instance=step.instance,
        operation=operation,
        outcome=series.outcome,
        detail=series.detail,
        flags=library.flags,
        inputs=ctx.campaign.inputs.value,
        message_bytes=ctx.operation(step).message_bytes,
        library=library.path,
        library_sha256=library.sha256,
        kat=ctx.kat_label(step),
        attempt=attempt,
        started_utc=started,
        ended_utc=ctx.journal.clock.utc(),
        command=f"ngcctui run campaign.toml --only {step.scheme}/{step.instance}/{operation}",
        environment=ctx.environment,
        plan=series.plan,
        trials=_with_offsets(series),
        memory=series.memory,
        sizes=series.sizes,
        statistics=figures,
        samples_file=ctx.run.relative(samples_path) if digest else None,
        samples_sha256=digest,
        retries=sum(t.retries for t in series.trials if t.used),
        rejected=sum(t.rejected for t in series.trials),
        rejected_trials=sum(1 for t in series.trials if not t.used and t.disturbed != REPLANNED),
        empty_loop_ns=series.empty_loop_ns,
        signal=series.signal,
    )
    data = json.dumps(encode(record), indent=1, allow_nan=False).encode() + b"\n"
    write_atomic(path, data, ctx.storage)
    summary = _summary(record, figures)
    return StepEnd(series.outcome, series.detail, ctx.run.relative(path), sha256_bytes(data), summary)


def _with_offsets(series: Series) -> tuple[Trial, ...]:
    placed, offset = [], 0
    for trial in series.trials:
        placed.append(replace(trial, samples_offset=offset))
        offset += trial.samples
    return tuple(placed)


def _summary(record: Record, figures: Statistics | None) -> dict[str, object]:
    plan = record.plan
    return {
        "mean_ns": figures.mean_ns if figures else None,
        "low_ns": figures.interval_low_ns if figures else None,
        "high_ns": figures.interval_high_ns if figures else None,
        "mean_cycles": figures.mean_cycles if figures else None,
        "low_cycles": figures.interval_low_cycles if figures else None,
        "high_cycles": figures.interval_high_cycles if figures else None,
        "n": figures.calls if figures else 0,
        "distinct_calls": figures.distinct_calls if figures else 0,
        "trials": plan.trials if plan else 0,
        "iterations": plan.iterations if plan else 0,
        "rejected": record.rejected,
        "retries": record.retries,
        "rejected_trials": record.rejected_trials,
    }
