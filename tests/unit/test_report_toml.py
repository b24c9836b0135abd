"""The TOML form of pages: published keys, raw numbers that print as the strings, and nothing lost on the way back."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from golden.runs import mixed_run

from ngcctui.report import format as fmt
from ngcctui.report.build import build_pages
from ngcctui.report.page import Page
from ngcctui.report.published import parse_page
from ngcctui.report.toml import page_toml
from ngcctui.report.write import write_reports

DATA = Path(__file__).parents[2] / "data" / "published"
#: Tables and keys that a page may have beside those of the published pages.
OURS = {"raw"}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> list[Page]:
    return build_pages(mixed_run(tmp_path_factory.mktemp("run")))


def _published_keys() -> dict[str, set[str]]:
    keys: dict[str, set[str]] = {}
    for path in DATA.glob("*/*.toml"):
        for name, table in tomllib.loads(path.read_text("utf-8")).items():
            rows = table if isinstance(table, list) else [table]
            keys.setdefault(name, set()).update(*(set(row) for row in rows))
    return keys


def test_a_page_reads_back_as_it_was(pages: list[Page]) -> None:
    for page in pages:
        assert parse_page(tomllib.loads(page_toml(page))) == page


def test_tables_and_keys_are_the_published_ones(pages: list[Page]) -> None:
    published = _published_keys()
    data = tomllib.loads(page_toml(pages[0]))
    assert set(data) == set(published) | {"extra"}
    for name, keys in published.items():
        rows = data[name] if isinstance(data[name], list) else [data[name]]
        used = set().union(*(set(row) for row in rows))
        assert used - OURS <= keys, name
        assert keys - {"machine"} <= used, name


def test_hash_pages_have_their_own_performance_keys_and_no_sizes(pages: list[Page]) -> None:
    data = tomllib.loads(page_toml(pages[1]))
    assert set(data) == {"scheme", "environment", "kat", "performance", "resources", "evidence", "extra"}
    assert list(data["performance"][0]) == [
        "instance",
        "message_bytes",
        "mean_cycles",
        "cycles_per_byte",
        "mean_time",
        "mb_per_second",
        "measurements",
        "trials",
        "iterations_per_trial",
        "raw",
    ]


def test_raw_numbers_print_as_the_strings_beside_them(pages: list[Page]) -> None:
    checked = 0
    for page in pages:
        data = tomllib.loads(page_toml(page))
        for row in data["performance"]:
            raw: dict[str, Any] = row["raw"]
            if "outcome" in raw:
                assert row["mean_cycles"] == raw["outcome"] and row["mean_time"] == "–"
                assert not {"measurements", "trials", "iterations_per_trial"} & set(row)
                continue
            assert row["mean_cycles"] == fmt.cycles(raw.get("mean_cycles"))
            assert row["mean_time"] == fmt.time_ns(raw["mean_time_ns"])
            assert row["measurements"] == row["trials"] * row["iterations_per_trial"]
            if "operation" in row:
                assert row["ops_per_second"] == fmt.rate(raw["ops_per_second"])
                assert row["median_trial"] == fmt.time_ns(raw["median_trial_ns"])
            else:
                assert row["cycles_per_byte"] == fmt.one_decimal(raw.get("cycles_per_byte"))
                assert row["mb_per_second"] == fmt.one_decimal(raw["mb_per_second"])
                assert raw["mb_per_second"] == pytest.approx(row["message_bytes"] / raw["mean_time_ns"] * 1e3)
            checked += 1
        for row in data["resources"]:
            assert row["baseline_rss_kib"] == row["raw"]["baseline_rss_bytes"] // 1024
            assert row["peak_rss_kib"] == row["raw"]["peak_rss_bytes"] // 1024
        for row in data.get("symmetric", []):
            if "outcome" not in row["raw"]:
                assert row["hash_share"] == fmt.share(row["raw"]["hash_share"])
                assert row["calls_per_operation"] == fmt.calls_per_operation(row["raw"]["calls"])
        for row in data["evidence"]:
            assert row["raw"]["sha256"].startswith(row.get("sha256_prefix", ""))
    assert checked == 7


def test_missing_values_are_dashes_and_absent_raw_keys(pages: list[Page]) -> None:
    data = tomllib.loads(page_toml(pages[1]))
    (row,) = [row for row in data["performance"] if row["message_bytes"] == 1024]
    assert row["mean_cycles"] == row["cycles_per_byte"] == "–"
    assert set(row["raw"]) == {"mean_time_ns", "mb_per_second"}


def test_written_files_are_the_page(tmp_path: Path) -> None:
    run = mixed_run(tmp_path)
    paths = [path for path in write_reports(run) if path.match("perf_*.toml")]
    assert [parse_page(tomllib.loads(path.read_text("utf-8"))) for path in paths] == build_pages(run)
