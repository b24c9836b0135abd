"""What an operator sets once for all screens (ngcctui.toml), and what one start of them was asked for.

Files are read one over the other, so that a site sets what its operators may change: /etc, the operator's own
directory, the working directory, $NGCCTUI_CONFIG, --config; each key of a later one counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ngcctui.arguments import MAX_REFRESH_S, MIN_REFRESH_S
from ngcctui.model.codec import CodecError, decode
from ngcctui.model.errors import ConfigError
from ngcctui.model.nearest import nearest
from ngcctui.model.toml_file import read_toml
from ngcctui.paths import config_home
from ngcctui.tui.actions import ACTIONS, clash, key_names

NAME = "ngcctui.toml"
ENVIRON = "NGCCTUI_CONFIG"


@dataclass(frozen=True)
class Settings:
    """The configuration.

    `theme` is one of textual's or `auto`; `refresh_s` are the seconds between two looks at a run; `bell` rings and
    `on_end` is started (words of a command, no shell) when a watched run ends; `title` sets the terminal's title; `keys`
    maps action ids to keys with commas between (in a file: a table for each screen).
    """

    theme: str = "auto"
    refresh_s: float = 1.0
    ascii: bool = False
    mouse: bool = True
    bell: bool = True
    title: bool = True
    on_end: tuple[str, ...] = ()
    keys: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class _File:
    """A configuration file as it is written."""

    theme: str = Settings.theme
    refresh_s: float = Settings.refresh_s
    ascii: bool = Settings.ascii
    mouse: bool = Settings.mouse
    bell: bool = Settings.bell
    title: bool = Settings.title
    on_end: tuple[str, ...] = Settings.on_end
    keys: dict[str, dict[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not MIN_REFRESH_S <= self.refresh_s <= MAX_REFRESH_S:
            raise CodecError("refresh_s", f"must be {MIN_REFRESH_S:g} to {MAX_REFRESH_S:g} seconds")


@dataclass(frozen=True)
class Configuration:
    """The settings, and for each that a file sets (by its dotted key) which one."""

    settings: Settings = field(default_factory=Settings)
    origins: Mapping[str, Path] = field(default_factory=dict)


@dataclass(frozen=True)
class Options:
    """What one start was asked for, after terminal and configuration have been looked at."""

    refresh_s: float = Settings.refresh_s
    readonly: bool = False
    ascii: bool = False
    mouse: bool = True
    theme: str = "textual-dark"
    title: bool = False
    runs_root: Path = Path("runs")
    schemes_dir: Path | None = None


def named_files(option: Path | None, environ: Mapping[str, str], cwd: Path) -> list[Path]:
    """The files that the operator names, what counts most last."""
    named = [Path(environ[ENVIRON])] if environ.get(ENVIRON) else []
    return [cwd / path for path in (named if option is None else [*named, option])]


def places(option: Path | None, environ: Mapping[str, str], cwd: Path, root: Path = Path("/")) -> list[Path]:
    """Where configuration is looked for, each file once, what counts most last."""
    usual = [root / "etc" / NAME, config_home(environ) / NAME, cwd / NAME]
    found = [*usual, *named_files(option, environ, cwd)]
    return list(dict.fromkeys(reversed(found)))[::-1]


def load_configuration(
    option: Path | None, environ: Mapping[str, str], cwd: Path, root: Path = Path("/")
) -> Configuration:
    """Read the configuration; ConfigError names file and key.

    Only files named by `option` or the environment must exist.
    """
    values: dict[str, Any] = {}
    keys: dict[str, str] = {}
    origins: dict[str, Path] = {}
    named = named_files(option, environ, cwd)
    for path in places(option, environ, cwd, root):
        if path not in named and not path.exists():
            continue
        table = _read(path)
        if "on_end" in table and path == cwd / NAME and path not in named:
            # Whoever can put a file into the directory that ngcctui is started in must not get a command started.
            raise ConfigError(
                f"{path}: on_end: not taken from a working directory; put it into {config_home(environ) / NAME}"
            )
        mapped = _keys(path, table.pop("keys", {}))
        values |= table
        keys |= mapped
        origins |= dict.fromkeys([*table, *(f"keys.{name}" for name in mapped)], path)
    taken = clash(keys)
    if taken:
        one, other, key = taken
        path = origins.get(f"keys.{one}") or origins[f"keys.{other}"]
        raise ConfigError(f"{path}: keys: {key} would be both {one} and {other}")
    return Configuration(Settings(**values, keys=keys), origins)


def _read(path: Path) -> dict[str, Any]:
    """The keys that a file sets, each of the right type."""
    table = read_toml(path)
    try:
        file = decode(_File, table)
    except CodecError as error:
        raise ConfigError(f"{path}: {error}") from None
    return {key: getattr(file, key) for key in table}


def _keys(path: Path, tables: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Action ids with their keys."""
    known = [action.id for action in ACTIONS]
    found: dict[str, str] = {}
    for screen, table in tables.items():
        for name, keys in table.items():
            action = f"{screen}.{name}"
            if action not in known:
                raise ConfigError(f"{path}: keys.{action}: no such action; {nearest(action, known)}")
            try:
                found[action] = ",".join(key_names(keys))
            except ValueError as error:
                raise ConfigError(f"{path}: keys.{action}: {error}") from None
    return found
