"""`ngcctui --batch CAMPAIGN` and `ngcctui run CAMPAIGN`: make a run and start its engine."""

from __future__ import annotations

import argparse
import os
import shutil
from datetime import UTC, datetime
from pathlib import Path

from ngcctui.catalog import Overrides, Resolved, find_campaign, find_schemes, resolve
from ngcctui.console import console
from ngcctui.engine.host.core import choose_core
from ngcctui.engine.rundir import RunDir, create_run, runs_root
from ngcctui.model.errors import ExitCode
from ngcctui.named_system import check_system
from ngcctui.run_engine import work
from ngcctui.spawn import EngineOptions


def run(args: argparse.Namespace) -> int:
    """Everything is checked before the run is made; a run whose engine refuses to begin leaves nothing behind."""
    resolved = resolved_campaign(args)
    made = create_run(
        runs_root(args.runs, os.environ).absolute(), resolved.campaign, resolved.schemes, datetime.now(UTC)
    )
    args.crash_dir = made.path
    code = work(made, EngineOptions(wait=args.wait), console(args), detach=args.detach)
    if code in (ExitCode.USAGE, ExitCode.HOST):
        _remove_if_never_begun(made)
    return int(code)


def resolved_campaign(args: argparse.Namespace) -> Resolved:
    """The campaign of the command line with its overrides; ConfigError when it, a scheme or the core is wrong."""
    here = Path.cwd()
    campaign = find_campaign(args.campaign, os.environ, here)
    resolved = resolve(campaign, find_schemes(args.schemes, os.environ, here), overrides(args))
    core = choose_core(Path("/"), os.sched_getaffinity(0), resolved.campaign.host.core)
    warning = check_system(resolved.campaign.host.system, core, os.environ, here)
    if warning:
        console(args).error(warning)
    return resolved


def overrides(args: argparse.Namespace) -> Overrides:
    """What the command line changes in the campaign."""
    return Overrides(
        select=tuple(args.select),
        only=tuple(args.only),
        core=args.core,
        system=args.system,
        trials=args.trials,
        target_s=args.target,
        budget_s=args.budget,
        repeats=args.repeats,
        inputs=args.inputs,
        records=args.records,
        kat_limit_s=args.kat_limit,
        profile=args.profile,
        allow_unfixed_host=args.allow_unfixed_host,
    )


def _remove_if_never_begun(made: RunDir) -> None:
    if not made.journal.exists():
        shutil.rmtree(made.path, ignore_errors=True)
