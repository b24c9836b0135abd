"""Compiling of C sources for tests."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HELPERS = ROOT / "src" / "ngcctui" / "native" / "helpers"
GUIDE_FLAGS = ("-std=c99", "-Wpedantic", "-Wall", "-Wextra", "-O2", "-fPIC", "-D_GNU_SOURCE")


@dataclass(frozen=True)
class Workshop:
    """Compiles into a directory of its own; a source that does not compile fails the test with what gcc said."""

    directory: Path

    def compile(
        self,
        name: str,
        sources: Sequence[Path],
        *,
        include: Sequence[Path] = (HELPERS,),
        defines: Sequence[str] = (),
        flags: Sequence[str] = (),
        compiler: str = "gcc",
    ) -> Path:
        """One program, or with `-shared` one library, with the guide's flags in front of `flags`; once for a name."""
        target = self.directory / name
        if target.exists():
            return target
        command = [
            compiler,
            *GUIDE_FLAGS,
            *(f"-D{define}" for define in defines),
            *(f"-I{path}" for path in include),
            *flags,
            *map(str, sources),
            "-o",
            str(target),
        ]
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, f"{' '.join(command)}\n{done.stderr}"
        return target
