"""Pipes from a child, emptied by the event loop as they fill; a reader never waits for a writer it has lost."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from types import TracebackType
from typing import Self

_CHUNK = 1 << 16

#: How long a pipe may stay open after the child and all below it are dead (s).
LAST_BYTES_S = 0.5
_PAUSE_S = 0.005


class Pipe:
    """A pipe whose write end is for a child; every chunk that comes out of it goes to `sink`."""

    def __init__(self, sink: Callable[[bytes], None]) -> None:
        self._sink = sink
        self._error: BaseException | None = None
        self._read_fd, self.write_fd = os.pipe2(os.O_CLOEXEC)
        os.set_blocking(self._read_fd, False)
        self._reading = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()
        self.close_write_end()
        os.close(self._read_fd)

    def close_write_end(self) -> None:
        """Give up our copy of the write end, once the child has its own."""
        if self.write_fd >= 0:
            os.close(self.write_fd)
            self.write_fd = -1

    def start(self, on_error: Callable[[], None]) -> None:
        """Read as bytes come.  An error of the sink ends the reading and calls `on_error`; `finish` raises it."""
        self.close_write_end()
        self._reading = True
        asyncio.get_running_loop().add_reader(self._read_fd, self._readable, on_error)

    async def finish(self) -> None:
        """Read the rest of what a dead child wrote, at most for LAST_BYTES_S if something else holds the pipe."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + LAST_BYTES_S
        while self._reading and loop.time() < deadline:
            if not self._read_one():
                await asyncio.sleep(_PAUSE_S)
        self._stop()
        if self._error is not None:
            raise self._error

    def _readable(self, on_error: Callable[[], None]) -> None:
        try:
            self._read_one()
        except Exception as error:  # noqa: BLE001 -- whatever the sink raises is raised again by `finish`
            self._stop()
            self._error = error
            on_error()

    def _read_one(self) -> bool:
        """Hand one chunk to the sink; False when there is none now."""
        try:
            data = os.read(self._read_fd, _CHUNK)
        except BlockingIOError:
            return False
        if data:
            self._sink(data)
        else:
            self._stop()
        return True

    def _stop(self) -> None:
        if self._reading:
            self._reading = False
            asyncio.get_running_loop().remove_reader(self._read_fd)
