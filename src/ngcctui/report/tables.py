"""The typed tables of a page: built once, printed as Markdown, TOML, plain text and on screens.

A row holds raw values in base units (ns, bytes, cycles, fractions) and knows how its cells are printed.  A row whose
`word` is set has no figures: the word stands in place of the first of them and the other cells are empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

from ngcctui.report import format as fmt

#: One cell as pieces of text, each with True when it is code (a name, a path, a digest).
Spans = tuple[tuple[str, bool], ...]
#: Bounds of an interval lie so close together that the three digits of the pages would often show one number twice.
_INTERVAL_DIGITS = 5


class Row(Protocol):
    """What every row offers: `cells` as plain text, `code` the columns that are code, `spans` cells in pieces.

    `code` is None when a cell is code in part; then only `spans` tells.
    """

    def cells(self) -> tuple[str, ...]: ...

    def code(self) -> tuple[int, ...] | None: ...

    def spans(self) -> tuple[Spans, ...]: ...


class Cells:
    """Cells of a row, with the columns that hold names or paths marked as code."""

    _code: ClassVar[tuple[int, ...]] = (0,)

    def cells(self) -> tuple[str, ...]:
        """The printed cells, plain text."""
        raise NotImplementedError

    def code(self) -> tuple[int, ...] | None:
        """The columns that are code, the others are none; None when a cell is code in part."""
        return self._code

    def spans(self) -> tuple[Spans, ...]:
        """The printed cells in pieces; code is set off in Markdown."""
        return tuple(((text, number in self._code),) for number, text in enumerate(self.cells()))


@dataclass(frozen=True)
class EnvironmentRow(Cells):
    """Section 2: one fact of the machine that measured."""

    _code: ClassVar[tuple[int, ...]] = ()
    item: str
    value: str

    def cells(self) -> tuple[str, ...]:
        return self.item, self.value


@dataclass(frozen=True)
class KatRow(Cells):
    """Section 3: outcome of the known answer test; `note` numbers a paragraph, None without one."""

    instance: str
    build_flags: str
    kat: str
    note: int | None = None
    timed: bool = True

    def cells(self) -> tuple[str, ...]:
        note = f" [{self.note}]" if self.note is not None else ""
        return self.instance, self.build_flags, f"{self.kat}{note}{'' if self.timed else ' (not timed)'}"


@dataclass(frozen=True)
class KatNote:
    """A numbered paragraph below section 3."""

    number: int
    text: str


@dataclass(frozen=True)
class Count:
    """n of a measurement; `remarks` follow it in its cell (retried signing attempts, a death after the last call)."""

    measurements: int | None = None
    trials: int | None = None
    iterations: int | None = None
    remarks: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "; ".join((fmt.count(self.measurements, self.trials, self.iterations), *self.remarks))


@dataclass(frozen=True)
class PerformanceRow(Cells):
    """Section 4, public-key operations: mean over all calls (ns, cycles), calls a second, median of trial means."""

    instance: str
    operation: str
    mean_cycles: float | None = None
    mean_ns: float | None = None
    ops_per_second: float | None = None
    median_trial_ns: float | None = None
    n: Count = Count()
    word: str = ""

    def cells(self) -> tuple[str, ...]:
        if self.word:
            return self.instance, self.operation, self.word, "", "", "", ""
        return (
            self.instance,
            self.operation,
            fmt.cycles(self.mean_cycles),
            fmt.time_ns(self.mean_ns),
            fmt.rate(self.ops_per_second),
            fmt.time_ns(self.median_trial_ns),
            str(self.n),
        )


@dataclass(frozen=True)
class HashPerformanceRow(Cells):
    """Section 4, hash functions: mean over all calls for one message length (bytes)."""

    instance: str
    message_bytes: int
    mean_cycles: float | None = None
    cycles_per_byte: float | None = None
    mean_ns: float | None = None
    mb_per_second: float | None = None
    n: Count = Count()
    word: str = ""

    def cells(self) -> tuple[str, ...]:
        length = fmt.message(self.message_bytes)
        if self.word:
            return self.instance, length, self.word, "", "", "", ""
        return (
            self.instance,
            length,
            fmt.cycles(self.mean_cycles),
            fmt.one_decimal(self.cycles_per_byte),
            fmt.time_ns(self.mean_ns),
            fmt.one_decimal(self.mb_per_second),
            str(self.n),
        )


@dataclass(frozen=True, kw_only=True)
class PrecisionRow(Cells):
    """How sure a mean of section 4 is: times in ns a call; cycles where there are any.

    `low_ns` and `high_ns` bound the mean with 95 % confidence (the cycles likewise); None with one trial.  `rejected` of `attempts` trials
    were disturbed and repeated; `disturbed` of the used ones still are.
    """

    instance: str
    operation: str
    mean_ns: float
    low_ns: float | None = None
    high_ns: float | None = None
    approximate: bool = False
    distinct_calls: int
    rejected: int
    attempts: int
    disturbed: int
    min_ns: float
    p5_ns: float
    p25_ns: float
    p50_ns: float
    p75_ns: float
    p95_ns: float
    max_ns: float
    batch: int = 1
    low_cycles: float | None = None
    high_cycles: float | None = None
    trial_means_ns: tuple[float, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def relative(self) -> float | None:
        """Half the interval as a fraction of the mean."""
        if self.low_ns is None or self.high_ns is None or self.mean_ns <= 0:
            return None
        return (self.high_ns - self.low_ns) / 2 / self.mean_ns

    def cells(self) -> tuple[str, ...]:
        interval = half = fmt.DASH
        if self.low_ns is not None and self.high_ns is not None and self.relative is not None:
            low = fmt.time_ns(self.low_ns, _INTERVAL_DIGITS) if self.low_ns > 0 else "0"
            interval = f"{low} to {fmt.time_ns(self.high_ns, _INTERVAL_DIGITS)}"
            half = f"{'≈ ' if self.approximate else ''}±{fmt.deviation(self.relative)}"
        quantiles = (self.min_ns, self.p5_ns, self.p25_ns, self.p50_ns, self.p75_ns, self.p95_ns, self.max_ns)
        return (
            self.instance,
            self.operation,
            interval,
            half,
            str(self.distinct_calls),
            f"{self.rejected} / {self.attempts}",
            *(fmt.time_ns(value) for value in quantiles),
            "; ".join(self.remarks),
        )


@dataclass(frozen=True)
class ResourceRow(Cells):
    """Section 5: memory image of the library (bytes); RSS before the first call and its peak (KiB, rounded down)."""

    instance: str
    operation: str
    static_elf_bytes: int | None = None
    baseline_rss_kib: int | None = None
    peak_rss_kib: int | None = None
    baseline_rss_bytes: int | None = None
    peak_rss_bytes: int | None = None

    def cells(self) -> tuple[str, ...]:
        return (
            self.instance,
            self.operation,
            fmt.whole(self.static_elf_bytes),
            fmt.kib(self.baseline_rss_kib),
            fmt.kib(self.peak_rss_kib),
        )


@dataclass(frozen=True)
class SizeRow(Cells):
    """Section 6: lengths in bytes."""

    instance: str
    public_key: int | None = None
    secret_key: int | None = None
    signature: int | None = None

    def cells(self) -> tuple[str, ...]:
        return (
            self.instance,
            fmt.whole(self.public_key),
            fmt.whole(self.secret_key),
            fmt.whole(self.signature),
        )


@dataclass(frozen=True)
class SymmetricRow(Cells):
    """Share of an operation spent in the helper hash functions and in the DRNG (fractions), calls by function.

    `word` is `unknown` when the self-check could not prove that every helper call was seen.
    """

    instance: str
    operation: str
    hash_share: float | None = None
    drng_share: float | None = None
    calls: dict[str, float] = field(default_factory=dict)
    word: str = ""

    def cells(self) -> tuple[str, ...]:
        if self.word:
            return self.instance, self.operation, self.word, "", ""
        shares = fmt.share(self.hash_share), fmt.share(self.drng_share)
        return self.instance, self.operation, *shares, fmt.calls_per_operation(self.calls)


@dataclass(frozen=True)
class ProfileRow(Cells):
    """What stands behind a row of the symmetric table: calls profiled after `warmups`, and the self-check's verdict."""

    instance: str
    operation: str
    operations: int
    warmups: int
    tick_source: str
    intercepted: bool
    why: str = ""
    overflow_calls: int = 0

    def cells(self) -> tuple[str, ...]:
        check = "passed" if self.intercepted else f"failed: {self.why}" if self.why else "failed"
        if self.overflow_calls:
            check += f"; {self.overflow_calls} calls counted without their time"
        return self.instance, self.operation, str(self.operations), str(self.warmups), self.tick_source, check


@dataclass(frozen=True)
class EvidenceRow(Cells):
    """Section 7: a file behind the page, relative to the run; `sha256_prefix` is set where the page prints it."""

    _code: ClassVar[tuple[int, ...]] = (0, 2)
    instance: str
    item: str
    file: str
    operation: str | None = None
    sha256_prefix: str | None = None
    sha256: str | None = None

    def cells(self) -> tuple[str, ...]:
        return self.instance, "".join(text for text, _ in self._item()), self.file

    def code(self) -> tuple[int, ...] | None:
        return None if self.sha256_prefix else self._code

    def spans(self) -> tuple[Spans, ...]:
        return ((self.instance, True),), self._item(), ((self.file, True),)

    def _item(self) -> Spans:
        if not self.sha256_prefix:
            return ((f"{self.item} {self.operation}" if self.operation else self.item, False),)
        return (f"{self.item} (sha256 ", False), (fmt.digest_prefix(self.sha256_prefix), True), (")", False)


@dataclass(frozen=True)
class LibraryRow(Cells):
    """The library that was measured, with the digest of its file."""

    _code: ClassVar[tuple[int, ...]] = (0, 1, 2)
    instance: str
    file: str
    sha256: str
    build_flags: str

    def cells(self) -> tuple[str, ...]:
        return self.instance, self.file, self.sha256, self.build_flags


@dataclass(frozen=True)
class Table:
    """A section's table: `key` names it in the TOML page, `own` tells that the published pages do not have it."""

    key: str
    title: str
    heads: tuple[str, ...]
    rows: Sequence[Row]
    own: bool = False
