"""The invented runs that golden files and benchmarks are made from."""

from __future__ import annotations

from pathlib import Path

from golden.synthetic import SyntheticRun, Timing, steps_of, write_scheme

from ngcctui.engine.rundir import RunDir
from ngcctui.model.campaign import Campaign, Host, HostPolicy, ProfilePlan
from ngcctui.model.event import EventName
from ngcctui.model.outcome import Outcome
from ngcctui.model.record import ProfileCall
from ngcctui.model.step import Kind, Step

XOF = ProfileCall("pseudoXOF", 256, 4096, 3400, 900_000)
STREAM = ProfileCall("sm3stream", 512, 256, 3, 100)
DRNG = ProfileCall("drng", 0, 256, 400, 7_000)
HOSTILE = "first | line\nsecond `tick` <b>bold</b> \x1b[31m [link](http://x) *star* \u202e\ud800 end"


def mixed_run(parent: Path) -> RunDir:
    """Two schemes in which nearly everything that can happen to a step has happened, finished in two sessions."""
    toy = write_scheme(parent / "schemes", "toy-1", ["Toy-1024", "Toy-128", "Toy-256", "Toy-512"])
    digest = write_scheme(
        parent / "schemes", "toy-hash@optimized", ["toyhash-256"], hash_messages=[32, 1024, 128]
    )
    campaign = Campaign("golden", host=Host(policy=HostPolicy.ALLOW, system="bench_7"))
    made = SyntheticRun(parent / "runs", [toy, digest], campaign, [*steps_of(toy), *steps_of(digest)])
    made.session(findings=["turbo is on: the clock depends on temperature"], noise={"spread": 0.0021})
    for instance in ("Toy-128", "Toy-256", "Toy-512"):
        made.build("toy-1", instance)
    made.build("toy-1", "Toy-1024", Outcome.BUILDFAIL, "toy.c:1: error: expected `;` | before <end>")
    made.build("toy-hash@optimized", "toyhash-256")
    made.kat("toy-1", "Toy-128")
    made.kat(
        "toy-1",
        "Toy-256",
        Outcome.TIMEOUT,
        "3 of 10 records in 900 s; record 0 PASS",
        flags="harness-default",
    )
    made.kat("toy-1", "Toy-512", Outcome.CRASH, HOSTILE)
    made.end(Step(Kind.KAT, "toy-1", "Toy-1024"), Outcome.BUILDFAIL, "no library was built")
    made.kat("toy-hash@optimized", "toyhash-256", label="SELFTEST PASS", sizes={})
    _toy_128(made)
    made.session(
        changes=["kernel is 6.1.1, was 6.1.0"], findings=["turbo is on: the clock depends on temperature"]
    )
    _toy_256(made)
    for instance in ("Toy-512", "Toy-1024"):
        for operation in ("keygen", "sign", "verify"):
            for kind in (Kind.CALIBRATE, Kind.MEASURE, Kind.PROFILE):
                made.end(Step(kind, "toy-1", instance, operation), Outcome.SKIPPED, "not timed")
    _toy_hash(made)
    made.event(
        EventName.WARNING, {"key": "clock-step", "text": "UTC moved by +3.0 s against the monotonic clock"}
    )
    made.finish()
    return made.run


def _toy_128(made: SyntheticRun) -> None:
    made.measure("toy-1", "Toy-128", "keygen")
    made.measure("toy-1", "Toy-128", "sign", Timing(mean_ns=3.98e9, iterations=20, retries=7, repeated=1))
    made.measure("toy-1", "Toy-128", "verify", Timing(mean_ns=759_000.0, disturbed=("cpu/wall 0.97",)))
    made.profile("toy-1", "Toy-128", "keygen", [XOF, DRNG, STREAM])
    made.profile("toy-1", "Toy-128", "sign", [XOF, DRNG])
    made.profile("toy-1", "Toy-128", "verify", intercepted=False, detail="no helper call was seen")


def _toy_256(made: SyntheticRun) -> None:
    crash = Timing(outcome=Outcome.CRASHED, signal="SIGSEGV", detail="SIGSEGV at exit, after the figures")
    made.measure("toy-1", "Toy-256", "keygen", crash)
    made.measure(
        "toy-1", "Toy-256", "sign", Timing(mean_ns=4.002e12, trials=1, iterations=1, over_budget=True)
    )
    made.measure("toy-1", "Toy-256", "verify", Timing(outcome=Outcome.REJECTED, rejected=21, peak_bytes=None))
    made.profile("toy-1", "Toy-256", "keygen", [XOF])
    made.end(Step(Kind.PROFILE, "toy-1", "Toy-256", "sign"), Outcome.TIMED_OUT, "12 s")


def _toy_hash(made: SyntheticRun) -> None:
    key = "toy-hash@optimized"
    made.measure(key, "toyhash-256", "hash_32", Timing(mean_ns=310.0, iterations=1000, batch=33))
    made.measure(
        key, "toyhash-256", "hash_1024", Timing(mean_ns=4_100.0, iterations=200, batch=3, clock_ghz=None)
    )
    made.profile(key, "toyhash-256", "hash_32", [XOF])


def large_run(parent: Path, records: int) -> RunDir:
    """A finished run with `records` complete records (a multiple of 3), ten instances a scheme, with profiles."""
    counts = [min(10, records // 3 - first) for first in range(0, records // 3, 10)]
    schemes = [
        write_scheme(parent / "schemes", f"toy-{number}", [f"Toy{number}-{i}" for i in range(count)])
        for number, count in enumerate(counts)
    ]
    steps = [step for scheme in schemes for step in steps_of(scheme)]
    campaign = Campaign("large", profile=ProfilePlan(on=True))
    made = SyntheticRun(parent / "runs", schemes, campaign, steps)
    made.session()
    timing = Timing(iterations=20)
    for step in steps:
        if step.kind is Kind.BUILD:
            made.build(step.scheme, step.instance)
        elif step.kind is Kind.KAT:
            made.kat(step.scheme, step.instance)
        elif step.kind is Kind.MEASURE:
            made.measure(step.scheme, step.instance, step.operation or "", timing)
        elif step.kind is Kind.PROFILE:
            made.profile(step.scheme, step.instance, step.operation or "", [XOF, DRNG])
        else:
            made.end(step, Outcome.DONE)
    made.finish()
    return made.run
