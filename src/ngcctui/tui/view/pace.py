"""How near a running step is to the limit that ends it."""

from __future__ import annotations

from dataclasses import dataclass

from ngcctui.durations import clock

#: Shares of the limit from which a step counts as slow, and from which the time left is counted down.
SLOW = 0.5
COUNTDOWN = 0.75


@dataclass(frozen=True)
class Pace:
    """Time that a process has run and may run, seconds; a limit of 0 is none or not known."""

    elapsed_s: float
    limit_s: float

    @property
    def slow(self) -> bool:
        """True from half the limit on."""
        return self.limit_s > 0 and self.elapsed_s >= SLOW * self.limit_s

    @property
    def left_s(self) -> float | None:
        """Seconds until the limit ends it, from three quarters of it on; None before."""
        if self.limit_s <= 0 or self.elapsed_s < COUNTDOWN * self.limit_s:
            return None
        return max(self.limit_s - self.elapsed_s, 0.0)

    @property
    def word(self) -> str:
        """What there is to warn of in few letters: `slow`, `-1:05` before the limit, or nothing."""
        left_s = self.left_s
        if left_s is not None:
            return f"-{clock(left_s)}"
        return "slow" if self.slow else ""

    def told(self) -> str:
        """The same in a sentence's part: `7.2 s of 12 s limit, slow`."""
        if self.limit_s <= 0:
            return seconds(self.elapsed_s)
        left_s = self.left_s
        warning = f", ended in {clock(left_s)}" if left_s is not None else ", slow" if self.slow else ""
        return f"{seconds(self.elapsed_s)} of {seconds(self.limit_s)} limit{warning}"


def seconds(value: float) -> str:
    """A time for people: tenths of a second below 100 s, then minutes and hours."""
    if value >= 100:
        return clock(value)
    return f"{value:.0f} s" if value >= 10 or value == int(value) else f"{value:.1f} s"
