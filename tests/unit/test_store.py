"""Files that survive a kill, a power cut and a full disk."""

from __future__ import annotations

import errno
import gzip
import os
import stat
from array import array
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ngcctui.engine.store import (
    Storage,
    _syncfs_tells,
    attempt_path,
    keep_attempt,
    make_directories,
    pack_samples,
    read_samples,
    samples_path,
    sha256_bytes,
    sha256_file,
    write_atomic,
    write_samples,
)
from ngcctui.model.errors import StorageError


class FailingStorage(Storage):
    """Raises `error` at the n-th operation that changes or syncs anything; counts them all."""

    def __init__(self, fail_at: int = -1, error: int = errno.ENOSPC) -> None:
        self.fail_at = fail_at
        self.error = error
        self.count = 0

    def _tick(self) -> None:
        self.count += 1
        if self.count == self.fail_at:
            raise OSError(self.error, os.strerror(self.error))

    def open(self, path: Path, flags: int, mode: int = 0o644) -> int:
        self._tick()
        return super().open(path, flags, mode)

    def write(self, fd: int, data: bytes | memoryview) -> int:
        self._tick()
        return super().write(fd, data)

    def fsync(self, fd: int) -> None:
        self._tick()
        super().fsync(fd)

    def rename(self, source: Path, target: Path) -> None:
        self._tick()
        super().rename(source, target)

    def mkdir(self, path: Path) -> None:
        self._tick()
        super().mkdir(path)


def test_write_atomic_makes_directories_and_replaces(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "record.json"
    write_atomic(path, b"one", Storage())
    write_atomic(path, b"two", Storage())
    assert path.read_bytes() == b"two"
    assert os.listdir(path.parent) == ["record.json"]
    assert not stat.S_IMODE(path.stat().st_mode) & 0o022


def operations_of_write_atomic(tmp_path: Path) -> int:
    storage = FailingStorage()
    write_atomic(tmp_path / "count" / "file", b"x", storage)
    return storage.count


def test_write_atomic_failing_at_every_operation_leaves_old_or_new_and_no_debris(tmp_path: Path) -> None:
    total = operations_of_write_atomic(tmp_path)
    assert total >= 7  # mkdir, its sync, open, write, sync, rename, open of the directory, its sync
    for fail_at in range(1, total + 1):
        path = tmp_path / f"run{fail_at}" / "sub" / "file"
        path.parent.mkdir(parents=True)
        path.write_bytes(b"old")
        storage = FailingStorage(fail_at)
        try:
            write_atomic(path, b"new", storage)
        except StorageError as error:
            assert str(path) in str(error) and "the disk is full" in str(error) and "\n" not in str(error)
        assert path.read_bytes() in (b"old", b"new")
        assert os.listdir(path.parent) == ["file"]


def test_write_atomic_keeps_the_old_file_when_the_write_fails(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with pytest.raises(StorageError):
        write_atomic(path, b"new", FailingStorage(2))
    assert path.read_bytes() == b"old"


def test_write_atomic_goes_on_after_short_writes(tmp_path: Path) -> None:
    class Short(Storage):
        def write(self, fd: int, data: bytes | memoryview) -> int:
            return super().write(fd, data[:3])

    write_atomic(tmp_path / "file", b"0123456789", Short())
    assert (tmp_path / "file").read_bytes() == b"0123456789"


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "the disk is full"),
        (errno.EDQUOT, "quota"),
        (errno.EROFS, "read-only"),
        (errno.EACCES, "permission denied"),
        (errno.EIO, "I/O error"),
        (errno.ETXTBSY, "Text file busy"),
    ],
)
def test_a_storage_error_says_the_cause(tmp_path: Path, number: int, words: str) -> None:
    with pytest.raises(StorageError, match=words):
        write_atomic(tmp_path / "file", b"x", FailingStorage(1, number))


def test_make_directories_refuses_a_file_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(StorageError):
        make_directories(tmp_path / "file" / "sub", Storage())


def test_sha256(tmp_path: Path) -> None:
    path = tmp_path / "abc"
    path.write_bytes(b"abc")
    expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"  # FIPS 180-4, "abc"
    assert sha256_file(path) == sha256_bytes(b"abc") == expected
    path.write_bytes(b"abc" * 1_000_000)
    assert sha256_file(path) == sha256_bytes(b"abc" * 1_000_000)
    with pytest.raises(StorageError, match="not there"):
        sha256_file(tmp_path / "none")


def test_attempt_names() -> None:
    assert attempt_path(Path("r/A-1.5__sign.json"), 2) == Path("r/A-1.5__sign.attempt-2.json")
    assert attempt_path(Path("r/A-1.5__sign.u64.gz"), 2) == Path("r/A-1.5__sign.attempt-2.u64.gz")
    assert attempt_path(Path("k/A-1.5.log"), 1) == Path("k/A-1.5.attempt-1.log")
    assert samples_path(Path("r/A-1.5__sign.json")) == Path("r/A-1.5__sign.u64.gz")


def test_keep_attempt_takes_the_samples_along_and_never_overwrites(tmp_path: Path) -> None:
    record, samples = tmp_path / "a__sign.json", tmp_path / "a__sign.u64.gz"
    assert keep_attempt(record, 1, Storage()) is None
    record.write_bytes(b"first")
    samples.write_bytes(b"first samples")
    kept = keep_attempt(record, 1, Storage())
    assert kept == tmp_path / "a__sign.attempt-1.json"
    assert sorted(os.listdir(tmp_path)) == ["a__sign.attempt-1.json", "a__sign.attempt-1.u64.gz"]
    # The retry wrote a record and was killed before its step_end: it starts again and keeps again.
    record.write_bytes(b"second, never journalled")
    assert keep_attempt(record, 1, Storage()) == kept
    assert kept.read_bytes() == b"first"
    assert (tmp_path / "a__sign.attempt-1.u64.gz").read_bytes() == b"first samples"


def test_keep_attempt_killed_between_its_two_moves_loses_nothing(tmp_path: Path) -> None:
    record, samples = tmp_path / "a__sign.json", tmp_path / "a__sign.u64.gz"
    record.write_bytes(b"record")
    samples.write_bytes(b"samples")

    class Killed(Storage):
        def rename(self, source: Path, target: Path) -> None:
            if source == record:
                raise KeyboardInterrupt
            super().rename(source, target)

    with pytest.raises(KeyboardInterrupt):
        keep_attempt(record, 1, Killed())
    keep_attempt(record, 1, Storage())
    assert (tmp_path / "a__sign.attempt-1.json").read_bytes() == b"record"
    assert (tmp_path / "a__sign.attempt-1.u64.gz").read_bytes() == b"samples"


U64 = st.integers(0, 2**64 - 1)


@given(st.lists(st.lists(U64, max_size=40), max_size=4))
def test_samples_come_back_and_are_plain_gzip(parts: list[list[int]]) -> None:
    packed = pack_samples(parts)
    assert packed == pack_samples([array("Q", part) for part in parts])
    flat = [value for part in parts for value in part]
    assert gzip.decompress(packed) == b"".join(value.to_bytes(8, "little") for value in flat)
    assert packed[4:8] == bytes(4)  # no time stamp


def test_samples_file(tmp_path: Path) -> None:
    path = tmp_path / "a.u64.gz"
    digest = write_samples(path, [array("Q", [1, 2**64 - 1]), array("Q", [3])], Storage())
    assert digest == sha256_file(path)
    assert list(read_samples(path, digest)) == [1, 2**64 - 1, 3]
    assert list(read_samples(path, None)) == [1, 2**64 - 1, 3]


def test_a_changed_samples_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.u64.gz"
    digest = write_samples(path, [array("Q", range(1000))], Storage())
    good = path.read_bytes()
    path.write_bytes(pack_samples([array("Q", range(1001))]))
    with pytest.raises(StorageError, match="SHA-256"):
        read_samples(path, digest)
    damaged = [
        good[:-1],
        good + b"x",
        b"",
        b"no gzip",
        good[:30] + b"\xff\xff" + good[32:],
        gzip.compress(b"1234567"),
    ]
    for content in damaged:
        path.write_bytes(content)
        with pytest.raises(StorageError):
            read_samples(path, None)
    with pytest.raises(StorageError, match="not there"):
        read_samples(tmp_path / "none", None)


def test_a_samples_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ngcctui.engine.store.MAX_SAMPLES", 1000)
    path = tmp_path / "a.u64.gz"
    write_samples(path, [array("Q", bytes(8 * 1000))], Storage())
    assert len(read_samples(path, None)) == 1000
    write_samples(path, [array("Q", bytes(8 * 1001))], Storage())
    with pytest.raises(StorageError, match="more than 1000"):
        read_samples(path, None)


def test_a_sample_beyond_64_bits_is_refused() -> None:
    with pytest.raises(OverflowError):
        pack_samples([[2**64]])


@pytest.mark.parametrize(
    ("release", "told"),
    [
        ("4.18.0-553.el8", False),
        ("5.7.19", False),
        ("5.16", False),
        ("5.17", True),
        ("6.1.0-1", True),
        ("", False),
    ],
)
def test_a_whole_file_system_is_forced_where_failures_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, release: str, told: bool
) -> None:
    assert _syncfs_tells(release) is told
    if not told:
        monkeypatch.setattr(os, "uname", lambda: SimpleNamespace(release=release))
        fd = os.open(tmp_path, os.O_RDONLY)
        try:
            assert Storage().fsync_all(fd) is False
        finally:
            os.close(fd)


def test_forcing_what_is_no_descriptor_fails() -> None:
    if not _syncfs_tells(os.uname().release):
        pytest.skip("this kernel does not tell")
    with pytest.raises(OSError):
        Storage().fsync_all(-1)
