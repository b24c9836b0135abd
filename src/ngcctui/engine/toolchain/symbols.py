"""Which of our helper objects go into a library, decided by the symbols that the candidate's objects define."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

#: Functions of the ICCS interface: what a candidate has to offer, by the function that the library is for.
ENTRY_POINTS = frozenset(
    {
        "sig_get_pk_len_bytes",
        "sig_get_sk_len_bytes",
        "sig_get_sn_len_bytes",
        "sig_keygen",
        "sig_sign",
        "sig_verify",
        "crypto_hash",
    }
)

#: The helpers that are wrapped for profiling.
HELPERS = frozenset(
    {
        "sm3hash",
        "pseudohash",
        "pseudoXOF",
        "get_random_number",
        "sm3_init",
        "sm3_update",
        "sm3_final",
    }
)


@dataclass(frozen=True)
class ObjectFile:
    """An object file and its global symbols; `weak` ones yield to another definition."""

    name: str
    defined: frozenset[str]
    weak: frozenset[str] = frozenset()
    undefined: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Choice:
    """The helper objects to link.

    `dropped` are those that the package replaces; `merged` tells that a replaced helper shares an object file with an
    entry point, where calls cannot be intercepted.  `problem` names a symbol that is defined twice.
    """

    kept: tuple[str, ...]
    dropped: tuple[str, ...] = ()
    merged: bool = False
    problem: str | None = None


def choose_helpers(
    package: Sequence[ObjectFile], ours: Sequence[ObjectFile], always: Sequence[ObjectFile]
) -> Choice:
    """Drop each of `ours` that the package brings itself; `always` (the shim) is linked in any case.

    A helper object is dropped when the package defines one of its symbols and all of its symbols that are needed.  When
    the package defines only a part of what is needed, that symbol is there twice: `problem` says so.
    """
    owner: dict[str, str] = {}
    for item in (*always, *package):
        for symbol in sorted(item.defined):
            if symbol in owner:
                return Choice((), problem=f"{symbol} is defined twice, in {owner[symbol]} and {item.name}")
            owner[symbol] = item.name
    kept = [item for item in ours if not item.defined & owner.keys()]
    dropped = [item for item in ours if item.defined & owner.keys()]
    needed = frozenset().union(*(item.undefined for item in (*always, *package, *kept)))
    covered = owner.keys() | frozenset().union(*(item.weak for item in package))
    for item in dropped:
        missing = sorted((item.defined & needed) - covered)
        if missing:
            twice = min(item.defined & owner.keys())
            where = f"in {owner[twice]} and {item.name}, which is needed for {missing[0]}"
            return Choice((), problem=f"{twice} is defined twice, {where}")
    merged = any(item.defined & HELPERS and item.defined & ENTRY_POINTS for item in package)
    return Choice(tuple(item.name for item in kept), tuple(item.name for item in dropped), merged)
