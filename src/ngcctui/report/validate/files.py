"""Names of files in a run, as plain text: there are tens of thousands of them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path


def files_below(root: Path, directory: str = "") -> Iterator[str]:
    """Paths relative to `root` of everything below `root`/`directory` that is no directory itself, in order."""
    top = os.path.join(root, directory) if directory else str(root)
    length = len(str(root)) + 1
    for place, directories, names in os.walk(top):
        directories.sort()
        links = [name for name in directories if os.path.islink(os.path.join(place, name))]
        for name in sorted([*names, *links]):
            yield os.path.join(place, name)[length:]


def unfinished(name: str) -> bool:
    """True for what a crash leaves of a file that was being written."""
    last = name.rpartition("/")[2]
    return last.startswith(".") and last.endswith(".tmp")
