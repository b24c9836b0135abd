"""The self test text of a hash instance, from the models."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

MESSAGE_BITS = (0, 1, 7, 8, 9, 255, 256, 440, 447, 448, 511, 512, 513, 1000, 8 * 1024 + 3, 8 * 65536)


def message(record: int, bits: int) -> bytes:
    """The message of a record: ceil(bits / 8) bytes, the low bits of a partial last byte left as they are."""
    return bytes((131 * j + 7 * record + 1) % 256 for j in range((bits + 7) // 8))


def text(digest: Callable[[int, bytes, int], bytes], digest_bits: int) -> str:
    """The text for a function of (digest bits, message, message bits)."""
    lines: list[str] = []
    for i, bits in enumerate(MESSAGE_BITS):
        lines += [f"Count = {i}", f"Msg_Len = {bits}", f"Msg_Seed = {i}", f"Dst_Len = {digest_bits}"]
        lines += [f"Dst = {digest(digest_bits, message(i, bits), bits).hex().upper()}", ""]
    return "\n".join(lines)


def canonical_sha256(text: str) -> str:
    """SHA-256 over all non-empty lines without trailing blanks, each with one LF, in lower hex."""
    lines = [line.rstrip("\r \t") for line in text.split("\n")]
    return hashlib.sha256("".join(line + "\n" for line in lines if line).encode()).hexdigest()
