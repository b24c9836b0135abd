"""Operations as data: what a function offers, in page order, and what each needs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Operation:
    """One operation of an instance.

    `message_bytes` is the input length of a hash operation, 0 for others.
    """

    name: str
    message_bytes: int = 0


SIGNATURE_OPERATIONS = (Operation("keygen"), Operation("sign"), Operation("verify"))


def hash_operation(message_bytes: int) -> Operation:
    """The operation `hash_<bytes>` of a hash instance."""
    return Operation(f"hash_{message_bytes}", message_bytes)


def message_bytes(operation: str) -> int:
    """Message length of a hash operation (`hash_1024`), 0 for others."""
    digits = operation.removeprefix("hash_")
    return int(digits) if digits != operation and digits.isdecimal() and len(digits) < 19 else 0
