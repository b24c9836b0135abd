"""The live page: 4096 bytes in /dev/shm in which a running child and the engine show what happens right now.

All fields are little-endian u64 at fixed offsets (native/harness/livepage.h holds the same layout).  The
child maps the page; the engine and viewers use plain reads and writes, because a mapping of a file that
somebody truncates kills whoever touches it.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import stat
import struct
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import IntEnum
from pathlib import Path
from typing import Self

SIZE = 4096
MAGIC = 0x4E47434331504147
VERSION = 1
_HEADER = struct.Struct("<QQ")
_DRIVER = struct.Struct("<6Q")
_DRIVER_AT = 64
_SEQUENCE = struct.Struct("<Q")
_SEQUENCE_AT = 512
_ENGINE = struct.Struct("<9Q")
_ENGINE_AT = 520
#: A cache line of its own: the child reads it between calls, and the once-a-second writes beside must not take it away.
_HOLD = struct.Struct("<Q")
_HOLD_AT = 640
_U64 = (1 << 64) - 1
_NAME = re.compile(r"ngcctui-(\d{1,10})-[0-9a-f]{16}\.page")


class LivePhase(IntEnum):
    """What the child is doing."""

    IDLE = 0
    SETUP = 1
    WARM_UP = 2
    TIMED = 3
    PROFILE = 4
    KAT = 5
    HELD = 6


@dataclass(frozen=True)
class EngineHalf:
    """What the engine knows of the child: memory (KiB), clock (kHz), CPU/wall time (‰), switches, limit (ns).

    `step_index` counts from 0 in the run's order; `updated_ns` is CLOCK_MONOTONIC.  `held` is 1 while the run is paused
    and every child at work waits.
    """

    rss_kib: int = 0
    frequency_khz: int = 0
    cpu_permille: int = 0
    voluntary: int = 0
    involuntary: int = 0
    limit_ns: int = 0
    step_index: int = 0
    updated_ns: int = 0
    held: int = 0


@dataclass(frozen=True)
class LiveView:
    """One look at the page: the child's half and the engine's.

    `start_ns` is the CLOCK_MONOTONIC of the phase's start; it moves on with the clock while the child is held, so that what
    has passed since then is the time it could work.
    """

    pid: int
    trial: int
    iteration: int
    iterations: int
    start_ns: int
    phase: LivePhase
    engine: EngineHalf

    @property
    def fraction(self) -> float | None:
        """Share of the trial's calls that are done, 0 to 1; None when the child does not say."""
        return min(self.iteration / self.iterations, 1.0) if self.iterations else None


class LivePage:
    """The engine's end: makes the page, fills its half, removes the page."""

    def __init__(self, path: Path, fd: int, mono_ns: Callable[[], int] = time.monotonic_ns) -> None:
        self.path = path
        self._fd = fd
        self._mono_ns = mono_ns
        self._sequence = 0
        self._half = EngineHalf()
        self._last: tuple[int, int, int] | None = None

    @classmethod
    def create(cls, directory: Path = Path("/dev/shm")) -> LivePage | None:
        """Make a page that only this user can open; None where that cannot be had (a run does without it).

        Pages of engines that are no more are removed on the way.
        """
        _sweep(directory)
        path = directory / f"ngcctui-{os.getpid()}-{secrets.token_hex(8)}.page"
        try:
            fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        except OSError:
            return None
        page = cls(path, fd)
        try:
            # Reserved, not only sized: the child that maps it must not be killed because memory has run out.
            os.posix_fallocate(fd, 0, SIZE)
            os.pwrite(fd, _HEADER.pack(MAGIC, VERSION), 0)
        except OSError:
            page.close()
            return None
        return page

    def begin(self, step_index: int, limit_ns: int) -> None:
        """A child is about to start for the step with that index: nothing of the last child stays."""
        self._last = None
        self._write(bytes(_DRIVER.size), _DRIVER_AT)
        self.update(EngineHalf(limit_ns=limit_ns, step_index=step_index, updated_ns=self._mono_ns()))

    def hold(self, asked: bool) -> None:
        """Ask the child to wait before its next call, or to go on."""
        self._write(_HOLD.pack(int(asked)), _HOLD_AT)

    def tell_held(self, held: bool) -> None:
        """Tell viewers whether all that is at work waits."""
        if self._half.held != int(held):
            self.update(replace(self._half, held=int(held)))

    def fill(
        self, *, rss_kib: int, frequency_khz: int, cpu_ns: int, voluntary: int, involuntary: int
    ) -> None:
        """Write what /proc tells of the child; `cpu_ns` is its CPU time since it started.

        CPU time / wall time is that since the last call, 0 the first time.
        """
        view = self.view()
        pid = view.pid if view else 0
        now_ns = self._mono_ns()
        share = 0
        if self._last is not None and self._last[0] == pid and now_ns > self._last[1]:
            share = 1000 * (cpu_ns - self._last[2]) // (now_ns - self._last[1])
        self._last = (pid, now_ns, cpu_ns)
        self.update(
            replace(
                self._half,
                rss_kib=rss_kib,
                frequency_khz=frequency_khz,
                cpu_permille=share,
                voluntary=voluntary,
                involuntary=involuntary,
                updated_ns=now_ns,
            )
        )

    def view(self) -> LiveView | None:
        """What a viewer sees now; None when somebody has damaged the page."""
        return None if self._fd < 0 else _read(self._fd)

    def update(self, half: EngineHalf) -> None:
        """Write the engine's half; the sequence is odd meanwhile, which tells a reader to look again."""
        self._half = half
        self._write(_SEQUENCE.pack(self._sequence + 1 & _U64), _SEQUENCE_AT)
        values = (min(max(int(value), 0), _U64) for value in vars(half).values())
        self._write(_ENGINE.pack(*values), _ENGINE_AT)
        self._sequence = self._sequence + 2 & _U64
        self._write(_SEQUENCE.pack(self._sequence), _SEQUENCE_AT)

    def _write(self, data: bytes, offset: int) -> None:
        try:
            os.pwrite(self._fd, data, offset)
        except OSError:
            pass  # the page is a convenience: losing it never ends a run

    def close(self) -> None:
        """Remove the page; closing twice is harmless."""
        if self._fd < 0:
            return
        fd, self._fd = self._fd, -1
        try:
            self.path.unlink(missing_ok=True)
        except OSError:
            pass
        os.close(fd)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _sweep(directory: Path) -> None:
    """Remove pages whose engine was killed before it could."""
    try:
        names = os.listdir(directory)
    except OSError:
        return
    for name in names:
        match = _NAME.fullmatch(name)
        if match is None or _exists(int(match[1])):
            continue
        try:
            if os.lstat(directory / name).st_uid == os.getuid():
                os.unlink(directory / name)
        except OSError:
            pass


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError as error:
        return error.errno != errno.ESRCH
    except OverflowError:
        return False
    return True


def read_page(path: Path | str) -> LiveView | None:
    """Look at a page; None when it is gone, too short, foreign, of another version or never at rest."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    try:
        return _read(fd)
    finally:
        os.close(fd)


def _read(fd: int) -> LiveView | None:
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            return None
        for _ in range(5):
            view, steady = _look(fd)
            if view is None or steady:
                return view
    except OSError:
        pass
    return None


def _look(fd: int) -> tuple[LiveView | None, bool]:
    page = os.pread(fd, SIZE, 0)
    if len(page) != SIZE or _HEADER.unpack_from(page) != (MAGIC, VERSION):
        return None, True
    sequence = page[_SEQUENCE_AT : _SEQUENCE_AT + _SEQUENCE.size]
    steady = not sequence[0] & 1 and os.pread(fd, _SEQUENCE.size, _SEQUENCE_AT) == sequence
    pid, trial, iteration, iterations, start_ns, phase = _DRIVER.unpack_from(page, _DRIVER_AT)
    known = LivePhase(phase) if phase in LivePhase._value2member_map_ else LivePhase.IDLE
    engine = EngineHalf(*_ENGINE.unpack_from(page, _ENGINE_AT))
    return LiveView(pid, trial, iteration, iterations, start_ns, known, engine), steady
