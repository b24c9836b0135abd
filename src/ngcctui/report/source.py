"""Read what a run's steps left on disk: a file that is missing, changed or damaged costs its own rows only."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from ngcctui.engine.rundir import RunDir
from ngcctui.engine.runstate import Status, StepState
from ngcctui.engine.store import sha256_bytes
from ngcctui.model.codec import CodecError
from ngcctui.model.outcome import Outcome
from ngcctui.model.record import SCHEMA, ProfileRecord, Record, Statistics
from ngcctui.model.typed_json import decode_json

T = TypeVar("T", Record, ProfileRecord)

#: Is told the relative path and the content of every file that was read.
Seen = Callable[[str, bytes], None]

#: No record is larger; what is came from no engine.
MAX_BYTES = 64 << 20
#: The process can die in these ways after its last figure: figures that are whole then stand.
_DIED = frozenset(
    {
        Outcome.CRASHED,
        Outcome.EXITED_EARLY,
        Outcome.WAS_KILLED,
        Outcome.TIMED_OUT,
        Outcome.OUT_OF_MEMORY,
    }
)
_MACHINES = {62: "x86-64", 183: "arm64"}


class Unreadable(Exception):
    """A file that cannot be used; the text says why, without its name."""


def read_regular(path: Path | str, limit: int = MAX_BYTES) -> bytes:
    """The content of a regular file of at most `limit` bytes; Unreadable otherwise.  Never waits (FIFO, device)."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            status = os.fstat(fd)
            if not stat.S_ISREG(status.st_mode):
                raise Unreadable("is no regular file")
            if status.st_size > limit:
                raise Unreadable(f"is larger than {limit >> 20} MiB")
            return _read(fd, status.st_size)
        finally:
            os.close(fd)
    except OSError as error:
        raise Unreadable(f"cannot be read: {error.strerror}") from None


def _read(fd: int, size: int) -> bytes:
    """So many bytes, or what there is: one call where the file does not change meanwhile."""
    data = os.read(fd, size)
    while 0 < len(data) < size:
        piece = os.read(fd, size - len(data))
        if not piece:
            break
        data += piece
    return data


def read_json(
    cls: type[T], path: Path | str, sha256: str | None, seen: Callable[[bytes], None] | None = None
) -> T:
    """The record in a JSON file whose digest the journal knows; Unreadable when it is not that file or no record.

    `seen` is given what was read, whatever it is.
    """
    data = read_regular(path)
    if seen is not None:
        seen(data)
    if sha256 is not None and sha256_bytes(data) != sha256:
        raise Unreadable("is not the file that the journal names (its SHA-256 differs)")
    try:
        record = decode_json(cls, data)
    except CodecError as error:
        _refuse_newer(data)
        raise Unreadable(f"is damaged: {error}") from None
    except (ValueError, RecursionError):
        raise Unreadable("is damaged: no JSON") from None
    if record.schema > SCHEMA:
        _refuse_newer(data)
    return record


def _refuse_newer(data: bytes) -> None:
    """Unreadable when a record, whatever else is in it, is of a later schema."""
    table = json.loads(data)
    schema = table.get("schema") if isinstance(table, dict) else None
    if type(schema) is int and schema > SCHEMA:
        raise Unreadable(f"is of schema {schema}, newer than this program knows ({SCHEMA})")


@dataclass(frozen=True)
class Measured:
    """One operation's measurement: its record where it can be read, its figures where they may be printed.

    Without figures `word` tells why; `problem` names a file that is not as it should be.
    """

    instance: str
    operation: str
    word: str = ""
    record: Record | None = None
    figures: Statistics | None = None
    problem: str = ""


@dataclass(frozen=True)
class Profiled:
    """One operation's profile, like Measured."""

    instance: str
    operation: str
    word: str = ""
    record: ProfileRecord | None = None
    problem: str = ""


def load_measured(run: RunDir, entry: StepState, seen: Seen | None = None) -> Measured:
    """The measurement of a measure step; `seen` is told the relative path and the content of the file."""
    step = entry.step
    operation = step.operation or ""
    name = run.record_name(step.scheme, step.instance, operation)
    record, word, problem = _load(Record, run, entry, name, seen)
    if record is None:
        return Measured(step.instance, operation, word, None, None, problem)
    if record.outcome is not Outcome.DONE and not (record.outcome in _DIED and record.statistics):
        return Measured(step.instance, operation, record.outcome.value, record)
    wrong = _wrong_figures(record)
    if wrong:
        return Measured(
            step.instance, operation, Outcome.FAILED.value, record, None, f"{step}: the record {wrong}"
        )
    return Measured(step.instance, operation, "", record, record.statistics)


def load_profiled(run: RunDir, entry: StepState, seen: Seen | None = None) -> Profiled:
    """The profile of a profile step, like load_measured; the word is `unknown` when the self-check proved nothing."""
    step = entry.step
    operation = step.operation or ""
    name = run.profile_name(step.scheme, step.instance, operation)
    record, word, problem = _load(ProfileRecord, run, entry, name, seen)
    if record is None:
        return Profiled(step.instance, operation, word, None, problem)
    if record.outcome is not Outcome.DONE:
        return Profiled(step.instance, operation, record.outcome.value, record)
    known = record.intercepted and record.hash_share is not None and record.operations > 0
    return Profiled(step.instance, operation, "" if known else "unknown", record)


def _load(
    cls: type[T], run: RunDir, entry: StepState, name: str, seen: Seen | None
) -> tuple[T | None, str, str]:
    """The record in the file `name`, or else the word to print and what is wrong with the file (if anything is)."""
    if entry.status is not Status.ENDED or entry.outcome is None:
        return None, entry.status.value, ""
    if entry.file is None:
        if entry.outcome is Outcome.DONE:
            return None, Outcome.FAILED.value, f"{entry.step}: the journal names no record"
        return None, entry.outcome.value, ""
    try:
        record = read_json(cls, f"{run.path}/{name}", entry.sha256, partial(seen, name) if seen else None)
        if record.step != str(entry.step) or record.outcome is not entry.outcome:
            raise Unreadable("belongs to another step or ended otherwise than the journal says")
    except Unreadable as error:
        return None, Outcome.FAILED.value, f"{name} {error}"
    return record, "", ""


def _wrong_figures(record: Record) -> str:
    """What keeps the figures of an ended record from being printed; empty when nothing does."""
    figures, plan = record.statistics, record.plan
    if figures is None or plan is None:
        return "has no figures"
    if figures.calls != plan.trials * plan.iterations:
        return f"holds {figures.calls} calls, planned were {plan.trials} x {plan.iterations}"
    if figures.mean_ns <= 0 or figures.ops_per_second <= 0 or figures.min_ns < 0:
        return "holds times that cannot be"
    return ""


def machine_of(path: Path) -> str:
    """Architecture that a built library is for (`x86-64`, `arm64`); empty when unknown."""
    try:
        with open(os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK), "rb") as file:
            head = file.read(20)
    except OSError:
        return ""
    if len(head) < 20 or head[:4] != b"\x7fELF" or head[5] not in (1, 2):
        return ""
    return _MACHINES.get(int.from_bytes(head[18:20], "little" if head[5] == 1 else "big"), "")
