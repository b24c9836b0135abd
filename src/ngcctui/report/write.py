"""Write the pages of a run into its report directory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path

from ngcctui.collector import no_collection
from ngcctui.engine.rundir import RunDir
from ngcctui.engine.store import Storage, storage_error, write_atomic
from ngcctui.report.beside import in_halves
from ngcctui.report.build import Report, build_report
from ngcctui.report.markdown import page_markdown
from ngcctui.report.method_page import method_markdown, method_toml
from ngcctui.report.page import Page
from ngcctui.report.plots import Chart, charts, published_twins
from ngcctui.report.plots_svg import available, chart_svg
from ngcctui.report.summary_page import summary_markdown, summary_toml
from ngcctui.report.toml import page_toml


@no_collection()
def page_files(run: RunDir, report: Report, *, with_charts: bool = False) -> dict[Path, bytes]:
    """Every page of the report with its content: summary, method, and the page of each scheme, as Markdown and TOML.

    The same run gives the same bytes; nothing is written.  `with_charts` links the charts of `chart_paths`.
    ValueError for published figures, which are of no run.
    """
    files: dict[Path, bytes] = {}

    def add(path: Path, markdown: str, toml: str) -> None:
        files[path] = markdown.encode("utf-8")
        files[path.with_suffix(".toml")] = toml.encode("utf-8")

    system = report.summary.system
    add(
        run.overall_report("summary", system),
        summary_markdown(report.summary, report.method),
        summary_toml(report.summary, report.method),
    )
    add(run.overall_report("method", system), method_markdown(report.method), method_toml(report.method))
    records = sum(len(page.performance) for page in report.pages)
    first, second = in_halves(partial(_page_files, run, with_charts), report.pages, records=records)
    return files | first | second


def _page_files(run: RunDir, with_charts: bool, pages: Iterable[Page]) -> dict[Path, bytes]:
    """The pages of schemes with their content."""
    files: dict[Path, bytes] = {}
    for page in pages:
        links = [path.name for path in _charts(run, page, {})] if with_charts else []
        path = _path(run, page)
        files[path] = page_markdown(page, links).encode("utf-8")
        files[path.with_suffix(".toml")] = page_toml(page).encode("utf-8")
    return files


def chart_paths(run: RunDir, report: Report) -> list[Path]:
    """Where the charts of the report are, if it has any."""
    return [path for page in report.pages for path in _charts(run, page, {})]


def drawn_charts(run: RunDir, report: Report, systems: Mapping[str, Path]) -> Iterable[tuple[Path, Chart]]:
    """Every chart with its path; `systems` are the directories of published figures that are shown too."""
    for page in report.pages:
        yield from _charts(run, page, published_twins(page, systems)).items()


def chart_files(run: RunDir, report: Report, systems: Mapping[str, Path]) -> Iterable[tuple[Path, bytes]]:
    """The same as files, drawn one after the other; ImportError without the library that draws."""
    return ((path, chart_svg(chart)) for path, chart in drawn_charts(run, report, systems))


def write_reports(run: RunDir, storage: Storage | None = None) -> list[Path]:
    """Build and write the report of a run; see build_report and write_report."""
    return write_report(run, build_report(run), storage or Storage())


def write_report(
    run: RunDir, report: Report, storage: Storage, systems: Mapping[str, Path] | None = None
) -> list[Path]:
    """Write the report of a run, with charts where they can be drawn; returns the paths of its files.

    Each file is replaced whole, charts of before are removed.  `systems` are the directories of published figures that
    charts show too.  StorageError when the files cannot be written.
    """
    drawing = available()
    written = []
    if drawing:
        for path, data in chart_files(run, report, systems or {}):
            write_atomic(path, data, storage)
            written.append(path)
    pages = page_files(run, report, with_charts=drawing)
    for path, data in pages.items():
        write_atomic(path, data, storage)
    for path in (run.path / "report").glob("*/perf_*.svg"):
        if path not in written:
            _remove(path, storage)
    return [*pages, *written]


def _remove(path: Path, storage: Storage) -> None:
    try:
        storage.unlink(path)
    except OSError as error:
        raise storage_error("removed", path, error) from None


def _path(run: RunDir, page: Page) -> Path:
    if page.facts is None:
        raise ValueError("published figures are not written into a run")
    return run.report(page.facts.scheme, page.scheme.system)


def _charts(run: RunDir, page: Page, published: Mapping[str, Page]) -> dict[Path, Chart]:
    """The charts of a page by path: `perf_<system>.cost.svg`, `perf_<system>.trials.svg`."""
    path = _path(run, page)
    found = charts(page, published)
    return {path.with_name(f"{path.stem}.{name}.svg"): chart for name, chart in found.items()}
