"""The documents of the screens name what is there, and everything that is."""

from __future__ import annotations

import ast
import asyncio
import dataclasses
import re
from functools import cache
from pathlib import Path

import pytest
from tui.played_run import new_run

from ngcctui.model.codec import encode
from ngcctui.tui.config import Settings
from ngcctui.tui.picture import picture

ROOT = Path(__file__).resolve().parents[2]
ROWS = [
    line for line in (ROOT / "docs/expectations.md").read_text().splitlines() if re.match(r"\| \d+ \|", line)
]
TEST = re.compile(r"`([\w/]+\.py)::(\w+)`")


@cache
def functions(path: Path) -> frozenset[str]:
    return frozenset(
        node.name
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    )


def test_there_are_thirty_expectations() -> None:
    assert [int(row.split("|")[1]) for row in ROWS] == list(range(1, 31))


@pytest.mark.parametrize("row", ROWS, ids=[row.split("|")[1].strip() for row in ROWS])
def test_each_names_places_and_tests_that_are_there(row: str) -> None:
    _, _, expectation, where, held, _ = row.split("|")
    assert expectation.strip()
    tests = TEST.findall(held)
    assert tests
    for file, function in tests:
        assert function in functions(ROOT / "tests" / file), f"{file}::{function}"
    for path in re.findall(r"`([\w/]+\.py)`", where):
        assert (ROOT / "src/ngcctui" / path).exists(), path


def test_every_setting_has_its_default_in_the_page() -> None:
    text = (ROOT / "docs/screens.md").read_text()
    rows = dict(re.findall(r"^\| `(\w+)` \| `?([^`|]*)`? ?\|", text, re.MULTILINE))
    assert set(rows) == {field.name for field in dataclasses.fields(Settings)}
    for name, default in encode(Settings()).items():
        if name != "keys":
            written = f'"{default}"' if isinstance(default, str) else str(default).lower()
            assert rows[name] == written


def test_the_picture_of_the_readme_can_be_made_again(tmp_path: Path) -> None:
    run = new_run(tmp_path / "runs", schemes=1, each=2)
    run.start()
    run.prepare()
    run.measured(0, "keygen")
    run.end()
    svg = asyncio.run(picture(run.run.path, (90, 24)))
    assert svg.startswith("<svg")
    assert "Candidate1-256" in svg
    assert "401&#160;µs&#160;±0.40%" in svg or "401&#160;µs&#160;±0.4%" in svg, svg[-3000:]
    assert "http" not in svg.replace("http://www.w3.org/", "").replace("https://www.textualize.io", "")
