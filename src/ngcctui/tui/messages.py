"""What workers and widgets tell the screens.  Workers only post these; they never touch a widget."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message

from ngcctui.tui.runs import RunRow
from ngcctui.tui.snapshot import RunSnapshot


@dataclass
class RunChanged(Message):
    """A new look at a followed run.  Of a burst only the newest is handled."""

    snapshot: RunSnapshot

    def can_replace(self, message: Message) -> bool:
        """A later look at the same run says everything that this one says."""
        return isinstance(message, RunChanged) and message.snapshot.run.path == self.snapshot.run.path


@dataclass
class RunTrouble(Message):
    """A followed run cannot be read; following goes on."""

    text: str

    def can_replace(self, message: Message) -> bool:
        """Only the latest trouble matters."""
        return isinstance(message, RunTrouble)


@dataclass
class RunsListed(Message):
    """The runs that are there, newest first."""

    rows: tuple[RunRow, ...]

    def can_replace(self, message: Message) -> bool:
        """A later list replaces this one."""
        return isinstance(message, RunsListed)


@dataclass
class Told(Message):
    """Something to say to the operator; `severity` is information, warning or error."""

    text: str
    severity: str = "information"
