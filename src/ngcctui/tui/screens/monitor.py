"""Monitor: one row an instance, one column a step, what runs now, and a log."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from textual import events, work
from textual.app import ComposeResult

from ngcctui.engine.rundir import RunDir
from ngcctui.engine.runstate import StepState
from ngcctui.model.errors import NgccError
from ngcctui.tui.follow import RunFollower, RunSnapshot
from ngcctui.tui.messages import LeftKnown, OutputRead, RunChanged, Told
from ngcctui.tui.outputs import output_path, read_tail
from ngcctui.tui.screens.base import ActionScreen
from ngcctui.tui.screens.requests import Requests
from ngcctui.tui.view.board import Board
from ngcctui.tui.view.cells import Moment
from ngcctui.tui.view.grid import NAME
from ngcctui.tui.view.line import Line, Tone
from ngcctui.tui.view.log import RunLog, output_log, step_log
from ngcctui.tui.view.status import Facts, calibrated, head, now
from ngcctui.tui.view.subject import Subject
from ngcctui.tui.widgets.bar import Bar
from ngcctui.tui.widgets.keybar import Item, items
from ngcctui.tui.widgets.logpane import LogPane
from ngcctui.tui.widgets.rows import RowsView

if TYPE_CHECKING:
    from ngcctui.tui.widgets.filterline import FilterLine

#: What is left of a run is estimated anew after so many seconds, and after so many times the CPU time of an estimate: it
#: stays cheap.
_LEFT_S = 5.0
_LEFT_COST = 1000


class MonitorScreen(ActionScreen):
    """A run, followed.  Nothing is asked of its engine when `readonly`."""

    NAME = "monitor"

    def __init__(self, run: RunDir, readonly: bool) -> None:
        super().__init__()
        self.run = run
        self.readonly = readonly
        self.snapshot: RunSnapshot | None = None
        self._requests = Requests(self, run, readonly)
        self._facts = Facts(readonly=readonly)
        self._kat_limit_s = 0.0
        self._drawn: RunSnapshot | None = None
        self._cycles = True
        self._left_due = 0.0
        self._calls: Mapping[str, float] | None = None
        self._whole_run = True
        self._log_of = ""
        self._output = OutputRead("", b"")
        self._take_further: Callable[[RunSnapshot], None] | None = None

    def compose(self) -> ComposeResult:
        self.board = Board(self.glyphs)
        self._run_log = RunLog(self.glyphs)
        self._head, self._heads, self._now = Bar(id="head"), Bar(id="heads"), Bar(2, id="now")
        self.rows = RowsView(self.board)
        self.log_pane = LogPane(stick=True, label="log")
        yield self._head
        yield self._heads
        yield self.rows
        yield self._now
        yield self.log_pane
        self._keys = self.keybar()
        yield self._keys

    def on_mount(self) -> None:
        memory = self.ngcc.memory
        self._cycles = memory.get("monitor.cycles", True)
        self._big = memory.get("monitor.big_log", False)
        self._whole_run = memory.get("monitor.follow", True)
        self.board.want_order(memory.get("monitor.sort", ""), memory.get("monitor.reverse", False))
        self.rows.focus()
        self._follower = RunFollower(self.run, self, self.ngcc.options.refresh_s)
        self._follower.start()

    def on_unmount(self) -> None:
        self._follower.stop()

    def on_resize(self, event: events.Resize) -> None:
        self._size_log(event.size.height)
        self._draw_bars()

    def farewell(self) -> str:
        name = self.snapshot.state.campaign if self.snapshot is not None else ""
        return f"left {name or self.run.name}; ngcctui attach {self.run.path} comes back"

    # looks at the run ---------------------------------------------------------------------------------------------

    def on_run_changed(self, message: RunChanged) -> None:
        """Keep the look; draw it unless the picture is held."""
        if self.snapshot is None:
            self.call_after_refresh(self._read_campaign)  # behind the first picture
        self.snapshot = message.snapshot
        if not self._facts.frozen:
            self._draw(message.snapshot)

    def _read_campaign(self) -> None:
        """What the journal does not say: the system's name and the limit of a KAT."""
        try:
            campaign = self.run.campaign()
        except NgccError as error:
            self.post_message(Told(str(error), "warning"))
            return
        self._facts = replace(self._facts, system=campaign.host.system)
        self._kat_limit_s = campaign.kat.limit_s
        self._draw_bars()

    def _moment(self, snapshot: RunSnapshot) -> Moment:
        live = snapshot.live
        index = live.engine.step_index if live is not None and live.pid else -1
        names = self.board.grid.names
        step = names[index] if 0 <= index < len(names) else ""
        return Moment(
            now_mono_ns=snapshot.now_mono_ns,
            glyphs=self.glyphs,
            live=live,
            live_step=step,
            kat_limit_s=self._kat_limit_s,
            cycles=self._cycles,
            alive=snapshot.alive or not snapshot.whole,
            paused_mono_ns=snapshot.state.paused_mono_ns,
        )

    def _draw(self, snapshot: RunSnapshot, *, all_rows: bool = False) -> None:
        self._drawn = snapshot
        changed = self.board.update(snapshot.state, self._moment(snapshot), all_rows=all_rows)
        self.rows.look_at(changed)
        self._draw_bars()
        self._draw_log()
        if self._take_further is not None:
            self._take_further(snapshot)
        if snapshot.alive and snapshot.whole and time.monotonic() >= self._left_due:
            self._left_due = float("inf")
            self._estimate(snapshot)

    def _draw_bars(self) -> None:
        snapshot = self._drawn
        if snapshot is None:
            return
        width, grid = self.size.width, self.board.grid
        self._heads.show(self.board.header(self.rows.top))
        self._head.show(head(snapshot, grid, self._facts, width, self.glyphs))
        self._now.show(*now(snapshot, grid, self._moment(snapshot), width))
        self._keys.set_items(self._items(snapshot))

    def _items(self, snapshot: RunSnapshot) -> list[Item]:
        """The bar of keys: what can be asked of this run at the moment, and in the words that say what it would do."""
        engine = ("monitor.pause", "monitor.skip", "monitor.stop")
        none = (*engine, "monitor.retry") if self.readonly else engine if _over(snapshot) else ()
        words = {"monitor.pause": "go on"} if snapshot.state.paused else {}
        return items(self.NAME, self.ngcc.settings.keys, none, words)

    # Workers have a description of their own: textual would make one of the arguments, which here are a whole run.

    @work(thread=True, exclusive=True, group="left", exit_on_error=False, description="left")
    def _estimate(self, snapshot: RunSnapshot) -> None:
        """Say how much is left; calls that the run has not timed yet are guessed from earlier runs, once."""
        from ngcctui.timeleft import left  # behind the first picture, like all that is loaded here

        text, cost_s = "", 0.0
        try:
            if self._calls is None and not calibrated(snapshot.state):
                from ngcctui.forecast import gather  # reads schemes, published pages and other runs

                self._calls = gather(self.run.path.parent, self.run.schemes()).calls
            workers = len(self.ngcc.allowed)
            start = time.thread_time()
            text = left(snapshot.state, self.run.campaign(), self._calls or {}, workers, snapshot.now_mono_ns)
            cost_s = time.thread_time() - start
        except NgccError:
            pass  # a damaged run is told of elsewhere; it has no estimate
        self._left_due = time.monotonic() + max(_LEFT_S, _LEFT_COST * cost_s)
        self.post_message(LeftKnown(text))

    def on_left_known(self, message: LeftKnown) -> None:
        self._facts = replace(self._facts, left=message.text)
        if not self._facts.frozen:
            self._draw_bars()

    # rows ---------------------------------------------------------------------------------------------------------

    def on_rows_view_moved(self, message: RowsView.Moved) -> None:
        self._draw_bars()
        if not self._whole_run:
            self._draw_log()

    def on_rows_view_clicked(self, message: RowsView.Clicked) -> None:
        self.action_detail()

    def on_filter_line_changed(self, message: FilterLine.Changed) -> None:
        self.board.reorder(replace(self.board.order, pattern=message.text))
        self._rearranged()

    def _rearranged(self) -> None:
        self.rows.look_at(None)
        self._draw_bars()

    async def action_filter(self) -> None:
        from ngcctui.tui.widgets.filterline import FilterLine  # with it comes a tenth of the start

        if not self.query(FilterLine):
            await self.mount(FilterLine(self.rows), after=self.rows)
        self.query_one(FilterLine).open(self.rows)

    def action_sort(self) -> None:
        self.board.sort_by_cursor()
        self._ordered()

    def action_reverse(self) -> None:
        self.board.reorder(replace(self.board.order, reverse=not self.board.order.reverse))
        self._ordered()

    def _ordered(self) -> None:
        self._rearranged()
        self.ngcc.memory.put("monitor.sort", self.board.order_name)
        self.ngcc.memory.put("monitor.reverse", self.board.order.reverse)

    def action_mark(self) -> None:
        self.rows.look_at(self.board.toggle_mark())
        self.rows.move(1)

    def action_unmark(self) -> None:
        self.rows.look_at(self.board.clear_marks())

    def action_unit(self) -> None:
        self._cycles = not self._cycles
        self.ngcc.memory.put("monitor.cycles", self._cycles)
        if self._drawn is not None:
            self._draw(self._drawn, all_rows=True)

    def action_freeze(self) -> None:
        """Hold the picture still, or go on with the newest."""
        self._facts = replace(self._facts, frozen=not self._facts.frozen)
        if self.snapshot is not None and not self._facts.frozen:
            self._draw(self.snapshot)
        self._draw_bars()

    # other screens ------------------------------------------------------------------------------------------------

    def action_detail(self) -> None:
        row = self.board.row
        if row is None:
            self.board.toggle_fold()
            self._rearranged()
            return
        steps = tuple(str(entry.step) for entry in row.steps(self.board.column))
        if steps:
            self._open(Subject(steps, instance=self.board.column == NAME))

    def action_host(self) -> None:
        self._open(Subject())

    def _open(self, subject: Subject) -> None:
        if self._drawn is None:
            return
        from ngcctui.tui.screens.detail import (
            DetailScreen,
        )  # loads the reports' side: not needed to watch a run

        detail = DetailScreen(subject, self._drawn, self.readonly)
        self._take_further = detail.take
        self.app.push_screen(detail)

    def on_screen_resume(self) -> None:
        self._take_further = None

    def action_results(self) -> None:
        self.ngcc.open_results(self.run)

    # the log ------------------------------------------------------------------------------------------------------

    def _size_log(self, height: int) -> None:
        usual = 3 if height < 30 else min(height // 5, 12)
        self.log_pane.styles.height = max(height // 2, 3) if self._big else usual if height > 18 else 1

    def action_log_size(self) -> None:
        self._big = not self._big
        self.ngcc.memory.put("monitor.big_log", self._big)
        self._size_log(self.app.size.height)

    def action_log_up(self) -> None:
        self.log_pane.scroll(-1)

    def action_log_down(self) -> None:
        self.log_pane.scroll(1)

    def action_follow(self) -> None:
        """Follow the run's log, or keep that of the selected steps."""
        self._whole_run = not self._whole_run
        self.ngcc.memory.put("monitor.follow", self._whole_run)
        self._draw_log(anew=True)

    def _draw_log(self, *, anew: bool = False) -> None:
        if self._drawn is None or not self._drawn.whole:
            return
        lines = self._run_log.take(self._drawn.recent)
        self.log_pane.label = "log" if self._whole_run else "step"
        if self._whole_run:
            self.log_pane.show(lines, anew=anew)
            return
        entries = self._selected()
        about = " ".join(str(entry.step) for entry in entries)
        anew, self._log_of = anew or self._log_of != about, about
        self.log_pane.show(self._step_lines(entries, about), anew=anew)
        if entries:
            self._read_output(entries, about)

    def _selected(self) -> tuple[StepState, ...]:
        row = self.board.row
        return row.steps(self.board.column) if row is not None else ()

    def _step_lines(self, entries: tuple[StepState, ...], about: str) -> list[Line]:
        if not entries:
            return [(("select a step", Tone.DIM),)]
        lines = step_log(entries, self.glyphs)
        printed = output_log(self._output.raw, self.glyphs) if self._output.about == about else []
        return [*lines, *printed] or [(("nothing yet", Tone.DIM),)]

    @work(thread=True, exclusive=True, group="output", exit_on_error=False, description="output")
    def _read_output(self, entries: tuple[StepState, ...], about: str) -> None:
        raw = b"".join(read_tail(output_path(self.run, entry)) for entry in entries)
        if (about, raw) != (self._output.about, self._output.raw):
            self.post_message(OutputRead(about, raw))

    def on_output_read(self, message: OutputRead) -> None:
        self._output = message
        if not self._whole_run and self._log_of == message.about:
            self.log_pane.show(self._step_lines(self._selected(), message.about))

    # what is asked of the engine ----------------------------------------------------------------------------------

    def action_pause(self) -> None:
        self._requests.pause(self.snapshot)

    def action_skip(self) -> None:
        self._requests.skip(self.snapshot, self.board.targets())

    def action_retry(self) -> None:
        self._requests.retry(self.snapshot, self.board.targets())

    def action_retry_failed(self) -> None:
        self._requests.retry_failed(self.snapshot)

    def action_stop(self) -> None:
        self._requests.stop(self.snapshot)


def _over(snapshot: RunSnapshot) -> bool:
    """True when no engine works on the run, as far as that is known."""
    return snapshot.whole and not snapshot.alive
