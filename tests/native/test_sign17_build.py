"""How sign-17 and the helpers behave under compilers, sanitizers and the linker's wrapping."""

from __future__ import annotations

import struct
import subprocess
import tomllib
from collections.abc import Callable
from ctypes import c_ulonglong
from pathlib import Path
from typing import Any

import pytest
from helpers_library import Helpers
from models.iccs import Drng
from sanitizers import sanitized, signature_sha256
from sign17_library import HELPER_SOURCES, INCLUDE, NATIVE, PARAMETERS, SCHEME, SOURCES, Ops, Q, build
from sign17_vectors import VECTORS
from workshop import GUIDE_FLAGS, HELPERS, Workshop

INSTANCES = pytest.mark.parametrize("name", PARAMETERS)
SEED = bytes(range(48))
MESSAGE = bytes((131 * i + 64) % 256 for i in range(64))
RECORDS: dict[str, Any] = tomllib.loads((SCHEME / "kat-records.toml").read_text())
HELPER_NAMES = ("sm3hash", "pseudohash", "pseudoXOF", "get_random_number")


@INSTANCES
def test_sources_compile_without_a_warning(compiler: str, name: str, tmp_path: Path) -> None:
    for source in SOURCES:
        command = [compiler, *GUIDE_FLAGS, "-Werror", f"-DOPS_LEVEL={PARAMETERS[name].level}"]
        command += [*(f"-I{path}" for path in INCLUDE), "-c", str(source), "-o", str(tmp_path / "out.o")]
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=100)
        assert done.returncode == 0, done.stderr


def test_helpers_under_sanitizers(workshop: Workshop, compiler: str) -> None:
    program = sanitized(
        workshop,
        "helpers",
        [NATIVE / "sanitize_helpers.c", *HELPER_SOURCES],
        include=[HELPERS],
        defines=[],
        compiler=compiler,
    )
    done = subprocess.run([program], check=False, capture_output=True, text=True, timeout=100)
    assert (done.returncode, done.stdout, done.stderr) == (0, "good\n", "")


@INSTANCES
def test_record_0_and_hostile_input_under_sanitizers(workshop: Workshop, compiler: str, name: str) -> None:
    program = sanitized(
        workshop,
        name,
        [NATIVE / "sanitize_sign17.c", *SOURCES, *HELPER_SOURCES],
        include=INCLUDE,
        defines=[f"OPS_LEVEL={PARAMETERS[name].level}"],
        compiler=compiler,
    )
    assert signature_sha256(program) == RECORDS[name][0]["sn_sha256"]


class Counted:
    """An instance whose calls of the helpers are counted by the linker's wrapping."""

    def __init__(self, workshop: Workshop, name: str) -> None:
        wraps = ",".join(f"--wrap={helper}" for helper in HELPER_NAMES)
        self.ops = Ops(build(workshop, name, [NATIVE / "count_calls.c"], [f"-Wl,{wraps}"]), name)

    def counts(self) -> dict[str, int]:
        """Calls since the last look."""
        found = {}
        for helper in HELPER_NAMES:
            counter = c_ulonglong.in_dll(self.ops.library, f"calls_{helper}")
            found[helper], counter.value = counter.value, 0
        return found


def rounds(
    helpers: Helpers, seed: bytes, nonce: int, size: int, needed: int, accepted: Callable[[bytes], int]
) -> int:
    """How often the sampler of the specification asks for output of `size` bytes until nothing is missing."""
    made = 0
    while needed > 0:
        text = seed + struct.pack("<HI", nonce, made)
        needed -= accepted(helpers.xof(8 * size, text, 8 * len(text)))
        made += 1
    return made


def accepted_words(data: bytes) -> int:
    return sum(word & 0x3FFFFFF < Q for word in struct.unpack(f"<{len(data) // 4}I", data))


def accepted_nibbles(data: bytes, eta: int) -> int:
    text = data.hex()
    return len(text) - text.count("f") - (text.count("e") if eta == 3 else 0)


@INSTANCES
def test_calls_of_100_key_generations(workshop: Workshop, name: str) -> None:
    """As often as the samplers of the specification ask, counted in Python from the same draws."""
    counted, p = Counted(workshop, name), PARAMETERS[name]
    helpers = Helpers(workshop.compile("counting-helpers.so", sorted(HELPERS.glob("*.c")), flags=["-shared"]))
    ops, drng = counted.ops, Drng(SEED)
    ops.seed(SEED)
    counted.counts()
    eta_bytes = {128: 274, 256: 293, 512: 547}[p.level]
    expected = 0
    for _ in range(100):
        ops.keygen()
        rho, seed = drng.draw(512), drng.draw(1024)
        for nonce in (256 * i + j for i in range(p.k) for j in range(p.l)):
            expected += rounds(helpers, rho, nonce, 4 * (p.n + 1), p.n, accepted_words)
        for nonce in range(p.k + p.l):
            expected += rounds(
                helpers, seed, nonce, eta_bytes, p.n, lambda data: accepted_nibbles(data, p.eta)
            )
    counts = counted.counts()
    assert counts == {"sm3hash": 0, "pseudohash": 100, "pseudoXOF": expected, "get_random_number": 200}
    assert expected == {128: 1694, 256: 2744, 512: 2707}[p.level]


@INSTANCES
def test_calls_of_one_verification(workshop: Workshop, name: str) -> None:
    counted = Counted(workshop, name)
    ops = counted.ops
    ops.seed(SEED)
    pk, sk = ops.keygen()
    signature = ops.sign(sk, MESSAGE)
    counted.counts()
    assert ops.verify(pk, signature, MESSAGE) == 0
    if name == "OPSsig-128":
        expected = {"sm3hash": 1, "pseudohash": 2, "pseudoXOF": 12, "get_random_number": 0}
    else:
        expected = {"sm3hash": 0, "pseudohash": 3, "pseudoXOF": 18, "get_random_number": 0}
    assert counted.counts() == expected


@INSTANCES
def test_attempts_show_in_the_calls_of_signing(workshop: Workshop, name: str) -> None:
    """One challenge hash an attempt beside mu: the attempts of the official records."""
    counted = Counted(workshop, name)
    ops = counted.ops
    seeds, messages = Drng(b"seed" * 16), Drng(b"msg" * 21 + b"m")
    attempts = []
    for count in range(10):
        ops.seed(seeds.draw(512))
        _, sk = ops.keygen()
        counted.counts()
        ops.sign(sk, messages.draw(8 * (56 + 8 * count)))
        counts = counted.counts()
        attempts.append(counts["sm3hash"] + counts["pseudohash"] - 1)
        assert counts["get_random_number"] == 1
    assert attempts == VECTORS[name]["attempts"]


def test_wrapping_counts_nothing_twice(workshop: Workshop) -> None:
    """The helpers' own hashing does not show as calls: the counters see one call each."""
    wraps = ",".join(f"--wrap={helper}" for helper in HELPER_NAMES)
    program = workshop.compile(
        "nested",
        [NATIVE / "nested_calls.c", NATIVE / "count_calls.c", *HELPER_SOURCES],
        flags=[f"-Wl,{wraps}"],
    )
    done = subprocess.run([program], check=True, capture_output=True, text=True, timeout=60)
    assert done.stdout == "1 1 1 1\n"
