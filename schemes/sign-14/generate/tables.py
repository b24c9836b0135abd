"""Writes the tables in src/: the fixed matrices out of fixed-matrices.json, those of the ciphers out of their definitions.

    python3 schemes/sign-14/generate/tables.py            writes them
    python3 schemes/sign-14/generate/tables.py --check    fails when one differs from what is there

fixed-matrices.json holds for every level the rows of L3 one after another in base64, bit j of a row being bit j % 8 of
its byte j / 8.
"""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Iterable
from math import isqrt
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCES = HERE.parent / "src"
HEAD = "/* Written by generate/tables.py. */\n"
LEVELS = (160, 256, 384, 512)


def listed(values: Iterable[str], per_line: int) -> str:
    """Initialisers, so many on a line."""
    values = list(values)
    lines = [values[i : i + per_line] for i in range(0, len(values), per_line)]
    return ",\n".join("    " + ", ".join(line) for line in lines)


def matrix(level: int, rows: bytes) -> str:
    """L3 of a level as the initialisers of `fe`s."""
    size = level // 8
    words = -(-level // 64)
    elements = []
    for at in range(0, len(rows), size):
        row = int.from_bytes(rows[at : at + size], "little")
        parts = (f"0x{row >> 64 * i & (1 << 64) - 1:016x}" for i in range(words))
        elements.append("{{" + ", ".join(parts) + "}}")
    return HEAD + listed(elements, 1) + "\n"


def times(a: int, b: int) -> int:
    """The product in the field of AES."""
    product = 0
    for i in range(8):
        if b >> i & 1:
            product ^= a << i
    for i in range(14, 7, -1):
        if product >> i & 1:
            product ^= 0x11B << i - 8
    return product


def substituted(x: int) -> int:
    """The S-box of AES: the inverse, then an affine map."""
    inverse = next((y for y in range(256) if times(x, y) == 1), 0)
    turned = inverse
    for i in range(1, 5):
        turned ^= (inverse << i | inverse >> 8 - i) & 0xFF
    return turned ^ 0x63


def rijndael() -> str:
    """The S-box, and for each row the S-box times the column of MixColumns."""
    sbox = [substituted(x) for x in range(256)]
    text = HEAD + "static const unsigned char sbox[256] = {\n"
    text += listed((f"0x{x:02x}" for x in sbox), 16) + "};\n"
    for row in range(4):
        column = [(2, 1, 1, 3)[(i - row) % 4] for i in range(4)]
        words = (sum(times(x, m) << 8 * i for i, m in enumerate(column)) for x in sbox)
        text += f"\nstatic const uint32_t table{row}[256] = {{\n"
        text += listed((f"0x{word:08x}" for word in words), 8) + "};\n"
    return text


def cube_root(x: int) -> int:
    """The largest integer whose cube is at most x."""
    root = 1 << -(-x.bit_length() // 3)
    while root**3 > x:
        root = (2 * root + x // root**2) // 3
    return root


def shacal2() -> str:
    """The round constants of SHA-256: fractions of the cube roots of the first 64 primes."""
    primes = [n for n in range(2, 312) if all(n % d for d in range(2, isqrt(n) + 1))]
    words = (cube_root(prime << 96) & 0xFFFFFFFF for prime in primes[:64])
    text = HEAD + "static const uint32_t round_constants[64] = {\n"
    return text + listed((f"0x{word:08x}" for word in words), 8) + "};\n"


def tables() -> dict[str, str]:
    """The text of each file in src/ that is written here."""
    packed = json.loads((HERE / "fixed-matrices.json").read_text())
    texts = {f"fixed_{level}.h": matrix(level, base64.b64decode(packed[str(level)])) for level in LEVELS}
    return {**texts, "rijndael_tables.h": rijndael(), "shacal2_tables.h": shacal2()}


def main(arguments: list[str]) -> int:
    """Write the tables, or compare them."""
    differing = []
    for name, text in tables().items():
        path = SOURCES / name
        if arguments == ["--check"]:
            if not path.exists() or path.read_text() != text:
                differing.append(name)
        else:
            path.write_text(text)
    if differing:
        print(f"{', '.join(differing)}: not what generate/tables.py writes; run it")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
