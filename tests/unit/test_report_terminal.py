"""Tables as plain text: aligned, readable by a terminal that is not UTF-8, without control characters."""

from __future__ import annotations

from pathlib import Path

import pytest
from golden.runs import mixed_run

from ngcctui.report.build import build_pages
from ngcctui.report.page import Page
from ngcctui.report.tables import EnvironmentRow, Table
from ngcctui.report.terminal import table_text, terminal_tables
from ngcctui.report.text import width


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Page:
    return build_pages(mixed_run(tmp_path_factory.mktemp("run")))[0]


def test_every_table_is_there_in_page_order(page: Page) -> None:
    text = terminal_tables(page)
    places = [text.index(f"\n{table.title}\n") for table in page.tables()]
    assert places == sorted(places) and len(places) == 10
    for table in page.tables():
        for row in table.rows:
            assert all(cell in text for cell in row.cells())


def test_chosen_tables_only(page: Page) -> None:
    text = terminal_tables(page, keys=("kat", "performance"))
    assert "3. Functional" in text and "4. Performance" in text and "5. Resource" not in text


def test_columns_begin_in_the_same_place_on_every_line(page: Page) -> None:
    for ascii in (False, True):
        lines = terminal_tables(page, ascii, keys=("performance",)).splitlines()[3:]
        rule = next(line for line in lines if set(line) == {"-", " "})
        starts = [i for i, char in enumerate(rule) if char == "-" and (i == 0 or rule[i - 1] == " ")]
        assert len(starts) == 7
        for line in lines:
            assert all(line[start - 2 : start].strip() == "" for start in starts[1:]), line


def test_ascii_has_stand_ins(page: Page) -> None:
    text = terminal_tables(page, ascii=True)
    assert text.isascii() and "5 x 40" in text and "758 us" in text
    assert "+-" in text


def test_no_line_has_blanks_at_its_end_or_control_characters(page: Page) -> None:
    for line in terminal_tables(page).splitlines():
        assert line == line.rstrip() and (line.isprintable())


def test_wide_and_hostile_cells_do_not_shift_columns() -> None:
    rows = (EnvironmentRow("名前", "a"), EnvironmentRow("\x1b[2Jx\ny", "b"), EnvironmentRow("é", "c"))
    lines = table_text(Table("environment", "T", ("item", "value"), rows)).splitlines()
    assert "\x1b" not in "".join(lines)
    assert {width(line) - 1 for line in lines[3:]} == {width(lines[1]) - len("value")}


def test_reading_a_page_needs_no_screen_library(tmp_path: Path) -> None:
    import subprocess
    import sys

    code = "import sys, ngcctui.report.write, ngcctui.report.terminal, ngcctui.report.validate; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"rich", "textual", "cffi"} & set(loaded)
