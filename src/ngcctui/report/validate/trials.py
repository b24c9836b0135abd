"""Trials of a record: they are what the plan asked for, the plan follows from campaign and calibration, clocks agree."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator, Sequence
from typing import Any

from ngcctui.engine.plan import choose_attempt, cpu_share, disturbed, make_plan
from ngcctui.engine.runstate import StepState
from ngcctui.engine.stats import VERIFY_SIGNATURES
from ngcctui.model.campaign import Campaign, Inputs, PlanningMode
from ngcctui.model.record import Plan, Record, Trial
from ngcctui.model.step import Kind
from ngcctui.report.validate.evidence import Evidence
from ngcctui.report.validate.figures import same
from ngcctui.report.validate.finding import retry

REPLANNED = ("replanned",)
#: Cycles a ns of CPU time of any processor that exists, GHz.
_CLOCK_GHZ = (0.05, 10.0)
#: Least share of a trial's wall time that its timed calls take; in a shorter trial one pause between calls can be more.
_LEAST_TIMED = 0.5
_SHORT_NS = 100_000_000


def check_trials(
    evidence: Evidence, entry: StepState, record: Record, samples: array[int] | None
) -> Iterator[str]:
    """What is wrong with the plan and the trials of a record, one clause each."""
    if record.plan is None:
        if record.trials:
            yield "has trials but no plan"
        return
    yield from _check_plan(evidence, entry, record, record.plan, samples)
    for trial in record.trials:
        yield from _check_clock(trial, samples)
    if record.statistics is not None:
        yield from _check_numbers(evidence, record, record.plan)
        if not record.plan.reuse_calibration:
            yield from _check_disturbance(evidence, entry, record)


def _check_plan(
    evidence: Evidence, entry: StepState, record: Record, plan: Plan, samples: array[int] | None
) -> Iterator[str]:
    """The plan is the one that the campaign's numbers give for the calibrated time of a call."""
    calibration = read_calibration(evidence, entry)
    campaign = evidence.campaign
    if campaign is None:
        return
    if calibration is None:
        yield "its calibration is missing or damaged, so its plan cannot be checked"
        return
    t1_ns, setup_ns = calibration.t1_ns(campaign.planning.mode), calibration.setup_ns
    told = evidence.summary(Kind.CALIBRATE, entry.step)
    if not same(told.get("t1_ns"), t1_ns):
        yield f"its calibration takes {t1_ns} ns a call, the journal says {told.get('t1_ns')}"
    first = record.trials[0] if record.trials else None
    if first is not None and first.disturbed == REPLANNED and samples is not None:
        t1_ns = sum(samples[first.samples_offset : first.samples_offset + first.samples]) / first.iterations
    if plan.reuse_calibration and samples is not None and list(samples) != calibration.samples:
        yield "its one call is not that of the calibration"
    try:
        wanted = make_plan(t1_ns, setup_ns, campaign.planning, _most_inputs(record.operation, campaign))
    except ValueError as error:
        yield str(error)
        return
    if plan == wanted:
        return
    other = [
        f"{name} {getattr(plan, name)} (asked for: {getattr(wanted, name)})"
        for name in Plan.__dataclass_fields__
        if not same(getattr(plan, name), getattr(wanted, name))
    ]
    if other:
        yield f"its plan is not what the campaign asks for after the calibration: {', '.join(other)}"


def _most_inputs(operation: str, campaign: Campaign) -> int:
    return VERIFY_SIGNATURES if operation == "verify" and campaign.inputs is Inputs.VARIED else 1


class Calibration:
    """What a plan is made from: the calibration calls of one process."""

    def __init__(self, table: dict[str, Any]) -> None:
        """KeyError, TypeError or ValueError when the table is no calibration."""
        self.samples = [int(value) for value in table["samples"]]
        self.iterations, self.batch = int(table["trial"]["iterations"]), int(table["trial"]["batch"])
        self.setup_ns = int(table["setup"]["setup_ns"])
        if not self.samples or len(self.samples) != -(-self.iterations // self.batch):
            raise ValueError("samples")

    def t1_ns(self, mode: PlanningMode) -> float:
        """Time of one call, ns: of the only call, or the mean without the first, cold batch."""
        if mode is PlanningMode.PUBLISHED or len(self.samples) < 2:
            return self.samples[0] / min(self.batch, self.iterations)
        return sum(self.samples[1:]) / (self.iterations - self.batch)


def read_calibration(evidence: Evidence, entry: StepState) -> Calibration | None:
    """The calibration of the operation; None when it is missing or damaged."""
    before = evidence.entry(Kind.CALIBRATE, entry.step)
    if before is None or before.file is None:
        return None
    data = evidence.read(before.file, before.sha256, retry(before.step))
    try:
        return Calibration(json.loads(data)) if data is not None else None
    except (ValueError, KeyError, TypeError, ZeroDivisionError, RecursionError):
        return None


def _check_numbers(evidence: Evidence, record: Record, plan: Plan) -> Iterator[str]:
    """Each planned trial is there once, with the planned calls, in as many attempts as the campaign allows."""
    used = [trial for trial in record.trials if trial.used]
    if [trial.trial for trial in used] != list(range(1, plan.trials + 1)):
        yield f"its figures hold the trials {_numbers(used)}, planned were 1 to {plan.trials}"
    for trial in used:
        if (trial.iterations, trial.batch) != (plan.iterations, plan.batch):
            yield (
                f"trial {trial.trial} made {trial.iterations} calls in batches of {trial.batch}, "
                f"planned were {plan.iterations} in batches of {plan.batch}"
            )
    attempts = [trial for trial in record.trials if trial.disturbed != REPLANNED]
    offset = 0
    for trial in record.trials:
        if trial.samples_offset != offset:
            yield f"trial {trial.trial}, attempt {trial.attempt}: its timed values overlap or leave a gap"
        offset += trial.samples
    most = evidence.campaign.planning.repeats + 1 if evidence.campaign else 0
    if most and any(trial.attempt > most for trial in attempts):
        yield f"a trial was made more often than the {most} times that the campaign allows"
    if record.rejected_trials != sum(not trial.used for trial in attempts):
        yield f"rejected_trials is {record.rejected_trials}, {sum(not t.used for t in attempts)} attempts are not used"


def _numbers(trials: Sequence[Trial]) -> str:
    return " ".join(str(trial.trial) for trial in trials) or "none"


def _check_disturbance(evidence: Evidence, entry: StepState, record: Record) -> Iterator[str]:
    """Trials are called disturbed for what their own numbers say, and the attempt kept is the one that the rule keeps."""
    sessions = evidence.state.sessions
    core = sessions[entry.session - 1].core if 0 < entry.session <= len(sessions) else None
    by_number: dict[int, list[Trial]] = {}
    for trial in record.trials:
        if trial.disturbed == REPLANNED:
            continue
        by_number.setdefault(trial.trial, []).append(trial)
        # How far the clock was off was judged by the trials before it, which records do not order.
        told = tuple(reason for reason in trial.disturbed if not reason.startswith("clock "))
        found = disturbed(trial, None, core)
        if told not in (found, _in_three_decimals(trial, found)):
            yield (
                f"trial {trial.trial}, attempt {trial.attempt} is marked "
                f"{', '.join(told) or 'undisturbed'}, its numbers say {', '.join(found) or 'undisturbed'}"
            )
    for number, attempts in by_number.items():
        if len(attempts) == 1 and attempts[0].used:
            continue
        kept = [trial.used for trial in choose_attempt(attempts)]
        if kept != [trial.used for trial in attempts]:
            yield f"trial {number}: the attempt that was kept is not the least disturbed one"


def _in_three_decimals(trial: Trial, reasons: tuple[str, ...]) -> tuple[str, ...]:
    """Reasons as earlier versions wrote them, also where three decimals do not tell a share from its bound."""
    share = cpu_share(trial) or 0.0
    return tuple(f"cpu/wall {share:.3f}" if text.startswith("cpu/wall ") else text for text in reasons)


def _check_clock(trial: Trial, samples: array[int] | None) -> Iterator[str]:
    """Times, cycles and counts of one trial are possible together."""
    name = f"trial {trial.trial}, attempt {trial.attempt}"
    if trial.iterations < 1 or trial.batch < 1 or trial.wall_ns < 0 or trial.cpu_ns < 0 or trial.samples < 0:
        yield f"{name} holds counts or times that cannot be"
        return
    if trial.samples != -(-trial.iterations // trial.batch):
        yield f"{name}: {trial.iterations} calls in batches of {trial.batch} are not {trial.samples} values"
    if trial.counter == "cycles" and trial.cycles is not None and trial.cpu_ns > 0:
        clock = trial.cycles / trial.cpu_ns
        if not _CLOCK_GHZ[0] <= clock <= _CLOCK_GHZ[1]:
            yield f"{name}: {trial.cycles} cycles in {trial.cpu_ns} ns would be a clock of {clock:.3g} GHz"
    if samples is not None:
        timed = sum(samples[trial.samples_offset : trial.samples_offset + trial.samples])
        if timed > trial.wall_ns:
            yield f"{name}: its calls took {timed} ns, the whole trial {trial.wall_ns} ns"
        elif trial.wall_ns > _SHORT_NS and timed < _LEAST_TIMED * trial.wall_ns:
            yield f"{name}: its calls took {timed} ns of the trial's {trial.wall_ns} ns; the rest is not accounted for"
