"""How a child died, and what that means for the step it worked on."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from ngcctui.engine.printed import shown_line
from ngcctui.model.outcome import Outcome

if TYPE_CHECKING:
    from ngcctui.engine.child.run import ChildResult

#: A process that died with its peak above this part of its memory limit ran out of memory.
OOM_SHARE = 0.9

#: Exit code of a child that could not isolate itself; it says so in its last frame.
EXIT_NOT_ISOLATED = 3

#: Signals that somebody else sends; no fault of a program raises them by itself.
_SENT = frozenset({signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT})


class Death(str, Enum):
    """How a child died."""

    NORMAL = "normal"
    EXITED = "exited"  # by itself, before its last frame or with an exit code behind it
    CRASHED = "crashed"  # by a signal that its own fault raised
    KILLED = "killed"  # by a signal from outside
    TIMEOUT = "timeout"
    OOM = "oom"


#: What a death before the last frame means: for a KAT step, for a measuring step.
_OUTCOMES = {
    Death.NORMAL: (Outcome.EXITED, Outcome.EXITED_EARLY),
    Death.EXITED: (Outcome.EXITED, Outcome.EXITED_EARLY),
    Death.CRASHED: (Outcome.CRASH, Outcome.CRASHED),
    Death.KILLED: (Outcome.KILLED, Outcome.WAS_KILLED),
    Death.TIMEOUT: (Outcome.TIMEOUT, Outcome.TIMED_OUT),
    Death.OOM: (Outcome.OOM, Outcome.OUT_OF_MEMORY),
}


@dataclass(frozen=True)
class Crash:
    """What the child's crash handler saw; memory in KiB, 0 where it is unknown or unlimited."""

    signal: str
    code: int
    address: str
    near_stack: bool
    vm_peak_kib: int
    vm_limit_kib: int

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Crash:
        """Read a crash frame; what does not fit its field is left at its neutral value."""

        def number(key: str) -> int:
            value = data.get(key)
            return value if type(value) is int and value >= 0 else 0

        return cls(
            signal=shown_line(str(data.get("signal", "")), 20),
            code=number("code"),
            address=shown_line(str(data.get("address", "")), 20),
            near_stack=data.get("near_stack") is True,
            vm_peak_kib=number("vm_peak_kib"),
            vm_limit_kib=number("vm_limit_kib"),
        )


def death_of(
    code: int | None, *, timed_out: bool, ended: bool, isolated: bool, crash: Crash | None, oom_killed: bool
) -> Death:
    """Judge an exit.

    `code` is the exit code, negative for a signal, None for a process that would not die; `ended` tells that its last
    frame came, `isolated` is False when that frame says that it could not isolate itself; `oom_killed` that the
    kernel's OOM killer was at work meanwhile.
    """
    if timed_out or code is None:
        return Death.TIMEOUT
    if code >= 0:
        clean = code == 0 or (code == EXIT_NOT_ISOLATED and not isolated)
        return Death.NORMAL if ended and clean else Death.EXITED
    if -code == signal.SIGKILL and oom_killed:
        return Death.OOM
    if -code in _SENT:
        return Death.KILLED
    full = crash is not None and near_limit(crash.vm_peak_kib, crash.vm_limit_kib)
    return Death.OOM if full else Death.CRASHED


def near_limit(peak_kib: int, limit_kib: int) -> bool:
    """True when a process used more than OOM_SHARE of its memory limit (0: there is none)."""
    return limit_kib > 0 and peak_kib > OOM_SHARE * limit_kib


def signal_name(code: int | None) -> str | None:
    """`SIGSEGV` for exit code -11; None when it is no signal."""
    if code is None or code >= 0:
        return None
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"


def kat_outcome(child: ChildResult) -> tuple[Outcome, str]:
    """Outcome of a KAT step whose worker died before its last frame, and one line that tells how."""
    return _OUTCOMES[child.death][0], describe(child)


def timing_outcome(child: ChildResult) -> tuple[Outcome, str]:
    """Outcome of a calibrate, measure or profile step whose driver died, and one line that tells how."""
    return _OUTCOMES[child.death][1], describe(child)


def describe(child: ChildResult) -> str:
    """How a child died, in a few words."""
    crash = child.crash
    if child.death is Death.TIMEOUT:
        stuck = ", and would not die" if child.exit_code is None and child.signal is None else ""
        return f"not done within {child.limit_s:g} s{stuck}"
    if child.death is Death.OOM:
        if crash is None or child.signal == "SIGKILL":
            return "out of memory: ended by the kernel"
        return f"out of memory: peak {crash.vm_peak_kib >> 10} of {crash.vm_limit_kib >> 10} MiB, then {child.signal}"
    if child.death is Death.KILLED:
        return f"{child.signal} from outside"
    if child.death is Death.CRASHED:
        where = f" at address {crash.address}" if crash is not None and crash.address else ""
        return f"{child.signal}{where}" + (
            ": stack overflow" if crash is not None and crash.near_stack else ""
        )
    return (
        ""
        if child.death is Death.NORMAL and child.ended
        else f"ended by itself with exit code {child.exit_code}"
    )
