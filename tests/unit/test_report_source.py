"""Files that a run left are read whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ngcctui.report.source import Unreadable, read_regular


def test_a_file_is_read_whole_up_to_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    for size in (0, 1, 100_000):
        path.write_bytes(b"x" * size)
        assert read_regular(path, 100_000) == read_regular(str(path), 100_000) == b"x" * size
    path.write_bytes(b"x" * (1 << 20) + b"x")
    with pytest.raises(Unreadable, match="larger than 1 MiB"):
        read_regular(path, 1 << 20)


def test_what_is_no_file_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "directory").mkdir()
    for name, said in (
        ("fifo", "no regular file"),
        ("directory", "no regular file"),
        ("none", "cannot be read: No such"),
    ):
        with pytest.raises(Unreadable, match=said):
            read_regular(tmp_path / name)


def test_a_file_that_shrinks_while_it_is_read_gives_what_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "record.json"
    path.write_bytes(b"0123456789")
    pieces = iter([b"0123", b"45", b""])
    monkeypatch.setattr(os, "read", lambda fd, size: next(pieces))
    assert read_regular(path) == b"012345"
