"""The measured core: choosing it, holding it alone, and seeing who else is tied to it.

The lock is flock(2) on the core's directory in /sys.  It needs no file of its own, works between users, is gone with its
holder however that ends, and the kernel lists the holder in /proc/locks.  Containers with a /sys of their own do not see
each other's locks.
"""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from ngcctui.engine.host.files import fields, format_cpus, names, plain, read, read_cpus
from ngcctui.engine.host.topology import CPU, allowed_cpus, core_types, online_cpus, siblings
from ngcctui.model.errors import ConfigError, HostError

_KERNEL_THREAD = 0x00200000  # PF_KTHREAD in the flags of /proc/<pid>/stat (include/linux/sched.h)
_ENGINE = "ngcctui.engine"
_OPTIONS_WITH_VALUE = ("--retry",)


def choose_core(root: Path, allowed: set[int] | frozenset[int], wanted: int = -1) -> int:
    """The core to measure on: `wanted`, or with -1 the highest allowed CPU of the fastest type.

    CPU 0, where the kernel puts most of its own work, is only chosen when nothing else is allowed.  ConfigError when
    `wanted` does not exist, is switched off or is not allowed, or when no CPU is allowed; it lists the allowed ones.
    """
    online = online_cpus(root)
    usable = online & allowed
    if not usable:
        raise ConfigError(f"core: none of the CPUs {format_cpus(online)} may be used by this process")
    if wanted >= 0:
        if wanted in usable:
            return wanted
        raise ConfigError(
            f"core {wanted}: {_why_not(root, wanted, online)}; allowed here: {format_cpus(usable)}"
        )
    better = usable - {0} or usable
    return next(max(better & kind.cpus) for kind in core_types(root) if better & kind.cpus)


def _why_not(root: Path, wanted: int, online: frozenset[int]) -> str:
    if wanted in online:
        isolated = read_cpus(root, f"{CPU}/isolated") or frozenset()
        hint = (
            f" (it is isolated: start ngcctui with taskset -c {format_cpus(online)})"
            if wanted in isolated
            else ""
        )
        return f"this process may not use that CPU{hint}"
    possible = read_cpus(root, f"{CPU}/present") or online
    return "that CPU is switched off" if wanted in possible else "this host has no such CPU"


@dataclass(frozen=True)
class Task:
    """A task of another program: process, thread (the same for a process's only thread), command line."""

    pid: int
    tid: int
    command: str


def command_line(root: Path, pid: int) -> str:
    """The command line of a process as one printable line; its short name when that is empty."""
    words = [word for word in (read(root, f"proc/{pid}/cmdline") or "").split("\0") if word]
    return plain(" ".join(words) or f"[{read(root, f'proc/{pid}/comm') or 'ended'}]")


def process_family(root: Path = Path("/")) -> frozenset[int]:
    """This process and its ancestors: a shell under `taskset` that only waits for us is not foreign."""
    family: set[int] = set()
    told = fields(read(root, "proc/self/status"))
    while told.get("Pid", "").isdecimal() and int(told["Pid"]) not in family:
        family.add(int(told["Pid"]))
        told = fields(read(root, f"proc/{told.get('PPid', 'none')}/status"))
    return frozenset(family)


def foreign_tasks(root: Path, core: int, own: set[int] | frozenset[int]) -> tuple[Task, ...]:
    """User tasks, not of the processes `own`, whose affinity is this one core and which exist now.

    Where this process itself may use only `core`, every neighbour has the same affinity and that says nothing: there
    only tasks running at this moment count.
    """
    alone = allowed_cpus(root) == {core}
    found: list[Task] = []
    for name in names(root, "proc"):
        if not name.isdecimal() or int(name) in own or _is_kernel_thread(root, int(name)):
            continue
        for thread in names(root, f"proc/{name}/task") or [name]:
            where = f"proc/{name}/task/{thread}" if thread != name else f"proc/{name}"
            told = fields(read(root, f"{where}/status"))
            state = told.get("State", "X")[:1]
            if (
                told.get("Cpus_allowed_list") == str(core)
                and state not in "ZX"
                and (state == "R" or not alone)
            ):
                found.append(Task(int(name), int(thread), command_line(root, int(name))))
    return tuple(sorted(found, key=lambda task: (task.pid, task.tid)))


def _is_kernel_thread(root: Path, pid: int) -> bool:
    # The name in parentheses may itself hold blanks and parentheses; the fields behind it do not.
    rest = (read(root, f"proc/{pid}/stat") or "").rpartition(")")[2].split()
    return len(rest) > 6 and rest[6].isdecimal() and bool(int(rest[6]) & _KERNEL_THREAD)


@dataclass(frozen=True)
class Holder:
    """Who holds a core: process, command line, and the run's name if it is an ngcctui engine."""

    pid: int
    command: str
    run: str | None = None

    def __str__(self) -> str:
        return f"process {self.pid} ({self.command}){f', run {plain(self.run)}' if self.run else ''}"


class CoreLock:
    """A held core; released at the end of the `with` block, by `release()`, or with the process."""

    def __init__(self, core: int, descriptor: int) -> None:
        self.core = core
        self._descriptor = descriptor

    def release(self) -> None:
        """Give the core back; harmless when done twice."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


def core_lock(core: int, root: Path = Path("/")) -> CoreLock:
    """Take the core, without waiting; HostError names who holds it."""
    for _ in range(2):  # a holder that ended between the attempt and the look-up leaves the core free
        lock = _try_lock(core, root)
        if lock is not None:
            return lock
        holder = core_holder(root, core)
        if holder is not None:
            break
    who = holder or "a process that /proc/locks does not show here (another container?)"
    raise HostError(f"core {core} is taken by {who}: wait for it (--wait) or choose another core")


async def wait_for_core(
    core: int,
    root: Path = Path("/"),
    *,
    sleep: Callable[[float], Awaitable[None]] | None = None,
    on_wait: Callable[[Holder | None], None] | None = None,
    poll_s: float = 1.0,
) -> CoreLock:
    """Take the core as soon as it is free, trying every `poll_s` seconds (`sleep`: asyncio's).

    `on_wait` hears once who is waited for, and again when that changes.  HostError only if the core cannot be locked at
    all.
    """
    if sleep is None:
        import asyncio  # here, because commands that only look at the host need no event loop

        sleep = asyncio.sleep
    told: list[Holder | None] = []
    while (lock := _try_lock(core, root)) is None:
        holder = core_holder(root, core)
        if on_wait is not None and told != [holder]:
            on_wait(holder)
            told = [holder]
        await sleep(poll_s)
    return lock


def core_holder(root: Path, core: int) -> Holder | None:
    """Who holds the lock on a core; None when it is free or the holder is not visible from here."""
    try:
        status = os.stat(root / CPU / f"cpu{core}")
    except OSError:
        return None
    place = f"{os.major(status.st_dev):02x}:{os.minor(status.st_dev):02x}:{status.st_ino}"
    for line in (read(root, "proc/locks") or "").splitlines():
        words = line.split()
        # "1: FLOCK ADVISORY WRITE pid device:inode 0 EOF"; a waiting process has "->" as its second word.
        if (
            len(words) >= 6
            and words[1] == "FLOCK"
            and words[5] == place
            and words[4].isdecimal()
            and words[4] != "0"
        ):
            pid = int(words[4])
            return Holder(pid, command_line(root, pid), _run_of(root, pid))
    return None


def smt_sibling_run(root: Path, core: int) -> Holder | None:
    """Who measures on a CPU that shares the physical core with `core`; None if nobody does."""
    return next((holder for cpu in sorted(siblings(root, core)) if (holder := core_holder(root, cpu))), None)


def _try_lock(core: int, root: Path) -> CoreLock | None:
    where = root / CPU / f"cpu{core}"
    try:
        descriptor = os.open(where, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise HostError(f"core {core}: {where} cannot be opened for its lock: {error.strerror}") from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(descriptor)
        if error.errno == errno.EWOULDBLOCK:
            return None
        raise HostError(f"core {core}: {where} cannot be locked: {error.strerror}") from None
    return CoreLock(core, descriptor)


def _run_of(root: Path, pid: int) -> str | None:
    """The run's name in the command line `python -m ngcctui.engine [options] RUN`; None if it is none."""
    words = (read(root, f"proc/{pid}/cmdline") or "").split("\0")
    if "-m" not in words or words[words.index("-m") + 1 :][:1] != [_ENGINE]:
        return None
    rest = words[words.index("-m") + 2 :]
    while rest and rest[0].startswith("-"):
        rest = rest[2:] if rest[0] in _OPTIONS_WITH_VALUE else rest[1:]
    return Path(rest[0]).name if rest else None
