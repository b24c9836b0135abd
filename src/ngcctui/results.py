"""The tables of a run on standard output, and where its report is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from shutil import get_terminal_size

from ngcctui.console import Console
from ngcctui.engine.rundir import RunDir
from ngcctui.engine.runstate import RunState
from ngcctui.model.outcome import Outcome
from ngcctui.report.page import Page
from ngcctui.report.plots import charts, published_twins
from ngcctui.report.plots_text import chart_text
from ngcctui.report.summary import Summary
from ngcctui.report.summary_page import summary_text
from ngcctui.report.terminal import terminal_tables

#: Width of charts where there is no terminal.
_COLUMNS = 100
#: Tables that fit on a terminal; the report has the others too.
_TABLES = ("kat", "performance", "resources", "symmetric")


def print_results(pages: Iterable[Page], files: Iterable[Path], out: Console) -> None:
    """Print the tables of every page, then the paths of the report's files."""
    for page in pages:
        out.data(terminal_tables(page, ascii=out.ascii, keys=_TABLES))
    for path in files:
        out.data(str(path))


def print_summary(summary: Summary, out: Console) -> None:
    """Print the tables over all schemes."""
    out.data(summary_text(summary, ascii=out.ascii))


def print_charts(pages: Iterable[Page], systems: Mapping[str, Path], out: Console) -> None:
    """Print the charts of every page as text, as wide as the terminal; `systems` are the directories of published figures."""
    columns = get_terminal_size((_COLUMNS, 24)).columns
    for page in pages:
        for chart in charts(page, published_twins(page, systems)).values():
            out.data(chart_text(chart, columns, out.ascii))


def print_failures(run: RunDir, state: RunState, out: Console) -> None:
    """Say on stderr which steps failed, and how to start them again."""
    failed = [step for step in state.steps.values() if step.failed]
    for step in failed:
        if step.outcome is not Outcome.SKIPPED and step.outcome is not None:
            detail = f": {step.detail}" if step.detail else ""
            out.error(f"{step.step} {step.outcome.value}{detail}")
    if failed:
        out.talk(f"`ngcctui resume {run.path} --retry failed` starts what failed anew")
