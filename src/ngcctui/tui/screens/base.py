"""What all screens have in common: bindings from the table of actions, a bar of keys, a word for a window too small."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual import events
from textual.screen import ModalScreen, Screen
from textual.worker import Worker, WorkerState

from ngcctui.tui.bindings import bindings, modal_bindings
from ngcctui.tui.glyphs import Glyphs
from ngcctui.tui.messages import Told
from ngcctui.tui.widgets.keybar import MIN_HEIGHT, MIN_WIDTH, Keybar

if TYPE_CHECKING:
    from ngcctui.tui.app import NgccApp


class ActionScreen(Screen[None]):
    """A screen whose actions are those of the table under `NAME`."""

    NAME: ClassVar[str]

    def __init_subclass__(cls, **options: Any) -> None:
        if "NAME" in vars(cls):
            cls.BINDINGS = bindings(cls.NAME)
        super().__init_subclass__(**options)

    @property
    def ngcc(self) -> NgccApp:
        """The app, with our own attributes."""
        return cast("NgccApp", self.app)

    @property
    def glyphs(self) -> Glyphs:
        """What this terminal can show."""
        return self.ngcc.glyphs

    def keybar(self) -> Keybar:
        """The bar of keys; yield it last from `compose`."""
        return Keybar(self.NAME, self.ngcc.settings.keys)

    def on_resize(self, event: events.Resize) -> None:
        """In a window too small for any screen the bar of keys alone is shown, and says so."""
        self.set_class(event.size.width < MIN_WIDTH or event.size.height < MIN_HEIGHT, "-small")

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A fault of ours in a thread is told; the view goes on."""
        if event.state is WorkerState.ERROR:
            error = event.worker.error
            self.post_message(Told(f"internal error: {type(error).__name__}: {error}", "error"))

    def farewell(self) -> str:
        """What to say on the terminal when the operator leaves from here; empty: nothing."""
        return ""


class ActionModal(ModalScreen[str | None]):
    """A question or page above another screen, with actions of the table under `NAME`."""

    NAME: ClassVar[str]

    def __init_subclass__(cls, **options: Any) -> None:
        if "NAME" in vars(cls):
            cls.BINDINGS = modal_bindings(cls.NAME)
        super().__init_subclass__(**options)

    @property
    def ngcc(self) -> NgccApp:
        """The app, with our own attributes."""
        return cast("NgccApp", self.app)
