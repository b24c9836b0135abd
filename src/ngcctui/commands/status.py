"""`ngcctui status [RUN]`: how far a run is, for people and (--json) for programs."""

from __future__ import annotations

import argparse
import os
import time
from typing import Any

from ngcctui.batch.bars import progress
from ngcctui.batch.lines import step_figure
from ngcctui.console import console, one_line
from ngcctui.durations import clock
from ngcctui.engine.livepage import LiveView, read_page
from ngcctui.engine.rundir import find_run, runs_root
from ngcctui.engine.runstate import Status, StepState, done_total, ran_s
from ngcctui.model.errors import ExitCode
from ngcctui.overview import Overview, look, report_files

#: The latest warnings are shown, the others are in the journal.
_WARNINGS = 5


def run(args: argparse.Namespace) -> int:
    """Print the state; the exit code only tells whether it could be read (`exit` in the JSON is the run's)."""
    overview = look(find_run(runs_root(args.runs, os.environ), args.run))
    live = read_page(overview.state.live_page) if overview.working and overview.state.live_page else None
    out = console(args)
    if out.json:
        out.data_json(as_json(overview, live))
    else:
        for label, text in rows(overview, live, time.monotonic_ns(), steps=args.steps):
            out.data(f"{label:<8} {one_line(text)}")
    return int(ExitCode.DONE)


def rows(overview: Overview, live: LiveView | None, mono_ns: int, *, steps: bool) -> list[tuple[str, str]]:
    """The state as labelled texts: the run, what runs now, what failed, warnings, findings, reports."""
    state = overview.state
    found = [("run", f"{overview.run.name}: {overview.word}"), ("path", str(overview.run.path))]
    for step in state.steps.values():
        if steps:
            found.append(("step", _step(step)))
        elif step.status is Status.RUNNING and overview.working:
            _, words = progress(state, step, live)
            seconds = ran_s(step, mono_ns, state.paused_mono_ns)
            since = [] if seconds is None else [clock(seconds)]
            found.append(("now", "  ".join([str(step.step), *words, *since])))
        elif step.failed:
            found.append(("failed", _step(step)))
    found += [("host", finding.text) for finding in state.findings]
    found += [("warning", warning.text) for warning in state.warnings[-_WARNINGS:]]
    found += [("report", str(path)) for path in report_files(overview.run)]
    if overview.exit is ExitCode.INTERRUPTED:
        found.append(("go on", f"ngcctui resume {overview.run.path}"))
    return found


def _step(step: StepState) -> str:
    word = step.outcome.value if step.outcome else step.status.value
    figure = step_figure(step.summary)
    detail = f" ({step.detail})" if step.detail else ""
    return f"{step.step} {word}{f' {figure}' if figure else ''}{detail}"


def as_json(overview: Overview, live: LiveView | None) -> dict[str, Any]:
    """The state as one JSON object."""
    state = overview.state
    done, total = done_total(state)
    return {
        "run": overview.run.name,
        "path": str(overview.run.path),
        "campaign": state.campaign,
        "state": overview.word,
        "working": overview.working,
        "exit": None if overview.exit is None else int(overview.exit),
        "phase": state.phase.value,
        "paused": state.paused,
        "stopping": state.stopping,
        "core": state.core,
        "done": done,
        "total": total,
        "sessions": len(state.sessions),
        "started_utc": state.started_utc,
        "last_event_utc": state.last_event_utc,
        "skipped_lines": state.skipped_lines,
        "findings": [{"key": f.key, "text": f.text, "command": f.command} for f in state.findings],
        "warnings": [{"utc": w.utc, "key": w.key, "text": w.text} for w in state.warnings],
        "live": None
        if live is None
        else {"trial": live.trial, "iteration": live.iteration, "of": live.iterations},
        "steps": [_step_json(step) for step in state.steps.values()],
        "reports": [str(path) for path in report_files(overview.run)],
    }


def _step_json(step: StepState) -> dict[str, Any]:
    return {
        "step": str(step.step),
        "status": step.status.value,
        "outcome": step.outcome.value if step.outcome else None,
        "detail": step.detail,
        "attempt": step.attempt,
        "starts": step.starts,
        "file": step.file,
        "summary": step.summary,
    }
