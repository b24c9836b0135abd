"""The compiled sign-11 with its inner functions, called through ctypes, and the parameters of its instances."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from ctypes import c_ubyte, c_uint, c_uint32, c_uint64, c_ulonglong
from dataclasses import dataclass
from pathlib import Path

from helpers_library import guarded, opened
from signature_library import SignatureLibrary
from workshop import HELPERS, ROOT, Workshop

SCHEME = ROOT / "schemes" / "sign-11"
NATIVE = Path(__file__).resolve().parent
SOURCES = sorted((SCHEME / "src").glob("*.c"))
HELPER_SOURCES = sorted(HELPERS.glob("*.c"))
INCLUDE = (HELPERS, SCHEME / "src")
FUNCTIONS = ("sm3hash", "pseudoXOF", "drng")  # as sign11_calls.c numbers them
WRAPS = "-Wl,--wrap=sm3hash,--wrap=pseudoXOF,--wrap=get_random_number"

Place = tuple[int, int]
Calls = dict[tuple[str, int, int], int]


@dataclass(frozen=True)
class Parameters:
    """What the specification says of an instance; lengths in bytes."""

    n: int
    height: int
    layers: int
    t: int
    k: int
    slots: int
    bases: tuple[int, ...]
    zero_bits: int

    @property
    def heights(self) -> list[int]:
        """Of the layers, the lowest first."""
        low, higher = divmod(self.height, self.layers)
        return [low + (layer < higher) for layer in range(self.layers)]

    @property
    def pors_height(self) -> int:
        return (self.t - 1).bit_length()

    @property
    def deep(self) -> int:
        """Leaves of the few-time tree at height 0."""
        return 2 * (self.t - (1 << self.pors_height - 1))

    @property
    def subsets(self) -> int:
        return math.comb(self.t, self.k)

    @property
    def choice_bytes(self) -> int:
        return self.n + -(-self.subsets.bit_length() // 8)

    @property
    def digest_bytes(self) -> int:
        bits = self.heights[0]
        return -(-(self.height - bits) // 8) + -(-bits // 8) + self.n

    @property
    def steps(self) -> int:
        """Of all chains of a one-time key."""
        return sum(self.bases) - len(self.bases)

    @property
    def steps_left(self) -> int:
        """What a one-time signature leaves to the verifier."""
        return self.steps // 2

    @property
    def pors_bytes(self) -> int:
        return 4 + (self.k + self.slots) * self.n

    def block_bytes(self, layer: int) -> int:
        return (len(self.bases) + self.heights[layer]) * self.n + 4

    def block_at(self, layer: int) -> int:
        """Where the block of a layer begins in a signature; for the layer above the top: where the signature ends."""
        return self.n + self.pors_bytes + sum(self.block_bytes(i) for i in range(layer))


PARAMETERS = {
    "Flextree-160f": Parameters(20, 67, 17, 4721, 27, 155, (8,) + 39 * (16,), 1),
    "Flextree-160s": Parameters(20, 67, 9, 42429, 15, 160, (32,) + 25 * (64,), 5),
    "Flextree-256f": Parameters(32, 68, 17, 16900, 35, 270, (8,) + 63 * (16,), 1),
    "Flextree-256s": Parameters(32, 67, 10, 81271, 25, 280, 42 * (64,), 4),
    "Flextree-384f": Parameters(48, 64, 12, 71828, 53, 486, 3 * (16,) + 74 * (32,), 2),
    "Flextree-384s": Parameters(48, 67, 8, 250491, 35, 398, 94 * (16,), 8),
    "Flextree-512f": Parameters(64, 66, 11, 181922, 57, 586, (16,) + 101 * (32,), 3),
    "Flextree-512s": Parameters(64, 66, 8, 429271, 48, 560, 101 * (32,), 7),
}


def define(name: str) -> str:
    """The define that selects an instance."""
    return f'FT_PARAMETERS="instances/{name.removeprefix("Flextree-")}.h"'


def helper_objects(workshop: Workshop) -> list[Path]:
    """The helpers, compiled once for all instances."""
    return [workshop.compile(f"sign11-{source.stem}.o", [source], flags=["-c"]) for source in HELPER_SOURCES]


def build(workshop: Workshop, name: str) -> Path:
    """The library of an instance with nothing hidden and all calls of helpers counted; a warning is an error."""
    return workshop.compile(
        f"{name}.so",
        [*SOURCES, NATIVE / "probe.c", NATIVE / "sign11_calls.c", *helper_objects(workshop)],
        include=INCLUDE,
        defines=[define(name)],
        flags=["-Werror", "-shared", WRAPS, "-Wl,--no-as-needed,-lm"],
    )


class Row(ctypes.Structure):
    """The C type `row` of sign11_calls.c."""

    _fields_ = [(name, c_ulonglong) for name in ("function", "in_bits", "out_bits", "calls")]


class CPlace(ctypes.Structure):
    """The C type `ft_place`."""

    _fields_ = [("height", c_uint), ("index", c_uint32)]


class Xmss(ctypes.Structure):
    """The C type `ft_xmss`."""

    _fields_ = [("public_seed", ctypes.c_char_p), ("layer", c_uint), ("tree", c_uint64)]


class PorsMessage(ctypes.Structure):
    """The C type `ft_pors_message`."""

    _fields_ = [("r", ctypes.c_char_p), ("md", ctypes.c_char_p), ("tree", c_uint64), ("leaf", c_uint32)]


class FlexTree(SignatureLibrary):
    """An instance: the signature interface, and the inner functions."""

    def __init__(self, library: Path, name: str) -> None:
        self.p = PARAMETERS[name]
        super().__init__(library)
        self.library.ft_number_log2.restype = ctypes.c_double

    def calls(self) -> Calls:
        """Calls of helpers since the last look, by function and bits in and out."""
        rows = (Row * 16).in_dll(self.library, "probe_calls")
        found = {(FUNCTIONS[row.function], row.in_bits, row.out_bits): row.calls for row in rows if row.calls}
        ctypes.memset(rows, 0, ctypes.sizeof(rows))
        return found

    # Inner functions.

    def draw(self, size: int) -> bytes:
        """ft_draw."""
        out = guarded(size)
        self.library.ft_draw(out, c_uint(size))
        return opened(out)

    def randomiser(self, key: bytes, drawn: bytes, message: bytes) -> bytes:
        """ft_hash_randomiser."""
        out = guarded(self.p.n)
        assert self.library.ft_hash_randomiser(out, key, drawn, message, c_ulonglong(len(message))) == 0
        return opened(out)

    def digest(self, r: bytes, pk: bytes, message: bytes) -> bytes:
        """ft_hash_message."""
        out = guarded(self.p.digest_bytes)
        assert self.library.ft_hash_message(out, r, pk, message, c_ulonglong(len(message))) == 0
        return opened(out)

    def choice(self, r: bytes, counter: int, md: bytes) -> bytes:
        """ft_hash_choice."""
        out = guarded(self.p.choice_bytes)
        self.library.ft_hash_choice(out, r, c_uint32(counter), md)
        return opened(out)

    def number(self, value: int) -> ctypes.Array[c_uint32]:
        """An `ft_number`: its count of words, then the words, the least significant first."""
        bits = max(self.p.k * self.p.pors_height, 8 * self.p.choice_bytes)
        words = bits // 32 + 3
        used = -(-value.bit_length() // 32)
        assert used <= words
        return (c_uint32 * (1 + words))(used, *(value >> 32 * i & 0xFFFFFFFF for i in range(used)))

    def value(self, number: ctypes.Array[c_uint32]) -> int:
        """The value of an `ft_number`, which must not have leading zeros."""
        used = number[0]
        assert used == 0 or number[used] != 0
        return sum(number[1 + i] << 32 * i for i in range(used))

    def count(self) -> int:
        """ft_subset_count."""
        number = self.number(0)
        self.library.ft_subset_count(number)
        return self.value(number)

    def subset(self, choice: bytes) -> list[int]:
        """ft_subset_choose."""
        leaves = (c_uint32 * self.p.k)()
        self.library.ft_subset_choose(leaves, choice, self.number(self.p.subsets))
        return list(leaves)

    def places(self, leaves: Sequence[int]) -> list[Place]:
        """ft_pors_places."""
        places = (CPlace * (self.p.k * self.p.pors_height))()
        count = self.library.ft_pors_places(places, (c_uint32 * self.p.k)(*leaves))
        return [(place.height, place.index) for place in places[:count]]

    def pors_root(
        self, r: bytes, md: bytes, tree: int, leaf: int, signature: bytes, seed: bytes
    ) -> bytes | None:
        """ft_pors_root, or None when it fails."""
        out = guarded(self.p.n)
        message = PorsMessage(r, md, tree, leaf)
        if self.library.ft_pors_root(out, ctypes.byref(message), signature, seed) != 0:
            return None
        return opened(out)

    def xmss_root(
        self, layer: int, tree: int, leaf: int, block: bytes, message: bytes, seed: bytes
    ) -> bytes | None:
        """ft_xmss_root_signed, or None when it fails."""
        out = guarded(self.p.n)
        xmss = Xmss(seed, layer, tree)
        code = self.library.ft_xmss_root_signed(out, ctypes.byref(xmss), c_uint32(leaf), block, message)
        return opened(out) if code == 0 else None

    def digits(
        self, layer: int, tree: int, leaf: int, counter: int, message: bytes, seed: bytes
    ) -> list[int] | None:
        """ft_wots_digits, or None when they are not to be signed."""
        tweak = seed + layer.to_bytes(8, "big")[4:] + bytes(4) + tree.to_bytes(8, "big") + bytes(16)
        out = (c_ubyte * len(self.p.bases))()
        buffer = ctypes.create_string_buffer(tweak, len(tweak))
        code = self.library.ft_wots_digits(out, buffer, c_uint32(leaf), c_uint32(counter), message)
        return list(out) if code == 0 else None
