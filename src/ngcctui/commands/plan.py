"""`ngcctui plan CAMPAIGN`: what a campaign would do and how long that takes; nothing is written."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ngcctui.catalog import Resolved
from ngcctui.commands.run import resolved_campaign
from ngcctui.console import console
from ngcctui.engine.estimate import Remaining
from ngcctui.engine.host.core import choose_core
from ngcctui.engine.rundir import runs_root
from ngcctui.forecast import Knowledge, basis, gather, phases, plan_lines, rest_of
from ngcctui.model.errors import ExitCode


def run(args: argparse.Namespace) -> int:
    """Print the plan; it fails as starting the campaign would for a wrong campaign, name or core."""
    resolved = resolved_campaign(args)
    allowed = os.sched_getaffinity(0)
    core = choose_core(Path("/"), allowed, resolved.campaign.host.core)
    runs = runs_root(args.runs, os.environ)
    knowledge = gather(runs, resolved.schemes)
    rest = rest_of(resolved, knowledge)
    out = console(args)
    if out.json:
        out.data_json(as_json(resolved, rest, len(allowed), core, knowledge))
        return int(ExitCode.DONE)
    for line in plan_lines(resolved, rest, len(allowed), core, knowledge):
        out.data(line)
    return int(ExitCode.DONE)


def as_json(
    resolved: Resolved, rest: Sequence[Remaining], workers: int, core: int, knowledge: Knowledge
) -> dict[str, Any]:
    """The plan as one JSON object; times in seconds."""
    times = phases(resolved, rest, workers)
    return {
        "campaign": resolved.campaign.name,
        "core": core,
        "instances": [f"{item.scheme.key}/{item.instance.name}" for item in resolved.chosen],
        "steps": [str(step) for step in resolved.steps],
        "seconds": {
            name: {"low": found.low_s, "high": found.high_s, "unknown_steps": found.unknown}
            for name, found in times.items()
        },
        "known": basis(resolved, knowledge),
    }
