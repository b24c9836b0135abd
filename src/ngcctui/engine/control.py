"""Requests to a running engine: small files that a viewer renames into the run's `control/` directory.

Anyone who may write there can ask, so everything read from there is checked; nothing in it is trusted.
"""

from __future__ import annotations

import errno
import json
import os
import re
import secrets
import stat
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ngcctui.engine.rundir import RunDir
from ngcctui.engine.store import storage_error
from ngcctui.model.errors import ConfigError
from ngcctui.model.step import Step

#: What can be asked; True where a step is named.
REQUESTS = {"pause": False, "resume": False, "skip": True, "retry": True, "stop": False, "stop-now": False}
#: The argument of `retry` that stands for every failed step.
FAILED = "failed"
MAX_BYTES = 4096
MAX_FILES = 200
#: File times are those of the kernel's last tick, up to 10 ms ago: a file that much older is of this session.
_TICK_NS = 20_000_000
_NAME = re.compile(r"(\d{1,20})-(\d{1,10})-([a-z-]{1,20})\.json")


@dataclass(frozen=True)
class Request:
    """One file found in `control/`.

    `problem` is empty for a request to act on, else the reason to drop it (one is: older than the session).
    `mtime_ns` (since 1970) is when it was made, 0 when unknown.
    """

    name: str
    argument: str | None
    path: Path
    mtime_ns: int = 0
    problem: str = ""


def check(name: str, argument: str | None) -> str:
    """Why `name` with `argument` is no request; an empty string when it is one."""
    if name not in REQUESTS:
        return f"unknown request (known: {', '.join(REQUESTS)})"
    if not REQUESTS[name]:
        return f"{name} takes no argument" if argument is not None else ""
    if argument is None:
        return f"{name} needs a step"
    if name == "retry" and argument == FAILED:
        return ""
    try:
        Step.parse(argument)
    except ValueError:
        return f"{name} needs a step id such as measure:sign-17/OPSsig-128/sign"
    return ""


def request(run: RunDir, name: str, argument: str | None = None, now_ns: int | None = None) -> Path:
    """Ask the engine of `run`; returns the file made.

    ConfigError when it is no valid request, StorageError when the file cannot be written.  `now_ns` (since
    1970) orders requests; the default is the clock.
    """
    why = check(name, argument)
    if why:
        raise ConfigError(why)
    content = json.dumps({"request": name, "argument": argument}).encode("ascii") + b"\n"
    stamp = time.time_ns() if now_ns is None else now_ns
    temporary = run.control / f".{secrets.token_hex(8)}.tmp"
    try:
        fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
        try:
            os.write(fd, content)
        finally:
            os.close(fd)
        return _publish(run.control, temporary, stamp, name)
    except OSError as error:
        raise storage_error("written", run.control, error) from None
    finally:
        temporary.unlink(missing_ok=True)


def _publish(directory: Path, temporary: Path, stamp: int, name: str) -> Path:
    while True:
        target = directory / f"{stamp}-{os.getpid()}-{name}.json"
        try:
            os.link(temporary, target)  # unlike a rename it never replaces a request that is already there
            return target
        except FileExistsError:
            stamp += 1
        except OSError as error:
            if error.errno not in (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK):
                raise
            os.replace(temporary, target)  # a file system without hard links
            return target


def poll(run: RunDir, session_start_ns: int = 0) -> list[Request]:
    """The requests that wait, oldest first, at most 200 at a time; each must be `consume`d by the caller.

    `session_start_ns` (since 1970) is when the session began: older requests come with the reason to drop
    them, like files that are none.  StorageError when the directory cannot be read.
    """
    found: list[os.DirEntry[str]] = []
    try:
        with os.scandir(run.control) as entries:
            for entry in entries:
                if not entry.name.startswith("."):
                    found.append(entry)
                    if len(found) == MAX_FILES:
                        break
    except FileNotFoundError:
        return []
    except OSError as error:
        raise storage_error("read", run.control, error) from None
    requests = [_read(run.control / entry.name, session_start_ns) for entry in sorted(found, key=_order)]
    return [request for request in requests if request is not None]


def _order(entry: os.DirEntry[str]) -> tuple[int, str]:
    match = _NAME.fullmatch(entry.name)
    return (int(match[1]) if match else 0, entry.name)


def _read(path: Path, session_start_ns: int) -> Request | None:
    """Read one file; None when it has vanished meanwhile."""
    shown = ascii(path.name)[1:-1][:80]
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError as error:
        why = "is a symbolic link" if error.errno == errno.ELOOP else f"cannot be read: {error.strerror}"
        return Request(shown, None, path, 0, why)
    try:
        status = os.fstat(fd)
        content = os.read(fd, MAX_BYTES + 1) if stat.S_ISREG(status.st_mode) else None
    except OSError as error:
        return Request(shown, None, path, 0, f"cannot be read: {error.strerror}")
    finally:
        os.close(fd)
    if content is None:
        return Request(shown, None, path, 0, "is no regular file")
    age_ns = session_start_ns - status.st_mtime_ns
    name, argument, why = _parse(path.name, content)
    if not why and age_ns > _TICK_NS:
        why = f"made {age_ns / 1e9:.0f} s before this session"
    return Request(name or shown, argument, path, status.st_mtime_ns, why)


def _parse(filename: str, content: bytes) -> tuple[str, str | None, str]:
    match = _NAME.fullmatch(filename)
    if not match:
        return "", None, "its name is none of a request"
    if len(content) > MAX_BYTES:
        return "", None, f"larger than {MAX_BYTES} bytes"
    try:
        data: Any = json.loads(content)
    except (ValueError, RecursionError):
        return "", None, "no JSON"
    if not isinstance(data, dict) or set(data) - {"request", "argument"}:
        return "", None, "no request"
    name, argument = data.get("request"), data.get("argument")
    if not isinstance(name, str) or not (argument is None or isinstance(argument, str)):
        return "", None, "no request"
    if name != match[3]:
        return "", None, "its name and its content disagree"
    why = check(name, argument)
    return (name, None if why else argument, why)


def consume(request: Request) -> None:
    """Remove a request, whatever kind of file it is, so that it is not seen again; StorageError else."""
    try:
        os.unlink(request.path)
    except FileNotFoundError:
        return
    except OSError:
        # A directory cannot be unlinked and may be full; under a dotted name it is out of sight.
        try:
            os.rename(request.path, request.path.with_name(f".dropped-{secrets.token_hex(8)}"))
        except OSError as error:
            raise storage_error("removed", request.path, error) from None
