"""Run asynchronous work in a process of its own that is a subreaper, as the engine is, and not in pytest's."""

from __future__ import annotations

import asyncio
import multiprocessing
import traceback
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

from ngcctui.engine.child import become_subreaper

T = TypeVar("T")


def run_forked(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """The result of `work()`; what it raises fails the test with its trace."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)

    def body() -> None:
        try:
            assert become_subreaper()
            sender.send((asyncio.run(work()), None))
        except BaseException:  # noqa: BLE001 -- whatever it is, the test has to show it
            sender.send((None, traceback.format_exc()))

    process = context.Process(target=body)
    process.start()
    sender.close()
    try:
        result, trace = receiver.recv()
    except EOFError:
        result, trace = None, "the process died"
    process.join()
    assert trace is None, trace
    return result  # type: ignore[no-any-return]


def processes_with(text: str) -> list[int]:
    """Living processes whose command line contains `text`."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if text.encode() in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
    return found
