"""The method page: every sentence follows from the run."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from golden.rendered import paragraphs, tables
from golden.runs import mixed_run
from golden.synthetic import SyntheticRun, Timing, steps_of, write_scheme

from ngcctui.engine.plan import LEAST_CPU_SHARE, MOST_CLOCK_SHIFT
from ngcctui.engine.toolchain.flags import FLAGS as USED
from ngcctui.model.campaign import Campaign, Host, Inputs, Kat, Planning, PlanningMode, ProfilePlan
from ngcctui.report.build import build_report
from ngcctui.report.method import Method
from ngcctui.report.method_page import FLAGS, method_markdown, method_toml

KEY, INSTANCE = "toy-1", "Toy-128"


@pytest.fixture(scope="module")
def method(tmp_path_factory: pytest.TempPathFactory) -> Method:
    return build_report(mixed_run(tmp_path_factory.mktemp("run"))).method


def _said(method: Method) -> str:
    return " ".join(paragraphs(method_markdown(method)))


def _run(parent: Path, campaign: Campaign) -> SyntheticRun:
    scheme = write_scheme(parent / "schemes", KEY, [INSTANCE])
    made = SyntheticRun(parent / "runs", [scheme], campaign, steps_of(scheme))
    made.session(noise={"spread": 0.004, "a_ns": 1_004_000.0, "b_ns": 1_000_000.0})
    made.build(KEY, INSTANCE)
    made.kat(KEY, INSTANCE)
    return made


def test_the_flags_named_are_those_that_are_used() -> None:
    assert {name: " ".join(flags) for name, flags in USED.items()} == FLAGS


def test_the_page_of_a_full_run(method: Method) -> None:
    said = _said(method)
    for part in (
        "run 20260301T120000Z-golden (campaign golden, ngcctui 9.9.9)",
        "the x86 guide",
        "ran on core 3",
        "2 sessions",
        "kernel is 6.1.1, was 6.1.0",
        "turbo is on",
        "max(1 s / t1, 100 / 5) calls, at most 20000",
        "more than 900 s",
        "0.21%, is the noise floor",
        "below 99% of its wall time",
        "more than 1% off",
        "at most 2 times within the budget",
        "Of 37 trials 1 were measured again and are in no figure; 5 are in the figures although disturbed.",
        "4096 MiB of address space",
    ):
        assert part in said, part
    environment, flags, noise, disturbed = tables(method_markdown(method))
    assert environment[1][0] == "processor" and ("harness-default", "1") in flags
    assert noise[1:] == [("2026-03-01T12:00:03", "–", "–", "0.21%")]
    assert disturbed[1:] == [("cpu/wall", "1", "5")]


def test_the_thresholds_are_the_engines(method: Method) -> None:
    data = tomllib.loads(method_toml(method))
    assert (data["least_cpu_share"], data["most_clock_shift"]) == (LEAST_CPU_SHARE, MOST_CLOCK_SHIFT)
    assert data["trials"] == {"made": 37, "replanned": 0, "rejected": 1, "disturbed": 5}
    assert data["planning"]["budget_s"] == 900.0 and data["environment"]["memory"] == "4096 MiB"


def test_the_campaigns_numbers_are_told(tmp_path: Path) -> None:
    campaign = Campaign(
        "unit",
        inputs=Inputs.FIXED,
        planning=Planning(PlanningMode.PUBLISHED, trials=7, target_s=0.5, budget_s=300, repeats=0),
        kat=Kat(1, 60),
        profile=ProfilePlan(on=False),
        host=Host(processes=True, memory_limit_mib=0),
    )
    made = _run(tmp_path, campaign)
    made.measure(
        KEY, INSTANCE, "keygen", Timing(clock_ghz=None, disturbed=("steal 4", "cpu/wall 0.9", "cpu/wall 0.8"))
    )
    report = build_report(made.run)
    said = _said(report.method)
    for part in (
        "that of one cold call",
        "7 trials",
        "max(0.5 s / t1, 100 / 7)",
        "record 0 alone, with 60 s",
        "no repeats: such a trial is kept and flagged",
        "did not ask for a profile",
        "instances must not be ranked",
        "Cycles are missing",
        "start processes of their own",
        "0.4%, is the noise floor",
        "The run has not ended",
    ):
        assert part in said, part
    assert "address space" not in said
    assert [(row.reason, row.rejected, row.kept) for row in report.method.disturbances] == [
        ("cpu/wall", 0, 5),
        ("steal", 0, 5),
    ]


def test_nothing_is_claimed_that_was_not_measured(method: Method) -> None:
    bare = replace(
        method,
        noise=(),
        empty_loop_ns=None,
        core=None,
        cores=1,
        sessions=1,
        changes=(),
        findings=(),
        profiled=False,
    )
    said = _said(bare)
    assert "noise floor of this run" not in said and "is unknown" in said
    assert "empty call" not in said and "ran on core" not in said and "sessions" not in said
    assert "found nothing amiss" in said and "one core only" in said and "Nothing has been profiled" in said
    unchecked = replace(bare, host_checked=False)
    assert "amiss" not in _said(unchecked)


def test_a_replanned_trial_is_no_disturbance(tmp_path: Path) -> None:
    made = _run(tmp_path, Campaign("unit"))
    made.measure(KEY, INSTANCE, "keygen", Timing(repeated=1, replanned=True))
    counts = build_report(made.run).method.trials
    assert (counts.made, counts.replanned, counts.rejected, counts.disturbed) == (6, 1, 0, 0)


def test_the_worst_of_several_noise_measurements_is_the_floor(tmp_path: Path) -> None:
    made = _run(tmp_path, Campaign("unit"))
    made.session(noise={"spread": 25.0, "a_ns": 2.6e7, "b_ns": 1e6})
    made.session(noise={"spread": -1.0})
    made.session(noise={"spread": "x"})
    method = build_report(made.run).method
    assert [row.cells()[1:] for row in method.noise] == [
        ("1.004 ms", "1 ms", "0.4%"),
        ("26 ms", "1 ms", "25×"),
    ]
    assert "25×, is the noise floor" in _said(method)
