"""The TOML form of a page: published tables and keys, raw numbers beside them, our additions in `[[extra]]`.

The dataclasses below are the file's tables, key by key.  A printed string is always there (an en dash when the value is
missing), an integer or raw number that is missing has no key, and a table without rows is left out.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ngcctui.report import format as fmt
from ngcctui.report.page import Page, RunFacts
from ngcctui.report.tables import (
    Count,
    EvidenceRow,
    HashPerformanceRow,
    KatRow,
    LibraryRow,
    PerformanceRow,
    PrecisionRow,
    ProfileRow,
    ResourceRow,
    SizeRow,
    SymmetricRow,
)
from ngcctui.report.toml_text import toml_text


@dataclass(frozen=True)
class SchemeTable:
    """`[scheme]`."""

    id: str
    algorithm: str
    category: str
    function: str
    system: str
    versions: tuple[str, ...]
    instances: tuple[str, ...]
    symmetric_verdict: str | None = None
    symmetric_notes: str | None = None


@dataclass(frozen=True)
class KatRaw:
    """Raw part of a KAT row."""

    timed: bool


@dataclass(frozen=True)
class KatTable:
    """One row of `kat`; `note` is the number of a paragraph in `kat_notes`."""

    instance: str
    build_flags: str
    kat: str
    note: int | None = None
    raw: KatRaw | None = None


@dataclass(frozen=True)
class KatNoteTable:
    """One row of `kat_notes`."""

    number: int
    text: str


@dataclass(frozen=True)
class PerformanceRaw:
    """Raw part of a performance row: base units, `outcome` and `remarks` as words."""

    mean_cycles: float | None = None
    mean_time_ns: float | None = None
    ops_per_second: float | None = None
    median_trial_ns: float | None = None
    outcome: str | None = None
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class PerformanceTable:
    """One row of `performance` of a public-key scheme."""

    instance: str
    operation: str
    mean_cycles: str
    mean_time: str
    ops_per_second: str
    median_trial: str
    measurements: int | None = None
    trials: int | None = None
    iterations_per_trial: int | None = None
    raw: PerformanceRaw | None = None


@dataclass(frozen=True)
class HashPerformanceRaw:
    """Raw part of a hash performance row."""

    mean_cycles: float | None = None
    cycles_per_byte: float | None = None
    mean_time_ns: float | None = None
    mb_per_second: float | None = None
    outcome: str | None = None
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class HashPerformanceTable:
    """One row of `performance` of a hash function."""

    instance: str
    message_bytes: int
    mean_cycles: str
    cycles_per_byte: str
    mean_time: str
    mb_per_second: str
    measurements: int | None = None
    trials: int | None = None
    iterations_per_trial: int | None = None
    raw: HashPerformanceRaw | None = None


@dataclass(frozen=True)
class ResourceRaw:
    """Raw part of a resource row, before it was rounded down to KiB."""

    baseline_rss_bytes: int | None = None
    peak_rss_bytes: int | None = None


@dataclass(frozen=True)
class ResourceTable:
    """One row of `resources`."""

    instance: str
    operation: str
    static_elf_bytes: int | None = None
    baseline_rss_kib: int | None = None
    peak_rss_kib: int | None = None
    raw: ResourceRaw | None = None


@dataclass(frozen=True)
class SymmetricRaw:
    """Raw part of a symmetric row: fractions, calls per operation by function."""

    hash_share: float | None = None
    drng_share: float | None = None
    calls: dict[str, float] = field(default_factory=dict)
    outcome: str | None = None


@dataclass(frozen=True)
class SymmetricTable:
    """One row of `symmetric`."""

    instance: str
    operation: str
    hash_share: str
    drng_share: str
    calls_per_operation: str
    raw: SymmetricRaw | None = None


@dataclass(frozen=True)
class EvidenceRaw:
    """Raw part of an evidence row: the whole digest of the file."""

    sha256: str


@dataclass(frozen=True)
class EvidenceTable:
    """One row of `evidence`."""

    instance: str
    item: str
    file: str
    operation: str | None = None
    sha256_prefix: str | None = None
    raw: EvidenceRaw | None = None


@dataclass(frozen=True)
class Extra:
    """One row of `extra`: exactly one of its tables is there."""

    run: RunFacts | None = None
    precision: PrecisionRow | None = None
    profile: ProfileRow | None = None
    library: LibraryRow | None = None


Performance = PerformanceTable | HashPerformanceTable


@dataclass(frozen=True)
class PageFile:
    """A whole page as a TOML file."""

    scheme: SchemeTable
    environment: dict[str, str] = field(default_factory=dict)
    kat: tuple[KatTable, ...] = ()
    kat_notes: tuple[KatNoteTable, ...] = ()
    performance: tuple[Performance, ...] = ()
    resources: tuple[ResourceTable, ...] = ()
    sizes: tuple[SizeRow, ...] = ()
    symmetric: tuple[SymmetricTable, ...] = ()
    evidence: tuple[EvidenceTable, ...] = ()
    extra: tuple[Extra, ...] = ()


def page_file(page: Page) -> PageFile:
    """The page as the tables of its file; raw numbers only where they are known (pages of runs)."""
    raw = page.facts is not None
    info = page.scheme
    scheme = SchemeTable(
        info.id,
        info.algorithm,
        info.category,
        info.function,
        info.system,
        info.versions,
        info.instances,
        info.symmetric_verdict or None,
        info.symmetric_notes or None,
    )
    return PageFile(
        scheme=scheme,
        environment={row.item: row.value for row in page.environment},
        kat=tuple(_kat(row, raw) for row in page.kat),
        kat_notes=tuple(KatNoteTable(note.number, note.text) for note in page.kat_notes),
        performance=tuple(_performance(row, raw) for row in page.performance),
        resources=tuple(_resource(row, raw) for row in page.resources),
        sizes=page.sizes,
        symmetric=tuple(_symmetric(row, raw) for row in page.symmetric),
        evidence=tuple(_evidence(row, raw) for row in page.evidence),
        extra=_extra(page),
    )


def _kat(row: KatRow, raw: bool) -> KatTable:
    return KatTable(row.instance, row.build_flags, row.kat, row.note, KatRaw(row.timed) if raw else None)


def _strings(cells: tuple[str, ...]) -> tuple[str, ...]:
    """Empty cells as en dashes: a key of the file always says something."""
    return tuple(cell or fmt.DASH for cell in cells)


def _count(n: Count) -> tuple[int | None, int | None, int | None]:
    return n.measurements, n.trials, n.iterations


def _performance(row: PerformanceRow | HashPerformanceRow, raw: bool) -> Performance:
    _, _, first, second, third, fourth, _ = _strings(row.cells())
    cells = first, second, third, fourth, *_count(row.n)
    told = row.word or None, row.n.remarks
    if isinstance(row, HashPerformanceRow):
        known = row.mean_cycles, row.cycles_per_byte, row.mean_ns, row.mb_per_second
        hash_raw = HashPerformanceRaw(*known, *told) if raw else None
        return HashPerformanceTable(row.instance, row.message_bytes, *cells, hash_raw)
    figures = row.mean_cycles, row.mean_ns, row.ops_per_second, row.median_trial_ns
    return PerformanceTable(
        row.instance, row.operation, *cells, PerformanceRaw(*figures, *told) if raw else None
    )


def _resource(row: ResourceRow, raw: bool) -> ResourceTable:
    figures = ResourceRaw(row.baseline_rss_bytes, row.peak_rss_bytes) if raw else None
    return ResourceTable(
        row.instance, row.operation, row.static_elf_bytes, row.baseline_rss_kib, row.peak_rss_kib, figures
    )


def _symmetric(row: SymmetricRow, raw: bool) -> SymmetricTable:
    _, _, hash_share, drng_share, calls = _strings(row.cells())
    figures = SymmetricRaw(row.hash_share, row.drng_share, row.calls, row.word or None) if raw else None
    return SymmetricTable(row.instance, row.operation, hash_share, drng_share, calls, figures)


def _evidence(row: EvidenceRow, raw: bool) -> EvidenceTable:
    figures = EvidenceRaw(row.sha256) if raw and row.sha256 else None
    return EvidenceTable(row.instance, row.item, row.file, row.operation, row.sha256_prefix, figures)


def _extra(page: Page) -> tuple[Extra, ...]:
    if page.facts is None:
        return ()
    return (
        Extra(run=page.facts),
        *(Extra(precision=row) for row in page.precision),
        *(Extra(profile=row) for row in page.profile),
        *(Extra(library=row) for row in page.libraries),
    )


def page_toml(page: Page) -> str:
    """The page as TOML text."""
    return toml_text(page_file(page))
