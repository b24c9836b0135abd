"""How an operation is measured: from one calibrated time to trials, iterations, warm-ups and limits.

Pure functions over plain data.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from ngcctui.model.campaign import Planning, ProfilePlan
from ngcctui.model.record import Plan, Trial

#: Calls shorter than this are timed in batches of at least this long, ns.
CLOCK_GRAIN_NS = 10_000
WARM_UP_3_BELOW_S = 0.050
WARM_UP_1_BELOW_S = 5.0
REPLAN_FACTOR = 2.0
LEAST_CPU_SHARE = 0.99
MOST_CLOCK_SHIFT = 0.01
PROFILE_ONE_CALL_ABOVE_S = 60.0
PROFILE_LEAST_CALLS = 3


def make_plan(t1_ns: float, setup_ns: float, planning: Planning, most_inputs: int = 1) -> Plan:
    """The plan for an operation whose call takes `t1_ns` (> 0) and whose setup takes `setup_ns` (>= 0).

    `setup_ns` is that for one input; a process prepares one an iteration, `most_inputs` at the most.
    The same rule for both planning modes: they differ in how t1 is found.  A t1 below 1 ns counts as 1 ns.
    """
    if not (math.isfinite(t1_ns) and math.isfinite(setup_ns)) or t1_ns < 0 or setup_ns < 0:
        raise ValueError(f"no plan from t1 {t1_ns} ns and setup {setup_ns} ns")
    t1_s = max(t1_ns, 1.0) / 1e9
    trials = planning.trials
    iterations = max(math.ceil(planning.target_s / t1_s), math.ceil(planning.min_calls / trials))
    iterations = min(iterations, planning.max_iterations)
    if trials * iterations * t1_s > planning.budget_s:
        iterations = max(1, math.floor(planning.budget_s / (trials * t1_s)))
        if trials * t1_s > planning.budget_s:
            trials = max(1, math.floor(planning.budget_s / t1_s))
    warmups = 3 if t1_s < WARM_UP_3_BELOW_S else 1 if t1_s < WARM_UP_1_BELOW_S else 0
    setup_ns *= min(iterations, most_inputs)
    separate = setup_ns / 1e9 <= planning.shared_process_setup_s
    work_s = (iterations + warmups) * t1_s * (1 if separate else trials)
    return Plan(
        t1_ns=t1_ns,
        setup_ns=setup_ns,
        trials=trials,
        iterations=iterations,
        warmups=warmups,
        batch=batch_size(t1_ns, iterations),
        separate_processes=separate,
        reuse_calibration=trials == iterations == 1 and warmups == 0,
        limit_s=3 * (work_s + setup_ns / 1e9) + planning.limit_slack_s,
        over_budget=trials * iterations * t1_s > planning.budget_s,
    )


def batch_size(t1_ns: float, iterations: int) -> int:
    """Calls between two clock reads: 1 from 10 us a call on, else as many as take 10 us (or all)."""
    if t1_ns >= CLOCK_GRAIN_NS:
        return 1
    return max(1, min(math.ceil(CLOCK_GRAIN_NS / max(t1_ns, 1.0)), iterations))


def profile_iterations(t1_ns: float, plan: ProfilePlan) -> int:
    """Calls to profile: 1 above a minute a call, else as many as take the target time, but 3 at least."""
    t1_s = max(t1_ns, 1.0) / 1e9
    if t1_s > PROFILE_ONE_CALL_ABOVE_S:
        return 1
    return min(max(round(plan.target_s / t1_s), PROFILE_LEAST_CALLS), plan.max_iterations)


def work_s(plan: Plan) -> float:
    """Time of the planned trials with warm-ups and set-ups, seconds, when nothing has to be repeated."""
    if plan.reuse_calibration:
        return 0.0
    setups = plan.trials if plan.separate_processes else 1
    return (
        plan.trials * (plan.iterations + plan.warmups) * max(plan.t1_ns, 1.0) + setups * plan.setup_ns
    ) / 1e9


def needs_replan(plan: Plan, measured_t1_ns: float) -> bool:
    """True when the first trial shows a call more than twice or less than half as long as planned with."""
    return not plan.t1_ns / REPLAN_FACTOR <= measured_t1_ns <= plan.t1_ns * REPLAN_FACTOR


def cpu_share(trial: Trial) -> float | None:
    """CPU time / wall time of a trial; None when no wall time was measured."""
    return trial.cpu_ns / trial.wall_ns if trial.wall_ns > 0 else None


def share_text(share: float) -> str:
    """CPU time / wall time as it is printed: three decimals, more where it would not look below the bound that it is."""
    if share >= LEAST_CPU_SHARE:
        return f"{share:.3f}"
    return _told(share, ".3f", lambda shown: shown < LEAST_CPU_SHARE)


def _told(value: float, form: str, beyond: Callable[[float], bool]) -> str:
    """`value` in a form such as `+.1f`, with as many more decimals as it takes to be seen beyond its bound."""
    start, digits = form.split(".")
    texts = [f"{value:{start}.{places}f}" for places in range(int(digits[0]), 18)]
    return next((text for text in texts if beyond(float(text))), texts[-1])


def cycles_per_ns(trial: Trial) -> float | None:
    """Cycles per ns of CPU time, the clock while the trial had the core; None without a counter of cycles.

    Of CPU time, because time taken away by others shows in cpu/wall already.
    """
    if trial.counter != "cycles" or not trial.cycles or trial.cpu_ns <= 0:
        return None
    return trial.cycles / trial.cpu_ns


def disturbed(
    trial: Trial, median_cycles_per_ns: float | None = None, core: int | None = None
) -> tuple[str, ...]:
    """Why a trial counts as disturbed; empty when nothing speaks against it.

    `core` is the CPU it had to stay on; `median_cycles_per_ns` the run's median so far (None: not known yet).
    Context switches and load are recorded, never a reason: they do not tell how much time was lost.
    """
    reasons: list[str] = []
    share = cpu_share(trial)
    if share is not None and share < LEAST_CPU_SHARE:
        reasons.append(f"cpu/wall {share_text(share)}")
    health = trial.health
    homes = {cpu for cpu in (health.cpu_before, health.cpu_after, core) if cpu is not None and cpu >= 0}
    if len(homes) > 1:
        reasons.append(f"migrated ({' '.join(f'CPU {cpu}' for cpu in sorted(homes))})")
    for count, name in (
        (health.throttle, "throttled"),
        (health.steal_ticks, "steal"),
        (health.swap_pages, "swap"),
    ):
        if count is not None and count > 0:
            reasons.append(f"{name} {count}")
    clock = cycles_per_ns(trial)
    if clock is not None and median_cycles_per_ns:
        shift = clock / median_cycles_per_ns - 1
        if abs(shift) > MOST_CLOCK_SHIFT:
            told = _told(100 * shift, "+.1f", lambda shown: abs(shown) > 100 * MOST_CLOCK_SHIFT)
            reasons.append(f"clock {told} %")
    return tuple(reasons)


def choose_attempt(attempts: Sequence[Trial]) -> list[Trial]:
    """The attempts with `used` true for the one to keep: undisturbed if any is, then the highest cpu/wall.

    Never chosen by its time; the first of equals.  ValueError without an attempt.
    """
    if not attempts:
        raise ValueError("no attempt")
    ranks = [(not attempt.disturbed, cpu_share(attempt) or 0.0) for attempt in attempts]
    kept = ranks.index(max(ranks))
    return [replace(attempt, used=number == kept) for number, attempt in enumerate(attempts)]
