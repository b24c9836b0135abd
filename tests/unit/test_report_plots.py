"""Charts: what they show, how they are drawn as text and as SVG, and that pages do without them."""

from __future__ import annotations

import math
import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from golden.rendered import paragraphs
from golden.runs import mixed_run
from golden.synthetic import QuickStorage
from hypothesis import given
from hypothesis import strategies as st

from ngcctui.report.build import build_report
from ngcctui.report.page import Page
from ngcctui.report.plots import (
    MAX_TRIALS,
    Bar,
    CostChart,
    TrialChart,
    charts,
    cost_chart,
    published_twins,
    steps,
    ticks,
)
from ngcctui.report.plots_svg import available, chart_svg, maker
from ngcctui.report.plots_text import chart_text
from ngcctui.report.published import read_published
from ngcctui.report.tables import PerformanceRow
from ngcctui.report.toml import page_toml
from ngcctui.report.write import chart_files, chart_paths, page_files, write_report

DATA = Path(__file__).parents[2] / "data" / "published"
SYSTEMS = {path.name: path for path in DATA.iterdir()}
HOSTILE = "a|b <script>alert(1)</script> & \x1b[31m"
drawn = pytest.mark.skipif(not available(), reason="pygal is not installed")


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Page:
    return build_report(mixed_run(tmp_path_factory.mktemp("run"))).pages[0]


def _cost(page: Page) -> CostChart:
    chart = charts(page, {})["cost"]
    assert isinstance(chart, CostChart)
    return chart


def test_a_chart_has_a_bar_for_every_figure_and_no_other(page: Page) -> None:
    chart = _cost(page)
    rows = [row for row in page.performance if not row.word]
    assert [(bar.name, bar.value) for bar in chart.bars] == [
        (" ".join(row.cells()[:2]), row.mean_cycles) for row in rows
    ]
    first, last = chart.bars[0], chart.bars[-1]
    assert first.low and first.high and first.low < first.value < first.high
    assert (last.name, last.low, last.high) == ("Toy-256 sign", None, None)


def test_published_figures_are_marked_in_the_same_unit() -> None:
    ours = read_published(DATA / "x86_1" / "sign-17.toml")
    others = published_twins(ours, SYSTEMS)
    assert set(others) == {"x86_1", "arm_1"}
    chart = cost_chart(ours, others)
    assert chart is not None and chart.unit == "cycles" and set(chart.systems) == set(others)
    for bar, row in zip(chart.bars, ours.performance, strict=True):
        assert dict(bar.published)["x86_1"] == bar.value == row.mean_cycles
    timed = replace(ours, performance=tuple(replace(row, mean_cycles=None) for row in ours.performance))
    chart = cost_chart(timed, others)
    assert chart is not None and chart.unit == "time"
    assert dict(chart.bars[0].published)["x86_1"] == ours.performance[0].mean_ns


def test_damaged_published_figures_are_left_out(tmp_path: Path) -> None:
    ours = read_published(DATA / "x86_1" / "sign-17.toml")
    for name, text in (("a", "[scheme"), ("b", (DATA / "x86_1" / "sign-17.toml").read_text("utf-8"))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "sign-17.toml").write_text(text, "utf-8")
    assert set(published_twins(ours, {name: tmp_path / name for name in ("a", "b", "none")})) == {"b"}


def test_a_dataset_of_another_run_is_a_system_too_but_not_that_of_the_same_run(
    page: Page, tmp_path: Path
) -> None:
    assert page.facts is not None
    for system, run in (("same", page.facts.run), ("other", "another-run")):
        (tmp_path / system).mkdir()
        twin = replace(page, facts=replace(page.facts, run=run))
        (tmp_path / system / "toy-1.toml").write_text(page_toml(twin), "utf-8")
    twins = published_twins(page, {path.name: path for path in tmp_path.iterdir()})
    assert list(twins) == ["other"]
    chart = cost_chart(page, twins)
    assert chart is not None and chart.systems == ("other",)
    assert all(dict(bar.published) == {"other": bar.value} for bar in chart.bars)
    optimized = replace(page, facts=replace(page.facts, scheme="toy-1@optimized"))
    assert list(published_twins(optimized, {"other": tmp_path / "other"})) == ["other"], (
        "they go by the id alone"
    )


def test_a_page_without_figures_has_no_chart(page: Page) -> None:
    empty = replace(page, performance=(PerformanceRow("a", "sign", word="queued"),), precision=())
    assert charts(empty, {}) == {}


def test_many_trials_are_drawn_as_their_extremes(page: Page) -> None:
    means = tuple(float(n) for n in range(1, MAX_TRIALS + 3))
    many = replace(page, precision=(replace(page.precision[0], mean_ns=2.0, trial_means_ns=means),))
    chart = charts(many, {})["trials"]
    assert isinstance(chart, TrialChart)
    assert chart.spreads[0].trials == (0.5, (MAX_TRIALS + 2) / 2)


@given(st.floats(1e-2, 1e15), st.floats(1.0, 1e9))
def test_marks_of_a_logarithmic_axis_lie_on_it_and_rise(low: float, factor: float) -> None:
    high = low * factor
    marks = ticks(low, high)
    assert marks and marks == sorted(marks) and low <= marks[0] and marks[-1] <= high
    assert len(marks) <= 3 * (math.log10(factor) + 1) + 2


@given(st.floats(-1e3, 1e6), st.floats(1e-6, 1e6))
def test_marks_of_a_linear_axis_are_few_and_round(low: float, width: float) -> None:
    marks = steps(low, low + width)
    assert 1 <= len(marks) <= 12 and marks == sorted(marks)
    if len(marks) > 1:
        step = f"{marks[1] - marks[0]:.0e}"
        assert step[0] in "125"


# text


def _columns(line: str, name: str) -> str:
    return line[len(name) + 1 :]


def test_a_text_chart_orders_marks_as_their_values_are() -> None:
    bars = (Bar("a", 100.0, 90.0, 200.0, (("x", 1000.0), ("y", 10.0))), Bar("bb", 1000.0))
    chart = CostChart("costs", "cycles", bars, ("x", "y"))
    title, first, second, scale, legend = chart_text(chart, 60).splitlines()
    assert title == "costs" and legend == "● this run  ◆ published for x  ◇ published for y"
    assert [glyph for glyph in first if glyph in "◇├●┤◆"] == list("◇├●┤◆")
    assert first.index("◆") == second.index("●") and first.endswith(" 100")
    assert "1000" in scale and len(first) <= 60


@pytest.mark.parametrize("columns", [20, 40, 80, 200])
@pytest.mark.parametrize("ascii", [False, True])
def test_text_charts_fit_and_hold_every_row(page: Page, columns: int, ascii: bool) -> None:
    for chart in charts(page, {}).values():
        text = chart_text(chart, columns, ascii)
        rows = chart.bars if isinstance(chart, CostChart) else chart.spreads
        lines = text.splitlines()[1 : 1 + len(rows)]
        assert text.isascii() or not ascii
        for line, row in zip(lines, rows, strict=True):
            assert line.startswith(row.name)
            assert len(line) <= max(columns, len(row.name) + 40)


def test_text_from_outside_acts_on_no_terminal() -> None:
    chart = CostChart(HOSTILE, "time", (Bar(HOSTILE, 5.0),))
    assert "\x1b" not in chart_text(chart)


# SVG


@drawn
def test_an_svg_has_every_name_and_nothing_that_runs_or_loads(page: Page) -> None:
    chart = _cost(page)
    hostile = replace(
        chart, title=HOSTILE.replace("\x1b", ""), bars=(*chart.bars, Bar("</svg><script>", 1e6))
    )
    data = chart_svg(hostile)
    root = ElementTree.fromstring(data)
    texts = {"".join(node.itertext()) for node in root.iter() if node.tag.endswith("text")}
    assert {bar.name for bar in hostile.bars} <= texts
    assert not [node for node in root.iter() if node.tag.endswith("script")]
    assert b"http://www.w3.org/2000/svg" in data and data.count(b"http") == 1
    assert maker(hostile).encode() in data


@drawn
def test_the_same_chart_gives_the_same_bytes(page: Page) -> None:
    for chart in charts(page, {}).values():
        assert chart_svg(chart) == chart_svg(chart)


@drawn
def test_marks_lie_on_the_axis_in_the_order_of_their_values() -> None:
    bars = (Bar("a", 100.0, 50.0, 200.0, (("x", 400.0),)), Bar("b", 1600.0))
    root = ElementTree.fromstring(chart_svg(CostChart("t", "cycles", bars, ("x",))))
    circles = [float(node.get("cx", "nan")) for node in root.iter() if node.tag.endswith("circle")]
    published, first, last = circles  # series are drawn from the last to the first
    assert first < published < last
    assert published - first == pytest.approx(last - published, rel=1e-3), (
        "four times as much is as far each time"
    )


# in a report


@drawn
def test_a_report_links_its_charts_and_removes_old_ones(tmp_path: Path) -> None:
    run = mixed_run(tmp_path)
    report = build_report(run)
    old = run.report("toy-1", "bench_7").with_name("perf_gone.cost.svg")
    old.parent.mkdir(parents=True)
    old.write_text("<svg/>")
    written = write_report(run, report, QuickStorage())
    assert [path for path in written if path.suffix == ".svg"] == chart_paths(run, report)
    assert all(path.read_bytes() == data for path, data in chart_files(run, report, {}))
    assert not old.exists()
    page = run.report("toy-1", "bench_7").read_text("utf-8")
    assert "![" in page and "(perf_bench_7.cost.svg)" in page and "Charts" in paragraphs(page)
    assert page_files(run, report, with_charts=True)[run.report("toy-1", "bench_7")] == page.encode()


def test_without_the_library_pages_have_no_charts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygal", None)
    run = mixed_run(tmp_path)
    written = write_report(run, build_report(run), QuickStorage())
    assert not [path for path in run.path.rglob("*.svg")]
    assert all(b"![" not in path.read_bytes() for path in written)
