"""Lengths of keys and signatures from three sides: as others state them, as a library declares them, as they were seen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache, cached_property
from pathlib import Path

from ngcctui.model.codec import CodecError
from ngcctui.model.scheme import Instance
from ngcctui.model.toml_file import load
from ngcctui.share import share_dir

NAMES = ("public_key", "secret_key", "signature")
#: Least and greatest length that calls returned, by name (bytes).
Seen = Mapping[str, tuple[int, int]]


class Basis(str, Enum):
    """What a stated signature length is."""

    ENCODED = "encoded"
    MAXIMUM = "maximum-variable"
    NOMINAL = "nominal-variable"


@dataclass(frozen=True)
class Stated:
    """Lengths of one instance in bytes as stated elsewhere; `basis` is that of the signature."""

    name: str
    public_key: int | None = None
    secret_key: int | None = None
    signature: int | None = None
    basis: Basis | None = None

    def __post_init__(self) -> None:
        for name in NAMES:
            length = getattr(self, name)
            if length is not None and length < 1:
                raise CodecError(name, "must be at least 1 byte")

    @property
    def approximate(self) -> bool:
        """True when the signature's length is a nominal one."""
        return self.basis is Basis.NOMINAL


@dataclass(frozen=True)
class StatedScheme:
    """Lengths of a submission's instances, and where they are stated."""

    id: str
    origin: str
    basis: Basis
    instance: tuple[Stated, ...]


@dataclass(frozen=True)
class Sizes:
    """The catalogue (data/sizes.toml)."""

    scheme: tuple[StatedScheme, ...] = ()

    def of(self, id: str, instance: str) -> Stated | None:
        """What is stated of an instance, its basis filled in; None when nothing is."""
        return self._by_name.get((id, instance))

    @cached_property
    def _by_name(self) -> dict[tuple[str, str], Stated]:
        found: dict[tuple[str, str], Stated] = {}
        for scheme in self.scheme:
            for entry in scheme.instance:
                found.setdefault((scheme.id, entry.name), replace(entry, basis=entry.basis or scheme.basis))
        return found


@cache
def load_sizes(path: Path | None = None) -> Sizes:
    """The catalogue in a file, the packaged one by default; ConfigError when it does not fit."""
    return load(Sizes, path or share_dir() / "data" / "sizes.toml")


def seen_lengths(value: object) -> dict[str, tuple[int, int]]:
    """The lengths that a KAT step journalled as seen; what is no pair of lengths is left out."""
    found: dict[str, tuple[int, int]] = {}
    for name, pair in value.items() if isinstance(value, dict) else ():
        if isinstance(pair, list) and len(pair) == 2 and all(type(n) is int and n >= 0 for n in pair):
            found[str(name)] = (min(pair), max(pair))
    return found


def audit(
    instance: str,
    stated: Stated | None,
    expected: Instance | None,
    declared: Mapping[str, int | None],
    seen: Seen,
) -> Iterable[str]:
    """Every disagreement about an instance's lengths, a line each.

    `stated` comes from the catalogue, `expected` from scheme.toml, `declared` from the library's interface and `seen`
    from its answers to the known answer test.
    """
    for name in NAMES:
        what = f"{instance}: {name.replace('_', ' ')}"
        told = declared.get(name)
        wanted = expected.sizes.get(name) if expected else None
        if told is not None and wanted is not None and told != wanted:
            yield f"{what} is {told} bytes long by the library, {wanted} by scheme.toml"
        basis = (stated.basis if stated and name == "signature" else None) or Basis.ENCODED
        length = getattr(stated, name) if stated else None
        if told is not None and length is not None and told != length and basis is not Basis.NOMINAL:
            yield f"{what} is {told} bytes long by the library, {length} ({basis.value}) by the catalogue"
        if name in seen:
            yield from _against(what, seen[name], told, length, basis)


def _against(
    what: str, seen: tuple[int, int], declared: int | None, stated: int | None, basis: Basis
) -> Iterable[str]:
    """Lengths that calls returned against the declared and the stated one."""
    least, most = seen
    came = f"{what} came with {least} bytes" if least == most else f"{what} came with {least} to {most} bytes"
    if declared is not None and most > declared:
        yield f"{came}, more than the {declared} that the library declares"
    elif declared is not None and least < declared and stated is None:
        yield f"{came}, fewer than the {declared} that the library declares: its length varies"
    if stated is None:
        return
    if basis is Basis.ENCODED and (least, most) != (stated, stated):
        yield f"{came}, not with the {stated} ({basis.value}) of the catalogue"
    elif basis is Basis.MAXIMUM and most > stated:
        yield f"{came}, more than the {stated} ({basis.value}) of the catalogue"
    elif basis is Basis.NOMINAL and not least <= stated <= most and least != most:
        yield f"{came}, all on one side of the {stated} ({basis.value}) of the catalogue"
