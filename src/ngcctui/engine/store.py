"""Files that survive a kill, a power cut and a full disk.

The journal and all records are written through a `Storage`, so that a test can refuse any single operation.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import secrets
import stat
import struct
import sys
import zlib
from array import array
from collections.abc import Iterable, Sequence
from pathlib import Path

from ngcctui.model.errors import StorageError

_REMEDY = {
    errno.ENOSPC: "the disk is full: free some space, then resume the run",
    errno.EDQUOT: "the disk quota is used up: free some space, then resume the run",
    errno.EROFS: "the file system is read-only: mount it writable, then resume the run",
    errno.EACCES: "permission denied: check who owns the directory",
    errno.EPERM: "not permitted: check who owns the directory",
    errno.EIO: "the disk reports an I/O error: check it (dmesg) before going on",
    errno.EMFILE: "too many open files: raise the limit (ulimit -n), then resume the run",
    errno.ENOENT: "it is not there: was it moved or deleted?",
    errno.ELOOP: "it is a symbolic link, which is refused here",
}
#: Most u64 values one samples file may hold when it is read back (512 MiB of memory).
MAX_SAMPLES = 1 << 26
_GZIP_HEADER = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
_TEMPORARY = re.compile(r"\..+\.[0-9a-f]{12}\.tmp", re.DOTALL)
_CHUNK = 1 << 18


def storage_error(what: str, path: Path, error: OSError) -> StorageError:
    """The one-line StorageError for a refused file operation: file, what failed, why, and what to do."""
    remedy = _REMEDY.get(
        error.errno or 0, f"{error.strerror or error}: look at the disk, then resume the run"
    )
    return StorageError(f"{path}: cannot be {what}: {remedy}")


class Storage:
    """The file operations that can fail, one method each; they raise OSError as system calls do."""

    def open(self, path: Path, flags: int, mode: int = 0o644) -> int:
        """Open `path`; the descriptor is not inherited by children."""
        return os.open(path, flags | os.O_CLOEXEC, mode)

    def write(self, fd: int, data: bytes | memoryview) -> int:
        """Write once; returns how many bytes went out, which can be fewer than given."""
        return os.write(fd, data)

    def fsync(self, fd: int) -> None:
        """Force the file to the disk."""
        os.fsync(fd)

    def fsync_all(self, fd: int) -> bool:
        """Force all files of the file system that `fd` is on to the disk, in one pass instead of one for each file.

        False where that cannot be relied on: without syncfs(2), and before Linux 5.17, which does not tell of all
        failures: data that could not be written from 5.8 on, what the file system itself failed to do from 5.17 on.
        """
        if not _syncfs_tells(os.uname().release):
            return False
        from ctypes import CDLL, get_errno  # only who publishes needs it

        try:
            sync = CDLL(None, use_errno=True).syncfs
        except (OSError, AttributeError):
            return False
        if sync(fd) != 0:
            code = get_errno()
            if code == errno.ENOSYS:
                return False
            raise OSError(code, os.strerror(code))
        return True

    def close(self, fd: int) -> None:
        """Close a descriptor."""
        os.close(fd)

    def rename(self, source: Path, target: Path) -> None:
        """Put `source` in the place of `target` in one step."""
        os.replace(source, target)

    def mkdir(self, path: Path) -> None:
        """Make one directory; FileExistsError when it is there."""
        os.mkdir(path, 0o755)

    def unlink(self, path: Path) -> None:
        """Remove a file."""
        os.unlink(path)

    def write_all(self, fd: int, data: bytes) -> None:
        """Write all of `data`, however many calls it takes."""
        view = memoryview(data)
        while view:
            view = view[self.write(fd, view) :]

    def fsync_directory(self, path: Path) -> None:
        """Force a directory's entries to the disk."""
        fd = self.open(path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            self.fsync(fd)
        finally:
            self.close(fd)


def _syncfs_tells(release: str) -> bool:
    """Whether syncfs of this kernel reports what could not be written."""
    found = re.match(r"(\d+)\.(\d+)", release)
    return found is not None and (int(found[1]), int(found[2])) >= (5, 17)


def make_directories(path: Path, storage: Storage) -> None:
    """Make `path` and its missing parents; StorageError when it cannot be or is no directory."""
    missing = [path, *path.parents]
    missing = missing[: next((n for n, entry in enumerate(missing) if entry.is_dir()), len(missing))]
    try:
        for entry in reversed(missing):
            try:
                storage.mkdir(entry)
                storage.fsync_directory(entry.parent)
            except FileExistsError:
                if not entry.is_dir():
                    raise
    except OSError as error:
        raise storage_error("made", path, error) from None


def write_atomic(path: Path, data: bytes, storage: Storage) -> None:
    """Replace `path` by `data` so that a crash at any moment leaves the old or the new content, no mixture.

    Missing directories are made.  The data are on the disk when the call returns.  On a failure the
    temporary file is removed, the old content stays, and StorageError says why.
    """
    make_directories(path.parent, storage)
    temporary = path.with_name(f".{path.name[:200]}.{secrets.token_hex(6)}.tmp")
    try:
        fd = storage.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW)
        try:
            storage.write_all(fd, data)
            storage.fsync(fd)
        finally:
            storage.close(fd)
        storage.rename(temporary, path)
    except OSError as error:
        _remove_quietly(temporary, storage)
        raise storage_error("written", path, error) from None
    try:
        storage.fsync_directory(path.parent)
    except OSError as error:
        raise storage_error("written", path, error) from None


def remove_leftovers(directory: Path, storage: Storage) -> None:
    """Remove the temporary files below `directory` that writers left when they were killed; none may be at work."""
    for path in directory.rglob(".*.tmp"):
        if _TEMPORARY.fullmatch(path.name):
            _remove_quietly(path, storage)


def _remove_quietly(path: Path, storage: Storage) -> None:
    try:
        storage.unlink(path)
    except OSError:
        pass  # the first error is the one to tell


def sha256_bytes(data: bytes) -> str:
    """Lower-case hex SHA-256 of `data`."""
    return hashlib.sha256(data).hexdigest()


def sha256_file(path: Path) -> str:
    """Lower-case hex SHA-256 of a file, read in pieces; StorageError when it cannot be read."""
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while piece := file.read(_CHUNK):
                digest.update(piece)
    except OSError as error:
        raise storage_error("read", path, error) from None
    return digest.hexdigest()


def attempt_path(path: Path, attempt: int) -> Path:
    """Where the file of an earlier attempt is kept: `<stem>.attempt-<n><suffix>`; `.u64.gz` is one suffix."""
    suffix = ".u64.gz" if path.name.endswith(".u64.gz") else path.suffix
    return path.with_name(f"{path.name.removesuffix(suffix)}.attempt-{attempt}{suffix}")


def samples_path(record: Path) -> Path:
    """The samples file that belongs to a record: `<stem>.json` has `<stem>.u64.gz`."""
    return record.with_name(record.name.removesuffix(".json") + ".u64.gz")


def keep_attempt(path: Path, attempt: int, storage: Storage | None = None) -> Path | None:
    """Move the file of an attempt aside before a retry writes anew; a record takes its samples along.

    Returns where the file went, or None when there was none.  Repeating the call after a crash is harmless:
    a kept file is never overwritten.  The samples go first, so that no crash leaves them where the retry
    would replace them.
    """
    storage = storage or Storage()
    if path.suffix == ".json":
        _keep(samples_path(path), attempt, storage)
    return _keep(path, attempt, storage)


def _keep(path: Path, attempt: int, storage: Storage) -> Path | None:
    target = attempt_path(path, attempt)
    if target.exists() or not path.exists():
        return target if target.exists() else None
    try:
        storage.rename(path, target)
        storage.fsync_directory(path.parent)
    except OSError as error:
        raise storage_error("renamed", path, error) from None
    return target


def pack_samples(parts: Iterable[Sequence[int]]) -> bytes:
    """The content of a samples file: all values as little-endian u64, gzipped without a time stamp or name.

    The same values give the same bytes with the same zlib.  OverflowError when a value is not in 0..2^64-1.
    """
    raw = b"".join(_little_endian(part) for part in parts)
    squeeze = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
    body = squeeze.compress(raw) + squeeze.flush()
    return _GZIP_HEADER + body + struct.pack("<II", zlib.crc32(raw), len(raw) & 0xFFFFFFFF)


def _little_endian(values: Sequence[int]) -> bytes:
    words = array("Q", values)
    if sys.byteorder != "little":
        words.byteswap()
    return words.tobytes()


def write_samples(path: Path, parts: Iterable[Sequence[int]], storage: Storage) -> str:
    """Write the samples (ns, u64) of all trials one behind the other; returns the SHA-256 of the file."""
    data = pack_samples(parts)
    write_atomic(path, data, storage)
    return sha256_bytes(data)


def read_samples(path: Path, sha256: str | None) -> array[int]:
    """Read a samples file back as u64 values.

    StorageError when it is missing, is no regular file, is not the file with digest `sha256` (None: not checked), is
    damaged or holds more than 2^26 values.
    """
    try:
        with open(os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK), "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise StorageError(f"{path}: is no regular file, so no samples file")
            # As much as there is: a buffer for the most that there could be takes longer to get than the file to read.
            packed = file.read(min(status.st_size, 8 * MAX_SAMPLES) + 1)
    except OSError as error:
        raise storage_error("read", path, error) from None
    if sha256 is not None and sha256_bytes(packed) != sha256:
        raise StorageError(
            f"{path}: its SHA-256 is not the one in the record: the file was changed or damaged"
        )
    expand = zlib.decompressobj(16 + zlib.MAX_WBITS)
    try:
        raw = expand.decompress(packed, 8 * MAX_SAMPLES + 1)
    except zlib.error as error:
        raise StorageError(f"{path}: damaged samples file: {error}") from None
    if len(raw) > 8 * MAX_SAMPLES:
        raise StorageError(f"{path}: holds more than {MAX_SAMPLES} values, no samples file")
    if not expand.eof or expand.unused_data or len(raw) % 8:
        raise StorageError(f"{path}: damaged samples file: it does not end where it should")
    words = array("Q")
    words.frombytes(raw)
    if sys.byteorder != "little":
        words.byteswap()
    return words
