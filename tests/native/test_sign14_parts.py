"""The parts of sign-14: ciphers by their standards, the fields by arithmetic in Python, the rest by intermediate values."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from ctypes import c_uint, c_ulonglong

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from models.sm3 import sm3
from sign14_library import PARAMETERS, SCHEME, VECTORS, Lynx, build
from sign14_rijndael import encrypt as rijndael
from workshop import Workshop

LEVELS = (160, 256, 384, 512)
MODULI = {
    160: (5, 3, 2, 0),
    256: (10, 5, 2, 0),
    384: (16, 15, 6, 0),
    512: (8, 5, 2, 0),
    64: (4, 3, 1, 0),
}
ELEMENTS = st.integers(0, (1 << 512) - 1)
EXAMPLES = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
BY_LEVEL = pytest.mark.parametrize("level", LEVELS)
INSTANCES = pytest.mark.parametrize("name", [name for name in PARAMETERS if name.endswith("f")])


@pytest.fixture(scope="module")
def parts(workshop: Workshop) -> dict[int, Lynx]:
    """An instance of every level."""
    names = {level: f"Lynxer-{level}f" for level in LEVELS}
    return {level: Lynx(build(workshop, name), name) for level, name in names.items()}


# Block ciphers.


def test_aes_192_of_fips_197(parts: dict[int, Lynx]) -> None:
    block = bytes(0x11 * i for i in range(16))
    assert parts[160].encrypt(bytes(range(24)), block).hex() == "dda97ca4864cdfe06eaf70a0ec0d7191"


def test_aes_256_of_fips_197(parts: dict[int, Lynx]) -> None:
    block = bytes(0x11 * i for i in range(16))
    assert parts[256].encrypt(bytes(range(32)), block).hex() == "8ea2b7ca516745bfeafc49904b496089"


def test_model_of_rijndael() -> None:
    """AES of FIPS 197, and a known answer of Rijndael with a block of 256 bits: digits of pi under digits of e."""
    block = bytes(0x11 * i for i in range(16))
    assert rijndael(bytes(range(16)), block).hex() == "69c4e0d86a7b0430d8cdb78070b4c55a"
    assert rijndael(bytes(range(32)), block).hex() == "8ea2b7ca516745bfeafc49904b496089"
    key = bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c")
    block = bytes.fromhex("3243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c8")
    cipher = "7d15479076b69a46ffb3b3beae97ad8313f622f67fedb487de9f06b9ed9c8f19"
    assert rijndael(key, block).hex() == cipher


@EXAMPLES
@given(key=st.binary(min_size=32, max_size=32), block=st.binary(min_size=32, max_size=32))
def test_rijndael_against_its_model(parts: dict[int, Lynx], key: bytes, block: bytes) -> None:
    assert parts[384].encrypt(key, block) == rijndael(key, block)
    assert parts[256].encrypt(key, block[:16]) == rijndael(key, block[:16])
    assert parts[160].encrypt(key[:24], block[:16]) == rijndael(key[:24], block[:16])


@EXAMPLES
@given(message=st.binary(max_size=55))
def test_shacal_2_is_the_compression_of_sha_256(parts: dict[int, Lynx], message: bytes) -> None:
    start = "6a09e667bb67ae853c6ef372a54ff53a510e527f9b05688c1f83d9ab5be0cd19"
    padded = message + b"\x80" + bytes(55 - len(message)) + (8 * len(message)).to_bytes(8, "big")
    words = parts[512].encrypt(padded, bytes.fromhex(start)).hex()
    sums = (
        int(words[i : i + 8], 16) + int(start[i : i + 8], 16) & 0xFFFFFFFF for i in range(0, len(start), 8)
    )
    assert "".join(f"{word:08x}" for word in sums) == hashlib.sha256(message).hexdigest()


# Fields.


def times(n: int, a: int, b: int) -> int:
    """The product in the field of 2^n elements."""
    product = 0
    while b:
        product ^= a * (b & -b)
        b &= b - 1
    for i in range(product.bit_length() - 1, n - 1, -1):
        if product >> i & 1:
            product ^= 1 << i
            for power in MODULI[n]:
                product ^= 1 << i - n + power
    return product


def power(n: int, a: int, exponent: int) -> int:
    """a^exponent in the field of 2^n elements."""
    result = 1
    for bit in f"{exponent:b}":
        result = times(n, result, result)
        if bit == "1":
            result = times(n, result, a)
    return result


@BY_LEVEL
@EXAMPLES
@given(a=ELEMENTS, b=ELEMENTS)
def test_multiplication(parts: dict[int, Lynx], level: int, a: int, b: int) -> None:
    a, b, lynx = a >> 512 - level, b >> 512 - level, parts[level]
    low = b & (1 << 64) - 1
    assert lynx.binary("lynx_fe_mul", a, b) == times(level, a, b)
    assert lynx.unary("lynx_fe_mul64", a, c_ulonglong(low)) == times(level, a, low)
    assert lynx.unary("lynx_fe_mul_x", a) == times(level, a, 2)
    assert lynx.unary("lynx_fe_frobenius", a, c_uint(1)) == times(level, a, a)
    small = a & (1 << 64) - 1
    assert lynx.library.lynx_gf64_mul(c_ulonglong(small), c_ulonglong(low)) == times(64, small, low)


@BY_LEVEL
def test_multiplication_of_the_largest(parts: dict[int, Lynx], level: int) -> None:
    """All bits set: the most ones that a sum in the carry-less product can have."""
    ones = (1 << level) - 1
    assert parts[level].binary("lynx_fe_mul", ones, ones) == times(level, ones, ones)
    all64 = (1 << 64) - 1
    found = parts[level].library.lynx_gf64_mul(c_ulonglong(all64), c_ulonglong(all64))
    assert found == times(64, all64, all64)


@BY_LEVEL
def test_inversion(parts: dict[int, Lynx], level: int) -> None:
    lynx = parts[level]
    for a in (1, 2, 3, (1 << level) - 1, 0x123456789 << level - 64):
        assert times(level, a, lynx.unary("lynx_fe_invert", a)) == 1
    assert lynx.unary("lynx_fe_invert", 0) == 0


# The one-way function.


def applied(matrix: bytes, x: int, n: int) -> int:
    """A matrix, its rows one after another, times x."""
    size = n // 8
    rows = (int.from_bytes(matrix[i * size : (i + 1) * size], "little") for i in range(n))
    return sum(((row & x).bit_count() & 1) << i for i, row in enumerate(rows))


@INSTANCES
def test_map_of_record_0(parts: dict[int, Lynx], name: str) -> None:
    expected, n = VECTORS[name], PARAMETERS[name].n
    sk, size = bytes.fromhex(expected["sk"]), n // 8
    matrices, constants, chosen = parts[n].map(sk[:size])
    assert [sm3(matrix).hex() for matrix in matrices] == [expected[f"L{i}_sm3"] for i in range(3)]
    # For n = 160 the first constant stands for the second, too.
    names = ("c1", "c1") if n == 160 else ("c1", "c2", "c3")
    assert [constant.hex() for constant in constants] == [expected[constant] for constant in names]
    values = parts[n].evaluate(chosen, sk[size:])
    assert {key: values[key].hex() for key in ("v1", "v2", "t")} == {
        key: expected[key] for key in ("v1", "v2", "t")
    }


@BY_LEVEL
def test_map_keeps_its_relations(parts: dict[int, Lynx], level: int) -> None:
    """The power maps by the relations that the proof is about, in Python's arithmetic, for a key of zeros too."""
    lynx = parts[level]
    matrices, constants, chosen = lynx.map(bytes(range(level // 8)))
    c = [int.from_bytes(constant, "little") for constant in constants]
    v1_power, v2_power = {
        160: (-1, (1 << 67) - 1),
        256: (31, (1 << 53) - 1),
        384: ((1 << 13) - 1, (1 << 60) - (1 << 30) + 1),
        512: ((1 << 12) - (1 << 6) + 1, (1 << 180) - (1 << 90) + 1),
    }[level]
    for k in (0, c[0], (1 << level) - 5):
        found = lynx.evaluate(chosen, k.to_bytes(level // 8, "little"))
        v = {name: int.from_bytes(value, "little") for name, value in found.items()}
        assert v["z"] == k ^ c[0] and v["x"] == applied(matrices[0], k, level) ^ c[1]
        if v1_power < 0:
            assert times(level, v["v1"], v["z"]) == (v["z"] != 0)
        else:
            assert power(level, v["v1"], v1_power) == v["z"]
        assert v["v2"] == power(level, v["x"], v2_power)
        assert v["l1"] == applied(matrices[1], v["v1"], level)
        assert v["l2"] == applied(matrices[2], v["v2"], level)
        product = times(level, v["l1"], v["l2"])
        if level == 160:
            assert v["t"] == product ^ v["l3"]
        else:
            assert times(level, v["t"] ^ v["l3"], k ^ c[2]) == product


# Tree, columns, hashes.


@INSTANCES
def test_expansion_of_nodes_and_leaves(parts: dict[int, Lynx], name: str) -> None:
    lynx, v = parts[PARAMETERS[name].n], VECTORS[name]
    r, s, iv = (bytes.fromhex(v[key]) for key in ("r", "s", "iv_sig"))
    left, right = lynx.children(r, s, iv, both=False)
    assert (left.hex(), right.hex()) == (v["node_1"], v["node_2"])
    assert lynx.children(left, s, iv, both=False)[0].hex() == v["node_3"]
    flipped = bytes([left[0] ^ 1]) + left[1:]
    both = lynx.children(left, s, iv, both=True)
    assert both[0].hex() == v["node_3"] and both[1] == lynx.children(flipped, s, iv, both=False)[0]

    leaf = bytes.fromhex(v["leaf_first_node_L_1"])
    tweak = (2 * lynx.p.n + 127) // 128
    assert lynx.prg(leaf, iv, 0, 2 * lynx.p.size).hex() == v["com_0_0"]
    assert lynx.prg(leaf, iv, tweak, lynx.p.column).hex() == v["R_0_of_vector_0"]


@INSTANCES
def test_universal_hashes(parts: dict[int, Lynx], name: str) -> None:
    lynx, v = parts[PARAMETERS[name].n], VECTORS[name]
    challenge = bytes.fromhex(v["chall_1"])
    assert lynx.hashed_column(challenge, bytes.fromhex(v["u"])).hex() == v["u_tilde"]
    assert lynx.hashed_column(challenge, bytes.fromhex(v["V_0"])).hex() == v["V_tilde_0"]
    size = lynx.p.size
    mask = bytes.fromhex(v["u"])[3 * size : 4 * size]
    pairs = [bytes.fromhex(v[f"qs_a1_{i}"]) for i in range(3)]
    assert lynx.hashed_triple(bytes.fromhex(v["chall_2"]), pairs, mask).hex() == v["a1_tilde"]


def test_transposition(parts: dict[int, Lynx]) -> None:
    words = [(0x9E3779B97F4A7C15 * (i + 1) ** 3) & (1 << 64) - 1 for i in range(64)]
    found = (c_ulonglong * 64)(*words)
    parts[160].library.lynx_transpose64(found)
    assert list(found) == [sum((words[i] >> j & 1) << i for i in range(64)) for j in range(64)]


def test_tables_are_what_the_generator_writes() -> None:
    command = [sys.executable, str(SCHEME / "generate" / "tables.py"), "--check"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
