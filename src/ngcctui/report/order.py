"""Row order of the pages: instances naturally, operations as they are used."""

from __future__ import annotations

import re
from functools import lru_cache

_OPERATIONS = {name: rank for rank, name in enumerate(("keygen", "enc", "dec", "sign", "verify"))}


@lru_cache(maxsize=65536)
def natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """Sort key under which runs of digits compare as numbers (`x-160f` before `x-1024f`)."""
    parts = re.findall(r"[0-9]+|[^0-9]+", name)
    return tuple((0, int(part), part) if part[0] in "0123456789" else (1, 0, part) for part in parts)


def operation_rank(operation: str) -> tuple[int, tuple[tuple[int, int, str], ...]]:
    """Sort key of an operation in sections 4 to 6: keygen, sign, verify; hash operations by message length."""
    return _OPERATIONS.get(operation, len(_OPERATIONS)), natural(operation)
