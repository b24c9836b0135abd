"""Detail: everything about one cell of the monitor, kept up to date while it is open."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events, work
from textual.app import ComposeResult

from ngcctui.engine.runstate import StepState
from ngcctui.model.errors import NgccError
from ngcctui.tui.copying import write_copy
from ngcctui.tui.evidence import read_evidence
from ngcctui.tui.messages import EvidenceRead, Told
from ngcctui.tui.screens.base import ActionScreen
from ngcctui.tui.snapshot import RunSnapshot
from ngcctui.tui.view.detail import Evidence, Part, cell_parts, instance_parts, page
from ngcctui.tui.view.machine import host_parts
from ngcctui.tui.view.subject import Subject
from ngcctui.tui.widgets.logpane import LogPane


class DetailScreen(ActionScreen):
    """Lines about a subject; `take` gives it a newer look at the run."""

    NAME = "detail"

    def __init__(self, subject: Subject, snapshot: RunSnapshot, readonly: bool) -> None:
        super().__init__()
        self.run = snapshot.run
        self._subject = subject
        self._snapshot = snapshot
        self._readonly = readonly
        self._entries: tuple[StepState, ...] = ()
        self._evidence = Evidence()
        self._pane = LogPane(stick=False)

    def compose(self) -> ComposeResult:
        yield self._pane
        yield self.keybar()

    def on_mount(self) -> None:
        self._pane.focus()
        self.take(self._snapshot, first=True)

    def on_resize(self, event: events.Resize) -> None:
        self._draw()

    def take(self, snapshot: RunSnapshot, *, first: bool = False) -> None:
        """Show a newer look."""
        last, self._snapshot = self._snapshot, snapshot
        if snapshot.state is last.state and snapshot.alive is last.alive and not first:
            return
        before, self._entries = self._entries, self._subject.entries(snapshot.state, snapshot.alive)
        files = [(entry.file, entry.sha256) for entry in self._entries]
        changed = first or files != [(entry.file, entry.sha256) for entry in before]
        if changed and self._entries and not self._subject.instance:
            self._read(self._entries)
        self._draw(anew=first)

    @work(thread=True, exclusive=True, group="evidence", exit_on_error=False, description="evidence")
    def _read(self, entries: Sequence[StepState]) -> None:
        self.post_message(EvidenceRead(read_evidence(self.run, entries)))

    def on_evidence_read(self, message: EvidenceRead) -> None:
        self._evidence = message.evidence
        self._draw()

    def parts(self) -> list[Part]:
        """What there is to say now."""
        if not self._subject.steps:
            return host_parts(self._snapshot.state)
        if self._subject.instance:
            return instance_parts(self.run, self._entries, self.glyphs)
        return cell_parts(self.run, self._entries, self._evidence, self.glyphs)

    def _draw(self, *, anew: bool = False) -> None:
        self._pane.show(page(self.parts(), self.app.size.width, self.glyphs), anew=anew)

    def action_copy(self) -> None:
        """Copy the command that does this again, or, for the machine, the whole text."""
        if self._entries:
            text = next(part.text for part in reversed(self.parts()) if part.label == "again")
        else:
            text = "\n".join(f"{part.label:<10} {part.text}".rstrip() for part in self.parts())
        self.app.copy_to_clipboard(text)
        try:
            path = write_copy(self.run, self._readonly, text)
        except NgccError as error:
            self.post_message(Told(str(error), "error"))
        else:
            self.post_message(Told(f"copied, and written to {path}"))
