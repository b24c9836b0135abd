"""Starts the timing driver as the engine does and takes its answer apart."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import tempfile
import threading
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from workshop import HELPERS, ROOT, Workshop

from ngcctui.engine.frames import Frame, FrameReader

NATIVE = ROOT / "src" / "ngcctui" / "native"
HARNESS = NATIVE / "harness"
PROFILE = NATIVE / "profile"
SHIM = NATIVE / "library" / "shim.c"
EXPORTS = f"-Wl,--version-script={NATIVE / 'library' / 'exports.map'}"
TOY = Path(__file__).with_name("toy.c")
HELPER_SOURCES = sorted(HELPERS.glob("*.c"))
ISOLATION_SOURCES = sorted((HARNESS / "isolation").glob("*.c"))
DRIVER_SOURCES = [*sorted(HARNESS.glob("*.c")), *ISOLATION_SOURCES]
WRAPPED = ("pseudohash", "pseudoXOF", "sm3hash", "get_random_number", "sm3_init", "sm3_update", "sm3_final")

TAG = "0123456789abcdef" * 2
LIMIT_S = 60.0


@dataclass(frozen=True)
class Run:
    """What one driver process did."""

    returncode: int
    frames: list[Frame]
    stray: str | None
    stdout: str
    stderr: str
    objects: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def setup(self) -> dict[str, Any]:
        return self.objects["setup"]

    @property
    def end(self) -> dict[str, Any]:
        return self.objects["end"]

    @property
    def profile(self) -> dict[str, Any]:
        return self.objects["profile"]

    @property
    def crash(self) -> dict[str, Any]:
        (frame,) = [f for f in self.frames if f.type == "C"]
        return frame.data

    @property
    def trials(self) -> list[tuple[dict[str, Any], list[int]]]:
        """Trials and their samples (ns)."""
        pairs = []
        for frame, following in zip(self.frames, self.frames[1:], strict=False):
            if frame.type == "J" and frame.data["type"] == "trial":
                assert following.type == "S"
                pairs.append((frame.data, list(array("Q", following.payload))))
        return pairs

    def traced(self, word: str) -> list[bytes]:
        """What the toy scheme traced under `word`, in order."""
        lines = [line.split(" ") for line in self.stderr.splitlines()]
        return [bytes.fromhex(line[1]) for line in lines if line[0] == word]


def build_driver(workshop: Workshop, compiler: str = "gcc", *flags: str) -> Path:
    """The driver; flags go behind the guide's."""
    name = f"driver-{compiler}{'-'.join(flags).replace('/', '')}"
    return workshop.compile(
        name, DRIVER_SOURCES, include=(HARNESS,), compiler=compiler, flags=(*flags, "-ldl")
    )


def build_toy(
    workshop: Workshop,
    *defines: str,
    sources: Sequence[Path] = (TOY,),
    include: Sequence[Path] = (),
    profile: Sequence[str] | None = None,
    helpers: Sequence[Path] = HELPER_SOURCES,
    flags: Sequence[str] = (),
    all_flags: Sequence[str] = (),
    compiler: str = "gcc",
) -> Path:
    """A library of the toy scheme (or other `sources`).

    `profile` holds further defines of a wrapped library; `all_flags` are also for the helpers and the wrappers.
    """
    ours = [*helpers, SHIM]
    linking = ["-shared", EXPORTS, "-Wl,-z,defs"]
    common = ['NGCC_INSTANCE="toy-1"']
    if profile is not None:
        ours.append(PROFILE / "wrap.c")
        linking += [f"-Wl,--wrap={function}" for function in WRAPPED]
        common += ["NGCC_PROFILE", *profile]
    objects = []
    for source in ours:
        name = f"{_key(compiler, common, all_flags)}-{source.stem}.o"
        objects.append(
            workshop.compile(name, [source], defines=common, flags=["-c", *all_flags], compiler=compiler)
        )
    return workshop.compile(
        f"{_key(compiler, common, flags, all_flags, defines, sources, ours)}.so",
        [*sources, *objects],
        include=[HELPERS, *include],
        defines=defines,
        flags=["-O0", *flags, *all_flags, *linking],
        compiler=compiler,
    )


def _key(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def job_file(path: Path, values: Mapping[str, object]) -> Path:
    """Write a job file."""
    path.write_text("".join(f"{key}={value}\n" for key, value in values.items()))
    return path


def run_driver(
    driver: Path,
    library: Path | str,
    *,
    runner: Sequence[str] = (),
    environ: Mapping[str, str] | None = None,
    pass_fds: Sequence[int] = (),
    **job: Any,
) -> Run:
    """Run the driver to its end with the job keys given; keys of isolation and a signature scheme are preset."""
    reader, writer = os.pipe()
    values = {
        "tag": TAG,
        "result_fd": writer,
        "parent": os.getpid(),
        "cpu": -1,
        "memory_limit": 1 << 30,
        "files_limit": 64,
        "seccomp": 1,
        "namespaces": 1,
        "live_page": "",
        "mode": "measure",
        "library": library,
        "function": "signature",
        "operation": "keygen",
        "inputs": "varied",
        "iterations": 5,
    } | job
    with (
        tempfile.TemporaryDirectory() as scratch,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
    ):
        path = job_file(Path(scratch, "job"), values)
        process = subprocess.Popen(
            [*runner, str(driver), str(path)],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            pass_fds=(writer, *pass_fds),
            env=dict(environ or {}),
            cwd=scratch,
        )
        os.close(writer)
        overdue = threading.Timer(LIMIT_S, process.kill)
        overdue.start()
        frames = FrameReader(TAG)
        found: list[Frame] = []
        with open(reader, "rb", buffering=0) as results:
            while data := results.read(1 << 20):
                found += frames.feed(data)
        frames.close()
        returncode = process.wait()
        overdue.cancel()
        out.seek(0)
        err.seek(0)
        objects = {frame.data["type"]: dict(frame.data) for frame in found if frame.type == "J"}
        stdout, stderr = (file.read().decode("utf-8", "replace") for file in (out, err))
    return Run(returncode, found, frames.problem, stdout, stderr, objects)


def lines(text: str) -> dict[str, str]:
    """`key value` lines."""
    return dict(line.split(" ", 1) for line in text.splitlines() if " " in line)


def report(run: Run) -> dict[str, str]:
    """The isolation report, checked to be text only."""
    found = run.setup["isolation"]
    assert json.loads(json.dumps(found)) == found and all(isinstance(v, str) for v in found.values())
    return dict(found)


def ended(run: Run, status: str) -> str:
    """The detail of an end with `status`."""
    assert run.returncode == 0, run.stderr
    assert run.end["status"] == status, run.end
    assert run.frames[-1].data["type"] == "end" and run.stray is None
    detail: str = run.end["detail"]
    return detail
