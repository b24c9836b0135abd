"""What a campaign needs from the machine before it runs: schemes, the host's state, a run and its engine.

Everything here waits (for files, a compiler, an engine), so the screens call it from a thread.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import tomli_w

from ngcctui.batch.verdict import verdict
from ngcctui.catalog import Resolved
from ngcctui.engine.host.core import choose_core
from ngcctui.engine.host.findings import Finding, Needs, findings
from ngcctui.engine.rundir import RunDir, create_run
from ngcctui.engine.state import Follower
from ngcctui.engine.store import Storage, write_atomic
from ngcctui.engine.toolchain import find_toolchain
from ngcctui.model.campaign import Campaign, campaign_toml
from ngcctui.model.errors import ConfigError, ExitCode, HostError, NgccError, StorageError
from ngcctui.paths import data_home
from ngcctui.spawn import Engine, EngineOptions

#: How long an engine may take for its first word (it may compile the driver first), and how often is looked, seconds.
FIRST_WORD_S = 60.0
LOOK_S = 0.05
#: What an engine says while another one has its core.
_WAITS = ": waiting for "
#: What is asked of the memory before a start, as the engine asks.
_MEMORY_BYTES = 256 << 20

Launch = Callable[[RunDir, EngineOptions], Engine]


@dataclass(frozen=True)
class HostCheck:
    """The core that a campaign would be measured on, and what disturbs there."""

    core: int
    findings: tuple[Finding, ...]

    @property
    def unfit(self) -> tuple[Finding, ...]:
        """What makes the policy `strict` refuse; a core that is taken now is waited for."""
        return tuple(finding for finding in self.findings if finding.blocking and finding.key != "core-taken")

    def told(self) -> str:
        """The check in a few words."""
        count = len(self.findings)
        return (
            f"core {self.core}, {count} finding{'s' if count != 1 else ''}"
            if count
            else f"core {self.core}, fit"
        )


def check_host(campaign: Campaign, allowed: Collection[int], disk: Path, root: Path = Path("/")) -> HostCheck:
    """Choose the core and look at the host as the engine will; ConfigError when the core cannot be used."""
    cpus = frozenset(allowed)
    core = choose_core(root, cpus, campaign.host.core)
    limit = campaign.host.memory_limit_mib << 20
    needs = Needs(min(limit, _MEMORY_BYTES) if limit else _MEMORY_BYTES, disk=_existing(disk))
    try:
        find_toolchain()
        found: tuple[Finding, ...] = ()
    except ConfigError as error:
        found = (Finding("compiler", str(error), blocking=True),)
    return HostCheck(core, found + findings(root, core, cpus, needs=needs))


def _existing(path: Path) -> Path:
    """`path` or the nearest directory above it that is there."""
    return next((place for place in (path, *path.parents) if place.is_dir()), Path("/"))


def start_run(resolved: Resolved, runs_root: Path, now_utc: datetime, launch: Launch) -> tuple[RunDir, str]:
    """Make a run, start its engine, and wait for its first word: the run, and what there is to say of it.

    An engine whose core is taken waits for it.  A run whose engine refuses is removed again.  ConfigError, HostError or
    StorageError say why there is none.
    """
    run = create_run(runs_root, resolved.campaign, resolved.schemes, now_utc)
    try:
        return run, await_engine(run, launch(run, EngineOptions(wait=True)), sessions=0)
    except (ConfigError, HostError):
        if not run.journal.exists():
            shutil.rmtree(run.path, ignore_errors=True)
        raise


def await_engine(run: RunDir, engine: Engine, sessions: int) -> str:
    """Return when the engine has begun its session (`sessions` were there before), waits for its core, or is slow.

    Returns what there is to say of it, most often nothing.  When it ended before, the error is what it said.
    """
    follower = Follower(run.journal)
    deadline = time.monotonic() + FIRST_WORD_S
    while True:
        code = engine.process.poll()  # first, so that a session begun before the end is seen below
        if len(follower.poll().sessions) > sessions:
            return ""
        said = engine.last_words()
        if code is not None:
            raise _refusal(*verdict(code, False, said, run.path))
        if _WAITS in said:
            return said
        if time.monotonic() > deadline:
            return f"the engine is still starting; its log is {engine.log}"
        time.sleep(LOOK_S)


def _refusal(code: ExitCode, said: str) -> NgccError:
    kinds: dict[ExitCode, type[NgccError]] = {ExitCode.USAGE: ConfigError, ExitCode.HOST: HostError}
    return kinds.get(code, StorageError)(said)


def saved_path(name: str, environ: Mapping[str, str], cwd: Path) -> Path:
    """Where a campaign is saved unless the operator says otherwise: where `list` and the loading list look for it."""
    here = cwd / "campaigns"
    return (here if here.is_dir() else data_home(environ) / "campaigns") / f"{name}.toml"


def save_campaign(campaign: Campaign, path: Path) -> None:
    """Write a campaign file with every key; StorageError when it cannot be written."""
    write_atomic(path, tomli_w.dumps(campaign_toml(campaign)).encode("utf-8"), Storage())
