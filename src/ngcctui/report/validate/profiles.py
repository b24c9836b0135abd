"""Profiles: every share follows from its calls, and they belong to the library that was checked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ngcctui.engine.plan import profile_iterations
from ngcctui.engine.runstate import StepState
from ngcctui.model.outcome import Outcome
from ngcctui.model.record import ProfileRecord
from ngcctui.model.step import Kind
from ngcctui.report.validate.evidence import Evidence
from ngcctui.report.validate.figures import same
from ngcctui.report.validate.finding import retry
from ngcctui.report.validate.records import check_environment

_DRNG = "drng"
_FUNCTIONS = frozenset({"pseudohash", "pseudoXOF", "sm3hash", "sm3stream", _DRNG})


def check_profiles(evidence: Evidence) -> None:
    """Every profile that could be read."""
    for entry in evidence.state.steps.values():
        profile = evidence.profiles.get(entry.step)
        if profile is None:
            continue
        problems = [
            *_identity(evidence, entry, profile),
            *check_environment(evidence, entry, profile.environment),
        ]
        if profile.outcome is Outcome.DONE:
            problems += [*_shares(profile), *_calls(evidence, entry, profile)]
        for problem in problems:
            evidence.tell(entry.file or "", problem, retry(entry.step))


def _identity(evidence: Evidence, entry: StepState, profile: ProfileRecord) -> Iterator[str]:
    """The profile says of itself what the journal says of it."""
    step = entry.step
    pairs: list[tuple[str, Any, Any]] = [
        ("step", profile.step, str(step)),
        ("scheme", profile.scheme, step.scheme),
        ("instance", profile.instance, step.instance),
        ("operation", profile.operation, step.operation),
        ("outcome", profile.outcome.value, entry.outcome.value if entry.outcome else None),
        ("attempt", profile.attempt, entry.attempt),
        ("library_sha256", profile.library_sha256, evidence.library(step).get("profile_sha256") or ""),
        ("hash_share in the journal", entry.summary.get("hash_share"), profile.hash_share),
        ("drng_share in the journal", entry.summary.get("drng_share"), profile.drng_share),
        ("operations in the journal", entry.summary.get("operations"), profile.operations),
    ]
    for what, found, wanted in pairs:
        if not same(found, wanted):
            yield f"{what} is {found}, expected {wanted}"


def _shares(profile: ProfileRecord) -> Iterator[str]:
    """Shares are the ticks of the calls over all ticks, and only there when the self-check passed."""
    known = profile.intercepted and profile.total_ticks > 0 and not profile.overflow_calls
    hashes = sum(call.ticks for call in profile.calls if call.function != _DRNG)
    drng = sum(call.ticks for call in profile.calls if call.function == _DRNG)
    for what, stored, ticks in (
        ("hash_share", profile.hash_share, hashes),
        ("drng_share", profile.drng_share, drng),
    ):
        wanted = ticks / profile.total_ticks if known else None
        if not same(stored, wanted):
            yield f"{what}: stored {stored}, recomputed {wanted}"
    if hashes + drng > profile.total_ticks:
        yield f"its calls took {hashes + drng} ticks of {profile.total_ticks} in all"


def _calls(evidence: Evidence, entry: StepState, profile: ProfileRecord) -> Iterator[str]:
    """Calls are of functions that are counted, each kind once, over the planned number of operations."""
    kinds = [(call.function, call.in_bits, call.out_bits) for call in profile.calls]
    if len(set(kinds)) != len(kinds):
        yield "holds the same kind of call twice"
    for call in profile.calls:
        if (
            call.function not in _FUNCTIONS
            or call.calls < 1
            or min(call.ticks, call.in_bits, call.out_bits) < 0
        ):
            yield f"holds {call.calls} calls of {call.function} in {call.ticks} ticks, which cannot be"
    t1_ns = evidence.summary(Kind.CALIBRATE, entry.step).get("t1_ns")
    if evidence.campaign is not None and isinstance(t1_ns, (int, float)):
        planned = profile_iterations(t1_ns, evidence.campaign.profile)
        if profile.operations != planned:
            yield f"profiled {profile.operations} operations, planned were {planned}"
