"""What an operator asks the engine for: which requests a choice of steps amounts to."""

from __future__ import annotations

from collections.abc import Iterable

from ngcctui.engine.runstate import Status, StepState
from ngcctui.model.step import Kind


def to_skip(targets: Iterable[StepState]) -> list[str]:
    """The steps to skip: all that have not ended."""
    return [str(entry.step) for entry in targets if entry.status is not Status.ENDED]


def to_retry(targets: Iterable[StepState]) -> list[str]:
    """The steps to start anew.

    Where some have failed, those (steps that were skipped because of another one follow it by themselves, but not those
    that the operator skipped).  Where all ended well, the figures are wanted once more: measurements from the
    calibrations that there are; where there are none, build, KAT and profile as they are.
    """
    ended = [entry for entry in targets if entry.status is Status.ENDED]
    failed = [str(entry.step) for entry in ended if entry.failed]
    if failed:
        return failed
    measured = [str(entry.step) for entry in ended if entry.step.kind is Kind.MEASURE]
    return measured or [str(entry.step) for entry in ended if entry.step.kind is not Kind.CALIBRATE]


def killed(targets: Iterable[StepState]) -> int:
    """How many of the steps run right now: skipping them ends their process."""
    return sum(entry.status is Status.RUNNING for entry in targets)
