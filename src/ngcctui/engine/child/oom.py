"""The kernel's count of processes that its OOM killer ended, for the memory cgroup we run in."""

from __future__ import annotations

from functools import cache
from pathlib import Path


def oom_kills(root: Path = Path("/")) -> int | None:
    """Processes killed so far in our cgroup (v2 or v1), else on the whole machine; None when nothing tells."""
    path = _counter(root)
    return _read(path) if path is not None else None


@cache
def _counter(root: Path) -> Path | None:
    """The file that tells, looked for once: an engine does not change its cgroup."""
    return next((path for path in _counters(root) if _read(path) is not None), None)


def _read(path: Path) -> int | None:
    try:
        lines = path.read_text("ascii", "replace").splitlines()
    except OSError:
        return None
    for line in lines:
        name, _, value = line.partition(" ")
        if name == "oom_kill" and value.strip().isdigit():
            return int(value)
    return None


def _counters(root: Path) -> list[Path]:
    mounts = root / "sys/fs/cgroup"
    paths: list[Path] = []
    try:
        groups = (root / "proc/self/cgroup").read_text("utf-8", "replace").splitlines()
    except OSError:
        groups = []
    for line in groups:
        number, _, rest = line.partition(":")
        controllers, _, group = rest.partition(":")
        below = group.lstrip("/")
        if number == "0" and not controllers:
            paths += [mounts / below / "memory.events", mounts / "unified" / below / "memory.events"]
        elif "memory" in controllers.split(","):
            paths.append(mounts / "memory" / below / "memory.oom_control")
    return [*paths, root / "proc/vmstat"]
