"""Whole pages against files in the repository: a change of what operators read is seen in review.

`NGCCTUI_WRITE_GOLDEN=1 pytest tests/golden` writes the files anew.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from golden.runs import mixed_run

from ngcctui.report import plots
from ngcctui.report.build import build_report
from ngcctui.report.markdown import page_markdown
from ngcctui.report.method_page import method_markdown, method_toml
from ngcctui.report.plots_text import chart_text
from ngcctui.report.summary_page import summary_markdown, summary_text, summary_toml
from ngcctui.report.terminal import terminal_tables
from ngcctui.report.toml import page_toml

EXPECTED = Path(__file__).parent / "expected"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    texts = {}
    report = build_report(mixed_run(tmp_path_factory.mktemp("run")))
    for page in report.pages:
        texts[f"{page.scheme.id}.md"] = page_markdown(page)
        texts[f"{page.scheme.id}.toml"] = page_toml(page)
        texts[f"{page.scheme.id}.txt"] = terminal_tables(page, ascii=True)
        charts = plots.charts(page, {}).values()
        texts[f"{page.scheme.id}.charts.txt"] = "\n".join(
            chart_text(chart, 100, ascii=True) for chart in charts
        )
    texts["summary.md"] = summary_markdown(report.summary, report.method)
    texts["summary.toml"] = summary_toml(report.summary, report.method)
    texts["summary.txt"] = summary_text(report.summary, ascii=True)
    texts["method.md"] = method_markdown(report.method)
    texts["method.toml"] = method_toml(report.method)
    return texts


NAMES = [
    f"{scheme}.{kind}" for scheme in ("toy-1", "toy-hash") for kind in ("md", "toml", "txt", "charts.txt")
]
NAMES += [f"{name}.{kind}" for name in ("summary", "method") for kind in ("md", "toml")] + ["summary.txt"]


def test_these_are_all_pages(made: dict[str, str]) -> None:
    assert sorted(made) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_the_page_is_as_before(made: dict[str, str], name: str) -> None:
    path = EXPECTED / name
    if os.environ.get("NGCCTUI_WRITE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(made[name], "utf-8")
    assert made[name] == path.read_text("utf-8")
