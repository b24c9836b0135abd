"""Read ELF files of untrusted origin: run as a script in a process of its own, `elf.py PACKAGES COMMAND FILE...`.

Commands: `segments FILE` tells the memory image of a library, `symbols FILE...` the global symbols of object files.
The answer is one JSON object on stdout; a file that is no sound ELF file ends it with exit code 1 and one line.
PACKAGES is the directory that pyelftools is installed in.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

#: No real library has more; a larger sum comes from damaged headers.
_MAX_IMAGE_BYTES = 1 << 40


def static_bytes(path: Path) -> int:
    """Sum of the memory sizes of the PT_LOAD segments, bytes; ValueError when the headers make no sense."""
    from elftools.elf.elffile import ELFFile

    with path.open("rb") as stream:
        sizes = [s["p_memsz"] for s in ELFFile(stream).iter_segments() if s["p_type"] == "PT_LOAD"]
    if not sizes or not 0 < sum(sizes) < _MAX_IMAGE_BYTES:
        raise ValueError("no plausible PT_LOAD segments")
    return int(sum(sizes))


def object_symbols(path: Path) -> dict[str, list[str]]:
    """Global symbols of an object file: defined, defined weakly, and undefined ones; none in an LTO object."""
    from elftools.elf.elffile import ELFFile
    from elftools.elf.sections import SymbolTableSection

    found: dict[str, set[str]] = {"defined": set(), "weak": set(), "undefined": set()}
    with path.open("rb") as stream:
        table = ELFFile(stream).get_section_by_name(".symtab")
        for symbol in table.iter_symbols() if isinstance(table, SymbolTableSection) else ():
            binding = symbol["st_info"]["bind"]
            if not symbol.name or binding == "STB_LOCAL":
                continue
            if symbol["st_shndx"] == "SHN_UNDEF":
                found["undefined"].add(symbol.name)
            else:
                found["weak" if binding == "STB_WEAK" else "defined"].add(symbol.name)
    return {kind: sorted(names) for kind, names in found.items()}


def main(arguments: list[str]) -> int:
    """Answer one question; 0, or 1 with a line on stdout that tells which file cannot be read."""
    packages, command, *files = arguments
    if packages not in sys.path:
        sys.path.append(packages)
    answer: dict[str, Any] = {}
    for name in files:
        try:
            answer[name] = static_bytes(Path(name)) if command == "segments" else object_symbols(Path(name))
        except Exception as error:  # noqa: BLE001 -- damaged files raise anything
            print(f"{name}: not a sound ELF file ({type(error).__name__})")
            return 1
    print(json.dumps(answer))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
