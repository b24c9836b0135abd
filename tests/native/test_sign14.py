"""sign-14 as a whole: the official known answers, what they cost, and malformed input."""

from __future__ import annotations

import hashlib
import os
import tomllib
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from ctypes import byref, c_ulonglong, create_string_buffer
from dataclasses import dataclass

import pytest
from official import Record, check_known_answers
from sign14_library import MANIFEST, PARAMETERS, RECORDS, SCHEME, SOURCES, Lynx, build, helper_objects
from workshop import ROOT, Workshop

from ngcctui.engine.kat_case import official_inputs

INSTANCES = pytest.mark.parametrize("name", PARAMETERS)
FULL = ("Lynxer-160f", "Lynxer-256f")  # checked with all ten records
STREAMED = ("Lynxer-384s", "Lynxer-512s")  # built with LYNX_STREAM, which takes a fifth of the time
COUNTED = pytest.mark.parametrize("name", [name for name in PARAMETERS if name not in STREAMED])
ORDER = ("512s", "384s", "512f", "256f", "384f", "160f", "256s", "160s")  # longest first
SYSTEMS = ("x86_1", "arm_1")


@dataclass(frozen=True)
class Made:
    """An instance with its first record, or all of them."""

    lynx: Lynx
    records: list[Record]

    @property
    def first(self) -> Record:
        return self.records[0]


def record(lynx: Lynx, number: int) -> Record:
    """A record of the official KAT, made anew."""
    given, calls = official_inputs()[number], {}
    lynx.seed(given.seed)
    lynx.counts()
    pk, sk = lynx.keygen()
    calls["keygen"] = lynx.counts()
    signature = lynx.sign(sk, given.message)
    calls["sign"] = lynx.counts()
    assert lynx.verify(pk, signature, given.message) == 0
    calls["verify"] = lynx.counts()
    return Record(given.message, pk, sk, signature, calls)


@pytest.fixture(scope="module")
def made(workshop: Workshop) -> Iterator[Callable[[str], Made]]:
    """Instances by name; built and run on all cores at once."""

    def make(name: str) -> Made:
        lynx = Lynx(build(workshop, name, stream=name in STREAMED), name)
        return Made(lynx, [record(lynx, number) for number in range(10 if name in FULL else 1)])

    helper_objects(workshop)
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        names = [f"Lynxer-{short}" for short in ORDER]
        futures: dict[str, Future[Made]] = {name: pool.submit(make, name) for name in names}
        yield lambda name: futures[name].result()


# Known answers.


@INSTANCES
def test_official_kat(made: Callable[[str], Made], name: str) -> None:
    found = made(name)
    assert len(found.records) == (10 if name in FULL else 1)
    check_known_answers(found.lynx, found.records, MANIFEST[name]["kat"], RECORDS[name])


def test_both_ways_of_hashing_agree(made: Callable[[str], Made], workshop: Workshop) -> None:
    streamed = Lynx(build(workshop, "Lynxer-160f", stream=True), "Lynxer-160f")
    found, first = record(streamed, 0), made("Lynxer-160f").first
    assert (found.pk, found.sk, found.signature) == (first.pk, first.sk, first.signature)
    assert found.calls["verify"] == {}


def published(system: str, table: str, name: str) -> list[dict[str, str]]:
    """Rows of an instance in a table of the published page of a system."""
    path = ROOT / "data" / "published" / system / "sign-14.toml"
    return [row for row in tomllib.loads(path.read_text())[table] if row["instance"] == name]


@INSTANCES
def test_sizes_are_the_published_ones(made: Callable[[str], Made], name: str) -> None:
    lynx = made(name).lynx
    sizes = {"public_key": lynx.pk_len, "secret_key": lynx.sk_len, "signature": lynx.sn_len}
    assert MANIFEST[name]["sizes"] == sizes
    assert lynx.sn_len == max(lynx.p.parts["counter"]) + 1
    for system in SYSTEMS:
        (row,) = published(system, "sizes", name)
        assert {part: row[part] for part in sizes} == sizes


def test_the_package_builds_all_sources() -> None:
    sources = tomllib.loads((SCHEME / "scheme.toml").read_text())["build"]["sources"]
    assert sources == [str(path.relative_to(SCHEME)) for path in SOURCES]


# Calls of helpers.


def printed(system: str, name: str, operation: str) -> dict[str, float]:
    """Calls per operation as the published page of a system prints them."""
    (row,) = [row for row in published(system, "symmetric", name) if row["operation"] == operation]
    pairs = (item.split() for item in row["calls_per_operation"].split(", "))
    renamed = {"drng": "get_random_number"}
    return {renamed.get(function, function): float(count) for function, count in pairs}


def rounded(counts: Mapping[str, float]) -> dict[str, float]:
    return {function: float(f"{count:.3g}") for function, count in counts.items()}


@COUNTED
def test_calls_are_those_of_the_submitted_code(made: Callable[[str], Made], name: str) -> None:
    first, p = made(name).first, PARAMETERS[name]
    tried = int.from_bytes(first.signature[-4:], "little") + 1
    assert first.calls == {
        "keygen": {"get_random_number": 2, "pseudoXOF": p.pieces},
        "sign": {"get_random_number": 1, "pseudoXOF": 3 * p.pieces + p.tau + 6 + tried},
        "verify": {"pseudoXOF": p.pieces + p.tau + 5},
    }
    for system in SYSTEMS:
        for operation in ("keygen", "verify"):
            assert rounded(first.calls[operation]) == printed(system, name, operation)


@pytest.mark.parametrize(
    ("name", "skipped", "profiled"),
    [
        ("Lynxer-160f", 1, {"x86_1": 4, "arm_1": 9}),
        ("Lynxer-256f", 1, {"x86_1": 3, "arm_1": 3}),
        ("Lynxer-384f", 1, {"x86_1": 3, "arm_1": 3}),
    ],
)
def test_calls_of_signing_are_the_published_ones(
    made: Callable[[str], Made], name: str, skipped: int, profiled: dict[str, int]
) -> None:
    """With the published inputs, in as many signatures behind a warm-up as the published profiles must have had."""
    lynx = made(name).lynx
    lynx.seed(bytes(range(48)))
    _, sk = lynx.keygen()
    message = bytes((131 * i + 64) % 256 for i in range(64))
    for _ in range(skipped):
        lynx.sign(sk, message)
    calls: list[dict[str, int]] = []
    lynx.counts()
    for system, count in profiled.items():
        while len(calls) < count:
            lynx.sign(sk, message)
            calls.append(lynx.counts())
        means = {function: sum(found[function] for found in calls) / count for function in calls[0]}
        assert rounded(means) == printed(system, name, "sign")


# Malformed input.


@pytest.mark.parametrize("part", PARAMETERS["Lynxer-160f"].parts)
def test_a_changed_bit_in_any_part_is_found(made: Callable[[str], Made], part: str) -> None:
    lynx, first = made("Lynxer-160f").lynx, made("Lynxer-160f").first
    where = lynx.p.parts[part]
    for at in (where[0], where[len(where) // 2], where[-1]):
        changed = bytearray(first.signature)
        changed[at] ^= 1
        assert lynx.verify(first.pk, bytes(changed), first.message) == -1


@INSTANCES
def test_bits_that_must_be_zero(made: Callable[[str], Made], name: str) -> None:
    lynx, first = made(name).lynx, made(name).first
    last = lynx.p.parts["challenge"][-1]
    for bit in range(8 * last + 8 - lynx.p.grind, 8 * last + 8):
        changed = bytearray(first.signature)
        changed[bit // 8] ^= 1 << bit % 8
        assert lynx.verify(first.pk, bytes(changed), first.message) == -1


def test_challenges_whose_opening_has_no_room(made: Callable[[str], Made]) -> None:
    """Hidden leaves spread evenly need more nodes than there are, and the search for nodes must end in time."""
    lynx, first = made("Lynxer-160f").lynx, made("Lynxer-160f").first
    where = lynx.p.parts["challenge"]
    for value in range(8):
        spread = hashlib.shake_128(bytes([value])).digest(lynx.p.size - 1) + b"\0"
        changed = first.signature[: where[0]] + spread + first.signature[where[-1] + 1 :]
        assert lynx.verify(first.pk, changed, first.message) == -1


@INSTANCES
def test_lengths_and_null_pointers(made: Callable[[str], Made], name: str) -> None:
    lynx, first = made(name).lynx, made(name).first
    pk, sk, sn, message = first.pk, first.sk, first.signature, first.message
    for wrong in (sn[:-1], sn + b"\0", b""):
        assert lynx.verify(pk, wrong, message) == -1
    assert lynx.verify(pk[:-1], sn, message) == lynx.verify(pk + b"\0", sn, message) == -1

    code, length = lynx.library, c_ulonglong(len(message))
    out, out_len = create_string_buffer(lynx.sn_len), c_ulonglong()
    good = [sk, c_ulonglong(len(sk)), message, length, out, byref(out_len)]
    for missing in (0, 2, 4, 5):
        assert code.sig_sign(*good[:missing], None, *good[missing + 1 :]) == -1
    assert code.sig_sign(sk, c_ulonglong(len(sk) - 1), *good[2:]) == -1
    good = [pk, c_ulonglong(len(pk)), sn, c_ulonglong(len(sn)), message, length]
    for missing in (0, 2, 4):
        assert code.sig_verify(*good[:missing], None, *good[missing + 1 :]) == -1
    good = [out, byref(out_len), out, byref(out_len)]
    for missing in range(4):
        assert code.sig_keygen(*good[:missing], None, *good[missing + 1 :]) == -1


def test_an_empty_message_needs_no_pointer(made: Callable[[str], Made]) -> None:
    lynx, first = made("Lynxer-160f").lynx, made("Lynxer-160f").first
    signature = lynx.sign(first.sk, None)
    assert lynx.verify(first.pk, signature, b"") == lynx.verify(first.pk, signature, None) == 0
    assert lynx.verify(first.pk, signature, b"\0") == -1
