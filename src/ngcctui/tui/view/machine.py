"""The machine of a run, as labelled lines: what the host check found, and what the run noted of itself."""

from __future__ import annotations

from ngcctui.engine.runstate import RunState
from ngcctui.report import format as fmt
from ngcctui.tui.view.detail import Part
from ngcctui.tui.view.line import Tone

#: The latest of each are shown, the journal has all.
_WARNINGS, _REQUESTS, _HEALTH = 20, 10, 12


def host_parts(state: RunState) -> list[Part]:
    """The machine of a run: findings with what mends them, facts, noise, health, sessions, warnings, requests."""
    parts = [Part("", f"host of {state.run or 'this run'}", Tone.TITLE)]
    for finding in state.findings:
        parts.append(Part("finding", finding.text, Tone.WARN))
        if finding.command:
            parts.append(Part("", f"mend: {finding.command}"))
    if not state.findings:
        parts.append(Part("findings", "none", Tone.GOOD))
    parts += [
        Part("machine" if n == 0 else "", f"{key}: {text}")
        for n, (key, text) in enumerate(state.environment.items())
    ]
    parts.append(Part("counter", state.counter or fmt.DASH))
    spread = state.noise.get("spread")
    if spread is not None:
        parts.append(Part("noise", f"{fmt.share(spread)} between two runs of the same loop"))
    health = [f"{key.replace('_', ' ')} {value}" for key, value in state.health.items() if value is not None]
    if health:
        parts.append(Part("health", ", ".join(health[:_HEALTH])))
    for session in state.sessions:
        end = f"{session.reason}, exit {session.exit}" if session.reason else "open"
        told = f"{session.session} {session.mode} {session.started_utc[:19]}Z {end}: {session.cpu}, core {session.core}, {session.kernel}, {session.compiler}"
        parts.append(Part("session", told))
        parts += [Part("", change, Tone.WARN) for change in session.changes]
    parts += [
        Part("warning", f"{warning.utc[11:19]} {warning.text}", Tone.WARN)
        for warning in state.warnings[-_WARNINGS:]
    ]
    for control in state.controls[-_REQUESTS:]:
        verdict = "accepted" if control.accepted else f"refused: {control.why}"
        parts.append(
            Part("request", f"{control.utc[11:19]} {control.request} {control.argument or ''} {verdict}")
        )
    if state.skipped_lines or state.ignored_events:
        told = f"{state.skipped_lines} lines could not be read, {state.ignored_events} events belonged to no step"
        parts.append(Part("journal", told, Tone.WARN))
    return parts
