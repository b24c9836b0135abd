"""Find what a dead child left behind: processes that forked twice, changed their session and now belong to us.

As a subreaper the engine becomes the parent of every orphan below it.  A child of the engine that it did not start,
in another session than its own, is therefore a stray: nobody waits for it.  What is still in the session of a child
that runs (the candidates' KATs run in parallel) is left to that child's own end.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

_PR_SET_CHILD_SUBREAPER = 36


_is_subreaper = False


def become_subreaper() -> bool:
    """Make this process the parent of all orphans below it; False when the kernel refuses (then none are found).

    Call once, from the main thread, before the first child.  From then on every child of this process that is not
    started by this package has to stay in its session, or it is taken for an orphan.
    """
    global _is_subreaper
    signal.signal(
        signal.SIGCHLD, signal.SIG_DFL
    )  # inherited as ignored, it would reap children before we see them
    libc = ctypes.CDLL(None, use_errno=True)
    _is_subreaper = int(libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)) == 0
    return _is_subreaper


def is_subreaper() -> bool:
    """True when orphans can come to this process."""
    return _is_subreaper


@dataclass(frozen=True)
class Stat:
    """The fields of /proc/PID/stat that a sweep needs."""

    pid: int
    state: str
    parent: int
    session: int

    @property
    def dead(self) -> bool:
        """True for a zombie: it only waits to be reaped."""
        return self.state in "ZX"


def read_stat(pid: int, proc: Path = Path("/proc")) -> Stat | None:
    """State, parent and session of a process, None when it is gone."""
    try:
        text = (proc / str(pid) / "stat").read_text("utf-8", "replace")
        fields = text[text.rindex(")") + 2 :].split()
        return Stat(pid, fields[0], int(fields[1]), int(fields[3]))
    except (OSError, ValueError, IndexError):
        return None


def children_of(pid: int, proc: Path = Path("/proc")) -> list[int]:
    """Children of all threads of a process, zombies too; none when it is gone."""
    tasks = proc / str(pid) / "task"
    found: list[int] = []
    try:
        for task in os.listdir(tasks):
            with contextlib.suppress(ProcessLookupError):
                found += map(int, (tasks / task / "children").read_text("ascii").split())
    except FileNotFoundError:
        if (proc / str(pid)).exists() and not (
            proc / "self" / "task" / str(os.getpid()) / "children"
        ).exists():
            return _children_by_parent(pid, proc)
    except (OSError, ValueError):
        return found
    return found


def _children_by_parent(pid: int, proc: Path) -> list[int]:
    """The slow way, for kernels without `children` files: ask every process for its parent."""
    stats = (read_stat(int(name), proc) for name in os.listdir(proc) if name.isdigit())
    return [stat.pid for stat in stats if stat is not None and stat.parent == pid]


def strays(
    known: Collection[int], running: Collection[int], own_session: int, proc: Path = Path("/proc")
) -> list[Stat]:
    """Orphans that became children of this process.

    `known` are the children that it started and has not reaped, `running` those of them that are still at work.
    """
    found = []
    for pid in children_of(os.getpid(), proc):
        stat = read_stat(pid, proc) if pid not in known else None
        if stat is not None and stat.session != own_session and stat.session not in running:
            found.append(stat)
    return found


def descendants(pid: int, proc: Path = Path("/proc")) -> list[int]:
    """All processes below `pid`, nearest first."""
    below: list[int] = []
    layer = children_of(pid, proc)
    while layer:
        below += layer
        layer = [child for parent in layer for child in children_of(parent, proc) if child not in below]
    return below
