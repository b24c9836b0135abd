"""What every step of a session works with, and the only place where events enter the journal."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ngcctui.engine.hold import Hold
from ngcctui.engine.host import Counter, HealthSample, sample_health
from ngcctui.engine.journal import Journal
from ngcctui.engine.livepage import LivePage
from ngcctui.engine.rundir import RunDir
from ngcctui.engine.state import Fold, RunState
from ngcctui.engine.stats import median
from ngcctui.engine.store import Storage
from ngcctui.engine.toolchain import Native, Toolchain
from ngcctui.model.campaign import Campaign
from ngcctui.model.event import EventName
from ngcctui.model.operation import Operation
from ngcctui.model.outcome import Outcome
from ngcctui.model.scheme import Scheme
from ngcctui.model.step import Kind, Step

#: Health is journalled at most this often, ns.
HEALTH_PERIOD_NS = 60_000_000_000


@dataclass(frozen=True)
class StepEnd:
    """How a step ended: outcome, one line of detail, its file (relative to the run) with digest, and a summary."""

    outcome: Outcome
    detail: str = ""
    file: str | None = None
    sha256: str | None = None
    summary: Mapping[str, Any] = field(default_factory=dict)


@dataclass
class Context:
    """One session of the engine on one run."""

    run: RunDir
    campaign: Campaign
    schemes: dict[str, Scheme]
    storage: Storage
    journal: Journal
    fold: Fold
    toolchain: Toolchain
    native: Native
    cache: Path
    scratch: Path
    core: int
    cores: tuple[int, ...]
    counter: Counter
    environment: dict[str, str]
    live_page: LivePage | None = None
    hold: Hold = field(default_factory=Hold)
    host_root: Path = Path("/")
    cycles_per_ns: list[float] = field(default_factory=list)
    host_facts: dict[str, Any] = field(default_factory=dict)
    health_ns: int | None = None
    noise_ns: int | None = None

    @property
    def state(self) -> RunState:
        """The fold of everything journalled so far."""
        return self.fold.state()

    def emit(
        self,
        name: EventName,
        step: Step | None = None,
        data: Mapping[str, Any] | None = None,
        *,
        sync: bool = False,
    ) -> None:
        """Append an event to the journal and to the fold; StorageError when it cannot be written."""
        event = self.journal.append(name, str(step) if step else None, dict(data or {}), sync=sync)
        self.fold.apply(event)

    def warn(self, key: str, text: str, step: Step | None = None) -> None:
        """Journal a warning for the operator."""
        self.emit(EventName.WARNING, step, {"key": key, "text": text})

    def attempt(self, step: Step) -> int:
        """The attempt that is running (1 for the first)."""
        return max(1, self.state.steps[str(step)].attempt)

    @property
    def memory_limit_bytes(self) -> int:
        """Address space a candidate's process may have, bytes; 0 is no limit."""
        return self.campaign.host.memory_limit_mib << 20

    def operation(self, step: Step) -> Operation:
        """The operation of a timed step."""
        scheme = self.schemes[step.scheme]
        for operation in scheme.operations(scheme.instance(step.instance)):
            if operation.name == step.operation:
                return operation
        raise KeyError(str(step))

    def show(self, step: Step, limit_s: float) -> None:
        """Turn the live page to a new child of `step`, which may take `limit_s`."""
        if self.live_page is not None:
            self.live_page.begin(list(self.state.steps).index(str(step)), round(limit_s * 1e9))

    def t1_ns(self, step: Step) -> float:
        """Calibrated time of one call of the step's operation in ns; infinite when it is not known."""
        entry = self.state.steps.get(str(Step(Kind.CALIBRATE, step.scheme, step.instance, step.operation)))
        t1 = entry.summary.get("t1_ns") if entry is not None else None
        return float(t1) if t1 is not None else math.inf

    def kat_label(self, step: Step) -> str:
        """The word of the instance's KAT on pages and in records; empty before it has run."""
        entry = self.state.steps.get(str(Step(Kind.KAT, step.scheme, step.instance)))
        if entry is None or entry.outcome is None:
            return ""
        return str(entry.summary.get("label") or entry.outcome.value)

    def median_cycles_per_ns(self) -> float | None:
        """Median of cycles per ns of CPU time over the run's undisturbed trials; None without cycles."""
        return median(self.cycles_per_ns) if self.cycles_per_ns else None

    def sample_health(self) -> HealthSample:
        """The host's health now, as seen from the measured core."""
        return sample_health(self.host_root, self.core)

    def watch_health(self) -> None:
        """Journal the host's health once a minute; called outside timed calls only."""
        now_ns = self.journal.clock.mono_ns()
        if self.health_ns is not None and now_ns - self.health_ns < HEALTH_PERIOD_NS:
            return
        self.health_ns = now_ns
        self.emit(EventName.HEALTH, None, asdict(self.sample_health()))
