"""The journal of a run: one writer (the engine), any number of readers.

A line is one event.  A crash can tear the last line, a broken disk or a foreign hand can spoil any line: the
writer ends a torn line and goes on, readers skip and count what they cannot decode.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Collection, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol, Self

from ngcctui.collector import no_collection
from ngcctui.engine.store import Storage, storage_error
from ngcctui.model.errors import StorageError
from ngcctui.model.event import Event, EventName

#: The longest line, bytes; readers skip longer ones without holding them.
MAX_LINE = 1 << 20
#: Sequence numbers beyond this come from no engine.
MAX_SEQ = 1 << 53
#: A disagreement of the clocks worth a warning, seconds.
CLOCK_STEP_S = 1.0
_CHUNK = 1 << 18
#: From so many bytes on the faster decoder is worth its import.
_MANY = 1 << 19
_HEAD = 256
_LONG_TEXT = 1000


class Clock(Protocol):
    """The two clocks of an event."""

    def utc(self) -> str:
        """UTC now, ISO 8601 with milliseconds and `Z`."""

    def epoch_ns(self) -> int:
        """Nanoseconds since 1970, the time that `utc` writes out."""

    def mono_ns(self) -> int:
        """CLOCK_MONOTONIC now, ns."""


class SystemClock:
    """The clocks of this machine."""

    def utc(self) -> str:
        """UTC now, ISO 8601 with milliseconds and `Z`."""
        return utc_text(self.epoch_ns())

    def epoch_ns(self) -> int:
        """Nanoseconds since 1970."""
        return time.time_ns()

    def mono_ns(self) -> int:
        """CLOCK_MONOTONIC now, ns."""
        return time.monotonic_ns()


def utc_text(unix_ns: int) -> str:
    """Nanoseconds since 1970 as `2026-01-31T12:00:00.123Z`."""
    seconds, ns = divmod(unix_ns, 1_000_000_000)
    moment = datetime.fromtimestamp(seconds, UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{ns // 1_000_000:03d}Z"


def utc_seconds(text: str) -> float | None:
    """Seconds since 1970 of an event's `utc`; None when it is no such time."""
    try:
        moment = datetime.fromisoformat(text)
        return moment.timestamp() if moment.tzinfo is not None else None
    except (ValueError, OverflowError):
        return None


def clock_step_s(before: tuple[str, int], after: tuple[str, int]) -> float | None:
    """Seconds UTC gained on the monotonic clock between two (utc, mono_ns) of one boot, or None."""
    start, end = utc_seconds(before[0]), utc_seconds(after[0])
    if start is None or end is None:
        return None
    return (end - start) - (after[1] - before[1]) / 1e9


class Journal:
    """The writer.  Opening an existing journal ends a torn last line and goes on behind the highest seq."""

    def __init__(self, path: Path, storage: Storage, clock: Clock) -> None:
        """Open or make the journal; StorageError when it is no regular file or cannot be written."""
        self._path = path
        self._storage = storage
        self.clock = clock
        self._looked = (clock.utc(), clock.mono_ns())
        self._torn = False
        self._seq = 0
        try:
            self._fd = storage.open(
                path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK
            )
            try:
                self._torn = _ends_torn(path)
                if self._torn:
                    self._put(b"")
                storage.fsync_directory(path.parent)
                # Read after the torn line was ended: it may lack nothing but its newline.
                self._seq = max((event.seq for event in JournalReader(path).read()), default=0)
            except BaseException:
                storage.close(self._fd)
                raise
        except OSError as error:
            raise storage_error("opened", path, error) from None

    @property
    def seq(self) -> int:
        """Number of the last event written or found."""
        return self._seq

    def append(
        self,
        name: EventName,
        step: str | None = None,
        data: dict[str, Any] | None = None,
        sync: bool = False,
    ) -> Event:
        """Write one event, as one write; with `sync` it is on the disk when the call returns.

        StorageError when it cannot be written; the next call then ends what is torn.  Long texts are cut when
        they make the line longer than 1 MiB; ValueError when that does not help.
        """
        event = Event(self._seq + 1, self.clock.utc(), self.clock.mono_ns(), name, step, data or {})
        line = event.to_line()
        if len(line) > MAX_LINE:
            event = Event(event.seq, event.utc, event.mono_ns, name, step, _shorten(event.data))
            line = event.to_line()
            if len(line) > MAX_LINE:
                raise ValueError(f"an event of {len(line)} bytes does not fit into a journal line")
        try:
            self._put(line)
            if sync:
                self._storage.fsync(self._fd)
        except OSError as error:
            raise storage_error("written", self._path, error) from None
        return event

    def clock_step(self) -> str | None:
        """A warning text when UTC and the monotonic clock disagree by over 1 s since the last look.

        What NTP slews between two looks (at most 0.05 %) raises nothing, what it sets does.
        """
        before, self._looked = self._looked, (self.clock.utc(), self.clock.mono_ns())
        step = clock_step_s(before, self._looked)
        if step is None or abs(step) <= CLOCK_STEP_S:
            return None
        return (
            f"UTC moved by {step:+.1f} s against the monotonic clock (it was set, or the machine was asleep)"
        )

    def close(self) -> None:
        """Close the file; closing twice is harmless."""
        if self._fd >= 0:
            fd, self._fd = self._fd, -1
            self._storage.close(fd)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _put(self, line: bytes) -> None:
        data = memoryview(b"\n" + line if self._torn else line)
        lead = 1 if self._torn else 0
        done = 0
        try:
            while done < len(data):
                done += self._storage.write(self._fd, data[done:])
        finally:
            if done:
                self._torn = data[done - 1] != 0x0A
            # A line that lacks only its newline becomes a whole event when the next append has ended it.
            if line and done - lead >= len(line) - 1:
                self._seq += 1


def _ends_torn(path: Path) -> bool:
    with path.open("rb") as file:
        if file.seek(0, os.SEEK_END) == 0:
            return False
        file.seek(-1, os.SEEK_END)
        return file.read(1) != b"\n"


def _shorten(value: Any) -> Any:
    if isinstance(value, str):
        return value if len(value) <= _LONG_TEXT else value[:_LONG_TEXT] + " …"
    if isinstance(value, dict):
        return {key: _shorten(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_shorten(item) for item in value]
    return value


_Decoder = Callable[[list[bytes]], list[Event | None]]


def _decoder(size: int) -> _Decoder:
    """What decodes lines, for `size` bytes of them."""
    if size < _MANY:
        return lambda lines: [Event.from_line(line) for line in lines]
    from ngcctui.model.event_lines import events_of

    return events_of


class JournalReader:
    """Reads a growing journal piece by piece.

    `skipped` counts lines that are no event.  `generation` goes up when the file was replaced, truncated or
    rewritten and reading began anew: whoever folds must begin anew too.  Lines that hold one of the
    texts `without` are left out undecoded, for readers who need a small part of a journal.
    """

    def __init__(self, path: Path, without: Collection[bytes] = ()) -> None:
        self._path = path
        self._without = tuple(without)
        self.skipped = 0
        self.unread = 0
        self.generation = 0
        self._forget()

    def _forget(self) -> None:
        self._offset = 0
        self._inode: tuple[int, int] | None = None
        self._head = b""
        self._partial = b""
        self._overlong = False

    def poll(self) -> list[Event]:
        """The events that came since the last call; empty when there are none or no file yet."""
        return list(self.read())

    def read(self, max_bytes: int | None = None) -> Iterator[Event]:
        """Like `poll`, one by one, and at most `max_bytes` of the file; the next call goes on from there."""
        for events in self.batches(max_bytes):
            yield from events

    def batches(self, max_bytes: int | None = None) -> Iterator[list[Event]]:
        """What `read` gives, in lists.

        A last line without a newline is kept until the rest has come.  StorageError when reading fails.
        """
        try:
            fd = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        except FileNotFoundError:
            return
        except OSError as error:
            raise storage_error("read", self._path, error) from None
        try:
            # Up to the size it has now: a file that grows faster than it is read must not hold the reader.
            size = end = self._end(fd)
            if max_bytes is not None:
                end = min(end, self._offset + max_bytes)
            self.unread = size - end
            decode = _decoder(end - self._offset)
            while self._offset < end and (chunk := self._chunk(fd, end)):
                yield self._take(chunk, decode)
        finally:
            os.close(fd)

    def _end(self, fd: int) -> int:
        try:
            status = os.fstat(fd)
            if not stat.S_ISREG(status.st_mode):
                raise StorageError(f"{self._path}: is no regular file, so no journal")
            self._restart_if_replaced(fd, status)
        except OSError as error:
            raise storage_error("read", self._path, error) from None
        return status.st_size

    def _chunk(self, fd: int, end: int) -> bytes:
        try:
            chunk = os.pread(fd, min(_CHUNK, end - self._offset), self._offset)
        except OSError as error:
            raise storage_error("read", self._path, error) from None
        if len(self._head) < _HEAD and self._offset == len(self._head):
            self._head += chunk[: _HEAD - len(self._head)]
        self._offset += len(chunk)
        if not chunk:
            self._inode = (-1, -1)  # it shrank while it was read: the next call begins anew
        return chunk

    def _restart_if_replaced(self, fd: int, status: os.stat_result) -> None:
        inode = (status.st_dev, status.st_ino)
        same = self._inode in (None, inode) and status.st_size >= self._offset
        if not same or os.pread(fd, len(self._head), 0) != self._head:
            self._forget()
            self.skipped = 0
            self.generation += 1
        self._inode = inode

    def _take(self, chunk: bytes, decode: _Decoder) -> list[Event]:
        """Events of the lines that `chunk` completes."""
        lines = chunk.split(b"\n")
        tail = lines.pop()
        if not lines:
            self._hold(tail)
            return []
        if self._overlong:
            lines[0] = b""  # its end; it was counted when it grew too long
            self._overlong = False
        else:
            lines[0] = self._partial + lines[0]
        self._partial = b""
        self._hold(tail)
        with no_collection():
            return self._decoded(lines, decode)

    def _decoded(self, lines: list[bytes], decode: _Decoder) -> list[Event]:
        if self._without:
            lines = [line for line in lines if not any(mark in line for mark in self._without)]
        decoded = decode([line for line in lines if line and len(line) < MAX_LINE])
        events = [event for event in decoded if event is not None and 0 < event.seq < MAX_SEQ]
        self.skipped += sum(map(bool, lines)) - len(events)
        return events

    def _hold(self, tail: bytes) -> None:
        """Keep the beginning of a line whose end has not come; forget one that is too long for any event."""
        if self._overlong:
            return
        self._partial += tail
        if len(self._partial) > MAX_LINE:
            self._partial = b""
            self._overlong = True
            self.skipped += 1
