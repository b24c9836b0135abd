"""Read the small text files of /proc and /sys below a root, so that a test can hand in a tree of its own.

A file that is missing, unreadable or refused by its driver is simply not told: None, never an exception and never a guess.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

#: The kernel's files are far smaller; what lies behind it (a runaway fake, a pipe) is not read.
MAX_BYTES = 8 << 20
#: Largest CPU number a list may name (the kernel's own bound is 8192 CPUs).
MAX_CPU = 8191

_CPU_RANGE = re.compile(r"([0-9]{1,5})(?:-([0-9]{1,5})(?::([0-9]{1,5})/([0-9]{1,5}))?)?")


def read(root: Path, name: str) -> str | None:
    """Text of the file `name` (relative to `root`, as in "proc/stat") without outer blanks and NULs; None if not told."""
    try:
        descriptor = os.open(os.path.join(root, name), os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        parts: list[bytes] = []
        size = 0
        while size < MAX_BYTES and (part := os.read(descriptor, 1 << 16)):
            parts.append(part)
            size += len(part)
    except OSError:
        return None
    finally:
        os.close(descriptor)
    return b"".join(parts).decode("utf-8", "replace").strip(" \t\r\n\0")


def read_int(root: Path, name: str) -> int | None:
    """The decimal number in file `name`; None if the file is not told or holds something else."""
    text = read(root, name)
    return int(text) if text is not None and re.fullmatch(r"-?[0-9]{1,20}", text) else None


def names(root: Path, directory: str) -> list[str]:
    """Sorted names of the entries of `directory`; empty if it is not told."""
    try:
        return sorted(os.listdir(os.path.join(root, directory)))
    except OSError:
        return []


def fields(text: str | None) -> dict[str, str]:
    """The `name: value` lines of files like /proc/meminfo and /proc/self/status; the first of a name counts."""
    found: dict[str, str] = {}
    for line in (text or "").splitlines():
        name, colon, value = line.partition(":")
        if colon:
            found.setdefault(name.strip(), value.strip())
    return found


def parse_cpus(text: str) -> frozenset[int]:
    """CPU numbers of a kernel list such as `0-3,8` or `0-30:1/2` (1 of every 2); ValueError if it is none.

    The empty list is a list: the kernel writes it for "no CPU".
    """
    cpus: set[int] = set()
    for part in text.strip().split(",") if text.strip() else ():
        match = _CPU_RANGE.fullmatch(part.strip())
        if match is None:
            raise ValueError(f"not a CPU list: {text[:80]!r}")
        first, last, used, group = (None if number is None else int(number) for number in match.groups())
        assert first is not None
        last = first if last is None else last
        used, group = (used, group) if used and group else (1, 1)
        if not first <= last <= MAX_CPU or used > group:
            raise ValueError(f"not a CPU list: {text[:80]!r}")
        cpus.update(cpu for cpu in range(first, last + 1) if (cpu - first) % group < used)
    return frozenset(cpus)


def cpus_or_none(text: str | None) -> frozenset[int] | None:
    """Like `parse_cpus`, but None for no text and for text that is no list."""
    try:
        return None if text is None else parse_cpus(text)
    except ValueError:
        return None


def read_cpus(root: Path, name: str) -> frozenset[int] | None:
    """The CPU list in file `name`; None if the file is not told or holds no list."""
    return cpus_or_none(read(root, name))


def format_cpus(cpus: frozenset[int] | set[int]) -> str:
    """The kernel's list for a set of CPU numbers: `0-3,8`; `none` for the empty set."""
    runs: list[list[int]] = []
    for cpu in sorted(cpus):
        if runs and cpu == runs[-1][1] + 1:
            runs[-1][1] = cpu
        else:
            runs.append([cpu, cpu])
    return ",".join(f"{first}-{last}" if last > first else f"{first}" for first, last in runs) or "none"


def plain(text: str, limit: int = 160) -> str:
    """One printable line of at most `limit` characters from foreign text; other characters appear as escapes."""
    line = "".join(
        c if c.isprintable() else c.encode("unicode_escape", "replace").decode("ascii")
        for c in text[: limit + 1]
    )
    return line if len(line) <= limit else line[: limit - 3] + "..."
