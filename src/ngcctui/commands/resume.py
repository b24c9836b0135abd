"""`ngcctui resume [RUN]`: go on with an interrupted run, or retry steps of a finished one."""

from __future__ import annotations

import argparse
import os

from ngcctui.console import console
from ngcctui.engine.rundir import find_run, runs_root
from ngcctui.model.errors import ConfigError, ExitCode
from ngcctui.model.nearest import nearest
from ngcctui.overview import Overview, look
from ngcctui.run_engine import work
from ngcctui.spawn import EngineOptions


def run(args: argparse.Namespace) -> int:
    """Start a new session of the engine; nothing to do is said, and is no error."""
    found = find_run(runs_root(args.runs, os.environ).absolute(), args.run)
    args.crash_dir = found.path
    out = console(args)
    overview = look(found)
    if overview.working:
        raise ConfigError(f"{found.name}: is {overview.word} already (ngcctui status)")
    _check_retry(args.retry, overview)
    if overview.exit in (ExitCode.DONE, ExitCode.FAILURES) and not args.retry:
        out.talk(f"{found.name}: is {overview.word}; --retry STEP or --retry failed starts steps anew")
        return int(overview.exit)
    options = EngineOptions(True, tuple(args.retry), args.accept_changes, args.wait)
    return int(work(found, options, out, detach=args.detach))


def _check_retry(retry: list[str], overview: Overview) -> None:
    known = overview.state.steps
    for step in retry:
        if step != "failed" and step not in known:
            raise ConfigError(f"--retry {step}: no such step in {overview.run.name}: {nearest(step, known)}")
