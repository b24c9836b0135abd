"""How sign-11 behaves under compilers and sanitizers, and how much of it there is."""

from __future__ import annotations

import os
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest
from elftools.elf.elffile import ELFFile
from sanitizers import sanitized, signature_sha256
from sign11_library import INCLUDE, NATIVE, PARAMETERS, SOURCES, build, define, helper_objects
from sign11_vectors import RECORDS
from workshop import GUIDE_FLAGS, Workshop

INSTANCES = pytest.mark.parametrize("name", PARAMETERS)
STATIC_LIMIT = 100_000  # bytes
CORES = len(os.sched_getaffinity(0))


def test_sources_compile_without_a_warning(workshop: Workshop, compiler: str) -> None:
    """gcc finds much only when it optimises, so there the library itself is built; clang warns before that."""
    helper_objects(workshop)

    def compiled(name: str) -> str:
        if compiler == "gcc":
            build(workshop, name)
            return ""
        command = [compiler, *GUIDE_FLAGS, "-Werror", f"-D{define(name)}"]
        command += [*(f"-I{path}" for path in INCLUDE), "-fsyntax-only", *map(str, SOURCES)]
        return subprocess.run(command, check=False, capture_output=True, text=True, timeout=100).stderr

    with ThreadPoolExecutor(CORES) as pool:
        assert list(pool.map(compiled, PARAMETERS)) == [""] * len(PARAMETERS)


def record_0(workshop: Workshop, name: str) -> str:
    """Digest of the signature of the sanitized program.  The helpers, which have their own test, are left plain."""
    program = sanitized(
        workshop,
        name,
        [NATIVE / "sanitize_sign11.c", *SOURCES, *helper_objects(workshop)],
        include=INCLUDE,
        defines=[define(name)],
        flags=["-O2", "-Wl,--no-as-needed,-lm"],
    )
    return signature_sha256(program)


def test_record_0_and_hostile_input_under_sanitizers(workshop: Workshop) -> None:
    """Of instances with each way of hashing; what Flextree-512f differs in are numbers, and it takes three times as long."""
    names = ["Flextree-384f", "Flextree-256f", "Flextree-160f"]
    helper_objects(workshop)
    with ThreadPoolExecutor(CORES) as pool:
        found = list(pool.map(lambda name: record_0(workshop, name), names))
    assert found == [RECORDS[name][0]["sn_sha256"] for name in names]


@INSTANCES
def test_static_image_is_small(workshop: Workshop, name: str) -> None:
    with build(workshop, name).open("rb") as file:
        segments = [segment for segment in ELFFile(file).iter_segments() if segment["p_type"] == "PT_LOAD"]
        assert sum(segment["p_memsz"] for segment in segments) < STATIC_LIMIT
