"""The summary of a run: one row an instance over all its schemes, made of the candidate pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from ngcctui.engine.runstate import Status
from ngcctui.report import format as fmt
from ngcctui.report.page import Page
from ngcctui.report.sizes import Sizes
from ngcctui.report.survey import ICCS_ONLY, SurveyRow, survey_row
from ngcctui.report.tables import (
    Cells,
    HashPerformanceRow,
    KatRow,
    PerformanceRow,
    PrecisionRow,
    SizeRow,
    Spans,
    Table,
)

#: The scheme whose instances are the helper functions: hash functions are compared with its pseudoXOF.
HELPERS, XOF = "iccs", "pseudoXOF"
OPERATIONS = ("keygen", "sign", "verify")
#: A mean of fewer calls than this says how many it has.
FEW = 100
WARNING = "\N{WARNING SIGN}"
CYCLES, TIME = "cycles", "time"
#: What stands in place of an outcome that is not there yet.
_PENDING = frozenset(status.value for status in Status)


@dataclass(frozen=True)
class Cost:
    """One operation in one cell: mean cycles and mean time (ns), n, and the share of the helpers.

    `share` is None where it is not known: nothing was profiled, or (`unproven`) the self-check proved nothing.  With a
    `word` there are no figures.  `ratio` is that to pseudoXOF of the same output and message length, for hash functions.
    """

    operation: str
    cycles: float | None = None
    time_ns: float | None = None
    calls: int | None = None
    share: float | None = None
    unproven: bool = False
    word: str = ""
    ratio: float | None = None

    def figure(self, unit: str) -> float | None:
        """Cycles or ns."""
        return self.cycles if unit == CYCLES else self.time_ns


@dataclass(frozen=True)
class SchemeRow(Cells):
    """What all rows begin and end with; `kat` is the outcome where it is no PASS, `page` the candidate page's path."""

    _instance_column: ClassVar[int] = 2
    scheme: str
    algorithm: str
    instance: str
    page: str
    unit: str
    costs: tuple[Cost, ...] = ()
    kat: str = ""
    notes: tuple[str, ...] = ()

    @property
    def warning(self) -> str:
        """What stands behind the instance when its known answer test did not pass."""
        return f" {WARNING} KAT {self.kat}" if self.kat else ""

    def code(self) -> tuple[int, ...] | None:
        return None if self.kat else (self._instance_column,)

    def spans(self) -> tuple[Spans, ...]:
        instance: Spans = ((self.instance, True), (self.warning, False))
        return tuple(
            instance if column == self._instance_column else ((text, False),)
            for column, text in enumerate(self.cells())
        )

    def printed(self, cost: Cost) -> str:
        """The cell of one operation."""
        raise NotImplementedError

    def _head(self) -> tuple[str, str, str]:
        return self.scheme, self.algorithm, f"{self.instance}{self.warning}"

    def _cells(self, operations: Iterable[str]) -> tuple[str, ...]:
        """The cells of these operations; an en dash where one was not asked for."""
        by_name = {cost.operation: self.printed(cost) for cost in self.costs}
        return tuple(by_name.get(name, fmt.DASH) for name in operations)

    def _notes(self) -> str:
        return "; ".join(dict.fromkeys(self.notes)) or fmt.DASH

    def _figure(self, cost: Cost) -> str:
        return fmt.cycles(cost.cycles) if self.unit == CYCLES else fmt.time_ns(cost.time_ns)


@dataclass(frozen=True)
class SignatureRow(SchemeRow):
    """One instance of a signature scheme: lengths in bytes; `nominal` marks a signature's that is only about right."""

    public_key: int | None = None
    signature: int | None = None
    nominal: bool = False

    def cells(self) -> tuple[str, ...]:
        figures = self._cells(OPERATIONS)
        about = "\N{ALMOST EQUAL TO} " if self.nominal and self.signature is not None else ""
        lengths = fmt.whole(self.public_key), about + fmt.whole(self.signature)
        return *self._head(), *figures, *lengths, self._notes()

    def printed(self, cost: Cost) -> str:
        """The figure, then share and n in one parenthesis: `48.20 G (99%, n=35)`."""
        if cost.word:
            return cost.word
        known = fmt.share(cost.share) if cost.share is not None else "??%" if cost.unproven else ""
        few = f"n={cost.calls}" if cost.calls is not None and cost.calls < FEW else ""
        inside = ", ".join(part for part in (known, few) if part)
        return f"{self._figure(cost)} ({inside})" if inside else self._figure(cost)


@dataclass(frozen=True)
class HashRow(SchemeRow):
    """One instance of a hash function; `messages` are the lengths (bytes) that have a column."""

    messages: tuple[int, ...] = ()

    def cells(self) -> tuple[str, ...]:
        figures = self._cells(f"hash_{length}" for length in self.messages)
        return *self._head(), *figures, self._notes()

    def printed(self, cost: Cost) -> str:
        if cost.word:
            return cost.word
        ratio = f"{cost.ratio:.2f}{fmt.TIMES}" if cost.ratio is not None else f"ratio {fmt.DASH}"
        few = f", n={cost.calls}" if cost.calls is not None and cost.calls < FEW else ""
        return f"{self._figure(cost)} ({ratio}{few})"


@dataclass(frozen=True)
class HelperRow(SchemeRow):
    """One helper function: `messages` as above; the last column is the cost a byte of the longest one."""

    _instance_column = 0
    messages: tuple[int, ...] = ()
    digest_bits: int | None = None

    def cells(self) -> tuple[str, ...]:
        figures = self._cells(f"hash_{length}" for length in self.messages)
        return self._head()[2], fmt.whole(self.digest_bits), *figures, self._per_byte(), self._notes()

    def printed(self, cost: Cost) -> str:
        return cost.word or self._figure(cost)

    def _per_byte(self) -> str:
        longest = next((cost for cost in self.costs if cost.operation == f"hash_{self.messages[-1]}"), None)
        value = longest.figure(self.unit) if longest else None
        return fmt.one_decimal(None if value is None else value / self.messages[-1])


@dataclass(frozen=True)
class Summary:
    """The summary page; `unit` says whether its figures are cycles or, where no page has cycles, times.

    `pages` names the candidate pages (relative to this one) by scheme, `findings` where lengths disagree.
    """

    system: str
    unit: str
    signatures: tuple[SignatureRow, ...] = ()
    helpers: tuple[HelperRow, ...] = ()
    hashes: tuple[HashRow, ...] = ()
    survey: tuple[SurveyRow, ...] = ()
    findings: tuple[str, ...] = ()
    pages: dict[str, str] = field(default_factory=dict)

    def tables(self) -> tuple[Table, ...]:
        """The tables that have rows, in page order."""
        head = ("id", "algorithm", "instance")
        operations = tuple(f"{name} {self.unit} (sym %)" for name in OPERATIONS)
        lengths = "public key (B)", "signature (B)"
        messages = self.helpers[0].messages if self.helpers else ()
        a_byte = (
            f"{'cycles' if self.unit == CYCLES else 'ns'}/byte ({length_text(messages[-1])})"
            if messages
            else ""
        )
        helpers = ("ICCS helper", "output bits", *map(length_text, messages), a_byte, "notes")
        hashed = self.hashes[0].messages if self.hashes else ()
        verdicts = ("id", "verdict", "measured share", "note", "remark")
        tables = (
            Table(
                "signatures", "Digital signatures", (*head, *operations, *lengths, "notes"), self.signatures
            ),
            Table("helpers", "ICCS hash helpers", helpers, self.helpers),
            Table("hashes", "Hash functions", (*head, *map(length_text, hashed), "notes"), self.hashes),
            Table("survey", "Symmetric survey", verdicts, self.survey),
        )
        return tuple(table for table in tables if table.rows)


def length_text(message_bytes: int) -> str:
    """A message length as the head of a column: `32 B`, `1 KiB`."""
    whole = message_bytes >= 1024 and message_bytes % 1024 == 0
    return f"{message_bytes // 1024} KiB" if whole else f"{message_bytes} B"


def summarize(pages: Sequence[Page], sizes: Sizes) -> Summary:
    """The summary of pages of one system; ValueError when there is none, or of more systems than one.

    Lengths are those of the catalogue where it has them, else the declared ones.
    """
    systems = {page.scheme.system for page in pages}
    if len(systems) != 1:
        raise ValueError(f"pages of one system wanted, not of {len(systems)}")
    counted = any(row.mean_cycles is not None for page in pages for row in page.performance)
    unit = CYCLES if counted else TIME
    made = [_Entry(page, key_of(page), unit) for page in pages]
    signatures = [row for entry in made if not entry.page.scheme.hash for row in entry.signatures(sizes)]
    helpers = [entry for entry in made if entry.page.scheme.hash and entry.page.scheme.id == HELPERS]
    hashes = [entry for entry in made if entry.page.scheme.hash and entry.page.scheme.id != HELPERS]
    xof = {place: cost for entry in helpers for place, cost in entry.xof()}
    return Summary(
        system=systems.pop(),
        unit=unit,
        signatures=tuple(signatures),
        helpers=tuple(row for entry in helpers for row in entry.helpers(_messages(helpers))),
        hashes=tuple(row for entry in hashes for row in entry.hashes(_messages(hashes), xof)),
        survey=tuple(survey_row(page, key_of(page)) for page in pages if not page.scheme.hash),
        findings=tuple(
            f"{entry.key} {finding}"
            for entry in made
            for finding in (entry.page.facts.sizes if entry.page.facts else ())
        ),
        pages={entry.key: entry.path for entry in made},
    )


def key_of(page: Page) -> str:
    """The scheme's key where the page is of a run, else its id."""
    return page.facts.scheme if page.facts else page.scheme.id


def _messages(entries: Iterable[_Entry]) -> tuple[int, ...]:
    """The message lengths of all rows of a table, each once."""
    rows = (row for entry in entries for row in entry.page.performance)
    return tuple(sorted({row.message_bytes for row in rows if isinstance(row, HashPerformanceRow)}))


class _Entry:
    """One candidate page, looked up by instance."""

    def __init__(self, page: Page, key: str, unit: str) -> None:
        self.page, self.key, self.unit = page, key, unit
        self.path = f"{key}/perf_{page.scheme.system}.md"
        self._kat = {row.instance: row for row in page.kat}
        self._sizes = {row.instance: row for row in page.sizes}
        self._shares = {(row.instance, row.operation): row for row in page.symmetric}
        self._precision: dict[str, list[PrecisionRow]] = {}
        for precision in page.precision:
            self._precision.setdefault(precision.instance, []).append(precision)
        self._rows: dict[str, list[PerformanceRow | HashPerformanceRow]] = {}
        for row in page.performance:
            self._rows.setdefault(row.instance, []).append(row)

    def signatures(self, sizes: Sizes) -> Iterable[SignatureRow]:
        """A row for each instance of a signature scheme."""
        for instance in self.page.scheme.instances:
            stated = sizes.of(self.page.scheme.id, instance)
            declared = self._sizes.get(instance, SizeRow(instance))
            costs = tuple(self._cost(row) for row in self._rows.get(instance, ()))
            yield SignatureRow(
                **self._common(instance, costs),
                public_key=(stated.public_key if stated else None) or declared.public_key,
                signature=(stated.signature if stated else None) or declared.signature,
                nominal=stated is not None and stated.approximate,
            )

    def helpers(self, messages: tuple[int, ...]) -> Iterable[HelperRow]:
        """A row for each helper function."""
        for instance in self.page.scheme.instances:
            costs = tuple(self._cost(row) for row in self._rows.get(instance, ()))
            yield HelperRow(
                **self._common(instance, costs), messages=messages, digest_bits=self._bits(instance)
            )

    def hashes(self, messages: tuple[int, ...], xof: dict[tuple[int | None, str], Cost]) -> Iterable[HashRow]:
        """A row for each instance of a hash function, with the ratio to pseudoXOF of the same lengths."""
        for instance in self.page.scheme.instances:
            costs = []
            for row in self._rows.get(instance, ()):
                cost = self._cost(row)
                costs.append(_against(cost, xof.get((self._bits(instance), cost.operation)), self.unit))
            yield HashRow(**self._common(instance, tuple(costs)), messages=messages)

    def xof(self) -> Iterable[tuple[tuple[int | None, str], Cost]]:
        """What pseudoXOF costs, by output bits and operation."""
        for instance in self.page.scheme.instances:
            if instance.startswith(f"{XOF}-"):
                for row in self._rows.get(instance, ()):
                    cost = self._cost(row)
                    yield (self._bits(instance), cost.operation), cost

    def _bits(self, instance: str) -> int | None:
        return self.page.facts.digest_bits.get(instance) if self.page.facts else None

    def _cost(self, row: PerformanceRow | HashPerformanceRow) -> Cost:
        if isinstance(row, HashPerformanceRow):
            name, share = f"hash_{row.message_bytes}", None
        else:
            name, share = row.operation, self._shares.get((row.instance, row.operation))
        if row.word:
            return Cost(name, word=row.word)
        return Cost(
            name,
            row.mean_cycles,
            row.mean_ns,
            row.n.measurements,
            share.hash_share if share and not share.word else None,
            share is not None and share.word == "unknown",
        )

    def _common(self, instance: str, costs: tuple[Cost, ...]) -> dict[str, Any]:
        kat = self._kat.get(instance)
        return {
            "scheme": self.key,
            "algorithm": self.page.scheme.algorithm,
            "instance": instance,
            "page": self.path,
            "unit": self.unit,
            "costs": costs,
            "kat": kat.kat if kat and _failed(kat) else "",
            "notes": tuple(self._notes(instance, kat)),
        }

    def _notes(self, instance: str, kat: KatRow | None) -> Iterable[str]:
        verdict = self.page.scheme.symmetric_verdict
        if verdict and verdict != ICCS_ONLY and not self.page.scheme.hash:
            yield f"symmetric: {verdict}"
        if kat is not None:
            if _failed(kat):
                yield "output not validated" if kat.timed else "not timed"
            elif kat.kat not in ("PASS", "SELFTEST PASS", *_PENDING):
                yield f"KAT {kat.kat}"
            if kat.build_flags not in ("guide", fmt.DASH):
                yield f"{kat.build_flags} flags"
        precision = self._precision.get(instance, [])
        disturbed = sum(row.disturbed for row in precision)
        if disturbed:
            yield f"{disturbed} trials still disturbed"
        yield from dict.fromkeys(r for row in self._rows.get(instance, ()) for r in row.n.remarks)
        facts = self.page.facts
        if facts and any(finding.startswith(f"{instance}:") for finding in facts.sizes):
            yield "lengths disagree"


def _failed(kat: KatRow) -> bool:
    """True when the known answer test is over and did not pass."""
    return "PASS" not in kat.kat and kat.kat not in _PENDING


def _against(cost: Cost, xof: Cost | None, unit: str) -> Cost:
    """The cost with its ratio to pseudoXOF where both have figures."""
    ours, theirs = cost.figure(unit), xof.figure(unit) if xof else None
    if ours is None or not theirs:
        return cost
    return replace(cost, ratio=ours / theirs)
