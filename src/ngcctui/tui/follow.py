"""Looking at runs from a thread: files are read there, messages with frozen data come out."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from collections import deque
from typing import TYPE_CHECKING

from textual.message import Message

from ngcctui.engine.rundir import RunDir
from ngcctui.engine.state import Follower
from ngcctui.model.errors import NgccError
from ngcctui.model.event import Event
from ngcctui.tui.messages import RunChanged, RunTrouble
from ngcctui.tui.snapshot import RunSnapshot, look

if TYPE_CHECKING:
    from textual.message_pump import MessagePump

__all__ = ["Poller", "RunFollower", "RunSnapshot", "keep_off", "look"]

#: Events that a look at a run carries with it, for the log.
MAX_RECENT = 200
#: Of a journal so much is read for the first picture, and then in pieces of a second or so: a long one is no reason for a
#: dark screen, nor for drawing what will not stay.
FIRST_BYTES = 2 << 20
MORE_BYTES = 64 << 20


class Poller:
    """A thread that looks every `every_s` seconds and posts what it found to a screen.

    A message that the event loop has not taken yet (a stalled terminal stops it) is replaced by the next one, never
    queued.  The thread is a daemon: nothing waits for it when the view ends.
    """

    def __init__(self, target: MessagePump, every_s: float) -> None:
        self._target = target
        self._every_s = every_s
        self._wake = threading.Event()
        self._stopped = False
        self._lock = threading.Lock()
        self._waiting: Message | None = None

    def look(self) -> Message | None:
        """Look, in the thread; what to post, or None when there is nothing new.  NgccError is told as RunTrouble."""
        raise NotImplementedError

    def start(self) -> None:
        """Begin; call it from the event loop of the target."""
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._work, name=type(self).__name__, daemon=True).start()

    def stop(self) -> None:
        """End; nothing is posted after this call."""
        self._stopped = True
        self._wake.set()

    def poke(self) -> None:
        """Look now instead of at the next tick."""
        self._wake.set()

    def _work(self) -> None:
        trouble = ""
        while not self._stopped:
            try:
                found = self.look()
                trouble = ""
            except NgccError as error:
                found = RunTrouble(str(error)) if str(error) != trouble else None
                trouble = str(error)
            if found is not None:
                self._hand_over(found)
            self._wake.wait(self._every_s)
            self._wake.clear()

    def _hand_over(self, message: Message) -> None:
        with self._lock:
            idle = self._waiting is None
            self._waiting = message
        try:
            if idle:
                self._loop.call_soon_threadsafe(self._deliver)
            gone = self._loop.is_closed()
        except RuntimeError:  # it was closed just now
            gone = True
        if gone:  # the viewer is leaving
            self._stopped = True

    def _deliver(self) -> None:
        with self._lock:
            message, self._waiting = self._waiting, None
        if message is not None and not self._stopped:
            self._target.post_message(message)


class RunFollower(Poller):
    """Looks at one run and posts RunChanged.

    While an engine works on the run every look is posted, because time goes on; else only what changed.
    """

    def __init__(self, run: RunDir, target: MessagePump, refresh_s: float) -> None:
        super().__init__(target, refresh_s)
        self._run = run
        self._follower = Follower(run.journal)
        self._recent: deque[Event] = deque(maxlen=MAX_RECENT)
        self._last: RunSnapshot | None = None

    def look(self) -> Message | None:
        most = FIRST_BYTES if self._last is None else MORE_BYTES
        last, found = self._last, look(self._run, self._follower, self._recent, max_bytes=most)
        if not found.whole:
            self.poke()
        self._last = found
        if last is None or found.alive or last.alive or not last.whole or found.state is not last.state:
            return RunChanged(found)
        return None


def keep_off(core: int | None, allowed: frozenset[int]) -> None:
    """Keep every thread of this process off the measured core, where `allowed` has another one."""
    others = allowed - {core}
    if not others:
        return
    for name in os.listdir("/proc/self/task"):
        with contextlib.suppress(
            OSError
        ):  # the thread has ended, or its cores were taken away: it stays where it is
            os.sched_setaffinity(int(name), others)
