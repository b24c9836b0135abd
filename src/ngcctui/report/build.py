"""Build the pages of a run from its journal, its records and the packaged catalogues."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from ngcctui.collector import no_collection
from ngcctui.engine.rundir import RunDir
from ngcctui.engine.runstate import RunState, StepState
from ngcctui.model.campaign import Campaign
from ngcctui.model.errors import ConfigError, StorageError
from ngcctui.model.natural import natural
from ngcctui.model.operation import message_bytes
from ngcctui.model.outcome import Outcome
from ngcctui.model.record import Record
from ngcctui.model.scheme import Function, Scheme
from ngcctui.model.step import Kind
from ngcctui.report import format as fmt
from ngcctui.report import rows
from ngcctui.report.beside import in_halves
from ngcctui.report.footnotes import Footnotes, load_kat_notes
from ngcctui.report.history import History
from ngcctui.report.method import Method, Tally, describe, tally
from ngcctui.report.order import operation_rank
from ngcctui.report.page import HASH, SIGNATURE, Page, RunFacts, SchemeInfo
from ngcctui.report.readings import Readings, read_run
from ngcctui.report.sizes import audit, load_sizes, seen_lengths
from ngcctui.report.source import Measured, machine_of
from ngcctui.report.summary import Summary, summarize
from ngcctui.report.survey import load_survey
from ngcctui.report.tables import EnvironmentRow, LibraryRow, SizeRow
from ngcctui.report.text import outside

#: Environment keys in the order of the published pages; others follow.
_ENVIRONMENT = ("processor", "machine", "clock", "memory", "OS / kernel", "compiler / build tool")
_CAMPAIGN_TIME = "campaign start / end (UTC)"
_FUNCTIONS = {Function.SIGNATURE: SIGNATURE, Function.HASH: HASH}


@dataclass(frozen=True)
class Report:
    """All pages of a run: one for every scheme, by key, and those over the whole run."""

    pages: tuple[Page, ...]
    summary: Summary
    method: Method


def build_pages(run: RunDir) -> list[Page]:
    """The page of every scheme of the run, by key; see build_report."""
    return list(build_report(run).pages)


@no_collection()
def build_report(run: RunDir, readings: Readings | None = None) -> Report:
    """All pages of a run; what is missing or damaged shows as such.

    `readings` are those of the run, when it was read already.  StorageError when the journal or the campaign cannot be
    read or the run has not begun.
    """
    readings = readings or read_run(run)
    state, history = readings.state, readings.history
    try:
        campaign = run.campaign()
    except ConfigError as error:
        raise StorageError(f"the run is damaged: {error}") from None
    if not state.steps:
        raise StorageError(f"{run.journal}: holds no step yet: there is nothing to report")
    by_key: dict[str, list[StepState]] = {}
    for entry in state.steps.values():
        by_key.setdefault(entry.step.scheme, []).append(entry)
    source = _Source(run, state, history, campaign, readings)
    keys = sorted(by_key, key=natural)
    measures = sum(entry.step.kind is Kind.MEASURE for entry in state.steps.values())
    (first, told), (second, told_more) = in_halves(partial(_pages, source, by_key), keys, records=measures)
    pages = first + second
    method = describe(campaign, state, history, pages, told + told_more)
    return Report(pages, summarize(pages, load_sizes()), method)


@dataclass(frozen=True)
class _Source:
    run: RunDir
    state: RunState
    history: History
    campaign: Campaign
    readings: Readings


def _pages(
    source: _Source, by_key: Mapping[str, list[StepState]], keys: Iterable[str]
) -> tuple[tuple[Page, ...], Tally]:
    """The pages of some schemes, and what the method page tells of their records."""
    measured: list[Measured] = []
    pages = tuple(_page(source, key, by_key[key], measured) for key in keys)
    return pages, tally(measured)


def _page(source: _Source, key: str, entries: list[StepState], all_measured: list[Measured]) -> Page:
    """The page of one scheme; its measurements are added to those of the others."""
    entries = sorted(
        entries, key=lambda e: (natural(e.step.instance), operation_rank(e.step.operation or ""))
    )
    builds, kats, measures, profiles = (
        [entry for entry in entries if entry.step.kind is kind]
        for kind in (Kind.BUILD, Kind.KAT, Kind.MEASURE, Kind.PROFILE)
    )
    problems: list[str] = []
    scheme = _scheme(source.readings, key, problems)
    instances = tuple(dict.fromkeys(entry.step.instance for entry in entries))
    info = _info(source, key, scheme, instances, measures)
    measured = [source.readings.measured(entry) for entry in measures]
    all_measured += measured
    profiled = [source.readings.profiled(entry) for entry in profiles]
    problems += [item.problem for item in measured if item.problem]
    problems += [item.problem for item in profiled if item.problem]
    failures = [*rows.failures(measured, measures)]
    # a profile that was skipped with its measurement says nothing new
    failed = [item for item in profiled if item.word != Outcome.SKIPPED.value]
    failures += rows.failures(failed, profiles, "profile of ")
    libraries = rows.library_rows(builds, kats)
    problems += _other_library(measured, libraries)
    kat_table, kat_notes = rows.kat_rows(builds, kats, Footnotes(load_kat_notes(), key))
    environment = _environment(source, measured)
    sizes = () if info.hash else _sizes(instances, kats, measured)
    lengths = tuple(_audit(info.id, scheme, kats, sizes))
    return Page(
        scheme=info,
        environment=environment,
        kat=tuple(kat_table),
        kat_notes=tuple(kat_notes),
        performance=tuple(rows.performance_row(item, info.hash) for item in measured),
        resources=tuple(rows.resource_rows(measured)),
        sizes=sizes,
        symmetric=() if info.hash else tuple(rows.symmetric_row(item) for item in profiled),
        evidence=tuple(rows.evidence_rows(kats, measures, profiles)),
        facts=_facts(source, key, scheme, measured, failures, libraries, problems, environment, lengths),
        precision=tuple(rows.precision_rows(measured)),
        profile=() if info.hash else tuple(rows.profile_rows(profiled)),
        libraries=tuple(libraries),
    )


def _scheme(readings: Readings, key: str, problems: list[str]) -> Scheme | None:
    try:
        return readings.scheme(key)
    except ConfigError as error:
        what = str(error).replace(f"{readings.run.path}/", "")  # a page tells nothing of where the run lies
        problems.append(outside(f"the run's copy of the scheme is damaged: {what}"))
        return None


def _info(
    source: _Source, key: str, scheme: Scheme | None, instances: tuple[str, ...], measures: list[StepState]
) -> SchemeInfo:
    system = source.campaign.host.system
    base, _, variant = key.partition("@")
    if scheme is None:
        hashes = bool(measures) and all(message_bytes(entry.step.operation or "") for entry in measures)
        algorithm = outside(source.state.algorithms.get(key, "")) or base
        return SchemeInfo(base, algorithm, "", HASH if hashes else SIGNATURE, system, (variant,), instances)
    file = scheme.file
    return SchemeInfo(
        file.id,
        outside(file.algorithm),
        outside(file.category),
        _FUNCTIONS[file.function],
        system,
        (variant or outside(file.implementation),),
        instances,
        *_symmetric(scheme),
    )


def _symmetric(scheme: Scheme) -> tuple[str, str]:
    """Verdict and note of the scheme's own file, else of the survey."""
    own = scheme.file.symmetric
    if own.verdict:
        return outside(own.verdict), outside(own.note)
    surveyed = load_survey().of(scheme.file.id)
    return (surveyed.verdict, surveyed.note) if surveyed else ("", "")


def _environment(source: _Source, measured: list[Measured]) -> tuple[EnvironmentRow, ...]:
    known = source.state.environment or next(
        (item.record.environment for item in measured if item.record), {}
    )
    names = [name for name in _ENVIRONMENT if name in known]
    names += [name for name in known if name not in _ENVIRONMENT]
    start = source.state.started_utc[:19]
    end = source.history.ended_utc[:19] if source.state.ended else ""
    rows_ = [EnvironmentRow(outside(name), outside(known[name])) for name in names]
    return (*rows_, EnvironmentRow(_CAMPAIGN_TIME, outside(f"{start or fmt.DASH} / {end or fmt.DASH}")))


def _sizes(
    instances: tuple[str, ...], kats: list[StepState], measured: list[Measured]
) -> tuple[SizeRow, ...]:
    by_kat = {entry.step.instance: entry for entry in kats}
    records: dict[str, list[Record]] = {}
    for item in measured:
        if item.record is not None:
            records.setdefault(item.instance, []).append(item.record)
    return tuple(rows.size_row(name, by_kat.get(name), records.get(name, ())) for name in instances)


def _audit(
    id: str, scheme: Scheme | None, kats: list[StepState], sizes: tuple[SizeRow, ...]
) -> Iterable[str]:
    """Where catalogue, scheme.toml, library and its answers disagree about lengths."""
    expected = {instance.name: instance for instance in scheme.file.instance} if scheme else {}
    seen = {entry.step.instance: seen_lengths(entry.summary.get("lengths")) for entry in kats}
    for row in sizes:
        stated = load_sizes().of(id, row.instance)
        yield from audit(
            row.instance, stated, expected.get(row.instance), vars(row), seen.get(row.instance, {})
        )


def _digest_bits(scheme: Scheme | None) -> dict[str, int]:
    """Output length of each instance of a hash function."""
    instances = scheme.file.instance if scheme else ()
    return {instance.name: instance.digest_bits for instance in instances if instance.digest_bits}


def _other_library(measured: list[Measured], libraries: list[LibraryRow]) -> Iterable[str]:
    """Records made with another library than the one that the known answer test checked."""
    checked = {row.instance: row.sha256 for row in libraries}
    for item in measured:
        record = item.record
        if record is not None and record.library_sha256 != checked.get(item.instance, record.library_sha256):
            yield f"{item.instance} {item.operation}: measured with another library than the one checked in section 3"


def _other_environment(measured: list[Measured], page: tuple[EnvironmentRow, ...]) -> Iterable[str]:
    """Environment facts of records that differ from the page's, each with how many records it is true of."""
    shown = {row.item: row.value for row in page}
    told = Counter(tuple(item.record.environment.items()) for item in measured if item.record)
    count: Counter[tuple[str, str]] = Counter()
    for facts, number in told.items():
        for name, value in facts:
            if outside(value) != shown.get(outside(name)):
                count[outside(name), outside(value)] += number
    for (name, value), number in count.items():
        yield f"{name} was {value} for {number} of the records"


def _machine(run: RunDir, libraries: list[LibraryRow]) -> str:
    """Architecture of the first library; empty when it is not there or its name leads out of the run."""
    try:
        return machine_of(run.inside(libraries[0].file)) if libraries else ""
    except ValueError:
        return ""


def _facts(
    source: _Source,
    key: str,
    scheme: Scheme | None,
    measured: list[Measured],
    failures: list[str],
    libraries: list[LibraryRow],
    problems: list[str],
    environment: tuple[EnvironmentRow, ...],
    lengths: tuple[str, ...],
) -> RunFacts:
    state, history, campaign = source.state, source.history, source.campaign
    inputs = sorted({outside(item.record.inputs) for item in measured if item.record and item.figures})
    changes = [outside(change) for session in state.sessions for change in session.changes]
    if state.skipped_lines:
        problems = [
            *problems,
            f"{state.skipped_lines} lines of the journal could not be read and were left out",
        ]
    return RunFacts(
        run=outside(state.run or source.run.name),
        scheme=key,
        campaign=outside(state.campaign or campaign.name),
        version=outside(state.version),
        sessions=len(state.sessions),
        ended=state.ended,
        inputs=tuple(inputs or [campaign.inputs.value]),
        machine=_machine(source.run, libraries),
        core=state.core,
        cores=history.cores,
        counter=outside(state.counter),
        findings=tuple(history.findings),
        host_checked=history.checked,
        host_allowed=state.host_allowed,
        noise=history.noise,
        changes=tuple(dict.fromkeys(changes)),
        environments=tuple(_other_environment(measured, environment)),
        digest_bits=_digest_bits(scheme),
        sizes=lengths,
        failures=tuple(failures),
        warnings=tuple(dict.fromkeys(outside(warning.text) for warning in state.warnings)),
        problems=tuple(problems),
        trials=campaign.planning.trials,
        target_s=campaign.planning.target_s,
        budget_s=campaign.planning.budget_s,
        planning=campaign.planning.mode.value,
        kat_records=campaign.kat.records,
        kat_limit_s=campaign.kat.limit_s,
        selftest=scheme is not None and any(instance.kat.selftest for instance in scheme.file.instance),
        memory_limit_mib=campaign.host.memory_limit_mib,
        processes=campaign.host.processes,
    )
