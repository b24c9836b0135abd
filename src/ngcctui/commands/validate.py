"""`ngcctui validate RUN|DATASET`: can everything it says be found again in what it holds?"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

from ngcctui.console import Console, console
from ngcctui.data_dirs import PREFIX, published_dir, published_systems, registries
from ngcctui.engine.rundir import find_run, runs_root
from ngcctui.identity import private_names
from ngcctui.model.errors import ExitCode
from ngcctui.report.dataset import is_dataset, open_dataset, page_paths
from ngcctui.report.systems import System, registered
from ngcctui.report.validate import Finding, Private, Validation, validate, validate_published


def run(args: argparse.Namespace) -> int:
    """Print a line a finding; 0 without one, else 1."""
    found = _validated(args)
    out = console(args)
    print_findings(found.findings, out)
    looked = ", ".join(f"{count} {what}" for what, count in found.looked_at.items())
    out.talk(
        f"{len(found.findings) or 'no'} finding{'' if len(found.findings) == 1 else 's'}; looked at {looked}"
    )
    return int(ExitCode.FAILURES if found.findings else ExitCode.DONE)


def _validated(args: argparse.Namespace) -> Validation:
    word: str | None = args.run
    systems = known_systems()
    private = Private(private_names(os.environ), tuple(args.allow))
    published = published_systems(os.environ, Path.cwd())
    if word is not None:
        named = word.startswith(PREFIX)
        path = published_dir(word, os.environ, Path.cwd()) if named else Path(word)
        if is_dataset(path):
            beside = path.resolve().parents[1] / "systems.toml"
            return validate(open_dataset(path), known_systems(beside), private, published)
        if named or (path.is_dir() and not (path / "campaign.toml").exists() and page_paths(path)):
            findings = tuple(validate_published(path, systems))
            return Validation(
                findings, {"pages of published figures, which come without evidence": len(page_paths(path))}
            )
    return validate(find_run(runs_root(args.runs, os.environ), word), systems, private, published)


def known_systems(beside: Path | None = None) -> dict[str, System]:
    """The registered systems; `beside` is one more registry, weaker than the others, if it is there."""
    files = registries(os.environ, Path.cwd())
    if beside is not None and beside.is_file():
        files.insert(0, beside)
    return registered(files)


def print_findings(findings: tuple[Finding, ...], out: Console) -> None:
    """A line a finding, or one JSON array."""
    if out.json:
        rows: list[dict[str, Any]] = [{"where": f.where, "what": f.what, "todo": f.todo} for f in findings]
        out.data_json(rows)
    else:
        for finding in findings:
            out.data(str(finding))
