"""How a step ended: one enum for all kinds of steps."""

from __future__ import annotations

from enum import Enum


class Outcome(str, Enum):
    """Outcome of a step, as journalled, stored and printed.

    Upper-case values belong to build and KAT steps, lower-case ones to calibrate, measure and profile steps.
    """

    PASS = "PASS"
    MISMATCH = "MISMATCH"
    NOKAT = "NOKAT"
    CRYPTOFAIL = "CRYPTOFAIL"
    OVERFLOW = "OVERFLOW"
    TIMEOUT = "TIMEOUT"
    LOADFAIL = "LOADFAIL"
    CRASH = "CRASH"
    EXITED = "EXITED"
    OOM = "OOM"
    KILLED = "KILLED"
    BUILDFAIL = "BUILDFAIL"

    DONE = "done"
    FAILED = "failed"
    REJECTED = "rejected"
    OVERFLOWED = "overflow"
    OUT_OF_MEMORY = "oom"
    EXITED_EARLY = "exited"
    CRASHED = "crashed"
    WAS_KILLED = "killed"
    TIMED_OUT = "timeout"
    SKIPPED = "skipped"
    ENGINE_ERROR = "engine-error"

    @property
    def good(self) -> bool:
        """True for the two outcomes that are no failure (skipped is neither and counts as a failure)."""
        return self in (Outcome.PASS, Outcome.DONE)


#: After these build/KAT outcomes an instance is not timed; after the rest it is timed and marked.
NOT_TIMED_AFTER = frozenset(
    {
        Outcome.BUILDFAIL,
        Outcome.LOADFAIL,
        Outcome.CRASH,
        Outcome.EXITED,
        Outcome.OOM,
        Outcome.KILLED,
    }
)
