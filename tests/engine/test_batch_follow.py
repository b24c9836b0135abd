"""The batch printer against engines that end in every way, on pipes and on a terminal."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyte
import pytest

from ngcctui.batch.follow import follow
from ngcctui.batch.printers import JsonPrinter, PlainPrinter, Printer, QuietPrinter
from ngcctui.console import Console
from ngcctui.engine import control
from ngcctui.engine.rundir import RunDir, create_run
from ngcctui.engine.runstate import RunState
from ngcctui.engine.state import Follower
from ngcctui.model.campaign import Campaign
from ngcctui.model.errors import ExitCode
from ngcctui.model.event import Event
from ngcctui.spawn import Engine, start_engine

HERE = Path(__file__).parent
STEP = "measure:sig/sig-1/sign"
Action = dict[str, Any]

BEGIN: list[Action] = [
    {"event": "run_start", "data": {"run": "r", "campaign": "c", "steps": [STEP, "kat:sig/sig-1"]}},
    {"event": "session_start", "data": {"core": 10_000}},
]
DONE: list[Action] = [
    {"event": "step_start", "step": STEP, "data": {"attempt": 1}},
    {"event": "step_end", "step": STEP, "data": {"outcome": "done", "summary": {"mean_ns": 1500.0, "n": 10}}},
    {"event": "run_end", "data": {"passed": 1, "failed": [], "exit": 0}},
]


def over(reason: str, code: int) -> list[Action]:
    return [{"event": "session_end", "data": {"reason": reason, "exit": code}}, {"exit": code}]


@pytest.fixture
def run(tmp_path: Path) -> RunDir:
    return create_run(tmp_path, Campaign("c"), [], datetime(2026, 1, 2, tzinfo=UTC))


@pytest.fixture
def affinity() -> Iterator[None]:
    """The printer leaves the measured core; give the test process its cores back."""
    before = os.sched_getaffinity(0)
    yield
    os.sched_setaffinity(0, before)


@pytest.fixture
def start(run: RunDir, affinity: None) -> Iterator[Callable[[list[Action]], Engine]]:
    started: list[Engine] = []

    def begin(script: list[Action]) -> Engine:
        argv = [sys.executable, str(HERE / "fake_engine.py"), str(run.path), json.dumps(script)]
        started.append(start_engine(run, argv))
        return started[-1]

    yield begin
    for engine in started:
        with contextlib.suppress(ProcessLookupError):
            engine.process.kill()
        engine.process.wait()


def followed(run: RunDir, engine: Engine, printer: Printer | None = None) -> ExitCode:
    out = Console()
    return follow(run, engine, Follower(run.journal), printer or PlainPrinter(out), out)


def test_one_line_an_event_and_the_engines_exit_code(
    run: RunDir, start: Callable[[list[Action]], Engine], capsys: pytest.CaptureFixture[str]
) -> None:
    assert followed(run, start([*BEGIN, *DONE, *over("finished", 0)])) is ExitCode.DONE
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(BEGIN) + len(DONE) + 1
    assert lines[2].endswith(f"Z {STEP} started")
    assert " done 1.5 µs (n 10, " in lines[3]


@pytest.mark.parametrize("code", [ExitCode.FAILURES, ExitCode.STORAGE])
def test_a_finished_run_keeps_its_exit_code(
    run: RunDir, start: Callable[[list[Action]], Engine], code: ExitCode
) -> None:
    assert followed(run, start([*BEGIN, *DONE, *over("finished", code)])) is code


def test_json_is_the_journal_again(
    run: RunDir, start: Callable[[list[Action]], Engine], capsys: pytest.CaptureFixture[str]
) -> None:
    followed(run, start([*BEGIN, *DONE, *over("finished", 0)]), JsonPrinter(Console()))
    assert capsys.readouterr().out == run.journal.read_text()


def test_quiet_prints_nothing(
    run: RunDir, start: Callable[[list[Action]], Engine], capsys: pytest.CaptureFixture[str]
) -> None:
    followed(run, start([*BEGIN, *DONE, *over("finished", 0)]), QuietPrinter())
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", "")


def test_a_killed_engine_is_exit_4_and_says_how_to_resume(
    run: RunDir, start: Callable[[list[Action]], Engine], capsys: pytest.CaptureFixture[str]
) -> None:
    assert followed(run, start([*BEGIN, {"signal": int(signal.SIGKILL)}])) is ExitCode.INTERRUPTED
    said = capsys.readouterr().err
    assert said == f"ngcctui: the engine was killed by SIGKILL; `ngcctui resume {run.path}` goes on with it\n"


@pytest.mark.parametrize("code", [ExitCode.USAGE, ExitCode.HOST, ExitCode.STORAGE])
def test_an_engine_that_refuses_is_repeated(
    run: RunDir, start: Callable[[list[Action]], Engine], capsys: pytest.CaptureFixture[str], code: ExitCode
) -> None:
    run.engine_log.write_text("an earlier session's words\n")
    engine = start([{"print": "noise"}, {"print": "ngcctui: core 1 is taken by x\n"}, {"exit": int(code)}])
    assert followed(run, engine) is code
    assert capsys.readouterr().err == "ngcctui: core 1 is taken by x\n"


def test_an_engine_that_breaks_is_no_run_with_failures(
    run: RunDir, start: Callable[[list[Action]], Engine], capsys: pytest.CaptureFixture[str]
) -> None:
    assert followed(run, start([{"print": "ZeroDivisionError: \x1b[2J"}, {"exit": 1}])) is ExitCode.STORAGE
    assert capsys.readouterr().err == "ngcctui: ZeroDivisionError: \\x1b[2J\n"
    assert followed(run, start([{"exit": 0}])) is ExitCode.STORAGE
    assert "without a word" in capsys.readouterr().err


def test_the_first_signal_asks_to_stop_the_second_to_stop_now(
    run: RunDir, start: Callable[[list[Action]], Engine], capsys: pytest.CaptureFixture[str]
) -> None:
    wait = {"event": "step_start", "step": STEP, "data": {"attempt": 1}}
    engine = start(
        [
            *BEGIN,
            wait,
            {"signal_parent": int(signal.SIGINT)},
            {"wait_for": "stop"},
            {"signal_parent": int(signal.SIGTERM)},
            {"wait_for": "stop-now"},
            *over("stop-now", 4),
        ]
    )
    before = signal.getsignal(signal.SIGINT)
    assert followed(run, engine) is ExitCode.INTERRUPTED
    assert signal.getsignal(signal.SIGINT) is before
    said = capsys.readouterr().err
    assert "stopping after the step in progress" in said
    assert "stopping now" in said
    assert f"stopped; `ngcctui resume {run.path}` goes on" in said


def test_a_stop_of_a_paused_run_is_told_to_act_at_once(
    run: RunDir, start: Callable[[list[Action]], Engine], capsys: pytest.CaptureFixture[str]
) -> None:
    pause = {"event": "control", "data": {"request": "pause", "accepted": True}}
    interrupt = [{"signal_parent": int(signal.SIGINT)}, {"wait_for": "stop"}]
    assert followed(run, start([*BEGIN, pause, *interrupt, *over("stop", 4)])) is ExitCode.INTERRUPTED
    said = capsys.readouterr().err
    assert "stopping at once, since the run is paused" in said and "after the step" not in said


def test_the_third_signal_leaves_the_run_to_itself(
    run: RunDir, start: Callable[[list[Action]], Engine], capsys: pytest.CaptureFixture[str]
) -> None:
    again = {"signal_parent": int(signal.SIGINT)}
    engine = start(
        [
            *BEGIN,
            again,
            {"wait_for": "stop"},
            again,
            {"wait_for": "stop-now"},
            again,
            {"wait_for": "skip"},
            {"exit": 0},
        ]
    )
    assert followed(run, engine) is ExitCode.INTERRUPTED
    assert engine.process.poll() is None
    assert "still stopping" in capsys.readouterr().err


def test_a_signal_before_the_session_ends_the_engine(
    run: RunDir, start: Callable[[list[Action]], Engine]
) -> None:
    engine = start([{"signal_parent": int(signal.SIGINT)}, {"wait_for": "stop"}, {"exit": 0}])
    assert followed(run, engine) is ExitCode.INTERRUPTED
    assert engine.process.returncode == -signal.SIGTERM


def test_a_printer_that_cannot_print_leaves_the_run_alone(
    run: RunDir, start: Callable[[list[Action]], Engine], capsys: pytest.CaptureFixture[str]
) -> None:
    class Closed(QuietPrinter):
        def event(self, event: Event) -> None:
            raise BrokenPipeError

    engine = start([*BEGIN, {"wait_for": "stop"}, {"exit": 7}])
    with pytest.raises(BrokenPipeError):
        followed(run, engine, Closed())
    assert engine.process.poll() is None
    assert "the run goes on" in capsys.readouterr().err
    control.request(run, "stop")
    assert engine.process.wait(30) == 7


def test_what_an_earlier_session_said_is_not_printed_again(
    run: RunDir, start: Callable[[list[Action]], Engine], capsys: pytest.CaptureFixture[str]
) -> None:
    followed(run, start([*BEGIN, {"signal": int(signal.SIGKILL)}]), QuietPrinter())
    follower = Follower(run.journal)
    follower.poll()
    capsys.readouterr()
    out = Console()
    engine = start([BEGIN[1], *DONE, *over("finished", 0)])
    assert follow(run, engine, follower, PlainPrinter(out), out) is ExitCode.DONE
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1 + len(DONE) + 1
    assert " session 1 start" in lines[0]


def test_the_printer_leaves_the_measured_core(run: RunDir, start: Callable[[list[Action]], Engine]) -> None:
    allowed = os.sched_getaffinity(0)
    core = max(allowed)
    seen: list[set[int]] = []

    class Watch(QuietPrinter):
        def tick(self, state: RunState) -> None:
            if state.core is not None:
                seen.append(os.sched_getaffinity(0))

    begin = [BEGIN[0], {"event": "session_start", "data": {"core": core}}]
    followed(run, start([*begin, *DONE, *over("finished", 0)]), Watch())
    assert seen[-1] == (allowed - {core} or allowed)


# on a terminal ------------------------------------------------------------------------------------------------------


class Screen:
    """A program on a terminal in memory."""

    def __init__(self, argv: list[str], environ: dict[str, str]) -> None:
        self.master, slave = pty.openpty()
        self._screen = pyte.Screen(80, 24)
        self._stream = pyte.ByteStream(self._screen)
        self.process = subprocess.Popen(
            argv, stdin=slave, stdout=slave, stderr=slave, env=os.environ | environ
        )
        os.close(slave)
        self.raw = b""

    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self._screen.display)

    def read(self, seconds: float) -> bool:
        """Take what the program printed; False when it has closed the terminal."""
        if not select.select([self.master], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.master, 65536)
        except OSError:
            return False
        self.raw += data
        self._stream.feed(data)
        return bool(data)

    def wait_for(self, *words: str) -> str:
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            open_ = self.read(0.1)
            if all(word in self.text() for word in words):
                return self.text()
            if not open_:
                break
        raise AssertionError(f"{words} not on the screen:\n{self.text()}")

    def end(self) -> int:
        while self.read(5):
            pass
        os.close(self.master)
        return self.process.wait(30)


def on_terminal(run: RunDir, script: list[Action], *options: str, **environ: str) -> Screen:
    argv = [sys.executable, str(HERE / "follow_main.py"), str(run.path), json.dumps(script), *options]
    here = {"PYTHONPATH": str(HERE.parent.parent / "src"), "COLUMNS": "80", "LINES": "24"}
    return Screen(argv, {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8"} | here | environ)


MEASURING: list[Action] = [
    *BEGIN,
    {
        "event": "step_end",
        "step": "kat:sig/sig-1",
        "data": {"outcome": "PASS", "summary": {"records": 10, "covered": 10}},
    },
    {"event": "step_start", "step": STEP, "data": {"attempt": 1}},
    {"event": "trial", "step": STEP, "data": {"trial": 1, "trials": 5, "mean_ns": 2e6, "used": True}},
]


def test_bars_on_a_terminal(run: RunDir) -> None:
    screen = on_terminal(run, [*MEASURING, {"wait_for": "stop"}, *DONE[1:], *over("finished", 0)])
    text = screen.wait_for("trial 2/5", "1/2 done")
    assert "kat:sig/sig-1 PASS 10/10" in text
    assert "████░░░░" in text
    assert "trial 1/5 2 ms" not in text
    control.request(run, "stop")
    assert screen.end() == 0
    assert "trial 2/5" not in screen.text(), "the bars are gone at the end"
    assert f"{STEP} done 1.5 µs" in screen.text()


def test_bars_in_ascii_and_without_colour(run: RunDir) -> None:
    screen = on_terminal(
        run, [*MEASURING, {"wait_for": "stop"}, *over("stopped", 4)], "--ascii", NO_COLOR="1"
    )
    assert "####......" in screen.wait_for("trial 2/5", "1/2 done")
    control.request(run, "stop")
    assert screen.end() == 4
    assert screen.raw.isascii()
    assert b"\x1b[3" not in screen.raw.replace(b"\x1b[3J", b"")


def test_a_dumb_terminal_gets_lines(run: RunDir) -> None:
    screen = on_terminal(run, [*MEASURING, *over("stopped", 4)], TERM="dumb")
    assert screen.end() == 4
    assert "trial 1/5 2 ms" in screen.text().replace("\n", "")
    assert b"\x1b" not in screen.raw
