"""How sign-11 behaves under compilers and sanitizers, and how much of it there is."""

from __future__ import annotations

import hashlib
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest
from elftools.elf.elffile import ELFFile
from sign11_library import INCLUDE, NATIVE, PARAMETERS, SOURCES, build, define, helper_objects
from sign11_vectors import RECORDS
from workshop import GUIDE_FLAGS, Workshop

from ngcctui.engine.kat_case import official_inputs

INSTANCES = pytest.mark.parametrize("name", PARAMETERS)
SANITIZERS = ("-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
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


def sanitized_run(workshop: Workshop, name: str) -> subprocess.CompletedProcess[str]:
    """Run the program with both sanitizers in the scheme.  The helpers, which have their own test, are left plain."""
    program = workshop.compile(
        f"sanitized-{name}",
        [NATIVE / "sanitize_sign11.c", *SOURCES, *helper_objects(workshop)],
        include=INCLUDE,
        defines=[define(name)],
        flags=[*SANITIZERS, "-Wl,--no-as-needed,-lm"],
    )
    given = official_inputs()[0]
    arguments = [str(program), given.seed.hex(), given.message.hex()]
    return subprocess.run(arguments, check=False, capture_output=True, text=True, timeout=200)


def test_record_0_and_hostile_input_under_sanitizers(workshop: Workshop) -> None:
    """Of instances with each way of hashing; what Flextree-512f differs in are numbers, and it takes three times as long."""
    names = ["Flextree-384f", "Flextree-256f", "Flextree-160f"]
    helper_objects(workshop)
    with ThreadPoolExecutor(CORES) as pool:
        results = list(pool.map(lambda name: sanitized_run(workshop, name), names))
    for name, done in zip(names, results, strict=True):
        assert (done.returncode, done.stderr) == (0, ""), name
        signature = bytes.fromhex(done.stdout)
        assert hashlib.sha256(signature).hexdigest() == RECORDS[name][0]["sn_sha256"]


@INSTANCES
def test_static_image_is_small(workshop: Workshop, name: str) -> None:
    with build(workshop, name).open("rb") as file:
        segments = [segment for segment in ELFFile(file).iter_segments() if segment["p_type"] == "PT_LOAD"]
        assert sum(segment["p_memsz"] for segment in segments) < STATIC_LIMIT
