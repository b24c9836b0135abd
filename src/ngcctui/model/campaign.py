"""A campaign: what to measure and how (campaign.toml); the run keeps the resolved one."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any

from ngcctui.model.codec import CodecError, encode
from ngcctui.model.step import INSTANCE_NAME
from ngcctui.model.toml_file import load


class Inputs(str, Enum):
    """`fixed`: every process repeats the published method's inputs; `varied`: each trial and call has its own."""

    FIXED = "fixed"
    VARIED = "varied"


class PlanningMode(str, Enum):
    """`default` averages at least 3 cheap calibration calls; `published` plans from exactly one."""

    DEFAULT = "default"
    PUBLISHED = "published"


class HostPolicy(str, Enum):
    """`strict` refuses to measure on a host with findings; `allow` measures and says so on every page."""

    STRICT = "strict"
    ALLOW = "allow"


def _within(name: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise CodecError(name, f"must be {low:g} to {high:g}, not {value:g}")


@dataclass(frozen=True)
class Selection:
    """Globs over scheme keys, instance names and operation names.

    An empty list of schemes or instances selects nothing; without operations the instances are built and checked only.
    `only` narrows what they select: globs `SCHEME[/INSTANCE[/OPERATION]]`, of which one must fit; none: no narrowing.
    """

    schemes: tuple[str, ...] = ("*",)
    instances: tuple[str, ...] = ("*",)
    operations: tuple[str, ...] = ("*",)
    only: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for pattern in self.only:
            parts = pattern.split("/")
            if len(parts) > 3 or not all(parts):
                raise CodecError("only", f"must be SCHEME[/INSTANCE[/OPERATION]], not {pattern!r}")


@dataclass(frozen=True)
class Planning:
    """Planning numbers of the measurement; times in seconds."""

    mode: PlanningMode = PlanningMode.DEFAULT
    trials: int = 5
    target_s: float = 1.0
    min_calls: int = 100
    max_iterations: int = 20000
    budget_s: float = 900.0
    limit_slack_s: float = 300.0
    calibrate_limit_s: float = 7200.0
    shared_process_setup_s: float = 60.0
    repeats: int = 2

    def __post_init__(self) -> None:
        _within("trials", self.trials, 1, 1000)
        _within("target_s", self.target_s, 0.001, 86400)
        _within("min_calls", self.min_calls, 1, 1_000_000)
        _within("max_iterations", self.max_iterations, 1, 1_000_000)
        _within("budget_s", self.budget_s, 0.001, 30 * 86400)
        _within("limit_slack_s", self.limit_slack_s, 0.1, 30 * 86400)
        _within("calibrate_limit_s", self.calibrate_limit_s, 0.1, 30 * 86400)
        _within("shared_process_setup_s", self.shared_process_setup_s, 0, 30 * 86400)
        _within("repeats", self.repeats, 0, 20)


@dataclass(frozen=True)
class Kat:
    """`records` asked for (0: all that the digest covers; 1: record 0 alone); `limit_s` per instance, seconds."""

    records: int = 0
    limit_s: float = 900.0

    def __post_init__(self) -> None:
        _within("records", self.records, 0, 10)
        _within("limit_s", self.limit_s, 0.1, 30 * 86400)


@dataclass(frozen=True)
class ProfilePlan:
    """Profiling of the helper functions: on or off, calls per operation at most, time aimed at (seconds)."""

    on: bool = True
    max_iterations: int = 1000
    target_s: float = 1.0

    def __post_init__(self) -> None:
        _within("max_iterations", self.max_iterations, 1, 1_000_000)
        _within("target_s", self.target_s, 0.001, 86400)


@dataclass(frozen=True)
class Host:
    """Where and under which conditions to measure; `core` is a CPU number or -1 for the best allowed one.

    `memory_limit_mib` bounds the address space of a candidate's process (0: none).  `processes` lets candidates
    create processes (off: the system call filter denies it).
    """

    core: int = -1
    policy: HostPolicy = HostPolicy.STRICT
    memory_limit_mib: int = 4096
    system: str = "local"
    processes: bool = False

    def __post_init__(self) -> None:
        _within("core", self.core, -1, 8191)
        _within("memory_limit_mib", self.memory_limit_mib, 0, 1 << 24)
        if not INSTANCE_NAME.fullmatch(self.system):
            raise CodecError("system", "must be a name of letters, digits, . _ + -")


@dataclass(frozen=True)
class Campaign:
    """A campaign file; every number has the guide's default."""

    name: str
    selection: Selection = field(default_factory=Selection)
    inputs: Inputs = Inputs.VARIED
    planning: Planning = field(default_factory=Planning)
    kat: Kat = field(default_factory=Kat)
    profile: ProfilePlan = field(default_factory=ProfilePlan)
    host: Host = field(default_factory=Host)

    def __post_init__(self) -> None:
        if not INSTANCE_NAME.fullmatch(self.name):
            raise CodecError(
                "name", "must be 1 to 80 of A-Z a-z 0-9 . _ + - and start with a letter or digit"
            )


def load_campaign(path: Path) -> Campaign:
    """Load and check a campaign file; ConfigError names file and key."""
    return load(Campaign, path)


def campaign_toml(campaign: Campaign) -> dict[str, Any]:
    """The campaign as a TOML table with every key present."""
    table: dict[str, Any] = encode(campaign)
    return table
