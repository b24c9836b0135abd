"""The monitor on a real terminal: how many bytes a second of a run costs, and which colours are sent."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tui.played_run import PlayedRun, new_run
from tui.terminal_kit import NGCCTUI, PtyScreen, environment

#: Bytes to the terminal for each second of a run, on average; a slow line must bear it.
BUDGET = 1500
SECONDS = 10


@pytest.fixture
def played(tmp_path: Path) -> Iterator[PlayedRun]:
    """A run of 300 instances that is being measured."""
    run = new_run(tmp_path / "runs")
    run.start()
    run.prepare()
    yield run
    run.close()


@pytest.mark.parametrize(
    "changes",
    [{"COLORTERM": "truecolor"}, {"NO_COLOR": "1"}, {"TERM": "vt100", "LC_ALL": "C"}],
    ids=["24-bit", "no colour", "vt100"],
)
def test_a_second_of_a_run_costs_few_bytes(
    played: PlayedRun, tmp_path: Path, changes: dict[str, str]
) -> None:
    environ = environment(tmp_path, **changes)
    argv = [*NGCCTUI, "attach", str(played.run.path), "--refresh", "0.2"]
    with PtyScreen(argv, environ, cwd=tmp_path) as screen:
        screen.wait_for("Candidate1-128", "left")
        seconds = played.seconds(1)
        next(seconds)
        screen.wait_for("trial 1/5 458 ")
        before = len(screen.raw)
        for number in range(SECONDS):
            next(seconds)
            screen.wait_for(f"trial {(number + 1) % 5 + 1}/5 ")
        cost = (len(screen.raw) - before) / SECONDS
        assert cost <= BUDGET
        if "COLORTERM" not in changes:
            assert re.findall(rb"\x1b\[[0-9;]*[34]8;[25][0-9;]*m", screen.raw) == []
        if "LC_ALL" in changes:
            assert screen.raw.isascii()
        screen.send("q")
        assert screen.end() == 0
