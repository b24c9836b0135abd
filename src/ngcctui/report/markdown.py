"""A page as Markdown: the published sections in their order, our own tables below the published ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from urllib.parse import quote

from ngcctui.report import sentences
from ngcctui.report.page import Page
from ngcctui.report.tables import Row, Table
from ngcctui.report.text import harmless_cells, markdown, markdown_code


def page_markdown(page: Page, charts: Sequence[str] = ()) -> str:
    """The whole page (perf_<system>.md); `charts` are image files beside it."""
    tables = {table.key: table for table in page.tables()}
    facts = page.facts
    parts = [_title(page), markdown(sentences.opening(page)), *_basic(page)]
    sections: tuple[tuple[str, list[str], list[str]], ...] = (
        ("environment", [], _conditions(page)),
        ("kat", _plain(sentences.kat(page)), _kat_notes(page)),
        (
            "performance",
            _plain(sentences.performance(page)),
            [*_plain(sentences.disturbed(page)), *_failures(page)],
        ),
        ("precision", _plain([sentences.precision(page)]), []),
        ("resources", _plain([sentences.RESOURCES] if facts else []), []),
        ("sizes", _plain([sentences.SIZES] if facts else []), _disagreements(page)),
        ("symmetric", [_verdict(page), *_plain([sentences.SYMMETRIC] if facts else [])], []),
        ("profile", _plain([sentences.PROFILE]), []),
        ("evidence", _plain([sentences.EVIDENCE] if facts else []), []),
        ("libraries", [], []),
    )
    for key, before, after in sections:
        table = tables.get(key)
        if table is not None:
            heading = f"{'###' if table.own else '##'} {table.title}"
            parts += [heading, *before, table_markdown(table), *after]
        elif key == "symmetric" and _verdict(page) and not page.scheme.hash:
            parts += ["## Symmetric primitives", _verdict(page)]
    if charts:
        parts += ["## Charts", *(f"![{_alternative(name)}]({quote(name)})" for name in charts)]
    parts += _ending(page)
    return "\n\n".join(part for part in parts if part) + "\n"


def _alternative(name: str) -> str:
    """What a chart shows, for those who do not see it."""
    costs = "costs of all operations with their intervals, and published ones where there are any"
    return (
        costs
        if name.endswith(".cost.svg")
        else "times of calls and trials against the mean of their operation"
    )


def _plain(texts: Iterable[str]) -> list[str]:
    return [markdown(text) for text in texts]


def bullets(texts: Iterable[str]) -> str:
    """Plain texts as a Markdown list."""
    return "\n".join(f"- {markdown(text)}" for text in texts)


def _conditions(page: Page) -> list[str]:
    if page.facts is None:
        return []
    found = [markdown(sentences.host(page.facts)), bullets(page.facts.findings)]
    return [*_plain(sentences.conditions(page.facts)), *found]


def _failures(page: Page) -> list[str]:
    failures = page.facts.failures if page.facts else ()
    return ["Operations without figures:", bullets(failures)] if failures else []


def _disagreements(page: Page) -> list[str]:
    found = page.facts.sizes if page.facts else ()
    return ["Lengths that disagree:", bullets(found)] if found else []


def _kat_notes(page: Page) -> list[str]:
    return [f"[{note.number}] {markdown(note.text)}" for note in page.kat_notes]


def _title(page: Page) -> str:
    info = page.scheme
    machine = page.facts.machine if page.facts else ""
    where = (
        f"performance on {machine} (system {info.system})"
        if machine
        else f"performance on system {info.system}"
    )
    return f"# {markdown(info.id)} {markdown(info.algorithm)} — {markdown(where)}"


def _basic(page: Page) -> Iterable[str]:
    info = page.scheme
    lines = (
        f"Category: {info.category}; function: {info.function}",
        f"Algorithm: {info.algorithm}",
        f"Implementation versions measured: {', '.join(info.versions)}",
        f"Parameter sets: {', '.join(info.instances)}",
    )
    return "## 1. Basic information", bullets(lines)


def _verdict(page: Page) -> str:
    verdict = page.scheme.symmetric_verdict
    note = page.scheme.symmetric_notes
    if not verdict:
        return ""
    return f"Survey verdict: **{markdown(verdict)}**" + (f" — {markdown(note)}" if note else "")


def _ending(page: Page) -> Iterable[str]:
    if page.facts is None:
        return ()
    parts = ["## Limits", *(markdown(text) for text in sentences.LIMITS)]
    told = (*page.facts.problems, *page.facts.warnings)
    if told:
        parts += ["## Warnings", bullets(told)]
    return parts


def table_markdown(table: Table) -> str:
    """One table; cells show exactly the text of the row's cells, whatever is in it."""
    return "\n".join([table_head(table), *(f"| {row_markdown(row)} |" for row in table.rows)])


def table_head(table: Table) -> str:
    """The two lines above a table's rows."""
    return f"| {' | '.join(map(markdown, table.heads))} |\n|{'---|' * len(table.heads)}"


def row_markdown(row: Row) -> str:
    """The cells of a row with ` | ` between them, which is in none of them."""
    cells, code = row.cells(), row.code()
    if code is not None and harmless_cells(len(cells), code).fullmatch("\n".join(cells)):
        return _form(len(cells), code) % cells
    return " | ".join(["".join([_span(text, code) for text, code in cell]) for cell in row.spans()])


@cache
def _form(count: int, code: tuple[int, ...]) -> str:
    return " | ".join("`%s`" if number in code else "%s" for number in range(count))


def _span(text: str, code: bool) -> str:
    """A piece of a cell; the blank between it and the piece before stays."""
    if code:
        return markdown_code(text)
    return f" {markdown(text)}" if text.startswith(" ") else markdown(text)
