"""Requests to a running engine, and what a hostile hand can put beside them."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from ngcctui.engine.control import FAILED, MAX_BYTES, MAX_FILES, REQUESTS, Request, consume, poll, request
from ngcctui.engine.rundir import RunDir
from ngcctui.model.errors import ConfigError, StorageError

STEP = "measure:sign-17@optimized/OPSsig-128/sign"


@pytest.fixture
def run(tmp_path: Path) -> RunDir:
    run = RunDir(tmp_path / "run")
    run.control.mkdir(parents=True)
    return run


def put(run: RunDir, name: str, content: bytes) -> Path:
    path = run.control / name
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("name", REQUESTS)
def test_a_request_arrives_and_is_consumed(run: RunDir, name: str) -> None:
    argument = STEP if REQUESTS[name] else None
    path = request(run, name, argument)
    (found,) = poll(run)
    assert (found.name, found.argument, found.problem, found.path) == (name, argument, "", path)
    consume(found)
    assert poll(run) == [] and os.listdir(run.control) == []
    consume(found)  # somebody else was faster


def test_requests_come_in_the_order_they_were_made(run: RunDir) -> None:
    request(run, "pause", now_ns=20)
    request(run, "retry", FAILED, now_ns=9)
    request(run, "resume", now_ns=100)
    request(run, "stop", now_ns=100)
    assert [found.name for found in poll(run)] == ["retry", "pause", "resume", "stop"]


def test_two_equal_requests_at_the_same_time_are_both_kept(run: RunDir) -> None:
    request(run, "pause", now_ns=5)
    request(run, "pause", now_ns=5)
    assert len(poll(run)) == 2


@pytest.mark.parametrize(
    ("name", "argument", "said"),
    [
        ("explode", None, "known: pause, resume"),
        ("skip", None, "needs a step"),
        ("skip", FAILED, "step id"),
        ("retry", "measure:../x/y", "step id"),
        ("pause", STEP, "no argument"),
    ],
)
def test_what_is_no_request_is_refused_before_it_is_written(
    run: RunDir, name: str, argument: str | None, said: str
) -> None:
    with pytest.raises(ConfigError, match=said):
        request(run, name, argument)
    assert os.listdir(run.control) == []


def test_a_run_that_cannot_be_asked_is_told(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="control"):
        request(RunDir(tmp_path / "gone"), "stop")
    assert poll(RunDir(tmp_path / "gone")) == []


def test_requests_from_before_the_session_are_dropped(run: RunDir) -> None:
    start_ns = 1_796_000_000_000_000_000
    for number, seconds in enumerate([-60.0, -0.005, 0.0, 5.0]):
        path = request(run, "pause", now_ns=number)
        made_ns = start_ns + round(seconds * 1e9)
        os.utime(path, ns=(made_ns, made_ns))
    found = poll(run, start_ns)
    assert [bool(entry.problem) for entry in found] == [True, False, False, False]
    assert found[0].problem == "made 60 s before this session"
    assert found[0].mtime_ns == start_ns - 60 * 10**9


GOOD = b'{"request": "pause", "argument": null}'


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("1-2-explode.json", b'{"request": "explode", "argument": null}', "unknown request"),
        ("1-2-skip.json", b'{"request": "skip", "argument": "x\\u001b[2J"}', "step id"),
        ("1-2-pause.json", b"", "no JSON"),
        ("1-2-pause.json", b"\xff\xfe", "no JSON"),
        ("1-2-pause.json", b"[" * MAX_BYTES, "no JSON"),
        ("1-2-pause.json", b"null", "no request"),
        ("1-2-pause.json", b'{"request": ["pause"]}', "no request"),
        ("1-2-pause.json", b'{"request": "pause", "argument": 5}', "no request"),
        ("1-2-pause.json", b'{"request": "pause", "more": 5}', "no request"),
        ("1-2-stop.json", GOOD, "disagree"),
        ("pause.json", GOOD, "name"),
        ("1-2-pause.json.bak", GOOD, "name"),
        ("1-2-pause.json", GOOD + b" " * MAX_BYTES, "larger than"),
    ],
)
def test_hostile_files_are_dropped_with_a_reason(run: RunDir, name: str, content: bytes, said: str) -> None:
    put(run, name, content)
    (found,) = poll(run)
    assert said in found.problem and found.argument is None
    assert found.name.isprintable() and found.problem.isprintable()
    consume(found)
    assert poll(run) == []


def test_a_file_with_holes_of_a_terabyte_is_not_read(run: RunDir) -> None:
    path = put(run, "1-2-pause.json", b"")
    os.truncate(path, 1 << 40)
    (found,) = poll(run)
    assert "larger" in found.problem


def test_what_is_no_regular_file_is_dropped_without_hanging(run: RunDir, tmp_path: Path) -> None:
    (tmp_path / "target").write_bytes(GOOD)
    (run.control / "1-1-pause.json").symlink_to(tmp_path / "target")
    (run.control / "2-1-pause.json").symlink_to("/nowhere")
    os.mkfifo(run.control / "3-1-pause.json")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(run.control / "4-1-pause.json"))
    (run.control / "5-1-pause.json").mkdir()
    (run.control / "5-1-pause.json" / "inside").write_bytes(b"")
    found = poll(run)
    assert len(found) == 5 and all(entry.problem for entry in found)
    assert found[0].problem == "is a symbolic link" and found[2].problem == "is no regular file"
    for entry in found:
        consume(entry)
    assert poll(run) == []
    assert (tmp_path / "target").read_bytes() == GOOD


def test_names_from_outside_cannot_reach_the_terminal(run: RunDir) -> None:
    put(run, "\x1b[2J\udcff.json", GOOD)
    (found,) = poll(run)
    assert found.name.isascii() and found.name.isprintable()
    consume(found)
    assert poll(run) == []


def test_temporary_files_are_not_looked_at(run: RunDir) -> None:
    put(run, ".half-written.tmp", GOOD[:5])
    assert poll(run) == []


def test_a_flood_is_taken_in_portions(run: RunDir) -> None:
    for number in range(MAX_FILES + 50):
        put(run, f"{number}-1-pause.json", GOOD)
    taken = 0
    while found := poll(run):
        assert len(found) <= MAX_FILES
        taken += len(found)
        for entry in found:
            consume(entry)
    assert taken == MAX_FILES + 50


def test_a_request_that_cannot_be_removed_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(StorageError, match="removed"):
        consume(Request("pause", None, tmp_path / "file" / "1-1-pause.json"))


def test_the_name_is_taken_when_there_are_no_hard_links(run: RunDir, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "no links here")

    monkeypatch.setattr(os, "link", refuse)
    request(run, "pause")
    assert [found.name for found in poll(run)] == ["pause"]
    assert len(os.listdir(run.control)) == 1
