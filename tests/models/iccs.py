"""The ICCS auxiliary functions and DRNG in plain Python over models.sm3; lengths in bits."""

from __future__ import annotations

import struct

from models.sm3 import join_bits, sm3

_KEY = sm3(b"3.14159265358979") + sm3(b"2.71828182845904")
_SEED_BITS = 440


def _whole(data: bytes) -> tuple[bytes, int]:
    return data, 8 * len(data)


def _sm3_of(*parts: tuple[bytes, int]) -> bytes:
    return sm3(*join_bits(*parts))


def _hmac(*parts: tuple[bytes, int]) -> bytes:
    inner, outer = (bytes(byte ^ pad for byte in _KEY) for pad in (0x36, 0x5C))
    return sm3(outer + _sm3_of(_whole(inner), *parts))


def sm3hash(digest_bits: int, message: bytes, bits: int) -> bytes:
    """SM3; `digest_bits` is 256."""
    assert digest_bits == 256
    return sm3(message, bits)


def pseudohash(digest_bits: int, message: bytes, bits: int) -> bytes:
    """The wide hash; `digest_bits` is 512, 768 or 1024."""
    assert digest_bits in (512, 768, 1024)
    text = (message, bits)
    tag = _whole(bytes((digest_bits // 256, 0)))
    k1 = _hmac(tag, text)
    h1 = _sm3_of(text, tag)
    h2 = sm3(k1 + h1)
    k2 = _hmac(_whole(h1))
    h3 = sm3(h2 + k2)
    k3, k4 = _hmac(_whole(h2)), _hmac(_whole(h3))
    h4 = sm3(k3 + h3 + k4)
    return (h1 + h2 + h3 + h4)[: digest_bits // 8]


def cut(data: bytes, bits: int) -> bytes:
    """The first `bits` bits of `data`, the unused low bits of the last byte 0."""
    return join_bits((data, bits))[0]


def pseudo_xof(out_bits: int, message: bytes, bits: int) -> bytes:
    """Extendable output: ceil(out_bits / 8) bytes."""
    blocks = range(1, -(-out_bits // 256) + 1)
    return cut(b"".join(_sm3_of((message, bits), _whole(struct.pack(">I", i))) for i in blocks), out_bits)


def _hash_df(data: bytes) -> bytes:
    return b"".join(sm3(struct.pack(">BI", i, _SEED_BITS) + data) for i in (1, 2))[: _SEED_BITS // 8]


class Drng:
    """Hash_DRBG with SM3, instantiated with `nonce` (any number of bytes)."""

    def __init__(self, nonce: bytes) -> None:
        self._v = int.from_bytes(_hash_df(nonce), "big")
        self._c = int.from_bytes(_hash_df(b"\0" + self._bytes(self._v)), "big")
        self._counter = 1

    @staticmethod
    def _bytes(value: int) -> bytes:
        return (value % (1 << _SEED_BITS)).to_bytes(_SEED_BITS // 8, "big")

    def draw(self, bits: int) -> bytes:
        """The next ceil(bits / 8) bytes: one request."""
        out = b"".join(sm3(self._bytes(self._v + i)) for i in range(-(-bits // 256)))
        step = int.from_bytes(sm3(b"\x03" + self._bytes(self._v)), "big")
        self._v = (self._v + step + self._c + self._counter) % (1 << _SEED_BITS)
        self._counter += 1
        return cut(out, bits)
