"""How sign-14 behaves under compilers and sanitizers."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from sanitizers import sanitized, signature_sha256
from sign14_library import (
    HELPER_SOURCES,
    INCLUDE,
    NATIVE,
    PARAMETERS,
    RECORDS,
    SOURCES,
    defines,
)
from workshop import GUIDE_FLAGS, Workshop

INSTANCES = pytest.mark.parametrize("name", PARAMETERS)
QUICK = [name for name in PARAMETERS if name.endswith("f")]


@INSTANCES
def test_sources_are_without_a_warning(compiler: str, name: str) -> None:
    """Both ways of hashing.  What gcc's optimizer has to say fails the builds of the other tests."""
    for variant in ([], ["LYNX_STREAM"]):
        command = [compiler, *GUIDE_FLAGS, "-Werror", "-fsyntax-only", *map(str, SOURCES)]
        command += [f"-D{define}" for define in defines(name, *variant)]
        command += [f"-I{path}" for path in INCLUDE]
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=100)
        assert done.returncode == 0, done.stderr


def record_0(workshop: Workshop, name: str) -> str:
    """Digest of the signature that the sanitized program makes."""
    program = sanitized(
        workshop,
        name,
        [NATIVE / "sanitize_sign14.c", *SOURCES, *HELPER_SOURCES],
        include=INCLUDE,
        defines=defines(name, "LYNX_STREAM"),
    )
    return signature_sha256(program)


@pytest.fixture(scope="module")
def outcomes(workshop: Workshop) -> Iterator[Callable[[str], str]]:
    """The f instances' digests; the programs run on all cores at once."""
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        futures = {name: pool.submit(record_0, workshop, name) for name in reversed(QUICK)}
        yield lambda name: futures[name].result()


@pytest.mark.parametrize("name", QUICK)
def test_record_0_and_hostile_input_under_sanitizers(outcomes: Callable[[str], str], name: str) -> None:
    assert outcomes(name) == RECORDS[name][0]["sn_sha256"]
