"""The directory in which children of a session work; what killed engines have left of theirs is cleared away."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from ngcctui.model.errors import StorageError

_PREFIX = "ngcctui-"
_TRIES = 10


@contextlib.contextmanager
def scratch_directory() -> Iterator[Path]:
    """A directory in the system's place for temporary files that only this user can enter; gone at the end.

    An engine holds a lock on its own, which dies with it: one that can be locked belongs to nobody any more and is
    removed.  StorageError when none can be made.
    """
    try:
        parent = Path(tempfile.gettempdir())
        _sweep(parent)
        path, lock = _make(parent)
    except OSError as error:
        raise StorageError(
            f"no scratch directory can be made: {error.strerror}; free some space or set TMPDIR"
        ) from None
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
        os.close(lock)


def _make(parent: Path) -> tuple[Path, int]:
    for _ in range(_TRIES):
        path = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
        lock = _lock(path)
        if lock is not None and path.is_dir():
            return path, lock
        # Another engine, clearing away, was faster than the lock.
        if lock is not None:
            os.close(lock)
    raise OSError(0, "other programs remove them at once")


def _lock(path: Path) -> int | None:
    """A descriptor that holds the lock on a directory of this user; None when it is held, foreign or gone."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        if os.fstat(fd).st_uid == os.geteuid():
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return fd
    except OSError:
        pass
    os.close(fd)
    return None


def _sweep(parent: Path) -> None:
    for path in parent.glob(f"{_PREFIX}*"):
        lock = _lock(path)
        if lock is not None:
            shutil.rmtree(path, ignore_errors=True)
            os.close(lock)
