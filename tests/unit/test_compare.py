"""Ratios of means and their intervals, what may be called a difference, and the command that compares."""

from __future__ import annotations

import json
import math
import shutil
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from golden.damage import edit_events
from golden.synthetic import QuickStorage
from golden.whole import NOISE, whole_run
from hypothesis import given
from hypothesis import strategies as st

from ngcctui.cli import main
from ngcctui.engine.rundir import RunDir
from ngcctui.engine.runstate import StepState
from ngcctui.engine.stats import student_975
from ngcctui.model.campaign import Inputs
from ngcctui.model.errors import ExitCode, StorageError
from ngcctui.model.step import Kind
from ngcctui.report.build import build_pages
from ngcctui.report.compare import Mean, Ratio, compare, compare_sides, published_side, ratio, run_side
from ngcctui.report.compare.pairs import NO_NOISE, NOT_COMPARED, ONE_TRIAL
from ngcctui.report.compare.ratio import student_975_between
from ngcctui.report.compare.sides import FIXED, PUBLISHED, Side
from ngcctui.report.history import read_history
from ngcctui.report.page import Page, SchemeInfo
from ngcctui.report.publish import publish
from ngcctui.report.source import load_measured
from ngcctui.report.tables import HashPerformanceRow, PerformanceRow
from ngcctui.report.validate import Private

positive = st.floats(1e-3, 1e15)


def interval(value: float, half: float, trials: int = 5) -> Mean:
    return Mean(value, max(value - half, 0.0), value + half, trials)


# ratio ------------------------------------------------------------------------------------------------------------


def test_the_ratio_of_two_equal_runs() -> None:
    """By hand: relative errors of 1 % a side, 8 degrees of freedom, 2.306 x sqrt(2) x 1 % around 1."""
    half = student_975(4) * 0.01 * 100.0
    found = ratio(interval(100.0, half), interval(100.0, half))
    assert found is not None and found.value == 1.0
    assert found.high == pytest.approx(math.exp(2.306004 * math.sqrt(2) * 0.01), rel=1e-6)
    assert found.low == pytest.approx(1 / found.high)
    assert found.verdict == ""


def test_degrees_of_freedom_are_those_of_the_side_that_is_worse_known() -> None:
    """One side without error, 2 trials: the interval is that of the other side alone, with its 1 degree of freedom."""
    half = student_975(1) * 0.01 * 100.0
    found = ratio(interval(100.0, half, 2), interval(100.0, 0.0, 9))
    assert found is not None and found.high == pytest.approx(math.exp(student_975(1) * 0.01), rel=1e-9)


@given(positive, positive, st.floats(0.0, 2.0), st.floats(0.0, 2.0), st.integers(2, 9), st.integers(2, 9))
def test_sides_exchanged_turn_the_ratio_over(
    a: float, b: float, ea: float, eb: float, na: int, nb: int
) -> None:
    ours, other = interval(a, a * ea, na), interval(b, b * eb, nb)
    there, back = ratio(ours, other), ratio(other, ours)
    assert there is not None and back is not None
    assert there.value == pytest.approx(1 / back.value)
    if there.low is not None and there.high is not None and back.low is not None and back.high is not None:
        assert there.low <= there.value <= there.high
        assert there.low == pytest.approx(1 / back.high) and there.high == pytest.approx(1 / back.low)
        assert {there.verdict, back.verdict} in ({""}, {"faster", "slower"})
    else:
        assert back.low is None and there.verdict == back.verdict == ""


def test_without_an_interval_nothing_is_said() -> None:
    single = Mean(100.0, trials=1)
    assert ratio(single, interval(10.0, 0.1)) == Ratio(10.0)
    assert ratio(single, Mean(10.0, 9.9, 10.1)) == Ratio(10.0)
    assert ratio(None, single) is None and ratio(single, None) is None
    assert ratio(Mean(0.0), single) is None


def test_a_printed_figure_brings_its_rounding() -> None:
    found = ratio(interval(10.0, 1.0), Mean(5.0, 4.9, 5.1))
    assert found == Ratio(2.0, 9.0 / 5.1, 11.0 / 4.9)
    assert ratio(Mean(5.0, 4.9, 5.1), interval(10.0, 1.0)) == Ratio(0.5, 4.9 / 11.0, 5.1 / 9.0)
    assert ratio(Mean(5.0, 4.9, 5.1), Mean(5.0, 4.9, 5.1)) == Ratio(1.0)  # nothing is known of either
    assert ratio(interval(10.0, 1.0), Mean(0.4, 0.0, 0.5)) == Ratio(25.0)


@pytest.mark.parametrize(
    ("found", "noise", "flag"),
    [
        (Ratio(1.1, 1.05, 1.15), 0.0, "slower"),
        (Ratio(1.1, 1.05, 1.15), 0.09, "slower"),
        (Ratio(1.1, 1.05, 1.15), 0.11, ""),
        (Ratio(1.1, 1.05, 1.15), None, ""),
        (Ratio(1.1, 1.05, 1.15), math.inf, ""),
        (Ratio(1.1, 0.99, 1.2), 0.0, ""),
        (Ratio(1.1), 0.0, ""),
        (Ratio(0.9, 0.85, 0.95), 0.1, "faster"),
        (Ratio(0.9, 0.85, 0.95), 0.12, ""),
        (Ratio(1.0, 1.0, 1.0), 0.0, ""),
    ],
)
def test_interval_and_noise_both_have_to_exclude_one(found: Ratio, noise: float | None, flag: str) -> None:
    assert found.beyond(noise) == flag


def test_a_limit_is_failed_beyond_interval_and_noise_only() -> None:
    found = Ratio(1.2, 1.11, 1.3)
    assert found.above(1.1, 0.05) and found.above(1.1, None)
    assert not found.above(1.12, 0.0)  # the interval reaches below
    assert not found.above(1.1, 0.1)  # noise could do it
    assert not Ratio(9.0).above(1.1, 0.0)


def test_student_between_whole_degrees_is_on_the_safe_side() -> None:
    assert student_975_between(4) == student_975(4)
    values = [student_975_between(1 + number / 100) for number in range(900)]
    assert values == sorted(values, reverse=True)
    assert student_975_between(1.5) > 5.9  # exact: 5.94...
    with pytest.raises(ValueError):
        student_975_between(0.5)


# sides ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> RunDir:
    return whole_run(tmp_path_factory.mktemp("base"), ["Toy-128"], charts=False)


@pytest.fixture(scope="module")
def slower(tmp_path_factory: pytest.TempPathFactory) -> RunDir:
    """The same, but every call takes a third longer."""
    return whole_run(tmp_path_factory.mktemp("slower"), ["Toy-128", "Toy-256"], factor=4 / 3, charts=False)


def printed(cycles: float | None = 2_400_000.0, inputs: str = "reference", key: str = "toy-1") -> Page:
    info = SchemeInfo(key, "Toy", "", "digital signature", "x86_1", (inputs,), ("Toy-128",))
    row = PerformanceRow("Toy-128", "keygen", cycles, 1_200_000.0, 833.0, 1_200_000.0)
    word = PerformanceRow("Toy-128", "sign", word="timeout")
    return Page(info, performance=(row, word))


def test_the_journal_tells_what_the_records_hold(base: RunDir) -> None:
    """The same comparison, once from the journal and once from the records."""
    told = run_side(base)
    assert len(told.costs) == 5 and told.noise == NOISE["spread"] and told.system == "local"
    for entry in _measures(base):
        record = load_measured(base, entry).record
        assert record is not None and record.statistics is not None
        cost = told.costs[entry.step.scheme, entry.step.instance, entry.step.operation or ""]
        figures = record.statistics
        assert cost.time == Mean(figures.mean_ns, figures.interval_low_ns, figures.interval_high_ns, 5)
        assert cost.cycles is not None and cost.cycles.high == figures.interval_high_cycles


def _measures(run: RunDir) -> list[StepState]:
    state, _ = read_history(run)
    return [entry for entry in state.steps.values() if entry.step.kind is Kind.MEASURE]


def test_a_journal_that_tells_less_sends_to_the_records(base: RunDir, tmp_path: Path) -> None:
    shutil.copytree(base.path, tmp_path / "run")
    run = RunDir(tmp_path / "run")
    edit_events(run, "step_end", lambda data: data["summary"].pop("low_cycles", None))
    assert run_side(run).costs == run_side(base).costs
    edit_events(run, "step_end", lambda data: data["summary"].update(mean_ns="much"))
    assert run_side(run).costs == run_side(base).costs
    run.record("toy-1", "Toy-128", "sign").write_text("{}")
    side = run_side(run)
    assert len(side.costs) == 4 and "SHA-256 differs" in side.problems[0]


def test_a_run_that_has_not_begun_is_told(tmp_path: Path) -> None:
    (tmp_path / "campaign.toml").write_text('name = "x"\n')
    with pytest.raises(StorageError, match="nothing to compare"):
        run_side(RunDir(tmp_path))


def test_variants_meet_the_published_figures_of_their_id() -> None:
    side = published_side([printed()], "published:x86_1")
    assert side.find(("toy-1@optimized", "Toy-128", "keygen")) == ("toy-1", "Toy-128", "keygen")
    assert side.find(("toy-1", "Toy-128", "sign")) is None  # a word is no figure
    run = Side("r", "local", side.costs)
    assert run.find(("toy-1@optimized", "Toy-128", "keygen")) is None


# pairs ------------------------------------------------------------------------------------------------------------


def test_a_run_against_itself_raises_no_flag(base: RunDir) -> None:
    found = compare_sides(run_side(base), run_side(base))
    assert len(found.pairs) == 5 and not found.only_ours and not found.only_other
    for pair in found.pairs:
        assert pair.basis == "cycles" and pair.flag == pair.why == ""
        assert pair.cycles is not None and pair.cycles.value == 1.0
    assert found.failing(1.0) == []


def test_a_difference_is_flagged_both_ways(base: RunDir, slower: RunDir) -> None:
    a, b = run_side(base), run_side(slower)
    there, back = compare_sides(b, a), compare_sides(a, b)
    assert {pair.flag for pair in there.pairs} == {"slower"} and {pair.flag for pair in back.pairs} == {
        "faster"
    }
    assert there.pairs[0].cycles is not None and there.pairs[0].cycles.value == pytest.approx(4 / 3, rel=0.01)
    assert (
        [place[1] for place in there.only_ours] == ["Toy-256"] * 3 == [place[1] for place in back.only_other]
    )
    assert len(there.failing(1.2)) == 5 and there.failing(1.5) == [] and back.failing(0.9) == []
    order = [(pair.place[1], pair.place[2]) for pair in there.pairs]
    assert order[:3] == [("Toy-128", "keygen"), ("Toy-128", "sign"), ("Toy-128", "verify")]
    assert order[3:] == [("toyhash-256", "hash_32"), ("toyhash-256", "hash_1024")]


def test_noise_as_large_as_the_difference_hides_it(base: RunDir, slower: RunDir) -> None:
    a, b = run_side(base), run_side(slower)
    noisy = compare_sides(replace(b, noise=0.4), a)
    assert noisy.noise == 0.4 and {(pair.flag, pair.why) for pair in noisy.pairs} == {("", "")}
    unknown = compare_sides(b, replace(a, noise=None))
    assert unknown.noise is None and {(pair.flag, pair.why) for pair in unknown.pairs} == {("", NO_NOISE)}


def test_fixed_inputs_never_rank(slower: RunDir, tmp_path: Path) -> None:
    fixed = whole_run(tmp_path, ["Toy-128"], inputs=Inputs.FIXED, charts=False)
    for found in (
        compare_sides(run_side(slower), run_side(fixed)),
        compare_sides(run_side(fixed), run_side(slower)),
    ):
        assert {(pair.flag, pair.why) for pair in found.pairs} == {("", FIXED)}
        assert all(pair.decisive is not None for pair in found.pairs)


def test_against_published_figures_cycles_are_compared_and_times_are_shown(slower: RunDir) -> None:
    found = compare_sides(run_side(slower), published_side([printed()], "published:x86_1"))
    (pair,) = found.pairs
    assert (pair.basis, pair.flag, pair.why, pair.time) == ("cycles", "", PUBLISHED, None)
    assert pair.cycles is not None and pair.cycles.value == pytest.approx(4 / 3, rel=0.01)
    assert pair.cycles.low is not None and pair.cycles.low > 1.2
    assert found.failing(1.2) == [pair]  # a limit is no ranking
    (pair,) = compare_sides(run_side(slower), published_side([printed(None)], "published:x86_1")).pairs
    assert (pair.basis, pair.decisive, pair.why) == ("time", None, NOT_COMPARED)
    assert pair.ours.time is not None and pair.other.time is not None


def test_one_trial_has_no_interval(base: RunDir) -> None:
    side = run_side(base)
    lone = {
        place: replace(cost, time=Mean(cost.time.value, trials=1) if cost.time else None, cycles=None)
        for place, cost in side.costs.items()
    }
    found = compare_sides(replace(side, costs=lone), side)
    assert {(pair.basis, pair.flag, pair.why) for pair in found.pairs} == {("time", "", ONE_TRIAL)}
    assert not found.judgeable


# pages ------------------------------------------------------------------------------------------------------------


def test_pages_are_compared_like_runs(base: RunDir, slower: RunDir) -> None:
    ours = {page.scheme.id: page for page in build_pages(slower)}
    theirs = {page.scheme.id: page for page in build_pages(base)}
    wanted = {pair.place: pair for pair in compare_sides(run_side(slower), run_side(base)).pairs}
    found = [row for key in ("toy-1", "toy-hash") for row in compare(ours[key], theirs[key])]
    assert [(row.instance, row.operation) for row in found] == [place[1:] for place in wanted]
    for row in found:
        pair = next(pair for pair in wanted.values() if pair.place[1:] == (row.instance, row.operation))
        assert row.flag == pair.flag == "slower" and row.why == ""
        for mine, its in ((row.cycles, pair.cycles), (row.time, pair.time)):
            assert mine is not None and its is not None
            assert (mine.value, mine.low, mine.high) == pytest.approx((its.value, its.low, its.high))
    assert isinstance(found[-1].other, HashPerformanceRow)


def test_a_page_against_published_figures(slower: RunDir) -> None:
    page = next(page for page in build_pages(slower) if page.scheme.id == "toy-1")
    (row,) = compare(page, printed())
    assert (row.operation, row.flag, row.why, row.time) == ("keygen", "", PUBLISHED, None)
    assert row.cycles is not None and row.cycles.low is not None


# the command ------------------------------------------------------------------------------------------------------


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_command_prints_a_table(
    base: RunDir, slower: RunDir, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", str(slower.path), str(base.path), "--ascii"]) == ExitCode.DONE
    said = capsys.readouterr()
    lines = said.out.splitlines()
    assert lines[0] == "toy-1"
    assert lines[1].split() == [
        "instance",
        "operation",
        "by",
        "A",
        "B",
        "A",
        "/",
        "B",
        "95",
        "%",
        "interval",
        "verdict",
    ]
    assert lines[3].split()[:8] == [
        "Toy-128",
        "keygen",
        "cycles",
        "3.20",
        "M",
        "2.40",
        "M",
        lines[3].split()[7],
    ]
    assert lines[3].endswith("slower") and not lines[4].endswith("slower")
    assert (
        "Welch" in said.err
        and "only in A: toy-1/Toy-256/keygen" in said.err
        and "noise floor 0.2 %" in said.err
    )


def test_the_command_prints_toml_and_json(
    base: RunDir, slower: RunDir, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["compare", str(slower.path), str(base.path), "--quiet"]
    assert main([*words, "--json"]) == ExitCode.DONE
    data = json.loads(capsys.readouterr().out)
    assert main([*words, "--toml"]) == ExitCode.DONE
    table = tomllib.loads(capsys.readouterr().out)
    assert table["pairs"] == data["pairs"] and "Welch" in table["method"]
    first = data["pairs"][0]
    assert first["cycles_ratio"]["value"] == first["a"]["cycles"]["mean"] / first["b"]["cycles"]["mean"]
    assert (first["flag"], first["basis"], data["noise"]) == ("slower", "cycles", NOISE["spread"])
    assert data["only_a"] == [f"toy-1/Toy-256/{name}" for name in ("keygen", "sign", "verify")]


@pytest.mark.parametrize(("limit", "code"), [("1.2", ExitCode.FAILURES), ("1.5", ExitCode.DONE)])
def test_the_command_is_a_gate(
    base: RunDir, slower: RunDir, here: Path, capsys: pytest.CaptureFixture[str], limit: str, code: ExitCode
) -> None:
    assert main(["compare", str(slower.path), str(base.path), "--fail-above", limit]) == code
    said = capsys.readouterr().err
    assert ("toy-1/Toy-128/keygen: 1.33" in said) == (code is ExitCode.FAILURES)


@pytest.mark.parametrize("limit", ["0", "-1", "nan", "inf"])
def test_a_limit_that_is_no_ratio_is_refused(base: RunDir, here: Path, limit: str) -> None:
    assert main(["compare", str(base.path), str(base.path), f"--fail-above={limit}"]) == ExitCode.USAGE


def test_the_command_takes_datasets_pages_and_published_systems(
    base: RunDir, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    publish(base, here / "xdg/ngcctui", {}, Private(), QuickStorage())
    for other in ("published:local", str(here / "xdg/ngcctui/published/local")):
        assert main(["compare", str(base.path), other, "--json"]) == ExitCode.DONE
        assert {pair["cycles_ratio"]["value"] for pair in json.loads(capsys.readouterr().out)["pairs"]} == {
            1.0
        }
    assert main(["compare", "published:x86_1", "published:arm_1", "--json"]) == ExitCode.DONE
    data = json.loads(capsys.readouterr().out)
    assert len(data["pairs"]) == 75 and {pair["flag"] for pair in data["pairs"]} == {""}
    page = Path(__file__).parents[2] / "data/published/x86_1/sign-17.toml"
    assert main(["compare", str(page), "published:arm_1", "--json"]) == ExitCode.DONE
    assert len(json.loads(capsys.readouterr().out)["pairs"]) == 9


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["published:x86_2", "published:arm_1"],
            "nothing is published for system 'x86_2'; did you mean x86_1",
        ),
        (["nothing", "published:arm_1"], "nothing"),
        (["RUN", "published:arm_1"], "no operation with figures in common"),
    ],
)
def test_what_cannot_be_compared_is_told_in_one_line(
    base: RunDir, here: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    words = [str(base.path) if word == "RUN" else word for word in words]
    assert main(["compare", *words]) == ExitCode.USAGE
    error = capsys.readouterr().err
    assert said in error and len(error.splitlines()) == 1


def test_a_gate_that_can_judge_nothing_does_not_pass(
    base: RunDir, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["published:x86_1", "published:arm_1", "--fail-above", "1"]
    assert main(["compare", *words]) == ExitCode.USAGE
    shutil.copytree(base.path, here / "run")
    nothing = {key: None for key in ("low_ns", "high_ns", "low_cycles", "high_cycles")}
    edit_events(
        RunDir(here / "run"),
        "step_end",
        lambda data: data["summary"].update(nothing) if "mean_ns" in data["summary"] else None,
    )
    capsys.readouterr()
    assert main(["compare", "./run", "./run", "--fail-above", "2"]) == ExitCode.USAGE
    assert "no ratio has an interval" in capsys.readouterr().err
