"""Printers for a pipe: one plain line an event, raw JSON lines, or nothing until the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ngcctui.batch.lines import line
from ngcctui.console import Console
from ngcctui.engine.runstate import RunState
from ngcctui.model.event import Event


class Printer(Protocol):
    """What follows a run: hears every new event, then, a few times a second, the state after them."""

    def event(self, event: Event) -> None:
        """Take one new event."""

    def tick(self, state: RunState) -> None:
        """Show the state."""

    def close(self) -> None:
        """The engine has ended, or the printer is left."""


class PlainPrinter:
    """One line an event."""

    def __init__(self, out: Console) -> None:
        self._out = out

    def event(self, event: Event) -> None:
        self._out.data(line(event))

    def tick(self, state: RunState) -> None:
        self._out.flush()

    def close(self) -> None:
        pass


class JsonPrinter(PlainPrinter):
    """The journal's own lines, encoded anew: ASCII, one event each."""

    def event(self, event: Event) -> None:
        self._out.raw(event.to_line().decode("ascii"))


class QuietPrinter:
    """Nothing: the tables come at the end."""

    def event(self, event: Event) -> None:
        pass

    def tick(self, state: RunState) -> None:
        pass

    def close(self) -> None:
        pass


def choose(out: Console, live: bool, left: Callable[[RunState], str] = lambda state: "") -> Printer:
    """The printer for this output; `live` when stdout is a terminal that can move its cursor.

    `left` says in words how much of a run is still to come.
    """
    if out.json:
        return JsonPrinter(out)
    if out.quiet:
        return QuietPrinter()
    if live:
        from ngcctui.batch.terminal import TerminalPrinter  # rich is loaded for a terminal only

        return TerminalPrinter(out, left)
    return PlainPrinter(out)
