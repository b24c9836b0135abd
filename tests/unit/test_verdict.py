"""How an exit is judged: table of deaths, and the outcome each gives to its step."""

from __future__ import annotations

import signal
from typing import Any

import pytest

from ngcctui.engine.child import ChildResult, Crash, Death, kat_outcome, timing_outcome
from ngcctui.engine.child.verdict import death_of, near_limit, signal_name
from ngcctui.model.outcome import Outcome


def crash(peak: int = 100, limit: int = 0, near_stack: bool = False) -> Crash:
    return Crash("SIGSEGV", 1, "0x10", near_stack, peak, limit)


ENDED: dict[str, Any] = {"ended": True}


@pytest.mark.parametrize(
    ("code", "facts", "death"),
    [
        (0, ENDED, Death.NORMAL),
        (0, {}, Death.EXITED),
        (3, {}, Death.EXITED),
        (3, ENDED, Death.EXITED),
        (3, {"ended": True, "isolated": False}, Death.NORMAL),
        (1, {"ended": True, "isolated": False}, Death.EXITED),
        (-signal.SIGSEGV, {}, Death.CRASHED),
        (-signal.SIGSEGV, ENDED, Death.CRASHED),
        (-signal.SIGSYS, {}, Death.CRASHED),
        (-signal.SIGABRT, {"crash": crash(95, 100)}, Death.OOM),
        (-signal.SIGSEGV, {"crash": crash(90, 100)}, Death.CRASHED),
        (-signal.SIGSEGV, {"crash": crash(10**9, 0)}, Death.CRASHED),
        (-signal.SIGKILL, {}, Death.KILLED),
        (-signal.SIGKILL, {"oom_killed": True}, Death.OOM),
        (-signal.SIGTERM, {"oom_killed": True}, Death.KILLED),
        (-signal.SIGTERM, {"crash": crash(95, 100)}, Death.KILLED),
        (-signal.SIGKILL, {"timed_out": True}, Death.TIMEOUT),
        (0, {"timed_out": True, "ended": True}, Death.TIMEOUT),
        (None, {}, Death.TIMEOUT),
    ],
)
def test_deaths(code: int | None, facts: dict[str, Any], death: Death) -> None:
    default = {"timed_out": False, "ended": False, "isolated": True, "crash": None, "oom_killed": False}
    assert death_of(code, **(default | facts)) is death


def result(death: Death, **facts: Any) -> ChildResult:
    default = {"exit_code": None, "signal": None, "wall_s": 1.0, "limit_s": 2.5, "pid": 7}
    return ChildResult((), death, **(default | facts))


@pytest.mark.parametrize(
    ("child", "kat", "timing", "detail"),
    [
        (result(Death.EXITED, exit_code=3), "EXITED", "exited", "ended by itself with exit code 3"),
        (result(Death.NORMAL, exit_code=0), "EXITED", "exited", "ended by itself with exit code 0"),
        (result(Death.NORMAL, exit_code=0, end={}), "EXITED", "exited", ""),
        (result(Death.KILLED, signal="SIGTERM"), "KILLED", "killed", "SIGTERM from outside"),
        (result(Death.TIMEOUT, signal="SIGKILL"), "TIMEOUT", "timeout", "not done within 2.5 s"),
        (result(Death.TIMEOUT), "TIMEOUT", "timeout", "not done within 2.5 s, and would not die"),
        (result(Death.CRASHED, signal="SIGILL"), "CRASH", "crashed", "SIGILL"),
        (
            result(Death.CRASHED, signal="SIGSEGV", crash=crash()),
            "CRASH",
            "crashed",
            "SIGSEGV at address 0x10",
        ),
        (
            result(Death.CRASHED, signal="SIGSEGV", crash=crash(near_stack=True)),
            "CRASH",
            "crashed",
            "SIGSEGV at address 0x10: stack overflow",
        ),
        (result(Death.OOM, signal="SIGKILL"), "OOM", "oom", "out of memory: ended by the kernel"),
        (
            result(Death.OOM, signal="SIGABRT", crash=crash(96 << 10, 100 << 10)),
            "OOM",
            "oom",
            "out of memory: peak 96 of 100 MiB, then SIGABRT",
        ),
    ],
)
def test_outcomes(child: ChildResult, kat: str, timing: str, detail: str) -> None:
    assert kat_outcome(child) == (Outcome(kat), detail)
    assert timing_outcome(child) == (Outcome(timing), detail)


def test_a_crash_frame_is_hostile_too() -> None:
    read = Crash.from_data(
        {"signal": "\x1b[2J" * 99, "code": "x", "near_stack": 1, "vm_peak_kib": -1, "vm_limit_kib": True}
    )
    assert len(read.signal) <= 20
    assert "\x1b" not in read.signal
    assert (read.code, read.address, read.near_stack, read.vm_peak_kib, read.vm_limit_kib) == (
        0,
        "",
        False,
        0,
        0,
    )


def test_near_limit() -> None:
    assert near_limit(91, 100)
    assert not near_limit(90, 100)
    assert not near_limit(91, 0)


def test_signal_names() -> None:
    assert signal_name(-11) == "SIGSEGV"
    assert signal_name(-200) == "signal 200"
    assert signal_name(0) is None
    assert signal_name(None) is None
