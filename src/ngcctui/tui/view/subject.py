"""What the detail screen is about."""

from __future__ import annotations

from dataclasses import dataclass

from ngcctui.engine.runstate import RunState, StepState
from ngcctui.tui.view.cells import standing


@dataclass(frozen=True)
class Subject:
    """The steps of a cell by their ids, those of a whole instance, or (no steps) the machine of the run."""

    steps: tuple[str, ...] = ()
    instance: bool = False

    def entries(self, state: RunState, alive: bool) -> tuple[StepState, ...]:
        """The steps as they stand; `alive`: an engine works on the run."""
        return tuple(standing(state.steps[name], alive) for name in self.steps if name in state.steps)
