"""Waiting that a signal, or the end of a process, ends at once."""

from __future__ import annotations

import contextlib
import os
import select
import signal
from types import FrameType, TracebackType
from typing import Self

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interrupts:
    """Counts SIGINT and SIGTERM instead of letting them end the process; also waits for the process `pid`."""

    def __init__(self, pid: int) -> None:
        self.count = 0
        self.last = signal.SIGINT
        self._pid = pid

    def __enter__(self) -> Self:
        self._stack = contextlib.ExitStack()
        self._read, write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._watched = [self._read]
        self._stack.callback(os.close, self._read)
        self._stack.callback(os.close, write)
        with contextlib.suppress(
            OSError
        ):  # without pidfd_open (before Linux 5.3) the end is seen at the next look
            pidfd = os.pidfd_open(self._pid)
            self._watched.append(pidfd)
            self._stack.callback(os.close, pidfd)
        self._stack.callback(signal.set_wakeup_fd, signal.set_wakeup_fd(write, warn_on_full_buffer=False))
        for number in _SIGNALS:
            self._stack.callback(signal.signal, number, signal.signal(number, self._note))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.count += 1
        self.last = signal.Signals(number)

    def wait(self, seconds: float) -> None:
        """Return after `seconds`, or earlier when a signal came or the process ended."""
        ready, _, _ = select.select(self._watched, [], [], seconds)
        if self._read in ready:
            with contextlib.suppress(BlockingIOError):
                os.read(self._read, 4096)
