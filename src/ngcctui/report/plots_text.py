"""Charts as lines of text for a terminal."""

from __future__ import annotations

import math
from collections.abc import Callable

from ngcctui.report.plots import Chart, CostChart, TrialChart, steps, ticks
from ngcctui.report.text import ascii_only, visible, width

#: Marks: bounds, bar between them, our mean, then published systems in order; the same for a terminal without UTF-8.
_GLYPHS = ("├", "─", "┤", "●", "◆◇▲△■□")
_ASCII = ("[", "-", "]", "o", "ABCDEF")
_LEAST_AXIS = 20


def chart_text(chart: Chart, columns: int = 100, ascii: bool = False) -> str:
    """A chart in `columns` columns: its title, a line for each operation, its axis and what the marks mean."""
    lines = _cost(chart, columns, ascii) if isinstance(chart, CostChart) else _trials(chart, columns, ascii)
    text = "\n".join(line.rstrip() for line in (visible(chart.title), *lines)) + "\n"
    return ascii_only(text) if ascii else text


def _cost(chart: CostChart, columns: int, ascii: bool) -> list[str]:
    left, line, right, mean, marks = _ASCII if ascii else _GLYPHS
    low, high = chart.span()
    low, high = low / 1.1, high * 1.1
    names = [visible(bar.name) for bar in chart.bars]
    values = [chart.text(bar.value) for bar in chart.bars]
    axis = _axis(columns, names, values)
    place = _logarithmic(low, high, axis)
    lines = []
    for bar, name, value in zip(chart.bars, names, values, strict=True):
        cells = [" "] * axis
        if bar.low and bar.high:
            first, last = place(bar.low), place(bar.high)
            cells[first : last + 1] = line * (last - first + 1)
            cells[first], cells[last] = left, right
        for system, published in bar.published:
            cells[place(published)] = marks[chart.systems.index(system) % len(marks)]
        cells[place(bar.value)] = mean
        lines.append(_line(name, names, "".join(cells), f"{value:>{max(map(len, values))}}"))
    legend = [f"{mean} this run"]
    legend += [f"{marks[n % len(marks)]} published for {system}" for n, system in enumerate(chart.systems)]
    return [
        *lines,
        *_scale(names, axis, [(place(v), chart.text(v)) for v in ticks(low, high)]),
        "  ".join(legend),
    ]


def _trials(chart: TrialChart, columns: int, ascii: bool) -> list[str]:
    _, line, _, mark, _ = _ASCII if ascii else _GLYPHS
    block = "#" if ascii else "▒"
    names = [visible(spread.name) for spread in chart.spreads]
    low, high = chart.span()
    values = [f"{(s.p95 - s.p5) * 100:.3g}%" for s in chart.spreads]
    axis = _axis(columns, names, values)
    place = _linear(low, high, axis)
    lines = []
    for spread, name, value in zip(chart.spreads, names, values, strict=True):
        cells = [" "] * axis
        for first, last, glyph in ((spread.p5, spread.p95, line), (spread.p25, spread.p75, block)):
            cells[place(first) : place(last) + 1] = glyph * (place(last) - place(first) + 1)
        for trial in spread.trials:
            cells[place(trial)] = mark
        lines.append(_line(name, names, "".join(cells), f"{value:>{max(map(len, values))}}"))
    marks = [(place(v), f"{v * 100:.4g}%") for v in steps(low, high)]
    legend = (
        f"{line} 5 to 95 % of the calls  {block} quartiles  {mark} mean of a trial  right: width of 5 to 95 %"
    )
    return [*lines, *_scale(names, axis, marks), legend]


def _axis(columns: int, names: list[str], values: list[str]) -> int:
    """Columns left for the axis beside names and values."""
    return max(columns - max(map(width, names)) - max(map(width, values)) - 2, _LEAST_AXIS)


def _line(name: str, names: list[str], axis: str, value: str) -> str:
    return f"{name}{' ' * (max(map(width, names)) - width(name))} {axis} {value}"


def _scale(names: list[str], axis: int, marks: list[tuple[int, str]]) -> list[str]:
    """A line of labels below the axis, each at its place; what would touch the one before is left out."""
    text = ""
    for column, label in marks:
        start = min(column, axis - len(label))
        if start > len(text) or not text:
            text = text.ljust(start) + label
    return [f"{' ' * max(map(width, names))} {text}"]


def _logarithmic(low: float, high: float, axis: int) -> Callable[[float], int]:
    """Column of a value between `low` and `high` (> 0)."""
    first, last = math.log(low), math.log(high)
    return lambda value: _column((math.log(max(value, low)) - first) / ((last - first) or 1.0), axis)


def _linear(low: float, high: float, axis: int) -> Callable[[float], int]:
    return lambda value: _column((value - low) / ((high - low) or 1.0), axis)


def _column(fraction: float, axis: int) -> int:
    return min(max(round(fraction * (axis - 1)), 0), axis - 1)
