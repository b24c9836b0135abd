"""Whole pages against files in the repository: a change of what operators read is seen in review.

`NGCCTUI_WRITE_GOLDEN=1 pytest tests/golden` writes the files anew.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from golden.runs import mixed_run

from ngcctui.report.build import build_pages
from ngcctui.report.markdown import page_markdown
from ngcctui.report.terminal import terminal_tables
from ngcctui.report.toml import page_toml

EXPECTED = Path(__file__).parent / "expected"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    texts = {}
    for page in build_pages(mixed_run(tmp_path_factory.mktemp("run"))):
        texts[f"{page.scheme.id}.md"] = page_markdown(page)
        texts[f"{page.scheme.id}.toml"] = page_toml(page)
        texts[f"{page.scheme.id}.txt"] = terminal_tables(page, ascii=True)
    return texts


NAMES = [f"{scheme}.{kind}" for scheme in ("toy-1", "toy-hash") for kind in ("md", "toml", "txt")]


def test_these_are_all_pages(made: dict[str, str]) -> None:
    assert sorted(made) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_the_page_is_as_before(made: dict[str, str], name: str) -> None:
    path = EXPECTED / name
    if os.environ.get("NGCCTUI_WRITE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(made[name], "utf-8")
    assert made[name] == path.read_text("utf-8")
