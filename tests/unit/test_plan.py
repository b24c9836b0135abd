"""Planning against published plans, and the rules for trials that were disturbed."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ngcctui.engine.plan import (
    LEAST_CPU_SHARE,
    batch_size,
    choose_attempt,
    cpu_share,
    cycles_per_ns,
    disturbed,
    make_plan,
    needs_replan,
    profile_iterations,
    share_text,
    work_s,
)
from ngcctui.model.campaign import Planning, PlanningMode, ProfilePlan
from ngcctui.model.record import Health, Plan, Trial

MS = 1e6
S = 1e9
PUBLISHED = Planning(mode=PlanningMode.PUBLISHED)

# Rows of published pages: the mean in ns, and n = trials x iterations printed with it.  The plan was made
# from one call, which is near the mean where the operation always does the same work.
X86_ROWS = {
    "OPSsig-128 keygen": (1.10 * MS, 4460, 5, 892),
    "OPSsig-128 verify": (1.03 * MS, 4800, 5, 960),
    "OPSsig-512 keygen": (3.61 * MS, 1370, 5, 274),
    "Flextree-256f keygen": (22.3 * MS, 225, 5, 45),
    "Flextree-160s sign": (3.98 * S, 100, 5, 20),
    "Flextree-384s sign": (21.4 * S, 40, 5, 8),
    "Lynxer-384s verify": (13.6 * S, 65, 5, 13),
    "TRINE-128-Balanced keygen": (4.56 * MS, 1070, 5, 214),
    "TRINE-128-Balanced sign": (18.9 * S, 45, 5, 9),
    "TRINE-128-ShortSig sign": (8.74 * S, 95, 5, 19),
    "TRINE-256-Balanced sign": (256 * S, 3, 3, 1),
    "TRINE-256-Balanced verify": (158 * S, 5, 5, 1),
}
# The other system had half the target and a third of the budget, and its one call ran before its clock was
# lowered from 3.4 to 2.7 GHz.
ARM_ROWS = {
    "OPSsig-128 keygen": (822e3, 3880, 5, 776),
    "Flextree-160f keygen": (5.12 * MS, 615, 5, 123),
    "Flextree-160s verify": (7.53 * MS, 420, 5, 84),
    "Lynxer-384s sign": (9.17 * S, 40, 5, 8),
    "TRINE-128-Balanced sign": (11.8 * S, 30, 5, 6),
}


def triple(plan: Plan) -> tuple[int, int, int]:
    return plan.trials * plan.iterations, plan.trials, plan.iterations


@pytest.mark.parametrize("row", X86_ROWS)
def test_published_plans_come_out_near_the_published_mean(row: str) -> None:
    mean_ns, n, trials, iterations = X86_ROWS[row]
    near = {triple(make_plan(mean_ns * (1 + k / 1000), 0, PUBLISHED)) for k in range(-30, 31)}
    assert (n, trials, iterations) in near


@pytest.mark.parametrize("row", ARM_ROWS)
def test_published_plans_of_the_other_system(row: str) -> None:
    planning = replace(PUBLISHED, target_s=0.5, budget_s=300.0)
    mean_ns, n, trials, iterations = ARM_ROWS[row]
    near = {triple(make_plan(mean_ns * 2.7 / 3.4 * (1 + k / 1000), 0, planning)) for k in range(-30, 31)}
    assert (n, trials, iterations) in near


@pytest.mark.parametrize(
    ("t1_ns", "n", "trials", "iterations"),
    [
        (1.1211 * MS, 4460, 5, 892),
        (30e3, 100_000, 5, 20_000),  # 33,334 would fit the second
        (100.0, 100_000, 5, 20_000),
        (0.0, 100_000, 5, 20_000),  # shorter than the clock can tell
        (50 * MS, 100, 5, 20),
        (60 * MS, 100, 5, 20),
        (9 * S, 100, 5, 20),  # exactly the budget
        (9.1 * S, 95, 5, 19),
        (180 * S, 5, 5, 1),
        (181 * S, 4, 4, 1),
        (256 * S, 3, 3, 1),
        (450 * S, 2, 2, 1),
        (451 * S, 1, 1, 1),
        (2310 * S, 1, 1, 1),
    ],
)
@pytest.mark.parametrize("mode", PlanningMode)
def test_both_modes_plan_alike(
    t1_ns: float, n: int, trials: int, iterations: int, mode: PlanningMode
) -> None:
    plan = make_plan(t1_ns, 0, Planning(mode=mode))
    assert triple(plan) == (n, trials, iterations)
    assert plan.over_budget == (t1_ns > 900 * S)


@pytest.mark.parametrize(
    ("t1_ns", "warmups"), [(1.0, 3), (49.999 * MS, 3), (50 * MS, 1), (4.999 * S, 1), (5 * S, 0), (900 * S, 0)]
)
def test_warm_ups(t1_ns: float, warmups: int) -> None:
    assert make_plan(t1_ns, 0, Planning()).warmups == warmups


def test_a_long_setup_is_paid_once() -> None:
    assert make_plan(MS, 60 * S, Planning()).separate_processes
    assert not make_plan(MS, 60 * S + 1, Planning()).separate_processes


def test_limits_are_three_times_the_work_and_the_setup() -> None:
    plan = make_plan(9 * S, 10 * S, Planning())
    assert (plan.iterations, plan.warmups, plan.limit_s) == (20, 0, 3 * (20 * 9 + 10) + 300)
    shared = make_plan(10 * S, 100 * S, Planning(limit_slack_s=7))
    assert (shared.trials, shared.iterations, shared.limit_s) == (5, 18, 3 * (5 * 18 * 10 + 100) + 7)
    warm = make_plan(1 * S, 0, Planning())
    assert warm.limit_s == 3 * (20 + 1) * 1 + 300


def test_one_call_is_the_calibration_call() -> None:
    assert make_plan(451 * S, 0, Planning()).reuse_calibration
    assert not make_plan(450 * S, 0, Planning()).reuse_calibration
    one = Planning(trials=1, min_calls=1, target_s=0.001)
    assert not make_plan(1 * S, 0, one).reuse_calibration  # it would be warmed up
    assert make_plan(5 * S, 0, one).reuse_calibration


@pytest.mark.parametrize(
    ("t1_ns", "iterations", "batch"),
    [
        (10_000, 20_000, 1),
        (1e9, 1, 1),
        (9_999, 20_000, 2),
        (1_000, 20_000, 10),
        (300, 20_000, 34),
        (0, 500, 500),
    ],
)
def test_short_calls_are_timed_in_batches(t1_ns: float, iterations: int, batch: int) -> None:
    assert batch_size(t1_ns, iterations) == batch


def test_nonsense_gives_no_plan() -> None:
    for t1_ns, setup_ns in [(-1.0, 0.0), (math.nan, 0.0), (math.inf, 0.0), (1.0, -1.0), (1.0, math.nan)]:
        with pytest.raises(ValueError):
            make_plan(t1_ns, setup_ns, Planning())


PLANNINGS = st.builds(
    Planning,
    trials=st.integers(1, 50),
    target_s=st.floats(0.001, 100),
    min_calls=st.integers(1, 1000),
    max_iterations=st.integers(1, 20_000),
    budget_s=st.floats(0.001, 1e4),
)


@given(st.floats(0, 1e13), st.floats(0, 1e12), PLANNINGS)
def test_any_plan_keeps_its_promises(t1_ns: float, setup_ns: float, planning: Planning) -> None:
    plan = make_plan(t1_ns, setup_ns, planning)
    t1_s = max(t1_ns, 1.0) / 1e9
    assert 1 <= plan.trials <= planning.trials
    assert 1 <= plan.iterations <= planning.max_iterations
    assert 1 <= plan.batch <= plan.iterations
    total = plan.trials * plan.iterations * t1_s
    assert plan.over_budget == (total > planning.budget_s)
    assert (
        not plan.over_budget or plan.trials == plan.iterations == 1 or total < planning.budget_s * (1 + 1e-9)
    )
    assert plan.limit_s >= planning.limit_slack_s
    if plan.trials < planning.trials:
        assert plan.iterations == 1


def test_the_plan_is_made_anew_beyond_a_factor_of_two() -> None:
    plan = make_plan(10 * MS, 0, Planning())
    assert [needs_replan(plan, t * MS) for t in (4.9, 5.0, 10, 20, 20.1)] == [True, False, False, False, True]


def test_work_counts_warm_ups_and_setups() -> None:
    assert work_s(make_plan(1 * S, 2 * S, Planning())) == 5 * (20 + 1) * 1 + 5 * 2
    assert work_s(make_plan(10 * S, 100 * S, Planning())) == 5 * 18 * 10 + 100
    assert work_s(make_plan(500 * S, 1 * S, Planning())) == 0.0  # the calibration was it


@pytest.mark.parametrize(
    ("t1_ns", "calls"), [(100.0, 1000), (MS, 1000), (100 * MS, 10), (1 * S, 3), (60 * S, 3), (60.1 * S, 1)]
)
def test_calls_of_a_profile(t1_ns: float, calls: int) -> None:
    assert profile_iterations(t1_ns, ProfilePlan()) == calls


def test_calls_of_a_profile_are_bounded_by_the_campaign() -> None:
    assert profile_iterations(1 * S, ProfilePlan(max_iterations=2)) == 2


# disturbed trials

QUIET = Trial(1, 1, 20, 1, 1_000_000, 999_000, 3_000_000, "cycles", None, "none", Health(2, 2, 5, 9, 3, 0))


def test_a_quiet_trial_is_not_disturbed() -> None:
    assert disturbed(QUIET) == ()
    assert disturbed(QUIET, cycles_per_ns(QUIET), core=2) == ()


def test_switches_and_load_are_no_reason() -> None:
    busy = replace(
        QUIET, load_average=40.0, health=replace(QUIET.health, voluntary_switches=10**6, minor_faults=10**6)
    )
    assert disturbed(busy) == ()


def health(**changes: int | None) -> Trial:
    return replace(QUIET, health=replace(QUIET.health, **changes))


@pytest.mark.parametrize(
    ("trial", "reason"),
    [
        (replace(QUIET, cpu_ns=989_000), "cpu/wall 0.989"),
        (replace(QUIET, cpu_ns=500_000), "cpu/wall 0.500"),
        (replace(QUIET, cpu_ns=989_900), "cpu/wall 0.9899"),
        (replace(QUIET, cpu_ns=989_999), "cpu/wall 0.989999"),
        (health(cpu_after=3), "migrated (CPU 2 CPU 3)"),
        (health(throttle=2), "throttled 2"),
        (health(steal_ticks=1), "steal 1"),
        (health(swap_pages=7), "swap 7"),
    ],
)
def test_each_disturbance_is_named(trial: Trial, reason: str) -> None:
    assert disturbed(trial) == (reason,)


@given(st.floats(0, 2))
def test_a_share_is_printed_on_its_side_of_the_bound(share: float) -> None:
    for near in (share, math.nextafter(LEAST_CPU_SHARE, share), LEAST_CPU_SHARE):
        told = share_text(near)
        assert (float(told) < LEAST_CPU_SHARE) == (near < LEAST_CPU_SHARE)
        assert abs(float(told) - near) <= 0.0005


def test_just_enough_cpu_time_is_enough() -> None:
    assert disturbed(replace(QUIET, cpu_ns=990_000)) == ()


def test_the_wrong_core_counts_even_without_a_move() -> None:
    assert disturbed(QUIET, core=1) == ("migrated (CPU 1 CPU 2)",)


def test_what_the_host_does_not_tell_is_no_reason() -> None:
    assert (
        disturbed(health(cpu_before=-1, cpu_after=-1, throttle=None, steal_ticks=0, swap_pages=0), core=2)
        == ()
    )


def test_a_clock_off_the_median_is_a_reason_with_a_counter_of_cycles_only() -> None:
    median = cycles_per_ns(QUIET)
    assert median is not None
    for factor, reasons in [
        (0.985, ("clock -1.5 %",)),
        (0.995, ()),
        (1.005, ()),
        (1.02, ("clock +2.0 %",)),
        (1.0101, ("clock +1.01 %",)),
    ]:
        trial = replace(QUIET, cycles=round(3_000_000 * factor))
        assert disturbed(trial, median) == reasons
        assert disturbed(trial, None) == ()
    assert disturbed(replace(QUIET, cycles=1, counter="tsc"), median) == ()
    assert disturbed(replace(QUIET, cycles=None), median) == ()


def test_several_reasons_are_all_named() -> None:
    worst = replace(health(cpu_after=0, throttle=1, steal_ticks=2, swap_pages=3), cpu_ns=100)
    assert len(disturbed(worst)) == 5


def test_rates_without_a_base_are_unknown() -> None:
    assert cpu_share(replace(QUIET, wall_ns=0)) is None
    assert cycles_per_ns(replace(QUIET, cpu_ns=0)) is None
    assert disturbed(replace(QUIET, wall_ns=0, cpu_ns=0), 3.0) == ()


def attempt(number: int, cpu_ns: int, *reasons: str, wall_ns: int = 1_000_000) -> Trial:
    return replace(QUIET, attempt=number, cpu_ns=cpu_ns, wall_ns=wall_ns, disturbed=reasons)


def kept(*attempts: Trial) -> int:
    chosen = choose_attempt(attempts)
    assert [replace(trial, used=True) for trial in chosen] == list(attempts)
    assert sum(trial.used for trial in chosen) == 1
    return next(trial.attempt for trial in chosen if trial.used)


def test_the_attempt_with_the_most_cpu_time_of_its_wall_time_is_kept() -> None:
    assert (
        kept(
            attempt(1, 900_000, "cpu/wall"), attempt(2, 960_000, "cpu/wall"), attempt(3, 950_000, "cpu/wall")
        )
        == 2
    )


def test_never_the_fastest_for_being_fast() -> None:
    slow = attempt(1, 1_980_000, "cpu/wall", wall_ns=2_010_000)
    fast = attempt(2, 900_000, "cpu/wall", wall_ns=1_000_000)
    assert kept(slow, fast) == 1


def test_an_undisturbed_attempt_beats_a_throttled_one() -> None:
    assert kept(attempt(1, 999_999, "throttled 1"), attempt(2, 995_000)) == 2


def test_the_first_of_equals_and_of_one() -> None:
    assert kept(attempt(1, 900_000, "x"), attempt(2, 900_000, "x")) == 1
    assert kept(attempt(1, 900_000, "x", wall_ns=0)) == 1
    with pytest.raises(ValueError):
        choose_attempt([])
