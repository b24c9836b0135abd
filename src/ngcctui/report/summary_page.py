"""The summary page in Markdown, TOML and plain text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote

from ngcctui.report import sentences
from ngcctui.report.markdown import bullets, row_markdown, table_head
from ngcctui.report.method import Method
from ngcctui.report.summary import CYCLES, FEW, Cost, HashRow, SchemeRow, SignatureRow, Summary
from ngcctui.report.survey import SurveyRow
from ngcctui.report.tables import Row, Table
from ngcctui.report.terminal import table_text
from ngcctui.report.text import ascii_only, markdown
from ngcctui.report.toml_text import toml_text


def summary_markdown(summary: Summary, method: Method | None = None) -> str:
    """The whole page (summary_<system>.md); without a method the figures are published ones."""
    parts = [
        f"# Summary — {markdown(f'system {summary.system}')}",
        markdown(_opening(method)),
        _notation(summary, method),
    ]
    for table in summary.tables():
        parts += [f"## {table.title}", _table(table, summary.pages)]
    if summary.findings:
        parts += ["## Lengths that disagree", bullets(summary.findings)]
    helpers = dict.fromkeys(row.scheme for row in summary.helpers)
    if helpers:
        parts.append(
            "Page of the helper functions: "
            + ", ".join(f"[{markdown(key)}]({quote(summary.pages[key])})" for key in helpers)
        )
    return "\n\n".join(part for part in parts if part) + "\n"


def summary_text(summary: Summary, ascii: bool = False) -> str:
    """The summary's tables for a terminal."""
    head = f"Summary (system {summary.system})"
    parts = [head, *(table_text(table, ascii) for table in summary.tables())]
    return "\n\n".join([ascii_only(parts[0]) if ascii else parts[0], *parts[1:]]) + "\n"


def summary_toml(summary: Summary, method: Method | None = None) -> str:
    """The summary as TOML: the cells of each row by name, raw numbers of each operation beside them."""
    rows = {table.key: [_row(row) for row in table.rows] for table in summary.tables()}
    run = {"run": method.run, "campaign": method.campaign, "version": method.version} if method else {}
    head = {"schema": 1, "system": summary.system, "unit": summary.unit, **run, "pages": summary.pages}
    return toml_text(head | rows | {"size_findings": summary.findings})


def _opening(method: Method | None) -> str:
    if method is None:
        return sentences.PUBLISHED
    processor = next((row.value for row in method.environment if row.item == "processor"), "")
    return (
        f"Run {method.run}, campaign {method.campaign}, measured with ngcctui {method.version}"
        + (f" on {processor}" if processor else "")
        + ("." if method.ended else "; the run has not ended.")
    )


def _notation(summary: Summary, method: Method | None) -> str:
    """What the cells say; a line only where the page has what it explains."""
    return "\n".join(f"- {line}" for line in _lines(summary, method))


def _lines(summary: Summary, method: Method | None) -> Iterable[str]:
    if summary.unit == CYCLES:
        yield "Figures are mean cycles of one call over all calls of all trials: k = 10^3, M = 10^6, G = 10^9."
    else:
        yield "Figures are mean times of one call over all calls of all trials: this system counted no cycles."
    if summary.signatures:
        yield (
            "In parentheses: the share of the operation spent in the competition's helper hash functions (`??%`: not proven "
            f"by the profile's self-check), and n where fewer than {FEW} calls were timed."
        )
        yield "Lengths are in bytes" + (
            "; ≈ marks a nominal length." if any(row.nominal for row in summary.signatures) else "."
        )
    if any(row.kat for row in (*summary.signatures, *summary.helpers, *summary.hashes)):
        yield "⚠ marks an instance whose known answer test did not pass; its page tells why."
    if summary.hashes:
        yield "The factor behind a hash function's figure is against pseudoXOF with the same output and message length."
    if method is not None:
        yield f"How it was measured: [method](method_{quote(summary.system)}.md)."


def _table(table: Table, pages: Mapping[str, str]) -> str:
    """A table whose ids lead to the candidate pages."""
    lines = [table_head(table)]
    for row in table.rows:
        cells = row_markdown(row)
        if isinstance(row, (SignatureRow, HashRow, SurveyRow)) and row.scheme in pages:
            _, bar, rest = cells.partition(" | ")
            cells = f"[{markdown(row.scheme)}]({quote(pages[row.scheme])}){bar}{rest}"
        lines.append(f"| {cells} |")
    return "\n".join(lines)


def _row(row: Row) -> dict[str, Any]:
    """A row: its printed cells by operation, and the raw numbers behind them."""
    known = {
        name: value for name, value in vars(row).items() if name not in _OF_TABLE and value not in ("", ())
    }
    if not isinstance(row, SchemeRow):
        return known
    printed = {cost.operation: row.printed(cost) for cost in row.costs}
    return known | printed | {"raw": {cost.operation: _raw(cost) for cost in row.costs}}


#: What a row holds for printing and its raw numbers or the page say already.
_OF_TABLE = frozenset({"costs", "unit", "messages", "page"})


def _raw(cost: Cost) -> dict[str, Any]:
    return {
        "mean_cycles": cost.cycles,
        "mean_time_ns": cost.time_ns,
        "measurements": cost.calls,
        "hash_share": cost.share,
        "ratio_to_xof": cost.ratio,
        "outcome": cost.word or None,
    }
