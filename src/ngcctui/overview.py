"""What to say of a run as a whole: one word for its state, and what it has to show."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ngcctui.engine.liveness import process_alive
from ngcctui.engine.rundir import RunDir
from ngcctui.engine.runstate import Alive, RunState, done_total, failed_steps, verdict
from ngcctui.engine.state import Follower
from ngcctui.model.errors import ExitCode


@dataclass(frozen=True)
class Overview:
    """A run at one moment; `exit` is its exit code as it stands, None while an engine works on it."""

    run: RunDir
    state: RunState
    exit: ExitCode | None

    @property
    def working(self) -> bool:
        """True while an engine works on the run."""
        return self.exit is None

    @property
    def word(self) -> str:
        """The state in a few words: running on core 1, interrupted at 12/25, done, done with 2 failures."""
        done, total = done_total(self.state)
        if self.exit is None and self.state.waiting is not None:
            return "waiting for its core"
        if not self.state.sessions:
            return "not started"
        if self.exit is None:
            how = "stopping" if self.state.stopping else "paused" if self.state.paused else "running"
            return f"{how} on core {self.state.core}, {done}/{total}"
        if not self.state.ended:
            return f"interrupted at {done}/{total}"
        failures = len(failed_steps(self.state))
        return f"done with {failures} failure{'s' if failures != 1 else ''}" if failures else "done"


def look(run: RunDir, alive: Alive = process_alive) -> Overview:
    """Fold the run's journal; StorageError when it cannot be read."""
    state = Follower(run.journal).poll()
    return Overview(run, state, verdict(state, alive))


def report_files(run: RunDir) -> list[Path]:
    """The report files that are there: pages over all schemes, then those of each scheme with their charts."""
    report = run.path / "report"
    overall = [path for path in report.glob("*_*.*") if path.suffix in (".md", ".toml")]
    return sorted(overall) + sorted(
        p for p in report.glob("*/perf_*.*") if p.suffix in (".md", ".toml", ".svg")
    )
