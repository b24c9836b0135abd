"""sign-17 as a whole: the official known answers, and what they do not cover."""

from __future__ import annotations

import ctypes
import hashlib
import tomllib
from collections.abc import Callable
from ctypes import c_ulonglong
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from models.iccs import Drng
from models.selftest import canonical_sha256
from official import hex_sha256
from sign17_library import PARAMETERS, SCHEME, SOURCES, Ops, build
from sign17_vectors import MANIFEST, RECORDS, VECTORS, detailed
from workshop import Workshop

Instance = Callable[[str], Ops]
INSTANCES = pytest.mark.parametrize("name", PARAMETERS)


@pytest.fixture(scope="module")
def instance(workshop: Workshop) -> Instance:
    built: dict[str, Ops] = {}

    def get(name: str) -> Ops:
        if name not in built:
            built[name] = Ops(build(workshop, name), name)
        return built[name]

    return get


@dataclass(frozen=True)
class Record:
    """One record of the official KAT."""

    count: int
    seed: bytes
    pk: bytes
    sk: bytes
    message: bytes
    signature: bytes

    def text(self) -> str:
        """Its lines."""
        lines = [f"Count = {self.count}"]
        fields = (
            ("Seed", self.seed),
            ("PK", self.pk),
            ("SK", self.sk),
            ("M", self.message),
            ("Sn", self.signature),
        )
        for field, value in fields:
            lines += [f"{field}_Len = {len(value)}", f"{field} = {value.hex().upper()}"]
        return "\n".join([*lines, "", ""])


def records(ops: Ops) -> list[Record]:
    """The ten records of the official KAT, made anew."""
    seeds, messages = Drng(b"seed" * 16), Drng(b"msg" * 21 + b"m")
    made = []
    for count in range(10):
        seed, message = seeds.draw(512), messages.draw(8 * (56 + 8 * count))
        ops.seed(seed)
        pk, sk = ops.keygen()
        made.append(Record(count, seed, pk, sk, message, ops.sign(sk, message)))
    return made


def signed(ops: Ops, seed: bytes, message: bytes) -> Record:
    """A key pair and a signature from a seed."""
    ops.seed(seed)
    pk, sk = ops.keygen()
    return Record(0, seed, pk, sk, message, ops.sign(sk, message))


@INSTANCES
def test_official_kat(instance: Instance, name: str) -> None:
    ops, kat = instance(name), MANIFEST[name]["kat"]
    made = records(ops)
    for record, expected in zip(made, RECORDS[name], strict=True):
        assert hex_sha256(record.pk) == expected["pk_sha256"], record.count
        assert hex_sha256(record.sk) == expected["sk_sha256"], record.count
        assert hex_sha256(record.signature) == expected["sn_sha256"], record.count
        assert ops.verify(record.pk, record.signature, record.message) == 0
        flipped = bytes([record.message[0] ^ 0x80]) + record.message[1:]
        assert ops.verify(record.pk, record.signature, flipped) != 0
    assert canonical_sha256(made[0].text()) == kat["record0_sha256"]
    assert canonical_sha256("".join(record.text() for record in made)) == kat["sha256"]


@INSTANCES
def test_manifest_names_what_is_there(instance: Instance, name: str) -> None:
    ops, sizes = instance(name), MANIFEST[name]["sizes"]
    assert (ops.pk_len, ops.sk_len, ops.sn_len) == (
        sizes["public_key"],
        sizes["secret_key"],
        sizes["signature"],
    )
    listed = tomllib.loads((SCHEME / "scheme.toml").read_text())["build"]["sources"]
    assert [SCHEME / source for source in listed] == SOURCES


@INSTANCES
def test_second_rounds_of_the_matrix_end_to_end(instance: Instance, name: str) -> None:
    ops, vector = instance(name), VECTORS[name]["end_to_end_refill"]
    for case in vector["cases"]:
        made = signed(ops, bytes.fromhex(vector["seed"]), bytes.fromhex(case["message"]))
        assert hex_sha256(made.pk) == case["pk"]
        assert hex_sha256(made.sk) == case["sk"]
        assert hex_sha256(made.signature) == case["signature"]
        assert ops.verify(made.pk, made.signature, made.message) == 0


@INSTANCES
def test_chain_of_keys_and_signatures(instance: Instance, name: str) -> None:
    ops, expected = instance(name), VECTORS[name]["chain"]
    running = hashlib.sha256()
    reached = {}
    for i in range(300):
        seed = i.to_bytes(8, "little") + bytes(56)
        made = signed(ops, seed, seed[: i % 64])
        for part in (made.pk, made.sk, made.signature):
            running.update(part)
        if str(i + 1) in expected:
            reached[str(i + 1)] = running.hexdigest()
    assert reached == expected


def changed(data: bytes, change: dict[str, Any] | None) -> bytes:
    """The bytes after a change of a mutation: single bytes replaced, or cut or filled with zeros to a length."""
    if change is None:
        return data
    if "length" in change:
        return data[: change["length"]].ljust(change["length"], b"\0")
    replaced = bytearray(data)
    for offset, value in change["bytes"]:
        assert replaced[offset] != int(value, 16), "not a change"
        replaced[offset] = int(value, 16)
    return bytes(replaced)


@INSTANCES
def test_mutations_of_record_0(instance: Instance, name: str) -> None:
    ops, record = instance(name), detailed(name, 0)
    made = signed(ops, bytes.fromhex(record["seed"]), bytes.fromhex(record["message"]))
    results = {}
    for mutation in VECTORS[name]["verify_mutations"]:
        pk, signature, message = (
            changed(data, mutation.get(part))
            for part, data in (("pk", made.pk), ("signature", made.signature), ("message", made.message))
        )
        results[mutation["name"]] = ops.verify(pk, signature, message)
    assert results == {m["name"]: m["expect"] for m in VECTORS[name]["verify_mutations"]}


@INSTANCES
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_changed_signature_is_valid(instance: Instance, name: str, data: st.DataObject) -> None:
    ops = instance(name)
    made = signed(ops, b"one signature", b"one message")
    where = data.draw(st.integers(0, len(made.signature) - 1) | st.integers(-100, -1))
    bits = data.draw(st.integers(1, 255))
    wrong = bytearray(made.signature)
    wrong[where] ^= bits
    assert ops.verify(made.pk, bytes(wrong), made.message) in (-1, -4)
    assert ops.verify(made.pk, made.signature, made.message) == 0


@INSTANCES
def test_null_pointers_and_lengths(instance: Instance, name: str) -> None:
    ops = instance(name)
    made = signed(ops, b"lengths", b"message")
    length, out = ctypes.byref(c_ulonglong()), ctypes.create_string_buffer(ops.sk_len + ops.sn_len)
    pk, sk, sn, m = made.pk, made.sk, made.signature, made.message
    n = {part: c_ulonglong(len(part)) for part in (pk, sk, sn, m)}
    verify, sign, keygen = ops.library.sig_verify, ops.library.sig_sign, ops.library.sig_keygen

    assert verify(None, n[pk], sn, n[sn], m, n[m]) == -2
    assert verify(pk, n[pk], None, n[sn], m, n[m]) == -2
    assert verify(pk, n[pk], sn, n[sn], None, c_ulonglong(0)) == -2
    assert verify(pk, c_ulonglong(len(pk) + 1), sn, c_ulonglong(0), m, n[m]) == -3
    assert verify(pk, n[pk], sn, c_ulonglong(0), m, n[m]) == -1
    for arguments in ((None, n[sk], m, n[m], out, length), (sk, n[sk], None, n[m], out, length)):
        assert sign(*arguments) == -2
    assert sign(sk, n[sk], m, n[m], None, length) == sign(sk, n[sk], m, n[m], out, None) == -2
    assert sign(sk, n[pk], m, n[m], out, length) == -3
    for missing in range(4):
        parts: list[object] = [out, length, out, length]
        parts[missing] = None
        assert keygen(*parts) == -2


@INSTANCES
def test_message_too_long_for_the_memory(instance: Instance, name: str) -> None:
    ops = instance(name)
    made = signed(ops, b"memory", b"message")
    huge = c_ulonglong(2**64 - 1)
    out, length = ctypes.create_string_buffer(ops.sn_len), ctypes.byref(c_ulonglong())
    assert ops.library.sig_sign(made.sk, c_ulonglong(ops.sk_len), b"", huge, out, length) == -5
    lengths = c_ulonglong(ops.pk_len), c_ulonglong(ops.sn_len)
    assert ops.library.sig_verify(made.pk, lengths[0], made.signature, lengths[1], b"", huge) == -5


@INSTANCES
def test_signing_draws_once_and_is_randomised(instance: Instance, name: str) -> None:
    ops = instance(name)
    first = signed(ops, b"seed", b"message")
    second = ops.sign(first.sk, first.message)
    assert first.signature != second
    assert ops.verify(first.pk, second, first.message) == 0
    model = Drng(b"seed")
    for bits in (512, 1024, 1024, 1024):
        model.draw(bits)
    assert ops.draw(8) == model.draw(64)
