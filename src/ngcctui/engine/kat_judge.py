"""Follow a KAT worker's answer and judge it: the text, its digest and the outcome are made here, not in the worker."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ngcctui.engine.child import ChildResult, Death, kat_outcome
from ngcctui.engine.child.verdict import near_limit
from ngcctui.engine.frames import Frame
from ngcctui.engine.kat_case import KatCase
from ngcctui.engine.kat_text import TextDigest, first_difference
from ngcctui.engine.printed import shown_line
from ngcctui.model.outcome import Outcome
from ngcctui.model.record import KatResult

#: What the last frame of a worker means; `ok` is left to the digest.
_STATUS = {
    "failed": Outcome.CRYPTOFAIL,
    "rejected": Outcome.CRYPTOFAIL,
    "overflow": Outcome.OVERFLOW,
    "oom": Outcome.OOM,
    "loadfail": Outcome.LOADFAIL,
    "isolation": Outcome.ENGINE_ERROR,
    "error": Outcome.ENGINE_ERROR,
}


#: Fields of the text by the name that their declared length has.
_LENGTHS = {"pk": "public_key", "sk": "secret_key", "sn": "signature", "dst": "digest"}


class DamagedError(Exception):
    """The worker's answer is not in its order: the candidate has written into the worker's memory."""


@dataclass(frozen=True)
class RecordSeen:
    """A finished record: SHA-256 and length (bytes) of each field, and the time of each call (ns)."""

    digests: dict[str, str]
    lengths: dict[str, int]
    times_ns: dict[str, int]


@dataclass
class Progress:
    """The answer so far; fields are hashed as they come and not kept."""

    case: KatCase
    on_record: Callable[[int, int], None] | None = None
    sizes: dict[str, int] = field(default_factory=dict)
    isolation: dict[str, Any] = field(default_factory=dict)
    records: list[RecordSeen] = field(default_factory=list)
    record0_sha256: str | None = None
    damaged: str | None = None
    _fields: dict[str, bytes] = field(default_factory=dict)
    _announced: tuple[str, int] | None = None

    def __post_init__(self) -> None:
        self._text = TextDigest(self.case.nolen)

    @property
    def sha256(self) -> str | None:
        """Canonical digest of the finished records, None before the first."""
        return self._text.hex() if self.records else None

    @property
    def lengths(self) -> dict[str, tuple[int, int]]:
        """Least and greatest length that the calls returned, bytes, by the name of the declared one."""
        if not self.records:
            return {}
        of_field = {name: [seen.lengths[name] for seen in self.records] for name in self.case.fields}
        return {_LENGTHS[name]: (min(lengths), max(lengths)) for name, lengths in of_field.items()}

    @property
    def record0_same(self) -> bool | None:
        """Verdict on record 0 alone; None when its digest is not known or it was not reached."""
        known = self.case.instance.kat.record0_sha256
        if known is None and self.case.covered == 1:
            known = self.case.instance.kat.sha256
        return None if known is None or self.record0_sha256 is None else known == self.record0_sha256

    def feed(self, frame: Frame) -> None:
        """Take the next frame; an answer out of order is remembered as damaged and ends the reading."""
        if self.damaged is not None:
            return
        before = len(self.records)
        try:
            self._take(frame)
        except (DamagedError, KeyError, TypeError, ValueError, AttributeError) as error:
            self.damaged = str(error) if isinstance(error, DamagedError) else f"malformed {frame.type} frame"
        if len(self.records) > before and self.on_record is not None:
            self.on_record(len(self.records), self.case.covered)

    def _take(self, frame: Frame) -> None:
        kind = frame.data.get("type")
        if frame.type == "B":
            self._bytes(frame.payload)
        elif frame.type != "J":
            return
        elif kind == "setup":
            self.sizes = {str(key): int(value) for key, value in frame.data["sizes"].items()}
            self.isolation = dict(frame.data["isolation"])
        elif kind == "field":
            self._announce(int(frame.data["record"]), str(frame.data["field"]), int(frame.data["length"]))
        elif kind == "record":
            self._finish(
                int(frame.data["record"]), {str(k): int(v) for k, v in frame.data["times_ns"].items()}
            )

    def _announce(self, record: int, name: str, length: int) -> None:
        expected = self.case.fields[len(self._fields) : len(self._fields) + 1]
        if self._announced is not None or record != len(self.records) or (name,) != expected:
            raise DamagedError(f"field {shown_line(name, 20)} of record {record} out of order")
        if record >= self.case.records:
            raise DamagedError(f"more than {self.case.records} records")
        self._announced = (name, length)

    def _bytes(self, payload: bytes) -> None:
        announced, self._announced = self._announced, None
        if announced is None or len(payload) != announced[1]:
            raise DamagedError("bytes that were not announced")
        self._fields[announced[0]] = payload

    def _finish(self, record: int, times_ns: dict[str, int]) -> None:
        made, self._fields = self._fields, {}
        if record != len(self.records) or tuple(made) != self.case.fields:
            raise DamagedError(f"record {record} out of order")
        lines = self.case.lines(record, made)
        self._text.add(lines)
        if record == 0:
            self.record0_sha256 = self._text.hex()
        digests = {name: hashlib.sha256(value).hexdigest() for name, value in made.items()}
        self.records.append(RecordSeen(digests, {name: len(value) for name, value in made.items()}, times_ns))


def judge(progress: Progress, child: ChildResult) -> KatResult:
    """The outcome of a KAT and one line of detail.

    A death after the last frame leaves the outcome as it is; the detail tells of it.
    """
    outcome, detail = _outcome(progress, child)
    notes = [detail]
    if child.ended and child.death is not Death.NORMAL:
        notes.append(_at_exit(child))
    if child.survivors:
        notes.append(f"{child.survivors} process{'es' if child.survivors != 1 else ''} left behind, ended")
    if child.malformed:
        notes.append(child.malformed)
    return KatResult(
        outcome=outcome,
        records=len(progress.records),
        covered=progress.case.covered,
        sha256=progress.sha256,
        detail="; ".join(note for note in notes if note),
        selftest=progress.case.instance.kat.selftest,
        sizes=progress.sizes,
        lengths=progress.lengths,
    )


def _at_exit(child: ChildResult) -> str:
    if child.death is Death.TIMEOUT:
        return "did not exit, ended at the limit"
    return (
        f"crashed at exit: {child.signal}" if child.signal else f"exit code {child.exit_code} after the end"
    )


def _outcome(progress: Progress, child: ChildResult) -> tuple[Outcome, str]:
    if progress.damaged is not None:
        return Outcome.CRASH, f"the worker's answer is damaged: {progress.damaged}"
    if child.end is None:
        outcome, detail = kat_outcome(child)
        return outcome, f"{detail}; {_reached(progress, outcome)}"
    status, detail = child.end.get("status"), shown_line(str(child.end.get("detail", "")))
    if status == "ok":
        return _compare(progress)
    outcome = _STATUS.get(str(status), Outcome.ENGINE_ERROR)
    if outcome is Outcome.CRYPTOFAIL and _full(child.end):
        return Outcome.OOM, f"out of memory: {detail}"
    return outcome, detail


def _full(end: dict[str, Any]) -> bool:
    peak, limit = end.get("vm_peak_kib"), end.get("vm_limit_kib")
    return type(peak) is int and type(limit) is int and near_limit(peak, limit)


def _reached(progress: Progress, outcome: Outcome) -> str:
    """How far a worker came before it died, and after a TIMEOUT the verdict on record 0."""
    count, wanted = len(progress.records), progress.case.records
    reached = f"{count} of {wanted} record{'s' if wanted != 1 else ''} reached"
    if outcome is not Outcome.TIMEOUT or count == 0:
        return reached
    difference = first_difference([seen.digests for seen in progress.records], progress.case.known, None)
    if progress.record0_same is False or "first difference" in difference:
        return f"{reached}, {difference or 'record 0 differs'}"
    if progress.record0_same or progress.case.known:
        return f"{reached}, record 0 is right"
    return f"{reached}, no digest of record 0 is known"


def _compare(progress: Progress) -> tuple[Outcome, str]:
    case = progress.case
    if len(progress.records) != case.records:
        return Outcome.CRASH, f"the worker ended after {len(progress.records)} of {case.records} records"
    sizes = _wrong_sizes(progress)
    expected = case.expected
    if expected is None:
        missing = "of record 0 alone " if case.records < case.covered else ""
        return Outcome.NOKAT, f"no digest {missing}is known" + (f"; {sizes}" if sizes else "")
    if progress.sha256 != expected:
        digests = [seen.digests for seen in progress.records]
        where = first_difference(digests, case.known, progress.record0_same)
        return Outcome.MISMATCH, "; ".join(text for text in (sizes, where) if text) or "the text differs"
    return (Outcome.MISMATCH, sizes) if sizes else (Outcome.PASS, "")


def _wrong_sizes(progress: Progress) -> str:
    """Declared lengths that are not those of scheme.toml; sizes that it does not tell are not compared."""
    wrong = [
        f"{name.replace('_', ' ')} of {progress.sizes[name]} bytes declared, {size} in scheme.toml"
        for name, size in progress.case.instance.sizes.items()
        if name in progress.sizes and progress.sizes[name] != size
    ]
    return ", ".join(wrong)
