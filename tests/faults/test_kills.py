"""An engine killed at any moment: at most the step it was at is done again, and nothing is torn or left behind."""

from __future__ import annotations

import os
import random
import re
import signal
import time
from dataclasses import dataclass
from multiprocessing.context import ForkProcess
from pathlib import Path

import pytest
from faults.audit import check_whole, report_shape, starts_and_kills
from faults.lab import (
    KEY,
    Lab,
    Mock,
    check_every_prefix,
    of_kind,
    processes_below,
    read_events,
    read_state,
    told,
    wait_for,
    wait_until_quiet,
)

from ngcctui.engine.rundir import RunDir
from ngcctui.model.event import EventName

KILLS = 50


def test_fifty_kills_at_random_moments(lab: Lab) -> None:
    assert lab.finish(lab.toy_run()) == 0  # builds what every run needs
    calm = lab.toy_run()
    began_s = time.monotonic()
    lab.fork(calm, "--wait").join()
    opened_s = read_events(calm)[0].mono_ns / 1e9
    ended_s = of_kind(read_events(calm), EventName.RUN_END)[0].mono_ns / 1e9
    shape = report_shape(calm)
    seed = random.SystemRandom().getrandbits(32)
    moments = Moments(random.Random(seed), opened_s - began_s, ended_s - opened_s)
    kills = runs = 0
    try:
        while kills < KILLS:
            run = lab.toy_run()
            kills += kill_until_done(lab, run, moments, KILLS - kills)
            check_finished(lab, run, shape)
            runs += 1
    except BaseException:
        print(f"seed {seed}, {kills} kills in {runs} whole runs before this one")
        raise
    assert lab.finish(calm, "--resume") == 0
    assert not list(lab.scratch.iterdir()), "what the killed engines left is cleared away by the next one"


@dataclass(frozen=True)
class Moments:
    """When to kill: one in five while the engine starts, the others during its steps; seconds that both take."""

    chance: random.Random
    start_s: float
    steps_s: float

    def wait(self, engine: ForkProcess, run: RunDir, in_session: bool = False) -> bool:
        """Wait for a moment; True when it has come, False when the engine has ended before."""
        if not in_session and self.chance.random() < 0.2:
            limit_s = self.chance.uniform(0.0, self.start_s)
        else:
            limit_s = self.chance.uniform(0.0, 1.2 * self.steps_s)
            before = sessions(run)
            wait_for(lambda: sessions(run) > before or not engine.is_alive(), "the engine's session")
        engine.join(limit_s)
        return engine.is_alive()


def sessions(run: RunDir) -> int:
    """How many sessions have begun: an engine that waits for its core has none yet."""
    return len(of_kind(read_events(run), EventName.SESSION_START))


def kill_until_done(lab: Lab, run: RunDir, moments: Moments, most: int) -> int:
    """Kill the engine of `run` again and again until one gets to its end; returns the number of kills."""
    kills = 0
    while kills < most:
        engine = lab.fork(run, "--resume", "--wait")
        if moments.wait(engine, run):
            engine.kill()
            engine.join()
            kills += 1
            wait_until_quiet(lab.path)
            check_whole(run)
        elif not lab.disturbed(run, engine.exitcode):
            assert engine.exitcode == 0, lab.said(run)
            break
    return kills


def check_finished(lab: Lab, run: RunDir, shape: set[str]) -> None:
    """Let the run come to its end, and compare it with one that nobody disturbed."""
    if not of_kind(read_events(run), EventName.SESSION_END):
        assert lab.finish(run, "--resume") == 0, lab.said(run)
    assert lab.said(run) == ""
    check_whole(run)
    check_every_prefix(run)
    events = read_events(run)
    starts, kills = starts_and_kills(events)
    state = read_state(run)
    for name, step in state.steps.items():
        assert (step.starts, step.attempt) == (starts[name], 1), name
        assert starts[name] == 1 + kills[name], name
        assert step.outcome is not None
        assert step.outcome.good, (name, step.detail)
    assert report_shape(run) == shape
    assert not list(run.path.rglob("*.tmp"))


@pytest.mark.parametrize(("calls", "step"), [(0, "kat:mock/deaf"), (1, "calibrate:mock/deaf/sign")])
def test_a_child_that_hears_no_signal_dies_with_its_engine(calls: int, step: str, lab: Lab) -> None:
    mock = Mock("deaf", "hang.c", ("AT=SIGN", "DEAF", f"AFTER={calls}"))
    run = lab.new_run([mock], records=1, profile={"on": False})
    engine = lab.start(run, "--wait")
    wait_for(lambda: of_kind(read_events(run), EventName.STEP_START, step), step)
    wait_for(lambda: any(map(is_deaf, processes_below(run.library(KEY, "deaf")))), "the child")
    engine.kill()
    engine.wait()
    wait_until_quiet(lab.path)


def is_deaf(pid: int) -> bool:
    """True when the process blocks every signal that can be blocked, SIGTERM among them."""
    mask = re.search(r"^SigBlk:\s+([0-9a-f]+)$", told(Path(f"/proc/{pid}/status")), re.MULTILINE)
    return mask is not None and bool(int(mask[1], 16) & 1 << signal.SIGTERM - 1)


def test_signals_at_random_moments_end_an_engine_in_order(lab: Lab) -> None:
    assert lab.finish(lab.toy_run()) == 0
    seed = random.SystemRandom().getrandbits(32)
    moments = Moments(random.Random(seed), 0.0, 0.5)
    run = lab.toy_run()
    for number in [signal.SIGTERM, signal.SIGINT] * 4:
        engine = lab.fork(run, "--resume", "--wait")
        if moments.wait(engine, run, in_session=True):
            os.kill(int(engine.pid or 0), number)
        engine.join(60)
        code = engine.exitcode
        assert code in (0, 4), (seed, code, lab.said(run))
        assert lab.said(run) == "", seed
        check_whole(run)
        (*_, last) = read_events(run)
        assert (last.event, last.data["exit"]) == (EventName.SESSION_END, code), seed
        assert processes_below(lab.path) == {}
        if code == 0:
            run = lab.toy_run()
