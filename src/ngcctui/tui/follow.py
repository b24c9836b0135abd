"""Following a run from a thread: the journal and the live page are read there, frozen snapshots come out."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from ngcctui.engine.rundir import RunDir
from ngcctui.engine.state import Follower
from ngcctui.model.errors import NgccError
from ngcctui.tui.messages import RunChanged, RunTrouble
from ngcctui.tui.snapshot import RunSnapshot, look

if TYPE_CHECKING:
    from textual.message_pump import MessagePump

__all__ = ["RunFollower", "RunSnapshot", "keep_off", "look"]


class RunFollower:
    """A thread that looks at a run once every `refresh_s` seconds and posts RunChanged to a screen.

    While an engine works on the run every look is posted, because time goes on; else only what changed.  A look that
    the screen's event loop has not taken yet (a stalled terminal stops it) is replaced, never queued.
    """

    def __init__(self, run: RunDir, target: MessagePump, refresh_s: float) -> None:
        self._run = run
        self._target = target
        self._refresh_s = refresh_s
        self._wake = threading.Event()
        self._stopped = False
        self._slot: list[Callable[[], object]] = []
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._work, name="follow", daemon=True)

    def start(self) -> None:
        """Begin; call it from the event loop of the target."""
        self._loop = asyncio.get_running_loop()
        self._thread.start()

    def stop(self) -> None:
        """End; nothing is posted after this call."""
        self._stopped = True
        self._wake.set()

    def poke(self) -> None:
        """Look now instead of at the next tick."""
        self._wake.set()

    def _work(self) -> None:
        follower = Follower(self._run.journal)
        last: RunSnapshot | None = None
        trouble = ""
        while not self._stopped:
            try:
                found = look(self._run, follower)
            except NgccError as error:
                if str(error) != trouble:
                    trouble = str(error)
                    self._post_trouble(trouble)
            else:
                trouble = ""
                if last is None or found.alive or last.alive or found.state is not last.state:
                    self._post_look(found)
                last = found
            self._wake.wait(self._refresh_s)
            self._wake.clear()

    def _post_look(self, found: RunSnapshot) -> None:
        self._hand_over(lambda: self._target.post_message(RunChanged(found)))

    def _post_trouble(self, text: str) -> None:
        self._hand_over(lambda: self._target.post_message(RunTrouble(text)))

    def _hand_over(self, post: Callable[[], object]) -> None:
        with self._lock:
            waiting = bool(self._slot)
            self._slot[:] = [post]
        if not waiting:
            try:
                self._loop.call_soon_threadsafe(self._deliver)
            except RuntimeError:  # the event loop is closed: the viewer is leaving
                self._stopped = True

    def _deliver(self) -> None:
        with self._lock:
            waiting, self._slot[:] = list(self._slot), []
        if not self._stopped:
            for post in waiting:
                post()


def keep_off(core: int | None, allowed: frozenset[int]) -> None:
    """Keep every thread of this process off the measured core, where `allowed` has another one."""
    others = allowed - {core}
    if not others:
        return
    for name in os.listdir("/proc/self/task"):
        try:
            os.sched_setaffinity(int(name), others)
        except OSError:
            continue  # the thread has ended, or its cores were taken away: it stays where it is
