"""The text of a known answer test: its lines, its canonical digest, and where it differs from what is known.

Pure functions over raw fields; the layout is that of the competition's KAT files.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

#: Fields that a library produces in one record, in the order of the text.
SIGNATURE_FIELDS = ("pk", "sk", "sn")
HASH_FIELDS = ("dst",)

#: Message lengths of a hash self-test, bits; record i hashes a message of the i-th length.
HASH_LENGTHS = (0, 1, 7, 8, 9, 255, 256, 440, 447, 448, 511, 512, 513, 1000, 8 * 1024 + 3, 8 * 65536)

_LENGTH_LINE = re.compile(r"[A-Za-z]+_Len[ \t]*=")


@dataclass(frozen=True)
class KatInput:
    """Seed of the candidate's DRNG (64 bytes) and message of one record."""

    seed: bytes
    message: bytes


def signature_lines(number: int, given: KatInput, made: Mapping[str, bytes]) -> list[str]:
    """The text of record `number` of a signature scheme: what was given, and the fields pk, sk and sn."""
    return [
        f"Count = {number}",
        *_field("Seed", given.seed),
        *_field("PK", made["pk"]),
        *_field("SK", made["sk"]),
        *_field("M", given.message),
        *_field("Sn", made["sn"]),
        "",
    ]


def hash_lines(number: int, digest_bits: int, made: Mapping[str, bytes]) -> list[str]:
    """The text of record `number` of a hash self-test."""
    return [
        f"Count = {number}",
        f"Msg_Len = {HASH_LENGTHS[number]}",
        f"Msg_Seed = {number}",
        f"Dst_Len = {digest_bits}",
        f"Dst = {made['dst'].hex().upper()}",
        "",
    ]


def _field(name: str, value: bytes) -> list[str]:
    return [f"{name}_Len = {len(value)}", f"{name} = {value.hex().upper()}"]


class TextDigest:
    """The canonical digest of a text that comes in pieces.

    SHA-256 over all lines that are not empty, each without trailing CR, blanks and tabs and with one LF; with `nolen`
    lines of the form `X_Len = ...` do not count.
    """

    def __init__(self, nolen: bool = False) -> None:
        self._nolen = nolen
        self._digest = hashlib.sha256()

    def add(self, lines: Iterable[str]) -> None:
        """Take the next lines."""
        for line in lines:
            stripped = line.rstrip("\r\n\t ")
            if stripped and not (self._nolen and _LENGTH_LINE.match(stripped)):
                self._digest.update(stripped.encode("utf-8") + b"\n")

    def hex(self) -> str:
        """The digest so far, lower-case hex."""
        return self._digest.hexdigest()


def first_difference(
    digests: Sequence[Mapping[str, str]], known: Sequence[Mapping[str, str]], record0_same: bool | None
) -> str:
    """Where a text that differs does so first, as far as that can be told; empty when it cannot.

    `digests` and `known` hold a SHA-256 per field for each record; `record0_same` is the verdict on the text of record
    0, None without its digest.
    """
    for number, (found, right) in enumerate(zip(digests, known, strict=False)):
        for field, digest in found.items():
            if field in right and digest != right[field]:
                return f"first difference in record {number}, field {field}"
    if record0_same is False:
        return "record 0 differs"
    if len(known) >= len(digests) > 0:
        return "every field is right, the text around them differs"
    return "record 0 is right, a later one differs" if record0_same else ""
