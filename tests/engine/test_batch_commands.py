"""The commands that start, watch and ask a run, with an engine that does as it is told."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ngcctui import run_engine
from ngcctui.cli import main
from ngcctui.engine import control
from ngcctui.engine.liveness import start_ticks
from ngcctui.engine.rundir import RunDir
from ngcctui.engine.state import Follower
from ngcctui.model.errors import ExitCode
from ngcctui.spawn import EngineOptions

FAKE = Path(__file__).with_name("fake_engine.py")
KAT = "kat:sign-17/OPSsig-128"
SIGN = "measure:sign-17/OPSsig-128/sign"
BEGIN: list[dict[str, Any]] = [
    {"event": "run_start", "data": {"run": "r", "campaign": "quick", "steps": [KAT, SIGN]}},
    {"event": "session_start", "data": {"core": 10_000}},
]
FAILED: list[dict[str, Any]] = [
    {"event": "step_end", "step": KAT, "data": {"outcome": "MISMATCH", "detail": "record 3: Sn"}},
    {"event": "step_end", "step": SIGN, "data": {"outcome": "done", "summary": {"mean_ns": 1e6}}},
    {"event": "run_end", "data": {"passed": 1, "failed": [KAT], "exit": 1}},
    {"event": "session_end", "data": {"reason": "finished", "exit": 1}},
    {"exit": 1},
]
STOPPED: list[dict[str, Any]] = [
    {"event": "session_end", "data": {"reason": "stopped", "exit": 4}},
    {"exit": 4},
]

Script = Callable[..., None]


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where the runs go; engines that are left over are ended."""
    monkeypatch.setenv("NGCCTUI_RUNS", str(tmp_path / "runs"))
    monkeypatch.chdir(tmp_path)
    affinity = os.sched_getaffinity(0)
    yield tmp_path / "runs"
    os.sched_setaffinity(0, affinity)
    for journal in (tmp_path / "runs").glob("*/journal.jsonl"):
        for session in Follower(journal).poll().sessions:
            if session.pid and start_ticks(session.pid) == session.pid_start:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(session.pid, signal.SIGKILL)


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Script:
    """Makes the next engine act like this; its options are kept in `engine.asked`."""

    def acts(*actions: dict[str, Any], asked: list[EngineOptions] | None = None) -> None:
        def argv(run: RunDir, options: EngineOptions) -> list[str]:
            if asked is not None:
                asked.append(options)
            return [sys.executable, str(FAKE), str(run.path), json.dumps(actions)]

        monkeypatch.setattr(run_engine, "engine_argv", argv)

    return acts


def only_run(runs: Path) -> RunDir:
    (path,) = runs.iterdir()
    return RunDir(path)


def status(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    capsys.readouterr()
    assert main(["status", "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_batch_ends_with_failures_told_and_exit_1(
    runs: Path, engine: Script, capsys: pytest.CaptureFixture[str]
) -> None:
    engine(*BEGIN, *FAILED)
    assert main(["--batch", "quick", "--quiet"]) == ExitCode.FAILURES
    said = capsys.readouterr()
    assert said.err == f"ngcctui: {KAT} MISMATCH: record 3: Sn\n"
    assert "sign-17 " in said.out
    assert "MISMATCH" in said.out
    assert only_run(runs).campaign().name == "quick"


def test_json_output_is_nothing_but_json(
    runs: Path, engine: Script, capsys: pytest.CaptureFixture[str]
) -> None:
    engine(*BEGIN, *FAILED)
    assert main(["--batch", "quick", "--json"]) == ExitCode.FAILURES
    events = [json.loads(line)["event"] for line in capsys.readouterr().out.splitlines()]
    assert events == [action["event"] for action in BEGIN + FAILED if "event" in action]


@pytest.mark.parametrize("words", [["--batch", "quick"], ["run", "quick"], ["run", "quick", "--detach"]])
def test_an_engine_that_refuses_leaves_nothing_behind(
    runs: Path, engine: Script, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    engine({"print": "ngcctui: host not ready: turbo on"}, {"exit": 3})
    assert main(words) == ExitCode.HOST
    assert "ngcctui: host not ready: turbo on\n" in capsys.readouterr().err
    assert list(runs.iterdir()) == []


def test_a_run_that_has_begun_is_kept(runs: Path, engine: Script) -> None:
    engine(*BEGIN, {"print": "ngcctui: core 1 is taken"}, {"exit": 3})
    assert main(["--batch", "quick", "--quiet"]) == ExitCode.HOST
    assert only_run(runs).journal.exists()


def test_a_resume_that_is_refused_prints_no_tables(
    runs: Path, engine: Script, capsys: pytest.CaptureFixture[str]
) -> None:
    engine(*BEGIN, FAILED[0], *STOPPED)
    assert main(["--batch", "quick", "--quiet"]) == ExitCode.INTERRUPTED
    assert "MISMATCH" in capsys.readouterr().out
    engine({"print": "ngcctui: core 1 is taken"}, {"exit": 3})
    assert main(["resume", "--quiet"]) == ExitCode.HOST
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", "ngcctui: core 1 is taken\n")


def test_options_reach_the_engine(runs: Path, engine: Script, capsys: pytest.CaptureFixture[str]) -> None:
    asked: list[EngineOptions] = []
    engine(*BEGIN, *STOPPED, asked=asked)
    assert main(["run", "quick", "--wait", "--quiet"]) == ExitCode.INTERRUPTED
    engine(BEGIN[1], *FAILED, asked=asked)
    assert (
        main(["resume", "--retry", KAT, "--retry", "failed", "--accept-changes", "--quiet"])
        == ExitCode.FAILURES
    )
    assert asked == [
        EngineOptions(wait=True),
        EngineOptions(resume=True, retry=(KAT, "failed"), accept_changes=True),
    ]
    assert asked[1].words() == ["--resume", "--retry", KAT, "--retry", "failed", "--accept-changes"]


def test_detach_watch_ask_and_resume(
    runs: Path, engine: Script, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_engine, "killed_at_logout", lambda user: "")
    engine(
        *BEGIN, {"event": "step_start", "step": KAT}, {"wait_for": "skip"}, {"wait_for": "stop-now"}, *STOPPED
    )
    assert main(["run", "quick", "--detach"]) == 0
    run = only_run(runs)
    said = capsys.readouterr()
    assert said.out == f"{run.path}\n"
    assert said.err == ""

    found = status(capsys)
    assert (found["working"], found["state"], found["exit"]) == (True, "running on core 10000, 0/2", None)
    assert main(["resume"]) == ExitCode.USAGE
    assert f"{run.name}: is running on core 10000, 0/2 already" in capsys.readouterr().err
    assert main(["control", run.name, "skip", "kat:sign-17/OPSsig-1"]) == ExitCode.USAGE
    assert f"did you mean {KAT}" in capsys.readouterr().err
    assert main(["control", run.name, "skip"]) == ExitCode.USAGE
    assert "skip needs a step" in capsys.readouterr().err
    assert main(["control", run.name, "skip", KAT]) == 0
    assert main(["stop", "--now", "--quiet"]) == 0

    follower = Follower(run.journal)
    while follower.poll().open:
        pass
    assert os.waitpid(follower.poll().sessions[0].pid, 0)[1] == ExitCode.INTERRUPTED << 8
    found = status(capsys)
    assert (found["working"], found["state"], found["exit"]) == (False, "interrupted at 0/2", 4)
    assert main(["stop"]) == ExitCode.USAGE
    assert "interrupted at 0/2, no engine works on it" in capsys.readouterr().err
    engine(BEGIN[1], *FAILED)
    assert main(["resume", "--quiet"]) == ExitCode.FAILURES
    assert status(capsys)["state"] == "done with 1 failure"


def test_detach_warns_when_logging_out_would_end_it(
    runs: Path, engine: Script, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_engine, "killed_at_logout", lambda user: "lingering is off for ann")
    engine(*BEGIN, {"wait_for": "stop"}, {"exit": 0})
    assert main(["run", "quick", "--detach"]) == 0
    path = only_run(runs).path
    said = capsys.readouterr().err
    assert "logging out will end this run (lingering is off for ann)" in said
    assert f"systemd-run --user --scope ngcctui resume {path} --detach" in said
    control.request(RunDir(path), "stop")


def test_a_finished_run_has_nothing_to_resume(
    runs: Path, engine: Script, capsys: pytest.CaptureFixture[str]
) -> None:
    engine(*BEGIN, *FAILED)
    main(["--batch", "quick", "--quiet"])
    capsys.readouterr()
    assert main(["resume"]) == ExitCode.FAILURES
    assert "--retry failed starts steps anew" in capsys.readouterr().err
    assert main(["resume", "--retry", "kat:sign-17/OPSsig-129"]) == ExitCode.USAGE
    assert f"did you mean {KAT}" in capsys.readouterr().err


def test_status_in_lines(runs: Path, engine: Script, capsys: pytest.CaptureFixture[str]) -> None:
    begun = {"event": "step_start", "step": SIGN, "data": {"attempt": 1}}
    trial = {"event": "trial", "step": SIGN, "data": {"trial": 1, "trials": 5, "mean_ns": 1e6}}
    warning = {"event": "warning", "data": {"key": "k", "text": "UTC \x1b[31mmoved"}}
    host = {"event": "host", "data": {"findings": [{"key": "t", "text": "turbo on", "command": "x"}]}}
    engine(*BEGIN, host, FAILED[0], begun, trial, warning, {"signal": int(signal.SIGKILL)})
    assert main(["--batch", "quick", "--quiet"]) == ExitCode.INTERRUPTED
    capsys.readouterr()
    assert main(["status"]) == 0
    lines = capsys.readouterr().out.splitlines()
    path = only_run(runs).path
    assert lines[0] == f"run      {path.name}: interrupted at 1/2"
    assert f"failed   {KAT} MISMATCH (record 3: Sn)" in lines
    assert "host     turbo on" in lines
    assert "warning  UTC \\x1b[31mmoved" in lines
    assert lines[-1] == f"go on    ngcctui resume {path}"
    assert main(["status", "--steps"]) == 0
    assert f"step     {SIGN} running" in capsys.readouterr().out
