"""The method of a run: how its figures came about, as plain facts that the method page is printed from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ngcctui.engine.plan import LEAST_CPU_SHARE, MOST_CLOCK_SHIFT
from ngcctui.engine.runstate import RunState
from ngcctui.model.campaign import Campaign, Kat, Planning, ProfilePlan
from ngcctui.model.record import Trial
from ngcctui.report import format as fmt
from ngcctui.report.history import History, Noise
from ngcctui.report.page import Page
from ngcctui.report.source import Measured
from ngcctui.report.tables import Cells, EnvironmentRow, Table
from ngcctui.report.text import outside

#: A reason of a disturbed trial without its figures.
_KIND = re.compile(r"[A-Za-z]+(?:/[A-Za-z]+)?")
_REPLANNED = "replanned"


@dataclass(frozen=True)
class FlagsRow(Cells):
    """How many instances were measured with one set of compiler flags."""

    _code = ()
    flags: str
    instances: int

    def cells(self) -> tuple[str, ...]:
        return self.flags, str(self.instances)


@dataclass(frozen=True)
class NoiseRow(Cells):
    """The reference loop measured against itself: time of a call (ns) as A and as A', and the spread (fraction)."""

    _code = ()
    utc: str
    a_ns: float | None
    b_ns: float | None
    spread: float

    def cells(self) -> tuple[str, ...]:
        return self.utc, fmt.time_ns(self.a_ns, 5), fmt.time_ns(self.b_ns, 5), fmt.deviation(self.spread)


@dataclass(frozen=True)
class DisturbanceRow(Cells):
    """How many trials one reason disturbed: those measured again, and those kept for want of a better one.

    A trial with several reasons counts for each.
    """

    _code = ()
    reason: str
    rejected: int
    kept: int

    def cells(self) -> tuple[str, ...]:
        return self.reason, str(self.rejected), str(self.kept)


@dataclass(frozen=True)
class Trials:
    """Counts over the trials of a run: made, of them planned anew after the first, rejected, kept disturbed."""

    made: int = 0
    replanned: int = 0
    rejected: int = 0
    disturbed: int = 0

    def __add__(self, other: Trials) -> Trials:
        return Trials(
            self.made + other.made,
            self.replanned + other.replanned,
            self.rejected + other.rejected,
            self.disturbed + other.disturbed,
        )


@dataclass(frozen=True)
class Method:
    """What the method page tells.

    `machines` are the architectures measured, `inputs` the input methods of the records; `least_cpu_share` and
    `most_clock_shift` (fractions) are the engine's thresholds of a disturbed trial, `empty_loop_ns` the greatest cost of
    a call in an empty loop that was seen (None: not measured).  `counted` tells that some figures are cycles,
    `shared_process` that the trials of some operation ran in one process.
    """

    run: str
    campaign: str
    version: str
    system: str
    machines: tuple[str, ...]
    sessions: int
    ended: bool
    planning: Planning
    kat: Kat
    profile: ProfilePlan
    profiled: bool
    inputs: tuple[str, ...]
    counter: str
    least_cpu_share: float = LEAST_CPU_SHARE
    most_clock_shift: float = MOST_CLOCK_SHIFT
    core: int | None = None
    cores: int = 0
    memory_limit_mib: int = 0
    processes: bool = False
    host_checked: bool = False
    host_allowed: bool = False
    findings: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    environment: tuple[EnvironmentRow, ...] = ()
    flags: tuple[FlagsRow, ...] = ()
    noise: tuple[NoiseRow, ...] = ()
    trials: Trials = field(default_factory=Trials)
    disturbances: tuple[DisturbanceRow, ...] = ()
    empty_loop_ns: float | None = None
    counted: bool = False
    shared_process: bool = False

    def tables(self) -> tuple[Table, ...]:
        """The tables that have rows, in page order."""
        noise = ("measured (UTC)", "A", "A′", "spread")
        tables = (
            Table("environment", "Host", ("item", "value"), self.environment),
            Table("flags", "Compiler flags", ("flags", "instances"), self.flags),
            Table("noise", "Noise floor", noise, self.noise),
            Table(
                "disturbances", "Disturbed trials", ("reason", "measured again", "kept"), self.disturbances
            ),
        )
        return tuple(table for table in tables if table.rows)


@dataclass(frozen=True)
class Tally:
    """What the method page tells of records, without the records; two of them add up.

    `reasons` counts trials by kind of disturbance: measured again, and kept.
    """

    trials: Trials
    reasons: Mapping[str, tuple[int, int]]
    empty_loop_ns: float | None
    shared_process: bool

    def __add__(self, other: Tally) -> Tally:
        loops = [loop for loop in (self.empty_loop_ns, other.empty_loop_ns) if loop is not None]
        reasons = dict(self.reasons)
        for kind, (again, kept) in other.reasons.items():
            before = reasons.get(kind, (0, 0))
            reasons[kind] = (before[0] + again, before[1] + kept)
        return Tally(
            trials=self.trials + other.trials,
            reasons=reasons,
            empty_loop_ns=max(loops, default=None),
            shared_process=self.shared_process or other.shared_process,
        )


def tally(measured: Iterable[Measured]) -> Tally:
    """Count the trials of all records that are there."""
    records = [item.record for item in measured if item.record]
    trials = [trial for record in records for trial in record.trials]
    return Tally(
        trials=_count(trials),
        reasons=_reasons(trials),
        empty_loop_ns=max(
            (record.empty_loop_ns for record in records if record.empty_loop_ns is not None), default=None
        ),
        shared_process=any(record.plan and not record.plan.separate_processes for record in records),
    )


def describe(
    campaign: Campaign, state: RunState, history: History, pages: Sequence[Page], told: Tally
) -> Method:
    """The method of a run, from its campaign, its journal, its candidate pages and what its records tell."""
    facts = [page.facts for page in pages if page.facts is not None]
    first = facts[0]
    return Method(
        run=first.run,
        campaign=first.campaign,
        version=first.version,
        system=campaign.host.system,
        machines=tuple(dict.fromkeys(fact.machine for fact in facts if fact.machine)),
        sessions=first.sessions,
        ended=first.ended,
        planning=campaign.planning,
        kat=campaign.kat,
        profile=campaign.profile,
        profiled=any(page.profile for page in pages),
        inputs=tuple(dict.fromkeys(name for fact in facts for name in fact.inputs)),
        counter=first.counter,
        core=first.core,
        cores=first.cores,
        memory_limit_mib=first.memory_limit_mib,
        processes=first.processes,
        host_checked=first.host_checked,
        host_allowed=first.host_allowed,
        findings=first.findings,
        changes=first.changes,
        environment=pages[0].environment,
        flags=tuple(_flags(pages)),
        noise=tuple(_noise(entry) for entry in history.noises),
        trials=told.trials,
        disturbances=tuple(_disturbances(told.reasons)),
        empty_loop_ns=told.empty_loop_ns,
        counted=any(row.mean_cycles is not None for page in pages for row in page.performance),
        shared_process=told.shared_process,
    )


def _noise(entry: Noise) -> NoiseRow:
    return NoiseRow(entry.utc[:19], entry.a_ns, entry.b_ns, entry.spread)


def _flags(pages: Iterable[Page]) -> Iterable[FlagsRow]:
    count: dict[str, int] = {}
    for row in (row for page in pages for row in page.libraries):
        count[row.build_flags] = count.get(row.build_flags, 0) + 1
    return (FlagsRow(name, count[name]) for name in sorted(count))


def _count(trials: Sequence[Trial]) -> Trials:
    replanned = [trial for trial in trials if trial.disturbed == (_REPLANNED,)]
    return Trials(
        made=len(trials),
        replanned=len(replanned),
        rejected=sum(not trial.used for trial in trials) - len(replanned),
        disturbed=sum(trial.used and bool(trial.disturbed) for trial in trials),
    )


def _reasons(trials: Iterable[Trial]) -> dict[str, tuple[int, int]]:
    count: dict[str, tuple[int, int]] = {}
    for trial in (trial for trial in trials if trial.disturbed):
        for kind in {_kind(reason) for reason in trial.disturbed} - {_REPLANNED}:
            again, kept = count.get(kind, (0, 0))
            count[kind] = (again + (not trial.used), kept + trial.used)
    return count


def _disturbances(reasons: Mapping[str, tuple[int, int]]) -> Iterable[DisturbanceRow]:
    """Counts by kind of reason (`cpu/wall`, `steal`), most frequent first."""
    ordered = sorted(reasons.items(), key=lambda entry: (-sum(entry[1]), entry[0]))
    return (DisturbanceRow(kind, *numbers) for kind, numbers in ordered)


def _kind(reason: str) -> str:
    found = _KIND.match(reason)
    return found[0] if found else outside(reason)
