"""How much of a run is left, in words."""

from __future__ import annotations

from collections.abc import Mapping

from ngcctui.durations import at_least, span
from ngcctui.engine.estimate import estimate, remaining
from ngcctui.engine.runstate import RunState
from ngcctui.model.campaign import Campaign


def left(state: RunState, campaign: Campaign, calls: Mapping[str, float], workers: int, mono_ns: int) -> str:
    """What is left of a run, in words: `2-4 min left`, or what is known of it; empty when nothing is."""
    found = estimate(remaining(state, mono_ns, calls), campaign, workers)
    if not found.unknown:
        return f"{span(found.low_s, found.high_s)} left" if found.high_s else ""
    return f"over {at_least(found.low_s)} left" if found.low_s >= 1 else ""
