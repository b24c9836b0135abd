"""Setup: choose schemes and numbers, check the host, see the plan, launch."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from textual import events, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Static
from textual.worker import Worker, WorkerState

from ngcctui.catalog import Found, Resolved, find_campaign, find_schemes, list_campaigns, resolve
from ngcctui.engine.estimate import estimate
from ngcctui.forecast import Knowledge, basis, gather, plan_lines, rest_of, told
from ngcctui.model.campaign import Campaign, HostPolicy, load_campaign
from ngcctui.model.errors import ConfigError, NgccError
from ngcctui.named_system import check_system
from ngcctui.tui.desk import HostCheck, check_host, save_campaign, saved_path, start_run
from ngcctui.tui.messages import HostChecked, Launched, SchemesFound, Told
from ngcctui.tui.screens.base import ActionScreen
from ngcctui.tui.screens.choose import ChooseScreen
from ngcctui.tui.screens.confirm import Answer, ConfirmScreen
from ngcctui.tui.screens.host import HostScreen
from ngcctui.tui.screens.page import PageScreen
from ngcctui.tui.screens.prompt import PromptScreen
from ngcctui.tui.view import setup as view
from ngcctui.tui.view import setup_lines as lines
from ngcctui.tui.view.fields import FIELDS, Field
from ngcctui.tui.view.filtering import RowFilter
from ngcctui.tui.view.line import Tone, shown
from ngcctui.tui.widgets.filterline import FilterLine
from ngcctui.tui.widgets.lines import Lines
from ngcctui.tui.widgets.marks_tree import MarksTree
from ngcctui.tui.widgets.paint import text

#: The campaign that a new one starts from.
_FIRST = "quick"
#: Rows of a question beside its details, and what stays free around it.
_AROUND = 9
#: Stands for a file that is not in the list.
_ANOTHER = ""


class SetupScreen(ActionScreen):
    """A new campaign."""

    NAME = "setup"
    DEFAULT_CSS = """
    SetupScreen #head { height: 1; text-wrap: nowrap; }
    SetupScreen #body { height: 1fr; }
    SetupScreen #left { width: 1fr; padding: 0 1 0 0; }
    SetupScreen #right { width: 1fr; }
    SetupScreen #fields { max-height: 14; }
    SetupScreen #plan { height: 4; }
    """

    def __init__(self, root: Path = Path("/")) -> None:
        """`root` is the host's, or that of a copy of its files."""
        super().__init__()
        self._root = root
        self._found: dict[str, Found] = {}
        self._knowledge = Knowledge()
        self._draft = view.Draft(Campaign("new"))
        self._folding = view.Folding()
        self._check: HostCheck | None = None
        self._agreed = False
        self._launching = False

    # what is shown

    def compose(self) -> ComposeResult:
        yield Static(id="head")
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield Static(text((("schemes", Tone.TITLE),)))
                yield MarksTree(self.glyphs)
            with Vertical(id="right"):
                yield Static(text((("campaign", Tone.TITLE),)))
                yield Lines(id="fields")
                yield Static(text((("plan", Tone.TITLE),)))
                yield Static(id="plan")
        yield FilterLine()
        yield self.keybar()

    def on_mount(self) -> None:
        self._tree.focus()
        self._show()
        self._find()

    @property
    def _tree(self) -> MarksTree:
        return self.query_one(MarksTree)

    @property
    def _fields(self) -> Lines:
        return self.query_one("#fields", Lines)

    @property
    def draft(self) -> view.Draft:
        """The campaign as it is set up so far."""
        return self._draft

    def campaign(self) -> Campaign:
        """The campaign that would be launched."""
        return view.campaign_of(self._draft, self._found)

    def _show(self) -> None:
        glyphs = self.glyphs
        shown_rows = RowFilter(self.query_one(FilterLine).text)
        self._tree.show_rows(view.tree_rows(self._found, self._draft.marks, self._folding, shown_rows))
        self._fields.show(lines.fields(self._draft, self._room, glyphs))
        self.query_one("#plan", Static).update(text(lines.paragraphs(*self._plan(), self._room, glyphs)))
        state = "launching" if self._launching else "new campaign"
        host = f"host: {self._check.told()}" if self._check else "host: not looked at yet"
        unfit = self._check is not None and bool(self._check.unfit)
        self.query_one("#head", Static).update(
            text(lines.head(state, host, unfit, self.app.size.width, glyphs))
        )

    @property
    def _room(self) -> int:
        """Cells of a line of the plan."""
        return max(self.query_one("#right").size.width, 20)

    def on_resize(self, event: events.Resize) -> None:
        super().on_resize(event)
        self.call_after_refresh(self._show)

    def _resolved(self) -> Resolved:
        """The campaign with its steps; ConfigError when it cannot be run."""
        if not self._draft.marks:
            raise ConfigError("nothing is marked: space marks the selected row")
        return resolve(self.campaign(), self._found)

    def _plan(self) -> tuple[list[str], Tone]:
        """What the campaign comes to, or why it cannot be run."""
        try:
            resolved = self._resolved()
        except ConfigError as error:
            return [str(error) if self._found else "looking for schemes"], Tone.WARN
        time = estimate(rest_of(resolved, self._knowledge), resolved.campaign, len(self.ngcc.allowed))
        counts = len(resolved.chosen), sum(len(item.operations) for item in resolved.chosen)
        counted = f"instances {counts[0]}, operations {counts[1]}"
        return [counted, told(time), basis(resolved, self._knowledge)], Tone.PLAIN

    # what is found out meanwhile

    @work(thread=True, exclusive=True, group="find", exit_on_error=False)
    def _find(self) -> None:
        options = self.ngcc.options
        try:
            found = find_schemes(options.schemes_dir, os.environ, Path.cwd())
            self.post_message(SchemesFound(found, gather(options.runs_root, view.loaded(found), self._root)))
        except NgccError as error:
            self.post_message(Told(str(error), "error"))

    def on_schemes_found(self, message: SchemesFound) -> None:
        self._found, self._knowledge = message.found, message.knowledge
        try:
            self._take(find_campaign(_FIRST, os.environ, Path.cwd()))
        except ConfigError as error:
            self._tell(str(error), "error")
            self._take(self._draft.campaign)
        self._look_at_host(launch=False)

    def _take(self, campaign: Campaign) -> None:
        self._draft = view.draft_of(campaign, self._found)
        marked = {key for key, _ in self._draft.marks}
        self._folding = view.Folding(frozenset(self._found) - marked)
        self._agreed = False
        self._show()

    @work(thread=True, exclusive=True, group="host", exit_on_error=False)
    def _look_at_host(self, launch: bool) -> None:
        try:
            campaign = self.campaign()
            found = check_host(campaign, self.ngcc.allowed, self.ngcc.options.runs_root, self._root)
            if launch:
                said = check_system(campaign.host.system, found.core, os.environ, Path.cwd(), self._root)
                if said:
                    self.post_message(Told(said, "warning"))
            self.post_message(HostChecked(found, launch))
        except NgccError as error:
            self.post_message(Told(str(error), "error"))
            self.post_message(Launched(None))

    def on_host_checked(self, message: HostChecked) -> None:
        self._check = message.check
        self._show()
        if message.launch:
            self._decide(message.check)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        super().on_worker_state_changed(event)
        if event.state is WorkerState.ERROR:
            self.on_launched(Launched(None))

    def _tell(self, said: str, severity: str = "information") -> None:
        self.post_message(Told(said, severity))  # type: ignore[arg-type]

    # marks

    def _change(self, marks: frozenset[view.Mark]) -> None:
        self._draft = self._draft.with_marks(marks)
        self._show()

    def action_mark(self) -> None:
        if self._fields.has_focus:
            self._next_choice()
            return
        row = self._tree.selected
        if row is not None and row.places:
            self._change(view.turned(self._draft.marks, row.places))
            self._tree.action_cursor_down()

    def action_all(self) -> None:
        self._change(self._draft.marks | view.shown_places(self._tree.rows))

    def action_none(self) -> None:
        self._change(self._draft.marks - view.shown_places(self._tree.rows))

    def action_invert(self) -> None:
        self._change(self._draft.marks ^ view.shown_places(self._tree.rows))

    def action_filter(self) -> None:
        self.query_one(FilterLine).open(self._tree)

    def on_filter_line_changed(self, message: FilterLine.Changed) -> None:
        self._show()

    def action_side(self) -> None:
        (self._tree if self._fields.has_focus else self._fields).focus()

    # fields

    def action_edit(self) -> None:
        if self._fields.has_focus:
            self._edit(self._fields.cursor)
        elif self._tree.selected is not None:
            row = self._tree.selected
            if row.broken:
                self.app.push_screen(PageScreen(row.key, [shown(row.note, self.glyphs)]))
                return
            self._folding = self._folding.turned(row.key)
            self._show()

    def _edit(self, number: int) -> None:
        if number == len(FIELDS):
            hint = "globs with blanks between: keygen sign hash_*; empty: build and KAT only"
            self._ask("operations", hint, " ".join(self._draft.operations), self._put_operations)
        elif FIELDS[number].choices:
            self._next_choice()
        else:
            field = FIELDS[number]
            self._ask(field.label, field.help, field.value(self._draft.campaign), self._putter(field))

    def _ask(self, title: str, hint: str, value: str, put: Callable[[str], view.Draft]) -> None:
        def answered(said: str | None) -> None:
            if said is not None:
                self._draft = put(said)
                self._changed()

        self.app.push_screen(PromptScreen(title, hint, value, put), answered)

    def _putter(self, field: Field) -> Callable[[str], view.Draft]:
        return lambda said: replace(self._draft, campaign=field.put(self._draft.campaign, said))

    def _put_operations(self, said: str) -> view.Draft:
        stray = view.unknown_operation(said, self._found)
        if stray:
            raise ConfigError(f"operations: no scheme has one called {stray}")
        return self._draft.with_operations(tuple(said.split()))

    def _next_choice(self) -> None:
        number = self._fields.cursor
        if number < len(FIELDS) and FIELDS[number].choices:
            self._draft = replace(self._draft, campaign=FIELDS[number].next(self._draft.campaign))
            self._changed()

    def _changed(self) -> None:
        """Show a changed field; the core decides what the host check looks at."""
        self._show()
        if self._check is not None and self._draft.campaign.host.core not in (-1, self._check.core):
            self._look_at_host(launch=False)

    # campaign files

    def action_save(self) -> None:
        path = saved_path(self.campaign().name, os.environ, Path.cwd())
        self._ask_path(str(path))

    def _ask_path(self, path: str) -> None:
        def answered(said: str | None) -> None:
            if said is None:
                return
            target = Path(said).expanduser()
            if target.exists():
                self._ask_overwrite(target)
            else:
                self._save(target)

        def check(said: str) -> None:
            if not said.endswith(".toml"):
                raise ConfigError("the name of a campaign file ends in .toml")

        self.app.push_screen(
            PromptScreen("save the campaign as", "a file; .toml at its end", path, check), answered
        )

    def _ask_overwrite(self, target: Path) -> None:
        answers = [Answer("k", "keep it", None), Answer("o", "overwrite", "yes")]

        def answered(said: str | None) -> None:
            if said:
                self._save(target)

        question = shown(f"{target.name} is there already", self.glyphs)
        self.app.push_screen(ConfirmScreen(question, [shown(str(target), self.glyphs)], answers), answered)

    def _save(self, target: Path) -> None:
        try:
            save_campaign(self.campaign(), target)
            self._tell(f"saved as {target}")
        except NgccError as error:
            self._tell(str(error), "error")

    def action_load(self) -> None:
        known = list_campaigns(os.environ, Path.cwd())
        choices = [(str(path), f"{name}  {path.parent}") for name, path in known.items()]

        def answered(said: str | None) -> None:
            if said == _ANOTHER:
                self.app.push_screen(
                    PromptScreen("load a campaign", "a file", "campaigns/", self._loaded), answered
                )
            elif said is not None:
                self._take(self._loaded(said))
                self._look_at_host(launch=False)

        self.app.push_screen(
            ChooseScreen("load a campaign", [*choices, (_ANOTHER, "another file")]), answered
        )

    def _loaded(self, path: str) -> Campaign:
        return load_campaign(Path(path).expanduser())

    # host, plan, launch

    def action_host(self) -> None:
        if self._check is None:
            self._tell("the host is being looked at")
        else:
            self.app.push_screen(HostScreen(self._check))
        self._look_at_host(launch=False)

    def action_plan(self) -> None:
        try:
            resolved = self._resolved()
        except ConfigError as error:
            self._tell(str(error), "warning")
            return
        core = self._check.core if self._check else resolved.campaign.host.core
        rest = rest_of(resolved, self._knowledge)
        plan = plan_lines(resolved, rest, len(self.ngcc.allowed), core, self._knowledge)
        self.app.push_screen(PageScreen("plan", [shown(line, self.glyphs) for line in plan]))

    def action_launch(self) -> None:
        if self._launching:
            return
        if self.ngcc.options.readonly:
            self._tell("this view is read-only: nothing is started from it", "warning")
            return
        try:
            self._resolved()
        except ConfigError as error:
            self._tell(str(error), "warning")
            return
        self._launching = True
        self._show()
        self._look_at_host(launch=True)

    def _decide(self, check: HostCheck) -> None:
        """Launch, or ask first where the machine is not as a measurement asks for."""
        if not check.unfit or self._agreed:
            self._launch()
            return
        answers = [Answer("b", "back", None), Answer("m", "measure all the same", "yes")]

        def answered(said: str | None) -> None:
            if said is None:
                self.on_launched(Launched(None))
                return
            self._agreed = True
            self._launch()

        question = "This machine is not fit to measure; pages will say so."
        width, height = self.app.size
        details = lines.findings(check.unfit, int(width * 0.9) - 6, max(height - _AROUND, 1), self.glyphs)
        self.app.push_screen(ConfirmScreen(question, details, answers), answered)

    @work(thread=True, exclusive=True, group="launch", exit_on_error=False)
    def _launch(self) -> None:
        try:
            campaign = self.campaign()
            if self._agreed:
                campaign = replace(campaign, host=replace(campaign.host, policy=HostPolicy.ALLOW))
            resolved = resolve(campaign, self._found)
            root = self.ngcc.options.runs_root
            run, said = start_run(resolved, root.absolute(), datetime.now(UTC), self.ngcc.launch)
            self.post_message(Launched(run))
            if said:
                self.post_message(Told(said, "warning"))
        except NgccError as error:
            self.post_message(Told(str(error), "error"))
            self.post_message(Launched(None))

    def on_launched(self, message: Launched) -> None:
        self._launching = False
        if message.run is None:
            self._show()
        else:
            self.ngcc.open_monitor(message.run)
