"""The operator's whole way, in a real terminal: choose, launch, watch, leave, rejoin, open the results, export.

The engine, the candidate and its known answer test are the real ones; the numbers of the campaign are small.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Self

import pytest
from tui.terminal_kit import NGCCTUI, Tmux, environment, until

from ngcctui.engine.control import request
from ngcctui.engine.rundir import RunDir, list_runs
from ngcctui.overview import look

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")

#: Not the core that everything else takes unless it is told otherwise.
CORE = min(os.sched_getaffinity(0))
CAMPAIGN = f"""\
name = "quick"
[planning]
trials = 3
target_s = 0.005
budget_s = 5
repeats = 0
[profile]
on = false
[host]
policy = "allow"
core = {CORE}
"""
TERMS = ("xterm-256color", "screen-256color", "linux", "vt100")
PLACES = {
    "utf-8": {"LC_ALL": "C.UTF-8"},
    "posix": {"LC_ALL": "C"},
    "no-colour": {"LC_ALL": "C.UTF-8", "NO_COLOR": "1"},
}
AT_ONCE = 4
#: A core that another program's test holds is waited for.
LONG_S = 120.0
_FIGURE = re.compile(r"\d (?:ns|us|µs|ms|s)\b")
#: Colours of any kind: 30-37, 40-47, 90-107, and 38 or 48 with what follows.
_COLOUR = re.compile(r"\x1b\[(?:\d+;)*(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;[\d;]*)?m")


def row_of(screen: str, name: str) -> str:
    return next((line for line in screen.splitlines() if name in line), "")


class Journey:
    """One operator at one terminal."""

    def __init__(self, home: Path, environ: dict[str, str]) -> None:
        self.home = home
        self.environ = environment(home, **environ)
        (home / "campaigns").mkdir()
        (home / "campaigns" / "quick.toml").write_text(CAMPAIGN)
        self.seen: list[str] = []
        self.raw: list[str] = []

    def terminal(self, *words: str) -> Tmux:
        """The program in a shell that stays when the program has ended."""
        command = shlex.join([*NGCCTUI, *words])
        return Tmux(["sh", "-c", f"{command}; echo left with $?; read line"], self.environ, cwd=self.home)

    def wait(self, tmux: Tmux, *words: str, **how: float) -> str:
        screen = tmux.wait_for(*words, **how)  # type: ignore[arg-type]
        self.seen.append(screen)
        self.raw.append(tmux.raw())
        return screen

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Whatever failed, no engine is left behind."""
        for run in list_runs(self.home / "runs"):
            if not look(run).state.ended:
                request(run, "stop-now")

    @property
    def run(self) -> RunDir:
        (run,) = list_runs(self.home / "runs")
        return run

    def choose(self, tmux: Tmux) -> None:
        """Mark OPSsig-128 alone."""
        self.wait(tmux, "schemes", "iccs", "host: core", "? help", "q quit")
        tmux.send("A")
        self.wait(tmux, "nothing is marked")
        tmux.send("/")
        self.wait(tmux, "enter keeps it")
        tmux.type("OPSsig-128")
        self.wait(tmux, "OPSsig-128", "0/1")
        tmux.send("Enter")
        tmux.wait_for("filter OPSsig-128", gone=("enter keeps it",))
        tmux.send("a")
        self.wait(tmux, "1/1", "instances 1, operations 3")

    def launch(self, tmux: Tmux) -> None:
        tmux.send("g")
        asked = "measure all the same"
        until(lambda: asked in tmux.text() or "done" in tmux.text(), tmux.text)
        if asked in self.wait(tmux):  # a machine in the measuring state is not asked about
            tmux.send("m")

    def watch(self, tmux: Tmux) -> None:
        """See the KAT pass and three figures, and look at the KAT."""

        def figures() -> bool:
            return len(_FIGURE.findall(row_of(tmux.text(), "OPSsig-128"))) == 3

        until(figures, tmux.text, LONG_S)
        screen = self.wait(tmux, "8/8 done", "? help", "q ")
        assert "PASS" in row_of(screen, "OPSsig-128")
        tmux.send("Right")
        tmux.send("Enter")
        if "OPSsig-128 KAT" not in self.wait(tmux, "again"):  # the cursor began on the name or on the build
            tmux.send("Escape")
            tmux.wait_for("e results")
            tmux.send("Right")
            tmux.send("Enter")
        self.wait(tmux, "OPSsig-128 KAT", "10 of 10 records")
        tmux.send("Escape")
        self.wait(tmux, "e results")

    def leave(self, tmux: Tmux) -> str:
        tmux.send("q")
        screen = tmux.wait_for("left with 0")
        assert tmux.modes() == "0 0 1"
        return screen

    def results_and_export(self, tmux: Tmux) -> None:
        tmux.send("e")
        screen = self.wait(tmux, "results", "performance]", "mean time", "? help", "q quit")
        for operation in ("keygen", "sign", "verify"):
            assert _FIGURE.search(next(line for line in screen.splitlines() if operation in line))
        tmux.send("x")
        self.wait(tmux, "exported")

    def check_what_was_drawn(self, term: str, place: str) -> None:
        """Nothing on any screen that this terminal cannot show or was asked not to get."""
        if place == "posix" or term in ("linux", "vt100"):
            assert all(screen.isascii() for screen in self.seen)
        else:
            assert any("●" in screen for screen in self.seen)
        if place == "no-colour":
            assert not any(_COLOUR.search(screen) for screen in self.raw)
        elif term in ("linux", "vt100"):
            assert not any(";2;" in found for screen in self.raw for found in _COLOUR.findall(screen))


def check_export(run: RunDir) -> None:
    exported = run.path / "report" / "export" / "sign-17"
    page = json.loads((exported / "perf_local.json").read_text("utf-8"))
    assert [row["operation"] for row in page["performance"]] == ["keygen", "sign", "verify"]
    assert all(row["raw"]["mean_time_ns"] > 0 for row in page["performance"])
    assert {path.suffix for path in exported.iterdir()} == {".md", ".toml", ".json", ".csv"}


def go(home: Path, term: str, place: str) -> None:
    """The whole way on one terminal."""
    home.mkdir()
    with Journey(home, {"TERM": term, **PLACES[place]}) as journey:
        with journey.terminal() as tmux:
            journey.choose(tmux)
            journey.launch(tmux)
            journey.watch(tmux)
            farewell = journey.leave(tmux)
        assert "left quick" in farewell and "ngcctui attach" in farewell
        with journey.terminal("attach") as tmux:
            journey.wait(tmux, "8/8 done", "OPSsig-128")
            journey.results_and_export(tmux)
            journey.leave(tmux)
        assert look(journey.run).word == "done"
        check_export(journey.run)
        journey.check_what_was_drawn(term, place)


@pytest.fixture(scope="module")
def journeys(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[tuple[str, str], Future[None]]]:
    """All of them, some at a time: most of a journey is waiting, and engines take turns on their core."""
    root = tmp_path_factory.mktemp("journeys")
    with ThreadPoolExecutor(AT_ONCE) as pool:
        yield {(t, p): pool.submit(go, root / f"{t}-{p}", t, p) for t in TERMS for p in PLACES}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("term", TERMS)
def test_choose_launch_watch_leave_rejoin_export(
    journeys: dict[tuple[str, str], Future[None]], term: str, place: str
) -> None:
    journeys[term, place].result()
