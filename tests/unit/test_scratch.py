"""The scratch directory of a session."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from ngcctui.engine.scratch import scratch_directory
from ngcctui.model.errors import StorageError


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_it_is_private_and_gone_at_the_end_with_all_in_it(temporary: Path) -> None:
    with scratch_directory() as path:
        assert path.parent == temporary
        assert path.stat().st_mode & 0o777 == 0o700
        (path / "child").mkdir()
        (path / "child" / "file").write_bytes(b"1")
    assert list(temporary.iterdir()) == []


def test_two_sessions_leave_each_other_alone() -> None:
    with scratch_directory() as first:
        with scratch_directory() as second:
            assert first != second
            assert first.is_dir()
        assert first.is_dir()
        assert not second.exists()


def test_what_a_killed_engine_left_is_removed(temporary: Path) -> None:
    left = temporary / "ngcctui-left"
    (left / "child-1").mkdir(parents=True)
    with scratch_directory() as path:
        assert not left.exists()
        assert path.is_dir()


def test_links_and_files_of_that_name_are_not_followed(temporary: Path) -> None:
    elsewhere = temporary / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "precious").write_bytes(b"1")
    (temporary / "ngcctui-link").symlink_to(elsewhere)
    (temporary / "ngcctui-file").write_bytes(b"1")
    with scratch_directory():
        pass
    assert (elsewhere / "precious").exists()
    assert (temporary / "ngcctui-file").exists()
    assert (temporary / "ngcctui-link").is_symlink()


def test_no_place_for_it_is_said_in_one_line(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(temporary / "none"))
    why = "no scratch directory can be made: No such file or directory"
    with pytest.raises(StorageError, match=why), scratch_directory():
        pass


def test_other_users_directories_are_left_alone(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (temporary / "ngcctui-other").mkdir()
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    with pytest.raises(StorageError), scratch_directory():  # nor can it make one that it would own
        pass
    assert (temporary / "ngcctui-other").is_dir()
