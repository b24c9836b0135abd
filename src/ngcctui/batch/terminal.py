"""The printer for a terminal: lines that scroll, bars below them that do not."""

from __future__ import annotations

import time
from collections.abc import Callable

from rich.console import Console as RichConsole
from rich.live import Live
from rich.style import Style
from rich.text import Text

from ngcctui.batch.bars import EMPTY, FULL, Moment, picture
from ngcctui.batch.lines import line
from ngcctui.console import Console
from ngcctui.engine.livepage import read_page
from ngcctui.engine.runstate import RunState
from ngcctui.model.event import Event, EventName

_ASCII_BARS = str.maketrans({FULL: "#", EMPTY: "."})
#: Said by a bar already, every second or so.
_ONLY_IN_BARS = (EventName.STEP_START, EventName.KAT_RECORD, EventName.TRIAL, EventName.HEALTH)


class TerminalPrinter:
    """Ended steps and whatever is out of the ordinary as lines, what runs as bars."""

    def __init__(self, out: Console, left: Callable[[RunState], str]) -> None:
        """`left` says in words how much of the run is still to come."""
        self._out = out
        self._left = left
        self._began = time.monotonic()
        self._console = RichConsole(highlight=False, markup=False, emoji=False)
        self._live = Live(console=self._console, auto_refresh=False, transient=True)
        self._live.start()

    def event(self, event: Event) -> None:
        if event.event not in _ONLY_IN_BARS or event.data.get("disturbed"):
            self._console.print(Text(self._out.text(line(event, short=True)), style=_style(event)))

    def tick(self, state: RunState) -> None:
        moment = Moment(time.monotonic_ns(), time.monotonic() - self._began, self._left(state))
        live = read_page(state.live_page) if state.live_page else None
        lines = picture(state, live, moment, self._console.width - 1)
        text = "\n".join(lines)
        if self._out.ascii:
            text = self._out.text(text.translate(_ASCII_BARS))
        self._live.update(Text(text, no_wrap=True), refresh=True)

    def close(self) -> None:
        self._live.stop()


def _style(event: Event) -> Style:
    """A state is a word first; colour only repeats it."""
    if event.event is EventName.STEP_END:
        outcome = event.data.get("outcome")
        colour = "green" if outcome in ("PASS", "done") else "bright_black" if outcome == "skipped" else "red"
        return Style(color=colour)
    if event.event is EventName.WARNING or event.data.get("disturbed"):
        return Style(color="yellow")
    return Style.null()
