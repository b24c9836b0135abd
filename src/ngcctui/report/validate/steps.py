"""Completeness: everything that was selected was done, and left what it should, or says why not."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from ngcctui.engine.runstate import Status, StepState
from ngcctui.model.outcome import Outcome
from ngcctui.model.selection import steps
from ngcctui.model.step import Kind
from ngcctui.report.validate.evidence import Evidence
from ngcctui.report.validate.files import files_below, unfinished
from ngcctui.report.validate.finding import REMOVE, RESTORE, RESUME, retry

#: Outcomes that name no cause by themselves.
_NEED_REASON = frozenset({Outcome.SKIPPED, Outcome.FAILED, Outcome.ENGINE_ERROR, Outcome.BUILDFAIL})
#: Kinds whose good end leaves a file.
_LEAVE = {
    Kind.BUILD: "build log",
    Kind.KAT: "KAT log",
    Kind.CALIBRATE: "calibration",
    Kind.MEASURE: "record",
    Kind.PROFILE: "profile",
}


def check_steps(evidence: Evidence) -> None:
    """Every selected step is in the journal, has ended, and left its file or a reason."""
    _check_selection(evidence)
    for entry in evidence.state.steps.values():
        name = str(entry.step)
        if entry.status is not Status.ENDED or entry.outcome is None:
            evidence.tell(name, f"is {entry.status.value}, it has no result", RESUME)
        elif entry.outcome in _NEED_REASON and not entry.detail:
            evidence.tell(name, f"ended as {entry.outcome.value} without a reason", retry(name))
        elif entry.outcome.good and entry.file is None:
            evidence.tell(
                name, f"ended well, but the journal names no {_LEAVE[entry.step.kind]}", retry(name)
            )
        else:
            _check_place(evidence, entry)


def _check_selection(evidence: Evidence) -> None:
    """The steps of the journal are those that campaign and schemes ask for."""
    if evidence.campaign is None or not evidence.state.steps:
        return
    if len(evidence.schemes) < len({entry.step.scheme for entry in evidence.state.steps.values()}):
        return  # a scheme that cannot be read was told already
    wanted = {str(step) for step in steps(evidence.campaign, evidence.schemes.values())}
    for name in sorted(wanted - evidence.state.steps.keys()):
        evidence.tell(name, "is selected by the campaign, but the run does not know it", RESTORE)
    for name in sorted(evidence.state.steps.keys() - wanted):
        evidence.tell(name, "is in the journal, but the campaign does not select it", RESTORE)


def _check_place(evidence: Evidence, entry: StepState) -> None:
    """The file of a step lies where that kind of step puts it, and is unchanged."""
    if entry.file is None:
        return
    place = _directory(entry)
    if not entry.file.startswith(f"{place}/{entry.step.scheme}/{entry.step.instance}"):
        evidence.tell(
            str(entry.step), f"names {entry.file} as its file, not one in {place}", retry(entry.step)
        )
    elif entry.step.kind is Kind.BUILD and not evidence.dataset:
        evidence.read(entry.file, entry.sha256, retry(entry.step), shown=False)
    elif entry.step.kind is Kind.CALIBRATE and replace(entry.step, kind=Kind.MEASURE) not in evidence.records:
        evidence.read(entry.file, entry.sha256, retry(entry.step))  # those of records are read with them


def _directory(entry: StepState) -> str:
    kinds = {Kind.BUILD: "build", Kind.KAT: "kat", Kind.PROFILE: "profile"}
    return kinds.get(entry.step.kind, "records")


def expected_files(evidence: Evidence) -> set[str]:
    """Every file that the journal accounts for below build/, kat/, records/ and profile/."""
    found: set[str] = set()
    run = evidence.run
    for entry in evidence.state.steps.values():
        step = entry.step
        if entry.attempt > 1 and step.operation:
            # A retry that leaves no file leaves that of the attempt before it where it is.
            place = (step.scheme, step.instance, step.operation)
            record = run.record(*place)
            calibration = record.with_name(f"{record.stem}.calibration.json")
            older = (record, run.samples(*place), calibration, run.profile(*place))
            found |= {run.relative(path) for path in older}
        if entry.file is None:
            continue
        found.add(entry.file)
        if step.kind is Kind.MEASURE:
            found.add(f"{entry.file.removesuffix('.json')}.u64.gz")
        for key in ("library", "profile_library"):
            named = entry.summary.get(key)
            if isinstance(named, str):
                found.add(named)
    return found


def check_strays(evidence: Evidence) -> None:
    """No file passes for evidence that no step has left; earlier attempts and other builds of an instance may lie there."""
    known = expected_files(evidence)
    instances: dict[str, list[str]] = {}
    for step in {entry.step for entry in evidence.state.steps.values() if entry.step.kind is Kind.BUILD}:
        instances.setdefault(step.scheme, []).append(step.instance)
    for directory in ("records", "profile", "kat", "build"):
        for name in files_below(evidence.run.path, directory):
            if name not in known and not _left_over(name, known) and not _other_build(name, instances):
                evidence.tell(name, "belongs to no step of the run", REMOVE)


def _left_over(name: str, known: Collection[str]) -> bool:
    """True for what a crash leaves of an unfinished write, and for the kept file of an earlier attempt."""
    if unfinished(name):
        return True
    head, attempt, tail = name.rpartition(".attempt-")
    number, _, suffix = tail.partition(".")
    return bool(attempt) and number.isdecimal() and f"{head}.{suffix}" in known


def _other_build(name: str, instances: Mapping[str, list[str]]) -> bool:
    """True for a library or log of a known instance with other flags: what a fall-back leaves behind."""
    parts = name.split("/")
    if len(parts) != 3 or parts[0] not in ("build", "kat") or not name.endswith((".so", ".log")):
        return False
    return any(parts[2].startswith(f"{instance}.") for instance in instances.get(parts[1], ()))
