"""Read a page's TOML back: figures published for a system, or a page that this program wrote.

Published figures are known as printed only: the value taken for each is one that prints the same, and a string that no
value prints is an error of the file.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ngcctui.engine.runstate import Status
from ngcctui.model.codec import CodecError, decode
from ngcctui.model.errors import ConfigError
from ngcctui.model.outcome import Outcome
from ngcctui.model.toml_file import load
from ngcctui.report import format as fmt
from ngcctui.report.page import Page, RunFacts, SchemeInfo
from ngcctui.report.tables import (
    Count,
    EnvironmentRow,
    EvidenceRow,
    HashPerformanceRow,
    KatNote,
    KatRow,
    PerformanceRow,
    ResourceRow,
    SymmetricRow,
)
from ngcctui.report.toml import (
    EvidenceTable,
    HashPerformanceTable,
    KatTable,
    PageFile,
    Performance,
    ResourceTable,
    SymmetricTable,
)

#: Words that stand in place of figures.
WORDS = frozenset({*(outcome.value for outcome in Outcome), *(status.value for status in Status), "unknown"})


def read_published(path: Path) -> Page:
    """The page in a TOML file; ConfigError names file, table and key when something does not fit."""
    file = load(PageFile, path)
    try:
        return from_file(file)
    except CodecError as error:
        raise ConfigError(f"{path}: {error}") from None


def parse_page(data: object) -> Page:
    """The page in parsed TOML; CodecError names table and key."""
    return from_file(decode(PageFile, data))


def from_file(file: PageFile) -> Page:
    """The page of a file's tables; CodecError names the first string that is no figure."""
    scheme = file.scheme
    extras = [extra.run for extra in file.extra if extra.run is not None]
    facts: RunFacts | None = extras[0] if extras else None
    return Page(
        scheme=SchemeInfo(
            scheme.id,
            scheme.algorithm,
            scheme.category,
            scheme.function,
            scheme.system,
            scheme.versions,
            scheme.instances,
            scheme.symmetric_verdict or "",
            scheme.symmetric_notes or "",
        ),
        environment=tuple(EnvironmentRow(item, value) for item, value in file.environment.items()),
        kat=tuple(_kat(row) for row in file.kat),
        kat_notes=tuple(KatNote(note.number, note.text) for note in file.kat_notes),
        performance=tuple(_performance(row, f"performance[{i}]") for i, row in enumerate(file.performance)),
        resources=tuple(_resource(row) for row in file.resources),
        sizes=file.sizes,
        symmetric=tuple(_symmetric(row, f"symmetric[{i}]") for i, row in enumerate(file.symmetric)),
        evidence=tuple(_evidence(row) for row in file.evidence),
        facts=facts,
        precision=tuple(extra.precision for extra in file.extra if extra.precision is not None),
        profile=tuple(extra.profile for extra in file.extra if extra.profile is not None),
        libraries=tuple(extra.library for extra in file.extra if extra.library is not None),
    )


def _kat(row: KatTable) -> KatRow:
    return KatRow(row.instance, row.build_flags, row.kat, row.note, row.raw.timed if row.raw else True)


Parser = Callable[[str], fmt.Printed | None]


def _value(parse: Parser, text: str, key: str) -> float | None:
    try:
        printed = parse(text)
    except ValueError as error:
        raise CodecError(key, str(error)) from None
    return None if printed is None else printed.value


def _performance(row: Performance, key: str) -> PerformanceRow | HashPerformanceRow:
    n = Count(row.measurements, row.trials, row.iterations_per_trial, row.raw.remarks if row.raw else ())
    word = row.mean_cycles if row.mean_cycles in WORDS else ""
    if isinstance(row, HashPerformanceTable):
        if word:
            return HashPerformanceRow(row.instance, row.message_bytes, n=n, word=word)
        raw = row.raw
        return HashPerformanceRow(
            row.instance,
            row.message_bytes,
            raw.mean_cycles if raw else _value(fmt.parse_cycles, row.mean_cycles, f"{key}.mean_cycles"),
            raw.cycles_per_byte
            if raw
            else _value(fmt.parse_one_decimal, row.cycles_per_byte, f"{key}.cycles_per_byte"),
            raw.mean_time_ns if raw else _value(fmt.parse_time_ns, row.mean_time, f"{key}.mean_time"),
            raw.mb_per_second
            if raw
            else _value(fmt.parse_one_decimal, row.mb_per_second, f"{key}.mb_per_second"),
            n,
        )
    if word:
        return PerformanceRow(row.instance, row.operation, n=n, word=word)
    figures = row.raw
    return PerformanceRow(
        row.instance,
        row.operation,
        figures.mean_cycles if figures else _value(fmt.parse_cycles, row.mean_cycles, f"{key}.mean_cycles"),
        figures.mean_time_ns if figures else _value(fmt.parse_time_ns, row.mean_time, f"{key}.mean_time"),
        figures.ops_per_second
        if figures
        else _value(fmt.parse_rate, row.ops_per_second, f"{key}.ops_per_second"),
        figures.median_trial_ns
        if figures
        else _value(fmt.parse_time_ns, row.median_trial, f"{key}.median_trial"),
        n,
    )


def _resource(row: ResourceTable) -> ResourceRow:
    return ResourceRow(
        row.instance,
        row.operation,
        row.static_elf_bytes,
        row.baseline_rss_kib,
        row.peak_rss_kib,
        row.raw.baseline_rss_bytes if row.raw else None,
        row.raw.peak_rss_bytes if row.raw else None,
    )


def _symmetric(row: SymmetricTable, key: str) -> SymmetricRow:
    if row.hash_share in WORDS:
        return SymmetricRow(row.instance, row.operation, word=row.hash_share)
    if row.raw:
        return SymmetricRow(
            row.instance, row.operation, row.raw.hash_share, row.raw.drng_share, dict(row.raw.calls)
        )
    try:
        calls = fmt.parse_calls(row.calls_per_operation)
    except ValueError as error:
        raise CodecError(f"{key}.calls_per_operation", str(error)) from None
    return SymmetricRow(
        row.instance,
        row.operation,
        _value(fmt.parse_share, row.hash_share, f"{key}.hash_share"),
        _value(fmt.parse_share, row.drng_share, f"{key}.drng_share"),
        {name: printed.value for name, printed in calls.items()},
    )


def _evidence(row: EvidenceTable) -> EvidenceRow:
    digest = row.raw.sha256 if row.raw else None
    return EvidenceRow(row.instance, row.item, row.file, row.operation, row.sha256_prefix, digest)
