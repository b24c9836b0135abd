"""Events: the lines of a run's journal."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

VERSION = 1


class EventName(str, Enum):
    """Every event a journal can hold."""

    RUN_START = "run_start"
    SESSION_START = "session_start"
    HOST = "host"
    STEP_START = "step_start"
    KAT_RECORD = "kat_record"
    TRIAL = "trial"
    STEP_END = "step_end"
    CONTROL = "control"
    HEALTH = "health"
    WARNING = "warning"
    SESSION_END = "session_end"
    RUN_END = "run_end"


_NAMES = {name.value: name for name in EventName}
_raw_decode = json.JSONDecoder().raw_decode


@dataclass(frozen=True, slots=True)
class Event:
    """One journal line.

    `seq` counts from 1 without gaps over all sessions; `utc` is ISO 8601 with milliseconds and `Z`; `mono_ns` is
    CLOCK_MONOTONIC in ns and compares only within one boot; `step` is a step id or None.
    """

    seq: int
    utc: str
    mono_ns: int
    event: EventName
    step: str | None = None
    data: dict[str, Any] = field(default_factory=dict)

    def to_line(self) -> bytes:
        """The journal line, with its newline, ASCII only (text from outside cannot carry control bytes into it)."""
        fields: dict[str, Any] = {
            "v": VERSION,
            "seq": self.seq,
            "utc": self.utc,
            "mono_ns": self.mono_ns,
            "event": self.event.value,
        }
        if self.step is not None:
            fields["step"] = self.step
        if self.data:
            fields["data"] = self.data
        return (
            json.dumps(fields, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode("ascii")
            + b"\n"
        )

    @classmethod
    def from_line(cls, line: bytes) -> Event | None:
        """Decode a journal line; None when it is torn, foreign, of another version or an unknown event."""
        try:
            text = line.strip().decode("utf-8")
            raw, end = _raw_decode(text)
        except (ValueError, RecursionError):
            return None
        try:
            seq, utc, mono_ns = raw["seq"], raw["utc"], raw["mono_ns"]
            step, data = raw.get("step"), raw.get("data", {})
            name = _NAMES[raw["event"]]
            known = raw["v"] == VERSION and end == len(text)
        except (KeyError, TypeError, AttributeError):
            return None
        if not (
            known
            and type(seq) is int
            and type(mono_ns) is int
            and type(utc) is str
            and type(data) is dict
            and (step is None or type(step) is str)
        ):
            return None
        return cls(seq, utc, mono_ns, name, step, data)
