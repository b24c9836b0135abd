"""sign-30 as a whole: official known answers, and what a verifier must refuse."""

from __future__ import annotations

import ctypes
import tomllib
from collections.abc import Callable
from ctypes import c_ulonglong

import pytest
from models.iccs import Drng
from official import hex_sha256
from sign30_library import MANIFEST, PARAMETERS, RECORDS, SCHEME, SOURCES, VECTORS, Q, Trine, build
from workshop import ROOT, Workshop

Instance = Callable[[str], Trine]
Made = tuple[bytes, bytes, bytes, bytes]  # public key, secret key, message, signature
INSTANCES = pytest.mark.parametrize("name", PARAMETERS)
SMALL = ("TRINE-128-Balanced", "TRINE-128-ShortSig")  # the others sign for seconds to minutes


@pytest.fixture(scope="module")
def instance(workshop: Workshop) -> Instance:
    built: dict[str, Trine] = {}

    def get(name: str) -> Trine:
        if name not in built:
            built[name] = Trine(build(workshop, name), name)
        return built[name]

    return get


def first_record() -> tuple[bytes, bytes]:
    """Seed and message of the first official record."""
    return Drng(b"seed" * 16).draw(512), Drng(b"msg" * 21 + b"m").draw(8 * 56)


@pytest.fixture(scope="module")
def record_0(instance: Instance) -> Callable[[str], Made]:
    made: dict[str, Made] = {}

    def get(name: str) -> Made:
        if name not in made:
            trine, (seed, message) = instance(name), first_record()
            trine.seed(seed)
            pk, sk = trine.keygen()
            made[name] = pk, sk, message, trine.sign(sk, message)
        return made[name]

    return get


@pytest.mark.parametrize("name", SMALL)
def test_official_record_0(instance: Instance, record_0: Callable[[str], Made], name: str) -> None:
    pk, sk, message, signature = record_0(name)
    known = RECORDS[name][0]
    assert hex_sha256(pk) == known["pk_sha256"]
    assert hex_sha256(sk) == known["sk_sha256"]
    assert hex_sha256(signature) == known["sn_sha256"]
    assert instance(name).verify(pk, signature, message) == 0


@INSTANCES
def test_official_keys(instance: Instance, name: str) -> None:
    """Key pairs of the first official records, of the slow instances only one."""
    trine, seeds = instance(name), Drng(b"seed" * 16)
    for known in RECORDS[name][:3]:
        trine.seed(seeds.draw(512))
        pk, sk = trine.keygen()
        assert (hex_sha256(pk), hex_sha256(sk)) == (known["pk_sha256"], known["sk_sha256"])


@INSTANCES
def test_sizes_are_the_published_ones(instance: Instance, name: str) -> None:
    trine, sizes = instance(name), MANIFEST[name]["sizes"]
    published = tomllib.loads((ROOT / "data" / "published" / "x86_1" / "sign-30.toml").read_text())["sizes"]
    row = next(row for row in published if row["instance"] == name)
    assert (trine.pk_len, trine.sk_len, trine.sn_len) == tuple(sizes.values())
    assert sizes == {part: row[part] for part in ("public_key", "secret_key", "signature")}


def test_manifest_names_what_is_there() -> None:
    manifest = tomllib.loads((SCHEME / "scheme.toml").read_text())
    assert [SCHEME / source for source in manifest["build"]["sources"]] == SOURCES
    assert {name: len(RECORDS[name]) for name in PARAMETERS} == {
        name: {128: 10, 256: 3, 512: 1}[p.level] for name, p in PARAMETERS.items()
    }


def with_element(data: bytes, offset: int, value: int) -> bytes:
    """Another first element of what is packed at an offset."""
    changed = bytearray(data)
    changed[offset] = value & 255
    changed[offset + 1] = changed[offset + 1] & 0xF0 | value >> 8
    return bytes(changed)


def first_element(data: bytes, offset: int) -> int:
    return data[offset] | (data[offset + 1] & 15) << 8


def flipped(data: bytes, offset: int) -> bytes:
    return data[:offset] + bytes([data[offset] ^ 1]) + data[offset + 1 :]


def test_verifier_on_modified_input(instance: Instance, record_0: Callable[[str], Made]) -> None:
    name = "TRINE-128-ShortSig"
    trine, (pk, _, m, sn) = instance(name), record_0(name)
    p = trine.p
    elements = trine.unpack(sn[: p.responses_bytes], p.opened * p.n)
    assert elements is not None

    def responses(first: list[int]) -> bytes:
        return trine.pack([*first, *elements[p.n :]]) + sn[p.responses_bytes :]

    digest = p.digest_offset
    cases = {
        "message bit 0 flipped": (pk, sn, flipped(m, 0)),
        "message shortened by 1 byte": (pk, sn, m[:-1]),
        "response vector 0 multiplied by 2 (mod q)": (pk, responses([2 * e % Q for e in elements[: p.n]]), m),
        "response vector 0 set to zero": (pk, responses([0] * p.n), m),
        "response element 0 set to 4093": (pk, with_element(sn, 0, Q), m),
        "response element 0 plus 1": (pk, with_element(sn, 0, (elements[0] + 1) % Q), m),
        "base seed 0 first byte ^1": (pk, flipped(sn, p.responses_bytes), m),
        "digest first byte ^1": (pk, flipped(sn, digest), m),
        "salt first byte ^1": (pk, flipped(sn, digest + p.seed_bytes), m),
        "pk form 0 element 0 set to 4093": (with_element(pk, p.seed_bytes, Q), sn, m),
        "pk form 0 element 0 plus 1": (
            with_element(pk, p.seed_bytes, (first_element(pk, p.seed_bytes) + 1) % Q),
            sn,
            m,
        ),
        "pk public seed first byte ^1": (flipped(pk, 0), sn, m),
    }
    outcomes = {what: "reject" if trine.verify(*case) else "accept" for what, case in cases.items()}
    outcomes["signature length +-1"] = "reject"
    assert trine.verify(pk, sn[:-1], m) == trine.verify(pk, sn + b"\0", m) == -1
    assert outcomes == VECTORS["verifier"]["outcomes"]


def test_null_pointers_and_lengths(instance: Instance, record_0: Callable[[str], Made]) -> None:
    name = "TRINE-128-ShortSig"
    trine, (pk, sk, m, sn) = instance(name), record_0(name)
    n = {part: c_ulonglong(len(part)) for part in (pk, sk, m, sn)}
    length, out = ctypes.byref(c_ulonglong()), ctypes.create_string_buffer(trine.pk_len)
    verify, sign, keygen = (trine.library[f"sig_{what}"] for what in ("verify", "sign", "keygen"))

    assert verify(None, n[pk], sn, n[sn], m, n[m]) == verify(pk, n[pk], None, n[sn], m, n[m]) == -2
    assert verify(pk, n[pk], sn, n[sn], None, n[m]) == -2
    assert verify(pk, c_ulonglong(len(pk) - 1), sn, n[sn], m, n[m]) == -3
    assert verify(pk, c_ulonglong(len(pk) + 1), sn, n[sn], m, n[m]) == -3
    assert sign(None, n[sk], m, n[m], out, length) == sign(sk, n[sk], None, n[m], out, length) == -2
    assert sign(sk, n[sk], m, n[m], None, length) == sign(sk, n[sk], m, n[m], out, None) == -2
    assert sign(sk, n[m], m, n[m], out, length) == -3
    for missing in range(4):
        parts: list[object] = [out, length, out, length]
        parts[missing] = None
        assert keygen(*parts) == -2
