"""What the tests of the engine share: one compiler, one build cache, our own programs built once."""

from __future__ import annotations

from pathlib import Path

import pytest
from engine.forked import run_forked

from ngcctui.engine.toolchain import Native, Toolchain, build_native, find_toolchain


@pytest.fixture(scope="session")
def build_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build cache of this session."""
    return tmp_path_factory.mktemp("build-cache")


@pytest.fixture(scope="session")
def toolchain() -> Toolchain:
    """The compiler of this machine."""
    return find_toolchain()


@pytest.fixture(scope="session")
def native(toolchain: Toolchain, build_cache: Path) -> Native:
    """The driver and the isolation library."""
    return run_forked(lambda: build_native(toolchain, build_cache))
