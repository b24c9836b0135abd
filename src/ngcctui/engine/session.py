"""Open a session on a run: locks, host, compiler, what changed since the last one; then journal that it began."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ngcctui import __version__
from ngcctui.engine.context import Context
from ngcctui.engine.host import (
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
)
from ngcctui.engine.journal import JournalReader
from ngcctui.engine.liveness import start_ticks
from ngcctui.engine.livepage import LivePage
from ngcctui.engine.rundir import RunDir
from ngcctui.engine.scratch import scratch_directory
from ngcctui.engine.state import Fold, RunState, failed_steps, with_dependents
from ngcctui.engine.store import Storage, remove_leftovers, sha256_file
from ngcctui.engine.toolchain import Toolchain, build_native, cache_dir, find_toolchain
from ngcctui.engine.waiting import Writer, take_core
from ngcctui.model.campaign import Campaign, HostPolicy
from ngcctui.model.errors import ConfigError, HostError, StorageError
from ngcctui.model.event import EventName


@dataclass(frozen=True)
class Options:
    """What the command line asked of the engine."""

    resume: bool = False
    retry: tuple[str, ...] = ()
    accept_changes: bool = False
    wait: bool = False


@dataclass(frozen=True)
class Opened:
    """An open session: its context, and when it began (ns since the epoch)."""

    ctx: Context
    started_ns: int


async def open_session(
    run: RunDir,
    options: Options,
    stack: contextlib.ExitStack,
    storage: Storage,
) -> Opened:
    """Take the run's and the core's lock, check the host and what changed, and journal the session's start.

    Raises HostError (exit 3) when a lock is held, the host is not fit or a change is not accepted, ConfigError
    (exit 2) for bad files, NotBegun on a request to stop.  Nothing is journalled before all checks have passed, but for whom
    the engine waits.
    """
    stack.enter_context(_run_lock(run))
    started_ns = time.time_ns()
    campaign = run.campaign()
    schemes = {scheme.key: scheme for scheme in run.schemes()}
    root = Path("/")
    allowed = os.sched_getaffinity(0)
    fold = _folded(run)
    state = fold.state()
    writer = Writer(run, storage, fold, stack)
    core = choose_core(root, allowed, campaign.host.core)
    if options.wait:
        lock = await take_core(run, core, writer, campaign, schemes.values(), started_ns)
    else:
        lock = core_lock(core)
    stack.enter_context(lock)
    toolchain = find_toolchain()
    who = identity(root)
    changes: list[str] = []
    if state.sessions:
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
    writer.begin_run(campaign, schemes.values())
    page = LivePage.create()
    if page is not None:
        stack.enter_context(page)
    counter = counter_for(root, core)
    ctx = Context(
        run=run,
        campaign=campaign,
        schemes=schemes,
        storage=storage,
        journal=writer.journal,
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
    _journal_start(ctx, options, retry, who, changes, found)
    return Opened(ctx, started_ns)


def _folded(run: RunDir) -> Fold:
    """The fold of the journal so far."""
    fold = Fold()
    if run.journal.exists():
        for event in JournalReader(run.journal).poll():
            fold.apply(event)
    return fold


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
    ctx: Context,
    options: Options,
    retry: Sequence[str],
    who: Identity,
    changes: Sequence[str],
    found: Sequence[Finding],
) -> None:
    state = ctx.state
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
        "retry": list(retry),
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
