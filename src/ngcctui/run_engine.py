"""One session with an engine: start it, then follow it to its end or leave it to itself."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import cache

from ngcctui.batch.follow import follow
from ngcctui.batch.printers import choose
from ngcctui.batch.verdict import verdict
from ngcctui.console import Console, movable
from ngcctui.engine.rundir import RunDir
from ngcctui.engine.runstate import RunState
from ngcctui.engine.state import Follower
from ngcctui.forecast import gather
from ngcctui.logout import killed_at_logout, user_name
from ngcctui.model.errors import ExitCode
from ngcctui.overview import report_files
from ngcctui.report.build import build_pages
from ngcctui.results import print_failures, print_results
from ngcctui.spawn import Engine, EngineOptions, engine_argv, start_engine
from ngcctui.timeleft import left

#: How long a detached start waits for the engine's first word, and how often it looks, seconds.
FIRST_WORD_S = 15.0
LOOK_S = 0.05


def work(run: RunDir, options: EngineOptions, out: Console, *, detach: bool) -> ExitCode:
    """Start the engine of `run`; the exit code is the engine's, or DONE for one that is left to itself."""
    follower = Follower(run.journal)
    sessions = len(follower.poll().sessions)
    engine = start_engine(run, engine_argv(run, options))
    if detach:
        return _leave(run, engine, follower, out)
    out.talk(f"run {run.path}")
    code = follow(run, engine, follower, choose(out, movable(), _what_is_left(run)), out)
    state = follower.poll()
    if len(state.sessions) > sessions:
        if not out.json:
            print_results(build_pages(run), report_files(run), out)
        print_failures(run, state, out)
    return code


def _what_is_left(run: RunDir) -> Callable[[RunState], str]:
    """Says how much of the run is still to come; what is known of its calls is gathered when first asked."""
    campaign, workers = run.campaign(), len(os.sched_getaffinity(0))
    known = cache(lambda: gather(run.path.parent, run.schemes()).calls)
    return lambda state: left(state, campaign, known(), workers, time.monotonic_ns())


def _leave(run: RunDir, engine: Engine, follower: Follower, out: Console) -> ExitCode:
    """Wait for the engine's first event, say where the run is, and go."""
    sessions = len(follower.state.sessions)
    deadline = time.monotonic() + FIRST_WORD_S
    begun = False
    while not begun and engine.process.poll() is None and time.monotonic() < deadline:
        begun = len(follower.poll().sessions) > sessions
        if not begun:
            time.sleep(LOOK_S)
    begun = begun or len(follower.poll().sessions) > sessions
    code = engine.process.poll()
    if code is not None and not begun:
        exit_code, said = verdict(code, False, engine.last_words(), run.path)
        out.error(said)
        return exit_code
    out.data(str(run.path))
    if not begun:
        out.talk(f"the engine is still starting; `ngcctui status {run.path}` tells")
    why = killed_at_logout(user_name())
    if why:
        out.error(
            f"logging out will end this run ({why}); what keeps it: ngcctui stop {run.path}; loginctl enable-linger; "
            f"systemd-run --user --scope ngcctui resume {run.path} --detach"
        )
    return ExitCode.DONE
