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
from ngcctui.engine.estimate import Estimate, Remaining, estimate
from ngcctui.engine.host.core import choose_core
from ngcctui.engine.rundir import runs_root
from ngcctui.forecast import Knowledge, basis, gather, rest_of, told
from ngcctui.model.errors import ExitCode
from ngcctui.model.step import Kind

_PHASES = {
    "build": (Kind.BUILD,),
    "KAT": (Kind.KAT,),
    "measure": (Kind.CALIBRATE, Kind.MEASURE),
    "profile": (Kind.PROFILE,),
}


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
    for line in as_lines(resolved, rest, len(allowed), core, knowledge):
        out.data(line)
    return int(ExitCode.DONE)


def phases(resolved: Resolved, rest: Sequence[Remaining], workers: int) -> dict[str, Estimate]:
    """The estimate of each phase that has steps, and of all."""
    parts = {name: [step for step in rest if step.kind in kinds] for name, kinds in _PHASES.items()}
    found = {name: estimate(part, resolved.campaign, workers) for name, part in parts.items() if part}
    return found | {"all": estimate(rest, resolved.campaign, workers)}


def as_lines(
    resolved: Resolved, rest: Sequence[Remaining], workers: int, core: int, knowledge: Knowledge
) -> list[str]:
    """The plan in lines."""
    chosen = resolved.chosen
    counts = f"instances {len(chosen)}, operations {sum(len(c.operations) for c in chosen)}, steps {len(resolved.steps)}"
    lines = [f"campaign {resolved.campaign.name}: {counts}"]
    for item in chosen:
        names = " ".join(operation.name for operation in item.operations) or "build and KAT only"
        lines.append(f"  {item.scheme.key}/{item.instance.name}: {names}")
    planning = resolved.campaign.planning
    lines.append(
        f"core {core}, {planning.trials} trials of {planning.target_s:g} s, budget {planning.budget_s:g} s, "
        f"repeats {planning.repeats}, inputs {resolved.campaign.inputs.value}"
    )
    times = phases(resolved, rest, workers)
    parts = [f"{name} {told(found)}" for name, found in times.items() if name != "all"]
    total = times["all"]
    lines.append(f"time: {', '.join(parts)}; in all {told(total)}")
    lines.append(basis(resolved, knowledge))
    return lines


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
