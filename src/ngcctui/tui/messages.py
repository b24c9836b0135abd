"""What workers and widgets tell the screens.  Workers only post these; they never touch a widget."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from textual.message import Message

if TYPE_CHECKING:  # what one screen is told of must not be loaded for another
    from ngcctui.catalog import Found
    from ngcctui.engine.rundir import RunDir
    from ngcctui.forecast import Knowledge
    from ngcctui.report.page import Page
    from ngcctui.tui.desk import HostCheck
    from ngcctui.tui.runs import RunRow
    from ngcctui.tui.snapshot import RunSnapshot
    from ngcctui.tui.view.detail import Evidence
    from ngcctui.tui.view.results import Other


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
    severity: Literal["information", "warning", "error"] = "information"


@dataclass
class SchemesFound(Message):
    """The schemes that there are, and what is known of their calls."""

    found: dict[str, Found]
    knowledge: Knowledge


@dataclass
class HostChecked(Message):
    """The host was looked at; `launch`: because a campaign waits for it."""

    check: HostCheck
    launch: bool

    def can_replace(self, message: Message) -> bool:
        """Only the latest look counts, but never in the place of one that a launch waits for."""
        return isinstance(message, HostChecked) and self.launch >= message.launch


@dataclass
class Launched(Message):
    """A run was made and its engine works on it; None when it could not be, which was told."""

    run: RunDir | None


@dataclass
class PagesBuilt(Message):
    """The pages of a run, the word for its state, whether an engine works on it, and when it was read (UTC)."""

    pages: tuple[Page, ...]
    word: str
    running: bool
    utc: str

    def can_replace(self, message: Message) -> bool:
        """A later reading says everything that an earlier one says."""
        return isinstance(message, PagesBuilt)


@dataclass
class OtherRead(Message):
    """What a run is compared with has been read."""

    other: Other


@dataclass
class LeftKnown(Message):
    """How much of the watched run is left, in words."""

    text: str


@dataclass
class OutputRead(Message):
    """The end of what the programs of some steps (`about` them) printed."""

    about: str
    raw: bytes


@dataclass
class EvidenceRead(Message):
    """What the files of the shown cell's steps hold."""

    evidence: Evidence
