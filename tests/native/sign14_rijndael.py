"""Rijndael for all lengths of block and key, byte by byte."""

from __future__ import annotations

from itertools import pairwise

_SHIFTS = {4: (0, 1, 2, 3), 6: (0, 1, 2, 3), 8: (0, 1, 3, 4)}


def _double(x: int) -> int:
    return x << 1 ^ (0x11B if x & 0x80 else 0)


def _sbox() -> list[int]:
    """The powers of the generator 3 and of its inverse go through all pairs of inverses."""
    box, x = [0x63] * 256, 1
    powers = [1]
    for _ in range(254):
        x ^= _double(x)
        powers.append(x)
    for i, x in enumerate(powers):
        y = powers[-i % 255]
        turned = y
        for by in range(1, 5):
            turned ^= (y << by | y >> 8 - by) & 0xFF
        box[x] = turned ^ 0x63
    return box


SBOX = _sbox()


def _schedule(key: bytes, columns: int) -> list[bytes]:
    """The round keys."""
    length = len(key) // 4
    rounds = max(length, columns) + 6
    words, constant = [key[i : i + 4] for i in range(0, len(key), 4)], 1
    while len(words) < columns * (rounds + 1):
        i, t = len(words), words[-1]
        if i % length == 0:
            t = bytes(SBOX[x] for x in t[1:] + t[:1])
            t = bytes([t[0] ^ constant]) + t[1:]
            constant = _double(constant)
        elif length > 6 and i % length == 4:
            t = bytes(SBOX[x] for x in t)
        words.append(bytes(a ^ b for a, b in zip(words[-length], t, strict=True)))
    starts = range(0, columns * (rounds + 1) + 1, columns)
    return [b"".join(words[a:b]) for a, b in pairwise(starts)]


def _mixed(column: bytes) -> bytes:
    a, b, c, d = column
    every = a ^ b ^ c ^ d
    return bytes(x ^ every ^ _double(x ^ y) for x, y in ((a, b), (b, c), (c, d), (d, a)))


def encrypt(key: bytes, block: bytes) -> bytes:
    """One block of 16, 24 or 32 bytes under a key of as many."""
    columns = len(block) // 4
    first, *middle, last = _schedule(key, columns)
    state = bytes(a ^ b for a, b in zip(block, first, strict=True))
    for number, round_key in enumerate([*middle, last]):
        state = bytes(
            SBOX[state[4 * ((c + _SHIFTS[columns][row]) % columns) + row]]
            for c in range(columns)
            for row in range(4)
        )
        if number < len(middle):
            state = b"".join(_mixed(state[i : i + 4]) for i in range(0, len(state), 4))
        state = bytes(a ^ b for a, b in zip(state, round_key, strict=True))
    return state
