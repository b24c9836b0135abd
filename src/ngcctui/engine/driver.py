"""Ask the timing driver for work and read its answer: job keys out, checked frames in.

What comes back passed through a process that ran a candidate's code, so every field is checked before use.
"""

from __future__ import annotations

import json
from array import array
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ngcctui.engine.frames import Frame
from ngcctui.engine.stats import VERIFY_SIGNATURES
from ngcctui.model.campaign import Campaign, Inputs
from ngcctui.model.codec import CodecError, decode
from ngcctui.model.operation import Operation
from ngcctui.model.scheme import Function, Instance, Scheme

T = TypeVar("T")


class ProtocolError(Exception):
    """The driver's answer is not what was asked for; the text says which part."""


@dataclass(frozen=True)
class Setup:
    """State of the process before timing: declared sizes and RSS in bytes, times in ns."""

    setup_ns: int
    public_key: int
    secret_key: int
    signature: int
    baseline_rss_kib: int
    empty_loop_ns: float
    isolation: dict[str, Any] = field(default_factory=dict)
    instance: str = ""


@dataclass(frozen=True)
class RawTrial:
    """One trial as the driver saw it; times in ns, `samples` values of `batch` calls each.

    It waited for `held_ns` between calls while the run was paused; no other figure holds any of that.
    """

    trial: int
    iterations: int
    batch: int
    wall_ns: int
    cpu_ns: int
    cycles: int | None
    counter: str
    ticks: int | None
    tick_source: str
    cpu_before: int
    cpu_after: int
    voluntary_switches: int
    involuntary_switches: int
    minor_faults: int
    major_faults: int
    retries: int
    rejected: int
    failures: int
    failure_code: int
    samples: int
    held_ns: int = 0


@dataclass(frozen=True)
class End:
    """The driver's own verdict and the memory of its process (KiB)."""

    status: str
    detail: str = ""
    peak_rss_kib: int | None = None
    vm_peak_kib: int | None = None
    vm_limit_kib: int | None = None


@dataclass(frozen=True)
class RawProfile:
    """Counts of the helper functions: rows of (function, in bits, out bits, calls, ticks)."""

    operations: int
    warmups: int
    total_ticks: int
    tick_source: str
    tick_hz: float
    intercepted: bool
    why: str
    overflow_calls: int
    calls: tuple[tuple[Any, ...], ...]


@dataclass
class Answer:
    """Everything one driver process said, in order."""

    setup: Setup | None = None
    trials: list[tuple[RawTrial, array[int]]] = field(default_factory=list)
    profile: RawProfile | None = None
    end: End | None = None
    _pending: RawTrial | None = None

    def feed(self, frame: Frame) -> None:
        """Take one frame; ProtocolError when it does not belong here."""
        if frame.type == "S":
            self._samples(frame.payload)
        elif frame.type == "J":
            self._object(frame.payload)

    def _samples(self, payload: bytes) -> None:
        trial, self._pending = self._pending, None
        if trial is None:
            raise ProtocolError("samples without a trial")
        if len(payload) != 8 * trial.samples or trial.samples != -(-trial.iterations // trial.batch):
            raise ProtocolError(
                f"trial {trial.trial}: {len(payload)} bytes of samples do not fit its figures"
            )
        values = array("Q")
        values.frombytes(payload)
        self.trials.append((trial, values))

    def _object(self, payload: bytes) -> None:
        try:
            data = json.loads(payload)
            kind = data.pop("type")
        except (ValueError, KeyError, AttributeError, TypeError, RecursionError):
            raise ProtocolError("a frame is no typed JSON object") from None
        if kind == "setup":
            self.setup = _read(Setup, data, kind)
        elif kind == "trial":
            trial = _read(RawTrial, data, kind)
            if trial.iterations < 1 or trial.batch < 1 or min(trial.wall_ns, trial.cpu_ns, trial.held_ns) < 0:
                raise ProtocolError("trial: figures out of range")
            self._pending = trial
        elif kind == "profile":
            self.profile = _read(RawProfile, data, kind)
        elif kind == "end":
            self.end = _read(End, data, kind)
        else:
            raise ProtocolError(f"unknown frame type {str(kind)[:40]!r}")


def _read(cls: type[T], data: Any, kind: str) -> T:
    try:
        return decode(cls, data)
    except CodecError as error:
        raise ProtocolError(f"{kind}: {error}") from None


def most_inputs(operation: str, campaign: Campaign) -> int:
    """How many inputs a process prepares in its set-up at the most: verify has a signature for each of its inputs."""
    return VERIFY_SIGNATURES if operation == "verify" and campaign.inputs is Inputs.VARIED else 1


def job(scheme: Scheme, instance: Instance, operation: Operation, campaign: Campaign) -> dict[str, str]:
    """Job keys that every driver process of this operation shares (docs/driver.md)."""
    keys = {
        "function": scheme.file.function.value,
        "operation": "hash" if scheme.file.function is Function.HASH else operation.name,
        "inputs": campaign.inputs.value,
        "signatures": str(VERIFY_SIGNATURES),
    }
    if scheme.file.function is Function.HASH:
        keys |= {"message_bytes": str(operation.message_bytes), "digest_bits": str(instance.digest_bits)}
    return keys
