"""Everything a run or dataset has to show, read once: journal, campaign, schemes, and the files that the journal names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ngcctui.engine.rundir import RunDir
from ngcctui.engine.runstate import RunState, Status, StepState
from ngcctui.engine.store import sha256_bytes
from ngcctui.model.campaign import Campaign
from ngcctui.model.errors import ConfigError
from ngcctui.model.record import ProfileRecord, Record
from ngcctui.model.scheme import Scheme
from ngcctui.model.step import Kind, Step
from ngcctui.report.readings import Readings
from ngcctui.report.source import Measured, Profiled, Unreadable, read_regular
from ngcctui.report.validate.finding import RESTORE, Finding, retry
from ngcctui.report.validate.journal import Scan, scan_journal
from ngcctui.report.validate.privacy import Private, Scanner


@dataclass
class Evidence:
    """What validation looks at; `findings` are collected here.

    `dataset` is True for a published dataset, which holds no sources, build logs and profile libraries.  `digests` are
    those of the files read, by relative path; `steps` are those of the journal.
    """

    run: RunDir
    dataset: bool
    scan: Scan
    readings: Readings
    scanner: Scanner
    campaign: Campaign | None = None
    schemes: dict[str, Scheme] = field(default_factory=dict)
    records: dict[Step, Record] = field(default_factory=dict)
    profiles: dict[Step, ProfileRecord] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)
    steps: dict[Step, StepState] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    @property
    def state(self) -> RunState:
        """The fold of the journal."""
        return self.scan.state

    def tell(self, where: str, what: str, todo: str) -> None:
        """Add a finding."""
        self.findings.append(Finding(where, what, todo))

    def entry(self, kind: Kind, step: Step) -> StepState | None:
        """The state of the step of another kind that `step` follows from."""
        operation = None if kind in (Kind.BUILD, Kind.KAT) else step.operation
        return self.steps.get(Step(kind, step.scheme, step.instance, operation))

    def summary(self, kind: Kind, step: Step) -> dict[str, Any]:
        """Summary of that step; empty when there is none."""
        entry = self.entry(kind, step)
        return entry.summary if entry is not None else {}

    def library(self, step: Step) -> dict[str, Any]:
        """The summary that names the instance's library: the KAT's when it has one, else the build's."""
        kat = self.summary(Kind.KAT, step)
        return kat if kat.get("library") else self.summary(Kind.BUILD, step)

    def read(self, name: str, sha256: str | None, todo: str, *, shown: bool = True) -> bytes | None:
        """The file called `name` in the run; None, with a finding, when it is missing or not the one with this digest.

        `shown` tells that publishing copies it, so that nothing private may be in it.
        """
        try:
            data = read_regular(self.run.inside(name))
        except (Unreadable, ValueError) as error:
            self.tell(name, str(error), todo)
            return None
        found = self.digests[name] = sha256_bytes(data)
        if shown:
            self.scanner.look(name, data)
        if sha256 is not None and found != sha256:
            self.tell(name, "is not the file that the journal names (its SHA-256 differs)", todo)
            return None
        return data


def gather(run: RunDir, dataset: bool, private: Private) -> Evidence:
    """Read a run or dataset."""
    scanner = Scanner(private)
    scan = scan_journal(run.journal, run.journal.name)
    readings = Readings(run, scan.state, scan.history, scanner.look)
    evidence = Evidence(run, dataset, scan, readings, scanner)
    evidence.findings += scan.findings
    evidence.steps = {entry.step: entry for entry in scan.state.steps.values()}
    try:
        evidence.campaign = run.campaign()
        scanner.allow(evidence.campaign.host.system, evidence.campaign.name)
    except ConfigError as error:
        evidence.tell("campaign.toml", _without(run.path, str(error)), RESTORE)
    scanner.look(run.journal.name, scan.data)
    _check_campaign(evidence)
    for key in dict.fromkeys(entry.step.scheme for entry in scan.state.steps.values()):
        try:
            evidence.schemes[key] = readings.scheme(key)
            evidence.read(f"schemes/{key}/scheme.toml", None, RESTORE)
        except ConfigError as error:
            evidence.tell(f"schemes/{key}", _without(run.path, str(error)), RESTORE)
    for entry in scan.state.steps.values():
        _take(evidence, entry)
    return evidence


def _check_campaign(evidence: Evidence) -> None:
    """The campaign is the one that the last session followed."""
    sessions = evidence.state.sessions
    name = evidence.run.campaign_file.name
    if evidence.run.campaign_file.exists():
        evidence.read(name, None, RESTORE)
    if sessions and sessions[-1].campaign_sha256 not in ("", evidence.digests.get(name, "")):
        evidence.tell(name, "is not the campaign that the run followed (its SHA-256 differs)", RESTORE)


def _without(path: Path, text: str) -> str:
    """A message without the run's own place in the file system."""
    return text.replace(f"{path}/", "")


def _take(evidence: Evidence, entry: StepState) -> None:
    """Read the record or profile that a step left."""
    step = entry.step
    taken: Measured | Profiled
    if step.kind is Kind.MEASURE:
        taken = measured = evidence.readings.measured(entry)
        if measured.record is not None:
            evidence.records[step] = measured.record
    elif step.kind is Kind.PROFILE:
        taken = profiled = evidence.readings.profiled(entry)
        if profiled.record is not None:
            evidence.profiles[step] = profiled.record
    else:
        return
    if taken.problem:
        where = entry.file or str(step)
        what = taken.problem.removeprefix(f"{where} ").removeprefix(f"{step}: ")
        evidence.tell(where, what, retry(step))


def ended(evidence: Evidence, kind: Kind) -> Iterator[StepState]:
    """The steps of a kind that have ended."""
    for entry in evidence.state.steps.values():
        if entry.step.kind is kind and entry.status is Status.ENDED:
            yield entry
