"""`ngcctui publish RUN`: copy what its pages cite into the published figures of its system."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from ngcctui.commands.validate import known_systems, print_findings
from ngcctui.console import console
from ngcctui.data_dirs import published_systems, writable_data
from ngcctui.engine.rundir import find_run, runs_root
from ngcctui.identity import private_names
from ngcctui.model.errors import ExitCode
from ngcctui.report.publish import Refused, publish
from ngcctui.report.validate import Private


def run(args: argparse.Namespace) -> int:
    """Print the dataset's directory; 1, with a line a finding, when the run does not validate."""
    found = find_run(runs_root(args.runs, os.environ), args.run)
    data = writable_data(args.to, os.environ, Path.cwd())
    systems = known_systems(data / "systems.toml")
    private = Private(private_names(os.environ), tuple(args.allow))
    out = console(args)
    try:
        path = publish(found, data, systems, private, published=published_systems(os.environ, Path.cwd()))
    except Refused as refused:
        print_findings(refused.findings, out)
        out.error(str(refused))
        return int(ExitCode.FAILURES)
    if out.json:
        out.data_json({"dataset": str(path)})
    else:
        out.data(str(path))
    return int(ExitCode.DONE)
