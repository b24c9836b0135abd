"""The compiled sign-14 with its inner functions, called through ctypes, and the parameters of its instances."""

from __future__ import annotations

import ctypes
import json
import tomllib
from collections.abc import Iterable, Sequence
from ctypes import c_int, c_uint, c_ulonglong
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from helpers_library import guarded, opened
from signature_library import SignatureLibrary
from workshop import HELPERS, ROOT, Workshop

SCHEME = ROOT / "schemes" / "sign-14"
NATIVE = Path(__file__).resolve().parent
SOURCES = sorted((SCHEME / "src").glob("*.c"))
HELPER_SOURCES = sorted(HELPERS.glob("*.c"))
INCLUDE = (HELPERS, SCHEME / "src")
COUNTED = ("pseudoXOF", "get_random_number")
WRAPS = "-Wl,--wrap=sm3hash,--wrap=pseudohash,--wrap=pseudoXOF,--wrap=get_random_number"

VECTORS: dict[str, Any] = json.loads((ROOT / "tests" / "data" / "sign-14-vectors.json").read_text())[
    "instances"
]
MANIFEST: dict[str, Any] = {
    i["name"]: i for i in tomllib.loads((SCHEME / "scheme.toml").read_text())["instance"]
}
RECORDS: dict[str, Any] = tomllib.loads((SCHEME / "kat-records.toml").read_text())


@dataclass(frozen=True)
class Parameters:
    """What the specification says of an instance."""

    n: int
    small: int
    tau: int
    grind: int
    room: int  # nodes in an opening
    pieces: int  # reads of the stream that an iv is expanded to

    @property
    def size(self) -> int:
        """Bytes of an element."""
        return self.n // 8

    @property
    def column(self) -> int:
        """Bytes of a column."""
        return (5 * self.n + 16) // 8

    @property
    def parts(self) -> dict[str, range]:
        """Where the parts of a signature lie."""
        lengths = {
            "corrections": (self.tau - 1) * self.column,
            "u_tilde": self.size + 2,
            "d": 3 * self.size,
            "a1_tilde": self.size,
            "commitments": 2 * self.size * self.tau,
            "nodes": self.size * self.room,
            "challenge": self.size,
            "iv": 15,
            "counter": 4,
        }
        found, at = {}, 0
        for name, length in lengths.items():
            found[name] = range(at, at + length)
            at += length
        return found


PARAMETERS = {
    "Lynxer-160f": Parameters(160, 0, 21, 8, 139, 62),
    "Lynxer-160s": Parameters(160, 1, 14, 6, 129, 62),
    "Lynxer-256f": Parameters(256, 0, 35, 8, 223, 123),
    "Lynxer-256s": Parameters(256, 1, 22, 12, 224, 123),
    "Lynxer-384f": Parameters(384, 0, 53, 9, 336, 255),
    "Lynxer-384s": Parameters(384, 1, 34, 10, 332, 255),
    "Lynxer-512f": Parameters(512, 0, 72, 8, 447, 435),
    "Lynxer-512s": Parameters(512, 1, 46, 6, 439, 435),
}


def defines(name: str, *more: str) -> list[str]:
    """What selects an instance."""
    p = PARAMETERS[name]
    return [f"LYNX_LEVEL={p.n}", f"LYNX_SMALL={p.small}", *more]


def helper_objects(workshop: Workshop) -> list[Path]:
    """The helpers, compiled once for all instances."""
    return [workshop.compile(f"sign14-{source.stem}.o", [source], flags=["-c"]) for source in HELPER_SOURCES]


def build(workshop: Workshop, name: str, *, stream: bool = False) -> Path:
    """The library of an instance with nothing hidden and calls of helpers counted; a warning is an error."""
    return workshop.compile(
        f"{name}{'-stream' if stream else ''}.so",
        [*SOURCES, NATIVE / "probe.c", NATIVE / "count_calls.c", *helper_objects(workshop)],
        include=INCLUDE,
        defines=defines(name, *(["LYNX_STREAM"] if stream else [])),
        flags=["-Werror", "-shared", WRAPS],
    )


class Lynx(SignatureLibrary):
    """An instance: the signature interface, and the inner functions."""

    def __init__(self, library: Path, name: str) -> None:
        self.p = PARAMETERS[name]
        super().__init__(library)
        self.library.lynx_gf64_mul.restype = c_ulonglong

    def counts(self) -> dict[str, int]:
        """Calls of helpers since the last look."""
        found = {}
        for helper in ("sm3hash", "pseudohash", *COUNTED):
            counter = c_ulonglong.in_dll(self.library, f"calls_{helper}")
            found[helper], counter.value = counter.value, 0
        return {helper: count for helper, count in found.items() if count}

    # Inner functions.

    @property
    def words(self) -> int:
        """64-bit words of an element."""
        return -(-self.p.n // 64)

    def element(self, value: int) -> ctypes.Array[c_ulonglong]:
        """An `fe`."""
        return (c_ulonglong * self.words)(*(value >> 64 * i & (1 << 64) - 1 for i in range(self.words)))

    @staticmethod
    def value(element: Iterable[int]) -> int:
        """The bits of an `fe`."""
        return sum(word << 64 * i for i, word in enumerate(element))

    def binary(self, function: str, a: int, b: int) -> int:
        """A function of two elements."""
        out = self.element(0)
        self.library[function](out, self.element(a), self.element(b))
        return self.value(out)

    def unary(self, function: str, a: int, *more: object) -> int:
        """A function of an element."""
        out = self.element(0)
        self.library[function](out, self.element(a), *more)
        return self.value(out)

    def encrypt(self, key: bytes, block: bytes) -> bytes:
        """The block cipher of the level."""
        schedule, out = guarded(4 * 120), guarded(len(block))
        self.library.lynx_cipher_expand(schedule, key)
        self.library.lynx_cipher_encrypt(schedule, block, out)
        opened(schedule)
        return opened(out)

    def children(self, x: bytes, s: bytes, iv: bytes, both: bool) -> tuple[bytes, bytes]:
        """lynx_children."""
        left, right = guarded(self.p.size), guarded(self.p.size)
        self.library.lynx_children(left, right, x, s, iv, c_int(both))
        return opened(left), opened(right)

    def prg(self, leaf: bytes, iv: bytes, tweak: int, size: int) -> bytes:
        """lynx_prg_begin and lynx_prg_read."""
        state, out = guarded(4 * 120 + 32), guarded(size)
        self.library.lynx_prg_begin(state, leaf, iv)
        self.library.lynx_prg_read(state, c_uint(tweak), out, c_uint(size))
        opened(state)
        return opened(out)

    def hashed_column(self, challenge: bytes, column: bytes) -> bytes:
        """lynx_hash_column."""
        out = guarded(self.p.size + 2)
        self.library.lynx_hash_column(out, challenge, column)
        return opened(out)

    def hashed_triple(self, challenge: bytes, z: Sequence[bytes], mask: bytes) -> bytes:
        """lynx_hash_triple."""
        triple = (c_ulonglong * (3 * self.words))(
            *(word for part in z for word in self.element(int.from_bytes(part, "little")))
        )
        out = self.element(0)
        self.library.lynx_hash_triple(out, challenge, triple, self.element(int.from_bytes(mask, "little")))
        return self.value(out).to_bytes(self.p.size, "little")

    def map(self, iv: bytes) -> tuple[list[bytes], list[bytes], ctypes.Array[c_ulonglong]]:
        """lynx_map_select: the three matrices, the constants, and the map itself."""
        n, size = self.p.n, self.p.size
        count = 3 * n + (2 if n == 160 else 3)
        found = (c_ulonglong * (count * self.words))()
        self.library.lynx_map_select(found, iv)
        rows = [
            self.value(found[i : i + self.words]).to_bytes(size, "little")
            for i in range(0, count * self.words, self.words)
        ]
        return [b"".join(rows[i * n : (i + 1) * n]) for i in range(3)], rows[3 * n :], found

    def evaluate(self, map_: ctypes.Array[c_ulonglong], k: bytes) -> dict[str, bytes]:
        """lynx_map_evaluate."""
        values = (c_ulonglong * (8 * self.words))()
        self.library.lynx_map_evaluate(values, map_, self.element(int.from_bytes(k, "little")))
        names = ("z", "v1", "x", "v2", "l1", "l2", "l3", "t")
        return {
            name: self.value(values[i * self.words : (i + 1) * self.words]).to_bytes(self.p.size, "little")
            for i, name in enumerate(names)
        }
