"""How long a run was paused during each step, from the events alone."""

from __future__ import annotations

from typing import Any

import pytest

from ngcctui.model.event import Event, EventName
from ngcctui.report.validate.held import Pause, Pauses

STEP, OTHER = "measure:sig/sig-1/sign", "kat:sig/sig-1"


def during(*told: tuple[int, str, Any]) -> dict[str, Pause]:
    """Pauses after events given as time, name, and step or request."""
    pauses = Pauses()
    for seq, (mono_ns, name, what) in enumerate(told, 1):
        step, data = (None, {"request": what, "accepted": True}) if name == "control" else (what, {})
        pauses.take(Event(seq, "u", mono_ns, EventName(name), step, data))
    return pauses.during


BEGUN = (10, "step_start", STEP)


@pytest.mark.parametrize(
    ("told", "pause"),
    [
        ([BEGUN, (20, "step_end", STEP)], Pause()),
        ([BEGUN, (12, "control", "pause"), (15, "control", "resume"), (20, "step_end", STEP)], Pause(1, 3)),
        ([BEGUN, (12, "control", "pause"), (20, "step_end", STEP), (30, "control", "resume")], Pause(1, 8)),
        ([(5, "control", "pause"), BEGUN, (14, "control", "resume")], Pause(1, 4)),
        ([(5, "control", "pause"), (7, "control", "resume"), BEGUN, (20, "step_end", STEP)], Pause()),
        ([BEGUN, (12, "control", "pause"), (13, "control", "pause"), (15, "control", "resume")], Pause(1, 3)),
        ([BEGUN, *((n, "control", ("pause", "resume")[n % 2]) for n in range(12, 16))], Pause(2, 2)),
    ],
)
def test_a_pause_counts_as_far_as_the_step_lasts(told: list[tuple[int, str, Any]], pause: Pause) -> None:
    assert during(*told)[STEP] == pause


def test_only_the_last_start_counts_and_a_new_session_is_not_paused() -> None:
    killed = [BEGUN, (12, "control", "pause"), (1, "session_start", None), (2, "step_start", STEP)]
    assert during(*killed, (9, "step_end", STEP))[STEP] == Pause()


def test_steps_beside_each_other_share_a_pause() -> None:
    both = [BEGUN, (11, "step_start", OTHER), (12, "control", "pause"), (14, "control", "resume")]
    assert during(*both) == {STEP: Pause(1, 2), OTHER: Pause(1, 2)}


@pytest.mark.parametrize("request_", [None, ["pause"], {}, 7])
def test_a_foreign_request_is_no_pause(request_: object) -> None:
    assert during(BEGUN, (12, "control", request_), (20, "step_end", STEP))[STEP] == Pause()
