"""The results of a run as sheets: every section's rows of all schemes together, sorted and filtered as text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ngcctui.model.natural import natural
from ngcctui.report import format as fmt
from ngcctui.report import sentences
from ngcctui.report.compare import Compared, Ratio, compare, place
from ngcctui.report.page import Page
from ngcctui.report.tables import HashPerformanceRow, Table
from ngcctui.tui.view.filtering import RowFilter

Cells = tuple[str, ...]
COMPARE = "compare"
TAB_GAP = "  "
#: Heads of the columns that name a row, where they stand first.
_NAMES = ("scheme", "instance", "operation", "message")

#: Keys of the sections as they are named on their tabs.
_LABELS = {
    "basic": "1 basic",
    "environment": "2 environment",
    "conditions": "conditions",
    "kat": "3 KAT",
    "performance": "4 performance",
    "precision": "precision",
    "resources": "5 memory",
    "sizes": "6 sizes",
    "symmetric": "symmetric",
    "profile": "profile",
    "evidence": "7 evidence",
    "libraries": "libraries",
    COMPARE: "compare",
}
#: The columns of a precision row that go behind those of section 4: ±, the interval, distinct calls, rejected trials.
_OURS = (3, 2, 4, 5)


@dataclass(frozen=True)
class Sheet:
    """One tab: `key` stays the same when the run is read again; rows are whole, however wide."""

    key: str
    label: str
    heads: Cells
    rows: tuple[Cells, ...]

    @property
    def names(self) -> int:
        """How many columns at the left name the row."""
        return next((n for n, head in enumerate(self.heads) if head not in _NAMES), len(self.heads))


@dataclass(frozen=True)
class Other:
    """What the run is compared with: its name in heads, and its pages by our scheme's key."""

    name: str
    pages: Mapping[str, Page]


@dataclass(frozen=True)
class Order:
    """How rows are sorted: by a column of the sheet, None for the order of the page."""

    column: int | None = None
    descending: bool = False

    def next(self, columns: int) -> Order:
        """By the column after this one; after the last in the order of the page."""
        column = 0 if self.column is None else self.column + 1
        return Order(column if column < columns else None, self.descending)


def sheets(pages: Sequence[Page], other: Other | None = None) -> tuple[Sheet, ...]:
    """Every section that has rows, in page order; the comparison last."""
    named = len(pages) > 1
    found = [_sheet("basic", ("item", "value"), [(page, _basic(page)) for page in pages], named)]
    for key in _LABELS:
        if key == "conditions":
            found.append(_sheet(key, ("about", "text"), [(page, _conditions(page)) for page in pages], named))
        elif key == COMPARE and other is not None:
            found.append(_comparison(pages, other, named))
        else:
            found += _section(pages, key, named)
    return tuple(sheet for sheet in found if sheet.rows)


def _section(pages: Sequence[Page], key: str, named: bool) -> Iterable[Sheet]:
    """One section; two sheets where signatures and hash functions have other heads."""
    groups: dict[Cells, list[tuple[Page, list[Cells]]]] = {}
    for page in pages:
        for table in page.tables():
            if table.key == key:
                heads, rows = _table(page, table)
                groups.setdefault(heads, []).append((page, rows))
    for number, (heads, parts) in enumerate(groups.items()):
        label = _LABELS[key]
        if len(groups) > 1:
            label += " hash" if all(page.scheme.hash for page, _ in parts) else ""
        yield _sheet(f"{key}-{number}" if number else key, heads, parts, named, label)


def _table(page: Page, table: Table) -> tuple[Cells, list[Cells]]:
    """Heads and rows of a table, the intervals behind the published columns of section 4."""
    rows = [row.cells() for row in table.rows]
    precision = next((other for other in page.tables() if other.key == "precision"), None)
    if table.key != "performance" or precision is None:
        return table.heads, rows
    known = {(row.instance, row.operation): row.cells() for row in page.precision}
    behind = [known.get(place(row), ("",) * len(precision.heads)) for row in page.performance]
    heads = (*table.heads, *(precision.heads[column] for column in _OURS))
    return heads, [
        (*cells, *(ours[column] for column in _OURS)) for cells, ours in zip(rows, behind, strict=True)
    ]


def _sheet(
    key: str, heads: Cells, parts: Sequence[tuple[Page, Sequence[Cells]]], named: bool, label: str = ""
) -> Sheet:
    """Rows of several pages; the scheme stands in front where the pages do not all say the same."""
    rows = [tuple(part) for _, part in parts]
    if named and not (heads[0] != "instance" and all(part == rows[0] for part in rows)):
        merged = [(_key(page), *cells) for page, part in parts for cells in part]
        return Sheet(key, label or _LABELS[key], ("scheme", *heads), tuple(merged))
    return Sheet(
        key, label or _LABELS[key], heads, rows[0] if named else tuple(c for part in rows for c in part)
    )


def _key(page: Page) -> str:
    return page.facts.scheme if page.facts else page.scheme.id


def _basic(page: Page) -> list[Cells]:
    info = page.scheme
    rows = [
        ("algorithm", info.algorithm),
        ("category", info.category),
        ("function", info.function),
        ("implementation versions", ", ".join(info.versions)),
        ("parameter sets", ", ".join(info.instances)),
        ("symmetric verdict", info.symmetric_verdict),
        ("symmetric notes", info.symmetric_notes),
    ]
    return [(item, value) for item, value in rows if value]


def _conditions(page: Page) -> list[Cells]:
    """What is true of the run behind the figures, a sentence a row."""
    facts = page.facts
    if facts is None:
        return []
    rows: list[Cells] = [
        ("run", sentences.opening(page)),
        *(("run", said) for said in sentences.conditions(facts)),
    ]
    rows += [("host", said) for said in (sentences.host(facts), *facts.findings) if said]
    rows += [("KAT", f"[{note.number}] {note.text}") for note in page.kat_notes]
    rows += [("without figures", said) for said in facts.failures]
    rows += [("warning", said) for said in (*facts.problems, *facts.warnings)]
    return rows


# comparison -------------------------------------------------------------------------------------------------------


def _comparison(pages: Sequence[Page], other: Other, named: bool) -> Sheet:
    """Both sides of every operation: first by what decides, cycles where both sides counted them."""
    found = [(page, compare(page, other.pages[_key(page)])) for page in pages if _key(page) in other.pages]
    by_cycles = any(row.cycles is not None for _, rows in found for row in rows)
    first, second = ("cycles", "time") if by_cycles else ("time", "cycles")
    heads = (
        "instance", "operation", f"mean {first}", f"{other.name} {first}", "ratio", "95 % interval", "verdict",
        f"mean {second}", f"{other.name} {second}", "ratio", "95 % interval", "remark",
    )  # fmt: skip
    parts = [(page, [_compared(page, row, by_cycles) for row in rows]) for page, rows in found]
    return _sheet(COMPARE, heads, parts, named)


def _compared(page: Page, row: Compared, by_cycles: bool) -> Cells:
    ours = next(mine for mine in page.performance if place(mine) == (row.instance, row.operation))
    operation = fmt.message(ours.message_bytes) if isinstance(ours, HashPerformanceRow) else ours.operation
    time = (fmt.time_ns(ours.mean_ns), fmt.time_ns(row.other.mean_ns), *_ratio(row.time))
    cycles = (fmt.cycles(ours.mean_cycles), fmt.cycles(row.other.mean_cycles), *_ratio(row.cycles))
    first, second = (cycles, time) if by_cycles else (time, cycles)
    return (row.instance, operation, *first, row.flag, *second, row.why)


def _ratio(ratio: Ratio | None) -> Cells:
    if ratio is None:
        return fmt.DASH, fmt.DASH
    if ratio.low is None or ratio.high is None:
        return f"{ratio.value:.3g}", fmt.DASH
    return f"{ratio.value:.3g}", f"{ratio.low:.4g} to {ratio.high:.4g}"


# order and filter -------------------------------------------------------------------------------------------------

_FIGURE = re.compile(r"(?:≈ )?±?(\d+(?:\.\d+)?(?:e[+-]\d+)?)(?: ?(ns|µs|ms|s|k|M|G|KiB|B|%))?(?=$|[ (;])")
_SCALE = {
    "ns": 1.0, "µs": 1e3, "ms": 1e6, "s": 1e9, "k": 1e3, "M": 1e6, "G": 1e9, "KiB": 1024.0, "B": 1.0, "%": 1.0,
}  # fmt: skip


def figure(cell: str) -> float | None:
    """The number that a cell begins with, in the base unit of its kind; None when it does not begin with one."""
    found = _FIGURE.match(cell)
    if found is None:
        return None
    return float(found[1]) * _SCALE.get(found[2] or "", 1.0)


def figure_columns(sheet: Sheet) -> list[int]:
    """The columns that hold figures and nothing behind them."""
    columns = range(sheet.names, len(sheet.heads))
    return [column for column in columns if any(_FIGURE.fullmatch(cells[column]) for cells in sheet.rows)]


def arranged(sheet: Sheet, order: Order, shown: RowFilter) -> list[int]:
    """Which rows are shown, in which order.

    A column with figures is sorted by size, with words and empty cells last either way; any other column by its words.
    """
    kept = [number for number, cells in enumerate(sheet.rows) if shown(" ".join(cells))]
    column = order.column
    if column is None or column >= len(sheet.heads):
        return kept[::-1] if order.descending else kept
    cells = {number: sheet.rows[number][column] for number in kept}
    figures = {number: size for number in kept if (size := figure(cells[number])) is not None}
    if figures:
        first = sorted(figures, key=lambda number: figures[number], reverse=order.descending)
    else:
        words = [number for number in kept if cells[number] not in ("", fmt.DASH)]
        first = sorted(words, key=lambda number: natural(cells[number]), reverse=order.descending)
    taken = set(first)
    return first + [number for number in kept if number not in taken]


def row_lines(sheet: Sheet, number: int) -> list[str]:
    """A whole row, a line for each column."""
    return [f"{head}: {cell}" for head, cell in zip(sheet.heads, sheet.rows[number], strict=True) if cell]


def row_text(sheet: Sheet, number: int) -> str:
    """A row as it is copied: heads and cells, with tabs between."""
    return "\n".join("\t".join(cells) for cells in (sheet.heads, sheet.rows[number]))


def tab_rows(found: Sequence[Sheet], current: int, width: int) -> list[list[tuple[str, bool]]]:
    """The labels of the tabs in rows of `width` cells, and which is open; brackets say it where nothing is coloured."""
    rows: list[list[tuple[str, bool]]] = [[]]
    used = 0
    for number, sheet in enumerate(found):
        label = f"[{sheet.label}]" if number == current else sheet.label
        if used and used + len(TAB_GAP) + len(label) > width:
            rows.append([])
            used = 0
        used += len(label) + (len(TAB_GAP) if rows[-1] else 0)
        rows[-1].append((label, number == current))
    return rows
