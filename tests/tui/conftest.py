"""What every test of the screens gives back."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def affinity() -> Iterator[None]:
    """A view leaves the measured core; the process of the tests gets its cores back."""
    before = os.sched_getaffinity(0)
    yield
    os.sched_setaffinity(0, before)
