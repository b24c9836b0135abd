"""Job files: what a child is asked to do, as `key=value` lines; its path is the child's only argument."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from pathlib import Path


def new_tag() -> str:
    """A random tag (32 lower-case hex digits) that marks the frames of one child."""
    return secrets.token_hex(16)


def job_text(values: Mapping[str, str | int | Path]) -> bytes:
    """The content of a job file; ValueError when a key or value would break out of its line."""
    lines = []
    for key, value in values.items():
        text = str(value)
        if not key or any(c in key for c in "=\n\0") or any(c in text for c in "\n\0"):
            raise ValueError(f"job key {key!r}: a value is one line of text")
        lines.append(f"{key}={text}\n")
    return "".join(lines).encode("utf-8", "surrogateescape")


def write_job(path: Path, values: Mapping[str, str | int | Path]) -> None:
    """Write a new job file that only its owner can read; OSError when it cannot be written."""
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    with open(fd, "wb") as file:
        file.write(job_text(values))
