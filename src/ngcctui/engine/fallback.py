"""The one rule of the fall-back flags: a fault that flags can cause is tried once more with the harness's own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from ngcctui.engine.toolchain import GUIDE
from ngcctui.model.outcome import Outcome
from ngcctui.model.record import KatResult

L = TypeVar("L")

#: These say nothing about the flags: no second build.
NO_FALLBACK = frozenset({Outcome.PASS, Outcome.NOKAT, Outcome.TIMEOUT})


async def kat_with_fallback(
    library: L,
    flags: str,
    run: Callable[[L], Awaitable[KatResult]],
    rebuild: Callable[[], Awaitable[L | None]],
) -> tuple[L, KatResult, KatResult | None]:
    """`run` the KAT of `library`, built with `flags`, and after a fault that of what `rebuild` gives, if it builds.

    Returns the library that counts with its result, and the fault of the guide's flags when the second one took its
    place: only a PASS does.
    """
    result = await run(library)
    if result.outcome in NO_FALLBACK or flags != GUIDE:
        return library, result, None
    second = await rebuild()
    if second is not None:
        again = await run(second)
        if again.outcome is Outcome.PASS:
            return second, again, result
    return library, result, None
