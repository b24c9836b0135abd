"""A run in which everything fits has no finding; each kind of damage is found, and named by file and cause."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from golden.damage import (
    edit_events,
    edit_journal,
    edit_record,
    edit_samples,
    mend_digest,
    replace_in,
    swap_library,
)
from golden.synthetic import QuickStorage
from golden.whole import whole_run, write_pages

from ngcctui.cli import main
from ngcctui.engine.rundir import RunDir
from ngcctui.model.errors import ExitCode
from ngcctui.report.build import build_report
from ngcctui.report.publish import publish
from ngcctui.report.systems import System, read_systems
from ngcctui.report.validate import Finding, Private, validate, validate_published
from ngcctui.report.validate.held import LATE_NS
from ngcctui.report.validate.privacy import absolute_paths
from ngcctui.report.write import write_report

SECOND = 1_000_000_000
SIGN = "measure:toy-1/Toy-128/sign"
KEYGEN = "measure:toy-1/Toy-128/keygen"
PROFILE = "profile:toy-1/Toy-128/sign"
KAT = "kat:toy-1/Toy-128"
RECORD = "records/toy-1/Toy-128__sign.json"


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> RunDir:
    return whole_run(tmp_path_factory.mktemp("whole"), charts=False)


@pytest.fixture
def run(good: RunDir, tmp_path: Path) -> RunDir:
    shutil.copytree(good.path, tmp_path / good.name, symlinks=True)
    return RunDir(tmp_path / good.name)


def found(run: RunDir, **private: Any) -> list[Finding]:
    return list(validate(run, {}, Private(**private)).findings)


def test_a_run_in_which_everything_fits_has_no_finding(good: RunDir) -> None:
    validation = validate(good, {})
    assert validation.findings == ()
    assert validation.looked_at["records"] == 8 and validation.looked_at["KAT logs"] == 3


# damage -----------------------------------------------------------------------------------------------------------


def statistics(**figures: Any) -> Callable[[RunDir], object]:
    """Change figures of the record of sign, with its digest."""
    return lambda run: edit_record(run, SIGN, lambda data: data["statistics"].update(figures))


def record(text: str = SIGN, **values: Any) -> Callable[[RunDir], object]:
    return lambda run: edit_record(run, text, lambda data: data.update(values))


def trial(number: int = -1, **values: Any) -> Callable[[RunDir], object]:
    return lambda run: edit_record(run, SIGN, lambda data: data["trials"][number].update(values))


def plan(**values: Any) -> Callable[[RunDir], object]:
    return lambda run: edit_record(run, SIGN, lambda data: data["plan"].update(values))


def profile(**values: Any) -> Callable[[RunDir], object]:
    return lambda run: edit_record(run, PROFILE, lambda data: data.update(values))


def end(text: str, **values: Any) -> Callable[[RunDir], object]:
    return lambda run: edit_events(run, "step_end", lambda data: data.update(values), text)


def cut(path: Callable[[RunDir], Path]) -> Callable[[RunDir], object]:
    """Cut a file to half its length."""
    return lambda run: os.truncate(path(run), path(run).stat().st_size // 2)


def lose(path: Callable[[RunDir], Path]) -> Callable[[RunDir], object]:
    return lambda run: path(run).unlink()


def page(run: RunDir) -> Path:
    return run.report("toy-1", "local")


def samples(run: RunDir) -> Path:
    return run.samples("toy-1", "Toy-128", "sign")


def flip_a_digit(run: RunDir) -> None:
    path = run.path / RECORD
    data = path.read_bytes()
    at = data.index(b'"mean_ns": ') + 12
    path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])


def twice(run: RunDir) -> None:
    shutil.copy(run.path / RECORD, run.path / "records/toy-1/Toy-128__sign2.json")


def record_of_another(run: RunDir) -> None:
    shutil.copy(run.path / "records/toy-1/Toy-128__verify.json", run.path / RECORD)
    mend_digest(run, SIGN)


def samples_of_another(run: RunDir) -> None:
    shutil.copy(run.samples("toy-1", "Toy-256", "sign"), samples(run))
    other = json.loads((run.path / "records/toy-1/Toy-256__sign.json").read_bytes())
    edit_record(run, SIGN, lambda data: data.update(samples_sha256=other["samples_sha256"]))


def log_of_another_library(run: RunDir) -> None:
    replace_in(run.kat_log("toy-1", "Toy-128"), b"library SHA-256: ", b"library SHA-256: 0")
    mend_digest(run, KAT)


def another_library(run: RunDir) -> None:
    swap_library(run, "toy-1", "Toy-128", run.library("toy-1", "Toy-256").read_bytes())


def fewer_trials(run: RunDir) -> None:
    edit_record(run, SIGN, lambda data: data["trials"].pop())


def lines(change: Callable[[list[bytes]], object]) -> Callable[[RunDir], object]:
    def damage(run: RunDir) -> None:
        content = run.journal.read_bytes().splitlines(keepends=True)
        change(content)
        run.journal.write_bytes(b"".join(content))

    return damage


def warn(text: str) -> Callable[[RunDir], object]:
    """A warning that the pages print as well."""

    def damage(run: RunDir) -> None:
        def add(events: list[dict[str, Any]]) -> None:
            last = events[-1]
            data = {"key": "x", "text": text}
            events.append({**last, "seq": last["seq"] + 1, "event": "warning", "data": data})

        edit_journal(run, add)
        write_pages(run)

    return damage


def skip_without_reason(run: RunDir) -> None:
    change = {"outcome": "skipped", "detail": "", "file": None, "sha256": None, "summary": {}}
    edit_events(run, "step_end", lambda data: data.update(change), PROFILE)
    run.profile("toy-1", "Toy-128", "sign").unlink()


def no_such_step(run: RunDir) -> None:
    edit_events(run, "run_start", lambda data: data["steps"].remove(PROFILE))


def another_session(**changed: Any) -> Callable[[RunDir], object]:
    """A second session at the end, on another machine."""

    def damage(run: RunDir) -> None:
        def add(events: list[dict[str, Any]]) -> None:
            start = next(event for event in events if event["event"] == "session_start")
            data = {**start["data"], "session": 2, "mode": "resume", **changed}
            last = events[-1]
            events.append({**last, "seq": last["seq"] + 1, "event": "session_start", "data": data})
            events += [{**event, "seq": event["seq"] + 3} for event in events[-3:-1]]

        edit_journal(run, add)

    return damage


def keep_the_other_attempt(run: RunDir) -> None:
    def swap(data: dict[str, Any]) -> None:
        first, second = data["trials"][0], data["trials"][1]
        assert not first["used"] and second["used"]
        first["used"], second["used"] = True, False

    edit_record(run, SIGN, swap)


def hide_a_disturbance(run: RunDir) -> None:
    edit_record(run, SIGN, lambda data: data["trials"][0].update(disturbed=[]))


def paused(run: RunDir, step: str = SIGN, accepted: bool = True) -> None:
    """A pause from the start of a step until a second later."""

    def add(events: list[dict[str, Any]]) -> None:
        at = next(n for n, e in enumerate(events) if (e["event"], e.get("step")) == ("step_start", step))
        begun = {key: value for key, value in events[at].items() if key != "step"}
        for second, request in enumerate(("pause", "resume")):
            data = {"request": request, "argument": None, "accepted": accepted, "why": ""}
            mono_ns = begun["mono_ns"] + second * SECOND
            events.insert(at + 1 + second, {**begun, "event": "control", "mono_ns": mono_ns, "data": data})
        for number, event in enumerate(events, 1):
            event["seq"] = number

    edit_journal(run, add)
    write_pages(run)


DAMAGES: dict[str, tuple[Callable[[RunDir], object], str, str]] = {
    # name: damage, where it is found, and a word of what is said
    "a flipped digit in a record": (flip_a_digit, RECORD, "SHA-256 differs"),
    "a changed mean, digests mended": (statistics(mean_ns=2_400_000.0), RECORD, "mean_ns: stored 2400000.0"),
    "a changed percentile, digests mended": (statistics(p95_ns=1.0), RECORD, "p95_ns: stored 1.0"),
    "a changed interval, digests mended": (
        statistics(interval_low_cycles=1.0),
        RECORD,
        "interval_low_cycles",
    ),
    "a changed mean in the journal": (
        lambda run: edit_events(run, "step_end", lambda data: data["summary"].update(mean_ns=1.0), SIGN),
        RECORD,
        "mean_ns in the journal",
    ),
    "a changed timed value, digests mended": (
        lambda run: edit_samples(run, SIGN, lambda values: values.__setitem__(-1, 1)),
        RECORD,
        "min_ns",
    ),
    "truncated timed values": (cut(samples), RECORD, "Toy-128__sign.u64.gz: its SHA-256"),
    "missing timed values": (lose(samples), RECORD, "Toy-128__sign.u64.gz: cannot be read"),
    "the timed values of another record": (
        samples_of_another,
        RECORD.replace("128", "256"),
        "same timed values",
    ),
    "a missing record": (lose(lambda run: run.path / RECORD), RECORD, "cannot be read"),
    "a duplicated record": (twice, "records/toy-1/Toy-128__sign2.json", "belongs to no step"),
    "another record in its place": (record_of_another, RECORD, "belongs to another step"),
    "a record that is a FIFO": (
        lambda run: ((run.path / RECORD).unlink(), os.mkfifo(run.path / RECORD)),
        RECORD,
        "no regular file",
    ),
    "a future schema": (record(schema=2), RECORD, "schema 2, newer"),
    "a key that no record has": (record(extra=1), RECORD, "unknown key"),
    "an outcome that is not the journal's": (
        record(outcome="rejected"),
        RECORD,
        "ended otherwise than the journal says",
    ),
    "another KAT outcome in a record": (record(kat="MISMATCH"), RECORD, "kat is MISMATCH"),
    "other flags in a record": (record(flags="harness-default"), RECORD, "flags is harness-default"),
    "other inputs in a record": (record(inputs="fixed"), RECORD, "inputs is fixed"),
    "a record of another library": (record(library_sha256="0" * 64), RECORD, "library_sha256 is 000"),
    "other lengths in a record": (
        record(sizes={"public_key": 32, "secret_key": 64, "signature": 2421}),
        RECORD,
        "signature is 2421 bytes long here, 2420 in the KAT",
    ),
    "a record made at another time": (
        record(started_utc="2026-02-28T12:00:00.000Z"),
        RECORD,
        "its step ran from",
    ),
    "a record without environment": (record(environment={}), RECORD, "environment does not tell processor"),
    "a record of another machine": (
        lambda run: edit_record(run, SIGN, lambda data: data["environment"].update(memory="8 MiB")),
        RECORD,
        "memory is 8 MiB",
    ),
    "a missing trial": (fewer_trials, RECORD, "the journal tells of 6"),
    "more calls than planned": (trial(iterations=21), RECORD, "21 calls"),
    "another plan": (plan(iterations=7), RECORD, "iterations 7 (asked for: 8)"),
    "another time limit": (plan(limit_s=1.0), RECORD, "limit_s 1.0"),
    "an impossible clock": (trial(cycles=10**13), RECORD, "would be a clock of"),
    "a clock unlike the others": (
        lambda run: edit_record(
            run, SIGN, lambda data: data["trials"][-1].update(cycles=data["trials"][-1]["cycles"] * 3)
        ),
        RECORD,
        "over its session 2 GHz",
    ),
    "ticks unlike the others": (
        lambda run: edit_record(
            run, SIGN, lambda data: data["trials"][-1].update(ticks=data["trials"][-1]["ticks"] * 11 // 10)
        ),
        RECORD,
        "its wall time or its ticks are wrong",
    ),
    "a trial shorter than its calls": (trial(wall_ns=1000), RECORD, "the whole trial 1000 ns"),
    "a trial much longer than its calls": (trial(wall_ns=10**9), RECORD, "the rest is not accounted for"),
    "a wait without a pause": (trial(held_ns=7), RECORD, "the journal has none during measure:toy-1"),
    "a negative wait": (trial(held_ns=-7), RECORD, "waited -7 ns, less than no time"),
    "a wait that is longer than its pause": (
        lambda run: (paused(run), trial(held_ns=SECOND + LATE_NS + 1)(run)),
        RECORD,
        "the pauses during measure:toy-1/Toy-128/sign lasted 1000000000 ns",
    ),
    "a disturbance that is not told": (hide_a_disturbance, RECORD, "is marked undisturbed"),
    "the disturbed attempt kept": (keep_the_other_attempt, RECORD, "not the least disturbed one"),
    "a missing profile": (
        lose(lambda run: run.profile("toy-1", "Toy-128", "sign")),
        "profile/toy-1/Toy-128__sign.json",
        "cannot be read",
    ),
    "a changed share, digests mended": (
        profile(hash_share=0.5),
        "profile/toy-1/Toy-128__sign.json",
        "hash_share: stored 0.5, recomputed 0.6",
    ),
    "calls that take more than all": (
        profile(total_ticks=100),
        "profile/toy-1/Toy-128__sign.json",
        "ticks of 100 in all",
    ),
    "a profile of another library": (
        profile(library_sha256="1" * 64),
        "profile/toy-1/Toy-128__sign.json",
        "library_sha256 is 111",
    ),
    "fewer profiled calls than planned": (
        profile(operations=1),
        "profile/toy-1/Toy-128__sign.json",
        "profiled 1 operations",
    ),
    "a swapped library": (another_library, "build/toy-1/Toy-128.so", "SHA-256 differs"),
    "a swapped profile library": (
        lambda run: run.profile_library("toy-1", "Toy-128").write_bytes(b"x"),
        "build/toy-1/Toy-128.profile.so",
        "SHA-256 differs",
    ),
    "a missing library": (
        lose(lambda run: run.library("toy-1", "Toy-128")),
        "build/toy-1/Toy-128.so",
        "cannot be read",
    ),
    "a truncated KAT log": (
        cut(lambda run: run.kat_log("toy-1", "Toy-128")),
        "kat/toy-1/Toy-128.log",
        "SHA-256 differs",
    ),
    "a KAT log of another library": (
        log_of_another_library,
        "kat/toy-1/Toy-128.log",
        "its library SHA-256 is 0",
    ),
    "a KAT that passed with a wrong digest": (
        lambda run: replace_in(run.scheme("toy-1") / "scheme.toml", b'sha256 = "', b'sha256 = "0" # "'),
        "schemes/toy-1",
        "64 lower-case hex digits",
    ),
    "a truncated build log": (
        cut(lambda run: run.build_log("toy-1", "Toy-128")),
        "build/toy-1/Toy-128.log",
        "SHA",
    ),
    "a truncated calibration": (
        cut(lambda run: run.path / "records/toy-1/Toy-128__sign.calibration.json"),
        RECORD,
        "its calibration is missing or damaged",
    ),
    "a stale page": (
        lambda run: replace_in(page(run), b"Toy-128", b"Toy-127"),
        "report/toy-1/perf_local.md",
        "stale",
    ),
    "a changed figure in a page's TOML": (
        lambda run: replace_in(page(run).with_suffix(".toml"), b"mean_cycles = ", b"mean_cycles = 1"),
        "report/toy-1/perf_local.toml",
        "stale or changed: line",
    ),
    "a missing page": (lose(page), "report/toy-1/perf_local.md", "cannot be read"),
    "a page of another run": (
        lambda run: shutil.copy(page(run), run.report("toy-1", "x86_9")),
        "report/toy-1/perf_x86_9.md",
        "no page of this run",
    ),
    "a journal that lost its last line": (
        lines(lambda content: content.pop()),
        "journal.jsonl",
        "last session has no end",
    ),
    "a journal that was cut": (cut(lambda run: run.journal), "journal.jsonl", "the run has not ended"),
    "a journal cut in the middle of a line": (
        lines(lambda content: content.__setitem__(-1, content[-1][:30])),
        "journal.jsonl",
        "in the middle of a line",
    ),
    "a lost line": (lines(lambda content: content.pop(20)), "journal.jsonl:21", "event 21 missing"),
    "a repeated line": (
        lines(lambda content: content.insert(21, content[20])),
        "journal.jsonl:22",
        "repeated",
    ),
    "a line of a later version": (
        lines(lambda content: content.insert(5, b'{"v":2,"seq":5}\n')),
        "journal.jsonl:6",
        "version 2, newer",
    ),
    "a time that falls": (
        lambda run: edit_journal(run, lambda events: events[30].update(utc="2020-01-01T00:00:00.000Z")),
        "journal.jsonl:31",
        "earlier than the line before it",
    ),
    "an end that hides failures": (
        end(SIGN, outcome="failed", detail="x"),
        "journal.jsonl",
        "its end counts failed: []",
    ),
    "another campaign": (
        lambda run: replace_in(run.campaign_file, b"target_s = 0.02", b"target_s = 0.03"),
        "campaign.toml",
        "not the campaign that the run followed",
    ),
    "a campaign that selects less": (
        lambda run: replace_in(
            run.campaign_file, b'operations = [\n    "*"', b'operations = [\n    "hash_*"'
        ),
        KEYGEN,
        "does not select it",
    ),
    "a selected operation that is not there": (no_such_step, PROFILE, "the run does not know it"),
    "a step without an end": (
        lambda run: edit_journal(
            run,
            lambda events: [e.update(event="health", data={}) for e in events if e.get("step") == PROFILE],
        ),
        PROFILE,
        "is queued, it has no result",
    ),
    "a skip without a reason": (skip_without_reason, PROFILE, "without a reason"),
    "a record that the journal does not name": (end(SIGN, file=None), SIGN, "the journal names no record"),
    "a record in another place": (end(SIGN, file="kat/toy-1/Toy-128.log"), SIGN, "not one in records"),
    "a record out of the run": (end(SIGN, file="../../etc/passwd"), SIGN, "not one in records"),
    "another kernel unnoticed": (
        another_session(kernel="7.0"),
        "journal.jsonl",
        "changed the kernel unnoticed",
    ),
    "an absolute path": (
        warn("see /home/somebody/x.c"),
        "report/toy-1/perf_local.md",
        "the path /home/somebody/x.c",
    ),
    "a broken campaign": (
        lambda run: replace_in(run.campaign_file, b"[kat]", b"[cat]"),
        "campaign.toml",
        "unknown key",
    ),
    "a lost scheme": (
        lose(lambda run: run.scheme("toy-1") / "scheme.toml"),
        "schemes/toy-1",
        "cannot be read",
    ),
    "a journal that is gone": (lose(lambda run: run.journal), "journal.jsonl", "cannot be read"),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_damage_is_found_and_named(run: RunDir, name: str) -> None:
    damage, where, what = DAMAGES[name]
    damage(run)
    findings = found(run)
    assert any(f.where.startswith(where) and what in f.what for f in findings), "\n".join(map(str, findings))
    for finding in findings:
        line = str(finding)
        assert "\n" not in line and finding.todo and str(run.path) not in line


def test_no_two_damages_are_told_in_the_same_words() -> None:
    assert len({(where, what) for _, where, what in DAMAGES.values()}) > 60


def test_a_pause_of_another_step_or_one_that_was_refused_explains_no_wait(run: RunDir) -> None:
    paused(run, KEYGEN)
    paused(run, SIGN, accepted=False)
    trial(held_ns=7)(run)
    assert [f.where for f in found(run) if "the journal has none" in f.what] == [RECORD]


# what is no damage ------------------------------------------------------------------------------------------------


def test_a_torn_line_that_lost_nothing_is_no_finding(run: RunDir) -> None:
    lines(lambda content: content.insert(10, content[10][:25] + b"\n"))(run)
    write_pages(run)
    assert found(run) == []


def test_a_trial_may_wait_while_the_run_is_paused(run: RunDir) -> None:
    paused(run)
    trial(held_ns=SECOND // 2)(run)
    write_pages(run)
    assert found(run) == []


@pytest.mark.parametrize("printed", ["cpu/wall 0.990", "cpu/wall 0.9899"])
def test_a_share_may_be_told_in_three_decimals_as_earlier_versions_did(run: RunDir, printed: str) -> None:
    def change(data: dict[str, Any]) -> None:
        told = data["trials"][0]
        told.update(cpu_ns=round(told["wall_ns"] * 0.9899), disturbed=[printed])

    edit_record(run, SIGN, change)
    assert not [f for f in found(run) if "its numbers say" in f.what]


def test_a_clock_that_was_set_explains_times_that_fall(run: RunDir) -> None:
    def set_clock(events: list[dict[str, Any]]) -> None:
        events[30]["utc"] = "2020-01-01T00:00:00.000Z"
        last = events[-1]
        data = {"key": "clock-step", "text": "UTC moved"}
        events.append({**last, "seq": last["seq"] + 1, "event": "warning", "data": data})

    edit_journal(run, set_clock)
    write_pages(run)
    assert found(run) == []


def test_clocks_are_held_against_those_of_their_session_only(run: RunDir) -> None:
    """A session on another machine, as a resume with --accept-changes makes it, has other clocks."""
    another_session(changes=["CPU is x"])(run)

    def move(events: list[dict[str, Any]]) -> None:
        start = next(
            n for n, e in enumerate(events) if e["event"] == "session_start" and e["data"]["session"] == 2
        )
        kept = [e for e in events if e.get("step") in (SIGN, PROFILE)]
        rest = [e for e in events if e not in kept]
        at = start - len(kept) + 1
        host = next(e for e in events if e["event"] == "host")
        events[:] = [*rest[:at], {**host}, *kept, *rest[at:]]
        for number, event in enumerate(events, 1):
            event.update(
                seq=number, utc=f"2026-03-01T12:{number // 60:02}:{number % 60:02}.000Z", mono_ns=number
            )

    edit_journal(run, move)
    edit_record(
        run,
        SIGN,
        lambda data: [t.update(ticks=t["ticks"] * 2, cycles=t["cycles"] * 3) for t in data["trials"]],
    )
    assert not [f for f in found(run) if "session" in f.what and ("GHz" in f.what or "ticks" in f.what)]


def test_what_a_crash_or_a_retry_leaves_is_no_stray(run: RunDir) -> None:
    place = run.path / "records/toy-1"
    (place / ".Toy-128__sign.json.0123456789ab.tmp").write_bytes(b"half")
    shutil.copy(run.path / RECORD, place / "Toy-128__sign.attempt-1.json")
    shutil.copy(samples(run), place / "Toy-128__sign.attempt-1.u64.gz")
    shutil.copy(run.library("toy-1", "Toy-128"), run.path / "build/toy-1/Toy-128.harness-default.so")
    assert found(run) == []
    shutil.copy(run.path / RECORD, place / "Toy-512__sign.attempt-1.json")
    assert [finding.where for finding in found(run)] == ["records/toy-1/Toy-512__sign.attempt-1.json"]


def test_a_change_that_was_accepted_is_no_finding(run: RunDir) -> None:
    another_session(kernel="7.0", changes=["kernel is 7.0, was 6.1.0"])(run)
    write_pages(run)
    assert [finding for finding in found(run) if "unnoticed" in finding.what] == []


# privacy ----------------------------------------------------------------------------------------------------------


def test_names_of_user_and_host_are_found_unless_they_may_be_seen(run: RunDir) -> None:
    warn("written by alice on bench-host")(run)
    names = ("alice", "bench-host", "al", "root")
    findings = found(run, names=names)
    assert {finding.where for finding in findings} >= {"journal.jsonl", "report/toy-1/perf_local.md"}
    assert all("the name alice and 1 more" in finding.what for finding in findings)
    assert found(run, names=names, allowed=("alice", "bench-host")) == []
    assert found(run, names=("ali", "host", "written_")) == []


def test_the_system_that_was_asked_for_may_be_the_hosts_name(tmp_path: Path) -> None:
    made = whole_run(tmp_path, ["Toy-128"], system="bench-host", hashes=False, charts=False)
    systems = {"bench-host": System("bench-host", "x86_64", "Invented CPU 1 (CPU 0, one core)")}
    assert validate(made, systems, Private(("bench-host",))).findings == ()


def test_an_allowed_path_is_no_finding(run: RunDir) -> None:
    warn("see /home/somebody/x.c")(run)
    assert found(run, allowed=("/home/somebody",)) == []


# systems ----------------------------------------------------------------------------------------------------------


def test_a_name_that_nobody_registered_is_found(tmp_path: Path) -> None:
    made = whole_run(tmp_path, ["Toy-128"], system="x86_9", hashes=False, charts=False)
    (finding,) = validate(made, {}).findings
    assert finding.where == "campaign.toml" and "x86_9, which no registry knows" in finding.what
    other = {"x86_9": System("x86_9", "x86_64", "Other CPU (CPU 1, one core)")}
    (finding,) = validate(made, other).findings
    assert "ran on Invented CPU 1, system x86_9 is Other CPU" in finding.what


# the command, and figures of others ---------------------------------------------------------------------------------


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_command_prints_a_line_a_finding(
    run: RunDir, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["validate", str(run.path)]) == ExitCode.DONE
    said = capsys.readouterr()
    assert said.out == "" and "no findings; looked at 8 records, 8 profiles, 3 KAT logs" in said.err
    assert main(["validate", "--runs", str(run.path.parent), "--json"]) == ExitCode.DONE
    assert json.loads(capsys.readouterr().out) == []
    flip_a_digit(run)
    assert main(["validate", str(run.path), "--quiet"]) == ExitCode.FAILURES
    said = capsys.readouterr()
    assert RECORD in said.out and said.err == ""
    rows = len(said.out.splitlines())
    assert main(["validate", str(run.path), "--json"]) == ExitCode.FAILURES
    found_rows = json.loads(capsys.readouterr().out)
    assert len(found_rows) == rows and set(found_rows[0]) == {"where", "what", "todo"}


@pytest.mark.parametrize("system", ["x86_1", "arm_1"])
def test_the_published_figures_that_come_with_the_program_validate(
    here: Path, capsys: pytest.CaptureFixture[str], system: str
) -> None:
    assert main(["validate", f"published:{system}"]) == ExitCode.DONE
    assert "4 pages of published figures" in capsys.readouterr().err


FIGURES = Path(__file__).parents[2] / "data/published/x86_1"


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("sign-17.toml", b'mean_cycles = "2.31 M"', b'mean_cycles = "2.310 M"', "performance[0].mean_cycles"),
        ("sign-17.toml", b'mean_time = "1.1 ms"', b'mean_time = "1100 us"', "not in the notation"),
        (
            "sign-17.toml",
            b'memory = "31788 MiB"',
            b'memory = "31789 MiB"',
            "memory is 31789 MiB, that of system x86_1",
        ),
        ("sign-17.toml", b'system = "x86_1"', b'system = "x86_7"', "which no registry knows"),
        ("sign-17.toml", b'system = "x86_1"', b'system = "arm_1"', "several systems: arm_1, x86_1"),
        ("sign-17.toml", b'id = "sign-17"', b'id = "sign-18"', "holds the figures of sign-18"),
        ("sign-17.toml", b"[environment]", b"[environs]", "unknown key"),
    ],
)
def test_damage_to_published_figures_is_found(
    tmp_path: Path, name: str, old: bytes, new: bytes, said: str
) -> None:
    shutil.copytree(FIGURES, tmp_path / "x86_1")
    replace_in(tmp_path / "x86_1" / name, old, new)
    systems = {
        key: system for key, (system, _) in read_systems([FIGURES.parents[1] / "systems.toml"]).items()
    }
    findings = validate_published(tmp_path / "x86_1", systems)
    assert any(said in str(finding) for finding in findings), findings


def test_each_kind_of_path_is_told_from_what_only_looks_like_one() -> None:
    told = {
        "/home/me/x": True,
        '"/tmp/x"': True,
        "-o /work/y/z": True,
        "PATH=/usr/bin:/opt/x/bin": True,
        "file in /root": True,
        "=/scratch/u/a": True,
        "a/b/c": False,
        "Debian GNU/Linux 12 / 6.1": False,
        "https://example.org/a/b": False,
        "/proc/irq/N/smp_affinity_list": False,
        "/usr/bin/gcc": False,
        "pseudohash/XOF/sm3": False,
        "1/2 and $X/home/a": False,
    }
    assert {text: bool(list(absolute_paths(text.encode()))) for text in told} == told
    assert not list(absolute_paths(b"\x00/ab/cd\x00", binary=True))
    assert list(absolute_paths(b"\x00/home/me/x.c\x00", binary=True))


# charts -----------------------------------------------------------------------------------------------------------


def test_charts_are_drawn_again_and_compared(tmp_path: Path) -> None:
    pytest.importorskip("pygal")
    made = whole_run(tmp_path, ["Toy-128"], hashes=False)
    assert validate(made, {}).findings == ()
    (chart, other) = sorted((made.path / "report").rglob("*.svg"))
    replace_in(chart, b"Toy-128", b"Toy-127")
    other.unlink()
    stale, missing = validate(made, {}).findings
    assert stale.where == made.relative(chart) and "stale" in stale.what
    assert missing.where == made.relative(other) and "cannot be read" in missing.what


def test_a_chart_with_published_figures_is_compared_where_they_are_at_hand(tmp_path: Path) -> None:
    pytest.importorskip("pygal")
    made = whole_run(tmp_path / "a", ["Toy-128"], hashes=False)
    other = publish(
        whole_run(tmp_path / "b", ["Toy-128"], hashes=False, charts=False, system="bench_1"),
        tmp_path / "data",
        {"bench_1": System("bench_1", "x86_64", "Invented CPU 1 (CPU 0, one core)")},
        Private(),
        QuickStorage(),
    )
    figures = other / "toy-1.toml"
    figures.write_text(figures.read_text("utf-8").replace('run = "', 'run = "another-'), "utf-8")
    systems = {"bench_1": other}
    write_report(made, build_report(made), QuickStorage(), systems)
    (chart,) = (made.path / "report").rglob("*.cost.svg")
    assert b"published for bench_1" in chart.read_bytes()
    assert validate(made, {}, Private(), systems).findings == ()
    assert validate(made, {}, Private()).findings == (), "drawn beside figures that are not here"
    replace_in(chart, b"published for bench_1", b"published for bench_2")
    (stale,) = validate(made, {}, Private(), systems).findings
    assert stale.where == made.relative(chart) and "stale" in stale.what
