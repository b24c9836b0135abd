"""How numbers are printed on pages, and what a printed number says about the value behind it.

The notation is the one of the published performance pages.  Its rules, and the only ones used anywhere:

- a unit is chosen by the unrounded value (999.96 million cycles are `999.96 M`, 999.999 million are `1000.00 M`);
- times, rates and calls per operation have three significant digits without trailing zeros, so a value that rounds to
  1000 or more of the largest unit, or just below the next unit, is written `4e+03 s`, `1e+03 ms`;
- a missing value is an en dash, and so is one that cannot be (not finite, negative, or zero where nothing costs zero).

Every `parse_*` is the inverse of its formatter: the values that print as the given text.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

#: Printed for a missing value (U+2013), on pages and in TOML strings.
DASH = "\N{EN DASH}"
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
TIMES = "\N{MULTIPLICATION SIGN}"

_CYCLE_UNITS = ((1e9, 2, " G"), (1e6, 2, " M"), (1e4, 1, " k"))
_CYCLE_SCALE = {"G": 1e9, "M": 1e6, "k": 1e3, "": 1.0}
_TIME_UNITS = ((1e9, "s"), (1e6, "ms"), (1e3, "\N{MICRO SIGN}s"), (1.0, "ns"))
_TIME_SCALE = {unit: scale for scale, unit in _TIME_UNITS}
_NUMBER = r"(\d+(?:\.\d+)?(?:e[+-]\d+)?)"


def _positive(value: float | None) -> bool:
    return value is not None and math.isfinite(value) and value > 0


def cycles(value: float | None) -> str:
    """Cycles: `x.xx G` from 1e9, `x.xx M` from 1e6, `x.x k` from 1e4, else whole; 0 counts as missing."""
    if value is None or not _positive(value):
        return DASH
    for threshold, decimals, unit in _CYCLE_UNITS:
        if value >= threshold:
            return f"{value / _CYCLE_SCALE[unit.strip()]:.{decimals}f}{unit}"
    return f"{value:.0f}"


def time_ns(value: float | None, digits: int = 3) -> str:
    """A time given in ns, in the largest of s, ms, µs, ns that is at least 1 of it, in significant digits."""
    if value is None or not _positive(value):
        return DASH
    for scale, unit in _TIME_UNITS:
        if value >= scale:
            return f"{value / scale:.{digits}g} {unit}"
    return f"{value:.{digits}g} ns"


def rate(value: float | None) -> str:
    """Operations a second, or any plain count, with three significant digits."""
    return f"{value:.3g}" if value is not None and _positive(value) else DASH


def share(fraction: float | None) -> str:
    """A fraction of 1 as percent: whole from 9.5 %, one decimal below; zero is a value here."""
    if fraction is None or not math.isfinite(fraction) or fraction < 0:
        return DASH
    percent = fraction * 100
    return f"{percent:.0f}%" if percent >= 9.5 else f"{percent:.1f}%"


def deviation(fraction: float | None) -> str:
    """A relative deviation: percent with two significant digits, whole from 10 %; from 1000 % as multiples (`13×`)."""
    if fraction is None or not math.isfinite(fraction) or fraction < 0:
        return DASH
    percent = fraction * 100
    if percent >= 999.5:
        return f"{fraction:.0f}{TIMES}"
    return f"{percent:.0f}%" if percent >= 9.95 else f"{percent:.2g}%"


def one_decimal(value: float | None) -> str:
    """Cycles per byte, or MB/s (1 MB = 1e6 bytes)."""
    return f"{value:.1f}" if value is not None and _positive(value) else DASH


def kib_floor(size_bytes: int | None) -> int | None:
    """Bytes as whole KiB, rounded down."""
    return None if size_bytes is None or size_bytes < 0 else size_bytes // 1024


def kib(size_kib: int | None) -> str:
    """Memory in whole KiB."""
    return DASH if size_kib is None else f"{size_kib} KiB"


def whole(value: int | None) -> str:
    """A plain integer without separators: lengths, ELF images."""
    return DASH if value is None else str(value)


def count(measurements: int | None, trials: int | None, iterations: int | None) -> str:
    """n: all calls, and in brackets the trials and the calls of each."""
    if measurements is None or trials is None or iterations is None:
        return DASH
    return f"{measurements} ({trials} {TIMES} {iterations})"


def calls_per_operation(calls: Mapping[str, float]) -> str:
    """`function count` for each helper function in order of its name; an en dash when none was called."""
    return ", ".join(f"{name} {_count(calls[name])}" for name in sorted(calls)) or DASH


def _count(value: float) -> str:
    return f"{value:.3g}"


def digest_prefix(digest: str | None) -> str:
    """The first 16 hex digits of a digest."""
    return DASH if not digest else f"{digest[:16]}{ELLIPSIS}"


def message(message_bytes: int) -> str:
    """Length of a hash message."""
    return f"{message_bytes} B"


@dataclass(frozen=True)
class Printed:
    """What a printed number says: values `low` to `high` print like it; `value` is one of them, in base units."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class _Unit:
    """One unit of a notation: its size, the least value that gets it, and the formatter that chooses it."""

    scale: float
    least: float
    again: Callable[[float], str]


def _printed(text: str, centre: float, below: float, above: float, unit: _Unit) -> Printed:
    """The values from `centre - below` to `centre + above` (in units) that print as `text`.

    At the edge of two units the rounded number itself would be printed in the larger one: `1e+03 ms` stands for
    999.5 to 1000 ms only, and the value taken is the middle of these.
    """
    value = centre * unit.scale
    low, high = max((centre - below) * unit.scale, unit.least), (centre + above) * unit.scale
    if unit.again(value) != text:
        high = value
        value = (low + value) / 2
    if unit.again(value) != text:
        raise ValueError(f"not in the notation of the pages: {text!r}")
    return Printed(value, low, high)


def _three_digits(text: str, number: str, unit: _Unit) -> Printed:
    """A number with three significant digits; just below a power of ten they are ten times finer."""
    centre = float(number)
    exponent = math.floor(math.log10(centre)) if centre else 0
    half = 0.5 * 10.0 ** (exponent - 2)
    power_of_ten = f"{centre:.2e}".startswith("1.00e")
    return _printed(text, centre, half / 10 if power_of_ten else half, half, unit)


def _decimals(text: str, number: str, unit: _Unit) -> Printed:
    """A number with the decimals it shows."""
    half = 0.5 * 10.0 ** -len(number.partition(".")[2])
    return _printed(text, float(number), half, half, unit)


def _match(pattern: str, text: str) -> re.Match[str]:
    found = re.fullmatch(pattern, text)
    if not found:
        raise ValueError(f"not in the notation of the pages: {text!r}")
    return found


def parse_cycles(text: str) -> Printed | None:
    """Cycles of a printed cell, None for an en dash; ValueError when it is neither."""
    if text == DASH:
        return None
    number, letter = _match(r"(\d+(?:\.\d+)?)(?: ([GMk]))?", text).groups("")
    least = {"G": 1e9, "M": 1e6, "k": 1e4, "": 0.0}[letter]
    return _decimals(text, number, _Unit(_CYCLE_SCALE[letter], least, cycles))


def parse_time_ns(text: str) -> Printed | None:
    """Nanoseconds of a printed time, None for an en dash; ValueError when it is neither."""
    if text == DASH:
        return None
    number, name = _match(_NUMBER + r" (s|ms|µs|ns)", text).groups()
    scale = _TIME_SCALE[name]
    return _three_digits(text, number, _Unit(scale, 0.0 if name == "ns" else scale, time_ns))


def parse_rate(text: str) -> Printed | None:
    """A printed rate or count, None for an en dash; ValueError when it is neither."""
    if text == DASH:
        return None
    return _three_digits(text, _match(_NUMBER, text)[1], _Unit(1.0, 0.0, rate))


def parse_share(text: str) -> Printed | None:
    """The fraction behind a printed percentage, None for an en dash; ValueError when it is neither."""
    if text == DASH:
        return None
    number = _match(r"(\d+(?:\.\d)?)%", text)[1]
    return _decimals(text, number, _Unit(0.01, 0.0 if "." in number else 0.095, share))


def parse_one_decimal(text: str) -> Printed | None:
    """Cycles per byte or MB/s, None for an en dash; ValueError when it is neither."""
    if text == DASH:
        return None
    return _decimals(text, _match(r"(\d+\.\d)", text)[1], _Unit(1.0, 0.0, one_decimal))


def parse_calls(text: str) -> dict[str, Printed]:
    """Calls per operation by function; empty for an en dash; ValueError when it is neither."""
    if text == DASH:
        return {}
    found = [_match(r"(\w+) " + _NUMBER, part) for part in text.split(", ")]
    calls = {part[1]: _three_digits(part[2], part[2], _Unit(1.0, 0.0, _count)) for part in found}
    if list(calls) != sorted(part[1] for part in found):
        raise ValueError(f"not in the notation of the pages: {text!r}")
    return calls
