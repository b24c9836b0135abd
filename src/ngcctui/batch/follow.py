"""Follow a running engine: print what it journals, pass on what the operator asks, end as it ends."""

from __future__ import annotations

from dataclasses import dataclass

from ngcctui.batch.printers import Printer
from ngcctui.batch.signals import Interrupts
from ngcctui.batch.verdict import verdict
from ngcctui.console import Console
from ngcctui.engine import control
from ngcctui.engine.rundir import RunDir
from ngcctui.engine.state import Follower
from ngcctui.model.errors import ExitCode, NgccError
from ngcctui.model.event import Event, EventName
from ngcctui.spawn import Engine, leave_core

POLL_S = 0.4


@dataclass
class _Following:
    run: RunDir
    engine: Engine
    follower: Follower
    printer: Printer
    out: Console
    session_begun: bool = False
    session_over: bool = False

    def look(self) -> None:
        """Take what the engine has journalled since the last look and print it."""
        begun = self.session_begun
        state = self.follower.poll(self._take)
        if self.session_begun and not begun:
            leave_core(state.core)
        self.printer.tick(state)

    def _take(self, event: Event) -> None:
        if event.event is EventName.SESSION_START:
            self.session_begun = True
        elif event.event is EventName.SESSION_END:
            self.session_over = True
        self.printer.event(event)

    def ask(self, request: str) -> None:
        """Pass `request` on; before the engine polls for requests, or when that fails, as a signal."""
        if not self.session_begun:
            self.engine.process.terminate()
            return
        try:
            control.request(self.run, request)
        except NgccError as error:
            self.out.error(str(error))
            self.engine.process.terminate()


def follow(run: RunDir, engine: Engine, follower: Follower, printer: Printer, out: Console) -> ExitCode:
    """Print until the engine ends; the exit code is the engine's.

    `follower` has read what the journal held before the engine started.  The first SIGINT or SIGTERM asks the run to
    stop, the second to stop now; the third leaves the run alone.  Whatever becomes of the printer, the run goes on.
    """
    following = _Following(run, engine, follower, printer, out)
    try:
        with Interrupts(engine.process.pid) as interrupts:
            code = _until_end(following, interrupts)
    except (OSError, NgccError):
        out.error(f"the printer ends here, the run goes on: ngcctui status {run.path}")
        raise
    finally:
        printer.close()
    if code is None:
        out.error(f"left; the run is still stopping: ngcctui status {run.path}")
        return ExitCode.INTERRUPTED
    exit_code, said = verdict(code, following.session_over, engine.last_words(), run.path)
    if said:
        out.error(said)
    return exit_code


def _until_end(following: _Following, interrupts: Interrupts) -> int | None:
    """The engine's return code (negative: a signal), or None when the operator left it before it ended."""
    asked = 0
    while True:
        code = following.engine.process.poll()
        following.look()
        if code is not None:
            return code
        while asked < interrupts.count:
            asked += 1
            if asked == 1:
                paused = following.follower.state.paused
                following.out.error(
                    "stopping at once, since the run is paused"
                    if paused
                    else "stopping after the step in progress; once more stops it now"
                )
                following.ask("stop")
            elif asked == 2:
                following.out.error("stopping now; once more leaves without waiting for it")
                following.ask("stop-now")
            else:
                return None
        interrupts.wait(POLL_S)
