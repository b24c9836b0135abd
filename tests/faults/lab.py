"""What the fault tests share: packages of mocks, runs, engines as processes, and what is left of them."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import Any, TypeVar

import tomli_w
from faults import toy

from ngcctui.engine.journal import JournalReader
from ngcctui.engine.rundir import RunDir, create_run
from ngcctui.engine.service import main
from ngcctui.engine.state import Fold, RunState, fold
from ngcctui.engine.toolchain import find_toolchain
from ngcctui.model.campaign import Campaign
from ngcctui.model.codec import decode
from ngcctui.model.event import Event, EventName
from ngcctui.model.scheme import load_scheme

T = TypeVar("T")

SOURCES = Path(__file__).parent / "c"
SRC = Path(__file__).parents[2] / "src"
KEY = "mock"
#: Nothing that is waited for takes this long, unless it never comes (s).
DEADLINE_S = 120.0
_POLL_S = 0.005
_OF_NEIGHBOURS = re.compile(r"core \d+: waiting for |ngcctui: core \d+: .* pinned to it")
_NOW = datetime(2026, 11, 30, 12, 0, 0, tzinfo=UTC)

#: Small numbers: some dozen calls in two processes an operation.
PLANNING: dict[str, Any] = {
    "trials": 2,
    "target_s": 0.01,
    "min_calls": 4,
    "max_iterations": 2000,
    "budget_s": 20.0,
    "limit_slack_s": 20.0,
    "calibrate_limit_s": 20.0,
    "repeats": 0,
}


@dataclass(frozen=True)
class Mock:
    """An instance of the mock scheme: a source of c/ beside the toy, and the defines that choose what it does."""

    name: str
    source: str = "good.c"
    defines: tuple[str, ...] = ()
    operations: tuple[str, ...] = ("sign",)


def write_package(directory: Path, mocks: Sequence[Mock], records: int) -> None:
    """Write a scheme package with one instance a mock; each expects `records` known answers of the toy that behaves."""
    sources = directory / "src"
    sources.mkdir(parents=True)
    for name in {"toy.c", "toy.h", *(mock.source for mock in mocks)}:
        shutil.copy(SOURCES / name, sources / name)
    instances = [
        {
            "name": mock.name,
            "defines": list(mock.defines),
            "sources": [f"src/{mock.source}"],
            "sizes": toy.SIZES,
            "kat": {"file": "toy", "mode": f"strict:{records}", "sha256": toy.kat_sha256(records)},
        }
        for mock in mocks
    ]
    table = {
        "id": KEY,
        "algorithm": "Mock",
        "category": "signature",
        "function": "signature",
        "build": {"sources": ["src/toy.c"], "include_dirs": ["src"]},
        "instance": instances,
    }
    (directory / "scheme.toml").write_text(tomli_w.dumps(table), "utf-8")


def wait_for(look: Callable[[], T | None], what: str, limit_s: float = DEADLINE_S) -> T:
    """Ask until the answer is neither None nor False; AssertionError when it has not come in time."""
    deadline = time.monotonic() + limit_s
    while not (found := look()):
        assert time.monotonic() < deadline, f"waited {limit_s:g} s in vain for {what}"
        time.sleep(_POLL_S)
    return found


def read_events(run: RunDir) -> list[Event]:
    """All events of a run's journal."""
    return JournalReader(run.journal).poll()


def read_state(run: RunDir) -> RunState:
    """The fold of a run's journal."""
    return fold(read_events(run))


def of_kind(events: Sequence[Event], name: EventName, step: str | None = None) -> list[Event]:
    """The events called `name`, of one step when it is given."""
    return [event for event in events if event.event is name and step in (None, event.step)]


def check_every_prefix(run: RunDir) -> None:
    """A reader that comes at any moment sees a beginning of the journal: each must fold, and numbers must go up."""
    events = read_events(run)
    folding = Fold()
    for event in events:
        folding.apply(event)
        assert folding.state().run
    assert [event.seq for event in events] == sorted({event.seq for event in events})


def processes_below(path: Path) -> dict[int, str]:
    """Living processes that have anything to do with `path`: in their arguments, working directory or memory map."""
    found: dict[int, str] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            arguments = told(entry / "cmdline").replace("\0", " ")
            if any(str(path) in text for text in (arguments, told(entry / "cwd"), told(entry / "maps"))):
                found[int(entry.name)] = arguments
    return found


def told(path: Path) -> str:
    """Content of a file or target of a link in /proc; nothing when it is refused, or the process has gone."""
    try:
        return str(path.readlink()) if path.name == "cwd" else path.read_bytes().decode("utf-8", "replace")
    except OSError:
        return ""


def wait_until_quiet(path: Path) -> None:
    """Wait until no process has anything to do with `path`; AssertionError names those that stay."""
    try:
        wait_for(lambda: not processes_below(path), "quiet", 10.0)
    except AssertionError:
        raise AssertionError(f"still there: {processes_below(path)}") from None


class Lab:
    """A directory with its own build cache, scratch space and runs; engines started here end with the test."""

    def __init__(self, path: Path, cache: Path) -> None:
        self.path = path
        self.runs: list[RunDir] = []
        self.runs_root = path / "runs"
        self._engines: list[subprocess.Popen[bytes]] = []
        self._forks: list[ForkProcess] = []
        self.scratch = path / "tmp"
        self.scratch.mkdir()
        self.environment = {
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
            "HOME": str(path),
            "LANG": "C.UTF-8",
            "PYTHONPATH": f"{SRC}{os.pathsep}{Path(__file__).parents[1]}",
            "PYTHONPYCACHEPREFIX": str(cache / "python"),
            "XDG_CACHE_HOME": str(cache),
            "TMPDIR": str(self.scratch),
        }

    def new_run(self, mocks: Sequence[Mock], records: int = 10, **tables: dict[str, Any]) -> RunDir:
        """Make a run over the mocks' operations; `tables` are tables of the campaign, laid over small numbers."""
        package = self.path / f"package-{len(self.runs)}"
        write_package(package, mocks, records)
        only = [f"{KEY}/{mock.name}/{operation}" for mock in mocks for operation in mock.operations]
        campaign: dict[str, Any] = {
            "name": "faults",
            "selection": {"schemes": [KEY], "only": only} | tables.get("selection", {}),
            "planning": PLANNING | tables.get("planning", {}),
            "kat": {"limit_s": 60.0} | tables.get("kat", {}),
            "profile": {"target_s": 0.001, "max_iterations": 3} | tables.get("profile", {}),
            "host": {"policy": "allow", "memory_limit_mib": 1024} | tables.get("host", {}),
        }
        run = create_run(self.runs_root, decode(Campaign, campaign), [load_scheme(package)], _NOW)
        self.runs.append(run)
        return run

    def toy_run(self) -> RunDir:
        """Make a run of eight short steps in which nothing misbehaves."""
        return self.new_run([Mock("toy", operations=("keygen", "sign"))], records=2)

    def start(self, run: RunDir, *options: str, script: Path | None = None) -> subprocess.Popen[bytes]:
        """Start an engine, or a script in its place; what it prints is kept."""
        program = [str(script)] if script else ["-m", "ngcctui.engine"]
        with self._log(run).open("ab") as log:
            engine = subprocess.Popen(
                [sys.executable, *program, *options, str(run.path)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=self.environment,
                start_new_session=True,
            )
        self._engines.append(engine)
        return engine

    def fork(self, run: RunDir, *options: str) -> ForkProcess:
        """Start an engine as a fork of this process: the same as `start`, without what a Python needs to begin."""
        find_toolchain(environ=self.environment)  # asked once here, known in every fork
        engine = multiprocessing.get_context("fork").Process(target=self._engine, args=(run, options))
        engine.start()
        self._forks.append(engine)
        return engine

    def _engine(self, run: RunDir, options: Sequence[str]) -> None:
        os.setsid()
        os.environ.clear()
        os.environ.update(self.environment)
        tempfile.tempdir = None
        log = os.open(self._log(run), os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        nothing = os.open(os.devnull, os.O_RDONLY)
        for standard, given in ((0, nothing), (1, log), (2, log)):
            os.dup2(given, standard)
        sys.stdout, sys.stderr = os.fdopen(1, "w", 1), os.fdopen(2, "w", 1)
        sys.exit(main([*options, str(run.path)]))

    def _log(self, run: RunDir) -> Path:
        return self.path / f"{run.name}.said"

    def printed(self, run: RunDir) -> str:
        """Everything that the engines of a run have printed."""
        return self._log(run).read_text("utf-8", "replace")

    def said(self, run: RunDir) -> str:
        """The same without what is said of neighbours: tests of others that run beside these."""
        lines = self.printed(run).splitlines(keepends=True)
        return "".join(line for line in lines if not _OF_NEIGHBOURS.match(line))

    def finish(self, run: RunDir, *options: str, script: Path | None = None, wait: bool = True) -> int:
        """Run an engine to its end and return its exit code; without `wait` it does not wait for a taken core."""
        options = (*options, "--wait") if wait else options
        deadline = time.monotonic() + DEADLINE_S
        while True:
            code = self.start(run, *options, script=script).wait(DEADLINE_S)
            if not self.disturbed(run, code) or time.monotonic() > deadline:
                return code

    def disturbed(self, run: RunDir, code: int | None) -> bool:
        """True when an engine has refused to resume because a neighbour is pinned to its core: to be tried again."""
        refused = code == 3 and bool(_OF_NEIGHBOURS.match(self.printed(run).splitlines()[-1]))
        if refused:
            time.sleep(_POLL_S)
        return refused

    def close(self) -> None:
        """End the engines that still run, and check what is left: no process, and journals that fold."""
        for engine in self._engines:
            if engine.poll() is None:
                engine.kill()
                engine.wait()
        for fork in self._forks:
            fork.kill()
            fork.join()
        wait_until_quiet(self.path)
        for run in self.runs:
            check_every_prefix(run)


@contextlib.contextmanager
def new_lab(path: Path, cache: Path) -> Iterator[Lab]:
    """A lab that is checked and cleared at the end."""
    lab = Lab(path, cache)
    try:
        yield lab
    finally:
        lab.close()


def one_line(text: str, pattern: str) -> str:
    """The only line that matches `pattern`; no traceback may stand beside it."""
    assert "Traceback" not in text, text
    found = [line for line in text.splitlines() if re.search(pattern, line)]
    assert len(found) == 1, text
    return found[0]
