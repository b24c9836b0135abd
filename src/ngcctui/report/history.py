"""What pages tell of a run beyond its latest state: findings, noise and changes of every session."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from ngcctui.engine.journal import JournalReader
from ngcctui.engine.rundir import RunDir
from ngcctui.engine.runstate import RunState
from ngcctui.engine.state import Fold
from ngcctui.model.event import Event, EventName
from ngcctui.model.step import Kind
from ngcctui.report.text import outside


@dataclass(frozen=True)
class Noise:
    """The reference loop measured as A and as A': ns a call where journalled, and the spread as a fraction of A'."""

    utc: str
    spread: float
    a_ns: float | None = None
    b_ns: float | None = None


@dataclass
class History:
    """Collected over the whole journal; texts are fit to be shown.

    `checked` is True once a host check was journalled, `cores` is the least number of cores any session could use (0:
    unknown), `noises` every measurement of the reference loop, `ended_utc` the last end of the run.
    """

    findings: list[str] = field(default_factory=list)
    noises: list[Noise] = field(default_factory=list)
    cores: int = 0
    ended_utc: str = ""
    checked: bool = False

    @property
    def noise(self) -> float | None:
        """The largest spread of the reference loop; None when it was not measured."""
        return max((noise.spread for noise in self.noises), default=None)

    def take(self, event: Event) -> None:
        """Take one event, whatever is in it."""
        if event.event is EventName.HOST:
            self._host(event.data)
            self._noise(event.utc, event.data.get("noise"))
        elif event.event is EventName.RUN_END:
            self.ended_utc = event.utc

    def _host(self, data: dict[str, object]) -> None:
        found = data.get("findings")
        self.checked = self.checked or isinstance(found, list)
        for finding in found if isinstance(found, list) else ():
            text = finding.get("text") if isinstance(finding, dict) else None
            if isinstance(text, str) and outside(text) not in self.findings:
                self.findings.append(outside(text))
        cores = data.get("cores")
        if type(cores) is int and cores > 0:
            self.cores = min(self.cores or cores, cores)

    def _noise(self, utc: str, noise: object) -> None:
        if not isinstance(noise, dict):
            return
        spread, a_ns, b_ns = (_figure(noise.get(name)) for name in ("spread", "a_ns", "b_ns"))
        if spread is not None:
            self.noises.append(Noise(outside(utc), spread, a_ns, b_ns))


def _figure(value: object) -> float | None:
    """A number that is not negative; None for anything else."""
    if (
        isinstance(value, bool)
        or not isinstance(value, (int, float))
        or not math.isfinite(value)
        or value < 0
    ):
        return None
    return float(value)


#: Lines about anything but measurements, as the writer writes them; inside a text the quotation marks are escaped.
_OTHER = (
    *(
        f'"event":"{name.value}"'.encode()
        for name in (EventName.TRIAL, EventName.KAT_RECORD, EventName.HEALTH)
    ),
    *(f'"step":"{kind.value}:'.encode() for kind in Kind if kind is not Kind.MEASURE),
)


def read_history(run: RunDir) -> tuple[RunState, History]:
    """Fold the run's journal once; StorageError when it cannot be read."""
    return _read(JournalReader(run.journal))


def read_measurements(run: RunDir) -> tuple[RunState, History]:
    """The same, but the state knows how measure steps ended and nothing of trials and other steps; a third of the time."""
    return _read(JournalReader(run.journal, _OTHER))


def _read(reader: JournalReader) -> tuple[RunState, History]:
    fold, history = Fold(), History()
    for event in reader.read():
        fold.apply(event)
        history.take(event)
    fold.skipped_lines = reader.skipped
    return fold.state(), history
