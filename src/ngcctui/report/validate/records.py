"""Records against the journal, against their timed values, and against each other."""

from __future__ import annotations

import itertools
from array import array
from collections.abc import Iterator
from typing import Any

from ngcctui.engine.journal import utc_seconds
from ngcctui.engine.runstate import StepState, TrialState
from ngcctui.engine.store import read_samples
from ngcctui.model.errors import StorageError
from ngcctui.model.outcome import Outcome
from ngcctui.model.record import Record
from ngcctui.model.step import Kind
from ngcctui.report.validate.evidence import Evidence
from ngcctui.report.validate.figures import Difference, recompute, same
from ngcctui.report.validate.finding import retry
from ngcctui.report.validate.held import check_held
from ngcctui.report.validate.trials import check_trials

#: Facts without which nobody can tell what a record was measured on.
ENVIRONMENT = ("processor", "clock", "memory", "OS / kernel", "compiler / build tool")
#: How far the record's times may lie outside those of its step, seconds: lines are written after the fact.
_SLACK_S = 1.0


def check_records(evidence: Evidence) -> None:
    """Every record that could be read."""
    seen: dict[str, str] = {}
    for entry in evidence.state.steps.values():
        record = evidence.records.get(entry.step)
        if record is None:
            continue
        name = entry.file or ""
        problems = list(_identity(evidence, entry, record))
        problems += _summary(entry, record)
        problems += _trials_told(entry, record)
        problems += check_environment(evidence, entry, record.environment)
        problems += _window(evidence, entry, record)
        problems += check_held(entry.step, record, evidence.scan.pauses.during)
        samples = _samples(evidence, record, problems, name)
        problems += check_trials(evidence, entry, record, samples)
        if samples is not None:
            problems += [str(difference) for difference in recompute(record, samples)]
        if record.samples_sha256 is not None and record.trials:
            twin = seen.setdefault(record.samples_sha256, name)
            if twin != name:
                problems.append(f"holds the same timed values as {twin}")
        for problem in problems:
            evidence.tell(name, problem, retry(entry.step))


def _identity(evidence: Evidence, entry: StepState, record: Record) -> Iterator[str]:
    """The record says of itself what the journal and the run say of it."""
    step = entry.step
    library = evidence.library(step)
    kat = evidence.entry(Kind.KAT, step)
    label = str(kat.summary.get("label") or (kat.outcome.value if kat.outcome else "")) if kat else ""
    pairs: list[tuple[str, Any, Any]] = [
        ("step", record.step, str(step)),
        ("scheme", record.scheme, step.scheme),
        ("instance", record.instance, step.instance),
        ("operation", record.operation, step.operation),
        ("outcome", record.outcome, entry.outcome),
        ("attempt", record.attempt, entry.attempt),
        ("kat", record.kat, label),
        ("library", record.library, library.get("library")),
        ("library_sha256", record.library_sha256, library.get("library_sha256")),
        ("flags", record.flags, library.get("flags")),
        ("static_bytes", record.memory.static_bytes, library.get("static_bytes", record.memory.static_bytes)),
    ]
    if evidence.campaign is not None:
        pairs.append(("inputs", record.inputs, evidence.campaign.inputs.value))
    for what, found, wanted in pairs:
        # A measurement that died before its memory was read has none.
        if found != wanted and not (what == "static_bytes" and found is None):
            yield f"{what} is {_text(found)}, the run says {_text(wanted)}"
    yield from _sizes(record, kat)


def _sizes(record: Record, kat: StepState | None) -> Iterator[str]:
    """The lengths that the library declared to the timing driver are those it declared to the KAT."""
    declared = kat.summary.get("sizes") if kat else None
    for what, size in record.sizes.items() if isinstance(declared, dict) else ():
        if isinstance(declared, dict) and declared.get(what, size) != size:
            yield f"{what} is {size} bytes long here, {declared[what]} in the KAT"


def _text(value: Any) -> str:
    return str(value.value) if isinstance(value, Outcome) else str(value)


def _summary(entry: StepState, record: Record) -> Iterator[str]:
    """The journal's summary repeats figures of the record."""
    figures, plan = record.statistics, record.plan
    wanted: dict[str, Any] = {
        "mean_ns": figures.mean_ns if figures else None,
        "low_ns": figures.interval_low_ns if figures else None,
        "high_ns": figures.interval_high_ns if figures else None,
        "mean_cycles": figures.mean_cycles if figures else None,
        "low_cycles": figures.interval_low_cycles if figures else None,
        "high_cycles": figures.interval_high_cycles if figures else None,
        "n": figures.calls if figures else 0,
        "trials": plan.trials if plan else 0,
        "iterations": plan.iterations if plan else 0,
        "rejected": record.rejected,
        "retries": record.retries,
        "rejected_trials": record.rejected_trials,
    }
    if "distinct_calls" in entry.summary:  # earlier versions did not tell
        wanted["distinct_calls"] = figures.distinct_calls if figures else 0
    for key, value in wanted.items():
        told = entry.summary.get(key)
        if not same(told, value):
            yield str(Difference(f"{key} in the journal", told, value))


def _trials_told(entry: StepState, record: Record) -> Iterator[str]:
    """The trials that the journal told of are those of the record."""
    if record.statistics is None or record.plan is None or record.plan.reuse_calibration:
        return
    if len(entry.trials) != len(record.trials):
        yield f"holds {len(record.trials)} trials, the journal tells of {len(entry.trials)}"
        return
    for told, trial in zip(entry.trials, record.trials, strict=True):
        wanted = (trial.trial, trial.attempt, trial.wall_ns, trial.cpu_ns, trial.disturbed, trial.used)
        if _told(told) != wanted:
            yield f"trial {trial.trial}, attempt {trial.attempt} is not as the journal tells"


def _told(trial: TrialState) -> tuple[Any, ...]:
    return trial.trial, trial.attempt, trial.wall_ns, trial.cpu_ns, trial.disturbed, trial.used


def check_environment(evidence: Evidence, entry: StepState, environment: dict[str, str]) -> Iterator[str]:
    """The environment of a record is there, and is that of the session that made it."""
    missing = [key for key in ENVIRONMENT if not environment.get(key)]
    if missing:
        yield f"its environment does not tell {', '.join(missing)}"
        return
    session = evidence.scan.environments.get(entry.session)
    if session is None:
        yield f"session {entry.session} of the journal has no environment to compare with"
        return
    for key in sorted(environment.keys() | session.keys()):
        if environment.get(key) != session.get(key):
            yield f"{key} is {environment.get(key)}, session {entry.session} says {session.get(key)}"


def _window(evidence: Evidence, entry: StepState, record: Record) -> Iterator[str]:
    """The record was made while its step ran, and its trials fit into that time."""
    times = [
        utc_seconds(text)
        for text in (entry.started_utc, record.started_utc, record.ended_utc, entry.ended_utc)
    ]
    if None in times:
        yield "its start or end is no time"
        return
    if evidence.scan.clock_stepped:
        return
    stamps = [stamp for stamp in times if stamp is not None]
    if any(later < earlier - _SLACK_S for earlier, later in itertools.pairwise(stamps)):
        yield f"was made from {record.started_utc} to {record.ended_utc}, its step ran from {entry.started_utc} to {entry.ended_utc}"
    elif record.plan is not None and not record.plan.reuse_calibration:
        timed_s = sum(trial.wall_ns + max(trial.held_ns, 0) for trial in record.trials) / 1e9
        if timed_s > stamps[2] - stamps[1] + _SLACK_S:
            yield f"its trials took {timed_s:.1f} s, more than the {stamps[2] - stamps[1]:.1f} s from its start to its end"


def _samples(evidence: Evidence, record: Record, problems: list[str], name: str) -> array[int] | None:
    """The timed values of a record, None when there are none or, with a problem, when they cannot be read."""
    if record.samples_file is None:
        if record.trials:
            problems.append("has trials but names no file of timed values")
        return None
    expected = f"records/{record.scheme}/{record.instance}__{record.operation}.u64.gz"
    if record.samples_file != expected:
        problems.append(f"names {record.samples_file} as its timed values, not {expected}")
        return None
    try:
        return read_samples(evidence.run.inside(record.samples_file), record.samples_sha256)
    except StorageError as error:
        problems.append(str(error).replace(f"{evidence.run.path}/", ""))
    return None
