"""Clocks over a whole session: all its trials saw the same ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ngcctui.engine.plan import cycles_per_ns
from ngcctui.engine.stats import median
from ngcctui.model.record import Record, Trial
from ngcctui.report.validate.evidence import Evidence
from ngcctui.report.validate.finding import retry

#: TSC and cntvct run at a fixed rate: over trials that are long enough to tell they keep it, whatever the CPU clock does.
_TICKS_OFF = 0.01
_LONG_NS = 10_000_000
#: The CPU clock may change; a trial at less than half or more than twice the usual clock is no trial of that machine.
_CLOCK_OFF = 2.0


@dataclass
class _Clocks:
    """What the clocks of one session did: ticks a ns by their source, cycles a ns."""

    ticks: dict[str, list[float]] = field(default_factory=dict)
    cycles: list[float] = field(default_factory=list)


def check_clocks(evidence: Evidence) -> None:
    """Name the trials whose ticks or cycles do not fit those of the others in their session (a later one may follow a reboot)."""
    sessions: dict[int, _Clocks] = {}
    entries = {step: evidence.steps[step] for step in evidence.records}
    for step, record in evidence.records.items():
        clocks = sessions.setdefault(entries[step].session, _Clocks())
        for trial in record.trials:
            rate, clock = _tick_rate(trial), cycles_per_ns(trial)
            if rate is not None:
                clocks.ticks.setdefault(trial.tick_source, []).append(rate)
            if clock is not None:
                clocks.cycles.append(clock)
    usual = {number: _usual(clocks) for number, clocks in sessions.items()}
    for step, record in evidence.records.items():
        for problem in _problems(record, *usual[entries[step].session]):
            evidence.tell(entries[step].file or str(step), problem, retry(step))


def _usual(clocks: _Clocks) -> tuple[dict[str, float], float | None]:
    """The medians."""
    ticks = {source: median(rates) for source, rates in clocks.ticks.items()}
    return ticks, median(clocks.cycles) if clocks.cycles else None


def _tick_rate(trial: Trial) -> float | None:
    """Ticks a ns of wall time; None when there are none or too few."""
    return trial.ticks / trial.wall_ns if trial.ticks and trial.wall_ns >= _LONG_NS else None


def _problems(record: Record, usual: dict[str, float], clock: float | None) -> Iterator[str]:
    for trial in record.trials:
        name = f"trial {trial.trial}, attempt {trial.attempt}"
        rate = _tick_rate(trial)
        if rate is not None and abs(rate / usual[trial.tick_source] - 1) > _TICKS_OFF:
            yield (
                f"{name}: {trial.tick_source} went {rate:.4g} times a ns, over its session "
                f"{usual[trial.tick_source]:.4g} times: its wall time or its ticks are wrong"
            )
        own = cycles_per_ns(trial)
        if own is not None and clock is not None and not 1 / _CLOCK_OFF <= own / clock <= _CLOCK_OFF:
            yield f"{name}: its clock is {own:.3g} GHz, over its session {clock:.3g} GHz"
