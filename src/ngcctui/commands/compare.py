"""`ngcctui compare A B`: how many times the cost of B each operation of A is."""

from __future__ import annotations

import argparse
import math
import os
from pathlib import Path
from typing import Any

import tomli_w

from ngcctui.console import Console, console
from ngcctui.data_dirs import PREFIX, published_dir
from ngcctui.engine.rundir import find_run, runs_root
from ngcctui.model.errors import ConfigError, ExitCode
from ngcctui.report.compare import Comparison, Side, compare_sides, published_side, run_side
from ngcctui.report.compare.output import METHOD, as_data, remarks, tables
from ngcctui.report.dataset import is_dataset, open_dataset, published_pages
from ngcctui.report.terminal import table_text


def run(args: argparse.Namespace) -> int:
    """Print the comparison; 1 when an operation is above --fail-above."""
    limit = args.fail_above
    if limit is not None and not (math.isfinite(limit) and limit > 0):
        raise ConfigError(f"--fail-above {limit:g}: must be a ratio above 0")
    comparison = compare_sides(_side(args.a, args), _side(args.b, args))
    if not comparison.pairs:
        raise ConfigError(f"{args.a} and {args.b} have no operation with figures in common")
    out = console(args)
    _print(comparison, out, toml=args.toml)
    if limit is None:
        return int(ExitCode.DONE)
    if not comparison.judgeable:
        raise ConfigError(f"--fail-above {limit:g}: no ratio has an interval, so none can be held against it")
    failing = comparison.failing(limit)
    for pair in failing:
        assert pair.decisive is not None
        out.error(f"{'/'.join(pair.place)}: {pair.decisive.value:.4g} times by {pair.basis}, above {limit:g}")
    return int(ExitCode.FAILURES if failing else ExitCode.DONE)


def _side(word: str, args: argparse.Namespace) -> Side:
    """What a word on the command line names: `published:SYSTEM`, a dataset, published pages, or a run."""
    path = published_dir(word, os.environ, Path.cwd()) if word.startswith(PREFIX) else Path(word)
    if is_dataset(path):
        return run_side(open_dataset(path), word)
    if word.startswith(PREFIX) or _holds_pages(path):
        return published_side(published_pages(path), word)
    return run_side(find_run(runs_root(args.runs, os.environ), word))


def _holds_pages(path: Path) -> bool:
    """True for a page file, and for a directory of pages that is no run."""
    if path.is_file():
        return path.suffix == ".toml"
    return path.is_dir() and not (path / "campaign.toml").exists() and any(path.glob("*.toml"))


def _print(comparison: Comparison, out: Console, *, toml: bool) -> None:
    if out.json:
        out.data_json(as_data(comparison))
    elif toml:
        out.raw(tomli_w.dumps(_filled(as_data(comparison))))
    else:
        for table in tables(comparison):
            out.data(table_text(table, out.ascii) + "\n")
        out.talk(METHOD)
    for remark in remarks(comparison):
        out.talk(remark)


def _filled(value: Any) -> Any:
    """The same without keys that have no value: TOML has no null."""
    if isinstance(value, dict):
        return {key: _filled(item) for key, item in value.items() if item is not None}
    return [_filled(item) for item in value] if isinstance(value, list) else value
