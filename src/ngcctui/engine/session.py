"""Open a session on a run: locks, host, compiler, what changed since the last one; then journal that it began."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ngcctui import __version__
from ngcctui.engine import control
from ngcctui.engine.context import Context
from ngcctui.engine.host import (
    CoreLock,
    Finding,
    Identity,
    Needs,
    choose_core,
    core_lock,
    counter_for,
    environment,
    findings,
    foreign_tasks,
    identity,
    process_family,
    wait_for_core,
)
from ngcctui.engine.journal import Journal, JournalReader, SystemClock
from ngcctui.engine.liveness import start_ticks
from ngcctui.engine.livepage import LivePage
from ngcctui.engine.rundir import RunDir
from ngcctui.engine.scratch import scratch_directory
from ngcctui.engine.state import Fold, RunState, failed_steps, with_dependents
from ngcctui.engine.store import Storage, remove_leftovers, sha256_file
from ngcctui.engine.toolchain import Toolchain, build_native, cache_dir, find_toolchain
from ngcctui.model.campaign import Campaign, HostPolicy
from ngcctui.model.errors import ConfigError, HostError, StorageError
from ngcctui.model.event import EventName
from ngcctui.model.selection import steps


@dataclass(frozen=True)
class Options:
    """What the command line asked of the engine."""

    resume: bool = False
    retry: tuple[str, ...] = ()
    accept_changes: bool = False
    wait: bool = False


class NotBegun(Exception):
    """The operator asked to stop while the engine still waited for its core."""


@dataclass(frozen=True)
class Opened:
    """An open session: its context, the steps to start anew, and when it began (ns since the epoch)."""

    ctx: Context
    retry: tuple[str, ...]
    started_ns: int


async def open_session(
    run: RunDir,
    options: Options,
    stack: contextlib.ExitStack,
    storage: Storage,
) -> Opened:
    """Take the run's and the core's lock, check the host and what changed, and journal the session's start.

    Raises HostError (exit 3) when a lock is held, the host is not fit or a change is not accepted, ConfigError
    (exit 2) for bad files, NotBegun on a request to stop.  Nothing is journalled before all checks have passed.
    """
    stack.enter_context(_run_lock(run))
    started_ns = time.time_ns()
    campaign = run.campaign()
    schemes = {scheme.key: scheme for scheme in run.schemes()}
    root = Path("/")
    allowed = os.sched_getaffinity(0)
    fold, started = _folded(run)
    state = fold.state()
    core = choose_core(root, allowed, campaign.host.core)
    stack.enter_context(await _take_core(run, core, options.wait, started_ns))
    toolchain = find_toolchain()
    who = identity(root)
    changes: list[str] = []
    if started:
        changes = changes_since(state, run, core, who, toolchain)
        if changes and not options.accept_changes:
            raise HostError(
                f"{run.path.name}: {'; '.join(changes)}; give --accept-changes to go on (the pages will say so)"
            )
        _refuse_foreign(root, core)
    retry = _retry_ids(state, options.retry)
    found = findings(root, core, allowed, needs=_needs(run, campaign))
    _host_fit(campaign, found)
    native = await build_native(toolchain, cache_dir(os.environ))
    others = allowed - {core}
    if others:
        os.sched_setaffinity(0, others)

    for part in ("build", "kat", "records", "profile"):
        remove_leftovers(run.path / part, storage)
    journal = Journal(run.journal, storage, SystemClock())
    stack.callback(journal.close)
    page = LivePage.create()
    if page is not None:
        stack.enter_context(page)
    counter = counter_for(root, core)
    ctx = Context(
        run=run,
        campaign=campaign,
        schemes=schemes,
        storage=storage,
        journal=journal,
        fold=fold,
        toolchain=toolchain,
        native=native,
        cache=cache_dir(os.environ),
        scratch=stack.enter_context(scratch_directory()),
        core=core,
        cores=tuple(sorted(allowed)),
        counter=counter,
        environment=environment(root, core, toolchain.version),
        live_page=page,
        host_root=root,
    )
    _journal_start(ctx, options, who, changes, found)
    return Opened(ctx, retry, started_ns)


def _folded(run: RunDir) -> tuple[Fold, bool]:
    """The fold of the journal so far, and whether the run has begun."""
    fold = Fold()
    begun = False
    if run.journal.exists():
        reader = JournalReader(run.journal)
        for event in reader.poll():
            begun = begun or event.event is EventName.RUN_START
            fold.apply(event)
    return fold, begun


@contextlib.contextmanager
def _run_lock(run: RunDir) -> Any:
    """One engine a run: a lock on its directory that dies with the engine."""
    fd = os.open(run.path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise HostError(
                f"{run.path.name}: an engine is at work on this run already (ngcctui status)"
            ) from None
        yield
    finally:
        os.close(fd)


async def _take_core(run: RunDir, core: int, wait: bool, started_ns: int) -> CoreLock:
    if not wait:
        return core_lock(core)

    async def pause(seconds: float) -> None:
        # The request stays: the next session drops it as an old one and journals that.
        if any(
            asked.name in ("stop", "stop-now") for asked in control.poll(run, started_ns) if not asked.problem
        ):
            raise NotBegun
        await asyncio.sleep(seconds)

    return await wait_for_core(
        core,
        sleep=pause,
        on_wait=lambda holder: print(f"core {core}: waiting for {holder or 'its holder'}", file=sys.stderr),
    )


def _needs(run: RunDir, campaign: Campaign) -> Needs:
    return (
        Needs(disk=run.path)
        if not campaign.host.memory_limit_mib
        else Needs(memory_bytes=min(campaign.host.memory_limit_mib << 20, 256 << 20), disk=run.path)
    )


def changes_since(state: RunState, run: RunDir, core: int, who: Identity, toolchain: Toolchain) -> list[str]:
    """What differs from the last session, one clause each: CPU, kernel, compiler, campaign, core, libraries."""
    if not state.sessions:
        return []
    last = state.sessions[-1]
    pairs = [
        ("CPU", last.cpu, who.cpu),
        ("kernel", last.kernel, who.kernel),
        ("compiler", last.compiler, toolchain.version),
        ("core", str(last.core), str(core)),
        ("campaign", last.campaign_sha256, sha256_file(run.campaign_file)),
    ]
    changed = [
        "the campaign file has changed" if name == "campaign" else f"{name} is {new}, was {old}"
        for name, old, new in pairs
        if old != new
    ]
    for entry in state.steps.values():
        library, digest = entry.summary.get("library"), entry.summary.get("library_sha256")
        if not isinstance(library, str) or not isinstance(digest, str):
            continue
        try:
            same = sha256_file(run.inside(library)) == digest
        except (StorageError, ValueError):
            same = False
        if not same:
            changed.append(f"the library of {entry.step.instance} is not the one that was built")
    return list(dict.fromkeys(changed))


def _refuse_foreign(root: Path, core: int) -> None:
    foreign = foreign_tasks(root, core, own=process_family(root))
    if foreign:
        who = ", ".join(f"process {task.pid} ({task.command})" for task in foreign[:3])
        raise HostError(f"core {core}: {who} is pinned to it; end it, then resume")


def _retry_ids(state: RunState, wanted: Sequence[str]) -> tuple[str, ...]:
    ids: list[str] = []
    for name in wanted:
        if name == "failed":
            ids += [str(step) for step in failed_steps(state)]
        elif name in state.steps:
            ids.append(name)
        else:
            raise ConfigError(f"--retry {name}: no such step in this run (ngcctui status names them)")
    return tuple(sorted(with_dependents(state, ids)))


def _host_fit(campaign: Campaign, found: Sequence[Finding]) -> None:
    blocking = [finding for finding in found if finding.blocking]
    if blocking and campaign.host.policy is HostPolicy.STRICT:
        text = "; ".join(finding.text for finding in blocking)
        raise HostError(
            f"host not ready: {text} (ngcctui check shows how to mend it; --allow-unfixed-host measures anyway)"
        )


def _journal_start(
    ctx: Context, options: Options, who: Identity, changes: Sequence[str], found: Sequence[Finding]
) -> None:
    state = ctx.state
    if not state.run:
        data = {
            "run": ctx.run.name,
            "campaign": ctx.campaign.name,
            "version": __version__,
            "steps": [str(step) for step in steps(ctx.campaign, ctx.schemes.values())],
            "algorithms": {key: scheme.file.algorithm for key, scheme in ctx.schemes.items()},
        }
        ctx.emit(EventName.RUN_START, None, data)
    mode = "retry" if options.retry else "resume" if state.sessions else "start"
    session = {
        "session": len(state.sessions) + 1,
        "mode": mode,
        "pid": os.getpid(),
        "pid_start": start_ticks(os.getpid()),
        "boot_id": who.boot_id,
        "kernel": who.kernel,
        "compiler": ctx.toolchain.version,
        "cpu": who.cpu,
        "core": ctx.core,
        "version": __version__,
        "live_page": str(ctx.live_page.path) if ctx.live_page else None,
        "changes": list(changes),
        "campaign_sha256": sha256_file(ctx.run.campaign_file),
    }
    ctx.emit(EventName.SESSION_START, None, session)
    host = {
        "findings": [{"key": f.key, "text": f.text, "command": f.command} for f in found],
        "allowed": ctx.campaign.host.policy is HostPolicy.ALLOW,
        "environment": ctx.environment,
        "counter": ctx.counter.text,
        "cores": len(ctx.cores),
    }
    ctx.host_facts = host
    ctx.emit(EventName.HOST, None, host, sync=True)
