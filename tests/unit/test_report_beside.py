"""Work in a fork gives what it would have given here, also when the fork dies."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

import pytest
from golden.damage import replace_in
from golden.runs import mixed_run
from golden.whole import whole_run

from ngcctui.report.beside import MANY_RECORDS, beside
from ngcctui.report.build import build_report
from ngcctui.report.validate import Private, validate
from ngcctui.report.write import page_files

TWO_CORES = pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="there is one core only")


@TWO_CORES
def test_the_work_is_done_in_another_process() -> None:
    assert beside(os.getpid, records=MANY_RECORDS)() != os.getpid()


def test_it_is_done_here_where_that_is_not_worthwhile() -> None:
    assert beside(os.getpid, records=MANY_RECORDS - 1)() == os.getpid()


def test_it_is_done_here_when_other_threads_run() -> None:
    end = threading.Event()
    thread = threading.Thread(target=end.wait)
    thread.start()
    try:
        assert beside(os.getpid, records=MANY_RECORDS)() == os.getpid()
    finally:
        end.set()
        thread.join()


@TWO_CORES
@pytest.mark.parametrize("how", ["killed", "raised"])
def test_it_is_done_again_here_when_the_fork_dies(how: str) -> None:
    here = os.getpid()

    def work() -> int:
        if os.getpid() != here:
            if how == "raised":
                raise ValueError("only there")
            os.kill(os.getpid(), signal.SIGKILL)
        return os.getpid()

    assert beside(work, records=MANY_RECORDS)() == here


@TWO_CORES
def test_a_validation_with_a_fork_finds_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = whole_run(tmp_path, ["Toy-128"], hashes=False, charts=False)
    replace_in(made.report("toy-1", "local"), b"Toy-128", b"Toy-127")
    replace_in(made.path / "records/toy-1/Toy-128__sign.json", b"cc 14.2.0", b"cc 14.2.1")
    alone = validate(made, {}, Private(("Toy-128",)))
    monkeypatch.setattr("ngcctui.report.beside.MANY_RECORDS", 1)
    forked = validate(made, {}, Private(("Toy-128",)))
    assert forked == alone and len(alone.findings) > 5


@TWO_CORES
def test_a_report_with_forks_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = mixed_run(tmp_path)
    report = build_report(made)
    files = page_files(made, report)
    monkeypatch.setattr("ngcctui.report.beside.MANY_RECORDS", 1)
    again = build_report(made)
    assert len(again.pages) > 1 and again == report
    assert list(page_files(made, again).items()) == list(files.items())
