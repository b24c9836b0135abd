"""An engine killed at any moment: at most the step it was at is done again, and nothing is torn or left behind."""

from __future__ import annotations

import random
import subprocess
import time

from faults.audit import check_whole, report_shape, starts_and_kills
from faults.lab import Lab, check_every_prefix, read_events, read_state, wait_until_quiet

from ngcctui.engine.rundir import RunDir

KILLS = 50
STAT=[]
def state_sessions(ev): return [e for e in ev if e.event.value=="session_start"]


def test_fifty_kills_at_random_moments(lab: Lab) -> None:
    calm = lab.toy_run()
    assert lab.finish(calm) == 0, lab.said(calm)  # builds what every run needs
    calm = lab.toy_run()
    began = time.monotonic()
    assert lab.finish(calm) == 0, lab.said(calm)
    span_s = time.monotonic() - began
    shape = report_shape(calm)
    seed = random.SystemRandom().getrandbits(32)
    moments = random.Random(seed)
    kills = runs = 0
    try:
        while kills < KILLS:
            run = lab.toy_run()
            kills += kill_until_done(lab, run, moments, span_s, KILLS - kills)
            check_finished(lab, run, shape)
            runs += 1
    except BaseException:
        print(f"seed {seed}, {kills} kills in {runs} whole runs before this one")
        raise


def kill_until_done(lab: Lab, run: RunDir, moments: random.Random, span_s: float, most: int) -> int:
    """Kill the engine of `run` at moments of a session until one gets to its end; returns the number of kills."""
    kills = 0
    while kills < most:
        engine = lab.start(run, "--resume", "--wait")
        try:
            engine.wait(moments.uniform(0.0, span_s))
        except subprocess.TimeoutExpired:
            engine.kill()
            engine.wait()
            kills += 1
            wait_until_quiet(lab.path)
            check_whole(run)
        else:
            if not lab.disturbed(run, engine.returncode):
                assert engine.returncode == 0, lab.said(run)
                break
    return kills


def check_finished(lab: Lab, run: RunDir, shape: set[str]) -> None:
    """Let the run come to its end, and compare it with one that nobody disturbed."""
    assert lab.finish(run, "--resume") == 0, lab.said(run)
    assert lab.said(run) == ""
    check_whole(run)
    check_every_prefix(run)
    events = read_events(run)
    starts, kills = starts_and_kills(events); STAT.append((sum(kills.values()), len(state_sessions(events))))
    state = read_state(run)
    for name, step in state.steps.items():
        assert (step.starts, step.attempt) == (starts[name], 1), name
        # The last session has nothing to do when the kill came behind run_end.
        assert starts[name] == 1 + kills[name], name
        assert step.outcome is not None
        assert step.outcome.good, (name, step.detail)
    assert report_shape(run) == shape
def teardown_module():
    print("INSIDE", STAT)
