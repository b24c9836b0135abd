"""How sign-14 behaves under compilers and sanitizers."""

from __future__ import annotations

import hashlib
import os
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
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

from ngcctui.engine.kat_case import official_inputs

INSTANCES = pytest.mark.parametrize("name", PARAMETERS)
QUICK = [name for name in PARAMETERS if name.endswith("f")]
SANITIZERS = ("-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")


@INSTANCES
def test_sources_are_without_a_warning(compiler: str, name: str) -> None:
    """Both ways of hashing.  What gcc's optimizer has to say fails the builds of the other tests."""
    for variant in ([], ["LYNX_STREAM"]):
        command = [compiler, *GUIDE_FLAGS, "-Werror", "-fsyntax-only", *map(str, SOURCES)]
        command += [f"-D{define}" for define in defines(name, *variant)]
        command += [f"-I{path}" for path in INCLUDE]
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=100)
        assert done.returncode == 0, done.stderr


def sanitized(workshop: Workshop, name: str) -> subprocess.CompletedProcess[bytes]:
    """Record 0 and hostile input under both sanitizers."""
    program = workshop.compile(
        f"{name}-sanitized",
        [NATIVE / "sanitize_sign14.c", *SOURCES, *HELPER_SOURCES],
        include=INCLUDE,
        defines=defines(name, "LYNX_STREAM"),
        flags=SANITIZERS,
    )
    given = official_inputs()[0]
    return subprocess.run(
        [program], input=given.seed + given.message, check=False, capture_output=True, timeout=100
    )


@pytest.fixture(scope="module")
def outcomes(workshop: Workshop) -> Iterator[Callable[[str], subprocess.CompletedProcess[bytes]]]:
    """What the sanitized programs of the f instances did; they run on all cores at once."""
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        futures = {name: pool.submit(sanitized, workshop, name) for name in reversed(QUICK)}
        yield lambda name: futures[name].result()


@pytest.mark.parametrize("name", QUICK)
def test_record_0_and_hostile_input_under_sanitizers(
    outcomes: Callable[[str], subprocess.CompletedProcess[bytes]], name: str
) -> None:
    done = outcomes(name)
    assert (done.returncode, done.stderr) == (0, b"")
    assert hashlib.sha256(done.stdout).hexdigest() == RECORDS[name][0]["sn_sha256"]
