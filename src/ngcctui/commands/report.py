"""`ngcctui report [RUN]`: write a run's pages and print its tables."""

from __future__ import annotations

import argparse
import os

from ngcctui.console import console
from ngcctui.engine.rundir import find_run, runs_root
from ngcctui.engine.store import Storage
from ngcctui.model.errors import ExitCode
from ngcctui.report.build import build_pages
from ngcctui.report.write import write_pages
from ngcctui.results import print_results


def run(args: argparse.Namespace) -> int:
    """Write Markdown and TOML of every scheme; with --quiet only their paths are printed."""
    found = find_run(runs_root(args.runs, os.environ), args.run)
    args.crash_dir = found.path
    pages = build_pages(found)
    paths = write_pages(found, pages, Storage())
    out = console(args)
    if out.json:
        out.data_json({"run": found.name, "files": [str(path) for path in paths]})
    else:
        print_results([] if out.quiet else pages, paths, out)
    return int(ExitCode.DONE)
