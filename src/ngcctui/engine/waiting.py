"""Before a session: wait until the core is free, and let everybody who looks at the run know for whom."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import os
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from ngcctui import __version__
from ngcctui.engine import control
from ngcctui.engine.host import CoreLock, wait_for_core
from ngcctui.engine.host.core import Holder
from ngcctui.engine.host.files import plain
from ngcctui.engine.journal import Journal, SystemClock
from ngcctui.engine.liveness import boot_id, start_ticks
from ngcctui.engine.rundir import RunDir
from ngcctui.engine.state import WAITS_FOR_CORE, Fold
from ngcctui.engine.store import Storage
from ngcctui.model.campaign import Campaign
from ngcctui.model.event import EventName
from ngcctui.model.scheme import Scheme
from ngcctui.model.selection import steps


class NotBegun(Exception):
    """The operator asked to stop while the engine still waited for its core."""


class Writer:
    """The journal of a session that has not begun: opened with the first event, so that a refusal leaves none."""

    def __init__(self, run: RunDir, storage: Storage, fold: Fold, stack: contextlib.ExitStack) -> None:
        self.fold = fold
        self._run = run
        self._storage = storage
        self._stack = stack

    @functools.cached_property
    def journal(self) -> Journal:
        """The journal; StorageError when it cannot be opened."""
        journal = Journal(self._run.journal, self._storage, SystemClock())
        self._stack.callback(journal.close)
        return journal

    def emit(self, name: EventName, data: Mapping[str, Any]) -> None:
        """Append an event to the journal and to the fold; StorageError when it cannot be written."""
        self.fold.apply(self.journal.append(name, None, dict(data)))

    def begin_run(self, campaign: Campaign, schemes: Iterable[Scheme]) -> None:
        """Tell what the run is, if the journal does not yet."""
        if self.fold.state().run:
            return
        schemes = list(schemes)
        data = {
            "run": self._run.name,
            "campaign": campaign.name,
            "version": __version__,
            "steps": [str(step) for step in steps(campaign, schemes)],
            "algorithms": {scheme.key: scheme.file.algorithm for scheme in schemes},
        }
        self.emit(EventName.RUN_START, data)


async def take_core(
    run: RunDir, core: int, writer: Writer, campaign: Campaign, schemes: Iterable[Scheme], started_ns: int
) -> CoreLock:
    """Wait for the core, telling for whom; NotBegun on a request to stop that was made since `started_ns`."""

    def tell(holder: Holder | None) -> None:
        print(f"core {core}: waiting for {holder or 'its holder'}", file=sys.stderr)
        writer.begin_run(campaign, schemes)
        pid = os.getpid()
        engine = {"pid": pid, "pid_start": start_ticks(pid), "boot_id": boot_id()}
        text = f"core {core}: waiting for {_name(holder)}"
        writer.emit(EventName.WARNING, {"key": WAITS_FOR_CORE, "text": text} | engine)

    async def pause(seconds: float) -> None:
        # The request stays: the next session drops it as an old one and journals that.
        if any(
            asked.name in ("stop", "stop-now") for asked in control.poll(run, started_ns) if not asked.problem
        ):
            raise NotBegun
        await asyncio.sleep(seconds)

    return await wait_for_core(core, sleep=pause, on_wait=tell)


def _name(holder: Holder | None) -> str:
    """Who holds the core, for a journal that may be published: without the command line and its paths."""
    if holder is None:
        return "its holder"
    return f"process {holder.pid}{f', run {plain(holder.run)}' if holder.run else ''}"
