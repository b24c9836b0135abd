"""Record 0 of a scheme and hostile input under the address and undefined behaviour sanitizers."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from workshop import Workshop

from ngcctui.engine.kat_case import official_inputs

SANITIZERS = ("-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")


def sanitized(
    workshop: Workshop,
    name: str,
    sources: Sequence[Path],
    *,
    include: Sequence[Path],
    defines: Sequence[str],
    flags: Sequence[str] = (),
    compiler: str = "gcc",
) -> Path:
    """The program of these sources with both sanitizers in it; the test is skipped where clang lacks them."""
    try:
        return workshop.compile(
            f"sanitized-{name}-{compiler}",
            sources,
            include=include,
            defines=defines,
            flags=[*SANITIZERS, *flags],
            compiler=compiler,
        )
    except AssertionError as error:
        if compiler == "gcc" or "cannot find" not in str(error):
            raise
        pytest.skip(f"{compiler} has no sanitizer libraries here")


def signature_sha256(program: Path, *words: str) -> str:
    """Run a program built with sanitize.h on the first official record: the digest of the signature it writes."""
    given = official_inputs()[0]
    done = subprocess.run(
        [program, *words], input=given.seed + given.message, check=False, capture_output=True, timeout=300
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return hashlib.sha256(done.stdout).hexdigest()
