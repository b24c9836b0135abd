"""Everything a run or dataset has to show, read once: journal, campaign, schemes, and the files that the journal names."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from ngcctui.engine.rundir import RunDir
from ngcctui.engine.runstate import RunState, Status, StepState
from ngcctui.engine.store import sha256_bytes
from ngcctui.model.campaign import Campaign
from ngcctui.model.codec import CodecError, decode
from ngcctui.model.errors import ConfigError
from ngcctui.model.record import SCHEMA, ProfileRecord, Record
from ngcctui.model.scheme import Scheme, load_scheme
from ngcctui.model.step import Kind, Step
from ngcctui.report.source import Unreadable, read_regular
from ngcctui.report.validate.finding import RESTORE, UPDATE, Finding, retry
from ngcctui.report.validate.journal import Scan, scan_journal

T = TypeVar("T", Record, ProfileRecord)


@dataclass
class Evidence:
    """What validation looks at; `findings` are collected here.

    `dataset` is True for a published dataset, which holds no sources, build logs and profile libraries.  `digests` are
    those of the files read, by relative path.
    """

    run: RunDir
    dataset: bool
    scan: Scan
    campaign: Campaign | None
    schemes: dict[str, Scheme]
    records: dict[Step, Record] = field(default_factory=dict)
    profiles: dict[Step, ProfileRecord] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)
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
        return self.state.steps.get(str(Step(kind, step.scheme, step.instance, operation)))

    def summary(self, kind: Kind, step: Step) -> dict[str, Any]:
        """Summary of that step; empty when there is none."""
        entry = self.entry(kind, step)
        return entry.summary if entry is not None else {}

    def library(self, step: Step) -> dict[str, Any]:
        """The summary that names the instance's library: the KAT's when it has one, else the build's."""
        kat = self.summary(Kind.KAT, step)
        return kat if kat.get("library") else self.summary(Kind.BUILD, step)

    def read(self, name: str, sha256: str | None, todo: str) -> bytes | None:
        """The file called `name` in the run; None, with a finding, when it is missing or not the one with this digest."""
        try:
            data = read_regular(self.run.inside(name))
        except (Unreadable, ValueError) as error:
            self.tell(name, str(error), todo)
            return None
        found = self.digests[name] = sha256_bytes(data)
        if sha256 is not None and found != sha256:
            self.tell(name, "is not the file that was written (its SHA-256 differs from that in the journal)", todo)
        return data


def gather(run: RunDir, dataset: bool) -> Evidence:
    """Read a run or dataset."""
    scan = scan_journal(run.journal, run.journal.name)
    evidence = Evidence(run, dataset, scan, None, {})
    evidence.findings += scan.findings
    try:
        evidence.campaign = run.campaign()
    except ConfigError as error:
        evidence.tell("campaign.toml", _without(run.path, str(error)), RESTORE)
    _check_campaign(evidence)
    for key in dict.fromkeys(entry.step.scheme for entry in scan.state.steps.values()):
        try:
            evidence.schemes[key] = load_scheme(run.scheme(key), key, sources=not dataset)
        except ConfigError as error:
            evidence.tell(f"schemes/{key}", _without(run.path, str(error)), RESTORE)
    for entry in scan.state.steps.values():
        if entry.step.kind is Kind.MEASURE:
            _take(evidence, entry, Record, evidence.records)
        elif entry.step.kind is Kind.PROFILE:
            _take(evidence, entry, ProfileRecord, evidence.profiles)
    return evidence


def _check_campaign(evidence: Evidence) -> None:
    """The campaign is the one that the last session followed."""
    sessions = evidence.state.sessions
    name = evidence.run.campaign_file.name
    try:
        found = sha256_bytes(read_regular(evidence.run.campaign_file))
    except Unreadable:
        return  # told when it was read
    if sessions and sessions[-1].campaign_sha256 not in ("", found):
        evidence.tell(name, "is not the campaign that the run followed (its SHA-256 differs)", RESTORE)


def _without(path: Path, text: str) -> str:
    """A message without the run's own place in the file system."""
    return text.replace(f"{path}/", "")


def _take(evidence: Evidence, entry: StepState, cls: type[T], into: dict[Step, T]) -> None:
    """Read the record that a step left, when it left one."""
    if entry.status is not Status.ENDED or entry.file is None:
        return
    data = evidence.read(entry.file, entry.sha256, retry(entry.step))
    if data is None:
        return
    record = _decode(evidence, entry, cls, data)
    if record is not None:
        into[entry.step] = record


def _decode(evidence: Evidence, entry: StepState, cls: type[T], data: bytes) -> T | None:
    name = entry.file or ""
    try:
        table = json.loads(data)
        schema = table.get("schema") if isinstance(table, dict) else None
        if type(schema) is int and schema > SCHEMA:
            evidence.tell(name, f"is of schema {schema}, newer than this program knows ({SCHEMA})", UPDATE)
            return None
        return decode(cls, table)
    except CodecError as error:
        evidence.tell(name, f"is no record: {error}", retry(entry.step))
    except (ValueError, RecursionError):
        evidence.tell(name, "is no JSON", retry(entry.step))
    return None


def ended(evidence: Evidence, kind: Kind) -> Iterator[StepState]:
    """The steps of a kind that have ended."""
    for entry in evidence.state.steps.values():
        if entry.step.kind is kind and entry.status is Status.ENDED:
            yield entry
