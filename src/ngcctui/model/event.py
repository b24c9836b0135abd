"""Events: the lines of a run's journal."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
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


# Every viewer reads journals of up to several hundred thousand lines, so little is spent on them but for the JSON.
_NAMES = {name.value: name for name in EventName}
_raw_decode = json.JSONDecoder().raw_decode
_SEPARATOR = re.compile(rb"\]\s*,\s*\[")


@dataclass(frozen=True)
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
        return json.dumps(fields, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode("ascii") + b"\n"

    @classmethod
    def from_line(cls, line: bytes) -> Event | None:
        """Decode a journal line; None when it is torn, foreign, of another version or an unknown event."""
        try:
            text = line.strip().decode("utf-8")
            raw, end = _raw_decode(text)
        except (ValueError, RecursionError):
            return None
        return cls._made(raw) if end == len(text) else None

    @classmethod
    def from_lines(cls, lines: Sequence[bytes]) -> list[Event | None]:
        """Decode many lines; the same as `from_line` for each, and faster where all of them are JSON.

        They are read as one array of arrays with a line each.  No line holds what separates them and there are as many
        arrays as lines, so no line can have ended or begun an array of another.
        """
        text = b"],[".join(lines)
        if len(_SEPARATOR.findall(text)) == len(lines) - 1:
            try:
                raws = json.loads(f"[[{text.decode('utf-8')}]]")
            except (ValueError, RecursionError):
                raws = []
            if len(raws) == len(lines) and all(len(raw) == 1 for raw in raws):
                return [cls._made(raw) for (raw,) in raws]
        return [cls.from_line(line) for line in lines]

    @classmethod
    def _made(cls, raw: Any) -> Event | None:
        """The event of a decoded line; None when it is none."""
        try:
            seq, utc, mono_ns = raw["seq"], raw["utc"], raw["mono_ns"]
            step, data = raw.get("step"), raw.get("data", {})
            name = _NAMES[raw["event"]]
            known = raw["v"] == VERSION
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
        event = object.__new__(cls)
        # What the generated __init__ does, without its call of object.__setattr__ for every field.
        fields = event.__dict__
        fields["seq"], fields["utc"], fields["mono_ns"] = seq, utc, mono_ns
        fields["event"], fields["step"], fields["data"] = name, step, data
        return event
