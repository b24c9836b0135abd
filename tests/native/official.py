"""The official known answers of a signature scheme, made anew and compared with its package."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from signature_library import SignatureLibrary

from ngcctui.engine.kat_case import official_inputs
from ngcctui.engine.kat_text import TextDigest, signature_lines


def hex_sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@dataclass(frozen=True)
class Record:
    """One record of the official KAT, and the calls of helpers of each of its operations."""

    message: bytes
    pk: bytes
    sk: bytes
    signature: bytes
    calls: Mapping[str, Mapping[Any, int]] = field(default_factory=dict)


def check_known_answers(
    library: SignatureLibrary,
    records: Sequence[Record],
    kat: Mapping[str, Any],
    known: Sequence[Mapping[str, str]],
) -> None:
    """Every field of the records, the digest of the first, with all of them that of the whole; and no other message."""
    text = TextDigest()
    for number, found in enumerate(records):
        fields = {"pk": found.pk, "sk": found.sk, "sn": found.signature}
        assert {f"{key}_sha256": hex_sha256(value) for key, value in fields.items()} == known[number]
        flipped = bytes([found.message[0] ^ 0x80]) + found.message[1:]
        assert library.verify(found.pk, found.signature, found.message) == 0
        assert library.verify(found.pk, found.signature, flipped) == -1
        text.add(signature_lines(number, official_inputs()[number], fields))
        if number == 0:
            assert text.hex() == kat["record0_sha256"]
    if len(records) == len(known):
        assert text.hex() == kat["sha256"]
