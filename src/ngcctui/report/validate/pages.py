"""Pages: every file of the report is, byte for byte, what the run gives."""

from __future__ import annotations

from pathlib import Path

from ngcctui.model.errors import NgccError
from ngcctui.report.build import build_pages
from ngcctui.report.source import Unreadable, read_regular
from ngcctui.report.validate.evidence import Evidence
from ngcctui.report.validate.finding import REMOVE, REPORT, RESTORE
from ngcctui.report.write import page_files

#: Copies that an operator asked for; not part of the report.
_EXPORT = "report/export"


def check_pages(evidence: Evidence) -> dict[str, bytes]:
    """Build the report anew and compare; returns its files by relative path."""
    run = evidence.run
    try:
        built = page_files(run, build_pages(run))
    except NgccError as error:
        evidence.tell("report", str(error).replace(f"{run.path}/", ""), RESTORE)
        return {}
    files = {run.relative(path): data for path, data in built.items()}
    for name, data in files.items():
        _compare(evidence, name, data)
    for path in sorted((run.path / "report").rglob("*")):
        name = run.relative(path)
        if path.is_dir() or name in files or name.startswith(f"{_EXPORT}/") or _unfinished(path):
            continue
        evidence.tell(name, "is no page of this run", REMOVE)
    return files


def _compare(evidence: Evidence, name: str, data: bytes) -> None:
    try:
        found = read_regular(evidence.run.path / name)
    except Unreadable as error:
        evidence.tell(name, str(error), REPORT)
        return
    if found != data:
        evidence.tell(name, f"is stale or changed: {_difference(found, data)}", REPORT)


def _difference(found: bytes, wanted: bytes) -> str:
    """Where two texts differ first."""
    lines, others = found.split(b"\n"), wanted.split(b"\n")
    for number, (line, other) in enumerate(zip(lines, others, strict=False), 1):
        if line != other:
            return f"line {number} is not as the run gives it"
    return f"it has {len(lines)} lines, the run gives {len(others)}"


def _unfinished(path: Path) -> bool:
    """True for what a crash leaves of an unfinished write."""
    return path.name.startswith(".") and path.name.endswith(".tmp")
