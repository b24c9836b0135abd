"""Charts as SVG, drawn by pygal where it is installed (the extra `plots`); the same chart gives the same bytes."""

from __future__ import annotations

import hashlib
from typing import Any
from xml.etree import ElementTree

from ngcctui.report.plots import MAX_TRIALS, Chart, CostChart, Spread, TrialChart, steps, ticks

_WIDTH = 960
_ROW = 22
_FRAME = 170
#: Ours, then published systems.
_COSTS = ("#0b62a4", "#d1495b", "#2e8b57", "#8a6d3b", "#6a4c93", "#555555")
#: Quantiles of the calls, then every trial.
_SPREADS = ("#0b62a4", "#5b9bd5", *(["#d1495b"] * MAX_TRIALS))
_SVG = "{http://www.w3.org/2000/svg}"


def available() -> bool:
    """True when charts can be drawn."""
    try:
        import pygal  # noqa: F401
    except ImportError:
        return False
    return True


def maker(chart: Chart) -> str:
    """What a chart is made with, as it stands in it: another version of the library, or other published figures at hand,
    may make another chart of the same run.
    """
    import pygal

    made = f"drawn by pygal {pygal.__version__}"
    if isinstance(chart, CostChart) and chart.systems:
        figures = repr([bar.published for bar in chart.bars]).encode()
        made += f"; published figures: sha256 {hashlib.sha256(figures).hexdigest()}"
    return made


def chart_svg(chart: Chart) -> bytes:
    """The chart as an SVG file without scripts and links; ImportError without pygal."""
    drawn = _cost(chart) if isinstance(chart, CostChart) else _trials(chart)
    root: ElementTree.Element = _clean(drawn.render_tree())
    root.append(ElementTree.Comment(f" {maker(chart)} "))
    return (
        b'<?xml version="1.0" encoding="utf-8"?>\n'
        + ElementTree.tostring(root, "unicode").encode("utf-8")
        + b"\n"
    )


def _graph(title: str, rows: int, colours: tuple[str, ...], **options: Any) -> Any:
    import pygal
    from pygal.etree import etree
    from pygal.style import Style

    etree.to_etree()  # lxml, where it is installed, would write other bytes
    style = Style(
        background="white",
        plot_background="white",
        font_family="sans-serif",
        colors=colours,
        title_font_size=15,
    )
    return pygal.HorizontalLine(
        title=title,
        style=style,
        stroke=False,
        js=(),
        no_prefix=True,
        explicit_size=True,
        width=_WIDTH,
        height=_FRAME + _ROW * rows,
        dots_size=4,
        legend_at_bottom=True,
        legend_box_size=11,
        truncate_label=-1,
        truncate_legend=-1,
        **options,
    )


def _cost(chart: CostChart) -> Any:
    low, high = chart.span()
    low, high = low / 1.3, high * 1.3
    drawn = _graph(
        chart.title, len(chart.bars), _COSTS, logarithmic=True, range=(low, high), formatter=chart.text
    )
    drawn.x_labels = [bar.name for bar in chart.bars]
    drawn.y_labels = [{"value": value, "label": chart.text(value)} for value in ticks(low, high)]
    drawn.add("this run, with its interval", [_point(bar.value, bar.low, bar.high) for bar in chart.bars])
    for system in chart.systems:
        drawn.add(f"published for {system}", [dict(bar.published).get(system) for bar in chart.bars])
    return drawn


def _trials(chart: TrialChart) -> Any:
    low, high = chart.span()
    margin = (high - low) / 20 or 0.01
    low, high = low - margin, high + margin
    drawn = _graph(chart.title, len(chart.spreads), _SPREADS, range=(low, high), formatter=_percent)
    drawn.x_labels = [spread.name for spread in chart.spreads]
    drawn.y_labels = [{"value": value, "label": _percent(value)} for value in steps(low, high)]
    drawn.add("calls: median, 5 to 95 %", [_point(s.p50, s.p5, s.p95) for s in chart.spreads])
    drawn.add("calls: 25 to 75 %", [_point(s.p50, s.p25, s.p75) for s in chart.spreads])
    for number in range(max(len(spread.trials) for spread in chart.spreads)):
        drawn.add(
            None if number else "means of the trials", [_trial(spread, number) for spread in chart.spreads]
        )
    return drawn


def _percent(fraction: float) -> str:
    return f"{fraction * 100:.4g}%"


def _trial(spread: Spread, number: int) -> float | None:
    return spread.trials[number] if number < len(spread.trials) else None


def _point(value: float, low: float | None, high: float | None) -> dict[str, Any]:
    return {"value": value} | ({"ci": {"low": low, "high": high}} if low and high else {})


def _clean(root: ElementTree.Element) -> ElementTree.Element:
    """Without what changes from day to day (a comment with the date) and without what runs or loads (scripts)."""
    for parent in list(root.iter()):
        for child in list(parent):
            if not isinstance(child.tag, str) or child.tag in ("script", f"{_SVG}script"):
                parent.remove(child)
    return root
