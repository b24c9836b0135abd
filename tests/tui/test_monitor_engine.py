"""The monitor and a real engine: what is asked on the screen is done by the run, and shown again."""

from __future__ import annotations

from faults.lab import Mock, new_lab, read_state
from pytest import TempPathFactory
from tui.terminal_kit import NGCCTUI, PtyScreen, environment, until

from ngcctui.engine.state import Status
from ngcctui.model.outcome import Outcome

NAMES = ("keygen", "sign", "verify")
#: Each measurement takes about a second: time to ask for something meanwhile.
TOY = Mock("toy", defines=("SLOW_NS=3000000",), operations=NAMES)
PLANNING = {"trials": 3, "target_s": 0.001, "min_calls": 300, "budget_s": 60.0}
STEP = "measure:mock/toy/{}"


def test_pause_skip_retry_and_go_on(tmp_path_factory: TempPathFactory) -> None:
    with new_lab(tmp_path_factory.mktemp("lab"), tmp_path_factory.mktemp("cache")) as lab:
        run = lab.new_run([TOY], records=2, planning=PLANNING, profile={"on": False})
        lab.start(run, "--wait")
        until(lambda: bool(read_state(run).steps), lambda: lab.printed(run), 300.0)
        environ = environment(lab.path, LC_ALL="C.UTF-8")
        argv = [*NGCCTUI, "attach", str(run.path), "--refresh", "0.2"]
        with PtyScreen(argv, environ, cwd=lab.path, width=100) as screen:
            screen.wait_for("toy", "t 1/3", deadline_s=120.0)
            screen.send("P")
            screen.wait_for("faults · paused", "paused: P goes on")
            state = read_state(run)  # which operation came first is up to what a call took
            waiting = next(
                n for n, name in enumerate(NAMES) if state.steps[STEP.format(name)].status is Status.QUEUED
            )
            step = STEP.format(NAMES[waiting])
            screen.send("lll" + "l" * waiting + "K")
            screen.wait_for(f"skip {step} accepted", "skipped")
            screen.send("R")
            screen.wait_for(f"retry {step} accepted")
            screen.send("P")
            screen.wait_for("faults · done", gone=("skipped  ",), deadline_s=60.0)
            screen.send("q")
            assert screen.end() == 0
        state = read_state(run)
        assert state.steps[step].outcome is Outcome.DONE
        assert state.steps[step].attempt == 2
        assert [note.request for note in state.controls] == ["pause", "skip", "retry", "resume"]
