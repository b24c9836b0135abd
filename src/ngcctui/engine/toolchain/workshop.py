"""A place where one thing is built: sources under fixed relative names, compiler runs with limits, a log.

Commands name everything by paths relative to the workshop, and absolute ones are mapped away, so the same sources give
the same bytes in every checkout.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ngcctui.engine.child import run_tool
from ngcctui.engine.printed import shown_line
from ngcctui.engine.script import packages_of, python_script
from ngcctui.engine.toolchain.flags import ALWAYS
from ngcctui.engine.toolchain.probe import Toolchain
from ngcctui.engine.toolchain.symbols import ObjectFile

COMPILE_LIMIT_S = 600.0
KEEP_OUTPUT = 256 << 10

_ELF_LIMIT_S = 120.0
_ELF_OUTPUT = 16 << 20

_UNDEFINED = re.compile(r"undefined (?:reference to|symbol:?) [`'\"]?([A-Za-z_]\w*)")
_TWICE = re.compile(r"(?:multiple definition of|duplicate symbol:?) [`'\"]?([A-Za-z_]\w*)")


class BuildError(Exception):
    """The build has failed; the text is one line that names the first error."""


@dataclass
class Workshop:
    """`directory` holds links to the source directories by name, `obj/`, `tmp/` and `out/`; `log` grows."""

    toolchain: Toolchain
    directory: Path
    log: list[str]

    @classmethod
    def open(
        cls, toolchain: Toolchain, directory: Path, sources: Mapping[str, Path], log: list[str] | None = None
    ) -> Workshop:
        """Lay out a workshop in the empty `directory`; its log goes on behind `log`."""
        directory = directory.resolve()  # as the compiler will see it
        for name, place in sources.items():
            (directory / name).symlink_to(place.resolve(), target_is_directory=True)
        for name in ("obj", "tmp", "out"):
            (directory / name).mkdir()
        log = [] if log is None else log
        log.append(f"# {toolchain.version}, {toolchain.target}; in a directory with {', '.join(sources)}\n")
        return cls(toolchain, directory, log)

    @property
    def out(self) -> Path:
        """What is built goes here."""
        return self.directory / "out"

    async def compile(self, source: str, flags: Sequence[str], target: str = "") -> str:
        """Compile one source to an object file and return its path; BuildError when the compiler refuses it."""
        target = target or f"obj/{source}.o"
        (self.directory / target).parent.mkdir(parents=True, exist_ok=True)
        mapped = f"-ffile-prefix-map={self.directory}=."
        await self._run([*flags, *ALWAYS, mapped, *self.toolchain.optional, "-c", "-o", target, source])
        return target

    async def link(self, target: str, arguments: Sequence[str]) -> None:
        """Link to out/`target`."""
        await self._run(["-o", f"out/{target}", *arguments])

    async def symbols(self, objects: Sequence[str]) -> list[ObjectFile]:
        """Global symbols of object files."""
        answer = await self._read_elf("symbols", objects)
        return [
            ObjectFile(name, *(frozenset(answer[name][kind]) for kind in ("defined", "weak", "undefined")))
            for name in objects
        ]

    async def static_bytes(self, library: str) -> int:
        """Memory image (bytes) of the library out/`library`."""
        name = f"out/{library}"
        return int((await self._read_elf("segments", [name]))[name])

    async def _run(self, arguments: Sequence[str]) -> None:
        command = [*self.toolchain.cc, *arguments]
        shown = [part.replace(str(self.directory), "$PWD") for part in command]
        self.log.append(" ".join(part if "$PWD" in part else shlex.quote(part) for part in shown) + "\n")
        done = await run_tool(
            command,
            cwd=self.directory,
            environment=self._environment(),
            limit_s=COMPILE_LIMIT_S,
            keep_bytes=KEEP_OUTPUT,
        )
        self.log.append(done.output)
        if not done.ok:
            self.log.append(f"# {done.problem}\n")
            raise BuildError(done.in_time and first_error(done.output) or done.problem)

    async def _read_elf(self, question: str, files: Sequence[str]) -> dict[str, Any]:
        done = await run_tool(
            [*python_script("elf.py"), packages_of("elftools"), question, *files],
            cwd=self.directory,
            environment=self._environment(),
            limit_s=_ELF_LIMIT_S,
            keep_bytes=_ELF_OUTPUT,
        )
        if not done.ok:
            raise BuildError(done.in_time and shown_line(done.output) or done.problem)
        try:
            answer: dict[str, Any] = json.loads(done.output)
        except ValueError:
            raise BuildError("the object files have too many symbols to read") from None
        return answer

    def _environment(self) -> dict[str, str]:
        temporary = str(self.directory / "tmp")
        return {
            "PATH": os.environ.get("PATH", os.defpath),
            "LC_ALL": "C",
            "HOME": temporary,
            "TMPDIR": temporary,
            "SOURCE_DATE_EPOCH": "0",
        }


def first_error(output: str) -> str:
    """The first error in what a compiler or linker said, as one line; empty when none is recognised."""
    for line in output.splitlines():
        for pattern, words in ((_UNDEFINED, "undefined: {}"), (_TWICE, "{} is defined twice")):
            found = pattern.search(line)
            if found:
                return words.format(found.group(1))
        if "error:" in line or "fatal error" in line:
            return shown_line(line)
    return ""
