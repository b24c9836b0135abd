"""Pages: every file of the report is, byte for byte, what the run gives."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ngcctui.model.errors import NgccError
from ngcctui.report.build import Report, build_report
from ngcctui.report.plots_svg import available, chart_svg, maker
from ngcctui.report.source import Unreadable, read_regular
from ngcctui.report.validate.evidence import Evidence
from ngcctui.report.validate.files import files_below, unfinished
from ngcctui.report.validate.finding import AGAIN, REMOVE, REPORT, RESTORE
from ngcctui.report.write import chart_paths, drawn_charts, page_files

#: Copies that an operator asked for; not part of the report.
_EXPORT = "report/export"


def check_pages(evidence: Evidence, systems: Mapping[str, Path]) -> dict[str, bytes]:
    """Build the report anew and compare; returns its files by relative path, charts as they are."""
    run = evidence.run
    todo = AGAIN if evidence.dataset else REPORT
    try:
        report = build_report(run, evidence.readings)
        charts = {run.relative(path): path for path in chart_paths(run, report)}
        drawn = any(path.exists() for path in charts.values())
        built = page_files(run, report, with_charts=drawn)
    except NgccError as error:
        evidence.tell("report", str(error).replace(f"{run.path}/", ""), RESTORE)
        return {}
    files = {run.relative(path): data for path, data in built.items()}
    for name, data in files.items():
        evidence.scanner.look(name, data)
        _compare(evidence, name, data, todo)
    if drawn:
        files |= _charts(evidence, report, charts, systems, todo)
    for name in files_below(run.path, "report"):
        if name not in files and not name.startswith(f"{_EXPORT}/") and not unfinished(name):
            evidence.tell(name, "is no page of this run", REMOVE)
    return files


def _charts(
    evidence: Evidence, report: Report, charts: Mapping[str, Path], systems: Mapping[str, Path], todo: str
) -> dict[str, bytes]:
    """Charts are there, and as drawn anew where that can be done: with the same version of the same library, and the same
    published figures beside it; returns those found.
    """
    run = evidence.run
    again = dict(drawn_charts(run, report, systems)) if available() else {}
    files: dict[str, bytes] = {}
    for name, path in charts.items():
        try:
            found = files[name] = read_regular(path)
            evidence.scanner.look(name, found)
        except Unreadable as error:
            evidence.tell(name, str(error), todo)
            continue
        chart = again.get(path)
        if chart is not None and f"<!-- {maker(chart)} -->".encode() in found and found != chart_svg(chart):
            evidence.tell(name, "is stale or changed: it is not as the run gives it", todo)
    return files


def _compare(evidence: Evidence, name: str, data: bytes, todo: str) -> None:
    try:
        found = read_regular(evidence.run.path / name)
    except Unreadable as error:
        evidence.tell(name, str(error), todo)
        return
    if found != data:
        evidence.tell(name, f"is stale or changed: {_difference(found, data)}", todo)


def _difference(found: bytes, wanted: bytes) -> str:
    """Where two texts differ first."""
    lines, others = found.split(b"\n"), wanted.split(b"\n")
    for number, (line, other) in enumerate(zip(lines, others, strict=False), 1):
        if line != other:
            return f"line {number} is not as the run gives it"
    return f"it has {len(lines)} lines, the run gives {len(others)}"
