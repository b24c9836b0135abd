"""Pages read from TOML: the published figures of eight pages, and pages of our own."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from golden.rendered import paragraphs, tables

from ngcctui.model.errors import ConfigError
from ngcctui.report.markdown import page_markdown
from ngcctui.report.page import Page
from ngcctui.report.published import read_published
from ngcctui.report.terminal import terminal_tables
from ngcctui.report.toml import page_toml

DATA = Path(__file__).parents[2] / "data" / "published"
FILES = sorted(DATA.glob("*/*.toml"))
PAGES = pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
HEADS = {
    "environment": ("item", "value"),
    "kat": ("instance", "build flags", "KAT"),
    "performance": (
        "instance",
        "operation",
        "mean cycles",
        "mean time",
        "ops/s",
        "median trial",
        "n (trials × iters)",
    ),
    "resources": ("instance", "operation", "static: ELF image (bytes)", "baseline RSS", "peak RSS"),
    "sizes": ("instance", "public key", "secret key", "signature"),
    "symmetric": ("instance", "operation", "pseudohash/XOF/sm3", "DRNG", "calls per operation"),
    "evidence": ("instance", "item", "file"),
}


def _expected(page: dict[str, Any], key: str) -> list[tuple[str, ...]]:
    """The cells of a published table, written out from its TOML without any of our rows."""
    rows: list[tuple[str, ...]] = []
    if key == "environment":
        return [(item, str(value)) for item, value in page["environment"].items()]
    for row in page.get(key, []):
        instance = str(row["instance"])
        if key == "kat":
            note = f" [{row['note']}]" if "note" in row else ""
            rows.append((instance, str(row["build_flags"]), f"{row['kat']}{note}"))
        elif key == "performance":
            strings = (
                str(row[name]) for name in ("mean_cycles", "mean_time", "ops_per_second", "median_trial")
            )
            n = f"{row['measurements']} ({row['trials']} × {row['iterations_per_trial']})"
            rows.append((instance, str(row["operation"]), *strings, n))
        elif key == "resources":
            memory = f"{row['baseline_rss_kib']} KiB", f"{row['peak_rss_kib']} KiB"
            rows.append((instance, str(row["operation"]), str(row.get("static_elf_bytes", "–")), *memory))
        elif key == "sizes":
            rows.append((instance, *(str(row[name]) for name in ("public_key", "secret_key", "signature"))))
        elif key == "symmetric":
            strings = (str(row[name]) for name in ("hash_share", "drng_share", "calls_per_operation"))
            rows.append((instance, str(row["operation"]), *strings))
        elif "sha256_prefix" in row:
            rows.append((instance, f"KAT log (sha256 {row['sha256_prefix']}…)", str(row["file"])))
        else:
            rows.append((instance, f"{row['item']} {row['operation']}", str(row["file"])))
    return rows


@PAGES
def test_a_published_page_is_written_as_it_was_read(path: Path) -> None:
    assert tomllib.loads(page_toml(read_published(path))) == tomllib.loads(path.read_text("utf-8"))


@PAGES
def test_markdown_and_terminal_show_the_published_strings_in_order(path: Path) -> None:
    data, page = tomllib.loads(path.read_text("utf-8")), read_published(path)
    present = [key for key in HEADS if key in data]
    assert [table.key for table in page.tables()] == present
    rendered = tables(page_markdown(page))
    assert rendered == [[HEADS[key], *_expected(data, key)] for key in present]
    terminal = terminal_tables(page)
    for key in present:
        for cells in _expected(data, key):
            assert any(all(cell in line for cell in cells) for line in terminal.splitlines()), cells


@PAGES
def test_a_published_page_does_not_claim_to_be_measured_here(path: Path) -> None:
    texts = paragraphs(page_markdown(read_published(path)))
    assert texts[1].startswith("These figures were published")
    assert not any("Measured" in text or "own machine" in text for text in texts)


def test_the_published_files_name_their_origin() -> None:
    for path in FILES:
        head = path.read_text("utf-8").partition("\n\n")[0]
        assert "ngcc-harness" in head and "2026-11-30" in head
        page: Page = read_published(path)
        assert (page.scheme.id, page.scheme.system) == (path.stem, path.parent.name)


#: Rows that cannot be: a baseline above the peak of the same process.
IMPOSSIBLE = {("arm_1", "Lynxer-256f", "verify")}


def test_published_rows_can_be_but_for_those_named() -> None:
    found = set()
    for path in FILES:
        page = read_published(path)
        for row in page.resources:
            assert row.baseline_rss_kib is not None and row.peak_rss_kib is not None
            if row.baseline_rss_kib > row.peak_rss_kib:
                found.add((path.parent.name, row.instance, row.operation))
        for figures in page.performance:
            n = figures.n
            assert n.trials and n.iterations and n.measurements == n.trials * n.iterations
            rate = getattr(figures, "ops_per_second", None)
            assert figures.mean_ns and rate and abs(rate * figures.mean_ns / 1e9 - 1) < 0.01
        for shares in page.symmetric:
            assert (shares.hash_share or 0) + (shares.drng_share or 0) <= 1.01
    assert found == IMPOSSIBLE


BASE = """
[scheme]
id = "x"
algorithm = "X"
category = "c"
function = "digital signature"
system = "s"
versions = ["reference"]
instances = ["a"]
"""
ROW = """
[[performance]]
instance = "a"
operation = "sign"
mean_cycles = "14.52 M"
mean_time = "6.94 ms"
ops_per_second = "144"
median_trial = "6.93 ms"
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (BASE + ROW.replace("14.52 M", "14.52M"), "performance[0].mean_cycles: not in the notation"),
        (BASE + ROW.replace("6.94 ms", "6.94"), "performance[0].mean_time: not in the notation"),
        (BASE + ROW.replace('"144"', "144"), "performance[0].ops_per_second: must be a string"),
        (BASE + ROW.replace("operation", "operatoin"), "performance[0].operatoin: unknown key"),
        (BASE.replace('id = "x"\n', ""), "scheme.id: missing"),
        (BASE + "[[symmetric]]\ninstance='a'\noperation='b'\nhash_share='1'\ndrng_share='0.0%'\ncalls_per_operation='–'\n",
         "symmetric[0].hash_share: not in the notation"),
        (BASE + "[[symmetric]]\ninstance='a'\noperation='b'\nhash_share='10%'\ndrng_share='0.0%'\ncalls_per_operation='x'\n",
         "symmetric[0].calls_per_operation: not in the notation"),
        ("[scheme", "malformed TOML"),
    ],
)  # fmt: skip
def test_a_file_that_does_not_fit_is_one_clear_error(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "page.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(ConfigError) as caught:
        read_published(path)
    assert str(caught.value).startswith(f"{path}: ") and message in str(caught.value)


def test_words_and_dashes_are_read_as_such(tmp_path: Path) -> None:
    path = tmp_path / "page.toml"
    failed = (
        ROW.replace("14.52 M", "timeout")
        .replace("6.94 ms", "–")
        .replace('"144"', '"–"')
        .replace("6.93 ms", "–")
    )
    path.write_text(BASE + failed + ROW.replace("14.52 M", "–"), "utf-8")
    first, second = read_published(path).performance
    assert first.cells() == ("a", "sign", "timeout", "", "", "", "")
    assert second.cells()[2:4] == ("–", "6.94 ms")
