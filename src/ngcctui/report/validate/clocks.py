"""Clocks over a whole run: all trials saw the same ones."""

from __future__ import annotations

from collections.abc import Iterator

from ngcctui.engine.plan import cycles_per_ns
from ngcctui.engine.stats import median
from ngcctui.model.record import Record, Trial
from ngcctui.report.validate.evidence import Evidence
from ngcctui.report.validate.finding import retry

#: TSC and cntvct run at a fixed rate: over trials that are long enough to tell they keep it, whatever the CPU clock does.
_TICKS_OFF = 0.01
_LONG_NS = 10_000_000
#: The CPU clock may change; a trial at less than half or more than twice the run's usual clock is no trial of that machine.
_CLOCK_OFF = 2.0


def check_clocks(evidence: Evidence) -> None:
    """Name the trials whose ticks or cycles do not fit those of the others."""
    trials = [(step, trial) for step, record in evidence.records.items() for trial in record.trials]
    rates: dict[str, list[float]] = {}
    for _, trial in trials:
        rate = _tick_rate(trial)
        if rate is not None:
            rates.setdefault(trial.tick_source, []).append(rate)
    usual = {source: median(found) for source, found in rates.items()}
    clocks = [clock for _, trial in trials if (clock := cycles_per_ns(trial)) is not None]
    clock = median(clocks) if clocks else None
    for step, record in evidence.records.items():
        entry = evidence.state.steps[str(step)]
        for problem in _problems(record, usual, clock):
            evidence.tell(entry.file or str(step), problem, retry(step))


def _tick_rate(trial: Trial) -> float | None:
    """Ticks a ns of wall time; None when there are none or too few."""
    return trial.ticks / trial.wall_ns if trial.ticks and trial.wall_ns >= _LONG_NS else None


def _problems(record: Record, usual: dict[str, float], clock: float | None) -> Iterator[str]:
    for trial in record.trials:
        name = f"trial {trial.trial}, attempt {trial.attempt}"
        rate = _tick_rate(trial)
        if rate is not None and abs(rate / usual[trial.tick_source] - 1) > _TICKS_OFF:
            yield (
                f"{name}: {trial.tick_source} went {rate:.4g} times a ns, over the run "
                f"{usual[trial.tick_source]:.4g} times: its wall time or its ticks are wrong"
            )
        own = cycles_per_ns(trial)
        if own is not None and clock is not None and not 1 / _CLOCK_OFF <= own / clock <= _CLOCK_OFF:
            yield f"{name}: its clock is {own:.3g} GHz, over the run {clock:.3g} GHz"
