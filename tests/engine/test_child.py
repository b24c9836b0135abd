"""Children that answer, hang, die, print, fork and hide: each is judged right and leaves nothing behind."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from engine.forked import processes_with, run_forked

from ngcctui.engine.child import ChildResult, ChildSpec, Death, run_child, run_tool
from ngcctui.engine.frames import Frame
from ngcctui.model.errors import HostError, StorageError

WORKER = (sys.executable, "-I", "-S", str(Path(__file__).with_name("worker.py")))


def spec(scratch: Path, do: str, limit_s: float = 60.0, log: Path | None = None, **job: str) -> ChildSpec:
    return ChildSpec(WORKER, {"do": do, **job}, limit_s, log, scratch)


def run(scratch: Path, do: str, **arguments: Any) -> ChildResult:
    """Run one worker to its end; nothing of it may be left, in processes or in files."""
    result = run_forked(lambda: run_child(spec(scratch, do, **arguments)))
    assert processes_with(str(scratch)) == []
    assert list(scratch.glob("child-*")) == []
    return result


def test_frames_come_in_order_and_bytes_go_to_the_listener(tmp_path: Path) -> None:
    async def work() -> tuple[ChildResult, list[Frame]]:
        heard: list[Frame] = []
        return await run_child(spec(tmp_path, "everything"), on_frame=heard.append), heard

    result, heard = run_forked(work)
    assert [(frame.type, frame.payload[:3]) for frame in heard] == [
        ("J", b'{"t'),
        ("S", b"\x01\x00\x00"),
        ("J", b'{"t'),
        ("B", b"raw"),
        ("J", b'{"t'),
    ]
    assert [frame.data["type"] for frame in result.frames] == ["setup", "trial", "end"]
    assert (result.death, result.exit_code, result.signal, result.ended) == (Death.NORMAL, 0, None, True)
    assert (result.malformed, result.printed_bytes, result.survivors) == (None, 0, 0)
    assert 0 < result.wall_s < 60


def test_surroundings_are_bare(tmp_path: Path) -> None:
    result = run(tmp_path, "surroundings", colour="red")
    assert result.end is not None
    seen = result.end
    directory = seen["cwd"]
    assert directory.startswith(str(tmp_path / "child-"))
    seen["environment"].pop("LC_CTYPE", None)  # Python's own
    assert seen["environment"] == {
        "PATH": "/usr/bin:/bin",
        "LANG": "C",
        "HOME": directory,
        "TMPDIR": directory,
    }
    assert seen["stdin"] == "/dev/null"
    assert seen["mode"] == 0o600
    # 0, 1, 2, the results, and the one that lists them
    assert len(seen["descriptors"]) == 5
    job = seen["job"]
    assert int(job.pop("result_fd")) in seen["descriptors"]
    assert int(job.pop("parent")) > 1
    assert job == {
        "do": "surroundings",
        "colour": "red",
        "cpu": "-1",
        "memory_limit": "0",
        "files_limit": "64",
        "seccomp": "1",
        "namespaces": "1",
        "live_page": "",
    }


@pytest.mark.parametrize(
    ("do", "code", "death", "ended"),
    [
        ("leave", "0", Death.EXITED, False),
        ("leave", "3", Death.EXITED, False),
        ("leave", "-11", Death.CRASHED, False),
        ("leave", "-15", Death.KILLED, False),
        ("leave", "-9", Death.KILLED, False),
        ("leave_after_end", "0", Death.NORMAL, True),
        ("leave_after_end", "5", Death.EXITED, True),
        ("leave_after_end", "-6", Death.CRASHED, True),
    ],
)
def test_how_it_died(tmp_path: Path, do: str, code: str, death: Death, ended: bool) -> None:
    result = run(tmp_path, do, code=code)
    assert (result.death, result.ended) == (death, ended)
    number = int(code)
    assert result.exit_code == (number if number >= 0 else None)
    assert result.signal == (signal.Signals(-number).name if number < 0 else None)


def test_a_crash_near_the_memory_limit_is_oom(tmp_path: Path) -> None:
    result = run(tmp_path, "run_out_of_memory")
    assert result.death is Death.OOM
    assert result.crash is not None
    assert (result.crash.signal, result.crash.vm_peak_kib) == ("SIGSEGV", 95)


def test_a_signal_from_outside(tmp_path: Path) -> None:
    def send(frame: Frame) -> None:
        os.kill(frame.data["pid"], signal.SIGTERM)

    result = run_forked(lambda: run_child(spec(tmp_path, "wait_plainly"), on_frame=send))
    assert (result.death, result.signal) == (Death.KILLED, "SIGTERM")


def test_the_limit_ends_a_child_that_ignores_signals(tmp_path: Path) -> None:
    result = run(tmp_path, "wait", limit_s=0.2)
    assert (result.death, result.signal, result.survivors) == (Death.TIMEOUT, "SIGKILL", 0)
    assert result.wall_s >= 0.2


def test_the_limit_stands_still_while_the_child_is_held(tmp_path: Path) -> None:
    """Held all the time, far beyond a limit of nothing; then it goes on and ends."""

    async def work() -> tuple[ChildResult, int]:
        until, asked, began = tmp_path / "until", 0, time.monotonic()

        def held_s() -> float:
            nonlocal asked
            asked += 1
            if asked == 5:
                until.touch()
            return time.monotonic() - began

        return await run_child(
            replace(spec(tmp_path, "own_orphan", limit_s=0.0, until=str(until)), held_s=held_s)
        ), asked

    result, asked = run_forked(work)
    assert (result.death, result.ended, asked) == (Death.NORMAL, True, 5)


def test_the_limit_ends_a_child_that_was_held_for_a_while(tmp_path: Path) -> None:
    async def work() -> ChildResult:
        return await run_child(replace(spec(tmp_path, "wait", limit_s=0.1), held_s=lambda: 0.2))

    assert run_forked(work).death is Death.TIMEOUT


def test_the_limit_ends_the_whole_family(tmp_path: Path) -> None:
    result = run(tmp_path, "family", limit_s=0.5)
    assert (result.death, result.survivors) == (Death.TIMEOUT, 2)
    assert [frame.data["type"] for frame in result.frames] == ["ready"]


def test_a_daemon_that_holds_every_pipe_is_ended_and_stops_nobody(tmp_path: Path) -> None:
    result = run(tmp_path, "daemon")
    assert (result.death, result.ended, result.survivors) == (Death.NORMAL, True, 1)


def test_a_process_that_always_is_another_one_is_caught(tmp_path: Path) -> None:
    result = run(tmp_path, "runaway")
    assert (result.death, result.ended) == (Death.NORMAL, True)
    assert result.survivors >= 1


def test_the_end_of_one_child_spares_the_orphans_of_another(tmp_path: Path) -> None:
    async def work() -> tuple[ChildResult, ChildResult]:
        until = tmp_path / "until"
        ready = asyncio.Event()
        busy = asyncio.ensure_future(
            run_child(spec(tmp_path, "own_orphan", until=str(until)), on_frame=lambda _: ready.set())
        )
        await ready.wait()
        other = await run_child(spec(tmp_path, "everything"))
        until.touch()
        return await busy, other

    busy, other = run_forked(work)
    assert busy.end is not None
    assert busy.end["orphan"] == "S"
    assert (other.survivors, busy.survivors) == (0, 1)
    assert processes_with(str(tmp_path)) == []


@pytest.mark.parametrize("do", ["wait", "family"])
def test_cancelling_ends_the_family_first(tmp_path: Path, do: str) -> None:
    async def work() -> list[int]:
        ready = asyncio.Event()
        task = asyncio.ensure_future(run_child(spec(tmp_path, do), on_frame=lambda _: ready.set()))
        await ready.wait()
        task.cancel()
        for _ in range(3):  # a second request does not break off the clearing up
            await asyncio.sleep(0)
            task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return processes_with(str(tmp_path))

    assert run_forked(work) == []
    assert list(tmp_path.glob("child-*")) == []


def test_what_the_listener_raises_ends_the_child_and_goes_on(tmp_path: Path) -> None:
    def refuse(frame: Frame) -> None:
        raise StorageError("the disk is full")

    async def work() -> list[int]:
        with pytest.raises(StorageError, match="the disk is full"):
            await run_child(spec(tmp_path, "wait"), on_frame=refuse)
        return processes_with(str(tmp_path))

    assert run_forked(work) == []


def test_output_is_cut_and_shown_without_power(tmp_path: Path) -> None:
    log = tmp_path / "logs" / "child.log"
    result = run(tmp_path, "print_much", log=log)
    total = len(b"\x1b[2Jfirst\nsecond\n") + 48 * 65536
    assert (result.printed_bytes, result.dropped_bytes) == (total, total - (1 << 20))
    text = log.read_text("utf-8")
    assert text.startswith(f"--- worker.py, process {result.pid}\n\\x1b[2Jfirst\nsecond\nxxx")
    assert text.endswith(f"[{result.dropped_bytes} more bytes were dropped]\n")
    run(tmp_path, "print_much", log=log)
    assert log.read_text("utf-8").count("--- worker.py") == 2


def test_a_silent_child_leaves_no_log(tmp_path: Path) -> None:
    run(tmp_path, "everything", log=tmp_path / "child.log")
    assert not (tmp_path / "child.log").exists()


def test_stray_bytes_on_the_result_descriptor_are_told(tmp_path: Path) -> None:
    result = run(tmp_path, "stray_bytes")
    assert result.ended
    assert result.malformed == "31 stray bytes between the results"


def test_before_linux_5_3_a_thread_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_such_call(pid: int) -> int:
        raise OSError(38, "Function not implemented")

    monkeypatch.setattr(os, "pidfd_open", no_such_call)
    assert run(tmp_path, "everything").death is Death.NORMAL
    assert run(tmp_path, "family", limit_s=0.5).survivors == 2


def test_many_children_leave_no_descriptor_behind(tmp_path: Path) -> None:
    async def work() -> tuple[int, int]:
        counts = []
        for _ in range(2):
            await asyncio.gather(*(run_child(spec(tmp_path, "everything")) for _ in range(4)))
            counts.append(len(os.listdir("/proc/self/fd")))
        return counts[0], counts[1]

    before, after = run_forked(work)
    assert before == after


@pytest.mark.parametrize(
    ("content", "reason"),
    [(None, "No such file or directory"), (b"\x7fELF not really", "Exec format error")],
)
def test_a_program_that_cannot_start_is_told_in_one_line(
    tmp_path: Path, content: bytes | None, reason: str
) -> None:
    program = tmp_path / "driver"
    if content is not None:
        program.write_bytes(content)
        program.chmod(0o755)

    async def work() -> None:
        with pytest.raises(HostError, match=f"driver: cannot be started: {reason}"):
            await run_child(ChildSpec((str(program),), {}, 5, None, tmp_path))

    run_forked(work)
    assert list(tmp_path.glob("child-*")) == []


@pytest.mark.parametrize("broken", ["scratch", "log"])
def test_a_place_that_cannot_be_written_is_told_in_one_line(tmp_path: Path, broken: str) -> None:
    (tmp_path / "file").write_text("")
    scratch = tmp_path / "file" if broken == "scratch" else tmp_path
    log = tmp_path / "file" / "log" if broken == "log" else None

    async def work() -> None:
        with pytest.raises(StorageError, match=r"file.*: cannot be \w+"):
            await run_child(spec(scratch, "print_much", log=log))

    run_forked(work)


def tool(tmp_path: Path, *argv: str, limit_s: float = 60.0) -> tuple[str, str | None]:
    async def work() -> tuple[str, str | None]:
        done = await run_tool(
            argv, cwd=tmp_path, environment={"PATH": "/usr/bin:/bin"}, limit_s=limit_s, keep_bytes=1000
        )
        return done.output, done.problem

    return run_forked(work)


def test_a_tool_and_its_output_in_order(tmp_path: Path) -> None:
    assert tool(tmp_path, "/bin/sh", "-c", "echo 1; echo 2 >&2; pwd") == (f"1\n2\n{tmp_path}\n", None)


@pytest.mark.parametrize(
    ("script", "problem"),
    [
        ("exit 4", "sh: exit code 4"),
        ("kill -9 $$", "sh: ended by SIGKILL"),
        ("sleep 600 & wait", "sh: not done within 0.2 s"),
    ],
)
def test_how_a_tool_fails(tmp_path: Path, script: str, problem: str) -> None:
    limit = 0.2 if "sleep" in script else 60.0
    assert tool(tmp_path, "/bin/sh", "-c", script, str(tmp_path), limit_s=limit)[1] == problem
    assert processes_with(str(tmp_path)) == []


def test_the_output_of_a_tool_is_cut(tmp_path: Path) -> None:
    output, problem = tool(tmp_path, "/bin/sh", "-c", "head -c 5000 /dev/zero")
    assert problem is None
    assert output == "\\x00" * 1000 + "\n[4000 more bytes were dropped]\n"


def test_a_tool_cannot_fill_the_disk(tmp_path: Path) -> None:
    _, problem = tool(tmp_path, "/bin/sh", "-c", "exec truncate -s 3G big")
    assert problem == "sh: ended by SIGXFSZ"
