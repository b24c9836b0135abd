"""The operator's own directories (XDG base directory specification)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def data_home(environ: Mapping[str, str]) -> Path:
    """The operator's schemes and campaigns: `$XDG_DATA_HOME/ngcctui`."""
    return _home(environ, "XDG_DATA_HOME", ".local/share")


def state_home(environ: Mapping[str, str]) -> Path:
    """What outlives a command but is no result: `$XDG_STATE_HOME/ngcctui`."""
    return _home(environ, "XDG_STATE_HOME", ".local/state")


def config_home(environ: Mapping[str, str]) -> Path:
    """The operator's own settings: `$XDG_CONFIG_HOME/ngcctui`."""
    return _home(environ, "XDG_CONFIG_HOME", ".config")


def _home(environ: Mapping[str, str], variable: str, default: str) -> Path:
    """A variable that is empty or relative counts as unset, as the specification wants."""
    named = environ.get(variable, "")
    base = Path(named) if named.startswith("/") else Path(environ.get("HOME") or "/") / default
    return base / "ngcctui"
