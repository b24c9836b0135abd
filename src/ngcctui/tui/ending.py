"""The ways in which a viewer ends from outside: signals, and a terminal that is gone or no longer takes anything.

First it is asked to leave, so that it puts the terminal back as it was.  A terminal that does not take what is drawn
stops the event loop, which then cannot leave: after three seconds the process puts back what it can and is gone.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import termios
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

#: Seconds between the request to leave and the end of the process.
GRACE_S = 3.0
#: Exit code for a terminal that is gone without a signal: the one of SIGHUP.
LOST = 128 + signal.SIGHUP
_TRIES = 50
#: Means nothing; a system call that it interrupts looks again.
_WAKE = signal.SIGUSR1
_SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGINT)
#: Mouse, paste, focus and keyboard modes off, lines wrapped, the main screen, a visible cursor, plain characters.
_RESET = (
    b"\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?1016l\x1b[?2004l\x1b[?2048l\x1b[?1004l\x1b[<u"
    b"\x1b[?7h\x1b[0m\x1b[?1049l\x1b[?25h\r\n"
)


class Ending:
    """Waits for what ends the viewer.  `leave(code)` asks it to; it is called from any thread and once."""

    def __init__(self, leave: Callable[[int], None], grace_s: float = GRACE_S) -> None:
        self._leave = leave
        self._grace_s = grace_s
        self._modes = _modes()
        self._begun = threading.Lock()
        self.code: int | None = None

    def install(self) -> None:
        """Take over the signals (those that are ignored, as under nohup, stay so) and watch the terminal."""
        for number in _SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._on_signal)
        signal.signal(_WAKE, lambda number, frame: None)
        threading.Thread(target=self._watch, name="terminal", daemon=True).start()

    def begin(self, code: int) -> None:
        """End the viewer with exit code `code`; what is already ending stays as it is."""
        if not self._begun.acquire(blocking=False):
            return
        self.code = code
        timer = threading.Timer(self._grace_s, self._end, (code,))
        timer.daemon = True
        timer.start()
        self._leave(code)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        self.begin(128 + number)

    def _watch(self) -> None:
        """Sleep until the terminal hangs up; no event but that is asked for, so nothing else wakes this thread."""
        poll = select.poll()
        poll.register(0, 0)
        while not poll.poll():
            pass
        self.begin(LOST)

    def _end(self, code: int) -> None:
        restore(self._modes)
        os._exit(code)


def forget_terminal() -> None:
    """What is still buffered for the terminal goes nowhere: it may be gone, and then the end would fail at it."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)


def _modes() -> list[Any] | None:
    try:
        return list(termios.tcgetattr(0))
    except (termios.error, OSError):
        return None


def restore(modes: list[Any] | None) -> None:
    """Put the terminal back as well as that can be done without waiting for it.

    What it has not taken so far is thrown away, again and again for a second at most, until the few bytes that bring
    the main screen back have found room.
    """
    with contextlib.suppress(OSError, termios.error):
        # Opened anew: not to wait is a property of the open file, and the old one is shared with the shell.
        fd = os.open(os.ttyname(2), os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
        if modes is not None:
            termios.tcsetattr(fd, termios.TCSANOW, modes)
        for _ in range(_TRIES):
            termios.tcflush(fd, termios.TCOFLUSH)
            _wake_writers()
            with contextlib.suppress(BlockingIOError):
                os.write(fd, _RESET)
                break
            time.sleep(1 / _TRIES)


def _wake_writers() -> None:
    """A thread that waits in write() holds the terminal, and nobody tells it that there is room: a signal does."""
    for thread in threading.enumerate():
        if thread.ident and thread is not threading.current_thread() and thread.daemon:
            with contextlib.suppress(ProcessLookupError):
                signal.pthread_kill(thread.ident, _WAKE)
