"""What the monitor asks of the engine, after a question where something would be lost or started.

What only a question or a request needs is loaded with the first one: most who watch ask for nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from ngcctui.engine.rundir import RunDir
from ngcctui.engine.runstate import RunState, StepState
from ngcctui.model.errors import NgccError
from ngcctui.tui.messages import Told
from ngcctui.tui.screens.base import ActionScreen
from ngcctui.tui.snapshot import RunSnapshot
from ngcctui.tui.view.controls import killed, to_retry, to_skip

#: Steps that a question names one by one.
_NAMED = 6


class Requests:
    """The requests of one screen about one run; what cannot be asked is told."""

    def __init__(self, screen: ActionScreen, run: RunDir, readonly: bool) -> None:
        self._screen = screen
        self._run = run
        self._readonly = readonly

    def pause(self, snapshot: RunSnapshot | None) -> None:
        """Pause after the call in progress, or go on."""
        state = self._may_ask(snapshot)
        if state is not None:
            self._ask("resume" if state.paused else "pause")

    def skip(self, snapshot: RunSnapshot | None, targets: Sequence[StepState]) -> None:
        """Skip steps; one that only waits is skipped at once."""
        if self._may_ask(snapshot) is None:
            return
        steps, running = to_skip(targets), killed(targets)
        if not steps:
            self._tell("nothing selected is still to do")
        elif len(steps) == 1 and not running:
            self._ask("skip", *steps)
        else:
            notes = (
                [f"{running} of them run{'s' if running == 1 else ''} now and would be ended"]
                if running
                else []
            )
            self._sure(f"Skip {_count(steps)}?", steps, notes, "skip", partial(self._ask, "skip", *steps))

    def retry(self, snapshot: RunSnapshot | None, targets: Sequence[StepState]) -> None:
        """Start steps anew."""
        if snapshot is None or self._may_ask(snapshot, engine=False) is None:
            return
        steps = to_retry(targets)
        if steps:
            self._retry(snapshot, steps, steps)
        else:
            self._tell("nothing selected has ended yet")

    def retry_failed(self, snapshot: RunSnapshot | None) -> None:
        """Start every failed step anew."""
        state = self._may_ask(snapshot, engine=False)
        if snapshot is None or state is None:
            return
        from ngcctui.engine import control

        failed = [name for name, entry in state.steps.items() if entry.failed]
        if failed:
            self._retry(snapshot, failed, [control.FAILED])
        else:
            self._tell("nothing has failed")

    def stop(self, snapshot: RunSnapshot | None) -> None:
        """Stop the run, if that is really wanted."""
        from ngcctui.tui.screens.confirm import Answer, ConfirmScreen

        state = self._may_ask(snapshot)
        if state is None:
            return
        answers = [
            Answer("l", "leave it running", None),
            Answer("s", "stop after this step", "stop"),
            Answer("n", "stop now", "stop-now"),
        ]
        details = ["`ngcctui resume` goes on with a stopped run."]
        if state.paused:
            details.append("It is paused: a stop of either kind acts at once.")

        def answered(value: str | None) -> None:
            if value is not None:
                self._ask(value)

        self._screen.app.push_screen(ConfirmScreen("Stop this run?", details, answers), answered)

    def _may_ask(self, snapshot: RunSnapshot | None, *, engine: bool = True) -> RunState | None:
        """The state, when something can be asked; else the reason is told.  `engine`: one must work on the run."""
        if self._readonly:
            self._tell("this view is read only")
        elif snapshot is None or not snapshot.whole:
            self._tell("the run has not been read yet")
        elif engine and not snapshot.alive:
            self._tell("no engine works on this run")
        else:
            return snapshot.state
        return None

    def _retry(self, snapshot: RunSnapshot, steps: list[str], asked: list[str]) -> None:
        if not snapshot.alive:
            again: Callable[[], object] = partial(self._screen.ngcc.resume_run, self._run, tuple(asked))
            notes = ["No engine works on this run: one would be started."]
        elif len(steps) == 1:
            self._ask("retry", *asked)
            return
        else:
            again, notes = partial(self._ask, "retry", *asked), []
        self._sure(f"Start {_count(steps)} anew?", steps, notes, "start", again)

    def _ask(self, name: str, *steps: str) -> None:
        """Ask the engine; it looks once a second, and the log tells what became of it."""
        from ngcctui.engine import control

        try:
            for step in steps or (None,):
                control.request(self._run, name, step)
        except NgccError as error:
            self._screen.post_message(Told(str(error), "error"))

    def _tell(self, text: str) -> None:
        self._screen.post_message(Told(text, "warning"))

    def _sure(
        self, question: str, steps: list[str], notes: list[str], verb: str, then: Callable[[], object]
    ) -> None:
        """Ask the operator first; `then` is called on yes."""
        from ngcctui.tui.screens.confirm import Answer, ConfirmScreen

        named = steps[:_NAMED] + ([f"and {len(steps) - _NAMED} more"] if len(steps) > _NAMED else [])
        answers = [Answer("n", "no", None), Answer("y", verb, "yes")]

        def answered(value: str | None) -> None:
            if value is not None:
                then()

        self._screen.app.push_screen(ConfirmScreen(question, [*named, *notes], answers), answered)


def _count(steps: Sequence[str]) -> str:
    return f"{len(steps)} step{'s' if len(steps) != 1 else ''}"
