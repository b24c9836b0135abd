"""Holding the measured core alone, and seeing who else is tied to it."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from host_trees import CPU, Tree, smt_server, virtual_machine

from ngcctui.engine.host.core import (
    Holder,
    core_holder,
    core_lock,
    foreign_tasks,
    process_family,
    smt_sibling_run,
    wait_for_core,
)
from ngcctui.model.errors import ExitCode, HostError

HOLD = """
import fcntl, os, sys
fcntl.flock(os.open(sys.argv[1], os.O_RDONLY), fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()
"""


@contextmanager
def holding(directory: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the lock of a directory; `words` end its command line."""
    command = [sys.executable, "-c", HOLD, str(directory), *words]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        try:
            yield process
        finally:
            process.kill()


@pytest.fixture
def shared_root() -> Iterator[Path]:
    """A host with 4 CPUs (2 cores) on a tmpfs, whose locks the real /proc/locks lists as the kernel's own /sys."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as place:
        root = Path(place)
        for cpu in range(4):
            Tree(root).put(f"{CPU}/cpu{cpu}/topology/thread_siblings_list", f"{cpu & ~1}-{cpu | 1}")
        Tree(root).put(f"{CPU}/online", "0-3")
        (root / "proc").symlink_to("/proc")
        yield root


def test_a_core_is_held_by_one_only_and_given_back(shared_root: Path) -> None:
    with core_lock(3, shared_root) as lock:
        assert lock.core == 3
        with pytest.raises(HostError, match="core 3 is taken"):
            core_lock(3, shared_root)
        with core_lock(2, shared_root):
            pass
    with core_lock(3, shared_root):
        pass
    lock.release()  # a second time does no harm


def test_the_holder_is_named_with_its_run(shared_root: Path) -> None:
    words = (
        "-m",
        "ngcctui.engine",
        "--retry",
        "failed",
        "--wait",
        "/runs/20261130T120000Z-quick",
        "--resume",
    )
    with holding(shared_root / CPU / "cpu3", *words) as process, pytest.raises(HostError) as caught:
        core_lock(3, shared_root)
    text = str(caught.value)
    assert caught.value.exit_code is ExitCode.HOST
    assert text.startswith(f"core 3 is taken by process {process.pid} ({sys.executable} -c ")
    assert ", run 20261130T120000Z-quick: wait for it (--wait) or choose another core" in text
    assert text.isprintable()  # one line, whatever the command line holds


def test_a_holder_that_is_no_engine_has_no_run(shared_root: Path) -> None:
    with holding(shared_root / CPU / "cpu1", "ngcctui.engine", "x") as process:
        holder = core_holder(shared_root, 1)
        assert core_holder(shared_root, 0) is None
    assert holder is not None
    assert (holder.pid, holder.run) == (process.pid, None)


def test_a_killed_holder_leaves_the_core_free(shared_root: Path) -> None:
    with holding(shared_root / CPU / "cpu2") as process:
        process.send_signal(signal.SIGKILL)
        process.wait()
        with core_lock(2, shared_root):
            pass


def test_a_program_started_by_the_holder_does_not_keep_the_core(shared_root: Path) -> None:
    lock = core_lock(1, shared_root)
    with subprocess.Popen(["sleep", "60"], close_fds=False) as child:
        lock.release()
        with core_lock(1, shared_root):
            assert child.poll() is None
        child.kill()


def test_a_run_on_the_sibling_is_seen(shared_root: Path) -> None:
    assert smt_sibling_run(shared_root, 2) is None
    with core_lock(2, shared_root):
        assert smt_sibling_run(shared_root, 2) is None  # one's own lock is not a sibling's
        holder = smt_sibling_run(shared_root, 3)
    assert holder is not None
    assert holder.pid == os.getpid()


def test_a_holder_that_is_not_listed_is_said_to_be_unknown(tmp_path: Path) -> None:
    Tree(tmp_path).cpus(2)
    with (
        core_lock(1, tmp_path),
        pytest.raises(HostError, match="a process that /proc/locks does not show here"),
    ):
        core_lock(1, tmp_path)


def test_a_holder_that_ends_while_it_is_looked_up_leaves_the_core_free(
    shared_root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = core_lock(1, shared_root)

    def ended(root: Path, core: int) -> None:
        first.release()

    monkeypatch.setattr("ngcctui.engine.host.core.core_holder", ended)
    core_lock(1, shared_root).release()


def test_lines_of_proc_locks_that_do_not_count(tmp_path: Path) -> None:
    tree = Tree(tmp_path).cpus(12).process(77, command=("python", "-m", "ngcctui.engine", "--resume"))
    status = os.stat(tmp_path / CPU / "cpu1")
    place = f"{os.major(status.st_dev):02x}:{os.minor(status.st_dev):02x}"
    other = [
        f"1: POSIX  ADVISORY  WRITE 77 {place}:{status.st_ino} 0 EOF",
        f"2: FLOCK  ADVISORY  WRITE 77 {place}:{status.st_ino}1 0 EOF",
        f"3: FLOCK  ADVISORY  WRITE 0 {place}:{status.st_ino} 0 EOF",
        f"3: -> FLOCK  ADVISORY  WRITE 77 {place}:{status.st_ino} 0 EOF",
        "soup",
        "",
    ]
    tree.put("proc/locks", "\n".join(other))
    assert core_holder(tmp_path, 1) is None
    tree.put("proc/locks", "\n".join([*other, f"4: FLOCK  ADVISORY  WRITE 77 {place}:{status.st_ino} 0 EOF"]))
    assert core_holder(tmp_path, 1) == Holder(77, "python -m ngcctui.engine --resume", None)
    tree.put("proc/locks", f"4: FLOCK  ADVISORY  WRITE 4040 {place}:{status.st_ino} 0 EOF")
    assert core_holder(tmp_path, 1) == Holder(4040, "[ended]", None)


def test_a_core_that_cannot_be_locked_at_all(tmp_path: Path) -> None:
    with pytest.raises(HostError, match="core 9: .*cpu9 cannot be opened for its lock: No such file"):
        core_lock(9, tmp_path)
    with pytest.raises(HostError, match="core 9: "):
        asyncio.run(wait_for_core(9, tmp_path))


def test_waiting_polls_until_the_core_is_free_and_tells_once(shared_root: Path) -> None:
    first = core_lock(3, shared_root)
    slept: list[float] = []
    told: list[Holder | None] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 3:
            first.release()

    lock = asyncio.run(wait_for_core(3, shared_root, sleep=sleep, on_wait=told.append, poll_s=2.5))
    assert slept == [2.5, 2.5, 2.5]
    assert [holder.pid if holder else None for holder in told] == [os.getpid()]
    with pytest.raises(HostError):
        core_lock(3, shared_root)
    lock.release()


def test_waiting_for_a_free_core_does_not_wait(shared_root: Path) -> None:
    asyncio.run(wait_for_core(0, shared_root)).release()


def test_the_kernels_own_directory_can_be_locked() -> None:
    """The real /sys: any CPU that no run holds at the moment will do."""
    root = Path("/")
    for cpu in sorted(os.sched_getaffinity(0)):
        try:
            lock = core_lock(cpu, root)
        except HostError:
            continue
        with lock:
            holder = core_holder(root, cpu)
            assert holder is not None
            assert holder.pid == os.getpid()
        return
    pytest.skip("every CPU is held by a run")


def test_foreign_tasks_are_user_tasks_tied_to_this_core_alone(tmp_path: Path) -> None:
    tree = smt_server(tmp_path)
    tree.process(200, cpus="12", command=("stress", "--cpu\x1b[2J", "1"))
    tree.process(201, cpus="12-13").process(202, cpus="1").process(203, cpus="2")
    tree.process(204, cpus="12", kernel=True).process(205, cpus="12", state="Z").process(206, cpus="12")
    tree.process(207, cpus="0-15", command=("server",), threads={208: "12", 209: "3", 210: "12"})
    found = foreign_tasks(tmp_path, 12, {100, 206})
    assert [(task.pid, task.tid) for task in found] == [(200, 200), (207, 208), (207, 210)]
    assert found[0].command == r"stress --cpu\x1b[2J 1"
    assert found[1].command == "server"
    assert foreign_tasks(tmp_path, 11, set()) == ()


def test_where_everyone_shares_the_only_core_just_running_tasks_count(tmp_path: Path) -> None:
    tree = Tree(tmp_path).cpus(1).process(300, cpus="0").process(301, cpus="0", state="R")
    assert [task.pid for task in foreign_tasks(tree.root, 0, {100})] == [301]


def test_the_family_of_this_process(tmp_path: Path) -> None:
    tree = virtual_machine(tmp_path).process(100, parent=40).process(40, parent=1).process(41, parent=40)
    tree.put("proc/self/status", tree.get("proc/100/status"))
    assert process_family(tmp_path) == {100, 40, 1}
    tree.process(40, parent=100)  # a loop, which a real /proc read at two moments can show
    assert process_family(tmp_path) == {100, 40}
    assert process_family(tmp_path / "nothing") == frozenset()


def test_a_task_tied_to_a_core_of_this_host_is_seen() -> None:
    root = Path("/")
    cpus = os.sched_getaffinity(0)
    if len(cpus) < 2:
        pytest.skip("one CPU only")
    core = max(cpus)
    with subprocess.Popen(["taskset", "-c", str(core), sys.executable, "-c", "print(1, flush=True); input()"],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:  # fmt: skip
        assert process.stdout is not None
        process.stdout.readline()
        assert process.pid in {task.pid for task in foreign_tasks(root, core, set())}
        assert process.pid not in {task.pid for task in foreign_tasks(root, core, {process.pid})}
        process.kill()
    assert process.pid not in {task.pid for task in foreign_tasks(root, core, set())}
    assert {os.getpid(), os.getppid()} <= process_family(root)
