"""The parts of sign-17: intermediate values of the official records, transform, rounding, packing, samplers."""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Callable
from ctypes import c_int32, c_uint, c_ulonglong
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from models.iccs import pseudo_xof
from sign17_library import PARAMETERS, Ops, Parameters, Q, Vector, build, hint_type, positive, sha256_of
from sign17_vectors import DETAILED, VECTORS, detailed
from workshop import Workshop

Instance = Callable[[str], Ops]
INSTANCES = pytest.mark.parametrize("name", PARAMETERS)
few = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def instance(workshop: Workshop) -> Instance:
    built: dict[str, Ops] = {}

    def get(name: str) -> Ops:
        if name not in built:
            built[name] = Ops(build(workshop, name), name)
        return built[name]

    return get


def matrix(ops: Ops, rho: bytes) -> list[Vector]:
    """A, by rows."""
    return [
        [ops.polynomial("ops_sample_uniform", rho, c_uint(256 * i + j)) for j in range(ops.p.l)]
        for i in range(ops.p.k)
    ]


def added(a: Vector, b: Vector, sign: int = 1) -> Vector:
    return [[x + sign * y for x, y in zip(p, r, strict=True)] for p, r in zip(a, b, strict=True)]


def largest(vector: Vector) -> int:
    return max(abs(coefficient) for polynomial in vector for coefficient in polynomial)


def secrets(ops: Ops, seed: bytes) -> tuple[Vector, Vector]:
    """s1 and s2."""
    both = [ops.polynomial("ops_sample_secret", seed, c_uint(i)) for i in range(ops.p.l + ops.p.k)]
    return both[: ops.p.l], both[ops.p.l :]


@pytest.mark.parametrize(("name", "count"), DETAILED)
def test_key_generation_step_by_step(instance: Instance, name: str, count: int) -> None:
    ops, record = instance(name), detailed(name, count)
    expected = record["keygen"]
    ops.seed(bytes.fromhex(record["seed"]))
    rho, seed = ops.draw(64), ops.draw(128)
    assert (rho.hex(), seed.hex()) == (expected["rho"], expected["rho_prime"])

    a = matrix(ops, rho)
    if "a" in expected:
        assert sha256_of([p for row in a for p in row]) == expected["a"]
    for row, digest in zip(a, expected.get("a_rows", []), strict=False):
        assert sha256_of(row) == digest
    s1, s2 = secrets(ops, seed)
    assert (sha256_of(s1), sha256_of(s2)) == (expected["s1"], expected["s2"])
    slots = [ops.ntt(p) for p in s1]
    assert sha256_of(positive(slots)) == expected["ntt_s1"]
    t = positive(added([ops.multiply_row(row, slots) for row in a], s2))
    assert sha256_of(t) == expected["t"]
    parts = [ops.split("power2round", p) for p in t]
    assert sha256_of([high for high, _ in parts]) == expected["t1"]
    assert sha256_of([low for _, low in parts]) == expected["t0"]
    pk = rho + b"".join(ops.pack(13, high) for high, _ in parts)
    assert ops.hashed("ops_key_hash", 128, pk).hex() == expected["tr"]


@pytest.mark.parametrize(("name", "count"), DETAILED)
def test_signing_step_by_step(instance: Instance, name: str, count: int) -> None:
    ops, record = instance(name), detailed(name, count)
    p, key = ops.p, record["keygen"]
    message = bytes.fromhex(record["message"])
    mu = ops.hashed("ops_message_hash", 128, bytes.fromhex(key["tr"]), message, c_ulonglong(len(message)))
    assert mu.hex() == record["mu"]

    a = matrix(ops, bytes.fromhex(key["rho"]))
    s1, s2 = secrets(ops, bytes.fromhex(key["rho_prime"]))
    slots = [ops.ntt(s) for s in s1]
    t = positive(added([ops.multiply_row(row, slots) for row in a], s2))
    t0 = [ops.split("power2round", polynomial)[1] for polynomial in t]
    for attempt, expected in enumerate(record["attempts"]):
        y, w1, w0, c = committed(ops, a, mu, bytes.fromhex(record["rho_double_prime"]), attempt, expected)

        def times_c(vector: Vector, c: list[int] = c) -> Vector:
            return [ops.multiply(ops.ntt(c), ops.ntt(s)) for s in vector]

        z = added(y, times_c(s1))
        assert (sha256_of(z), largest(z)) == (expected["z"], expected["max_abs_z"])
        w0 = added(w0, times_c(s2), -1)
        assert (sha256_of(w0), largest(w0)) == (expected["w0_prime"], expected["max_abs_w0_prime"])
        accepted = largest(z) < p.gamma1 - p.beta and largest(w0) < p.gamma2 - p.beta
        assert accepted == expected["accepted"]
        for vector, bound in ((z, p.gamma1 - p.beta), (w0, p.gamma2 - p.beta)):
            exceeds = [ops.library.ops_poly_exceeds(ops.pointer(q), c_int32(bound)) for q in vector]
            assert exceeds == [int(largest([q]) >= bound) for q in vector]
        if accepted:
            ct0 = times_c(t0)
            assert sha256_of(ct0) == expected["ct0"]
            check_hint(ops, w1, added(w0, ct0), expected)


def committed(
    ops: Ops, a: list[Vector], mu: bytes, seed: bytes, attempt: int, expected: dict[str, Any]
) -> tuple[Vector, Vector, Vector, list[int]]:
    """The mask y, the parts of w and the challenge of an attempt, checked."""
    p = ops.p
    y = [ops.polynomial("ops_sample_mask", seed, c_uint(p.l * attempt + i)) for i in range(p.l)]
    assert sha256_of(y) == expected["y"]
    slots = [ops.ntt(polynomial) for polynomial in y]
    assert sha256_of(positive(slots)) == expected["ntt_y"]
    w = [ops.multiply_row(row, slots) for row in a]
    assert sha256_of(w) == expected["w"]
    parts = [ops.split("decompose", polynomial) for polynomial in w]
    w1, w0 = [high for high, _ in parts], [low for _, low in parts]
    assert (sha256_of(w1), sha256_of(w0)) == (expected["w1"], expected["w0"])
    commitment = mu + b"".join(ops.pack(p.w1_bits, high) for high in w1)
    assert hashlib.sha256(commitment).hexdigest() == expected["commitment_sha256"]
    c_tilde = ops.hashed("ops_challenge_hash", p.challenge_bytes, commitment)
    assert c_tilde.hex() == expected["c_tilde"]
    c = ops.polynomial("ops_sample_challenge", c_tilde)
    assert [i for i, x in enumerate(c) if x == 1] == expected["c_plus"]
    assert [i for i, x in enumerate(c) if x == -1] == expected["c_minus"]
    assert sum(map(abs, c)) == p.tau
    return y, w1, w0, c


def check_hint(ops: Ops, w1: Vector, w0: Vector, expected: dict[str, Any]) -> None:
    """The hint from the last low parts."""
    assert sha256_of(w0) == expected["w0_second"]
    hint = ops.library.probe_make_hint
    positions = [
        [j for j in range(ops.p.n) if hint(c_int32(low[j]), c_int32(high[j]))]
        for low, high in zip(w0, w1, strict=True)
    ]
    assert positions == expected["hint_positions"]
    packed = ops.pack_hint(positions)
    assert packed.hex() == expected["hint_bytes"]
    assert ops.unpack_hint(packed) == positions


# Rounding.


@INSTANCES
def test_rounding_tables(instance: Instance, name: str) -> None:
    ops = instance(name)
    for a, high, low, hinted in VECTORS[name]["decompose"]:
        assert ops.split("decompose", [a]) == ([high], [low])
        assert ops.library.probe_use_hint(c_int32(a)) == hinted
    for a, high, low in VECTORS[name]["power2round"]:
        assert ops.split("power2round", [a]) == ([high], [low])


@INSTANCES
def test_rounding_of_every_coefficient(instance: Instance, name: str) -> None:
    assert instance(name).library.probe_wrong_rounding() == -1


@INSTANCES
def test_hints_at_the_edge_of_a_class(instance: Instance, name: str) -> None:
    ops, gamma2 = instance(name), PARAMETERS[name].gamma2
    edges = [(low, high) for low in (-gamma2 - 1, -gamma2, 1 - gamma2, gamma2, gamma2 + 1) for high in (0, 1)]
    hinted = [edge for edge in edges if ops.library.probe_make_hint(*map(c_int32, edge))]
    assert hinted == [(-gamma2 - 1, 0), (-gamma2 - 1, 1), (-gamma2, 1), (gamma2 + 1, 0), (gamma2 + 1, 1)]


@INSTANCES
def test_a_hint_has_at_most_omega_ones(instance: Instance, name: str) -> None:
    ops, p = instance(name), PARAMETERS[name]
    w1 = ops.pointer([0] * (p.k * p.n))
    for ones in (0, p.omega, p.omega + 1):
        w0 = [0] * (p.k * p.n)
        for i in range(ones):
            w0[i * p.k * p.n // (p.omega + 1)] = p.gamma2 + 1
        hint = hint_type(p)()
        code = ops.library.ops_hint_make(ctypes.byref(hint), w1, ops.pointer(w0))
        assert code == (-1 if ones > p.omega else 0)
        if code == 0:
            assert hint.ends[p.k - 1] == ones


@INSTANCES
@few
@given(data=st.data())
def test_a_hint_leads_back_to_the_class(instance: Instance, name: str, data: st.DataObject) -> None:
    """The verifier, who knows a + change only, finds the class of a."""
    ops, p = instance(name), PARAMETERS[name]
    a = data.draw(st.integers(0, Q - 1) | st.integers(0, p.classes).map(lambda i: (2 * i + 1) * p.gamma2 % Q))
    change = data.draw(st.integers(-(p.gamma2 - 1), p.gamma2 - 1))
    (high,), (low,) = ops.split("decompose", [a])
    moved = (a + change) % Q
    if ops.library.probe_make_hint(c_int32(low + change), c_int32(high)):
        assert ops.library.probe_use_hint(c_int32(moved)) == high
    else:
        assert ops.split("decompose", [moved])[0] == [high]


# Transform.


def reversed_bits(i: int, n: int) -> int:
    return int(f"{i:0{n.bit_length() - 1}b}"[::-1], 2)


def schoolbook(a: list[int], b: list[int]) -> list[int]:
    """The product modulo X^N + 1 over the integers."""
    n = len(a)
    product = [0] * n
    for i, x in enumerate(a):
        if x:
            for j, y in enumerate(b):
                k = i + j
                product[k % n] += x * y if k < n else -x * y
    return product


def centred(value: int) -> int:
    return (value + Q // 2) % Q - Q // 2


def spread(n: int, size: int, salt: int) -> list[int]:
    """Deterministic coefficients in [-size, size]."""
    stream = hashlib.shake_256(f"{n} {size} {salt}".encode()).digest(5 * n)
    return [int.from_bytes(stream[5 * i : 5 * i + 5], "big") % (2 * size + 1) - size for i in range(n)]


@INSTANCES
def test_transform_vectors(instance: Instance, name: str) -> None:
    ops, expected = instance(name), VECTORS[name]["ntt"]
    n = ops.p.n
    assert sha256_of(positive([ops.ntt([0, 1] + [0] * (n - 2))])) == expected["x"]
    assert sha256_of(positive([ops.ntt(list(range(1, n + 1)))])) == expected["ramp"]


@INSTANCES
@pytest.mark.parametrize("size", [1, Q])
def test_slots_are_values_at_odd_powers_of_the_root(instance: Instance, name: str, size: int) -> None:
    ops = instance(name)
    n, polynomial = ops.p.n, spread(ops.p.n, size, 1)
    slots = ops.ntt(polynomial)
    assert max(map(abs, slots)) <= 6 * Q
    for i in (0, 1, 2, n // 2 - 1, n // 2, n - 1):
        x = pow(ops.p.root, 2 * reversed_bits(i, n) + 1, Q)
        value = 0
        for coefficient in reversed(polynomial):
            value = (value * x + coefficient) % Q
        assert slots[i] % Q == value


@INSTANCES
@pytest.mark.parametrize("sizes", [(Q, Q), (2, 1), (Q // 2, 8191)])
def test_product_is_the_schoolbook_product(instance: Instance, name: str, sizes: tuple[int, int]) -> None:
    ops = instance(name)
    a, b = (spread(ops.p.n, size, i) for i, size in enumerate(sizes))
    product = ops.multiply(ops.ntt(a), ops.ntt(b))
    assert product == [centred(x) for x in schoolbook(a, b)]


@INSTANCES
@pytest.mark.parametrize("sign", [1, -1])
def test_transform_at_the_ends_of_its_range(instance: Instance, name: str, sign: int) -> None:
    """All coefficients q, then products of slots and sums of products at the documented bounds."""
    ops = instance(name)
    n = ops.p.n
    assert all(slot % Q == 0 for slot in ops.ntt([sign * Q] * n))
    assert ops.multiply(ops.ntt([sign * Q] * n), ops.ntt([1] * n)) == [0] * n
    big = [6 * Q * sign - 1 - i % 5 for i in range(n)] if sign < 0 else [6 * Q - i % 5 for i in range(n)]
    small = [Q - 1 - i % 3 for i in range(n)]
    unit = ops.ntt([1] + [0] * (n - 1))
    # The product with one takes the factor of a product away and leaves the slots as a polynomial's.
    product = ops.polynomial("ops_ntt_multiply", ops.pointer(big), ops.pointer(small))
    factor = pow(-pow(2, 64, Q), -1, Q)
    assert product == [centred(x * y * factor) for x, y in zip(big, small, strict=True)]
    row = ops.polynomial("ops_ntt_multiply_row", ops.pointer(small * ops.p.l), ops.pointer(big * ops.p.l))
    assert row == [centred(ops.p.l * x) for x in product]
    slots = [sign * Q] * (n // 2) + [Q] * (n - n // 2)
    back = ops.in_place("ops_ntt_inverse", slots)
    assert back == [0] * n
    assert ops.multiply(unit, unit) == [1] + [0] * (n - 1)


# Packing.


def bit_pack(bits: int, values: list[int]) -> bytes:
    """The packing of the specification: the first value in the lowest bits."""
    total = sum(value << bits * i for i, value in enumerate(values))
    return total.to_bytes(-(-bits * len(values) // 8), "little")


@INSTANCES
def test_packing(instance: Instance, name: str) -> None:
    ops = instance(name)
    for bits in {3, 13, ops.p.z_bits, ops.p.w1_bits}:
        for codes in ([(1 << bits) - 1] * ops.p.n, [x % (1 << bits) for x in spread(ops.p.n, Q, bits)]):
            packed = bit_pack(bits, codes)
            assert ops.pack(bits, codes) == packed
            assert ops.unpack(bits, packed) == codes
            top = 1 << (bits - 1)
            mirrored = [top - code for code in codes]
            assert ops.pack(bits, mirrored, top) == packed
            assert ops.unpack(bits, packed, top) == mirrored


def hints(p: Parameters) -> st.SearchStrategy[Vector]:
    """Positions for each polynomial, at most omega of them."""
    rows = st.lists(st.sets(st.integers(0, p.n - 1), max_size=p.omega // p.k), min_size=p.k, max_size=p.k)
    return rows.map(lambda sets: [sorted(positions) for positions in sets])


@INSTANCES
@few
@given(data=st.data())
def test_hint_encoding(instance: Instance, name: str, data: st.DataObject) -> None:
    ops, p = instance(name), PARAMETERS[name]
    positions = data.draw(hints(p))
    flat = [position for row in positions for position in row]
    packed = ops.pack_hint(positions)
    ends = bytes(sum(map(len, positions[: i + 1])) for i in range(p.k))
    assert packed == bit_pack(p.position_bits, flat + [0] * (p.omega - len(flat))) + ends
    assert ops.unpack_hint(packed) == positions


@INSTANCES
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_hint_has_one_encoding(instance: Instance, name: str, data: st.DataObject) -> None:
    """Whatever is accepted is what packing gives: changed encodings, and noise."""
    ops, p = instance(name), PARAMETERS[name]
    encoding = bytearray(ops.pack_hint(data.draw(hints(p))))
    for _ in range(data.draw(st.integers(0, 3))):
        encoding[data.draw(st.integers(-p.k, p.hint_bytes - p.k - 1))] = data.draw(st.integers(0, 255))
    accepted = ops.unpack_hint(bytes(encoding))
    if accepted is not None:
        assert all(row == sorted(set(row)) for row in accepted)
        assert ops.pack_hint(accepted) == bytes(encoding)


# Samplers.


@INSTANCES
def test_second_rounds_of_the_matrix(instance: Instance, name: str) -> None:
    ops, vector = instance(name), VECTORS[name]["uniform_refill"]
    rho = bytes.fromhex(vector["rho"])
    for case in vector["cases"]:
        first_round = pseudo_xof(
            32 * (ops.p.n + 1), rho + case["nonce"].to_bytes(2, "little") + bytes(4), 560
        )
        words = [
            int.from_bytes(first_round[i : i + 4], "little") % 2**26 for i in range(0, len(first_round), 4)
        ]
        assert sum(word < Q for word in words) < ops.p.n and case["rounds"] == 2
        slots = ops.polynomial("ops_sample_uniform", rho, c_uint(case["nonce"]))
        assert sha256_of([slots]) == case["slots"]


@INSTANCES
def test_matrix_is_its_polynomials(instance: Instance, name: str) -> None:
    ops = instance(name)
    rho = bytes(range(64))
    out = (c_int32 * (ops.p.k * ops.p.l * ops.p.n))()
    ops.library.ops_sample_matrix(out, rho)
    assert list(out) == [x for row in matrix(ops, rho) for polynomial in row for x in polynomial]


@INSTANCES
@few
@given(seed=st.binary(min_size=128, max_size=128), nonce=st.integers(0, 65535))
def test_ranges_of_secrets_and_masks(instance: Instance, name: str, seed: bytes, nonce: int) -> None:
    ops, p = instance(name), PARAMETERS[name]
    secret = ops.polynomial("ops_sample_secret", seed, c_uint(nonce))
    assert set(secret) == set(range(-p.eta, p.eta + 1))
    mask = ops.polynomial("ops_sample_mask", seed, c_uint(nonce))
    assert -p.gamma1 < min(mask) and max(mask) <= p.gamma1
