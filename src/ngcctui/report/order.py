"""Row order of the pages: instances naturally, operations as they are used."""

from __future__ import annotations

from ngcctui.model.natural import natural

_OPERATIONS = {name: rank for rank, name in enumerate(("keygen", "enc", "dec", "sign", "verify"))}


def operation_rank(operation: str) -> tuple[int, tuple[tuple[int, int, str], ...]]:
    """Sort key of an operation in sections 4 to 6: keygen, sign, verify; hash operations by message length."""
    return _OPERATIONS.get(operation, len(_OPERATIONS)), natural(operation)
