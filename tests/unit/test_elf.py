"""Reading ELF files: what the linker made, and files that only look like it."""

from __future__ import annotations

import json
import struct
import subprocess
from pathlib import Path

import pytest

from ngcctui.engine import elf
from ngcctui.engine.script import packages_of, python_script

LOAD, NOTE = 1, 4


def elf64(*segments: tuple[int, int]) -> bytes:
    """A little-endian 64-bit ELF header with program headers of (type, memory size)."""
    ident = b"\x7fELF\x02\x01\x01" + bytes(9)
    header = ident + struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0, 64, 0, 0, 64, 56, len(segments), 64, 0, 0)
    return header + b"".join(
        struct.pack("<IIQQQQQQ", kind, 5, 0, 0, 0, 8, size, 4096) for kind, size in segments
    )


def ask(*files: Path) -> tuple[int, str]:
    """Run the reader as the engine does."""
    command = [*python_script("elf.py"), packages_of("elftools"), "segments", *map(str, files)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60, env={})
    assert done.stderr == ""
    return done.returncode, done.stdout


def test_the_memory_image_is_the_sum_of_the_load_segments(tmp_path: Path) -> None:
    library = tmp_path / "x.so"
    library.write_bytes(elf64((LOAD, 1000), (NOTE, 5000), (LOAD, 24)))
    code, said = ask(library)
    assert (code, json.loads(said)) == (0, {str(library): 1024})


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x7fELF",
        b"MZ" * 50,
        elf64(),
        elf64((NOTE, 5000)),
        elf64((LOAD, 0)),
        elf64((LOAD, 1 << 63), (LOAD, 1 << 63)),
        elf64((LOAD, 1000))[:-10],
        elf64((LOAD, 1000)).replace(b"\x02\x01\x01", b"\x07\x01\x01"),
    ],
)
def test_no_sound_elf_file(tmp_path: Path, content: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x"
    path.write_bytes(content)
    assert elf.main([packages_of("elftools"), "segments", str(path)]) == 1
    assert "not a sound ELF file" in capsys.readouterr().out


def test_a_missing_file_is_told_in_one_line(tmp_path: Path) -> None:
    code, said = ask(tmp_path / "missing")
    assert code == 1
    assert said == f"{tmp_path}/missing: not a sound ELF file (FileNotFoundError)\n"


def test_an_object_without_a_symbol_table_has_no_symbols(tmp_path: Path) -> None:
    path = tmp_path / "x.o"
    path.write_bytes(elf64((LOAD, 1000)))
    assert elf.object_symbols(path) == {"defined": [], "weak": [], "undefined": []}
