"""What a run left, read once: for whoever needs its records and its pages together."""

from __future__ import annotations

from dataclasses import dataclass, field

from ngcctui.collector import no_collection
from ngcctui.engine.rundir import RunDir
from ngcctui.engine.runstate import RunState, StepState
from ngcctui.model.scheme import Scheme, load_scheme
from ngcctui.model.step import Step
from ngcctui.report.history import History, read_history
from ngcctui.report.source import Measured, Profiled, Seen, load_measured, load_profiled


@dataclass
class Readings:
    """The journal's fold and history, and the measurements and profiles, each read when it is first asked for."""

    run: RunDir
    state: RunState
    history: History
    seen: Seen | None = None
    _measured: dict[Step, Measured] = field(default_factory=dict)
    _profiled: dict[Step, Profiled] = field(default_factory=dict)
    _schemes: dict[str, Scheme] = field(default_factory=dict)

    def scheme(self, key: str) -> Scheme:
        """The run's copy of a scheme, whether its sources are there or not; ConfigError when it is damaged."""
        if key not in self._schemes:
            self._schemes[key] = load_scheme(self.run.scheme(key), key, sources=False)
        return self._schemes[key]

    def measured(self, entry: StepState) -> Measured:
        """The measurement of a measure step."""
        if entry.step not in self._measured:
            self._measured[entry.step] = load_measured(self.run, entry, self.seen)
        return self._measured[entry.step]

    def profiled(self, entry: StepState) -> Profiled:
        """The profile of a profile step."""
        if entry.step not in self._profiled:
            self._profiled[entry.step] = load_profiled(self.run, entry, self.seen)
        return self._profiled[entry.step]


@no_collection()
def read_run(run: RunDir) -> Readings:
    """The readings of a run; StorageError when its journal cannot be read."""
    return Readings(run, *read_history(run))
