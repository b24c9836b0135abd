"""SM3 (GB/T 32905-2016) in plain Python, to the bit: the model that the C code is compared with."""

from __future__ import annotations

import struct
from functools import lru_cache

_START = struct.unpack(
    ">8I", bytes.fromhex("7380166f4914b2b9172442d7da8a0600a96f30bc163138aae38dee4db0fb0e4e")
)
_MASK = 0xFFFFFFFF


def _rotate(word: int, places: int) -> int:
    places %= 32
    return (word << places | word >> (32 - places)) & _MASK


_CONSTANTS = tuple(_rotate(0x79CC4519 if j < 16 else 0x7A879D8A, j) for j in range(64))


def _expand(block: bytes) -> list[int]:
    words = list(struct.unpack(">16I", block))
    for j in range(16, 68):
        mixed = words[j - 16] ^ words[j - 9] ^ _rotate(words[j - 3], 15)
        words.append(
            mixed ^ _rotate(mixed, 15) ^ _rotate(mixed, 23) ^ _rotate(words[j - 13], 7) ^ words[j - 6]
        )
    return words


@lru_cache(maxsize=8192)  # The functions above SM3 hash the same long message several times.
def compress(state: tuple[int, ...], block: bytes) -> tuple[int, ...]:
    """The state after a block of 64 bytes."""
    words = _expand(block)
    a, b, c, d, e, f, g, h = state
    for j in range(64):
        ss1 = _rotate(_rotate(a, 12) + e + _CONSTANTS[j] & _MASK, 7)
        ss2 = ss1 ^ _rotate(a, 12)
        if j < 16:
            ff, gg = a ^ b ^ c, e ^ f ^ g
        else:
            ff, gg = a & b | a & c | b & c, e & f | ~e & g
        tt1 = ff + d + ss2 + (words[j] ^ words[j + 4]) & _MASK
        tt2 = gg + h + ss1 + words[j] & _MASK
        a, b, c, d = tt1, a, _rotate(b, 9), c
        e, f, g, h = tt2 ^ _rotate(tt2, 9) ^ _rotate(tt2, 17), e, _rotate(f, 19), g
    return tuple(old ^ new for old, new in zip(state, (a, b, c, d, e, f, g, h), strict=True))


def join_bits(*parts: tuple[bytes, int]) -> tuple[bytes, int]:
    """Join bit strings, each given as bytes and a length in bits (the high bits of the last byte count)."""
    value = length = 0
    for data, bits in parts:
        size = (bits + 7) // 8
        value = value << bits | int.from_bytes(data[:size], "big") >> 8 * size - bits
        length += bits
    size = (length + 7) // 8
    return (value << 8 * size - length).to_bytes(size, "big"), length


def sm3(message: bytes, bits: int | None = None) -> bytes:
    """The 32-byte digest of the first `bits` bits of `message` (of all of it by default)."""
    bits = 8 * len(message) if bits is None else bits
    one_and_zeros = b"\x80" + bytes((447 - bits) % 512 // 8 + 1)
    padded, _ = join_bits(
        (message, bits), (one_and_zeros, 1 + (447 - bits) % 512), (struct.pack(">Q", bits), 64)
    )
    state = _START
    for start in range(0, len(padded), 64):
        state = compress(state, padded[start : start + 64])
    return struct.pack(">8I", *state)
