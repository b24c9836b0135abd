"""Where data of systems lie: the registry `systems.toml` and the figures `published/<system>/`.

Three places are read: what comes with the program, the operator's own data directory, and `./data`; the later one wins.
Written is only in the last two, never in an installed package.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ngcctui.model.errors import ConfigError
from ngcctui.model.nearest import nearest
from ngcctui.paths import data_home
from ngcctui.share import package_dir, share_dir

PREFIX = "published:"


def data_dirs(environ: Mapping[str, str], cwd: Path) -> list[Path]:
    """The places to read, each once, weakest first (in a checkout `./data` is the packaged one too)."""
    places = [share_dir() / "data", data_home(environ), cwd / "data"]
    return list({place.resolve(): place for place in reversed(places)}.values())[::-1]


def registries(environ: Mapping[str, str], cwd: Path) -> list[Path]:
    """The registry files that are there, weakest first."""
    return [path for place in data_dirs(environ, cwd) if (path := place / "systems.toml").is_file()]


def writable_data(option: Path | None, environ: Mapping[str, str], cwd: Path) -> Path:
    """Where to write: `option`, else `./data` when it is there, else the operator's data directory.

    ConfigError when that is inside an installed package.
    """
    place = option if option is not None else cwd / "data" if (cwd / "data").is_dir() else data_home(environ)
    installed = package_dir()
    if installed in (place.resolve(), *place.resolve().parents):
        raise ConfigError(f"{place}: is part of the installed program; name another directory with --to DIR")
    return place


def published_systems(environ: Mapping[str, str], cwd: Path) -> dict[str, Path]:
    """Directory of every system that has published figures or a dataset, the strongest place's."""
    found: dict[str, Path] = {}
    for place in data_dirs(environ, cwd):
        directory = place / "published"
        if directory.is_dir():
            entries = sorted(entry for entry in directory.iterdir() if entry.is_dir())
            found |= {entry.name: entry for entry in entries if not entry.name.startswith(".")}
    return found


def published_dir(word: str, environ: Mapping[str, str], cwd: Path) -> Path:
    """The directory that `published:<system>` names; ConfigError with the nearest names when there is none."""
    system = word.removeprefix(PREFIX)
    known = published_systems(environ, cwd)
    if system not in known:
        raise ConfigError(f"{word}: nothing is published for system {system!r}; {nearest(system, known)}")
    return known[system]
