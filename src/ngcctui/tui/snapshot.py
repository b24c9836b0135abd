"""A run at one moment, as frozen data: what the screens draw."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass

from ngcctui.engine.journal import utc_text
from ngcctui.engine.liveness import process_alive
from ngcctui.engine.livepage import LiveView, read_page
from ngcctui.engine.rundir import RunDir
from ngcctui.engine.runstate import Alive, RunState, verdict
from ngcctui.engine.state import Follower
from ngcctui.model.errors import ExitCode
from ngcctui.model.event import Event


@dataclass(frozen=True)
class RunSnapshot:
    """A run at one moment.

    `exit` is its exit code as it stands, None while an engine works on it (`alive`); `live` is the live page of a
    working engine, None when it is gone; `now_mono_ns` is CLOCK_MONOTONIC, comparable with the state's only when `alive`;
    `recent` are the last events of the journal.  `read` is the share of a long journal that has been read (0 to 1): below 1
    everything else is what the run was at some earlier moment.
    """

    run: RunDir
    state: RunState
    live: LiveView | None
    exit: ExitCode | None
    now_mono_ns: int
    now_utc: str
    recent: tuple[Event, ...] = ()
    read: float = 1.0

    @property
    def alive(self) -> bool:
        """True while an engine works on the run, as far as has been read."""
        return self.exit is None

    @property
    def whole(self) -> bool:
        """True when the journal has been read to its end."""
        return self.read >= 1.0


def look(
    run: RunDir,
    follower: Follower,
    recent: deque[Event] | None = None,
    alive: Alive = process_alive,
    max_bytes: int | None = None,
) -> RunSnapshot:
    """Read what is new of a run, at most `max_bytes` of it, and add the new events to `recent`.

    StorageError when it cannot be read.
    """
    state = follower.poll(None if recent is None else recent.append, max_bytes)
    code = verdict(state, alive)
    live = read_page(state.live_page) if code is None and state.live_page and not follower.unread else None
    now = time.monotonic_ns(), utc_text(time.time_ns())
    return RunSnapshot(run, state, live, code, *now, tuple(recent or ()), _share_read(run, follower.unread))


def _share_read(run: RunDir, unread: int) -> float:
    """Share of the journal that has been read."""
    if not unread:
        return 1.0
    try:
        return 1.0 - unread / max(run.journal.stat().st_size, unread + 1)
    except OSError:
        return 0.0
