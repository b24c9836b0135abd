"""Fixtures of the tests of C code."""

from __future__ import annotations

import shutil

import pytest
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
