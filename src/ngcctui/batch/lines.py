"""One plain line for each event: UTC time, step, word, figure.

Events come from a file, so nothing is taken for granted: what is missing or of another type is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ngcctui.console import one_line
from ngcctui.model.event import Event, EventName
from ngcctui.report.format import DASH, TIMES, share, time_ns

Data = Mapping[str, Any]

#: Larger numbers (and what is no number) are no figure of ours.
_NO_FIGURE = 1e300


def line(event: Event, short: bool = False) -> str:
    """The line of an event, safe for any terminal; `short` leaves out the date."""
    when = event.utc[11:19] if short else f"{event.utc[:19]}Z"
    return one_line(f"{when} {event.step or 'run'} {_TELL[event.event](event.data)}").rstrip()


def number(data: Data, key: str) -> float | None:
    """A finite number of an event's data; None when it is absent or something else."""
    value = data.get(key)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) < _NO_FIGURE:
        return None
    return float(value)


def _whole(data: Data, key: str) -> str:
    value = number(data, key)
    return DASH if value is None else f"{value:.0f}"


def _text(data: Data, key: str) -> str:
    value = data.get(key)
    return value if isinstance(value, str) else ""


def _texts(data: Data, key: str) -> list[str]:
    value = data.get(key)
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _table(data: Data, key: str) -> Data:
    value = data.get(key)
    return value if isinstance(value, dict) else {}


def _behind(*parts: str) -> str:
    """The parts that are there, in brackets."""
    there = [part for part in parts if part]
    return f" ({'; '.join(there)})" if there else ""


def _run_start(data: Data) -> str:
    return (
        f"start {_text(data, 'run')}: campaign {_text(data, 'campaign')}, {len(_texts(data, 'steps'))} steps"
    )


def _session_start(data: Data) -> str:
    changes = "".join(f"; {change}" for change in _texts(data, "changes"))
    return (
        f"session {_whole(data, 'session')} {_text(data, 'mode')}: core {_whole(data, 'core')}, "
        f"pid {_whole(data, 'pid')}, {_text(data, 'compiler')}{changes}"
    )


def _host(data: Data) -> str:
    noise = number(_table(data, "noise"), "spread")
    if noise is not None:
        return f"noise floor {noise * 100:.2g} % (the same loop twice)"
    found = data.get("findings")
    texts = [_text(f, "text") for f in found if isinstance(f, dict)] if isinstance(found, list) else []
    if not texts:
        return "host ready"
    return f"host unfixed, {len(texts)} finding{'s' if len(texts) != 1 else ''}: {'; '.join(texts)}"


def _step_start(data: Data) -> str:
    attempt = number(data, "attempt")
    return f"started, attempt {attempt:.0f}" if attempt is not None and attempt > 1 else "started"


def _kat_record(data: Data) -> str:
    return f"record {_whole(data, 'record')}/{_whole(data, 'covered')}"


def _trial(data: Data) -> str:
    reasons = ", ".join(_texts(data, "disturbed"))
    word = f" disturbed ({reasons})" if reasons else ""
    unused = "" if data.get("used", True) is True else " not used"
    return f"trial {_whole(data, 'trial')}/{_whole(data, 'trials')} {time_ns(number(data, 'mean_ns'))}{word}{unused}"


def _step_end(data: Data) -> str:
    figure = step_figure(_table(data, "summary"))
    return f"{_text(data, 'outcome')}{f' {figure}' if figure else ''}{_behind(_text(data, 'detail'))}"


def step_figure(summary: Data) -> str:
    """What a step found, in a few words: mean with its interval, plan, share, records; empty when nothing."""
    if "mean_ns" in summary:
        return measured(summary) if number(summary, "mean_ns") is not None else ""
    if "t1_ns" in summary:
        plan = f"{_whole(summary, 'trials')} {TIMES} {_whole(summary, 'iterations')}"
        return f"{time_ns(number(summary, 't1_ns'))} a call, plan {plan}"
    if "hash_share" in summary:
        value = number(summary, "hash_share")
        return f"helpers {share(value)}" if value is not None else "helpers unknown"
    if "records" in summary:
        return f"{_whole(summary, 'records')}/{_whole(summary, 'covered')}"
    return f"{_text(summary, 'flags')} flags" if _text(summary, "flags") else ""


def measured(summary: Data) -> str:
    """Mean, half of its 95 % interval in percent, n, and how many trials were rejected."""
    low, high, mean = (number(summary, key) for key in ("low_ns", "high_ns", "mean_ns"))
    spread = ""
    if mean and low is not None and high is not None:
        spread = f" \N{PLUS-MINUS SIGN}{(high - low) / 2 / mean * 100:.2g} %"
    n = f"n {_whole(summary, 'n')}, {_whole(summary, 'trials')} {TIMES} {_whole(summary, 'iterations')}"
    rejected = number(summary, "rejected_trials")
    return f"{time_ns(mean)}{spread} ({n}{f', {rejected:.0f} trials rejected' if rejected else ''})"


def _control(data: Data) -> str:
    argument = f" {_text(data, 'argument')}" if _text(data, "argument") else ""
    word = "accepted" if data.get("accepted") is True else f"refused: {_text(data, 'why')}"
    return f"{_text(data, 'request')}{argument} {word}"


def _health(data: Data) -> str:
    temperature, clock, load = (
        number(data, key) for key in ("temperature_c", "frequency_khz", "load_average")
    )
    throttled = (number(data, "throttle_core") or 0) + (number(data, "throttle_package") or 0)
    parts = [
        f"{temperature:.0f} C" if temperature is not None else "",
        f"{clock / 1e6:.2f} GHz" if clock else "",
        f"throttled {throttled:.0f} times since boot" if throttled else "",
        f"load {load:.2f}" if load is not None else "",
    ]
    return f"health {', '.join(part for part in parts if part) or 'unknown'}"


def _warning(data: Data) -> str:
    return f"warning: {_text(data, 'text')}"


def _session_end(data: Data) -> str:
    return f"session {_text(data, 'reason')}, exit {_whole(data, 'exit')}"


def _run_end(data: Data) -> str:
    failed = _texts(data, "failed")
    return f"done: {_whole(data, 'passed')} passed, {len(failed)} failed{_behind(', '.join(failed))}"


_TELL: dict[EventName, Callable[[Data], str]] = {
    EventName.RUN_START: _run_start,
    EventName.SESSION_START: _session_start,
    EventName.HOST: _host,
    EventName.STEP_START: _step_start,
    EventName.KAT_RECORD: _kat_record,
    EventName.TRIAL: _trial,
    EventName.STEP_END: _step_end,
    EventName.CONTROL: _control,
    EventName.HEALTH: _health,
    EventName.WARNING: _warning,
    EventName.SESSION_END: _session_end,
    EventName.RUN_END: _run_end,
}
