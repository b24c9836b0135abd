"""What tests of the screens share, and what each gives back."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from faults.lab import new_lab
from tui.terminal_kit import cpu_s
from tui.watched_run import HERE, Stalled, Watched, start_runs, viewer


@pytest.fixture(autouse=True)
def affinity() -> Iterator[None]:
    """A view leaves the measured core; the process of the tests gets its cores back."""
    before = os.sched_getaffinity(0)
    yield
    os.sched_setaffinity(0, before)


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An operator's home for all viewers of the watched run."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="session")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    """The run of test_robust*.py."""
    with new_lab(tmp_path_factory.mktemp("robust"), tmp_path_factory.mktemp("cache")) as lab:
        found = start_runs(lab)
        looking = threading.Thread(target=found.look, daemon=True)
        looking.start()
        yield found
        found.over.set()
        looking.join()


@pytest.fixture(scope="session")
def stalled(watched: Watched, home: Path) -> Iterator[Stalled]:
    """A viewer of it that is stalled from the first of those tests to the last."""
    with viewer(watched, home) as screen:
        screen.wait_for(*HERE)
        yield Stalled(screen, time.monotonic(), cpu_s(screen.pid))
