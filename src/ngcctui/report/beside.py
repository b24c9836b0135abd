"""Do two things at once: one of them in a fork of this process, which has in memory what was read."""

from __future__ import annotations

import os
import pickle
import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

S = TypeVar("S")
T = TypeVar("T")

#: A report or a validation of so many records gains more from a second core than a fork costs.
MANY_RECORDS = 300


def beside(work: Callable[[], T], *, records: int) -> Callable[[], T]:
    """Start `work` in a fork; returns a function that waits for its result, which must survive pickling.

    Where it is about few `records`, there is no second core, or other threads run (their locks would stay taken in a fork),
    the work is done here when the result is asked for; likewise when the fork dies.
    """
    if records < MANY_RECORDS or threading.active_count() > 1 or len(os.sched_getaffinity(0)) < 2:
        return work
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        _answer(work, reader, writer)
    os.close(writer)

    def result() -> T:
        with open(reader, "rb") as pipe:
            answer = pipe.read()
        _, status = os.waitpid(pid, 0)
        if status != 0:
            return work()
        found: T = pickle.loads(answer)
        return found

    return result


def in_halves(work: Callable[[Sequence[S]], T], items: Sequence[S], *, records: int) -> tuple[T, T]:
    """Results of `work` for the first and for the second half of `items`, the second made beside the first."""
    half = len(items) // 2
    second = beside(partial(work, items[half:]), records=records)
    return work(items[:half]), second()


def _answer(work: Callable[[], object], reader: int, writer: int) -> None:
    """The fork: do the work, hand over what came out of it, and end without any of the parent's endings."""
    code = 1
    try:
        os.close(reader)
        with open(writer, "wb") as pipe:
            pickle.dump(work(), pipe, pickle.HIGHEST_PROTOCOL)
        code = 0
    finally:
        os._exit(code)
