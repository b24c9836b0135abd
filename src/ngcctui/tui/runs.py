"""The runs below a directory, each as one row: what the list of runs shows."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

from ngcctui.engine.journal import utc_seconds
from ngcctui.engine.liveness import process_alive
from ngcctui.engine.rundir import RunDir, list_runs
from ngcctui.engine.runstate import RunState, verdict
from ngcctui.engine.state import Follower
from ngcctui.model.errors import ExitCode, NgccError
from ngcctui.model.event import Event, EventName
from ngcctui.overview import Overview, look

#: The last line of a journal is in so many bytes at its end, but for the very longest.
_TAIL_BYTES = 1 << 16
#: Files of a run that are counted for its size; the others of a huge one are left out.
_MAX_FILES = 20_000


@dataclass(frozen=True)
class RunRow:
    """One run in the list.

    `word` is its state in a few words; `exit` its exit code as it stands, None while an engine works on it; `ended`:
    all its steps have; `length_s` the seconds from its first to its last event, None when unknown; `size` its bytes;
    `ours`: this user may ask something of it.
    """

    run: RunDir
    word: str
    exit: ExitCode | None
    ended: bool = False
    system: str = ""
    started_utc: str = ""
    length_s: float | None = None
    size: int = 0
    ours: bool = True

    @property
    def working(self) -> bool:
        """True while an engine works on the run."""
        return self.exit is None


def working(run: RunDir) -> bool:
    """True while an engine works on the run; a journal whose last line ends a session is read no further."""
    try:
        with run.journal.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - _TAIL_BYTES))
            last = file.read().rstrip(b"\n").rpartition(b"\n")[2]
        event = Event.from_line(last)
        if event is not None and event.event is EventName.SESSION_END:
            return False
        return look(run).working
    except (OSError, NgccError):
        return False


class RunList:
    """The rows of all runs below a directory; what has not changed since the last call is not read again."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._rows: dict[Path, tuple[tuple[int, int], RunRow]] = {}
        self._followers: dict[Path, Follower] = {}

    def rows(self) -> tuple[RunRow, ...]:
        """The rows, newest run first; a run that cannot be read has its error for a state."""
        runs = list_runs(self._root)
        paths = {run.path for run in runs}
        for path in self._rows.keys() - paths:
            del self._rows[path]
            self._followers.pop(path, None)
        return tuple(self._row(run) for run in runs)

    def _row(self, run: RunDir) -> RunRow:
        mark = _mark(run)
        known = self._rows.get(run.path)
        if known is not None and known[0] == mark and not known[1].working:
            return known[1]
        row = self._read(run if known is None else known[1].run)
        self._rows[run.path] = (mark, row)
        if not row.working:
            self._followers.pop(run.path, None)
        return row

    def _read(self, run: RunDir) -> RunRow:
        follower = self._followers.setdefault(run.path, Follower(run.journal))
        try:
            state = follower.poll()
            code = verdict(state, process_alive)
            row = RunRow(run, Overview(run, state, code).word, code, state.ended)
            row = replace(row, started_utc=state.started_utc, length_s=_length_s(state))
        except NgccError as error:
            row = RunRow(run, str(error), ExitCode.STORAGE)
        try:
            row = replace(row, system=run.campaign().host.system)
        except NgccError:
            pass  # a run without a readable campaign still has its journal
        return replace(row, size=_size(run.path), ours=os.access(run.control, os.W_OK | os.X_OK))


def _mark(run: RunDir) -> tuple[int, int]:
    """Changes whenever the journal does."""
    try:
        status = run.journal.stat()
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size


def _length_s(state: RunState) -> float | None:
    start, end = utc_seconds(state.started_utc), utc_seconds(state.last_event_utc)
    return None if start is None or end is None else max(0.0, end - start)


def _size(path: Path) -> int:
    """Bytes of the files below a directory."""
    total = seen = 0
    for directory, _, names in os.walk(path):
        for name in names:
            seen += 1
            try:
                total += os.lstat(os.path.join(directory, name)).st_size
            except OSError:
                continue
        if seen > _MAX_FILES:
            break
    return total
