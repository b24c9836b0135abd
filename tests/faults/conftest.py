"""Fixtures of the fault tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from faults.lab import Lab, new_lab


@pytest.fixture(scope="session")
def build_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build cache of these tests alone, so that every build has been seen by them."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def lab(tmp_path: Path, build_cache: Path) -> Iterator[Lab]:
    """A lab of one test."""
    with new_lab(tmp_path, build_cache) as made:
        yield made
