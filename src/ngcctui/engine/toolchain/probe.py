"""Find the C compiler and ask it, once, who it is and which optional flags it knows."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from ngcctui.engine.printed import shown_line
from ngcctui.engine.toolchain.flags import ALWAYS, OPTIONAL
from ngcctui.model.errors import ConfigError

_CANDIDATES = ("gcc", "cc", "clang")
_PROBE_LIMIT_S = 60.0


@dataclass(frozen=True)
class Toolchain:
    """A C compiler.

    `cc` is its command (absolute path first), `version` the first line of `--version`, `target` its triple, `optional`
    the optional flags that it knows, `runner` the command that runs its programs where the machine itself cannot.
    """

    cc: tuple[str, ...]
    version: str
    target: str
    optional: tuple[str, ...] = ()
    runner: tuple[str, ...] = ()

    @property
    def identity(self) -> tuple[str, ...]:
        """What tells this compiler from another one that gives other code."""
        return (*self.cc, self.version, self.target, *ALWAYS, *self.optional)


def find_toolchain(
    cc: str | None = None, runner: tuple[str, ...] = (), environ: Mapping[str, str] = os.environ
) -> Toolchain:
    """The compiler `cc` (a command line), else $CC, else the first of gcc, cc, clang.

    ConfigError when there is none or it does not compile.
    """
    wanted = cc or environ.get("CC", "").strip()
    path = environ.get("PATH", os.defpath)
    if not wanted:
        wanted = next((name for name in _CANDIDATES if shutil.which(name, path=path)), "")
        if not wanted:
            raise ConfigError("no C compiler found: install gcc or clang, or name one in CC")
    try:
        name, *arguments = shlex.split(wanted)
    except ValueError:
        raise ConfigError(f"CC={shown_line(wanted)}: not a command line") from None
    found = shutil.which(name, path=path)
    if found is None:
        raise ConfigError(f"CC={shown_line(wanted)}: no such program; install it or name another one in CC")
    command = (os.path.abspath(found), *arguments)
    version, target, optional = _probe(command, path)
    return Toolchain(command, version, target, optional, runner)


@cache
def _probe(command: tuple[str, ...], path: str) -> tuple[str, str, tuple[str, ...]]:
    version = _ask(command, ("--version",), path)
    target = _ask(command, ("-dumpmachine",), path)
    if not version or not target or not _works(command, path):
        raise ConfigError(f"{shown_line(shlex.join(command))}: not a working C compiler")
    # A compiler may only warn about a flag that it does not know; -Werror makes that a failure.
    if _compiles(command, ("-Werror", *OPTIONAL), path):
        return version, target, OPTIONAL
    return version, target, tuple(flag for flag in OPTIONAL if _compiles(command, ("-Werror", flag), path))


def _ask(command: tuple[str, ...], arguments: tuple[str, ...], path: str) -> str:
    """First line of what the compiler answers; empty when it fails."""
    done = _run((*command, *arguments), path)
    lines = done.stdout.decode("utf-8", "replace").splitlines() if done and done.returncode == 0 else []
    return shown_line(lines[0]) if lines else ""


def _works(command: tuple[str, ...], path: str) -> bool:
    """True for a program that treats the probe as C: it preprocesses it right and accepts it."""
    done = _run((*command, "-E", "-x", "c", "-"), path)
    return done is not None and b"int ngcc_probe = 1;" in done.stdout and _compiles(command, (), path)


def _compiles(command: tuple[str, ...], flags: tuple[str, ...], path: str) -> bool:
    done = _run((*command, *flags, "-fsyntax-only", "-x", "c", "-"), path)
    return done is not None and done.returncode == 0


def _run(argv: tuple[str, ...], path: str) -> subprocess.CompletedProcess[bytes] | None:
    try:
        return subprocess.run(
            argv,
            input=b"int ngcc_probe = __STDC__;\n",
            capture_output=True,
            check=False,
            timeout=_PROBE_LIMIT_S,
            env={"PATH": path, "LC_ALL": "C"},
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
