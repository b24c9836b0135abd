"""Candidates that hang, crash, print, leave and lie: each gives its own outcome, and the run goes on to its end."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from faults.lab import KEY, Lab, Mock, new_lab, of_kind, processes_below, read_events, read_state

from ngcctui.engine.rundir import RunDir
from ngcctui.engine.state import RunState, StepState
from ngcctui.model.event import EventName
from ngcctui.model.step import Kind, Step
from ngcctui.report.validate import validate

#: Calls of 1 ms, of which a calibration makes some 20 and a KAT 10: a fault after 40 of them is met when measuring.
SLOW = ("SLOW_NS=1000000",)
LATE = (*SLOW, "AFTER=40")
GOOD = Mock("good", operations=("keygen", "sign", "verify"))


@dataclass(frozen=True)
class Case:
    """A mock and what becomes of it: the KAT's outcome with its detail, then that of each measured operation."""

    mock: Mock
    kat: str
    measured: dict[str, str]
    kat_detail: str = ""
    detail: str = ""


def case(
    name: str,
    source: str,
    defines: tuple[str, ...],
    kat: str,
    kat_detail: str = "",
    detail: str = "",
    **measured: str,
) -> Case:
    return Case(Mock(name, source, defines, tuple(measured)), kat, measured, kat_detail, detail)


#: Misbehave without harm to the result: the run ends with 0.
HARMLESS = [
    case("says-much", "talk.c", ("MEBIBYTES=64",), "PASS", keygen="done"),
    case("says-binary", "talk.c", ("BINARY",), "PASS", keygen="done"),
    case("says-forged", "talk.c", (), "PASS", keygen="done"),
    case("forks-denied", "daemon.c", (), "PASS", sign="done"),
    case("signs-49-of-50", "refuse.c", ("AT=SIGN", "EVERY=50", *SLOW), "PASS", sign="done"),
    Case(GOOD, "PASS", {"keygen": "done", "sign": "done", "verify": "done"}),
]

#: Faults that a process cannot hide or survive: the run ends with 1.
FAULTY = [
    case("segv", "crash.c", ("BY_SEGV",), "CRASH", "SIGSEGV", "not timed after CRASH", sign="skipped"),
    case("abrt", "crash.c", ("BY_ABRT",), "CRASH", "SIGABRT", "not timed after CRASH", sign="skipped"),
    case("ill", "crash.c", ("BY_ILL",), "CRASH", "SIGILL", "not timed after CRASH", sign="skipped"),
    case(
        "stack", "crash.c", ("BY_STACK",), "CRASH", "stack overflow", "not timed after CRASH", sign="skipped"
    ),
    case("late-segv", "crash.c", ("BY_SEGV", *LATE), "PASS", "", "^SIGSEGV", sign="crashed"),
    case("late-ill", "crash.c", ("BY_ILL", *LATE), "PASS", "", "^SIGILL", sign="crashed"),
    case(
        "late-stack", "crash.c", ("BY_STACK", *LATE), "PASS", "", "^SIGSEGV.*stack overflow", sign="crashed"
    ),
    case(
        "at-exit", "crash.c", ("BY_SEGV", "AT_EXIT"), "PASS", "", "at exit, after the figures", sign="crashed"
    ),
    case("exit-0", "leave.c", ("CODE=0",), "EXITED", "exit code 0", "not timed after EXITED", sign="skipped"),
    case("exit-3", "leave.c", ("CODE=3",), "EXITED", "exit code 3", "not timed after EXITED", sign="skipped"),
    case("late-exit-0", "leave.c", ("CODE=0", *LATE), "PASS", "", "exit code 0", sign="exited"),
    case("late-exit-3", "leave.c", ("CODE=3", *LATE), "PASS", "", "exit code 3", sign="exited"),
    case("past-buffer", "overrun.c", ("PAST=3",), "OVERFLOW", "sig_sign", sign="overflow"),
    case("longer", "overrun.c", ("LONGER=4",), "OVERFLOW", "sig_sign", "68", sign="overflow"),
    case(
        "rejects-all",
        "refuse.c",
        ("AT=VERIFY", "EVERY=1"),
        "CRYPTOFAIL",
        "sig_verify",
        verify="rejected",
        sign="done",
    ),
    case("rejects-1-of-50", "refuse.c", ("AT=VERIFY", "EVERY=50", *SLOW), "PASS", verify="rejected"),
    case("record-9", "record9.c", (), "MISMATCH", "", sign="done"),
    case("eats", "memory.c", (), "OOM", "out of memory", "not timed after OOM", sign="skipped"),
    case("late-eats", "memory.c", LATE, "PASS", "", "out of memory", sign="oom"),
    Case(GOOD, "PASS", {"keygen": "done", "sign": "done", "verify": "done"}),
]

#: Never come back: the limits of the campaign end them, one after the other.
HANGING = [
    case(
        "keygen",
        "hang.c",
        ("AT=KEYGEN",),
        "TIMEOUT",
        "",
        "in calibration: not done within 1 s",
        keygen="timeout",
    ),
    case("sign", "hang.c", ("AT=SIGN",), "TIMEOUT", "", "in calibration", keygen="done", sign="timeout"),
    case("verify", "hang.c", ("AT=VERIFY",), "TIMEOUT", "", "in calibration", verify="timeout"),
    case("load", "hang.c", ("AT_LOAD",), "TIMEOUT", "", "in calibration", keygen="timeout"),
    case("deaf", "hang.c", ("AT=SIGN", "DEAF"), "TIMEOUT", "", "in calibration", sign="timeout"),
    case("late", "hang.c", ("AT=SIGN", *LATE), "PASS", "", "^not done within", sign="timeout"),
    Case(GOOD, "PASS", {"keygen": "done", "sign": "done", "verify": "done"}),
]

#: With `processes = true`: what forks is let, and what it leaves behind is ended.
FORKING = [
    case("leaves-daemon", "daemon.c", (), "PASS", sign="done"),
    Case(GOOD, "PASS", {"keygen": "done", "sign": "done", "verify": "done"}),
]

_MANY = {"min_calls": 100}
_NO_PROFILE = {"on": False}
CAMPAIGNS: dict[str, tuple[list[Case], int, dict[str, Any]]] = {
    "harmless": (HARMLESS, 0, {"planning": _MANY}),
    "faulty": (FAULTY, 1, {"planning": _MANY, "host": {"memory_limit_mib": 512}, "profile": _NO_PROFILE}),
    "hanging": (
        HANGING,
        1,
        {
            "planning": _MANY | {"limit_slack_s": 1.0, "calibrate_limit_s": 1.0},
            "kat": {"limit_s": 2.0},
            "profile": _NO_PROFILE,
        },
    ),
    "forking": (FORKING, 0, {"host": {"processes": True}}),
}


@dataclass(frozen=True)
class Finished:
    """A campaign that has run."""

    lab: Lab
    run: RunDir
    exit_code: int
    state: RunState

    def step(self, kind: Kind, mock: Mock, operation: str | None = None) -> StepState:
        return self.state.steps[str(Step(kind, KEY, mock.name, operation))]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory, build_cache: Path) -> Iterator[dict[str, Finished]]:
    """Every campaign once, as the tests of its cases ask for it."""
    with new_lab(tmp_path_factory.mktemp("hostile"), build_cache) as lab:
        yield _Campaigns(lab)


class _Campaigns(dict[str, Finished]):
    def __init__(self, lab: Lab) -> None:
        super().__init__()
        self._lab = lab

    def __missing__(self, name: str) -> Finished:
        cases, _, tables = CAMPAIGNS[name]
        run = self._lab.new_run([entry.mock for entry in cases], **tables)
        code = self._lab.finish(run)
        self[name] = Finished(self._lab, run, code, read_state(run))
        return self[name]


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_the_run_goes_on_to_its_end_and_its_exit_code_tells(name: str, finished: dict[str, Finished]) -> None:
    cases, exit_code, _ = CAMPAIGNS[name]
    campaign = finished[name]
    assert campaign.exit_code == exit_code, campaign.lab.said(campaign.run)
    assert campaign.lab.said(campaign.run) == ""
    assert processes_below(campaign.lab.path) == {}
    (end,) = of_kind(read_events(campaign.run), EventName.RUN_END)
    failed = {Step.parse(text).instance for text in end.data["failed"]}
    assert failed == {c.mock.name for c in cases if {c.kat, *c.measured.values()} - {"PASS", "done"}}


@pytest.mark.parametrize(
    ("name", "entry"),
    [
        pytest.param(name, entry, id=f"{name}-{entry.mock.name}")
        for name, group in CAMPAIGNS.items()
        for entry in group[0]
    ],
)
def test_each_fault_has_its_own_outcome(name: str, entry: Case, finished: dict[str, Finished]) -> None:
    campaign = finished[name]
    kat = campaign.step(Kind.KAT, entry.mock)
    assert kat.outcome is not None
    assert (kat.outcome.value, entry.kat_detail in kat.detail) == (entry.kat, True), kat.detail
    for operation, outcome in entry.measured.items():
        step = campaign.step(Kind.MEASURE, entry.mock, operation)
        assert step.outcome is not None
        assert step.outcome.value == outcome, step.detail
        if outcome != "done":
            assert re.search(entry.detail, step.detail), step.detail


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_the_report_names_every_outcome(name: str, finished: dict[str, Finished]) -> None:
    campaign = finished[name]
    page = campaign.run.report(KEY, "local").read_text("utf-8")
    for entry in CAMPAIGNS[name][0]:
        lines = [line for line in page.splitlines() if re.search(rf"\b{entry.mock.name}\b", line)]
        for word in (entry.kat, *entry.measured.values()):
            if word not in ("done", "skipped"):
                assert any(word in line for line in lines), (entry.mock.name, word)


def figures(campaign: Finished, mock: str, operation: str) -> dict[str, object]:
    data: dict[str, object] = json.loads(campaign.run.record(KEY, mock, operation).read_bytes())
    return data


def test_figures_before_a_crash_at_exit_are_kept_and_flagged(finished: dict[str, Finished]) -> None:
    record = figures(finished["faulty"], "at-exit", "sign")
    assert (record["outcome"], record["signal"]) == ("crashed", "SIGSEGV")
    assert isinstance(record["statistics"], dict)
    assert record["statistics"]["mean_ns"] > 0
    assert record["kat"] == "PASS"


@pytest.mark.parametrize("mock", ["late-segv", "late-exit-0", "late-eats", "longer", "rejects-1-of-50"])
def test_there_is_no_figure_after_a_fault_in_a_timed_call(mock: str, finished: dict[str, Finished]) -> None:
    operation = "verify" if mock.startswith("rejects") else "sign"
    record = finished["faulty"].run.record(KEY, mock, operation)
    assert not record.exists() or json.loads(record.read_bytes())["statistics"] is None
    summary = finished["faulty"].state.steps[f"measure:{KEY}/{mock}/{operation}"].summary
    assert summary.get("mean_ns") is None


def test_rejections_are_counted(finished: dict[str, Finished]) -> None:
    campaign = finished["faulty"]
    step = campaign.state.steps[f"measure:{KEY}/rejects-1-of-50/verify"]
    assert "reject" in step.detail or int(str(step.summary["rejected"])) >= 1


def test_signing_that_fails_is_tried_again_and_counted(finished: dict[str, Finished]) -> None:
    campaign = finished["harmless"]
    record = figures(campaign, "signs-49-of-50", "sign")
    assert record["retries"] == 2  # one in each of two trials of 50 calls behind 3 warm-ups
    assert isinstance(record["statistics"], dict)
    page = campaign.run.report(KEY, "local").read_text("utf-8")
    assert any(
        "signs-49-of-50" in line and re.search(r"\b2\b.*(retr|again)|(retr|again).*\b2\b", line)
        for line in page.splitlines()
    ), page


def test_a_wrong_tenth_record_is_a_mismatch_and_all_records_were_looked_at(
    finished: dict[str, Finished],
) -> None:
    step = finished["faulty"].step(Kind.KAT, Mock("record-9"))
    assert (step.kat_records, step.kat_covered) == (10, 10)


@pytest.mark.parametrize("mock", ["says-much", "says-binary", "says-forged"])
def test_what_a_candidate_prints_is_cut_and_made_harmless(mock: str, finished: dict[str, Finished]) -> None:
    campaign = finished["harmless"]
    logs = sorted((campaign.run.path / "logs" / KEY).glob(f"{mock}__*.log"))
    assert logs
    for log in logs:
        raw = log.read_bytes()
        assert len(raw) <= 4 << 20, log.name
        text = raw.decode("utf-8")
        assert not re.search(r"[^\n\t -~\u00a0-\U0010ffff]", text)
        if mock == "says-much":
            assert "more bytes were dropped" in text


def test_the_run_directory_holds_no_more_than_its_figures_need(finished: dict[str, Finished]) -> None:
    for name in CAMPAIGNS:
        size = sum(path.stat().st_size for path in finished[name].run.path.rglob("*") if path.is_file())
        assert size < 32 << 20, name


def test_a_gibibyte_on_stdout_neither_stops_nor_grows_anything(lab: Lab) -> None:
    mock = Mock("says-gibibyte", "talk.c", ("MEBIBYTES=1024",), ())
    run = lab.new_run([mock], selection={"only": [], "operations": []})
    assert lab.finish(run) == 0, lab.said(run)
    kat = read_state(run).steps[f"kat:{KEY}/says-gibibyte"]
    assert kat.outcome is not None
    assert kat.outcome.value == "PASS"
    log = run.child_log(Step(Kind.KAT, KEY, "says-gibibyte"))
    assert log.stat().st_size < 2 << 20
    assert f"{(1 << 30) - (1 << 20)} more bytes were dropped" in log.read_text("utf-8")


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_whatever_became_of_the_candidates_their_run_validates(
    name: str, finished: dict[str, Finished]
) -> None:
    assert [str(finding) for finding in validate(finished[name].run, {}).findings] == []
