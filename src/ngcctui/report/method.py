"""The method of a run: how its figures came about, as plain facts that the method page is printed from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
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


def describe(
    campaign: Campaign, state: RunState, history: History, pages: Sequence[Page], measured: Sequence[Measured]
) -> Method:
    """The method of a run, from its campaign, its journal, its candidate pages and its records."""
    facts = [page.facts for page in pages if page.facts is not None]
    trials = [trial for item in measured if item.record for trial in item.record.trials]
    loops = [item.record.empty_loop_ns for item in measured if item.record]
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
        trials=_count(trials),
        disturbances=tuple(_disturbances(trials)),
        empty_loop_ns=max((loop for loop in loops if loop is not None), default=None),
        counted=any(row.mean_cycles is not None for page in pages for row in page.performance),
        shared_process=any(
            item.record.plan and not item.record.plan.separate_processes for item in measured if item.record
        ),
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


def _disturbances(trials: Iterable[Trial]) -> Iterable[DisturbanceRow]:
    """Counts by kind of reason (`cpu/wall`, `steal`), most frequent first."""
    count: dict[str, list[int]] = {}
    for trial in (trial for trial in trials if trial.disturbed):
        for kind in {_kind(reason) for reason in trial.disturbed} - {_REPLANNED}:
            count.setdefault(kind, [0, 0])[trial.used] += 1
    ordered = sorted(count.items(), key=lambda entry: (-sum(entry[1]), entry[0]))
    return (DisturbanceRow(kind, *numbers) for kind, numbers in ordered)


def _kind(reason: str) -> str:
    found = _KIND.match(reason)
    return found[0] if found else outside(reason)
