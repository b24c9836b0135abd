"""Times for people: how long something took, and a range of how long it will take."""

from __future__ import annotations


def clock(seconds: float) -> str:
    """`1:42`, `2:03:04`, `3d 04:05`."""
    whole = int(max(0.0, seconds))
    minutes, second = divmod(whole, 60)
    hours, minute = divmod(minutes, 60)
    if hours >= 24:
        return f"{hours // 24}d {hours % 24:02d}:{minute:02d}"
    return f"{hours}:{minute:02d}:{second:02d}" if hours else f"{minute}:{second:02d}"


#: Times up to so many seconds are told in a unit of so many seconds.
_UNITS = ((120.0, 1.0, "s"), (7200.0, 60.0, "min"), (172800.0, 3600.0, "h"), (float("inf"), 86400.0, "d"))


def span(low_s: float, high_s: float) -> str:
    """A range of time, rounded outwards: `40-90 s`, `2-4 min`, `50 s-3 min`, `3-8 h`, `2-5 d`."""
    (low_size, low_unit), (size, unit) = _unit(low_s), _unit(high_s)
    low, high = int(low_s // low_size), -int(-high_s // size)
    if low_unit != unit and low:
        return f"{low} {low_unit}-{high} {unit}"
    return f"{high} {unit}" if low == high else f"{low}-{high} {unit}"


def at_least(seconds: float) -> str:
    """A time, rounded down: `40 s`, `2 min`."""
    size, unit = _unit(seconds)
    return f"{int(seconds // size)} {unit}"


def _unit(seconds: float) -> tuple[float, str]:
    return next((size, unit) for longest, size, unit in _UNITS if seconds <= longest)
