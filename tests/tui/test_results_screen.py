"""The results screen under a pilot: sections, order, filter, comparison, export, copies."""

from __future__ import annotations

import json
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from golden.runs import HOSTILE, mixed_run
from textual.pilot import Pilot
from tui.pilot_kit import drive, paste, press, screen_text, told
from tui.test_results_view import ops_run

from ngcctui.engine.rundir import RunDir
from ngcctui.report.build import build_pages
from ngcctui.report.markdown import page_markdown
from ngcctui.tui.app import NgccApp
from ngcctui.tui.screens.results import ResultsScreen
from ngcctui.tui.widgets.table import Table

Body = Callable[[NgccApp, ResultsScreen, "Pilot[None]"], Awaitable[None]]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory and nothing of the operator's."""
    for name in ("XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here"


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> RunDir:
    return mixed_run(tmp_path_factory.mktemp("finished"))


@pytest.fixture
def run(finished: RunDir, tmp_path: Path) -> RunDir:
    """A copy of a finished run, as it would come from another machine."""
    return RunDir(shutil.copytree(finished.path, tmp_path / "runs" / finished.name))


def at_results(run: RunDir, body: Body, **options: Any) -> None:
    async def work(app: NgccApp, pilot: Pilot[None]) -> None:
        screen = app.screen
        assert isinstance(screen, ResultsScreen)
        await body(app, screen, pilot)

    drive(lambda app: app.open_results(run), work, runs=run.path.parent, **options)


def column(app: NgccApp, number: int) -> list[str]:
    """The cells of a column as they are shown."""
    table = app.screen.query_one(Table)
    return [table.cells(row)[number] for row in range(table.row_count)]


def selected(app: NgccApp) -> list[str]:
    table = app.screen.query_one(Table)
    return list(table.cells(table.cursor_row))


class TestSections:
    def test_it_opens_on_the_figures_and_the_keys_go_through_all_sections(self, run: RunDir) -> None:
        async def body(app: NgccApp, screen: ResultsScreen, pilot: Pilot[None]) -> None:
            text = screen_text(app)
            assert "[4 performance]" in text and "done with 25 failures" in text
            assert text.splitlines()[-1].rstrip().endswith("? help   q quit")
            labels = []
            for _ in screen._sheets:
                await press(app, pilot, "right_square_bracket")
                assert screen.sheet is not None
                labels.append(screen.sheet.label)
            assert len(set(labels)) == len(labels) == len(screen._sheets)
            await press(app, pilot, "left_square_bracket")
            assert screen.sheet is not None and screen.sheet.label == labels[-2]

        at_results(run, body)

    def test_what_strangers_wrote_is_shown_as_text(self, run: RunDir) -> None:
        async def body(app: NgccApp, screen: ResultsScreen, pilot: Pilot[None]) -> None:
            await press(app, pilot, *["left_square_bracket"] * 2)
            assert screen.sheet is not None and screen.sheet.label == "conditions"
            note = next(cells for cells in screen.sheet.rows if "CRASH" in cells[-1])
            await press(app, pilot, "slash")
            await paste(app, pilot, "CRASH")
            text = " ".join((await press(app, pilot, "enter", "enter")).split())
            for piece in (
                "first | line second `tick` <b>bold</b>",
                "[link](http://x)",
                "\\x1b[31m",
                "\\u202e",
            ):
                assert piece in note[-1] and piece in text
            assert "\x1b" not in text and HOSTILE not in text

        at_results(run, body)

    def test_a_run_without_a_step_says_why_there_is_nothing(self, tmp_path: Path, run: RunDir) -> None:
        run.journal.write_text("")

        async def body(app: NgccApp, screen: ResultsScreen, pilot: Pilot[None]) -> None:
            assert "holds no step yet" in (await told(app, pilot))[-1]
            for key in ("right_square_bracket", "o", "O", "enter", "y", "x"):
                await press(app, pilot, key)
            assert app.screen is screen

        at_results(run, body)

    def test_update_reads_what_has_come_since(self, run: RunDir) -> None:
        lines = run.journal.read_text().splitlines(keepends=True)
        last = max(
            number for number, line in enumerate(lines) if '"measure:' in line and '"step_end"' in line
        )
        run.journal.write_text("".join(lines[:last]))

        async def body(app: NgccApp, screen: ResultsScreen, pilot: Pilot[None]) -> None:
            before = screen._sheets
            run.journal.write_text("".join(lines))
            await press(app, pilot, "u")
            assert screen._sheets != before

        at_results(run, body)


class TestRows:
    def test_sorting_goes_through_the_columns_and_keeps_the_row_selected(self, run: RunDir) -> None:
        async def body(app: NgccApp, screen: ResultsScreen, pilot: Pilot[None]) -> None:
            page = column(app, 4)
            await press(app, pilot, "down")
            row = selected(app)
            await press(app, pilot, *["o"] * 5)
            assert column(app, 4)[:5] == ["758 µs", "1.2 ms", "1.2 ms", "3.99 s", "4.01e+03 s"]
            assert "mean time ▲" in screen_text(app) and selected(app) == row
            await press(app, pilot, "O")
            assert column(app, 4)[:2] == ["4.01e+03 s", "3.99 s"] and "mean time ▼" in screen_text(app)
            assert selected(app) == row
            await press(app, pilot, "O", *["o"] * (len(row) - 4))
            assert column(app, 4) == page

        at_results(run, body)

    def test_section_and_orders_are_there_at_the_next_start(self, run: RunDir, tmp_path: Path) -> None:
        async def change(app: NgccApp, screen: ResultsScreen, pilot: Pilot[None]) -> None:
            await press(app, pilot, *["o"] * 5, "O")
            await press(app, pilot, "right_square_bracket", "o")

        async def look_again(app: NgccApp, screen: ResultsScreen, pilot: Pilot[None]) -> None:
            assert screen.sheet is not None and screen.sheet.key == "performance-1"
            assert f"{screen.sheet.heads[0]} ▲" in screen_text(app)
            assert "mean time ▼" in await press(app, pilot, "left_square_bracket")
            assert column(app, 4)[:2] == ["4.01e+03 s", "3.99 s"]

        async def elsewhere(app: NgccApp, screen: ResultsScreen, pilot: Pilot[None]) -> None:
            assert screen.sheet is not None and screen.sheet.key == screen.FIRST
            assert not set(screen_text(app)) & set("▲▼")

        at_results(run, change)
        at_results(run, look_again)
        strange = {"results.section": "nowhere", "results.performance.sort": "no such head"}
        (tmp_path / "XDG_STATE_HOME/ngcctui/view.json").write_text(
            json.dumps({**strange, "results.performance.descending": True})
        )
        at_results(run, elsewhere)

    def test_no_figure_is_cut_so_that_it_looks_like_another(self, run: RunDir) -> None:
        async def body(app: NgccApp, screen: ResultsScreen, pilot: Pilot[None]) -> None:
            table = app.screen.query_one(Table)
            for _ in range(12):
                lines = screen_text(app).split("\n")
                heads = next(n for n, line in enumerate(lines) if line.lstrip(" ◂").startswith("scheme"))
                for place in range(table.row_count):
                    drawn = lines[heads + 1 + place].split()
                    whole = " ".join(table.cells(place)).split()
                    assert all(word in whole or word.endswith("…") for word in drawn), drawn
                await press(app, pilot, "l")
            assert lines[heads].startswith("◂scheme")
            assert "◂" not in await press(app, pilot, *["h"] * 12)

        at_results(run, body)

    def test_each_section_keeps_its_order(self, run: RunDir) -> None:
        async def body(app: NgccApp, screen: ResultsScreen, pilot: Pilot[None]) -> None:
            await press(app, pilot, "o", "o", "O")
            first = column(app, 1)
            await press(app, pilot, "right_square_bracket", "left_square_bracket")
            assert column(app, 1) == first == sorted(first, reverse=True, key=lambda n: int(n.split("-")[1]))

        at_results(run, body)

    def test_the_filter_follows_every_letter(self, run: RunDir) -> None:
        async def body(app: NgccApp, screen: ResultsScreen, pilot: Pilot[None]) -> None:
            await press(app, pilot, "slash", *"!keygen")
            assert set(column(app, 2)) == {"sign", "verify"}
            assert "8 of 12 rows" in screen_text(app)
            await press(app, pilot, "escape")
            assert len(column(app, 2)) == 12

        at_results(run, body)

    def test_the_names_stay_in_sight_while_columns_are_brought_up(self, run: RunDir) -> None:
        async def body(app: NgccApp, screen: ResultsScreen, pilot: Pilot[None]) -> None:
            text = await press(app, pilot, *["right"] * 6)
            assert (
                " toy-1   Toy-128   keygen     " in text
                and "mean, 95 %" in text
                and "mean cycles" not in text
            )
            assert "mean cycles" in await press(app, pilot, *["left"] * 6)

        at_results(run, body)

    def test_enter_shows_the_whole_row(self, run: RunDir) -> None:
        async def body(app: NgccApp, screen: ResultsScreen, pilot: Pilot[None]) -> None:
            text = await press(app, pilot, "down", "enter")
            assert "n (trials × iters): 100 (5 × 20); 7 failed signing attempts retried" in text
            assert "distinct calls: 100" in text
            await press(app, pilot, "escape")
            assert app.screen is screen

        at_results(run, body)

    def test_a_row_is_copied_to_the_terminal_and_to_a_file_that_is_named(self, run: RunDir) -> None:
        async def body(app: NgccApp, screen: ResultsScreen, pilot: Pilot[None]) -> None:
            await press(app, pilot, "down", "y")
            path = run.path / "report" / "export" / "copied.txt"
            heads, cells = path.read_text("utf-8").rstrip("\n").split("\n")
            assert dict(zip(heads.split("\t"), cells.split("\t"), strict=True))["mean time"] == "3.99 s"
            assert app.clipboard == f"{heads}\n{cells}"
            assert str(path) in (await told(app, pilot))[-1]

        at_results(run, body)

    def test_in_ascii_every_figure_has_a_stand_in(self, run: RunDir) -> None:
        async def body(app: NgccApp, screen: ResultsScreen, pilot: Pilot[None]) -> None:
            assert "758 us" in screen_text(app) and "+-0.17%" in await press(app, pilot, *["right"] * 5)
            assert all(cell.isascii() for number in range(12) for cell in column(app, number))

        at_results(run, body, ascii=True)


class TestExport:
    def test_one_key_writes_every_form_into_the_run(self, run: RunDir) -> None:
        async def body(app: NgccApp, screen: ResultsScreen, pilot: Pilot[None]) -> None:
            await press(app, pilot, "x")
            pages = build_pages(run)
            place = run.path / "report" / "export"
            assert (place / "toy-1" / "perf_bench_7.md").read_text("utf-8") == page_markdown(pages[0])
            assert (
                json.loads((place / "toy-1" / "perf_bench_7.json").read_text("utf-8"))["scheme"]["id"]
                == "toy-1"
            )
            assert {path.suffix for path in place.rglob("*.*")} == {".md", ".toml", ".json", ".csv"}
            assert (place / "toy-hash@optimized" / "perf_bench_7.performance.csv").is_file()
            assert str(place) in (await told(app, pilot))[-1]

        at_results(run, body)

    def test_a_viewer_that_may_only_read_writes_beside_the_run(self, run: RunDir, here: Path) -> None:
        before = sorted(run.path.rglob("*"))

        async def body(app: NgccApp, screen: ResultsScreen, pilot: Pilot[None]) -> None:
            await press(app, pilot, "x", "y")
            assert (here / f"{run.name}-export" / "toy-1" / "perf_bench_7.toml").is_file()
            assert (here / f"{run.name}-export" / "copied.txt").is_file()
            assert sorted(run.path.rglob("*")) == before

        at_results(run, body, readonly=True)

    def test_a_run_that_cannot_be_written_is_exported_beside(self, run: RunDir, here: Path) -> None:
        (run.path / "report" / "export").write_text("in the way")

        async def body(app: NgccApp, screen: ResultsScreen, pilot: Pilot[None]) -> None:
            await press(app, pilot, "x")
            assert (here / f"{run.name}-export" / "toy-1" / "perf_bench_7.md").is_file()

        at_results(run, body)


class TestCompare:
    def test_with_published_figures_and_back(self, tmp_path: Path) -> None:
        made = ops_run(tmp_path / "made", 1e6)

        async def body(app: NgccApp, screen: ResultsScreen, pilot: Pilot[None]) -> None:
            text = await press(app, pilot, "c")
            assert "x86_1  published, 1 of 1 schemes" in text
            text = await press(app, pilot, "down", "down", "enter")
            assert "[compare]" in text and "against x86_1" in text and "2.63 M" in text
            assert screen.sheet is not None and len(screen.sheet.rows) == 3
            text = await press(app, pilot, "c", "home", "enter")
            assert "compare]" not in text and "against" not in text

        at_results(made.run, body)

    def test_with_another_run(self, tmp_path: Path, run: RunDir) -> None:
        made = ops_run(tmp_path / "made", 2e6)
        twin = ops_run(tmp_path / "twin", 1e6)
        shutil.copytree(twin.run.path, made.run.path.parent / "twin")

        async def body(app: NgccApp, screen: ResultsScreen, pilot: Pilot[None]) -> None:
            await press(app, pilot, "c", "end")
            text = await press(app, pilot, "enter")
            assert "[compare]" in text and text.count("slower") == 3

        at_results(made.run, body)

    def test_with_a_run_of_other_schemes_says_so(self, tmp_path: Path, run: RunDir) -> None:
        made = ops_run(tmp_path / "made", 2e6)
        shutil.copytree(run.path, made.run.path.parent / "stranger")

        async def body(app: NgccApp, screen: ResultsScreen, pilot: Pilot[None]) -> None:
            await press(app, pilot, "c", "end", "enter")
            assert "stranger has none of the schemes of this run" in (await told(app, pilot))[-1]

        at_results(made.run, body)

    def test_esc_compares_with_nothing_new(self, run: RunDir) -> None:
        async def body(app: NgccApp, screen: ResultsScreen, pilot: Pilot[None]) -> None:
            before = screen._sheets
            await press(app, pilot, "c", "escape")
            assert app.screen is screen and screen._sheets is before

        at_results(run, body)
