"""Run directories made by the real writers from invented figures: what a finished engine would have left.

Everything is a function of the arguments: the same calls give the same bytes.
"""

from __future__ import annotations

import json
import random
import struct
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ngcctui.engine.journal import Journal, utc_text
from ngcctui.engine.rundir import RunDir, create_run
from ngcctui.engine.stats import statistics, trial_samples
from ngcctui.engine.store import Storage, sha256_bytes, write_atomic, write_samples
from ngcctui.model.campaign import Campaign
from ngcctui.model.codec import encode
from ngcctui.model.event import EventName
from ngcctui.model.outcome import Outcome
from ngcctui.model.record import Health, Memory, Plan, ProfileCall, ProfileRecord, Record, Trial
from ngcctui.model.scheme import Scheme, load_scheme
from ngcctui.model.step import Kind, Step

START = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)
VERSION = "9.9.9"
ENVIRONMENT = {
    "processor": "Invented CPU 1 (CPU 3, one core)",
    "clock": "max 2.00 GHz, governor performance, turbo off, SMT off",
    "memory": "4096 MiB",
    "OS / kernel": "Invented Linux 1 / 6.1.0",
    "compiler / build tool": "cc 14.2.0 / ngcctui 9.9.9",
}


class SteppingClock:
    """Stands still until it is told that a second has passed."""

    def __init__(self) -> None:
        self.seconds = 0

    def utc(self) -> str:
        """The invented time."""
        return utc_text(self.epoch_ns())

    def epoch_ns(self) -> int:
        """The invented time, ns since 1970."""
        return (int(START.timestamp()) + self.seconds) * 1_000_000_000

    def mono_ns(self) -> int:
        """The invented monotonic clock, ns."""
        return self.seconds * 1_000_000_000


class QuickStorage(Storage):
    """Writes really, but does not wait for the disk."""

    def fsync(self, fd: int) -> None:
        """Nothing here outlives the test."""

    def fsync_all(self, fd: int) -> bool:
        """Nor this."""
        return True


def write_scheme(
    root: Path, key: str, instances: Sequence[str], *, hash_messages: Sequence[int] = ()
) -> Scheme:
    """A scheme directory with one source; a hash function when there are message lengths."""
    directory = root / key
    (directory / "src").mkdir(parents=True)
    (directory / "src" / "toy.c").write_text("int toy;\n")
    base = key.partition("@")[0]
    lines = [f'id = "{base}"', f'algorithm = "Toy {base}"']
    lines += ['category = "symmetric primitive"' if hash_messages else 'category = "public-key algorithm"']
    lines += [
        f'function = "{"hash" if hash_messages else "signature"}"',
        "[build]",
        'sources = ["src/toy.c"]',
    ]
    lines += ["[symmetric]", 'verdict = "ICCS-only"', 'note = "invented | for tests"']
    for name in instances:
        lines += ["[[instance]]", f'name = "{name}"']
        if hash_messages:
            lines += ["digest_bits = 256", f"message_bytes = {list(hash_messages)}"]
            lines += ["[instance.kat]", 'mode = "selftest"']
        else:
            lines += ["[instance.sizes]", "public_key = 32", "secret_key = 64", "signature = 2420"]
    (directory / "scheme.toml").write_text("\n".join(lines) + "\n")
    return load_scheme(directory, key)


def elf_header(machine: int = 62) -> bytes:
    """The first bytes of a little-endian ELF library for `machine` (62: x86-64, 183: arm64)."""
    return b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack("<HH", 3, machine) + bytes(44)


@dataclass(frozen=True)
class Timing:
    """Invented figures of a measurement; `mean_ns` a call, `clock_ghz` None for a host without a cycle counter."""

    mean_ns: float = 1_200_000.0
    trials: int = 5
    iterations: int = 40
    batch: int = 1
    clock_ghz: float | None = 2.0
    no_counter: str = "no cycle counter: perf_event_open: ENOENT"
    outcome: Outcome = Outcome.DONE
    detail: str = ""
    signal: str | None = None
    retries: int = 0
    rejected: int = 0
    repeated: int = 0
    disturbed: tuple[str, ...] = ()
    baseline_bytes: int = 1_800_700
    peak_bytes: int | None = 2_100_300
    over_budget: bool = False
    inputs: str | None = None
    environment: dict[str, str] = field(default_factory=lambda: dict(ENVIRONMENT))
    library_sha256: str | None = None
    replanned: bool = False


class SyntheticRun:
    """A run that is being written; each method journals what the engine would and leaves its files."""

    def __init__(
        self, parent: Path, schemes: Sequence[Scheme], campaign: Campaign, steps: Sequence[Step]
    ) -> None:
        self.storage = QuickStorage()
        self.campaign = campaign
        self.run: RunDir = create_run(parent, campaign, schemes, START, self.storage)
        self.clock = SteppingClock()
        self.journal = Journal(self.run.journal, self.storage, self.clock)
        self._sessions = 0
        data = {
            "run": self.run.name,
            "campaign": campaign.name,
            "version": VERSION,
            "steps": [str(step) for step in steps],
            "algorithms": {scheme.key: scheme.file.algorithm for scheme in schemes},
        }
        self.event(EventName.RUN_START, data)

    def event(self, name: EventName, data: dict[str, Any], step: Step | None = None) -> None:
        self.clock.seconds += 1
        self.journal.append(name, str(step) if step else None, data)

    def session(
        self, *, changes: Sequence[str] = (), findings: Sequence[str] = (), cores: int = 4, **host: Any
    ) -> None:
        """Begin a session on a host with these findings; `host` overrides fields of the host event."""
        self._sessions += 1
        start: dict[str, Any] = {
            "session": self._sessions,
            "mode": "start",
            "pid": 1,
            "core": 3,
            "version": VERSION,
        }
        self.event(EventName.SESSION_START, start | {"changes": list(changes), "cpu": "Invented CPU 1"})
        data: dict[str, Any] = {
            "findings": [{"key": "x", "text": text, "command": ""} for text in findings],
            "allowed": self.campaign.host.policy.value == "allow",
            "environment": ENVIRONMENT,
            "counter": "user-mode CPU cycles (cpu)",
            "cores": cores,
        }
        self.event(EventName.HOST, data | host)

    def finish(self) -> None:
        """End the run and its session."""
        self.event(EventName.RUN_END, {"passed": 1, "failed": [], "exit": 0})
        self.event(EventName.SESSION_END, {"reason": "finished", "exit": 0})
        self.journal.close()

    def end(
        self,
        step: Step,
        outcome: Outcome,
        detail: str = "",
        file: Path | None = None,
        summary: dict[str, Any] | None = None,
    ) -> None:
        """Start and end a step; the digest of its file is that of what lies there."""
        self.event(EventName.STEP_START, {"attempt": 1}, step)
        data = {
            "outcome": outcome.value,
            "detail": detail,
            "attempt": 1,
            "file": self.run.relative(file) if file else None,
            "sha256": sha256_bytes(file.read_bytes()) if file else None,
            "summary": summary or {},
        }
        self.event(EventName.STEP_END, data, step)

    def build(self, key: str, instance: str, outcome: Outcome = Outcome.PASS, detail: str = "") -> None:
        """A build and its library, a bare ELF header."""
        log, library = self.run.build_log(key, instance), self.run.library(key, instance)
        write_atomic(log, b"cc\n", self.storage)
        step = Step(Kind.BUILD, key, instance)
        if outcome is not Outcome.PASS:
            return self.end(step, outcome, detail, log)
        write_atomic(library, elf_header(), self.storage)
        return self.end(step, outcome, detail, log, self.library(key, instance))

    def library(self, key: str, instance: str, flags: str = "guide") -> dict[str, Any]:
        """Summary of the library of an instance."""
        path = self.run.library(key, instance)
        digest = sha256_bytes(f"{key}/{instance}".encode())
        return {
            "flags": flags,
            "library": self.run.relative(path),
            "library_sha256": digest,
            "profile_library": None,
            "profile_sha256": None,
            "static_bytes": 38121,
        }

    def kat(
        self,
        key: str,
        instance: str,
        outcome: Outcome = Outcome.PASS,
        detail: str = "",
        label: str = "",
        flags: str = "guide",
        sizes: dict[str, int] | None = None,
        lengths: dict[str, list[int]] | None = None,
    ) -> None:
        """A known answer test with its log."""
        log = self.run.kat_log(key, instance)
        write_atomic(log, f"KAT of {instance}\n".encode(), self.storage)
        summary = self.library(key, instance, flags) | {
            "label": label or outcome.value,
            "records": 10,
            "covered": 10,
            "sha256": "0" * 64,
            "sizes": {"public_key": 32, "secret_key": 64, "signature": 2420} if sizes is None else sizes,
            "lengths": lengths or {},
        }
        self.end(Step(Kind.KAT, key, instance), outcome, detail, log, summary)

    def measure(self, key: str, instance: str, operation: str, timing: Timing | None = None) -> Record:
        """A record with its samples, and the trials in the journal."""
        timing = timing or Timing()
        step = Step(Kind.MEASURE, key, instance, operation)
        trials, samples = _trials(step, timing)
        path, samples_path = (
            self.run.record(key, instance, operation),
            self.run.samples(key, instance, operation),
        )
        digest = write_samples(samples_path, samples, self.storage)
        record = _record(step, timing, trials, samples, self.campaign, self.library(key, instance))
        record = replace(record, samples_file=self.run.relative(samples_path), samples_sha256=digest)
        write_atomic(path, json.dumps(encode(record), indent=1).encode(), self.storage)
        self.end(
            step,
            timing.outcome,
            timing.detail,
            path,
            {"n": record.statistics.calls if record.statistics else 0},
        )
        return record

    def profile(
        self,
        key: str,
        instance: str,
        operation: str,
        calls: Sequence[ProfileCall] = (),
        *,
        total_ticks: int = 1_000_000,
        operations: int = 200,
        intercepted: bool = True,
        detail: str = "",
    ) -> None:
        """A profile record; without interception its shares are unknown."""
        step = Step(Kind.PROFILE, key, instance, operation)
        drng = sum(call.ticks for call in calls if call.function == "drng")
        hashes = sum(call.ticks for call in calls) - drng
        record = ProfileRecord(
            step=str(step),
            scheme=key,
            instance=instance,
            operation=operation,
            outcome=Outcome.DONE,
            detail=detail,
            library_sha256="1" * 64,
            started_utc="2026-03-01T12:00:00.000Z",
            ended_utc="2026-03-01T12:00:01.000Z",
            operations=operations,
            warmups=1,
            total_ticks=total_ticks,
            tick_source="tsc",
            intercepted=intercepted,
            calls=tuple(calls),
            hash_share=hashes / total_ticks if intercepted else None,
            drng_share=drng / total_ticks if intercepted else None,
            environment=ENVIRONMENT,
        )
        path = self.run.profile(key, instance, operation)
        write_atomic(path, json.dumps(encode(record), indent=1).encode(), self.storage)
        self.end(step, Outcome.DONE, detail, path)


def steps_of(scheme: Scheme, *, profile: bool = True) -> list[Step]:
    """All steps of a scheme in the order of a run."""
    steps = []
    for instance in scheme.file.instance:
        steps += [Step(Kind.BUILD, scheme.key, instance.name), Step(Kind.KAT, scheme.key, instance.name)]
        for operation in scheme.operations(instance):
            kinds = [Kind.CALIBRATE, Kind.MEASURE, *([Kind.PROFILE] if profile else [])]
            steps += [Step(kind, scheme.key, instance.name, operation.name) for kind in kinds]
    return steps


def _trials(step: Step, timing: Timing) -> tuple[list[Trial], list[array[int]]]:
    chance = random.Random(str(step))
    trials: list[Trial] = []
    samples: list[array[int]] = []
    offset = 0
    for number in range(1, timing.trials + 1):
        for attempt in range(1, (timing.repeated if number == 1 else 0) + 2):
            values = _values(chance, timing)
            kept = attempt == (timing.repeated + 1 if number == 1 else 1)
            wall = sum(values)
            trial = Trial(
                trial=number,
                attempt=attempt,
                iterations=timing.iterations,
                batch=timing.batch,
                wall_ns=wall,
                cpu_ns=wall if kept else wall * 9 // 10,
                cycles=round(wall * timing.clock_ghz) if timing.clock_ghz else None,
                counter="cycles" if timing.clock_ghz else timing.no_counter,
                ticks=wall,
                tick_source="tsc",
                health=Health(3, 3, 0, 0, 12, 0),
                retries=timing.retries if number == 1 and kept else 0,
                rejected=timing.rejected if number == 1 and kept else 0,
                disturbed=timing.disturbed
                if kept
                else ("replanned" if timing.replanned else "cpu/wall 0.90",),
                used=kept,
                samples_offset=offset,
                samples=len(values),
            )
            trials.append(trial)
            samples.append(values)
            offset += len(values)
    return trials, samples


def _values(chance: random.Random, timing: Timing) -> array[int]:
    """Times of one trial's batches around the mean, ns."""
    layout = chance.uniform(0.995, 1.005)
    full, rest = divmod(timing.iterations, timing.batch)
    sizes = [timing.batch] * full + ([rest] if rest else [])
    return array("Q", [round(timing.mean_ns * size * layout * chance.uniform(0.98, 1.02)) for size in sizes])


def _record(
    step: Step,
    timing: Timing,
    trials: list[Trial],
    samples: list[array[int]],
    campaign: Campaign,
    library: dict[str, Any],
) -> Record:
    flat = array("Q", [value for part in samples for value in part])
    operation = step.operation or ""
    whole = timing.outcome in (Outcome.DONE, Outcome.CRASHED)
    inputs = timing.inputs or campaign.inputs.value
    figures = None
    if whole:
        used = [trial_samples(trial, flat) for trial in trials if trial.used]
        figures = statistics(used, inputs=type(campaign.inputs)(inputs), operation=operation)
    plan = Plan(
        t1_ns=timing.mean_ns,
        setup_ns=1e6,
        trials=timing.trials,
        iterations=timing.iterations,
        warmups=3,
        batch=timing.batch,
        separate_processes=True,
        reuse_calibration=False,
        limit_s=303.0,
        over_budget=timing.over_budget,
    )
    hash_bytes = int(operation.removeprefix("hash_")) if operation.startswith("hash_") else 0
    return Record(
        step=str(step),
        scheme=step.scheme,
        instance=step.instance,
        operation=operation,
        outcome=timing.outcome,
        detail=timing.detail,
        flags="guide",
        inputs=inputs,
        message_bytes=hash_bytes,
        library=library["library"],
        library_sha256=timing.library_sha256 or library["library_sha256"],
        kat="PASS",
        attempt=1,
        started_utc="2026-03-01T12:00:00.000Z",
        ended_utc="2026-03-01T12:00:06.000Z",
        command="ngcctui run campaign.toml",
        environment=timing.environment,
        plan=plan,
        trials=tuple(trials),
        memory=Memory(38121, timing.baseline_bytes, timing.peak_bytes),
        sizes={"public_key": 32, "secret_key": 64, "signature": 2420},
        statistics=figures,
        retries=timing.retries,
        rejected=timing.rejected,
        rejected_trials=0 if timing.replanned else timing.repeated,
        signal=timing.signal,
    )
