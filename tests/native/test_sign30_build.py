"""How sign-30 behaves under compilers, sanitizers and the linker's wrapping."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path

import pytest
from models.iccs import Drng
from sanitizers import sanitized, signature_sha256
from sign30_library import (
    HELPER_SOURCES,
    INCLUDE,
    NATIVE,
    PARAMETERS,
    RECORDS,
    SOURCES,
    VECTORS,
    Trine,
    build,
)
from workshop import GUIDE_FLAGS, Workshop

INSTANCES = pytest.mark.parametrize("name", PARAMETERS)
SHORT = pytest.mark.parametrize("name", ["TRINE-128-Balanced", "TRINE-128-ShortSig"])
KEYGEN_XOF = {
    "TRINE-128-Balanced": 29,
    "TRINE-128-ShortSig": 83,
    "TRINE-256-Balanced": 37,
    "TRINE-256-ShortSig": 109,
    "TRINE-512-Balanced": 47,
    "TRINE-512-ShortSig": 137,
}


@INSTANCES
def test_sources_compile_without_a_warning(compiler: str, name: str, tmp_path: Path) -> None:
    command = [compiler, *GUIDE_FLAGS, "-Werror", *(f"-D{define}" for define in PARAMETERS[name].defines)]
    command += [*(f"-I{path}" for path in INCLUDE), "-c", *map(str, SOURCES)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=100, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def sanitized_program(workshop: Workshop, name: str) -> Path:
    """The scheme with the sanitizers in it, and the compiler's vectors, which are half of what it is tested for."""
    return sanitized(
        workshop,
        name,
        [NATIVE / "sanitize_sign30.c", *SOURCES, *HELPER_SOURCES],
        include=INCLUDE,
        defines=PARAMETERS[name].defines,
        flags=["-O2"],
    )


@SHORT
def test_key_and_hostile_input_under_sanitizers(workshop: Workshop, name: str) -> None:
    assert signature_sha256(sanitized_program(workshop, name), "key") == hashlib.sha256(b"").hexdigest()


@pytest.mark.long
@SHORT
def test_record_0_and_hostile_input_under_sanitizers(workshop: Workshop, name: str) -> None:
    assert signature_sha256(sanitized_program(workshop, name)) == RECORDS[name][0]["sn_sha256"]


@INSTANCES
def test_calls_of_key_generation_and_of_searches(workshop: Workshop, name: str) -> None:
    """Those of the published page; and looking at many vectors at once asks for no more than one by one."""
    trine, p = Trine(build(workshop, name), name), PARAMETERS[name]
    seed = Drng(b"seed" * 16).draw(512)
    trine.seed(seed)
    trine.counts()
    _, sk = trine.keygen()
    assert trine.counts() == {
        "sm3hash": 0,
        "pseudohash": 0,
        "pseudoXOF": KEYGEN_XOF[name],
        "get_random_number": 1,
    }
    drng = Drng(seed)
    drng.draw(2 * p.level)
    salt, round_seeds = drng.draw(2 * p.level), drng.draw(p.rounds * p.level)
    trine.base(sk)
    for t, known in enumerate(VECTORS["instances"][name]["commitments"]):
        trine.counts()
        trine.commitment(salt, round_seeds[t * p.level // 8 :], t)
        doublings = (-(-known["stream_bytes"] // 64) - 1).bit_length()
        assert trine.counts()["pseudoXOF"] == 1 + doublings
