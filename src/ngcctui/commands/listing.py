"""`ngcctui list`: schemes, campaigns and runs, and where each comes from."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ngcctui.catalog import Found, find_schemes, list_campaigns
from ngcctui.console import Console, console, one_line
from ngcctui.engine.rundir import RunDir, list_runs, runs_root
from ngcctui.model.errors import ExitCode, StorageError
from ngcctui.overview import look

Row = dict[str, Any]


def run(args: argparse.Namespace) -> int:
    """Print one table each; a scheme that cannot be loaded is listed with its error."""
    out = console(args)
    wanted = [args.what] if args.what else list(_TABLES)
    tables = {name: _TABLES[name](args) for name in wanted}
    if out.json:
        out.data_json(tables)
        return int(ExitCode.DONE)
    for name, rows in tables.items():
        _print(out, name, rows)
    return int(ExitCode.DONE)


def _print(out: Console, name: str, rows: list[Row]) -> None:
    out.data(f"{name}:" if rows else f"{name}: none")
    cells = [[one_line(str(cell)) for cell in row.values()] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        out.data("  " + "  ".join(cell.ljust(size) for cell, size in zip(row, widths, strict=True)).rstrip())


def _schemes(args: argparse.Namespace) -> list[Row]:
    found = find_schemes(args.schemes, os.environ, Path.cwd())
    return [_scheme(package) for package in found.values()]


def _scheme(found: Found) -> Row:
    row: Row = {
        "key": found.key,
        "algorithm": "",
        "instances": 0,
        "origin": str(found.directory),
        "error": found.error,
    }
    if found.scheme is not None:
        row |= {"algorithm": found.scheme.file.algorithm, "instances": len(found.scheme.file.instance)}
    return row


def _campaigns(args: argparse.Namespace) -> list[Row]:
    campaigns: Mapping[str, Path] = list_campaigns(os.environ, Path.cwd())
    return [{"name": name, "origin": str(path)} for name, path in campaigns.items()]


def _runs(args: argparse.Namespace) -> list[Row]:
    return [_run(run) for run in list_runs(runs_root(args.runs, os.environ))]


def _run(run: RunDir) -> Row:
    try:
        word = look(run).word
    except StorageError as error:
        word = str(error)
    return {"name": run.name, "state": word, "path": str(run.path)}


_TABLES: dict[str, Callable[[argparse.Namespace], list[Row]]] = {
    "schemes": _schemes,
    "campaigns": _campaigns,
    "runs": _runs,
}
