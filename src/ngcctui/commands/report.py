"""`ngcctui report [RUN]`: write a run's pages and print its tables, with `--charts` its charts too."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from ngcctui.collector import no_collection
from ngcctui.console import console
from ngcctui.data_dirs import published_systems
from ngcctui.engine.rundir import find_run, runs_root
from ngcctui.engine.store import Storage
from ngcctui.model.errors import ExitCode
from ngcctui.report.build import build_report
from ngcctui.report.write import write_report
from ngcctui.results import print_charts, print_results, print_summary


@no_collection()
def run(args: argparse.Namespace) -> int:
    """Write the whole report; with --quiet only the paths of its files are printed."""
    found = find_run(runs_root(args.runs, os.environ), args.run)
    args.crash_dir = found.path
    report = build_report(found)
    systems = published_systems(os.environ, Path.cwd())
    paths = write_report(found, report, Storage(), systems)
    out = console(args)
    if out.json:
        out.data_json({"run": found.name, "files": [str(path) for path in paths]})
    else:
        if not out.quiet:
            print_summary(report.summary, out)
        if args.charts:
            print_charts(report.pages, systems, out)
        print_results([] if out.quiet else report.pages, paths, out)
    return int(ExitCode.DONE)
