"""A page's tables as plain text in aligned columns, for the batch summary on standard output."""

from __future__ import annotations

from collections.abc import Collection

from ngcctui.report.page import Page
from ngcctui.report.tables import Table
from ngcctui.report.text import ascii_only, visible, width

_GAP = "  "


def terminal_tables(page: Page, ascii: bool = False, keys: Collection[str] | None = None) -> str:
    """The page's tables as text, lines without trailing blanks; `keys` chooses tables, None means all.

    With `ascii`, glyphs that a terminal without UTF-8 cannot show are replaced (`µ` by `u`, `–` by `-`, `×` by `x`).
    """
    head = f"{page.scheme.id} {page.scheme.algorithm} (system {page.scheme.system})"
    parts = [ascii_only(visible(head)) if ascii else visible(head)]
    parts += [table_text(table, ascii) for table in page.tables() if keys is None or table.key in keys]
    return "\n\n".join(parts) + "\n"


def table_text(table: Table, ascii: bool = False) -> str:
    """One table: its title, its heads, a rule and its rows."""
    rows = [table.heads, *(tuple(visible(cell) for cell in row.cells()) for row in table.rows)]
    if ascii:
        rows = [tuple(ascii_only(cell) for cell in row) for row in rows]
    widths = [max(width(row[column]) for row in rows) for column in range(len(table.heads))]
    lines = [_line(row, widths) for row in rows]
    rule = _GAP.join("-" * size for size in widths)
    return "\n".join([table.title, lines[0], rule, *lines[1:]])


def _line(row: tuple[str, ...], widths: list[int]) -> str:
    cells = (cell + " " * (size - width(cell)) for cell, size in zip(row, widths, strict=True))
    return _GAP.join(cells).rstrip()
