"""Exported files: JSON with every key, a CSV file for each table, and nothing that a spreadsheet would run."""

from __future__ import annotations

import csv
import io
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from golden.runs import mixed_run
from golden.synthetic import QuickStorage
from hypothesis import given
from hypothesis import strategies as st

from ngcctui.report.build import build_pages
from ngcctui.report.export import export_pages, page_csv, page_json
from ngcctui.report.markdown import page_markdown
from ngcctui.report.page import Page
from ngcctui.report.tables import KatNote
from ngcctui.report.toml import page_toml


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> list[Page]:
    return build_pages(mixed_run(tmp_path_factory.mktemp("export")))


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        filled = {key: without_nulls(item) for key, item in value.items() if item is not None}
        return {key: item for key, item in filled.items() if item not in ({}, [])}
    return [without_nulls(item) for item in value] if isinstance(value, list) else value


def test_json_is_the_toml_page_with_null_for_what_is_missing(pages: list[Page]) -> None:
    for page in pages:
        data = json.loads(page_json(page))
        assert without_nulls(data) == tomllib.loads(page_toml(page))
    crashed = [row for row in json.loads(page_json(pages[0]))["performance"] if row["raw"]["outcome"]]
    assert crashed and all(row["raw"]["mean_time_ns"] is None for row in crashed)


def test_csv_holds_the_raw_figures_of_every_row(pages: list[Page]) -> None:
    for page in pages:
        found = rows(page_csv(page)["performance"])
        assert len(found) == len(page.performance)
        for row, ours in zip(found, page.performance, strict=True):
            assert row["instance"] == ours.instance
            assert row["raw.mean_time_ns"] == ("" if ours.mean_ns is None else repr(ours.mean_ns))
            assert row["raw.mean_cycles"] == ("" if ours.mean_cycles is None else repr(ours.mean_cycles))


def test_csv_has_a_table_for_each_section_and_for_what_is_ours(pages: list[Page]) -> None:
    signature, digest = (set(page_csv(page)) for page in pages)
    assert signature >= {"environment", "kat", "performance", "resources", "sizes", "symmetric", "evidence"}
    assert signature >= {"kat_notes", "precision", "profile", "library"}
    assert "sizes" not in digest and "symmetric" not in digest
    environment = rows(page_csv(pages[0])["environment"])
    assert {row["item"]: row["value"] for row in environment} == {
        r.item: r.value for r in pages[0].environment
    }


@given(text=st.text(max_size=30))
def test_a_text_comes_back_whole_and_is_no_formula(pages: list[Page], text: str) -> None:
    written = page_csv(Page(pages[0].scheme, kat_notes=(KatNote(1, text),)))["kat_notes"]
    heads, row = csv.reader(io.StringIO(written, newline=""))
    assert heads == ["number", "text"]
    assert not row[-1].startswith(("=", "+", "-", "@"))
    assert row[-1] in (text, f"'{text}")


def test_every_file_of_every_page_is_written_below_its_scheme(pages: list[Page], tmp_path: Path) -> None:
    paths = export_pages(pages, tmp_path / "made", QuickStorage())
    for page in pages:
        assert page.facts is not None
        base = tmp_path / "made" / page.facts.scheme / f"perf_{page.scheme.system}"
        assert base.with_suffix(".md").read_text("utf-8") == page_markdown(page)
        assert base.with_suffix(".toml").read_text("utf-8") == page_toml(page)
        assert json.loads(base.with_suffix(".json").read_text("utf-8"))["scheme"]["id"] == page.scheme.id
        for name, text in page_csv(page).items():
            assert Path(f"{base}.{name}.csv").read_bytes() == text.encode("utf-8")
    assert sorted(paths) == sorted(path for path in (tmp_path / "made").rglob("*") if path.is_file())
