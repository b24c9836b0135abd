"""The ICCS helpers in C against vectors, hashlib and the models in Python."""

from __future__ import annotations

import ctypes
import hashlib
import json
import struct
import subprocess
import threading
import tomllib
from collections.abc import Callable
from ctypes import c_int, c_ulonglong
from pathlib import Path
from typing import Any

import pytest
from helpers_library import CDrng, Helpers, guarded, opened
from hypothesis import given, settings
from hypothesis import strategies as st
from models import iccs, selftest
from models.sm3 import compress, join_bits, sm3
from workshop import GUIDE_FLAGS, HELPERS, ROOT, Workshop

VECTORS = json.loads((ROOT / "tests" / "data" / "iccs-vectors.json").read_text())
SOURCES = sorted(HELPERS.glob("*.c"))
SCHEME = ROOT / "schemes" / "iccs"
MODELS: dict[str, Callable[[int, bytes, int], bytes]] = {
    "sm3hash": iccs.sm3hash,
    "pseudohash": iccs.pseudohash,
    "pseudoXOF": iccs.pseudo_xof,
}

needs_hashlib_sm3 = pytest.mark.skipif(
    "sm3" not in hashlib.algorithms_available, reason="this Python's OpenSSL has no SM3"
)


@pytest.fixture(scope="module")
def helpers(workshop: Workshop) -> Helpers:
    return Helpers(workshop.compile("helpers.so", SOURCES, flags=["-shared"]))


@st.composite
def bit_strings(draw: st.DrawFn, most_bytes: int = 300) -> tuple[bytes, int]:
    """Bytes and a length in bits that may end inside the last byte."""
    data = draw(st.binary(max_size=most_bytes))
    return data, max(0, 8 * len(data) - draw(st.integers(0, 7)))


def bits_id(vector: dict[str, Any]) -> str:
    return f"{vector.get('digest_bits', vector.get('output_bits', 256))}-of-{vector['bits']}"


@needs_hashlib_sm3
@given(st.binary(max_size=400))
def test_model_is_sm3(message: bytes) -> None:
    assert sm3(message) == hashlib.new("sm3", message).digest()


def test_model_gives_the_example_of_the_standard() -> None:
    assert sm3(b"abc").hex() == "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"


@pytest.mark.parametrize("vector", VECTORS["sm3hash"], ids=bits_id)
def test_sm3hash_vector(helpers: Helpers, vector: dict[str, Any]) -> None:
    message = bytes.fromhex(vector["message"])
    assert helpers.digest("sm3hash", 256, message, vector["bits"]).hex() == vector["digest"]
    assert sm3(message, vector["bits"]).hex() == vector["digest"]


@pytest.mark.parametrize("vector", VECTORS["pseudohash"], ids=bits_id)
def test_pseudohash_vector(helpers: Helpers, vector: dict[str, Any]) -> None:
    message, width = bytes.fromhex(vector["message"]), vector["digest_bits"]
    assert helpers.digest("pseudohash", width, message, vector["bits"]).hex() == vector["digest"]
    assert iccs.pseudohash(width, message, vector["bits"]).hex() == vector["digest"]


@pytest.mark.parametrize("vector", VECTORS["pseudoXOF"], ids=bits_id)
def test_pseudo_xof_vector(helpers: Helpers, vector: dict[str, Any]) -> None:
    message, width = bytes.fromhex(vector["message"]), vector["output_bits"]
    assert helpers.xof(width, message, vector["bits"]).hex() == vector["output"]
    assert iccs.pseudo_xof(width, message, vector["bits"]).hex() == vector["output"]


@pytest.mark.parametrize("vector", VECTORS["drng"], ids=lambda v: f"nonce-{len(v['nonce']) // 2}")
def test_drng_vector(helpers: Helpers, vector: dict[str, Any]) -> None:
    nonce = bytes.fromhex(vector["nonce"])
    generator, model = CDrng(helpers, nonce), iccs.Drng(nonce)
    for draw in vector["draws"]:
        assert generator.draw(draw["bits"]).hex() == draw["output"]
        assert model.draw(draw["bits"]).hex() == draw["output"]


@given(bit_strings())
def test_sm3hash_is_the_model(helpers: Helpers, text: tuple[bytes, int]) -> None:
    assert helpers.digest("sm3hash", 256, *text) == sm3(*text)


@settings(max_examples=30)
@given(st.sampled_from([512, 768, 1024]), bit_strings())
def test_pseudohash_is_the_model(helpers: Helpers, width: int, text: tuple[bytes, int]) -> None:
    assert helpers.digest("pseudohash", width, *text) == iccs.pseudohash(width, *text)


@settings(max_examples=50)
@given(st.integers(0, 1100), bit_strings())
def test_pseudo_xof_is_the_model(helpers: Helpers, width: int, text: tuple[bytes, int]) -> None:
    assert helpers.xof(width, *text) == iccs.pseudo_xof(width, *text)


@settings(max_examples=30)
@given(st.binary(max_size=100), st.lists(st.integers(0, 700), max_size=5))
def test_drng_is_the_model(helpers: Helpers, nonce: bytes, requests: list[int]) -> None:
    generator, model = CDrng(helpers, nonce), iccs.Drng(nonce)
    for bits in requests:
        assert generator.draw(bits) == model.draw(bits)


def test_a_long_request_carries_into_higher_bytes(helpers: Helpers) -> None:
    """400 blocks add 400 to V, whose last byte overflows at least once."""
    assert CDrng(helpers, b"carry").draw(256 * 400) == iccs.Drng(b"carry").draw(256 * 400)


def test_two_requests_are_not_one(helpers: Helpers) -> None:
    split, whole = CDrng(helpers, b"nonce"), CDrng(helpers, b"nonce")
    first, both = split.draw(256), whole.draw(512)
    assert first == both[:32]
    assert split.draw(256) != both[32:]


def test_an_empty_request_advances_the_generator(helpers: Helpers) -> None:
    plain, advanced = CDrng(helpers, b"nonce"), CDrng(helpers, b"nonce")
    assert advanced.draw(0) == b""
    assert advanced.draw(256) != plain.draw(256)


@given(st.lists(st.binary(max_size=200), max_size=6))
def test_sm3_in_pieces_is_sm3_at_once(helpers: Helpers, pieces: list[bytes]) -> None:
    message = b"".join(pieces)
    digest = helpers.sm3_in_pieces(pieces)
    assert digest == helpers.digest("sm3hash", 256, message, 8 * len(message))
    assert digest == sm3(message)


@given(bit_strings(most_bytes=40), st.integers(0, 255))
def test_low_bits_of_the_last_byte_do_not_count(
    helpers: Helpers, text: tuple[bytes, int], noise: int
) -> None:
    data, bits = text
    masked, _ = join_bits((data, bits))
    unused = 8 * len(masked) - bits
    noisy = masked[:-1] + bytes([masked[-1] | noise & (1 << unused) - 1]) if masked else masked
    assert helpers.digest("sm3hash", 256, noisy, bits) == helpers.digest("sm3hash", 256, masked, bits)
    assert helpers.digest("pseudohash", 768, noisy, bits) == helpers.digest("pseudohash", 768, masked, bits)
    assert helpers.xof(300, noisy, bits) == helpers.xof(300, masked, bits)


@pytest.mark.parametrize("shift", [-40, -3, 0, 3, 40])
@pytest.mark.parametrize("size", [32, 200, 5000])
def test_output_may_overlap_the_message(helpers: Helpers, size: int, shift: int) -> None:
    message = selftest.message(1, 8 * size)
    for name, length, width in (
        ("sm3hash", c_int(256), 256),
        ("pseudohash", c_int(1024), 1024),
        ("pseudoXOF", c_ulonglong(8 * size), 8 * size),
    ):
        room = guarded(size + width // 8 + 80)
        start = ctypes.addressof(room) + 40
        ctypes.memmove(start, message, size)
        function = helpers.library[name]
        assert (
            function(length, ctypes.c_void_p(start), c_ulonglong(8 * size), ctypes.c_void_p(start + shift))
            == 0
        )
        expected = MODELS[name](width, message, 8 * size)
        assert opened(room)[40 + shift :][: width // 8] == expected, name


def test_lengths_that_are_not_offered(helpers: Helpers) -> None:
    for width in (-256, 0, 128, 255, 512):
        assert helpers.code("sm3hash", c_int(width)) == -4
    for width in (-512, 0, 256, 511, 1000, 1025, 2048):
        assert helpers.code("pseudohash", c_int(width)) == -4
    assert helpers.code("pseudoXOF", c_ulonglong(256 * (2**32 - 1) + 1)) == -4
    assert helpers.code("pseudoXOF", c_ulonglong(2**64 - 1)) == -4
    assert helpers.code("pseudoXOF", c_ulonglong(0)) == 0


def test_long_messages_stay_off_the_stack(helpers: Helpers) -> None:
    """Hashes 8 MiB on a stack of 256 KiB, in place too."""
    size = 8 << 20
    results: list[bytes] = []

    def work() -> None:
        message = bytes(size)
        results.append(helpers.digest("pseudohash", 512, message, 8 * size))
        results.append(helpers.xof(512, message, 8 * size))
        buffer = ctypes.create_string_buffer(size)
        assert helpers.library.pseudoXOF(c_ulonglong(512), buffer, c_ulonglong(8 * size), buffer) == 0
        results.append(buffer.raw[:64])

    previous = threading.stack_size(256 << 10)
    try:
        thread = threading.Thread(target=work)
        thread.start()
    finally:
        threading.stack_size(previous)
    thread.join()
    assert len(results) == 3 and results[1] == results[2]


def test_length_field_has_64_bits(helpers: Helpers) -> None:
    """A context that says it has absorbed 2^32 bytes pads like one that has."""
    context, out = guarded(256), guarded(32)
    helpers.library.sm3_init(context)
    start = struct.unpack("@8I", context.raw[:32])
    struct.pack_into("@Q", context, 32, 1 << 32)
    helpers.library.sm3_update(context, b"abc", c_ulonglong(3))
    helpers.library.sm3_final(context, out)
    last_block = b"abc\x80" + bytes(52) + struct.pack(">Q", (8 << 32) + 24)
    assert opened(out) == struct.pack(">8I", *compress(start, last_block))


def test_message_is_only_read(helpers: Helpers) -> None:
    message = ctypes.create_string_buffer(selftest.message(3, 1005), 126)
    before = message.raw
    for name, length, width in (("sm3hash", c_int(256), 256), ("pseudohash", c_int(768), 768)):
        helpers.library[name](length, message, c_ulonglong(1005), guarded(width // 8))
    helpers.library.pseudoXOF(c_ulonglong(999), message, c_ulonglong(1005), guarded(125))
    assert message.raw == before


def scheme_instances() -> list[dict[str, Any]]:
    instances: list[dict[str, Any]] = tomllib.loads((SCHEME / "scheme.toml").read_text())["instance"]
    return instances


def test_every_helper_is_an_instance() -> None:
    names = [f"{f}-{w}" for f, widths in WIDTHS.items() for w in widths]
    assert [instance["name"] for instance in scheme_instances()] == names


WIDTHS = {"sm3hash": (256,), "pseudohash": (512, 768, 1024), "pseudoXOF": (256, 512, 768, 1024)}


@pytest.mark.parametrize("instance", scheme_instances(), ids=lambda i: i["name"])
def test_instance_passes_its_self_test(workshop: Workshop, instance: dict[str, Any]) -> None:
    name, width = instance["name"], instance["digest_bits"]
    source = SCHEME / "src" / "iccs_hash.c"
    library = ctypes.CDLL(
        str(
            workshop.compile(f"{name}.so", [source, *SOURCES], defines=instance["defines"], flags=["-shared"])
        )
    )

    def crypto_hash(digest_bits: int, message: bytes, bits: int) -> bytes:
        out = guarded(instance["sizes"]["digest"])
        assert library.crypto_hash(c_int(digest_bits), message, c_ulonglong(bits), out) == 0
        return opened(out)

    model = MODELS[name.split("-")[0]]
    expected = selftest.text(model, width)
    assert selftest.text(crypto_hash, width) == expected
    assert selftest.canonical_sha256(expected) == instance["kat"]["sha256"]
    assert library.crypto_hash(c_int(width + 8), b"", c_ulonglong(0), guarded(width)) == -4


def test_sources_compile_without_a_warning(compiler: str, tmp_path: Path) -> None:
    for source in SOURCES:
        command = [compiler, *GUIDE_FLAGS, "-Werror", "-c", str(source), "-o", str(tmp_path / "out.o")]
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=100)
        assert done.returncode == 0, done.stderr
