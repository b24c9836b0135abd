"""The parts of sign-30 against vectors and against their definitions."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from models.iccs import Drng, pseudohash
from official import hex_sha256
from sign30_library import PARAMETERS, VECTORS, Q, Trine, build, packed
from workshop import Workshop

Instance = Callable[[str], Trine]
INSTANCES = pytest.mark.parametrize("name", PARAMETERS)
few = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
seeds = st.integers(0, 2**32 - 1)


@pytest.fixture(scope="module")
def instance(workshop: Workshop) -> Instance:
    built: dict[str, Trine] = {}

    def get(name: str) -> Trine:
        if name not in built:
            built[name] = Trine(build(workshop, name), name)
        return built[name]

    return get


def random_elements(seed: int, count: int) -> list[int]:
    generator = random.Random(seed)
    return [generator.randrange(Q) for _ in range(count)]


def product(a: list[int], b: list[int], n: int) -> list[int]:
    """The product of two square matrices by rows."""
    columns = [b[j::n] for j in range(n)]
    rows = [a[i * n : (i + 1) * n] for i in range(n)]
    return [sum(x * y for x, y in zip(row, column, strict=True)) % Q for row in rows for column in columns]


def test_reduction_and_inverses(instance: Instance) -> None:
    assert instance("TRINE-128-Balanced").library.probe_wrong_field() == 0


# Commitments.


@INSTANCES
def test_first_commitment_of_record_0(instance: Instance, name: str) -> None:
    """Base form, accepted vector, its chain and its canonical form."""
    trine, known, p = instance(name), VECTORS["instances"][name], PARAMETERS[name]
    drng = Drng(Drng(b"seed" * 16).draw(512))
    secret, salt, round_seeds = (drng.draw(bits) for bits in (2 * p.level, 2 * p.level, p.rounds * p.level))
    assert hex_sha256(trine.base(secret)) == known["base_form_packed_sha256"]
    for t, expected in enumerate(known["commitments"]):
        vector, form = trine.commitment(salt, round_seeds[t * p.level // 8 :], t)
        assert vector == expected["a"]
        assert trine.points(vector) == [expected["v0"], expected["w0"], expected["u1"]]
        assert hex_sha256(form) == expected["N_packed_sha256"]


def elements_of(form: bytes, trine: Trine) -> list[int]:
    elements = trine.unpack(form, trine.p.n**3)
    assert elements is not None
    return elements


def test_canonical_form_has_its_anchors_and_zeros(instance: Instance) -> None:
    trine = instance("TRINE-128-Balanced")
    n = trine.p.n
    trine.base(b"an arbitrary seed of 32 bytes...")
    _, form = trine.commitment(bytes(32), bytes(16), 0)
    flat = elements_of(form, trine)

    def at(k: int, i: int, j: int) -> int:
        return flat[(k * n + i) * n + j]

    anchors = [(0, 0, 1), (4, 1, 2), (1, 0, 2), (1, 1, 0)]
    for i in range(2, n):
        anchors += [(0, i, 1), (0, 0, i), (i, 0, 1)]
    assert {at(*anchor) for anchor in anchors} == {1}
    spread = range(n)
    assert not any(at(k, i, i) or at(k, i, k) for k in spread for i in spread)
    assert not any(at(k, k + 1, j) for k in range(n - 1) for j in spread)


@few
@given(factor=st.integers(2, Q - 1), seed=seeds)
def test_canonical_form_is_that_of_all_equivalent_forms(instance: Instance, factor: int, seed: int) -> None:
    """CF(M * (A, B, C), s A^-1 u) = CF(M, u)."""
    trine = instance("TRINE-128-Balanced")
    n = trine.p.n
    base = elements_of(trine.base(b"an arbitrary seed of 32 bytes..."), trine)
    vector, form = trine.commitment(bytes(32), bytes(16), 0)
    a, b, c = (trine.matrix(f"{seed:031d}{which}".encode()) for which in "ABC")
    transposed = [[m[i + n * j] for i in range(n) for j in range(n)] for m in (a, b, c)]
    moved = trine.transformed(base, *transposed)
    inverse = trine.inverse(a)
    point = [factor * sum(inverse[i * n + j] * vector[j] for j in range(n)) % Q for i in range(n)]
    assert trine.canonical(base, vector) == form
    assert trine.canonical(moved, point) == form
    assert trine.canonical(moved, [0] * n) is None


# Linear algebra.


@few
@given(seed=seeds, drop=st.integers(0, 2))
def test_rank_and_kernel(instance: Instance, seed: int, drop: int) -> None:
    """Of a product of two random invertible matrices with rows set to zero between them."""
    trine = instance("TRINE-128-Balanced")
    n = trine.p.n
    left, right = (trine.matrix(f"{seed:031d}{which}".encode()) for which in "LR")
    rank, _ = trine.rank(left)
    assert rank == n
    generator = random.Random(seed)
    for row in generator.sample(range(n), drop):
        right[row * n : (row + 1) * n] = [0] * n
    matrix = product(left, right, n)
    rank, kernel = trine.rank(matrix)
    assert rank == (n, n - 1, 0)[drop]
    if drop == 1:
        assert any(kernel)
        image = [sum(matrix[i * n + j] * kernel[j] for j in range(n)) % Q for i in range(n)]
        assert not any(image)


@few
@given(seed=seeds, position=st.integers(0, 21))
def test_rank_with_a_free_column_anywhere(instance: Instance, seed: int, position: int) -> None:
    trine = instance("TRINE-128-Balanced")
    n = trine.p.n
    matrix = trine.matrix(f"{seed:032d}".encode())
    for row in range(n):
        matrix[row * n + position] = 0
    assert trine.rank(matrix) == (n - 1, [int(i == position) for i in range(n)])


@few
@given(seed=seeds)
def test_inverse(instance: Instance, seed: int) -> None:
    trine = instance("TRINE-128-Balanced")
    n = trine.p.n
    matrix = trine.matrix(f"{seed:032d}".encode())
    matrix[: n * n] = matrix[n:] + matrix[:n]
    matrix[0] = 0  # the first pivot is not where it should be
    if trine.rank(matrix)[0] == n:
        identity = [int(i == j) for i in range(n) for j in range(n)]
        assert product(matrix, trine.inverse(matrix), n) == identity


@pytest.mark.parametrize("case", VECTORS["singular_first_draw"], ids=lambda case: f"n={case['n']}")
def test_matrix_whose_first_draw_is_singular(instance: Instance, case: dict[str, object]) -> None:
    trine = instance({22: "TRINE-128-Balanced", 40: "TRINE-256-Balanced"}[int(str(case["n"]))])
    matrix = trine.matrix(bytes.fromhex(str(case["matrix_seed"])))
    assert matrix[:8] == case["result_first8"]
    assert matrix[-8:] == case["result_last8"]


# Encodings, challenge, hash.


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(elements=st.lists(st.integers(0, Q - 1), max_size=30), data=st.data())
def test_encoding_is_strict(instance: Instance, elements: list[int], data: st.DataObject) -> None:
    trine, count = instance("TRINE-128-Balanced"), len(elements)
    encoding = trine.pack(elements)
    assert encoding == packed(elements)
    assert trine.unpack(encoding, count) == elements
    if elements:
        wrong = list(elements)
        wrong[data.draw(st.integers(0, count - 1))] = data.draw(st.integers(Q, 4095))
        assert trine.unpack(packed(wrong), count) is None
    if count % 2:
        nibble = data.draw(st.integers(1, 15)) << 4
        assert trine.unpack(encoding[:-1] + bytes([encoding[-1] | nibble]), count) is None


@INSTANCES
def test_challenge(instance: Instance, name: str) -> None:
    known = VECTORS["instances"][name]
    challenge = "".join(map(str, instance(name).challenge(bytes.fromhex(known["digest"]))))
    assert challenge == known["challenge"]


@pytest.mark.parametrize("name", [name for name, p in PARAMETERS.items() if p.forms == 1])
@pytest.mark.parametrize("size", [0, 1, 61, 62, 64, 200])
def test_transcript_in_pieces(instance: Instance, name: str, size: int) -> None:
    trine, data = instance(name), random.Random(size).randbytes(size)
    if trine.p.level == 128:
        expected = hashlib.new("sm3", data).digest()
    else:
        expected = pseudohash(2 * trine.p.level, data, 8 * size)
    for piece in (1, 7, 64, 1000):
        assert trine.transcript(data, piece) == expected
