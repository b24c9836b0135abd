"""The operator's pause: children at work wait before their next call, nothing new is started, their limits stand still.

A child that is asked to wait says HELD on its live page.  A candidate can write to that page too, so what it says counts
only while the pause lasts: a limit stands still at most as long as the operator wants the run to.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ngcctui.engine.host import HealthSample
from ngcctui.engine.livepage import LivePage, LivePhase


@dataclass
class Held:
    """How long one child has waited, and the host's health at the beginning and the end of each time it did."""

    page: LivePage | None
    _now_ns: Callable[[], int]
    _sample: Callable[[], HealthSample] | None
    waits: list[tuple[HealthSample, HealthSample]] = field(default_factory=list)
    _ended_ns: int = 0
    _since_ns: int | None = None
    _at_start: HealthSample | None = None

    @property
    def waiting(self) -> bool:
        """True when the child has been seen to wait in this pause."""
        return self._since_ns is not None

    def seconds(self) -> float:
        """Time that the child has waited so far, seconds."""
        now_ns = 0 if self._since_ns is None else self._now_ns() - self._since_ns
        return (self._ended_ns + now_ns) / 1e9

    def look(self, asked: bool) -> None:
        """Read the page of the child; what it says counts only when it was asked to wait."""
        view = self.page.view() if asked and self.page is not None else None
        waits = view is not None and view.phase is LivePhase.HELD
        if waits and self._since_ns is None:
            self._since_ns = self._now_ns()
            self._at_start = self._sample() if self._sample else None
        elif not waits and self._since_ns is not None:
            self._ended_ns += self._now_ns() - self._since_ns
            self._since_ns = None
            if self._at_start is not None and self._sample is not None:
                self.waits.append((self._at_start, self._sample()))


class Hold:
    """Whether the run is paused, and the children that are at work."""

    def __init__(self, now_ns: Callable[[], int] = time.monotonic_ns) -> None:
        self._now_ns = now_ns
        self._children: list[Held] = []
        self._released = asyncio.Event()
        self._released.set()
        self._at_gate = 0

    @property
    def asked(self) -> bool:
        """True while the run is paused."""
        return not self._released.is_set()

    @property
    def waiting(self) -> int:
        """How many wait in this pause: children before their next call, and steps before their next child."""
        return self._at_gate + sum(child.waiting for child in self._children)

    def ask(self) -> None:
        """Pause: every child waits before its next call."""
        self._released.clear()
        self.look()

    def release(self) -> None:
        """Go on."""
        self._released.set()
        self.look()  # before the children do: what the host does from now on belongs to their calls again
        for child in self._children:
            _tell(child.page, False)

    def look(self) -> None:
        """See which children wait; to be called every second."""
        for child in self._children:
            if self.asked:
                _tell(child.page, True)
            child.look(self.asked)

    async def passed(self) -> None:
        """Wait until the run is not paused; to be awaited before a child is started."""
        self._at_gate += 1
        try:
            await self._released.wait()
        finally:
            self._at_gate -= 1

    @contextlib.contextmanager
    def over(self, page: LivePage | None, sample: Callable[[], HealthSample] | None = None) -> Iterator[Held]:
        """A child that shows itself on `page` is at work; without a page it cannot be held."""
        child = Held(page, self._now_ns, sample)
        _tell(page, self.asked)
        self._children.append(child)
        try:
            yield child
        finally:
            self._children.remove(child)
            child.look(False)
            _tell(page, False)


def _tell(page: LivePage | None, asked: bool) -> None:
    if page is not None:
        page.hold(asked)
