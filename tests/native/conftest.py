"""Fixtures of the tests of C code."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from driver_kit import build_driver, build_toy
from workshop import Workshop


@pytest.fixture(scope="session")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    """The compiler with a place for its output."""
    return Workshop(tmp_path_factory.mktemp("native"))


@pytest.fixture(params=["gcc", "clang"])
def compiler(request: pytest.FixtureRequest) -> str:
    """Each of the compilers; the one that is not installed is skipped."""
    name: str = request.param
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    return name


@pytest.fixture(scope="session")
def driver(workshop: Workshop) -> Path:
    """The timing driver."""
    return build_driver(workshop)


@pytest.fixture(scope="session")
def toy(workshop: Workshop) -> Path:
    """The toy scheme, well behaved."""
    return build_toy(workshop)
