"""sign-11 as a whole: the official known answers, what they cost, and what they do not cover."""

from __future__ import annotations

import ctypes
import os
import tomllib
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from ctypes import c_ulonglong
from dataclasses import dataclass

import pytest
from models.iccs import Drng
from official import Record, check_known_answers, hex_sha256
from sign11_library import PARAMETERS, SCHEME, SOURCES, Calls, FlexTree, build, helper_objects
from sign11_model import AVAILABLE, Costs, Verifier, authentication, unrank
from sign11_vectors import MANIFEST, RECORDS, VECTORS, published
from workshop import Workshop

from ngcctui.engine.kat_case import official_inputs

INSTANCES = pytest.mark.parametrize("name", PARAMETERS)
FAST = ("Flextree-160f", "Flextree-256f")  # checked with all ten records
SLOWEST = "Flextree-512s"  # one signature takes about as long as all others together: `make kat` makes it
SIGNING = pytest.mark.parametrize("name", [name for name in PARAMETERS if name != SLOWEST])
# Longest first, so that the threads end together.
ORDER = ("384s", "512f", "384f", "256s", "160s", "256f", "160f", "512s")


@dataclass(frozen=True)
class Made:
    """An instance with its first record, or all of them."""

    ft: FlexTree
    records: list[Record]

    @property
    def first(self) -> Record:
        return self.records[0]


def record(ft: FlexTree, number: int) -> Record:
    """A record of the official KAT, made anew."""
    given = official_inputs()[number]
    ft.seed(given.seed)
    ft.calls()
    pk, sk = ft.keygen()
    calls = {"keygen": ft.calls()}
    signature = ft.sign(sk, given.message)
    calls["sign"] = ft.calls()
    assert ft.verify(pk, signature, given.message) == 0
    calls["verify"] = ft.calls()
    return Record(given.message, pk, sk, signature, calls)


@pytest.fixture(scope="module")
def made(workshop: Workshop) -> Iterator[Callable[[str], Made]]:
    """Instances by name; the records are made on all cores at once, which is what takes the time here."""

    def make(name: str) -> Made:
        ft = FlexTree(build(workshop, name), name)
        count = 10 if name in FAST else 0 if name == SLOWEST else 1
        return Made(ft, [record(ft, number) for number in range(count)])

    helper_objects(workshop)
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        names = [f"Flextree-{short}" for short in ORDER]
        futures: dict[str, Future[Made]] = {name: pool.submit(make, name) for name in names}
        yield lambda name: futures[name].result()


# Known answers.


@SIGNING
def test_official_kat(made: Callable[[str], Made], name: str) -> None:
    found = made(name)
    assert len(found.records) == (10 if name in FAST else 1)
    check_known_answers(found.ft, found.records, MANIFEST[name]["kat"], RECORDS[name])


@INSTANCES
def test_sizes_are_the_published_ones(made: Callable[[str], Made], name: str) -> None:
    ft = made(name).ft
    sizes = {"public_key": ft.pk_len, "secret_key": ft.sk_len, "signature": ft.sn_len}
    assert sizes == MANIFEST[name]["sizes"]
    for system in ("x86_1", "arm_1"):
        (row,) = [row for row in published(system, "sizes") if row["instance"] == name]
        assert row == {"instance": name} | sizes


def test_manifest_lists_all_sources() -> None:
    listed = tomllib.loads((SCHEME / "scheme.toml").read_text())["build"]["sources"]
    assert [SCHEME / source for source in listed] == SOURCES
    assert list(MANIFEST) == list(PARAMETERS) == list(VECTORS) == list(RECORDS)


@SIGNING
def test_signature_step_by_step(made: Callable[[str], Made], name: str) -> None:
    ft, first, expected = made(name).ft, made(name).first, VECTORS[name]
    p, sn, seed = ft.p, first.signature, first.pk[: ft.p.n]
    message, few_time = expected["message"], expected["few_time"]
    r, md = sn[: p.n], bytes.fromhex(message["digest"])[-p.n :]
    assert r.hex() == message["randomiser"]
    assert ft.digest(r, first.pk, first.message).hex() == message["digest"]

    for counter, choice in ((0, expected["first_choice"]), (few_time["counter"], few_time)):
        found = ft.choice(r, counter, md)
        assert found.hex() == choice["choice"]
        assert ft.subset(found) == choice["leaves"]
        assert len(ft.places(choice["leaves"])) == choice["places"]
    places = [list(place) for place in ft.places(few_time["leaves"])]
    assert places[:10] == few_time["first_places"] and places[-3:] == few_time["last_places"]
    assert sn[p.n : p.n + 4] == few_time["counter"].to_bytes(4, "big")
    assert hex_sha256(sn[p.n : p.block_at(0)]) == few_time["sha256"]
    root = ft.pors_root(r, md, int(message["tree"], 16), message["leaf"], sn[p.n :], seed)
    assert root is not None and root.hex() == few_time["root"]

    for layer, (tree, leaf, counter, _, expected_root) in enumerate(expected["layers"]):
        block = sn[p.block_at(layer) : p.block_at(layer + 1)]
        assert block[-4:] == counter.to_bytes(4, "big")
        digits = ft.digits(layer, int(tree, 16), leaf, counter, root, seed)
        assert digits is not None and p.steps - sum(digits) == p.steps_left
        if layer == 0:
            assert digits[:8] == expected["digits"]["first"] and digits[-4:] == expected["digits"]["last"]
        for other in range(max(0, counter - 50), counter):
            assert ft.digits(layer, int(tree, 16), leaf, other, root, seed) is None or other == 0
        root = ft.xmss_root(layer, int(tree, 16), leaf, block, root, seed)
        assert root is not None and root.hex() == expected_root
    assert root == first.pk[p.n :]


# Calls of the helpers.


@SIGNING
def test_calls_are_those_of_the_specification(made: Callable[[str], Made], name: str) -> None:
    """Number and lengths of all calls; how long the searches took is read from the signature."""
    ft, costs = made(name).ft, Costs(PARAMETERS[name])
    for found in made(name).records:
        assert found.calls["keygen"] == costs.keygen()
        assert found.calls["sign"] == costs.sign(found.signature, found.message)
        md = ft.digest(found.signature[: ft.p.n], found.pk, found.message)[-ft.p.n :]
        choice = ft.choice(found.signature[: ft.p.n], costs.counters(found.signature)[0], md)
        assert found.calls["verify"] == costs.verify(len(ft.places(ft.subset(choice))), found.message)


def totals(calls: Calls) -> dict[str, int]:
    """Calls by function."""
    found: dict[str, int] = {}
    for (function, _, _), count in calls.items():
        found[function] = found.get(function, 0) + count
    return found


def printed(system: str, name: str, operation: str) -> dict[str, float]:
    """Calls per operation as the published page of a system prints them."""
    rows = published(system, "symmetric")
    (row,) = [row for row in rows if (row["instance"], row["operation"]) == (name, operation)]
    pairs = (item.split() for item in row["calls_per_operation"].split(", "))
    return {function: float(count) for function, count in pairs}


@INSTANCES
def test_keys_and_calls_of_key_generation(made: Callable[[str], Made], name: str) -> None:
    ft = made(name).ft
    ft.seed(official_inputs()[0].seed)
    ft.calls()
    pk, sk = ft.keygen()
    calls, expected = ft.calls(), RECORDS[name][0]
    assert (hex_sha256(pk), hex_sha256(sk)) == (expected["pk_sha256"], expected["sk_sha256"])
    assert calls == Costs(ft.p).keygen()
    for system in ("x86_1", "arm_1"):
        rounded = {function: float(f"{count:.3g}") for function, count in totals(calls).items()}
        assert rounded == printed(system, name, "keygen")


@SIGNING
def test_calls_of_verification_are_nearly_the_published_ones(made: Callable[[str], Made], name: str) -> None:
    """They vary with the number of authentication nodes only, which fill almost all slots."""
    found, expected = totals(made(name).first.calls["verify"]), printed("x86_1", name, "verify")
    assert found == pytest.approx(expected, rel=0.005)


@pytest.mark.parametrize(
    ("name", "profiled"),
    [("Flextree-160f", {"x86_1": 4, "arm_1": 7}), ("Flextree-256f", {"x86_1": 3, "arm_1": 4})],
)
def test_calls_of_signing_are_the_published_ones(
    made: Callable[[str], Made], name: str, profiled: dict[str, int]
) -> None:
    """With the published inputs, in as many signatures behind one warm-up as the published profiles must have had."""
    ft = made(name).ft
    ft.seed(bytes(range(48)))
    _, sk = ft.keygen()
    message = bytes((131 * i + 64) % 256 for i in range(64))
    ft.sign(sk, message)
    ft.calls()
    calls: list[dict[str, int]] = []
    for system, count in profiled.items():
        while len(calls) < count:
            ft.sign(sk, message)
            calls.append(totals(ft.calls()))
        means = {function: sum(found[function] for found in calls) / count for function in calls[0]}
        rounded = {function: float(f"{mean:.3g}") for function, mean in means.items()}
        assert rounded == printed(system, name, "sign")


# Malformed signatures.


def parts(ft: FlexTree, places: int) -> dict[str, range]:
    """Where the parts of a signature lie, but for slots that no node uses."""
    p = ft.p
    opened, top = p.n + 4 + p.k * p.n, p.layers - 1
    path, last = p.block_at(top) + len(p.bases) * p.n, p.block_at(top + 1) - 4
    return {
        "randomiser": range(p.n),
        "few-time counter": range(p.n, p.n + 4),
        "opened secrets": range(p.n + 4, opened),
        "authentication nodes": range(opened, opened + places * p.n),
        "first block's chains": range(p.block_at(0), p.block_at(0) + len(p.bases) * p.n),
        "first block's counter": range(p.block_at(1) - 4, p.block_at(1)),
        "last block's chains": range(p.block_at(top), path),
        "last block's path": range(path, last),
        "last block's counter": range(last, ft.sn_len),
    }


def places_of(ft: FlexTree, found: Record) -> int:
    md = ft.digest(found.signature[: ft.p.n], found.pk, found.message)[-ft.p.n :]
    counter = int.from_bytes(found.signature[ft.p.n : ft.p.n + 4], "big")
    return len(ft.places(ft.subset(ft.choice(found.signature[: ft.p.n], counter, md))))


@SIGNING
def test_flipped_bits(made: Callable[[str], Made], name: str) -> None:
    ft, first = made(name).ft, made(name).first
    for part, where in parts(ft, places_of(ft, first)).items():
        for at, bit in ((where[0], 0x80), (where[-1], 1)):
            wrong = bytearray(first.signature)
            wrong[at] ^= bit
            assert ft.verify(first.pk, bytes(wrong), first.message) == -1, (part, at)
    wrong_key = bytes([first.pk[0] ^ 1]) + first.pk[1:]
    assert ft.verify(wrong_key, first.signature, first.message) == -1


@SIGNING
def test_unused_slots_are_not_looked_at(made: Callable[[str], Made], name: str) -> None:
    ft, first = made(name).ft, made(name).first
    unused = slice(ft.p.n + 4 + (ft.p.k + places_of(ft, first)) * ft.p.n, ft.p.block_at(0))
    assert not any(first.signature[unused])
    filled = bytearray(first.signature)
    filled[unused] = b"\xff" * len(filled[unused])
    assert ft.verify(first.pk, bytes(filled), first.message) == 0


@SIGNING
def test_constant_bytes_and_lengths(made: Callable[[str], Made], name: str) -> None:
    ft, first = made(name).ft, made(name).first
    for wrong in (
        bytes(ft.sn_len),
        b"\xff" * ft.sn_len,
        b"",
        first.signature[:-1],
        first.signature + b"\0",
        first.signature[: ft.p.n],
    ):
        assert ft.verify(first.pk, wrong, first.message) == -1
    for constant in (b"\0", b"\xff"):
        for where in parts(ft, places_of(ft, first)).values():
            filled = bytearray(first.signature)
            filled[where.start : where.stop] = constant * len(where)
            assert ft.verify(first.pk, bytes(filled), first.message) == -1 or filled == first.signature
    assert ft.verify(first.pk, first.signature, first.message + b"\0") == -1


@pytest.mark.skipif(not AVAILABLE, reason="this Python's OpenSSL has no SM3")
@SIGNING
def test_the_model_accepts_what_is_signed(made: Callable[[str], Made], name: str) -> None:
    ft, first = made(name).ft, made(name).first
    assert Verifier(ft.p, first.pk).root(first.signature, first.message) == first.pk[ft.p.n :]


# The interface.


def test_null_pointers_and_lengths(made: Callable[[str], Made]) -> None:
    ft, first = made("Flextree-160f").ft, made("Flextree-160f").first
    length, out = ctypes.byref(c_ulonglong()), ctypes.create_string_buffer(ft.sk_len + ft.sn_len)
    pk, sk, sn, m = first.pk, first.sk, first.signature, first.message
    n = {part: c_ulonglong(len(part)) for part in (pk, sk, sn, m)}
    verify, sign, keygen = ft.library.sig_verify, ft.library.sig_sign, ft.library.sig_keygen

    assert verify(None, n[pk], sn, n[sn], m, n[m]) == -2
    assert verify(pk, n[pk], None, n[sn], m, n[m]) == -2
    assert verify(pk, n[pk], sn, n[sn], None, c_ulonglong(0)) == -2
    assert verify(pk, c_ulonglong(len(pk) + 1), sn, n[sn], m, n[m]) == -3
    for arguments in ((None, n[sk], m, n[m], out, length), (sk, n[sk], None, n[m], out, length)):
        assert sign(*arguments) == -2
    assert sign(sk, n[sk], m, n[m], None, length) == sign(sk, n[sk], m, n[m], out, None) == -2
    assert sign(sk, n[pk], m, n[m], out, length) == -3
    for missing in range(4):
        arguments_of_keygen: list[object] = [out, length, out, length]
        arguments_of_keygen[missing] = None
        assert keygen(*arguments_of_keygen) == -2


def test_message_too_long_for_the_memory(made: Callable[[str], Made]) -> None:
    ft, first = made("Flextree-160f").ft, made("Flextree-160f").first
    out, length = ctypes.create_string_buffer(ft.sn_len), ctypes.byref(c_ulonglong())
    for huge in (c_ulonglong(2**64 - 1), c_ulonglong(2**60)):
        assert ft.library.sig_sign(first.sk, c_ulonglong(ft.sk_len), b"", huge, out, length) == -5
        lengths = c_ulonglong(ft.pk_len), c_ulonglong(ft.sn_len)
        assert ft.library.sig_verify(first.pk, lengths[0], first.signature, lengths[1], b"", huge) == -5


def test_signing_draws_once_and_is_randomised(made: Callable[[str], Made]) -> None:
    ft = made("Flextree-160f").ft
    ft.seed(b"seed")
    pk, sk = ft.keygen()
    first, second = ft.sign(sk, b"message"), ft.sign(sk, b"message")
    assert first != second
    assert ft.verify(pk, first, b"message") == ft.verify(pk, second, b"message") == 0
    drng = Drng(b"seed")
    assert sk[: 3 * ft.p.n] == drng.draw(24 * ft.p.n)
    for signature in (first, second):
        assert signature[: ft.p.n] == ft.randomiser(sk[ft.p.n :], drng.draw(8 * ft.p.n), b"message")
    assert ft.draw(8) == drng.draw(64)


def test_messages_of_any_length(made: Callable[[str], Made]) -> None:
    ft, first = made("Flextree-160f").ft, made("Flextree-160f").first
    for size in (0, 1, 10_000):
        message = bytes(size)
        signature = ft.sign(first.sk, message)
        assert ft.verify(first.pk, signature, message) == 0
        assert ft.verify(first.pk, signature, message + b"\0") == -1
        assert AVAILABLE is False or Verifier(ft.p, first.pk).root(signature, message) == first.pk[ft.p.n :]


@SIGNING
def test_the_first_counter_with_few_enough_nodes_is_taken(made: Callable[[str], Made], name: str) -> None:
    ft, first, p = made(name).ft, made(name).first, PARAMETERS[name]
    r, md = first.signature[: p.n], bytes.fromhex(VECTORS[name]["message"]["digest"])[-p.n :]
    needed = []
    for counter in range(VECTORS[name]["few_time"]["counter"] + 1):
        value = int.from_bytes(ft.choice(r, counter, md), "big") % p.subsets
        needed.append(len(authentication(p, unrank(p, value))))
    assert [count <= p.slots for count in needed] == [False] * (len(needed) - 1) + [True]
