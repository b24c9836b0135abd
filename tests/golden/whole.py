"""A run in which everything fits: what a validation must find nothing in, and what damage is done to.

Unlike the runs of synthetic.py its libraries, logs, calibrations and plans follow from each other.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from golden import synthetic
from golden.synthetic import ENVIRONMENT, VERSION, QuickStorage, SyntheticRun, Timing

from ngcctui.engine.journal import JournalReader
from ngcctui.engine.plan import disturbed, make_plan, profile_iterations
from ngcctui.engine.rundir import RunDir
from ngcctui.engine.stats import VERIFY_SIGNATURES
from ngcctui.engine.store import sha256_bytes, sha256_file, write_atomic, write_samples
from ngcctui.model.campaign import Campaign, Host, HostPolicy, Inputs, Planning, ProfilePlan
from ngcctui.model.codec import encode
from ngcctui.model.event import EventName
from ngcctui.model.outcome import Outcome
from ngcctui.model.record import Plan, ProfileCall, ProfileRecord, Record, Statistics
from ngcctui.model.scheme import Scheme, load_scheme
from ngcctui.model.selection import steps
from ngcctui.model.step import Kind, Step
from ngcctui.report.build import build_report
from ngcctui.report.write import page_files, write_reports

CORE = 3
SETUP_NS = 1_000_000
NOISE = {"a_ns": 1_002_000.0, "b_ns": 1_000_000.0, "spread": 0.002}
PLANNING = Planning(trials=5, target_s=0.02, min_calls=20, repeats=1)


def write_signature(root: Path, key: str, instances: Sequence[str]) -> Scheme:
    """A signature scheme whose known answers are known."""
    directory = root / key
    (directory / "src").mkdir(parents=True)
    (directory / "src" / "toy.c").write_text("int toy;\n")
    lines = [f'id = "{key.partition("@")[0]}"', 'algorithm = "Toy"', 'category = "public-key algorithm"']
    lines += [
        'function = "signature"',
        "[build]",
        'sources = ["src/toy.c"]',
        "[symmetric]",
        'verdict = "ICCS-only"',
    ]
    for name in instances:
        lines += [
            "[[instance]]",
            f'name = "{name}"',
            "[instance.sizes]",
            "public_key = 32",
            "secret_key = 64",
        ]
        lines += ["signature = 2420", "[instance.kat]", f'sha256 = "{kat_digest(name)}"']
    (directory / "scheme.toml").write_text("\n".join(lines) + "\n")
    return load_scheme(directory, key)


def kat_digest(instance: str) -> str:
    """The digest that the known answers of an instance have."""
    return sha256_bytes(f"answers of {instance}".encode())


class WholeRun(SyntheticRun):
    """Writes a run as the engine would."""

    def session(
        self, *, changes: Sequence[str] = (), findings: Sequence[str] = (), cores: int = 4, **host: Any
    ) -> None:
        """Begin a session that says everything."""
        self._sessions += 1
        start = {
            "session": self._sessions,
            "mode": "start" if self._sessions == 1 else "resume",
            "pid": 4711,
            "pid_start": 99,
            "boot_id": "0de91897-d201-42c2-80b6-b2982946bf1e",
            "kernel": "6.1.0",
            "compiler": "cc 14.2.0",
            "cpu": "Invented CPU 1",
            "core": CORE,
            "version": VERSION,
            "live_page": "/dev/shm/ngcctui-4711-0.page",
            "changes": list(changes),
            "campaign_sha256": sha256_file(self.run.campaign_file),
        }
        self.event(EventName.SESSION_START, start)
        data = {
            "findings": [{"key": "x", "text": text, "command": ""} for text in findings],
            "allowed": self.campaign.host.policy is HostPolicy.ALLOW,
            "environment": ENVIRONMENT,
            "counter": "user-mode CPU cycles (cpu)",
            "cores": cores,
        }
        self.event(EventName.HOST, data | host)

    def library(self, key: str, instance: str, flags: str = "guide") -> dict[str, Any]:
        """Summary of the library, with the digests of its files."""
        path, profile = self.run.library(key, instance), self.run.profile_library(key, instance)
        for file in (path, profile):
            if not file.exists():
                write_atomic(file, synthetic.elf_header() + f"{key}/{file.name}".encode(), self.storage)
        return {
            "flags": flags,
            "library": self.run.relative(path),
            "library_sha256": sha256_file(path),
            "profile_library": self.run.relative(profile),
            "profile_sha256": sha256_file(profile),
            "static_bytes": 38121,
        }

    def build(self, key: str, instance: str, outcome: Outcome = Outcome.PASS, detail: str = "") -> None:
        """A build with its log and libraries."""
        log = self.run.build_log(key, instance)
        write_atomic(log, b"cc -O2\n", self.storage)
        summary = self.library(key, instance) if outcome is Outcome.PASS else {}
        self.end(Step(Kind.BUILD, key, instance), outcome, detail, log, summary)

    def checked(self, key: str, instance: str, *, selftest: bool = False) -> None:
        """A known answer test that passed, with its log."""
        summary = self.library(key, instance) | {
            "label": "SELFTEST PASS" if selftest else "PASS",
            "records": 10,
            "covered": 10,
            "sha256": kat_digest(instance),
            "sizes": {} if selftest else {"public_key": 32, "secret_key": 64, "signature": 2420},
        }
        lines = [
            f"scheme: {key}",
            f"instance: {instance}",
            f"library: {instance}.so",
            f"library SHA-256: {summary['library_sha256']}",
            "flags: guide",
            "",
            "record 0: pk[32] 00",
            "",
            f"digest expected: {kat_digest(instance)}",
            f"digest found: {kat_digest(instance)}",
            f"outcome: {summary['label']}",
        ]
        log = self.run.kat_log(key, instance)
        write_atomic(log, ("\n".join(lines) + "\n").encode(), self.storage)
        self.end(Step(Kind.KAT, key, instance), Outcome.PASS, "", log, summary)

    def calibrate(self, step: Step, t1_ns: int) -> Plan:
        """A calibration of 4 calls, the first of them slow, and the plan that follows."""
        batch = max(1, -(-10_000 // t1_ns))
        table = {
            "setup": {"setup_ns": SETUP_NS, "public_key": 32, "secret_key": 64, "signature": 2420},
            "trial": {"iterations": 4 * batch, "batch": batch},
            "samples": [3 * t1_ns * batch, *([t1_ns * batch] * 3)],
        }
        record = self.run.record(step.scheme, step.instance, step.operation or "")
        path = record.with_name(f"{record.stem}.calibration.json")
        write_atomic(path, json.dumps(table).encode(), self.storage)
        plan = self.plan(step.operation or "", t1_ns)
        summary = {
            "t1_ns": float(t1_ns),
            "setup_ns": plan.setup_ns,
            "trials": plan.trials,
            "iterations": plan.iterations,
        }
        self.end(replace(step, kind=Kind.CALIBRATE), Outcome.DONE, "", path, summary)
        return plan

    def plan(self, operation: str, t1_ns: float) -> Plan:
        """The plan for a call that takes `t1_ns`."""
        signatures = (
            VERIFY_SIGNATURES if operation == "verify" and self.campaign.inputs is Inputs.VARIED else 1
        )
        return make_plan(float(t1_ns), SETUP_NS, self.campaign.planning, signatures)

    def measured(self, step: Step, plan: Plan, timing: Timing | None = None) -> Record:
        """A measurement as planned; `timing` says what else is true of it."""
        timing = replace(
            timing or Timing(),
            mean_ns=plan.t1_ns,
            trials=plan.trials,
            iterations=plan.iterations,
            batch=plan.batch,
        )
        self.event(EventName.STEP_START, {"attempt": 1}, step)
        started = self.clock.utc()
        trials, samples = synthetic._trials(step, timing)
        trials = [replace(trial, disturbed=disturbed(trial, None, CORE)) for trial in trials]
        record = synthetic._record(
            step, timing, trials, samples, self.campaign, self.library(step.scheme, step.instance)
        )
        path = self.run.samples(step.scheme, step.instance, step.operation or "")
        digest = write_samples(path, samples, self.storage)
        for trial, part in zip(trials, samples, strict=True):
            self.event(EventName.TRIAL, _told(trial, part, plan), step)
        record = replace(
            record,
            plan=plan,
            kat="SELFTEST PASS" if step.operation and step.operation.startswith("hash") else "PASS",
            sizes={} if record.message_bytes else record.sizes,
            started_utc=started,
            ended_utc=self.clock.utc(),
            samples_file=self.run.relative(path),
            samples_sha256=digest,
        )
        self._leave(
            step, record.outcome, record, self.run.record(step.scheme, step.instance, step.operation or "")
        )
        return record

    def _leave(self, step: Step, outcome: Outcome, record: Record | ProfileRecord, path: Path) -> None:
        """Write a record and end its step, which has begun."""
        data = json.dumps(encode(record), indent=1).encode() + b"\n"
        write_atomic(path, data, self.storage)
        summary = _summary(record) if isinstance(record, Record) else _shares(record)
        end = {
            "outcome": outcome.value,
            "detail": record.detail,
            "attempt": 1,
            "file": self.run.relative(path),
            "sha256": sha256_bytes(data),
            "summary": summary,
        }
        self.event(EventName.STEP_END, end, step)

    def profiled(self, step: Step, t1_ns: float) -> None:
        """A profile with as many operations as planned."""
        self.event(EventName.STEP_START, {"attempt": 1}, step)
        operations = profile_iterations(t1_ns, self.campaign.profile)
        calls = (
            ProfileCall("drng", 0, 256, operations, 7_000),
            ProfileCall("pseudoXOF", 256, 512, operations, 600_000),
        )
        record = ProfileRecord(
            step=str(step),
            scheme=step.scheme,
            instance=step.instance,
            operation=step.operation or "",
            outcome=Outcome.DONE,
            detail="",
            library_sha256=self.library(step.scheme, step.instance)["profile_sha256"],
            started_utc=self.clock.utc(),
            ended_utc=self.clock.utc(),
            operations=operations,
            warmups=1,
            total_ticks=1_000_000,
            tick_source="tsc",
            intercepted=True,
            calls=calls,
            hash_share=0.6,
            drng_share=0.007,
            environment=ENVIRONMENT,
        )
        self._leave(
            step, Outcome.DONE, record, self.run.profile(step.scheme, step.instance, step.operation or "")
        )

    def finish(self) -> None:
        """End the run and its session with the counts of its steps."""
        ends = JournalReader(self.run.journal).poll()
        passed = sum(event.event is EventName.STEP_END for event in ends)
        self.event(EventName.RUN_END, {"passed": passed, "failed": [], "exit": 0})
        self.event(EventName.SESSION_END, {"reason": "finished", "exit": 0})
        self.journal.close()


def _told(trial: Any, samples: array[int], plan: Plan) -> dict[str, Any]:
    return {
        "trial": trial.trial,
        "trials": plan.trials,
        "attempt": trial.attempt,
        "mean_ns": sum(samples) / trial.iterations,
        "wall_ns": trial.wall_ns,
        "cpu_ns": trial.cpu_ns,
        "disturbed": list(trial.disturbed),
        "used": trial.used,
    }


def _summary(record: Record) -> dict[str, Any]:
    figures: Statistics | None = record.statistics
    assert record.plan is not None
    return {
        "mean_ns": figures.mean_ns if figures else None,
        "low_ns": figures.interval_low_ns if figures else None,
        "high_ns": figures.interval_high_ns if figures else None,
        "mean_cycles": figures.mean_cycles if figures else None,
        "low_cycles": figures.interval_low_cycles if figures else None,
        "high_cycles": figures.interval_high_cycles if figures else None,
        "n": figures.calls if figures else 0,
        "trials": record.plan.trials,
        "iterations": record.plan.iterations,
        "rejected": record.rejected,
        "retries": record.retries,
        "rejected_trials": record.rejected_trials,
    }


def _shares(record: ProfileRecord) -> dict[str, Any]:
    return {"hash_share": record.hash_share, "drng_share": record.drng_share, "operations": record.operations}


#: Time of a call by operation, ns.
T1_NS = {"keygen": 1_200_000, "sign": 2_500_000, "verify": 800_000, "hash_32": 300, "hash_1024": 4_000}


def whole_run(
    parent: Path,
    instances: Sequence[str] = ("Toy-128", "Toy-256"),
    *,
    system: str = "local",
    inputs: Inputs = Inputs.VARIED,
    factor: float = 1.0,
    noise: dict[str, float] | None = None,
    hashes: bool = True,
    schemes_of: int = 1,
    charts: bool = True,
) -> RunDir:
    """A finished run of signature schemes and a hash function, with its report; `factor` stretches every call."""
    schemes = [
        write_signature(parent / "schemes", f"toy-{number}", instances) for number in range(1, schemes_of + 1)
    ]
    if hashes:
        schemes.append(_hash_scheme(parent / "schemes"))
    campaign = Campaign(
        "whole",
        inputs=inputs,
        planning=PLANNING,
        profile=ProfilePlan(target_s=0.01),
        host=Host(policy=HostPolicy.ALLOW, system=system),
    )
    todo = steps(campaign, schemes)
    made = WholeRun(parent / "runs", schemes, campaign, todo)
    made.session(findings=["turbo is on"], noise=NOISE if noise is None else noise)
    plans: dict[tuple[str, str, str | None], Plan] = {}
    for kind in Kind:
        for step in (step for step in todo if step.kind is kind):
            place = step.scheme, step.instance, step.operation
            if kind is Kind.BUILD:
                made.build(step.scheme, step.instance)
            elif kind is Kind.KAT:
                made.checked(step.scheme, step.instance, selftest=step.scheme == "toy-hash")
            elif kind is Kind.CALIBRATE:
                plans[place] = made.calibrate(step, round(T1_NS[step.operation or ""] * factor))
            elif kind is Kind.MEASURE:
                made.measured(step, plans[place], Timing(repeated=1 if step.operation == "sign" else 0))
            else:
                made.profiled(step, plans[place].t1_ns)
    made.finish()
    if charts:
        write_reports(made.run, made.storage)
    else:
        write_pages(made.run)
    return made.run


def write_pages(run: RunDir) -> None:
    """Write the report without charts, which take longer to draw than all the rest."""
    for path, data in page_files(run, build_report(run)).items():
        write_atomic(path, data, QuickStorage())


def _hash_scheme(root: Path) -> Scheme:
    directory = root / "toy-hash"
    (directory / "src").mkdir(parents=True)
    (directory / "src" / "toy.c").write_text("int toy;\n")
    text = f"""
id = "toy-hash"
algorithm = "Toy hash"
category = "symmetric primitive"
function = "hash"
[build]
sources = ["src/toy.c"]
[[instance]]
name = "toyhash-256"
digest_bits = 256
message_bytes = [32, 1024]
[instance.kat]
mode = "selftest"
sha256 = "{kat_digest("toyhash-256")}"
"""
    (directory / "scheme.toml").write_text(text)
    return load_scheme(directory, "toy-hash")
