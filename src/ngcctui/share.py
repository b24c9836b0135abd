"""Where the files that come with the program are: schemes, campaigns, data, C sources.

An installed wheel carries the first three in `ngcctui/_share`; a checkout has them at its root.  The C sources are files
of the package in both.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path

from ngcctui.model.errors import StorageError


@cache
def package_dir() -> Path:
    """Directory of the installed package (never inside a zip: the compiler needs real files)."""
    return Path(str(files("ngcctui"))).resolve()


@cache
def share_dir() -> Path:
    """Directory that holds `schemes/`, `campaigns/` and `data/`; StorageError when the installation lost it."""
    package = package_dir()
    for candidate in (package / "_share", package.parent.parent):
        if (candidate / "schemes").is_dir() and (candidate / "campaigns").is_dir():
            return candidate
    raise StorageError(f"{package}: the bundled schemes and campaigns are missing; install ngcctui again")


@cache
def native_dir() -> Path:
    """Directory of the C sources (`helpers/`, `library/`, `harness/`, `profile/`)."""
    return package_dir() / "native"
