"""`ngcctui stop [RUN]` and `ngcctui control RUN REQUEST [STEP]`: ask a running engine for something."""

from __future__ import annotations

import argparse
import os

from ngcctui.console import console
from ngcctui.engine import control
from ngcctui.engine.rundir import find_run, runs_root
from ngcctui.model.errors import ConfigError, ExitCode
from ngcctui.model.nearest import nearest
from ngcctui.overview import look


def run(args: argparse.Namespace) -> int:
    """Write the request; the engine looks once a second and journals what becomes of it."""
    found = find_run(runs_root(args.runs, os.environ), args.run)
    overview = look(found)
    if not overview.working:
        raise ConfigError(f"{found.name}: is {overview.word}, no engine works on it")
    if args.step is not None and args.step != control.FAILED and args.step not in overview.state.steps:
        raise ConfigError(
            f"{args.step}: no such step in {found.name}: {nearest(args.step, overview.state.steps)}"
        )
    name = "stop-now" if args.now else args.request
    control.request(found, name, args.step)
    console(args).talk(f"{found.name}: asked to {name}{f' {args.step}' if args.step else ''}")
    return int(ExitCode.DONE)
