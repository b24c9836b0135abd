"""An engine killed at any moment: at most the step it was at is done again, and nothing is torn or left behind."""

from __future__ import annotations

import random
import subprocess
import time
from dataclasses import dataclass

from faults.audit import check_whole, report_shape, starts_and_kills
from faults.lab import Lab, check_every_prefix, read_events, read_state, wait_for, wait_until_quiet

from ngcctui.engine.rundir import RunDir

KILLS = 50
STAT = []


def state_sessions(ev):
    return [e for e in ev if e.event.value == "session_start"]


def test_fifty_kills_at_random_moments(lab: Lab) -> None:
    assert lab.finish(lab.toy_run()) == 0  # builds what every run needs
    calm = lab.toy_run()
    began_s = time.monotonic()
    assert lab.finish(calm) == 0, lab.said(calm)
    ended_s = time.monotonic()
    opened_s = read_events(calm)[0].mono_ns / 1e9
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


@dataclass(frozen=True)
class Moments:
    """When to kill: one in five while the engine starts, the others in its session; seconds that both take."""

    chance: random.Random
    start_s: float
    session_s: float

    def wait(self, engine: subprocess.Popen[bytes], run: RunDir) -> bool:
        """Wait for a moment; True when it has come, False when the engine has ended before."""
        if self.chance.random() < 0.2:
            limit_s = self.chance.uniform(0.0, self.start_s)
        else:
            limit_s = self.chance.uniform(0.0, self.session_s)
            size = journal_size(run)
            wait_for(lambda: journal_size(run) > size or engine.poll() is not None, "the engine's session")
        try:
            engine.wait(limit_s)
        except subprocess.TimeoutExpired:
            return True
        return False


def journal_size(run: RunDir) -> int:
    return run.journal.stat().st_size if run.journal.exists() else 0


def kill_until_done(lab: Lab, run: RunDir, moments: Moments, most: int) -> int:
    """Kill the engine of `run` again and again until one gets to its end; returns the number of kills."""
    kills = 0
    while kills < most:
        engine = lab.start(run, "--resume", "--wait")
        if moments.wait(engine, run):
            engine.kill()
            engine.wait()
            kills += 1
            wait_until_quiet(lab.path)
            check_whole(run)
        elif not lab.disturbed(run, engine.returncode):
            assert engine.returncode == 0, lab.said(run)
            break
    return kills


def check_finished(lab: Lab, run: RunDir, shape: set[str]) -> None:
    """Let the run come to its end, and compare it with one that nobody disturbed."""
    if read_state(run).sessions[-1].reason is None:
        assert lab.finish(run, "--resume") == 0, lab.said(run)
    assert lab.said(run) == ""
    check_whole(run)
    check_every_prefix(run)
    events = read_events(run)
    starts, kills = starts_and_kills(events)
    STAT.append((sum(kills.values()), len(state_sessions(events))))
    state = read_state(run)
    for name, step in state.steps.items():
        assert (step.starts, step.attempt) == (starts[name], 1), name
        assert starts[name] == 1 + kills[name], name
        assert step.outcome is not None
        assert step.outcome.good, (name, step.detail)
    assert report_shape(run) == shape


def teardown_module():
    print("INSIDE", STAT)
