"""The candidate of c/candidate.c in Python: its records, and schemes that expect them."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from models.iccs import Drng

from ngcctui.engine.kat_case import official_inputs
from ngcctui.engine.kat_text import TextDigest, signature_lines
from ngcctui.model.scheme import Build, Function, Instance, KatSpec, Scheme, SchemeFile

SOURCE = Path(__file__).parent / "c" / "candidate.c"
NAME = "Toy-1"
SIZES = {"public_key": 32, "secret_key": 32, "signature": 48}


@cache
def record(number: int) -> dict[str, bytes]:
    """The fields of an official record."""
    given = official_inputs()[number]
    drng = Drng(given.seed)
    key, nonce = drng.draw(256), drng.draw(128)
    masked = bytearray(key)
    for i, byte in enumerate(given.message):
        masked[i % 32] ^= byte
    return {"pk": key, "sk": key, "sn": nonce + bytes(masked)}


def sha256(records: int) -> str:
    """Canonical digest of the text of the first records."""
    text = TextDigest()
    for number in range(records):
        text.add(signature_lines(number, official_inputs()[number], record(number)))
    return text.hex()


def known_toml(records: int) -> str:
    """A file of digests per record."""
    lines = []
    for number in range(records):
        lines.append(f'[["{NAME}"]]')
        lines += [f'{name}_sha256 = "{hashlib.sha256(v).hexdigest()}"' for name, v in record(number).items()]
    return "\n".join(lines) + "\n"


def scheme(
    directory: Path, sources: tuple[str, ...] = ("candidate.c",), kat: KatSpec | None = None, **build: Any
) -> Scheme:
    """A scheme around sources in `directory`, with one instance that expects the right answers."""
    spec = kat or KatSpec(mode="strict", sha256=sha256(10), record0_sha256=sha256(1))
    instance = Instance(NAME, sizes=SIZES, kat=spec)
    file = SchemeFile("toy", "Toy", "c", Function.SIGNATURE, Build(sources, **build), (instance,))
    return Scheme("toy", directory, file)
