"""What pages tell of a run beyond its latest state: findings, noise and changes of every session."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from ngcctui.engine.journal import JournalReader
from ngcctui.engine.rundir import RunDir
from ngcctui.engine.runstate import RunState
from ngcctui.engine.state import Fold
from ngcctui.model.event import Event, EventName
from ngcctui.report.text import outside


@dataclass
class History:
    """Collected over the whole journal; texts are fit to be shown.

    `checked` is True once a host check was journalled, `cores` is the least number of cores any session could use (0: unknown), `noise` the largest spread of the reference
    loop, `ended_utc` the last end of the run.
    """

    findings: list[str] = field(default_factory=list)
    noise: float | None = None
    cores: int = 0
    ended_utc: str = ""
    checked: bool = False

    def take(self, event: Event) -> None:
        """Take one event, whatever is in it."""
        if event.event is EventName.HOST:
            self._host(event.data)
        elif event.event is EventName.RUN_END:
            self.ended_utc = event.utc

    def _host(self, data: dict[str, object]) -> None:
        found = data.get("findings")
        self.checked = self.checked or isinstance(found, list)
        for finding in found if isinstance(found, list) else ():
            text = finding.get("text") if isinstance(finding, dict) else None
            if isinstance(text, str) and outside(text) not in self.findings:
                self.findings.append(outside(text))
        noise = data.get("noise")
        spread = noise.get("spread") if isinstance(noise, dict) else None
        if (
            isinstance(spread, (int, float))
            and not isinstance(spread, bool)
            and math.isfinite(spread)
            and spread >= 0
        ):
            self.noise = max(self.noise or 0.0, float(spread))
        cores = data.get("cores")
        if type(cores) is int and cores > 0:
            self.cores = min(self.cores or cores, cores)


def read_history(run: RunDir) -> tuple[RunState, History]:
    """Fold the run's journal once; StorageError when it cannot be read."""
    reader, fold, history = JournalReader(run.journal), Fold(), History()
    for event in reader.read():
        fold.apply(event)
        history.take(event)
    fold.skipped_lines = reader.skipped
    return fold.state(), history
