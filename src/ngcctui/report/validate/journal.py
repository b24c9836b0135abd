"""The journal line by line: nothing lost, repeated or from another program, sessions that follow each other."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ngcctui.engine.journal import MAX_LINE, MAX_SEQ, utc_seconds
from ngcctui.engine.runstate import RunState, SessionState, failed_steps
from ngcctui.engine.state import Fold
from ngcctui.model.event import VERSION, Event, EventName
from ngcctui.report.history import History
from ngcctui.report.source import Unreadable, read_regular
from ngcctui.report.validate.finding import RESTORE, RESUME, UPDATE, Finding
from ngcctui.report.validate.held import Pauses

#: A journal of months of measuring is smaller.
MAX_BYTES = 1 << 30
#: UTC may fall by this much between two lines without a warning (it is slewed, and read before the line is written).
_UTC_SLACK_S = 1.0
_UTC = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


@dataclass
class Scan:
    """The journal as read: the fold, the environment of each session by its number, and what was found.

    `data` is the journal itself; `run_end` is what the end of the run counted, empty when a session has begun after it.
    `earlier` are lines with a time before that of the line above them: findings, unless the journal warns of a clock that
    was set.
    """

    state: RunState = field(default_factory=RunState)
    history: History = field(default_factory=History)
    pauses: Pauses = field(default_factory=Pauses)
    data: bytes = b""
    environments: dict[int, dict[str, str]] = field(default_factory=dict)
    run_end: dict[str, Any] = field(default_factory=dict)
    clock_stepped: bool = False
    earlier: list[Finding] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


def scan_journal(path: Path, name: str) -> Scan:
    """Read the whole journal; what cannot be read at all is a finding as well."""
    scan = Scan()
    try:
        data = read_regular(path, MAX_BYTES)
    except Unreadable as error:
        scan.findings.append(Finding(name, str(error), RESTORE))
        return scan
    fold = Fold()
    reader = _Lines(name, scan)
    scan.data = data
    for event in reader.events(data):
        fold.apply(event)
        scan.history.take(event)
        scan.pauses.take(event)
    fold.skipped_lines = reader.skipped
    if not scan.clock_stepped:
        scan.findings += scan.earlier
    scan.state = fold.state()
    scan.findings += _whole(name, scan)
    scan.findings += _sessions(name, scan.state)
    return scan


class _Lines:
    """Turns lines into events and checks their order."""

    def __init__(self, name: str, scan: Scan) -> None:
        self.skipped = 0
        self._name = name
        self._scan = scan
        self._seq = 0
        self._utc = ""
        self._mono: int | None = None
        self._session = 0

    def events(self, data: bytes) -> Iterator[Event]:
        *lines, rest = data.split(b"\n")
        for number, line in enumerate(lines, 1):
            event = Event.from_line(line) if 0 < len(line) < MAX_LINE else None
            if event is not None and 0 < event.seq < MAX_SEQ:
                self._check(number, event)
                yield event
            elif line:
                self.skipped += 1
                self._foreign(number, line)
        if rest:
            self._tell(len(lines) + 1, "ends in the middle of a line", RESUME)

    def _tell(self, number: int, what: str, todo: str) -> None:
        self._scan.findings.append(Finding(f"{self._name}:{number}", what, todo))

    def _foreign(self, number: int, line: bytes) -> None:
        """A torn line is what a crash leaves and loses nothing: its number is given again.  Others are told."""
        try:
            version = json.loads(line).get("v")
        except (ValueError, AttributeError, RecursionError):
            return
        if type(version) is int and version > VERSION:
            self._tell(number, f"is of version {version}, newer than this program knows ({VERSION})", UPDATE)

    def _check(self, number: int, event: Event) -> None:
        if event.seq <= self._seq:
            self._tell(
                number, f"event {event.seq} stands behind event {self._seq}: repeated or moved", RESTORE
            )
            return
        if event.seq != self._seq + 1:
            missing = (
                f"{self._seq + 1} to {event.seq - 1}" if event.seq > self._seq + 2 else str(event.seq - 1)
            )
            self._tell(number, f"event {missing} missing before event {event.seq}", RESTORE)
        self._seq = event.seq
        if event.event is EventName.SESSION_START:
            self._session += 1
            self._mono, self._utc = None, ""
            self._scan.run_end = {}
        elif event.event is EventName.RUN_END:
            self._scan.run_end = event.data
        elif event.event is EventName.HOST:
            self._host(event.data)
        elif event.event is EventName.WARNING and event.data.get("key") == "clock-step":
            self._scan.clock_stepped = True
        self._times(number, event)

    def _host(self, data: dict[str, Any]) -> None:
        rows = data.get("environment")
        if isinstance(rows, dict):
            self._scan.environments[self._session] = {str(key): str(value) for key, value in rows.items()}

    def _times(self, number: int, event: Event) -> None:
        if self._mono is not None and event.mono_ns < self._mono:
            self._tell(number, "its monotonic time is earlier than that of the line before it", RESTORE)
        self._mono = event.mono_ns
        before, self._utc = self._utc, event.utc
        if _UTC.fullmatch(event.utc) and event.utc >= before:
            return  # as texts they compare like the times they are, so most need not be read
        now, then = utc_seconds(event.utc), utc_seconds(before)
        if now is None:
            self._tell(number, f"{event.utc!r} is no time", RESTORE)
        elif then is not None and now < then - _UTC_SLACK_S:
            what = f"is {then - now:.0f} s earlier than the line before it"
            self._scan.earlier.append(Finding(f"{self._name}:{number}", what, RESTORE))


def _whole(name: str, scan: Scan) -> Iterator[Finding]:
    """The run began, ended, and its end counts what its steps say."""
    state = scan.state
    if not state.run or not state.steps:
        yield Finding(name, "names no run and no steps (run_start is missing)", RESTORE)
        return
    if not state.ended:
        yield Finding(name, "the run has not ended", RESUME)
        return
    if state.open:
        yield Finding(name, "the last session has no end", RESUME)
    failed = [str(step) for step in failed_steps(state)]
    wanted = {"passed": len(state.steps) - len(failed), "failed": failed, "exit": int(bool(failed))}
    for key, value in wanted.items():
        if scan.run_end.get(key) != value:
            yield Finding(name, f"its end counts {key}: {scan.run_end.get(key)}, the steps {value}", RESTORE)


def _sessions(name: str, state: RunState) -> Iterator[Finding]:
    """A session on another machine, kernel, compiler, core or campaign says that this was accepted."""
    last: SessionState | None = None
    for session in state.sessions:
        if not session.campaign_sha256:
            yield Finding(name, f"session {session.session} does not say which campaign it followed", RESTORE)
        for what in ("cpu", "kernel", "compiler", "core", "campaign_sha256"):
            before, now = (getattr(last, what) if last else None), getattr(session, what)
            label = what.partition("_")[0]
            accepted = any(label in change.casefold() for change in session.changes)
            if last is not None and before != now and not accepted:
                what_changed = (
                    f"session {session.session} changed the {label} unnoticed ({before}, then {now})"
                )
                yield Finding(name, what_changed, RESTORE)
        last = session
