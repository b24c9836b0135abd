"""One process of ours, from its exec to the end of the last process below it.

Plain exec without a wrapper or preexec_fn, from the thread that runs the event loop: the child asks for its own death
with that thread (PR_SET_PDEATHSIG).  Its end is seen through a pidfd but it is reaped only after the sweep: as long as
the zombie stays, its id and its process group belong to nobody else and are safe to signal.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import signal
import subprocess
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from ngcctui.engine.child.sweep import descendants, is_subreaper, read_stat, strays
from ngcctui.model.errors import HostError

T = TypeVar("T")

#: How long a killed process may take to die, and the sweep to find nothing alive (s).
KILL_LIMIT_S = 30.0
_SWEEP_PAUSE_S = 0.001

#: Every child that was started here and is not reaped yet.
_known: dict[int, Process] = {}


class Process:
    """A child process.  `output` is the descriptor of its stdout and stderr; its stdin is /dev/null."""

    def __init__(
        self,
        argv: Sequence[str],
        *,
        cwd: Path,
        environment: Mapping[str, str],
        output: int,
        pass_fds: Sequence[int] = (),
        new_session: bool = False,
        limits: Mapping[int, int] | None = None,
    ) -> None:
        """Start `argv`; `limits` are resource limits by number, soft ones.  HostError when it cannot be started."""
        self._exit: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._watch: asyncio.Task[None] | None = None
        self._pidfd = -1
        try:
            with _inherited(limits or {}):
                self._popen = subprocess.Popen(
                    argv,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    pass_fds=pass_fds,
                    cwd=cwd,
                    env=dict(environment),
                    start_new_session=new_session,
                )
        except OSError as error:
            raise HostError(f"{argv[0]}: cannot be started: {error.strerror or error}") from None
        self.pid = self._popen.pid
        _known[self.pid] = self
        self._notice_exit()

    def _notice_exit(self) -> None:
        try:
            self._pidfd = os.pidfd_open(self.pid)
        except OSError:
            # Before Linux 5.3: a thread waits, without reaping.
            self._watch = asyncio.ensure_future(self._wait_in_thread())
        else:
            self._exit.get_loop().add_reader(self._pidfd, self.wake)

    async def _wait_in_thread(self) -> None:
        await asyncio.to_thread(os.waitid, os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)
        self.wake()

    def wake(self) -> None:
        """End the wait of `exited` now: the process has ended, or is of no use any more."""
        if self._pidfd >= 0:
            self._exit.get_loop().remove_reader(self._pidfd)
            os.close(self._pidfd)
            self._pidfd = -1
        if not self._exit.done():
            self._exit.set_result(None)

    async def exited(self, limit_s: float) -> bool:
        """Wait for the end of the process; False when it is still there after `limit_s` seconds."""
        done, _ = await asyncio.wait({self._exit}, timeout=limit_s)
        return bool(done)

    async def end(self) -> tuple[int | None, int]:
        """Kill what lives of the process and of all below it, and reap it.

        Returns the exit code (negative: the signal; None: it would not die) and how many others were alive.
        """
        counted: set[int] = set()
        if not self._is_dead():
            counted = _kill_all(descendants(self.pid))
            self._kill_group()
            await self._until(self._is_dead)
        alive = len(counted) + await self._sweep(counted)
        return self._reap(), alive

    def _is_dead(self) -> bool:
        """True when the process has ended (it stays a zombie)."""
        flags = os.WEXITED | os.WNOWAIT | os.WNOHANG
        return os.waitid(os.P_PID, self.pid, flags) is not None

    def _kill_group(self) -> None:
        _kill(self.pid)
        # No such group as long as the child has not made its own session.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)

    async def _sweep(self, counted: set[int]) -> int:
        """Kill and reap strays until none is left; returns how many were alive besides those in `counted`."""
        own_session = os.getsid(0)
        before = len(counted)

        def none_left() -> bool:
            running = {pid for pid, process in _known.items() if process is not self}
            left = strays(_known.keys(), running, own_session) if is_subreaper() else []
            for stat in left:
                if stat.dead:
                    _reap_stray(stat.pid)
                else:
                    counted.update(_kill_all((stat.pid, *descendants(stat.pid))))
            # Also what the kernel gave to another parent, where it refuses us as a subreaper.
            self._kill_group()
            return not left

        await self._until(none_left)
        return len(counted) - before

    async def _until(self, reached: Callable[[], bool]) -> bool:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + KILL_LIMIT_S
        while not reached():
            if loop.time() > deadline:
                return False
            await asyncio.sleep(_SWEEP_PAUSE_S)
        return True

    def _reap(self) -> int | None:
        if not self._is_dead():
            return None
        code = self._popen.wait()
        _known.pop(self.pid, None)
        self.wake()
        return code


@contextlib.contextmanager
def _inherited(limits: Mapping[int, int]) -> Iterator[None]:
    """Take resource limits on for a moment, so that a child starts with them and all it starts have them too."""
    before = {number: resource.getrlimit(number) for number in limits}
    try:
        for number, value in limits.items():
            hard = before[number][1]
            resource.setrlimit(number, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))
        yield
    finally:
        for number, pair in before.items():
            resource.setrlimit(number, pair)


def _kill(pid: int) -> bool:
    try:
        os.kill(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def _kill_all(pids: Iterable[int]) -> set[int]:
    """Kill processes; returns those that were alive."""
    stats = (read_stat(pid) for pid in pids)
    return {stat.pid for stat in stats if stat is not None and not stat.dead and _kill(stat.pid)}


def _reap_stray(pid: int) -> None:
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)


async def uninterrupted(work: Coroutine[Any, Any, T]) -> T:
    """Finish `work` even when this task is cancelled meanwhile; the cancellation goes on afterwards."""
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError as error:
            if task.cancelled():
                raise
            cancelled = error
    if cancelled is not None:
        raise cancelled
    return task.result()
