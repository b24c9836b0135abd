"""The results as data: sheets of all schemes, order, filter, comparison."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from golden.runs import mixed_run
from golden.synthetic import SyntheticRun, Timing, steps_of, write_scheme
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from ngcctui.engine.rundir import RunDir
from ngcctui.model.campaign import Campaign, Host, HostPolicy, Inputs
from ngcctui.model.step import Step
from ngcctui.report.build import build_pages
from ngcctui.report.page import Page
from ngcctui.report.toml import page_toml
from ngcctui.tui.evidence import published
from ngcctui.tui.glyphs import ASCII, UNICODE, Glyphs
from ngcctui.tui.others import choices, read_other
from ngcctui.tui.view.filtering import RowFilter
from ngcctui.tui.view.results import (
    Order,
    Other,
    Sheet,
    arranged,
    figure,
    figure_columns,
    row_lines,
    row_text,
    sheets,
    tab_rows,
)
from ngcctui.tui.widgets.table import MAX_CELLS, cell_text

PUBLISHED = Path(__file__).parents[2] / "data" / "published"
ALL = RowFilter()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> list[Page]:
    return build_pages(mixed_run(tmp_path_factory.mktemp("results")))


def sheet(found: tuple[Sheet, ...], label: str) -> Sheet:
    return next(entry for entry in found if entry.label == label)


class TestSheets:
    def test_every_table_of_every_page_is_there_with_all_its_rows(self, pages: list[Page]) -> None:
        found = sheets(pages)
        for page in pages:
            for table in page.tables():
                mine = [entry for entry in found if entry.key.partition("-")[0] == table.key]
                shown = {cells[-len(table.heads) :] for entry in mine for cells in entry.rows}
                shown |= {cells[1:][: len(table.heads)] for entry in mine for cells in entry.rows}
                shown |= {cells[: len(table.heads)] for entry in mine for cells in entry.rows}
                assert {row.cells() for row in table.rows} <= shown, table.key

    def test_signatures_and_hash_functions_have_sheets_of_their_own_where_their_heads_differ(
        self, pages: list[Page]
    ) -> None:
        labels = [entry.label for entry in sheets(pages)]
        assert labels[:4] == ["1 basic", "2 environment", "conditions", "3 KAT"]
        assert "4 performance" in labels and "4 performance hash" in labels
        assert labels.count("precision") == 1

    def test_the_scheme_stands_in_front_where_a_run_has_several(self, pages: list[Page]) -> None:
        many, one = sheet(sheets(pages), "4 performance"), sheet(sheets(pages[:1]), "4 performance")
        assert many.heads[0] == "scheme" and {cells[0] for cells in many.rows} == {"toy-1"}
        assert one.heads == many.heads[1:] and one.rows == tuple(cells[1:] for cells in many.rows)
        assert (many.names, one.names) == (3, 2)

    def test_what_all_schemes_share_is_shown_once(self, pages: list[Page]) -> None:
        environment = sheet(sheets(pages), "2 environment")
        assert environment.heads == ("item", "value")
        assert len(environment.rows) == len(pages[0].environment)

    def test_intervals_stand_behind_the_published_columns(self, pages: list[Page]) -> None:
        found = sheet(sheets(pages), "4 performance")
        assert found.heads[-4:] == ("±", "mean, 95 %", "distinct calls", "rejected / trials")
        rows = {cells[1:3]: cells[-4:] for cells in found.rows}
        assert rows["Toy-128", "sign"][0].startswith("±") and rows["Toy-128", "sign"][3] == "1 / 6"
        assert rows["Toy-256", "verify"] == ("", "", "", "")

    def test_the_conditions_name_every_warning_and_finding(self, pages: list[Page]) -> None:
        said = {cells[-1] for cells in sheet(sheets(pages), "conditions").rows}
        for page in pages:
            assert page.facts is not None
            assert {*page.facts.warnings, *page.facts.findings, *page.facts.failures} <= said


CELLS = [
    ("2.40 M", 2.4e6), ("7.97 G", 7.97e9), ("620", 620.0), ("10.5 k", 10_500.0), ("4e+03 s", 4e12),
    ("999 ns", 999.0), ("1.2 ms", 1.2e6), ("758 µs", 758e3), ("1.32e+03", 1320.0), ("90%", 90.0), ("≈ ±0.51%", 0.51),
    ("±0.17%", 0.17), ("1758 KiB", 1758 * 1024.0), ("200 (5 × 40)", 200.0), ("0 / 5", 0.0), ("32 B", 32.0),
    ("200 (5 × 40); process crashed", 200.0), ("1.1979 ms to 1.2021 ms", 1_197_900.0), ("0.997 to 1.01", 0.997),
    ("rejected", None), ("", None), ("–", None), ("4be1c0", None), ("128f", None), ("sign", None),
]  # fmt: skip


class TestTabs:
    @given(
        width=st.integers(1, 120),
        current=st.integers(0, 5),
        labels=st.lists(st.text("abc ", min_size=1, max_size=9), min_size=1, max_size=9),
    )
    def test_every_tab_is_in_sight_and_one_is_open(self, width: int, current: int, labels: list[str]) -> None:
        found = [Sheet(str(number), label, (), ()) for number, label in enumerate(labels)]
        rows = tab_rows(found, current % len(labels), width)
        shown = [entry for row in rows for entry in row]
        assert [label.strip("[]") for label, _ in shown] == labels
        assert [number for number, (_, is_open) in enumerate(shown) if is_open] == [current % len(labels)]
        assert all(len("  ".join(label for label, _ in row)) <= width or len(row) == 1 for row in rows)


class TestOrder:
    @pytest.mark.parametrize(("cell", "value"), CELLS)
    def test_figures(self, cell: str, value: float | None) -> None:
        found = figure(cell)
        assert found == value or (value is not None and found == pytest.approx(value))

    def test_rows_without_figures_come_last_either_way(self) -> None:
        cells = ("1.2 ms", "rejected", "900 µs", "", "3 s", "–")
        made = Sheet("k", "k", ("instance", "time"), tuple((f"i{n}", cell) for n, cell in enumerate(cells)))
        assert arranged(made, Order(1), ALL) == [2, 0, 4, 1, 3, 5]
        assert arranged(made, Order(1, descending=True), ALL) == [4, 0, 2, 1, 3, 5]
        assert figure_columns(made) == [1]

    def test_names_are_sorted_naturally(self) -> None:
        made = Sheet("k", "k", ("instance",), (("Toy-1024",), ("Toy-128",), ("Toy-256",)))
        assert arranged(made, Order(0), ALL) == [1, 2, 0]

    def test_after_the_last_column_the_order_of_the_page_comes_back(self) -> None:
        order = Order(descending=True)
        columns = []
        for _ in range(4):
            columns.append(order.column)
            order = order.next(3)
        assert columns == [None, 0, 1, 2] and order == Order(None, True)

    @given(
        rows=st.lists(
            st.tuples(st.text(max_size=8), st.sampled_from([cell for cell, _ in CELLS])), max_size=12
        ),
        column=st.sampled_from([None, 0, 1, 5]),
        descending=st.booleans(),
        text=st.text(max_size=4),
    )
    def test_sorting_and_filtering_lose_and_invent_nothing(
        self, rows: list[tuple[str, str]], column: int | None, descending: bool, text: str
    ) -> None:
        made = Sheet("k", "k", ("a", "b"), tuple(rows))
        shown = RowFilter(text)
        found = arranged(made, Order(column, descending), shown)
        assert sorted(found) == [n for n, cells in enumerate(rows) if shown(" ".join(cells))]

    def test_a_row_is_shown_and_copied_whole(self) -> None:
        made = Sheet("k", "k", ("a", "b", "c"), (("1", "", "x" * 100),))
        assert row_lines(made, 0) == ["a: 1", f"c: {'x' * 100}"]
        assert row_text(made, 0) == f"a\tb\tc\n1\t\t{'x' * 100}"


def ops_run(parent: Path, mean_ns: float, inputs: Inputs = Inputs.VARIED) -> SyntheticRun:
    """A finished run of a scheme of which figures are published, with a clock of 2 GHz."""
    scheme = write_scheme(parent / "schemes", "sign-17", ["OPSsig-128"])
    campaign = Campaign("c", inputs=inputs, host=Host(policy=HostPolicy.ALLOW))
    made = SyntheticRun(parent / "runs", [scheme], campaign, steps_of(scheme))
    made.session(noise={"spread": 0.001})
    made.build("sign-17", "OPSsig-128")
    made.kat("sign-17", "OPSsig-128")
    for operation in ("keygen", "sign", "verify"):
        made.measure("sign-17", "OPSsig-128", operation, Timing(mean_ns=mean_ns))
        made.profile("sign-17", "OPSsig-128", operation)
    made.finish()
    return made


class TestComparison:
    def test_published_figures_are_offered_where_there_are_some_and_other_runs(self, tmp_path: Path) -> None:
        made = ops_run(tmp_path, 1e6)
        pages = build_pages(made.run)
        other = mixed_run(tmp_path / "other")
        systems = {path.name: path for path in sorted(PUBLISHED.iterdir())}
        found = choices(made.run, pages, systems, other.path.parent)
        assert [label for _, label in found] == [
            "nothing",
            "arm_1  published, 1 of 1 schemes",
            "x86_1  published, 1 of 1 schemes",
            other.name,
        ]
        assert [label for _, label in choices(made.run, pages, {}, made.run.path.parent)] == ["nothing"]

    def test_a_published_figure_is_compared_by_its_cycles(self, tmp_path: Path) -> None:
        pages = build_pages(ops_run(tmp_path, 1e6).run)
        found = sheet(sheets(pages, read_other(f"system {PUBLISHED / 'x86_1'}", pages)), "compare")
        assert found.heads[2:5] == ("mean cycles", "x86_1 cycles", "ratio")
        row = next(cells for cells in found.rows if cells[:2] == ("OPSsig-128", "sign"))
        assert row[3] == "2.63 M" and "1.26 ms" in row
        assert float(row[4]) == pytest.approx(2.0e6 / 2.63e6, rel=0.02)
        low, high = (float(bound) for bound in row[5].split(" to "))
        assert low < float(row[4]) < high
        assert row[6] == "" and "spread" in row[-1]

    def test_a_dataset_of_ones_own_is_offered_by_key_before_id(self, tmp_path: Path) -> None:
        pages = build_pages(ops_run(tmp_path, 1e6).run)
        place = tmp_path / "published" / "bench_1"
        place.mkdir(parents=True)
        (place / "sign-17.toml").write_text(page_toml(pages[0]), "utf-8")
        facts = pages[0].facts
        assert facts is not None
        optimized = [replace(pages[0], facts=replace(facts, scheme="sign-17@optimized"))]
        for known in (pages, optimized):
            offered = choices(RunDir(tmp_path), known, {"bench_1": place}, tmp_path / "none")
            assert [label for _, label in offered] == ["nothing", "bench_1  published, 1 of 1 schemes"]
            other = read_other(offered[1][0], known)
            assert (
                other.name == "bench_1"
                and next(iter(other.pages.values())).performance == pages[0].performance
            )
        (place / "sign-17@optimized.toml").write_text(page_toml(replace(pages[0], performance=())), "utf-8")
        assert read_other(offered[1][0], optimized).pages["sign-17@optimized"].performance == ()

    def test_the_detail_of_a_cell_knows_a_dataset_of_ones_own(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
        monkeypatch.chdir(tmp_path)
        sign = Step.parse("measure:sign-17/OPSsig-128/sign")
        assert [(item.system, item.row.mean_ns) for item in published(sign)] == [
            ("arm_1", pytest.approx(0.936e6)),
            ("x86_1", pytest.approx(1.26e6)),
        ]
        page = page_toml(build_pages(ops_run(tmp_path, 1e6).run)[0])
        for place in ("home/ngcctui/published/bench_1", "data/published/x86_1"):
            (tmp_path / place).mkdir(parents=True)
            (tmp_path / place / "sign-17.toml").write_text(page, "utf-8")
        (tmp_path / "data/published/x86_1/sign-17@fast.toml").write_text("no page", "utf-8")
        found = {item.system: item for item in published(sign)}
        assert list(found) == ["arm_1", "x86_1", "bench_1"]
        assert found["x86_1"].row == found["bench_1"].row and found["x86_1"].row.mean_ns == pytest.approx(
            1e6, rel=0.02
        )
        assert {item.system for item in published(replace(sign, scheme="sign-17@fast"))} == {
            "arm_1",
            "bench_1",
        }

    def test_another_run_is_compared_by_its_intervals(self, tmp_path: Path) -> None:
        pages = build_pages(ops_run(tmp_path / "a", 2e6).run)
        twin = ops_run(tmp_path / "b", 1e6)
        found = sheet(sheets(pages, read_other(f"run {twin.run.path}", pages)), "compare")
        assert {cells[6] for cells in found.rows} == {"slower"}
        same = sheet(sheets(pages, Other("other", {"sign-17": pages[0]})), "compare")
        assert {cells[6] for cells in same.rows} == {""} and {cells[4] for cells in same.rows} == {"1"}

    def test_without_a_common_operation_there_is_no_sheet(self, pages: list[Page]) -> None:
        assert not any(entry.label == "compare" for entry in sheets(pages, Other("x", {})))


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
@given(text=st.text(max_size=300))
def test_whatever_a_cell_says_it_is_drawn_as_text_of_one_line(glyphs: Glyphs, text: str) -> None:
    drawn = cell_text(text, glyphs)
    assert cell_len(drawn) <= MAX_CELLS
    assert drawn.isprintable() and (glyphs is UNICODE or drawn.isascii())
