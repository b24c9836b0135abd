"""Natural order of names: runs of digits compare as numbers."""

from __future__ import annotations

import re
from functools import lru_cache


@lru_cache(maxsize=65536)
def natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """Sort key that puts `x-160f` before `x-1024f`."""
    parts = re.findall(r"[0-9]+|[^0-9]+", name)
    return tuple((0, int(part), part) if part[0] in "0123456789" else (1, 0, part) for part in parts)
