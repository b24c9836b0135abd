"""The compiled sign-30 with its inner functions, called through ctypes."""

from __future__ import annotations

import ctypes
import json
import tomllib
from collections.abc import Sequence
from ctypes import c_int, c_int16, c_uint, c_ulonglong
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from helpers_library import guarded, opened
from signature_library import SignatureLibrary
from workshop import HELPERS, ROOT, Workshop

SCHEME = ROOT / "schemes" / "sign-30"
NATIVE = Path(__file__).resolve().parent
SOURCES = sorted((SCHEME / "src").glob("*.c"))
HELPER_SOURCES = sorted(HELPERS.glob("*.c"))
INCLUDE = (HELPERS, SCHEME / "src")
Q = 4093

VECTORS: dict[str, Any] = json.loads((ROOT / "tests" / "data" / "sign-30-vectors.json").read_text())
MANIFEST: dict[str, Any] = {
    i["name"]: i for i in tomllib.loads((SCHEME / "scheme.toml").read_text())["instance"]
}
RECORDS: dict[str, Any] = tomllib.loads((SCHEME / "kat-records.toml").read_text())


@dataclass(frozen=True)
class Parameters:
    """What the specification says of an instance."""

    level: int
    n: int
    rounds: int
    opened: int
    forms: int

    @property
    def seed_bytes(self) -> int:
        return self.level // 4

    @property
    def form_bytes(self) -> int:
        return packed_bytes(self.n**3)

    @property
    def responses_bytes(self) -> int:
        return packed_bytes(self.opened * self.n)

    @property
    def digest_offset(self) -> int:
        """Where in a signature the digest starts; the salt follows."""
        return self.responses_bytes + (self.rounds - self.opened) * self.level // 8

    @property
    def defines(self) -> list[str]:
        return [f"TRINE_LEVEL={self.level}", f"TRINE_FORMS={self.forms}"]


PARAMETERS = {
    "TRINE-128-Balanced": Parameters(128, 22, 138, 52, 1),
    "TRINE-128-ShortSig": Parameters(128, 22, 61, 36, 4),
    "TRINE-256-Balanced": Parameters(256, 40, 271, 104, 1),
    "TRINE-256-ShortSig": Parameters(256, 40, 116, 76, 4),
    "TRINE-512-Balanced": Parameters(512, 81, 534, 211, 1),
    "TRINE-512-ShortSig": Parameters(512, 81, 232, 149, 4),
}


def packed_bytes(elements: int) -> int:
    """Bytes of so many packed elements."""
    return (12 * elements + 7) // 8


def packed(elements: Sequence[int]) -> bytes:
    """12 bits an element, least significant bit first."""
    number = sum(element << (12 * i) for i, element in enumerate(elements))
    return number.to_bytes(packed_bytes(len(elements)), "little")


HELPER_NAMES = ("sm3hash", "pseudohash", "pseudoXOF", "get_random_number")


def build(workshop: Workshop, name: str) -> Path:
    """The library of an instance with the probe, calls of helpers counted and nothing hidden."""
    wraps = ",".join(f"--wrap={helper}" for helper in HELPER_NAMES)
    extra = [NATIVE / source for source in ("probe.c", "count_calls.c", "sign30_probe.c")]
    return workshop.compile(
        f"{name}.so",
        [*SOURCES, *HELPER_SOURCES, *extra],
        include=INCLUDE,
        defines=PARAMETERS[name].defines,
        flags=["-shared", f"-Wl,{wraps}"],
    )


class Trine(SignatureLibrary):
    """An instance: the signature interface, and the inner functions with elements as lists of integers."""

    def __init__(self, library: Path, name: str) -> None:
        self.p = PARAMETERS[name]
        super().__init__(library)

    def counts(self) -> dict[str, int]:
        """Calls of each helper since the last look."""
        found = {}
        for helper in HELPER_NAMES:
            counter = c_ulonglong.in_dll(self.library, f"calls_{helper}")
            found[helper], counter.value = counter.value, 0
        return found

    # Inner functions.

    def base(self, secret_seed: bytes) -> bytes:
        """The packed base form of a secret seed, which `commitment` and `points` then use."""
        out = guarded(self.p.form_bytes)
        assert self.library.probe_base(secret_seed, out) == 0
        return opened(out)

    def commitment(self, salt: bytes, seed: bytes, t: int) -> tuple[list[int], bytes]:
        """Vector and packed canonical form of a round."""
        vector, out = (c_int16 * self.p.n)(), guarded(self.p.form_bytes)
        assert self.library.probe_commitment(salt, seed, c_uint(t), vector, out) == 0
        return list(vector), opened(out)

    def points(self, vector: Sequence[int]) -> list[list[int]]:
        """v_0, w_0 and u_1 of a chain, the first coordinate that is not 0 scaled to 1."""
        found = [(c_int16 * self.p.n)() for _ in range(3)]
        assert self.library.probe_points(self._array(vector), *found) == 3 * (self.p.n - 1)
        return [scaled(list(point)) for point in found]

    def canonical(self, flat: Sequence[int], vector: Sequence[int]) -> bytes | None:
        """The packed canonical form of a form, None when there is none."""
        out = guarded(self.p.form_bytes)
        if self.library.probe_canonical(self._array(flat), self._array(vector), out) != 0:
            return None
        return opened(out)

    def matrix(self, seed: bytes) -> list[int]:
        """The invertible matrix of a seed, by rows."""
        out = (c_int16 * self.p.n**2)()
        assert self.library.probe_matrix(seed, out) == 0
        return list(out)

    def rank(self, matrix: Sequence[int]) -> tuple[int, list[int]]:
        """What trine_rank says of a matrix, and the vector of its kernel."""
        kernel = (c_int16 * self.p.n)()
        return self.library.probe_rank(self._array(matrix), kernel), list(kernel)

    def inverse(self, matrix: Sequence[int]) -> list[int]:
        """The inverse of an invertible matrix, by rows."""
        out = self._array(matrix)
        self.library.probe_invert(out)
        return list(out)

    def transformed(self, flat: Sequence[int], u: list[int], v: list[int], w: list[int]) -> list[int]:
        """A form seen from the points that are the rows of three matrices."""
        out = self._array(flat)
        self.library.probe_transform(out, *map(self._array, (u, v, w)))
        return list(out)

    def transcript(self, data: bytes, piece: int) -> bytes:
        """The hash of a transcript that comes in pieces of some length."""
        out = guarded(self.p.seed_bytes)
        self.library.probe_transcript(data, c_ulonglong(len(data)), c_ulonglong(piece), out)
        return opened(out)

    def challenge(self, digest: bytes) -> list[int]:
        """trine_challenge."""
        out = guarded(self.p.rounds)
        assert self.library.trine_challenge(out, digest) == 0
        return list(opened(out))

    def pack(self, elements: Sequence[int]) -> bytes:
        """trine_pack."""
        out = guarded(packed_bytes(len(elements)))
        self.library.trine_pack(out, self._array(elements), c_int(len(elements)))
        return opened(out)

    def unpack(self, data: bytes, count: int) -> list[int] | None:
        """trine_unpack; None when it rejects."""
        out = (c_int16 * count)()
        return list(out) if self.library.trine_unpack(out, data, c_int(count)) == 0 else None

    @staticmethod
    def _array(elements: Sequence[int]) -> ctypes.Array[c_int16]:
        return (c_int16 * len(elements))(*elements)


def scaled(vector: list[int]) -> list[int]:
    """The multiple of a vector whose first coordinate that is not 0 is 1."""
    inverse = pow(next(filter(None, vector)), -1, Q)
    return [element * inverse % Q for element in vector]
