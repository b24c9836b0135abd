"""The toy signature of c/toy.c in Python, and the digest of its known answers: what a library that behaves must give."""

from __future__ import annotations

import hashlib
from functools import cache

from models.iccs import Drng
from models.sm3 import sm3

KEY_BYTES, NONCE_BYTES, SALT_BYTES = 32, 16, 16
SIGNATURE_BYTES = NONCE_BYTES + 32 + SALT_BYTES
SIZES = {"public_key": KEY_BYTES, "secret_key": KEY_BYTES, "signature": SIGNATURE_BYTES}


def _field(name: str, value: bytes) -> list[str]:
    return [f"{name}_Len = {len(value)}", f"{name} = {value.hex().upper()}"]


@cache
def kat_sha256(records: int = 10) -> str:
    """SHA-256 of the canonical text of the first `records` records."""
    seeds, messages = Drng(b"seed" * 16), Drng(b"msg" * 21 + b"m")
    lines: list[str] = []
    for number in range(records):
        seed = seeds.draw(512)
        message = messages.draw(8 * (56 + 8 * number))
        drng = Drng(seed)
        key = drng.draw(8 * KEY_BYTES)
        nonce = drng.draw(8 * NONCE_BYTES)
        signature = nonce + sm3(key + nonce + sm3(message)) + bytes(SALT_BYTES)
        lines += [f"Count = {number}", *_field("Seed", seed), *_field("PK", key), *_field("SK", key)]
        lines += [*_field("M", message), *_field("Sn", signature)]
    return hashlib.sha256("".join(line + "\n" for line in lines).encode()).hexdigest()
