"""The compiled sign-17 with its inner functions, called through ctypes."""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Sequence
from ctypes import Array, c_int32, c_ubyte, c_uint, c_ushort
from dataclasses import dataclass
from pathlib import Path

from helpers_library import guarded, opened
from signature_library import SignatureLibrary
from workshop import HELPERS, ROOT, Workshop

SCHEME = ROOT / "schemes" / "sign-17"
NATIVE = Path(__file__).resolve().parent
SOURCES = sorted((SCHEME / "src").glob("*.c"))
HELPER_SOURCES = sorted(HELPERS.glob("*.c"))
INCLUDE = (HELPERS, SCHEME / "src")
Q = 67104769


@dataclass(frozen=True)
class Parameters:
    """What the specification says of an instance."""

    level: int
    n: int
    k: int
    l: int
    eta: int
    tau: int
    z_bits: int
    classes: int
    w1_bits: int
    omega: int
    position_bits: int
    root: int

    @property
    def beta(self) -> int:
        return self.tau * self.eta

    @property
    def gamma1(self) -> int:
        return 1 << (self.z_bits - 1)

    @property
    def gamma2(self) -> int:
        return (Q - 1) // (2 * self.classes)

    @property
    def challenge_bytes(self) -> int:
        return self.level // 4

    @property
    def hint_bytes(self) -> int:
        return -(-self.omega * self.position_bits // 8) + self.k


PARAMETERS = {
    "OPSsig-128": Parameters(128, 512, 3, 3, 2, 39, 22, 16, 4, 80, 9, 6984004),
    "OPSsig-256": Parameters(256, 512, 4, 4, 3, 45, 21, 48, 6, 85, 9, 6984004),
    "OPSsig-512": Parameters(512, 1024, 4, 4, 2, 90, 23, 24, 5, 90, 10, 195478),
}

Vector = list[list[int]]  # polynomials as lists of coefficients


def sha256_of(vector: Vector) -> str:
    """SHA-256 of all coefficients as signed 32-bit little-endian integers."""
    flat = [coefficient for polynomial in vector for coefficient in polynomial]
    return hashlib.sha256((c_int32 * len(flat))(*flat)).hexdigest()


def positive(vector: Vector) -> Vector:
    """The same modulo q in [0, q)."""
    return [[coefficient % Q for coefficient in polynomial] for polynomial in vector]


def build(workshop: Workshop, name: str, extra: Sequence[Path] = (), flags: Sequence[str] = ()) -> Path:
    """The library of an instance with the probe and nothing hidden."""
    level = PARAMETERS[name].level
    return workshop.compile(
        f"{name}-{len(extra)}.so",
        [*SOURCES, *HELPER_SOURCES, NATIVE / "probe.c", NATIVE / "sign17_probe.c", *extra],
        include=INCLUDE,
        defines=[f"OPS_LEVEL={level}"],
        flags=["-shared", *flags],
    )


class Hint(ctypes.Structure):
    """The C type `hint`; use `hint_type`, which knows the sizes of the instance."""


def hint_type(p: Parameters) -> type[Hint]:
    """The C type `hint` of an instance."""
    fields = [("positions", c_ushort * p.omega), ("ends", c_ubyte * p.k)]
    return type("Hint", (Hint,), {"_fields_": fields})


class Ops(SignatureLibrary):
    """An instance: the signature interface, and the inner functions with polynomials as lists of integers."""

    def __init__(self, library: Path, name: str) -> None:
        self.p = PARAMETERS[name]
        super().__init__(library)

    # Inner functions.

    def draw(self, size: int) -> bytes:
        """ops_draw."""
        out = guarded(size)
        self.library.ops_draw(out, c_uint(size))
        return opened(out)

    def hashed(self, name: str, size: int, *arguments: object) -> bytes:
        """A hash function that writes `size` bytes to its first argument."""
        out = guarded(size)
        self.library[name](out, *arguments)
        return opened(out)

    def pointer(self, polynomial: Sequence[int]) -> Array[c_int32]:
        """A polynomial, or several in a row, as C has them."""
        return (c_int32 * len(polynomial))(*polynomial)

    def polynomial(self, name: str, *arguments: object) -> list[int]:
        """What a function writes to its first argument, a polynomial."""
        out = (c_int32 * self.p.n)()
        self.library[name](out, *arguments)
        return list(out)

    def in_place(self, name: str, polynomial: Sequence[int], *arguments: object) -> list[int]:
        """What a function makes of its first argument, a polynomial."""
        out = self.pointer(polynomial)
        self.library[name](out, *arguments)
        return list(out)

    def ntt(self, polynomial: Sequence[int]) -> list[int]:
        """The transform, slots as they come out."""
        return self.in_place("ops_ntt", polynomial)

    def multiply(self, a: Sequence[int], b: Sequence[int]) -> list[int]:
        """The centred product of two transforms as polynomial."""
        product = self.polynomial("ops_ntt_multiply", self.pointer(a), self.pointer(b))
        return self.in_place("ops_ntt_inverse", product)

    def multiply_row(self, row: Vector, vector: Vector) -> list[int]:
        """The scalar product of two vectors of transforms as polynomial in [0, q)."""
        arguments = [self.pointer([c for polynomial in v for c in polynomial]) for v in (row, vector)]
        product = self.polynomial("ops_ntt_multiply_row", *arguments)
        return self.in_place("ops_poly_canonical", self.in_place("ops_ntt_inverse", product))

    def split(self, name: str, polynomial: Sequence[int]) -> tuple[list[int], list[int]]:
        """High and low parts of every coefficient by `power2round` or `decompose`."""
        low, highs, lows = c_int32(), [], []
        function = self.library[f"probe_{name}"]
        for coefficient in polynomial:
            highs.append(function(c_int32(coefficient), ctypes.byref(low)))
            lows.append(low.value)
        return highs, lows

    def pack(self, bits: int, polynomial: Sequence[int], top: int | None = None) -> bytes:
        """ops_pack, or ops_pack_from with a `top`."""
        size = self.p.n * bits // 8
        if top is None:
            return self.hashed("ops_pack", size, c_uint(bits), self.pointer(polynomial))
        return self.hashed("ops_pack_from", size, c_uint(bits), c_int32(top), self.pointer(polynomial))

    def unpack(self, bits: int, data: bytes, top: int | None = None) -> list[int]:
        """ops_unpack, or ops_unpack_from with a `top`."""
        if top is None:
            return self.polynomial("ops_unpack", c_uint(bits), data)
        return self.polynomial("ops_unpack_from", c_uint(bits), c_int32(top), data)

    def pack_hint(self, positions: Vector) -> bytes:
        """ops_hint_pack of the positions of each polynomial."""
        flat = [position for row in positions for position in row]
        ends = [sum(map(len, positions[: i + 1])) for i in range(self.p.k)]
        hint = hint_type(self.p)((c_ushort * self.p.omega)(*flat), (c_ubyte * self.p.k)(*ends))
        return self.hashed("ops_hint_pack", self.p.hint_bytes, ctypes.byref(hint))

    def unpack_hint(self, data: bytes) -> Vector | None:
        """The positions of each polynomial, or None when the encoding is rejected."""
        assert len(data) == self.p.hint_bytes
        hint = hint_type(self.p)()
        if self.library.ops_hint_unpack(ctypes.byref(hint), data) != 0:
            return None
        starts = [0, *list(hint.ends)[:-1]]
        return [list(hint.positions[a:b]) for a, b in zip(starts, hint.ends, strict=True)]
