"""The parts of sign-11: subsets, authentication nodes, roots of made-up signatures, integers of several words."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from models.iccs import Drng
from sign11_library import PARAMETERS, FlexTree, Parameters, build
from sign11_model import AVAILABLE, Verifier, authentication, place, rank, unrank
from sign11_vectors import VECTORS
from workshop import Workshop

Instance = Callable[[str], FlexTree]
INSTANCES = pytest.mark.parametrize("name", PARAMETERS)
some = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def instance(workshop: Workshop) -> Instance:
    built: dict[str, FlexTree] = {}

    def get(name: str) -> FlexTree:
        if name not in built:
            built[name] = FlexTree(build(workshop, name), name)
        return built[name]

    return get


def subset(ft: FlexTree, value: int) -> list[int]:
    """The subset of a number."""
    return ft.subset(value.to_bytes(ft.p.choice_bytes, "big"))


# Subsets.


@INSTANCES
def test_vectors_of_subsets(instance: Instance, name: str) -> None:
    ft, expected = instance(name), VECTORS[name]
    assert ft.count() == ft.p.subsets == int(expected["subsets"], 16)
    for case in expected["unrank"]:
        value = int(case["value"], 16)
        assert subset(ft, value) == unrank(ft.p, value) == case["leaves"]
        assert rank(ft.p, case["leaves"]) == value
        assert len(ft.places(case["leaves"])) == case["places"]


def values(p: Parameters) -> st.SearchStrategy[int]:
    """Numbers of subsets: any, near either end, and beside those where a summand reaches its next value."""
    steps = st.tuples(st.integers(0, p.t - 1), st.integers(1, p.k), st.integers(-2, 2)).map(
        lambda drawn: (p.subsets - 1 - math.comb(drawn[0], drawn[1]) + drawn[2]) % p.subsets
    )
    ends = st.integers(0, 3 * p.t) | st.integers(0, 3 * p.t).map(lambda i: p.subsets - 1 - i)
    return st.integers(0, p.subsets - 1) | ends | steps


@INSTANCES
@some
@given(data=st.data())
def test_subset_of_every_number(instance: Instance, name: str, data: st.DataObject) -> None:
    ft = instance(name)
    value = data.draw(values(ft.p))
    leaves = subset(ft, value)
    assert all(a < b for a, b in pairwise(leaves)) and leaves[-1] < ft.p.t
    assert rank(ft.p, leaves) == value


@INSTANCES
@some
@given(data=st.data())
def test_every_subset_has_its_number(instance: Instance, name: str, data: st.DataObject) -> None:
    """Also such as no random number gives: runs of neighbours, gaps, few leaves at one end."""
    ft, p = instance(name), PARAMETERS[name]
    near = st.integers(0, p.t - 1) | st.integers(p.t // 2, p.t // 2 + 2 * p.k) | st.integers(0, 2 * p.k)
    leaves = sorted(data.draw(st.sets(near, min_size=p.k, max_size=p.k)))
    assert subset(ft, rank(p, leaves)) == leaves


@INSTANCES
@some
@given(data=st.data())
def test_choice_is_reduced(instance: Instance, name: str, data: st.DataObject) -> None:
    ft, p = instance(name), PARAMETERS[name]
    any_choice = st.binary(min_size=p.choice_bytes, max_size=p.choice_bytes)
    multiple = st.integers(0, 256**p.choice_bytes // p.subsets - 1).map(
        lambda i: (i * p.subsets).to_bytes(p.choice_bytes, "big")
    )
    choice = data.draw(any_choice | multiple | st.just(b"\xff" * p.choice_bytes))
    assert rank(p, ft.subset(choice)) == int.from_bytes(choice, "big") % p.subsets


# Authentication nodes.


def leaf_sets(p: Parameters) -> st.SearchStrategy[list[int]]:
    """Leaves all over the tree, around the change of height, and in blocks."""
    border = st.integers(max(0, p.deep - 2 * p.k), min(p.t, p.deep + 2 * p.k) - 1)
    anywhere = st.integers(0, p.t - 1)
    sets = st.sets(anywhere | border, min_size=p.k, max_size=p.k)
    blocks = st.integers(0, p.t - p.k).map(lambda start: set(range(start, start + p.k)))
    return (sets | blocks).map(sorted)


@INSTANCES
@some
@given(data=st.data())
def test_authentication_nodes(instance: Instance, name: str, data: st.DataObject) -> None:
    ft, p = instance(name), PARAMETERS[name]
    leaves = data.draw(leaf_sets(p))
    found = ft.places(leaves)
    assert found == authentication(p, leaves)
    # The closed form: of neighbouring leaves the later one adds what lies below their common parent.
    virtual = [leaf if leaf < p.deep else 2 * (leaf - p.deep // 2) for leaf in leaves]
    lowest = [place(p, leaf)[0] for leaf in leaves]
    total = p.pors_height - lowest[0]
    total += sum((virtual[i - 1] ^ virtual[i]).bit_length() - 1 - lowest[i] for i in range(1, p.k))
    assert len(found) == total - p.k + 1


# Roots of signatures.


@pytest.mark.skipif(not AVAILABLE, reason="this Python's OpenSSL has no SM3")
@INSTANCES
def test_roots_of_made_up_few_time_signatures(instance: Instance, name: str) -> None:
    """Under those of the first counters that are accepted, and what is not; rejection agrees with the model."""
    ft, p = instance(name), PARAMETERS[name]
    noise = Drng(name.encode())
    pk, r, md = (noise.draw(8 * size) for size in (2 * p.n, p.n, p.n))
    signature, tree, leaf = noise.draw(8 * p.pors_bytes), 0x0123456789ABCDEF, 5
    verifier, seen = Verifier(p, pk), set()
    for counter in range(2000):
        numbered = counter.to_bytes(4, "big") + signature[4:]
        accepted = len(ft.places(ft.subset(ft.choice(r, counter, md)))) <= p.slots
        if accepted or False not in seen:
            found = ft.pors_root(r, md, tree, leaf, numbered, pk[: p.n])
            assert found == verifier.pors(r + numbered, md, tree, leaf)
            assert (found is not None) == accepted
            seen.add(accepted)
        if accepted:
            break
    assert True in seen
    largest = b"\xff" * 4 + signature[4:]
    assert ft.pors_root(r, md, tree, leaf, largest, pk[: p.n]) is None


@pytest.mark.skipif(not AVAILABLE, reason="this Python's OpenSSL has no SM3")
@INSTANCES
def test_roots_of_made_up_blocks(instance: Instance, name: str) -> None:
    """Under a counter whose digits have the right sum, and under the one before it."""
    ft, p = instance(name), PARAMETERS[name]
    noise = Drng(name.encode())
    pk, tree = noise.draw(16 * p.n), 0x0123456789ABCDEF
    verifier = Verifier(p, pk)
    for layer, leaf in ((0, 5), (p.layers - 1, 2)):
        chains, signed = (noise.draw(8 * size) for size in (p.block_bytes(layer) - 4, p.n))
        numbers = range(1, 1 << 20)
        counter = next(c for c in numbers if ft.digits(layer, tree, leaf, c, signed, pk[: p.n]) is not None)
        for tried in (counter, counter - 1):
            block = chains + tried.to_bytes(4, "big")
            found = ft.xmss_root(layer, tree, leaf, block, signed, pk[: p.n])
            assert found == verifier.xmss(layer, tree, leaf, block, signed)
            assert (found is not None) == (tried == counter)


@INSTANCES
def test_counter_0_signs_nothing(instance: Instance, name: str) -> None:
    """Also where its digits have the right sum."""
    ft, p = instance(name), PARAMETERS[name]
    seed, block = bytes(p.n), bytes(p.block_bytes(0))
    messages = (number.to_bytes(p.n, "big") for number in range(1 << 20))
    message = next(m for m in messages if ft.digits(0, 1, 2, 0, m, seed) is not None)
    assert ft.xmss_root(0, 1, 2, block, message, seed) is None


# Integers.

BITS = 1000  # what Flextree-512f has room for in products


@some
@given(a=st.integers(0, 2**BITS), b=st.integers(0, 2**BITS), word=st.integers(1, 2**32 - 1))
def test_arithmetic(instance: Instance, a: int, b: int, word: int) -> None:
    ft = instance("Flextree-512f")
    a, b = max(a, b), min(a, b)

    def after(function: str, *arguments: object) -> int:
        number = ft.number(a)
        ft.library[function](number, *arguments)
        return ft.value(number)

    assert after("ft_number_subtract", ft.number(b)) == a - b
    assert after("ft_number_multiply", word) == a * word
    assert after("ft_number_divide", word) == a // word
    assert ft.library.ft_number_compare(ft.number(a), ft.number(b)) == (a > b)
    assert ft.library.ft_number_compare(ft.number(b), ft.number(a)) == -(a > b)
    if a:
        assert ft.library.ft_number_log2(ft.number(a)) == pytest.approx(math.log2(a), rel=1e-14, abs=1e-14)


def extremes(bits: int) -> st.SearchStrategy[int]:
    """Words that are all ones or zeros are where an estimated quotient is furthest off."""
    word = st.sampled_from((0, 1, 2**31 - 1, 2**31, 2**32 - 2, 2**32 - 1)) | st.integers(0, 2**32 - 1)
    lists = st.lists(word, min_size=1, max_size=bits // 32)
    return lists.map(lambda found: sum(w << 32 * i for i, w in enumerate(found)))


@settings(parent=some, max_examples=100)
@given(a=extremes(1256), m=extremes(800).filter(bool), factor=extremes(400), below=st.integers(0, 2))
def test_reduction(instance: Instance, a: int, m: int, factor: int, below: int) -> None:
    ft = instance("Flextree-512f")
    for dividend in (a, max(0, m * factor - below)):
        number = ft.number(dividend)
        ft.library.ft_number_reduce(number, ft.number(m))
        assert ft.value(number) == dividend % m
