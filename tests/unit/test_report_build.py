"""Pages of a run: what its steps left, and what is shown when a file is missing, changed, damaged or hostile."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from golden.rendered import paragraphs, tables
from golden.runs import HOSTILE, mixed_run
from golden.synthetic import ENVIRONMENT, SyntheticRun, Timing, elf_header, steps_of, write_scheme

from ngcctui.engine.rundir import RunDir
from ngcctui.engine.store import Storage, sha256_bytes
from ngcctui.model.campaign import Campaign, Inputs
from ngcctui.model.errors import StorageError
from ngcctui.model.event import EventName
from ngcctui.model.outcome import Outcome
from ngcctui.model.record import ProfileCall
from ngcctui.model.step import Kind, Step
from ngcctui.report.build import build_pages
from ngcctui.report.markdown import page_markdown
from ngcctui.report.page import Page
from ngcctui.report.source import machine_of
from ngcctui.report.write import write_reports

KEY, INSTANCE = "toy-1", "Toy-128"


def _run(parent: Path, campaign: Campaign | None = None, profile: bool = True) -> SyntheticRun:
    """A run of one instance: built and checked, nothing measured yet."""
    scheme = write_scheme(parent / "schemes", KEY, [INSTANCE])
    steps = steps_of(scheme, profile=profile)
    made = SyntheticRun(parent / "runs", [scheme], campaign or Campaign("unit"), steps)
    made.session()
    made.build(KEY, INSTANCE)
    made.kat(KEY, INSTANCE)
    return made


def _page(made: SyntheticRun) -> Page:
    (page,) = build_pages(made.run)
    page_markdown(page)
    return page


def _written(run: RunDir) -> list[Path]:
    """The pages of a report, without the charts that are drawn where it can be done."""
    return [path for path in write_reports(run) if path.suffix != ".svg"]


def _row(page: Page, operation: str = "keygen") -> tuple[str, ...]:
    (row,) = [row.cells() for row in page.performance if row.cells()[1] == operation]
    return row[2:]


def _facts(page: Page) -> Any:
    assert page.facts is not None
    return page.facts


def test_a_page_shows_what_was_measured(tmp_path: Path) -> None:
    made = _run(tmp_path)
    record = made.measure(KEY, INSTANCE, "keygen", Timing(mean_ns=1e6, trials=2, iterations=10))
    page = _page(made)
    figures = record.statistics
    assert figures is not None
    (row,) = [row for row in page.performance if not row.word]
    assert (row.mean_ns, row.mean_cycles) == (figures.mean_ns, figures.mean_cycles)
    assert row.cells()[-1] == "20 (2 × 10)"
    (precision,) = page.precision
    assert (precision.low_ns, precision.high_ns) == (figures.interval_low_ns, figures.interval_high_ns)
    assert (precision.distinct_calls, precision.attempts, precision.rejected) == (20, 2, 0)
    assert page.resources[0].cells()[2:] == ("38121", "1758 KiB", "2051 KiB")
    assert page.scheme.instances == (INSTANCE,) and page.scheme.versions == ("independent",)
    assert page.libraries[0].sha256 == record.library_sha256


def test_steps_without_an_end_show_their_state(tmp_path: Path) -> None:
    made = _run(tmp_path)
    made.event(EventName.STEP_START, {"attempt": 1}, Step(Kind.MEASURE, KEY, INSTANCE, "sign"))
    assert _row(_page(made)) == ("queued", "", "", "", "")
    assert _row(_page(made), "sign") == ("running", "", "", "", "")
    assert not _facts(_page(made)).ended
    made.session()
    assert _row(_page(made), "sign") == ("interrupted", "", "", "", "")


@pytest.mark.parametrize(
    "outcome",
    [
        Outcome.REJECTED,
        Outcome.FAILED,
        Outcome.OVERFLOWED,
        Outcome.TIMED_OUT,
        Outcome.OUT_OF_MEMORY,
        Outcome.ENGINE_ERROR,
    ],
)
def test_other_outcomes_print_their_word_and_no_figure(tmp_path: Path, outcome: Outcome) -> None:
    made = _run(tmp_path)
    made.measure(KEY, INSTANCE, "keygen", Timing(outcome=outcome, detail="7 of 200 calls"))
    page = _page(made)
    assert _row(page) == (outcome.value, "", "", "", "")
    assert page.precision == ()
    assert f"Toy-128 keygen: {outcome.value}, 7 of 200 calls" in paragraphs(page_markdown(page))


def test_a_profile_that_failed_says_why(tmp_path: Path) -> None:
    made = _run(tmp_path)
    made.end(Step(Kind.PROFILE, KEY, INSTANCE, "sign"), Outcome.TIMED_OUT, "12 s")
    made.end(Step(Kind.PROFILE, KEY, INSTANCE, "verify"), Outcome.SKIPPED, "not calibrated")
    assert _facts(_page(made)).failures == ("profile of Toy-128 sign: timeout, 12 s",)


def test_figures_of_rejected_measurements_are_not_printed_even_when_they_are_there(tmp_path: Path) -> None:
    made = _run(tmp_path)
    record = made.measure(KEY, INSTANCE, "verify", Timing(outcome=Outcome.CRASHED))
    assert record.statistics is not None
    _rewrite(made, record.operation, lambda data: data.update(outcome="rejected"), outcome="rejected")
    assert _row(_page(made), "verify") == ("rejected", "", "", "", "")


def test_a_crash_after_the_last_call_keeps_the_figures_and_is_named(tmp_path: Path) -> None:
    made = _run(tmp_path)
    made.measure(KEY, INSTANCE, "keygen", Timing(outcome=Outcome.CRASHED, signal="SIGSEGV", retries=3))
    n = _row(_page(made))[-1]
    assert n == "200 (5 × 40); 3 failed signing attempts retried; process crashed at exit (SIGSEGV)"


def test_without_a_counter_there_are_no_cycles(tmp_path: Path) -> None:
    made = _run(tmp_path)
    made.measure(KEY, INSTANCE, "keygen", Timing(clock_ghz=None))
    page = _page(made)
    assert _row(page)[0] == "–"
    assert page.precision[0].remarks == ()
    assert any("Cycles are missing" in text for text in paragraphs(page_markdown(page)))
    made.measure(KEY, INSTANCE, "sign")
    page = _page(made)
    assert [row.remarks for row in page.precision] == [("no cycle counter: perf_event_open: ENOENT",), ()]
    assert not any("Cycles are missing" in text for text in paragraphs(page_markdown(page)))


def _rewrite(
    made: SyntheticRun, operation: str, change: Callable[[dict[str, Any]], object], outcome: str = "done"
) -> None:
    """Change a record as an engine with that fault would have written it: with its digest in the journal."""
    path = made.run.record(KEY, INSTANCE, operation)
    data = json.loads(path.read_bytes())
    change(data)
    path.write_text(json.dumps(data))
    made.end(Step(Kind.MEASURE, KEY, INSTANCE, operation), Outcome(outcome), file=path)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda d: d.update(statistics=None), "has no figures"),
        (lambda d: d.update(plan=None), "has no figures"),
        (lambda d: d["statistics"].update(calls=199), "holds 199 calls, planned were 5 x 40"),
        (lambda d: d["statistics"].update(mean_ns=-1.0), "holds times that cannot be"),
        (lambda d: d["statistics"].update(mean_ns="1"), "is damaged: statistics.mean_ns: must be a number"),
        (
            lambda d: d["statistics"].update(mean_ns=float("nan")),
            "is damaged: statistics.mean_ns: must be a finite",
        ),
        (lambda d: d.pop("trials") and d.update(trial=1), "is damaged: trial: unknown key"),
        (lambda d: d.update(step="measure:toy-1/Toy-128/sign"), "belongs to another step"),
        (lambda d: d.update(outcome="rejected"), "ended otherwise than the journal says"),
    ],
)
def test_a_record_that_does_not_fit_is_failed_and_named(
    tmp_path: Path, change: Callable[[dict[str, Any]], object], problem: str
) -> None:
    made = _run(tmp_path)
    made.measure(KEY, INSTANCE, "keygen")
    _rewrite(made, "keygen", change)
    page = _page(made)
    assert _row(page) == ("failed", "", "", "", "")
    (told,) = _facts(page).problems
    assert problem in told
    assert any(problem in text for text in paragraphs(page_markdown(page)))


def _unlink(path: Path) -> None:
    path.unlink()


def _fifo(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _directory(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(
    ("damage", "problem"),
    [
        (_unlink, "cannot be read: No such file"),
        (_fifo, "is no regular file"),
        (_directory, "is no regular file"),
        (lambda path: path.write_bytes(b""), "is not the file that the journal names"),
        (lambda path: path.write_bytes(path.read_bytes()[:700]), "is not the file that the journal names"),
        (
            lambda path: path.write_text(path.read_text().replace("sign", "sigh")),
            "is not the file that the journal names",
        ),
    ],
)
@pytest.mark.parametrize("kind", [Kind.MEASURE, Kind.PROFILE])
def test_a_file_changed_on_disk_is_failed_and_named(
    tmp_path: Path, damage: Callable[[Path], object], problem: str, kind: Kind
) -> None:
    made = _run(tmp_path)
    made.measure(KEY, INSTANCE, "sign")
    made.profile(KEY, INSTANCE, "sign", [ProfileCall("drng", 0, 256, 200, 10)])
    paths = {Kind.MEASURE: made.run.record, Kind.PROFILE: made.run.profile}
    damage(paths[kind](KEY, INSTANCE, "sign"))
    page = _page(made)
    (told,) = _facts(page).problems
    assert problem in told and told.startswith(f"{'records' if kind is Kind.MEASURE else 'profile'}/toy-1/")
    (symmetric,) = [row.cells()[2:] for row in page.symmetric if row.operation == "sign"]
    expected = ("failed", "", "") if kind is Kind.PROFILE else ("0.0%", "0.0%", "drng 1")
    assert symmetric == expected
    assert (_row(page, "sign")[0] == "failed") is (kind is Kind.MEASURE)


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"\xff\xfe", b"[" * 100_000, b"null", b'{"step": 1}', b"1e999"]
)
def test_a_file_that_was_journalled_damaged_is_failed(tmp_path: Path, content: bytes) -> None:
    made = _run(tmp_path)
    path = made.run.record(KEY, INSTANCE, "keygen")
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    made.end(Step(Kind.MEASURE, KEY, INSTANCE, "keygen"), Outcome.DONE, file=path)
    page = _page(made)
    assert _row(page) == ("failed", "", "", "", "")
    assert "damaged" in _facts(page).problems[0]


def test_done_without_a_file_is_failed(tmp_path: Path) -> None:
    made = _run(tmp_path)
    made.end(Step(Kind.MEASURE, KEY, INSTANCE, "keygen"), Outcome.DONE)
    page = _page(made)
    assert _row(page) == ("failed", "", "", "", "") and "names no record" in _facts(page).problems[0]


def test_a_profile_whose_self_check_failed_is_unknown_and_never_zero(tmp_path: Path) -> None:
    made = _run(tmp_path)
    made.profile(KEY, INSTANCE, "keygen", intercepted=False, detail="no helper call was seen")
    made.profile(
        KEY, INSTANCE, "sign", [ProfileCall("sm3hash", 1, 1, 300, 500)], operations=100, total_ticks=1000
    )
    page = _page(made)
    assert [row.cells()[2:] for row in page.symmetric] == [
        ("unknown", "", ""),
        ("50%", "0.0%", "sm3hash 3"),
        ("queued", "", ""),
    ]
    assert [row.cells()[2:] for row in page.profile] == [
        ("200", "1", "tsc", "failed: no helper call was seen"),
        ("100", "1", "tsc", "passed"),
    ]


def test_shares_without_a_passed_self_check_are_not_printed(tmp_path: Path) -> None:
    made = _run(tmp_path)
    made.profile(KEY, INSTANCE, "keygen", [ProfileCall("sm3hash", 1, 1, 300, 500)])
    path = made.run.profile(KEY, INSTANCE, "keygen")
    path.write_text(path.read_text().replace('"intercepted": true', '"intercepted": false'))
    made.end(Step(Kind.PROFILE, KEY, INSTANCE, "keygen"), Outcome.DONE, file=path)
    assert _page(made).symmetric[0].cells()[2:] == ("unknown", "", "")


def test_a_trial_that_became_a_calibration_is_no_attempt(tmp_path: Path) -> None:
    made = _run(tmp_path)
    made.measure(KEY, INSTANCE, "keygen", Timing(repeated=2))
    replanned = {"used": False, "disturbed": ["replanned"]}
    _rewrite(made, "keygen", lambda data: data["trials"].insert(0, data["trials"][0] | replanned))
    (row,) = _page(made).precision
    assert (row.rejected, row.attempts) == (2, 7) and row.cells()[5] == "2 / 7"


def test_a_finished_run_that_goes_on_has_no_end_yet(tmp_path: Path) -> None:
    made = _run(tmp_path)
    made.event(EventName.RUN_END, {"exit": 1})
    assert not _page(made).environment[-1].value.endswith("–")
    made.session()
    page = _page(made)
    assert page.environment[-1].value == "2026-03-01T12:00:01 / –" and not _facts(page).ended


def test_hostile_text_stays_text(tmp_path: Path) -> None:
    made = _run(tmp_path)
    made.kat(KEY, INSTANCE, Outcome.CRASH, HOSTILE, flags=f"guide{HOSTILE}", label=HOSTILE)
    made.measure(KEY, INSTANCE, "keygen", Timing(detail=HOSTILE, environment={"processor": HOSTILE}))
    made.event(EventName.WARNING, {"key": "x", "text": HOSTILE})
    text = page_markdown(_page(made))
    assert "\x1b" not in text and "\u202e" not in text and "<b>" not in text
    assert all(len({len(row) for row in table}) == 1 for table in tables(text))
    ours = ("<b>bold</b>", "<strong_open>ICCS-only<strong_close>")
    for line in paragraphs(text):
        for known in ours:
            line = line.replace(known, "")
        assert "<" not in line
    assert len(_written(made.run)) == 6


def test_a_path_out_of_the_run_is_not_followed(tmp_path: Path) -> None:
    made = _run(tmp_path)
    outside = tmp_path / "outside.so"
    outside.write_bytes(elf_header(183))
    summary = made.library(KEY, INSTANCE) | {"library": "../../outside.so"}
    made.end(Step(Kind.KAT, KEY, INSTANCE), Outcome.PASS, summary=summary)
    assert _facts(_page(made)).machine == ""


@pytest.mark.parametrize(
    ("content", "machine"),
    [
        (elf_header(), "x86-64"),
        (elf_header(183), "arm64"),
        (elf_header(40), ""),
        (b"\x7fELF", ""),
        (b"#!/bin/sh" * 9, ""),
    ],
)
def test_the_architecture_is_that_of_the_library(tmp_path: Path, content: bytes, machine: str) -> None:
    path = tmp_path / "library.so"
    path.write_bytes(content)
    assert machine_of(path) == machine
    assert machine_of(tmp_path / "none") == machine_of(tmp_path) == ""


def test_what_does_not_belong_together_is_said(tmp_path: Path) -> None:
    made = _run(tmp_path)
    made.kat(KEY, INSTANCE, sizes={"public_key": 33, "secret_key": -1, "signature": "x"})  # type: ignore[dict-item]
    made.measure(KEY, INSTANCE, "keygen", Timing(library_sha256="f" * 64))
    other = ENVIRONMENT | {"clock": "max 3.00 GHz"}
    made.measure(KEY, INSTANCE, "sign", Timing(environment=other))
    page = _page(made)
    assert _facts(page).problems == (
        "Toy-128 keygen: measured with another library than the one checked in section 3",
    )
    assert _facts(page).sizes == ("Toy-128: public key is 33 bytes long by the library, 32 by scheme.toml",)
    assert page.sizes[0].cells() == (INSTANCE, "33", "64", "2420")
    assert _facts(page).environments == ("clock was max 3.00 GHz for 1 of the records",)


def test_conditions_are_those_of_all_sessions(tmp_path: Path) -> None:
    made = _run(tmp_path)
    made.session(findings=["turbo is on"], changes=["kernel is 2, was 1"], cores=1, noise={"spread": 0.004})
    made.session(noise={"spread": 0.001}, counter="no cycle counter")
    made.finish()
    page = _page(made)
    facts = _facts(page)
    assert (facts.findings, facts.changes, facts.cores) == (("turbo is on",), ("kernel is 2, was 1",), 1)
    assert (facts.noise, facts.sessions, facts.ended) == (0.004, 3, True)
    said = " ".join(paragraphs(page_markdown(page)))
    assert (
        "one core only" in said
        and "turbo is on" in said
        and "3 sessions" in said
        and "kernel is 2, was 1" in said
    )
    start, end = page.environment[-1].value.split(" / ")
    assert start == "2026-03-01T12:00:01" and len(end) == 19 and end > start


def test_fixed_inputs_are_called_repeatability(tmp_path: Path) -> None:
    made = _run(tmp_path, Campaign("unit", inputs=Inputs.FIXED))
    made.measure(KEY, INSTANCE, "keygen")
    page = _page(made)
    assert page.precision[0].distinct_calls == 40
    heads = next(table.heads for table in page.tables() if table.key == "precision")
    assert heads[2] == "repeatability of the mean"
    said = " ".join(paragraphs(page_markdown(page)))
    assert "Inputs are fixed" in said and "Inputs vary" not in said and "never ranks" in said


def test_foreign_events_never_raise(tmp_path: Path) -> None:
    made = _run(tmp_path)
    made.measure(KEY, INSTANCE, "keygen")
    for name in EventName:
        for data in (
            {},
            {"findings": [1, {"text": 2}], "noise": {"spread": "x"}, "cores": "many", "summary": []},
        ):
            made.event(name, data, Step(Kind.PROFILE, KEY, INSTANCE, "keygen"))
    with made.run.journal.open("ab") as file:
        file.write(b'\xff\xff\n{"v":1}\nnull\n{"v":1,"seq":9')
    page = _page(made)
    assert _row(page)[-1] == "200 (5 × 40)"
    assert "3 lines of the journal could not be read and were left out" in _facts(page).problems


def test_a_damaged_scheme_costs_its_words_only(tmp_path: Path) -> None:
    made = _run(tmp_path)
    made.measure(KEY, INSTANCE, "keygen")
    (made.run.scheme(KEY) / "scheme.toml").write_text("id = 3")
    page = _page(made)
    assert _row(page)[-1] == "200 (5 × 40)"
    assert page.scheme.algorithm == "Toy toy-1" and page.scheme.function == "digital signature"
    assert "copy of the scheme is damaged" in _facts(page).problems[0]
    assert len(_written(made.run)) == 6


def test_a_run_without_a_beginning_or_a_campaign_is_an_error(tmp_path: Path) -> None:
    made = _run(tmp_path)
    made.run.campaign_file.write_text("name = 3")
    with pytest.raises(StorageError, match="the run is damaged"):
        build_pages(made.run)
    empty = RunDir(tmp_path / "empty")
    empty.path.mkdir()
    empty.campaign_file.write_text('name = "x"')
    with pytest.raises(StorageError, match="nothing to report"):
        build_pages(empty)


def test_reports_are_written_whole_or_not_at_all(tmp_path: Path) -> None:
    run = mixed_run(tmp_path)
    paths = write_reports(run)
    assert [run.relative(path) for path in paths if path.suffix != ".svg"] == [
        "report/summary_bench_7.md",
        "report/summary_bench_7.toml",
        "report/method_bench_7.md",
        "report/method_bench_7.toml",
        "report/toy-1/perf_bench_7.md",
        "report/toy-1/perf_bench_7.toml",
        "report/toy-hash@optimized/perf_bench_7.md",
        "report/toy-hash@optimized/perf_bench_7.toml",
    ]
    before = [sha256_bytes(path.read_bytes()) for path in paths]

    class Full(Storage):
        def write(self, fd: int, data: bytes | memoryview) -> int:
            raise OSError(28, "No space left on device")

    with pytest.raises(StorageError, match="the disk is full"):
        write_reports(run, Full())
    assert [sha256_bytes(path.read_bytes()) for path in paths] == before
    assert write_reports(run) == paths
    assert [sha256_bytes(path.read_bytes()) for path in paths] == before


def test_each_record_is_read_once_and_no_samples_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = mixed_run(tmp_path)
    opened: list[str] = []
    really = os.open

    def counted(path: Any, *args: Any, **options: Any) -> int:
        opened.append(str(path))
        return really(path, *args, **options)

    monkeypatch.setattr(os, "open", counted)
    build_pages(run)
    records = [path for path in opened if path.endswith(".json")]
    assert len(records) == len(set(records)) > 10
    assert not any(path.endswith(".u64.gz") for path in opened)
    assert sum(path.endswith("journal.jsonl") for path in opened) == 1


def test_every_record_is_in_exactly_one_row_of_each_table(tmp_path: Path) -> None:
    pages = build_pages(mixed_run(tmp_path))
    for page in pages:
        shown = [row.cells()[:2] for row in page.performance]
        assert len(shown) == len(set(shown)) == len(page.scheme.instances) * 3
        evidence = [row.file for row in page.evidence]
        assert len(evidence) == len(set(evidence))


def test_retried_steps_show_their_last_attempt(tmp_path: Path) -> None:
    made = _run(tmp_path)
    made.measure(KEY, INSTANCE, "keygen", Timing(outcome=Outcome.TIMED_OUT))
    made.measure(KEY, INSTANCE, "keygen", replace(Timing(), mean_ns=2e6))
    assert _row(_page(made))[1] in ("2 ms", "1.99 ms", "2.01 ms")
