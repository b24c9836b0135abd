"""Job files: one key a line, readable by their owner alone."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from ngcctui.engine.job import job_text, new_tag, write_job


def test_values_are_lines() -> None:
    text = job_text({"mode": "measure", "cpu": -1, "library": Path("/a=b/\udcff c")})
    assert text == b"mode=measure\ncpu=-1\nlibrary=/a=b/\xff c\n"


@pytest.mark.parametrize(
    ("key", "value"), [("a", "1\nb=2"), ("a", "\0"), ("a=b", "1"), ("", "1"), ("a\n", "1")]
)
def test_a_value_cannot_leave_its_line(key: str, value: str) -> None:
    with pytest.raises(ValueError, match="one line"):
        job_text({key: value})


def test_only_the_owner_reads_it_and_nothing_is_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "job"
    write_job(path, {"a": 1})
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(FileExistsError):
        write_job(path, {"a": 2})
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="link"):
        write_job(tmp_path / "link", {"a": 2})


def test_tags_are_random_hex() -> None:
    tags = {new_tag() for _ in range(50)}
    assert len(tags) == 50
    assert all(len(tag) == 32 and set(tag) <= set("0123456789abcdef") for tag in tags)
