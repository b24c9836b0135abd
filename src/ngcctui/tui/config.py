"""What an operator sets once for all screens, and what one start of them was asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Settings:
    """The configuration.

    `theme` is one of textual's or `auto`; `refresh_s` seconds between two looks (0.2 to 60); `on_end` the words of a
    command that is started when a watched run ends; `keys` maps action ids to keys, as in `"monitor.pause" = "p"`.
    """

    theme: str = "auto"
    refresh_s: float = 1.0
    ascii: bool = False
    mouse: bool = True
    bell: bool = True
    title: bool = True
    on_end: tuple[str, ...] = ()
    keys: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Options:
    """What one start was asked for, after terminal and configuration have been looked at."""

    refresh_s: float = 1.0
    readonly: bool = False
    ascii: bool = False
    mouse: bool = True
    theme: str = "textual-dark"
    title: bool = False
    runs_root: Path = Path("runs")
    schemes_dir: Path | None = None
