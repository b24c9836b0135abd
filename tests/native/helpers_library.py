"""The compiled helpers, called through ctypes with guard bytes around what they write."""

from __future__ import annotations

import ctypes
from ctypes import c_int, c_ulonglong
from pathlib import Path

GUARD = bytes(range(0xA0, 0xB0))


def guarded(size: int) -> ctypes.Array[ctypes.c_char]:
    """A buffer of `size` bytes with guard bytes behind it."""
    return ctypes.create_string_buffer(bytes(size) + GUARD, size + len(GUARD))


def opened(buffer: ctypes.Array[ctypes.c_char]) -> bytes:
    """What was written to a guarded buffer; fails when the guard bytes changed."""
    assert buffer.raw[-len(GUARD) :] == GUARD
    return buffer.raw[: -len(GUARD)]


class Helpers:
    """The helper functions of a library; lengths in bits except where bytes are given."""

    def __init__(self, library: Path) -> None:
        self.library = ctypes.CDLL(str(library))

    def digest(self, name: str, digest_bits: int, message: bytes, bits: int) -> bytes:
        """sm3hash or pseudohash."""
        return self._call(name, c_int(digest_bits), digest_bits, message, bits)

    def xof(self, out_bits: int, message: bytes, bits: int) -> bytes:
        """pseudoXOF."""
        return self._call("pseudoXOF", c_ulonglong(out_bits), out_bits, message, bits)

    def _call(self, name: str, argument: object, out_bits: int, message: bytes, bits: int) -> bytes:
        out = guarded((out_bits + 7) // 8)
        assert self.library[name](argument, message, c_ulonglong(bits), out) == 0
        return opened(out)

    def code(self, name: str, length: c_int | c_ulonglong) -> int:
        """The return code for an output length; for those that are not offered."""
        result: int = self.library[name](length, b"", c_ulonglong(0), None)
        return result

    def sm3_in_pieces(self, pieces: list[bytes]) -> bytes:
        """The incremental SM3."""
        context, out = guarded(256), guarded(32)
        self.library.sm3_init(context)
        for piece in pieces:
            self.library.sm3_update(context, piece, c_ulonglong(len(piece)))
        self.library.sm3_final(context, out)
        opened(context)
        return opened(out)


class CDrng:
    """A generator in a context of its own."""

    def __init__(self, helpers: Helpers, nonce: bytes) -> None:
        self._library = helpers.library
        self._context = guarded(256)
        assert self._library.init_random_number(self._context, nonce, c_ulonglong(len(nonce))) == 0

    def draw(self, bits: int) -> bytes:
        """The next `bits` bits."""
        out = guarded((bits + 7) // 8)
        assert self._library.get_random_number(self._context, out, c_ulonglong(bits)) == 0
        opened(self._context)
        return opened(out)
