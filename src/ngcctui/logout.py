"""Does logging out end a detached run?  What systemd-logind does with the processes a user leaves behind."""

from __future__ import annotations

import os
import pwd
import re
from collections.abc import Iterator
from pathlib import Path

_YES = ("yes", "true", "on", "1")
_SETTING = re.compile(
    r"^\s*(#?)\s*(KillUserProcesses|KillExcludeUsers|KillOnlyUsers)\s*=\s*(.*?)\s*$", re.MULTILINE
)


def user_name() -> str:
    """Name of the user this process runs as, its number where it has none."""
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return str(os.getuid())


def killed_at_logout(user: str, root: Path = Path("/")) -> str:
    """Why logging out will end this process and what it started; empty when it will not, or nothing is known of it."""
    cgroup = _read(root / "proc/self/cgroup")
    if re.search(r"/session-[^/]+\.scope", cgroup):
        return "logind is set to KillUserProcesses=yes" if _kills_sessions(user, root) else ""
    if re.search(r"/user@\d+\.service", cgroup) and not (root / "var/lib/systemd/linger" / user).exists():
        return f"lingering is off for {user}"
    return ""


def _kills_sessions(user: str, root: Path) -> bool:
    settings = {"KillExcludeUsers": "root", "KillOnlyUsers": ""} | dict(_settings(root))
    if (
        settings.get("KillUserProcesses", "no").lower() not in _YES
        or user in settings["KillExcludeUsers"].split()
    ):
        return False
    only = settings["KillOnlyUsers"].split()
    return not only or user in only


def _settings(root: Path) -> Iterator[tuple[str, str]]:
    """Settings of logind, the ones that count last; the main file's comments show what was built in."""
    places = [root / name for name in ("usr/lib/systemd", "run/systemd", "etc/systemd")]
    mains = [text for place in places if (text := _read(place / "logind.conf"))]
    for built_in in ("#", ""):
        for text in mains:
            yield from ((key, value) for mark, key, value in _SETTING.findall(text) if mark == built_in)
    drop_ins = {
        path.name: path for place in places for path in sorted((place / "logind.conf.d").glob("*.conf"))
    }
    for name in sorted(drop_ins):
        yield from ((key, value) for mark, key, value in _SETTING.findall(_read(drop_ins[name])) if not mark)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
