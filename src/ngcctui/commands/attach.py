"""`ngcctui attach --plain`: a run in lines, for slow lines, screen readers and pipes.

First what the run has come to, then one line for each new event; Enter prints the state again, `q` and Enter leaves.
"""

from __future__ import annotations

import argparse
import os
import select
import sys
import time
from collections.abc import Iterator

from ngcctui.batch.lines import line
from ngcctui.commands.status import rows
from ngcctui.console import Console, console, one_line
from ngcctui.engine.liveness import process_alive
from ngcctui.engine.livepage import read_page
from ngcctui.engine.rundir import RunDir, find_run, runs_root
from ngcctui.engine.runstate import verdict
from ngcctui.engine.state import Follower
from ngcctui.model.errors import ExitCode
from ngcctui.model.event import Event
from ngcctui.overview import Overview
from ngcctui.spawn import leave_core

#: Seconds between two looks at the run, when no other number is asked for.
POLL_S = 1.0
_LEAVE = ("q", "quit", "exit")


def run(args: argparse.Namespace) -> int:
    """Follow a run to its end; the exit code is the run's, or 0 when the operator leaves before."""
    found = find_run(runs_root(args.runs, os.environ), args.run)
    return int(Watch(found, console(args), args.refresh or POLL_S).follow())


class Watch:
    """A run that is followed on standard output, and what the operator types meanwhile."""

    def __init__(self, run: RunDir, out: Console, every_s: float) -> None:
        self._run = run
        self._out = out
        self._every_s = every_s
        self._follower = Follower(run.journal)
        self._typed = b""
        self._listening = _in_foreground()

    def follow(self) -> ExitCode:
        """Print until the run has ended or the operator leaves."""
        self._follower.poll()
        overview = self._overview()
        self._tell(overview)
        if overview.working and self._listening:
            self._out.talk("enter: how far it is; q and enter: leave, the run goes on")
        while overview.working:
            leave_core(overview.state.core)
            for word in self._wait():
                if word in _LEAVE:
                    self._out.talk(f"left {overview.run.name}; ngcctui attach {overview.run.path} comes back")
                    return ExitCode.DONE
                self._tell(self._overview())
            self._follower.poll(self._print)
            self._out.flush()
            overview = self._overview()
        return ExitCode.DONE if overview.exit is None else overview.exit

    def _overview(self) -> Overview:
        state = self._follower.state
        return Overview(self._run, state, verdict(state, process_alive))

    def _print(self, event: Event) -> None:
        self._out.data(line(event, short=True))

    def _tell(self, overview: Overview) -> None:
        """The state, as `ngcctui status` prints it."""
        live = read_page(overview.state.live_page) if overview.working and overview.state.live_page else None
        for label, text in rows(overview, live, time.monotonic_ns(), steps=False):
            self._out.data(f"{label:<8} {one_line(text)}")
        self._out.flush()

    def _wait(self) -> Iterator[str]:
        """Wait until the next look is due; lines that were typed meanwhile, at once."""
        if not self._listening:
            time.sleep(self._every_s)
            return
        if not select.select([0], [], [], self._every_s)[0]:
            return
        data = os.read(0, 4096)
        if not data:
            self._listening = False  # nobody types any more, but somebody may read
        *lines, self._typed = (self._typed + data).split(b"\n")
        self._typed = self._typed[-4096:]
        yield from (typed.decode("utf-8", "replace").strip().lower() for typed in lines)


def _in_foreground() -> bool:
    """True when a terminal is there to type on, and typing is for this program."""
    try:
        return sys.stdin is not None and os.isatty(0) and os.tcgetpgrp(0) == os.getpgrp()
    except OSError:
        return False
