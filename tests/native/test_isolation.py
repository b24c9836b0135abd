"""The walls around a candidate: what its code can still do, how it dies, and with whom."""

from __future__ import annotations

import ctypes
import errno
import os
import select
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from driver_kit import ISOLATION_SOURCES, TAG, build_toy, job_file, lines, report, run_driver
from workshop import Workshop

from ngcctui.engine.frames import FrameReader

HERE = Path(__file__).resolve().parent
PROTECTIONS = (
    "session",
    "memory_limit",
    "core_limit",
    "files_limit",
    "affinity",
    "namespaces",
    "capabilities",
    "parent_death",
    "no_new_privs",
    "no_dump",
    "descriptors",
    "crash_report",
    "seccomp",
)


@pytest.fixture(scope="session")
def isolation(workshop: Workshop) -> Path:
    flags = ["-shared", "-fvisibility=hidden", "-Wl,-z,defs"]
    return workshop.compile("isolation.so", ISOLATION_SOURCES, flags=flags)


def probing(workshop: Workshop, snippet: str) -> Path:
    """A toy whose keygen runs a probe."""
    return build_toy(workshop, f"IN_KEYGEN={snippet}", include=[HERE], flags=["-include", "probes.h"])


class TestReport:
    def test_names_every_protection(self, driver: Path, toy: Path) -> None:
        states = report(run_driver(driver, toy, cpu=min(os.sched_getaffinity(0))))
        assert tuple(states)[: len(PROTECTIONS)] == PROTECTIONS
        assert {name for name in PROTECTIONS if states[name] != "on"} <= {"namespaces"}
        assert states["namespaces"] == "on" or states["namespaces"].startswith("refused: unshare: ")

    def test_what_is_not_asked_for_is_off(self, driver: Path, toy: Path) -> None:
        states = report(run_driver(driver, toy, seccomp=0, namespaces=0, memory_limit=0, files_limit=0))
        off = {"seccomp", "namespaces", "memory_limit", "files_limit", "affinity", "counter", "live_page"}
        assert {name for name, state in states.items() if state == "off"} == off


class TestCalls:
    def test_what_is_denied_and_what_is_not(self, driver: Path, workshop: Workshop) -> None:
        run = run_driver(driver, probing(workshop, "probe_calls();"), iterations=1, namespaces=0)
        assert run.end["status"] == "ok"
        met = {name: int(code) for name, code in lines(run.stderr).items()}
        allowed = {name for name, code in met.items() if code == 0}
        assert allowed == {"kill_self", "name", "thread"}
        assert met.pop("clone3") == errno.ENOSYS
        assert {code for name, code in met.items() if name not in allowed} == {errno.EPERM}

    def test_processes_are_possible_without_the_filter(self, driver: Path, workshop: Workshop) -> None:
        snippet = 'PROBE("fork", make_process(fork())); PROBE("thread", make_thread());'
        run = run_driver(driver, probing(workshop, snippet), iterations=1, seccomp=0)
        assert lines(run.stderr) == {"fork": "0", "thread": "0"} and run.end["status"] == "ok"

    def test_no_network_without_the_filter(self, driver: Path, workshop: Workshop) -> None:
        connect = (
            "struct sockaddr_in at = {0}; at.sin_family = AF_INET; at.sin_port = 9; at.sin_addr.s_addr = 0x0100007f;"
            'PROBE("connect", connect(socket(AF_INET, SOCK_DGRAM, 0), (struct sockaddr *)&at, sizeof at));'
        )
        run = run_driver(driver, probing(workshop, connect), iterations=1, seccomp=0)
        if report(run)["namespaces"] != "on":
            pytest.skip("no namespaces here")
        assert int(lines(run.stderr)["connect"]) == errno.ENETUNREACH

    def test_rights_and_limits(self, driver: Path, workshop: Workshop) -> None:
        run = run_driver(driver, probing(workshop, "probe_state();"), iterations=1, files_limit=33)
        state = {name: value.strip() for name, value in lines(run.stderr).items()}
        assert state["CapPrm"] == state["CapEff"] == state["CapInh"] == "0" * 16
        assert (state["NoNewPrivs"], state["Seccomp"]) == ("1", "2")
        assert (state["dumpable"], state["session"], state["core"], state["files"]) == ("0", "1", "0", "33")
        assert int(state["raise_limit"]) == errno.EPERM

    def test_speculation_is_not_slowed_by_the_filter(self, driver: Path, workshop: Workshop) -> None:
        run = run_driver(driver, probing(workshop, "probe_state();"), iterations=1)
        store_bypass = lines(run.stderr).get("Speculation_Store_Bypass", "unknown").strip()
        assert store_bypass != "thread force mitigated"

    def test_memory_limit(self, driver: Path, workshop: Workshop) -> None:
        snippet = 'PROBE("big", malloc(200u << 20) ? 0 : -1); PROBE("small", malloc(20u << 20) ? 0 : -1);'
        run = run_driver(driver, probing(workshop, snippet), iterations=1, memory_limit=100 << 20)
        met = lines(run.stderr)
        assert int(met["big"]) == errno.ENOMEM and int(met["small"]) == 0


class TestDescriptors:
    def seen(self, stderr: str) -> list[int]:
        return sorted(map(int, lines(stderr)["open"].split()))

    def test_the_candidate_sees_its_own_four(self, driver: Path, workshop: Workshop) -> None:
        library = probing(workshop, 'probe_descriptors("open");')
        leaked = [os.open("/dev/null", os.O_RDONLY) for _ in range(40)]
        run = run_driver(driver, library, iterations=1, pass_fds=leaked)
        for fd in leaked:
            os.close(fd)
        assert self.seen(run.stderr) == [0, 1, 2, 3]

    def test_the_counter_is_one_more(self, driver: Path, workshop: Workshop) -> None:
        library = probing(workshop, 'probe_descriptors("open");')
        run = run_driver(driver, library, iterations=1, counter="1:1:tsc")  # the software event `task-clock`
        if not report(run)["counter"].startswith("on"):
            pytest.skip("no perf events here")
        assert len(self.seen(run.stderr)) == 5 and self.seen(run.stderr)[:4] == [0, 1, 2, 3]


class TestCore:
    def test_pinned(self, driver: Path, workshop: Workshop) -> None:
        library = probing(workshop, "probe_state();")
        for cpu in sorted(os.sched_getaffinity(0))[:2]:
            run = run_driver(driver, library, iterations=1, cpu=cpu)
            assert lines(run.stderr)["Cpus_allowed_list"].strip() == str(cpu)
            trial = run.trials[0][0]
            assert trial["cpu_before"] == trial["cpu_after"] == cpu

    def test_a_core_that_is_not_there(self, driver: Path, workshop: Workshop) -> None:
        library = build_toy(workshop, 'ON_LOAD=fprintf(stderr, "loaded\\n");')
        run = run_driver(driver, library, cpu=8191)
        assert run.returncode == 3 and "loaded" not in run.stderr
        assert run.end["status"] == "isolation" and run.end["detail"].startswith(
            "affinity: sched_setaffinity: "
        )


class TestParent:
    def test_gone_before_the_start(self, driver: Path, toy: Path) -> None:
        run = run_driver(driver, toy, parent=1 << 29)
        assert run.returncode == 3
        assert run.end["detail"] == f"parent_death: the parent, process {1 << 29}, is gone"

    def test_dies_with_its_parent(self, driver: Path, workshop: Workshop, tmp_path: Path) -> None:
        library = build_toy(workshop, 'IN_KEYGEN=fprintf(stderr, "ready\\n"); for (;;) pause();')
        start = (
            "import os, subprocess, sys; out = os.dup(1);"
            "open(sys.argv[2], 'a').write(f'parent={os.getpid()}\\nresult_fd={out}\\n');"
            "p = subprocess.Popen(sys.argv[1:3], stderr=subprocess.PIPE, pass_fds=[out]); p.stderr.readline();"
            "print(p.pid, file=sys.stderr, flush=True); sys.stdin.read()"
        )
        job: dict[str, Any] = {
            "tag": TAG,
            "mode": "measure",
            "function": "signature",
            "operation": "keygen",
            "library": library,
        }
        path = job_file(tmp_path / "job", job)
        pipe = subprocess.PIPE
        with subprocess.Popen(
            [sys.executable, "-c", start, driver, path], stdin=pipe, stdout=pipe, stderr=pipe
        ) as parent:
            assert parent.stderr is not None
            child = os.pidfd_open(int(parent.stderr.readline()))
            alive = not select.select([child], [], [], 0)[0]
            parent.kill()
        ended = select.select([child], [], [], 30)[0]
        os.close(child)
        assert alive and ended


class TestCrashes:
    @pytest.mark.parametrize(
        ("snippet", "name", "near_stack"),
        [
            ("*(volatile int *)16 = 1;", "SIGSEGV", False),
            ("abort();", "SIGABRT", False),
            ("raise(SIGFPE);", "SIGFPE", False),
            ("raise(SIGSYS);", "SIGSYS", False),
            (
                '__asm__ volatile(".long 0");'
                if os.uname().machine == "aarch64"
                else '__asm__ volatile("ud2");',
                "SIGILL",
                False,
            ),
            (
                '*(volatile char *)mmap(0, 4096, 1, MAP_PRIVATE, open("/proc/self/exe", 0), 1 << 30);',
                "SIGBUS",
                False,
            ),
            ("deeper(sn);", "SIGSEGV", True),
            ("far_below();", "SIGSEGV", True),
            ("volatile char *at = __builtin_frame_address(0); for (;;) *at++ = 1;", "SIGSEGV", False),
        ],
    )
    def test_told_in_the_last_frame(
        self, driver: Path, workshop: Workshop, snippet: str, name: str, near_stack: bool
    ) -> None:
        overflows = workshop.directory / "overflows.h"
        overflows.write_text(
            "#ifndef OVERFLOWS_H\n#define OVERFLOWS_H\nstatic inline void deeper(unsigned char *at)\n"
            "{\n    volatile unsigned char frame[512];\n\n    frame[0] = *at;\n"
            "    deeper((unsigned char *)frame);\n    *at = frame[1];\n}\n"
            "static inline void far_below(void)\n{\n    volatile char big[40 << 20];\n\n    big[5 << 20] = 1;\n}\n#endif\n"
        )
        library = build_toy(
            workshop, f"IN_SIGN={snippet}", include=[workshop.directory], flags=["-include", "overflows.h"]
        )
        run = run_driver(driver, library, operation="sign")
        assert run.returncode == -getattr(signal, name)
        assert run.frames[-1].type == "C" and "end" not in run.objects
        assert (run.crash["signal"], run.crash["near_stack"]) == (name, near_stack)
        assert run.crash["vm_limit_kib"] == 1 << 20 and 1000 < run.crash["vm_peak_kib"] < 1 << 20

    def test_address_and_code(self, driver: Path, workshop: Workshop) -> None:
        library = build_toy(workshop, "IN_KEYGEN=*(volatile int *)0x1230 = 1;")
        crash = run_driver(driver, library, memory_limit=0).crash
        assert (crash["address"], crash["code"], crash["vm_limit_kib"]) == ("0x1230", 1, 0)

    def test_in_a_constructor(self, driver: Path, workshop: Workshop) -> None:
        run = run_driver(driver, build_toy(workshop, "ON_LOAD=abort();"))
        assert run.crash["signal"] == "SIGABRT" and "setup" not in run.objects

    def test_in_a_thread(self, driver: Path, workshop: Workshop) -> None:
        snippet = "pthread_t other; pthread_create(&other, 0, (void *(*)(void *))abort, 0); for (;;) pause();"
        run = run_driver(driver, build_toy(workshop, f"IN_KEYGEN={snippet}"))
        assert run.returncode == -signal.SIGABRT and run.crash["signal"] == "SIGABRT"

    def test_memory_that_ran_out_shows_in_the_peak(self, driver: Path, workshop: Workshop) -> None:
        eater = "for (;;) { char *p = malloc(1 << 20); *(volatile char *)p = 1; }"
        crash = run_driver(driver, build_toy(workshop, f"IN_KEYGEN={eater}"), memory_limit=64 << 20).crash
        assert crash["signal"] == "SIGSEGV" and crash["vm_limit_kib"] == 64 << 10
        assert crash["vm_peak_kib"] > 0.9 * crash["vm_limit_kib"]


def test_a_library_behind_a_closed_door(driver: Path, toy: Path, tmp_path: Path) -> None:
    """Root may enter another user's directory; in its user namespace the driver may not, and still loads the library."""
    if os.geteuid() != 0:
        pytest.skip("only root can make such a directory")
    home = tmp_path / "home"
    home.mkdir(0o700)
    library = home / "candidate.so"
    library.write_bytes(toy.read_bytes())
    os.chown(home, 12345, 12345)
    run = run_driver(driver, library)
    assert run.end["status"] == "ok", run.end


class TestForPython:
    """isolation.so, as a Python worker uses it."""

    WORKER = """
import ctypes, os, sys
isolation = ctypes.CDLL(sys.argv[1])
isolation.ngcc_isolate_error.restype = isolation.ngcc_isolate_report.restype = ctypes.c_char_p
isolation.ngcc_isolate_library.restype = ctypes.c_char_p
isolation.ngcc_frame.argtypes = [ctypes.c_char, ctypes.c_char_p, ctypes.c_ulonglong]
if isolation.ngcc_isolate(os.fsencode(sys.argv[2])):
    sys.exit(isolation.ngcc_isolate_error().decode())
library = ctypes.CDLL(isolation.ngcc_isolate_library().decode())
isolation.ngcc_isolate_library_loaded()
library.ngcc_instance.restype = ctypes.c_char_p
try:
    os.fork()
except PermissionError:
    isolation.ngcc_frame(b"J", isolation.ngcc_isolate_report(), len(isolation.ngcc_isolate_report()))
    isolation.ngcc_frame(b"B", library.ngcc_instance(), 5)
print(len(os.listdir("/proc/self/fd")), flush=True)
ctypes.string_at(16)
"""

    def worker(self, isolation: Path, job: Path, writer: int) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-I", "-c", self.WORKER, str(isolation), str(job)]
        return subprocess.run(command, pass_fds=[writer], check=False, capture_output=True, timeout=60)

    def test_isolates_a_running_interpreter(self, isolation: Path, toy: Path, tmp_path: Path) -> None:
        reader, writer = os.pipe()
        values: dict[str, Any] = {
            "tag": TAG,
            "result_fd": writer,
            "parent": os.getpid(),
            "library": toy,
            "memory_limit": 1 << 30,
        }
        done = self.worker(isolation, job_file(tmp_path / "job", values), writer)
        os.close(writer)
        with open(reader, "rb") as results:
            frames = list(FrameReader(TAG).feed(results.read()))
        assert [frame.type for frame in frames] == ["J", "B", "C"], done.stderr
        assert tuple(frames[0].data) == PROTECTIONS and frames[0].data["seccomp"] == "on"
        assert frames[1].payload == b"toy-1"
        assert frames[2].data["signal"] == "SIGSEGV" and done.returncode == -signal.SIGSEGV
        # The directory that lists them is the fifth.
        assert done.stdout == b"5\n"

    def test_refusal(self, isolation: Path, tmp_path: Path) -> None:
        reader, writer = os.pipe()
        job = job_file(tmp_path / "job", {"tag": TAG, "result_fd": writer, "parent": 1 << 29})
        done = self.worker(isolation, job, writer)
        assert done.returncode == 1 and b"parent_death: the parent" in done.stderr
        done = self.worker(isolation, tmp_path / "missing", writer)
        os.close(reader)
        os.close(writer)
        assert done.returncode == 1 and b"No such file or directory" in done.stderr

    def test_exports_its_interface_only(self, isolation: Path) -> None:
        listed = subprocess.run(
            ["nm", "-D", "--defined-only", isolation], check=True, capture_output=True, text=True
        )
        assert {line.split()[-1] for line in listed.stdout.splitlines()} == {
            "ngcc_frame",
            "ngcc_isolate",
            "ngcc_isolate_error",
            "ngcc_isolate_library",
            "ngcc_isolate_library_loaded",
            "ngcc_isolate_report",
        }
        assert ctypes.CDLL(str(isolation)).ngcc_frame(b"J", b"", ctypes.c_ulonglong(0)) == -1
