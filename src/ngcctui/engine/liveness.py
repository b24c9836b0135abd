"""Is the engine that a journal names still alive?  A pid alone does not tell: it is used again."""

from __future__ import annotations

from pathlib import Path


def boot_id(root: Path = Path("/")) -> str:
    """The kernel's id of this boot; an empty string when it does not tell."""
    try:
        return (root / "proc/sys/kernel/random/boot_id").read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""


def start_ticks(pid: int, root: Path = Path("/")) -> int | None:
    """Start time of a process in clock ticks since boot (field 22 of /proc/PID/stat).

    None when there is no such process or it is dead and only waits to be reaped.
    """
    try:
        text = (root / "proc" / str(pid) / "stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    # The command in parentheses can hold blanks and parentheses too: count behind the last one.
    fields = text.rpartition(")")[2].split()
    if len(fields) < 20 or fields[0] in ("Z", "X", "x") or not fields[19].isdigit():
        return None
    return int(fields[19])


def process_alive(pid: int, pid_start: int, boot: str, root: Path = Path("/")) -> bool:
    """True when process `pid`, started at tick `pid_start` of boot `boot`, still runs on this machine."""
    return pid > 0 and boot == boot_id(root) and start_ticks(pid, root) == pid_start
