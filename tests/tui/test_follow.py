"""Looking at runs from a thread: what is posted, and that nothing piles up before a screen that does not take it."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, cast

import pytest
from textual.message import Message
from textual.message_pump import MessagePump
from tui.played_run import PlayedRun, new_run

from ngcctui.engine.runstate import Status
from ngcctui.engine.state import Follower
from ngcctui.model.errors import StorageError
from ngcctui.model.event import EventName
from ngcctui.tui.follow import Poller, RunFollower, keep_off, look
from ngcctui.tui.messages import RunChanged, RunTrouble


@pytest.fixture
def played(tmp_path: Path) -> PlayedRun:
    return new_run(tmp_path, schemes=1, each=1)


class Target:
    """Takes what is posted, in place of a screen."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.came = asyncio.Event()

    def post_message(self, message: Message) -> bool:
        self.messages.append(message)
        self.came.set()
        return True


class Counter(Poller):
    """Finds one number after the other; waits for leave before each."""

    def __init__(self, target: Target, every_s: float = 0.001) -> None:
        super().__init__(cast(MessagePump, target), every_s)
        self.looks = 0
        self.enough = threading.Event()

    def look(self) -> Message | None:
        self.looks += 1
        if self.looks == 20:
            self.enough.set()
        return Number(self.looks)


class Number(Message):
    def __init__(self, value: int) -> None:
        super().__init__()
        self.value = value


def loop(body: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(body(), 30))


def test_a_screen_that_takes_nothing_gets_the_newest_look_alone() -> None:
    async def body() -> None:
        target = Target()
        poller = Counter(target)
        poller.start()
        assert poller.enough.wait(30)  # the event loop stands still meanwhile
        poller.stop()
        poller._stopped = False
        await target.came.wait()
        assert len(target.messages) == 1
        assert cast(Number, target.messages[0]).value >= 19

    loop(body)


def test_nothing_is_posted_after_the_stop() -> None:
    async def body() -> None:
        target = Target()
        poller = Counter(target)
        poller.start()
        assert poller.enough.wait(30)
        poller.stop()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert target.messages == []

    loop(body)


def test_trouble_is_told_once_and_again_when_it_changes() -> None:
    errors = iter(["gone", "gone", "gone", "worse", "", "gone"])

    class Failing(Counter):
        def look(self) -> Message | None:
            text = next(errors, None)
            if text is None:
                self.enough.set()
            if text:
                raise StorageError(text)
            return None

        def _hand_over(self, message: Message) -> None:
            seen.append(cast(RunTrouble, message).text)

    seen: list[str] = []

    async def body() -> None:
        poller = Failing(Target())
        poller.start()
        assert poller.enough.wait(30)
        poller.stop()

    loop(body)
    assert seen == ["gone", "worse", "gone"]


def test_a_closed_event_loop_ends_the_thread() -> None:
    poller: list[Counter] = []

    async def body() -> None:
        poller.append(Counter(Target()))
        poller[0].start()

    loop(body)
    thread = next((found for found in threading.enumerate() if found.name == "Counter"), None)
    if thread is not None:
        thread.join(30)
        assert not thread.is_alive()
    assert poller[0]._stopped


# runs ------------------------------------------------------------------------------------------------------------------


def test_a_look_at_a_working_run_holds_its_live_page(played: PlayedRun) -> None:
    played.start()
    step = played.steps[3]
    played.show(step, 2, 100)
    found = look(played.run, Follower(played.run.journal))
    assert found.alive
    assert found.state.campaign == "played"
    assert found.live is not None
    assert (found.live.trial, found.live.iteration) == (2, 100)
    played.end()
    found = look(played.run, Follower(played.run.journal))
    assert (found.alive, found.exit, found.live) == (False, 0, None)


def test_an_engine_that_is_gone_is_seen_without_a_word_of_it(played: PlayedRun) -> None:
    played.start(pid=os.getpid())
    session = Follower(played.run.journal).poll().sessions[-1]
    found = look(played.run, Follower(played.run.journal), alive=lambda pid, start, boot: pid != session.pid)
    assert (found.alive, found.exit, found.live) == (False, 4, None)


def test_a_working_run_is_told_every_time_and_another_when_it_changes(played: PlayedRun) -> None:
    played.start()
    follower = RunFollower(played.run, cast(MessagePump, None), 1.0)
    first, second = follower.look(), follower.look()
    assert isinstance(first, RunChanged)
    assert isinstance(second, RunChanged), "time goes on"
    assert second.snapshot.state is first.snapshot.state
    assert first.can_replace(second)
    played.end()
    last = follower.look()
    assert isinstance(last, RunChanged)
    assert not last.snapshot.alive
    assert [follower.look(), follower.look()] == [None, None]
    played.emit((EventName.STEP_START, played.steps[0], {"attempt": 2}))
    again = follower.look()
    assert isinstance(again, RunChanged)
    assert again.snapshot.state.steps[played.steps[0]].status is Status.RUNNING


def test_a_long_journal_is_read_in_pieces_without_a_pause(
    played: PlayedRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    played.start()
    played.prepare()
    monkeypatch.setattr("ngcctui.tui.follow.FIRST_BYTES", 1000)
    monkeypatch.setattr("ngcctui.tui.follow.MORE_BYTES", 1500)
    follower = RunFollower(played.run, cast(MessagePump, None), 60.0)
    shares = []
    while not shares or shares[-1] < 1.0:
        found = follower.look()
        assert isinstance(found, RunChanged)
        shares.append(found.snapshot.read)
        assert follower._wake.is_set() is (shares[-1] < 1.0), "the next piece is not waited for"
        follower._wake.clear()
    assert shares == sorted(shares)
    assert len(shares) > 2
    assert found.snapshot.state == Follower(played.run.journal).poll()


def test_looks_at_different_runs_do_not_replace_each_other(played: PlayedRun, tmp_path: Path) -> None:
    played.start()
    other = new_run(tmp_path, "20261130T120001Z-other", schemes=1, each=1)
    other.start()
    one, two = (RunFollower(run.run, cast(MessagePump, None), 1.0).look() for run in (played, other))
    assert one is not None
    assert two is not None
    assert not one.can_replace(two)


# the measured core -----------------------------------------------------------------------------------------------------


def test_every_thread_leaves_the_measured_core(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[int, set[int]] = {}
    monkeypatch.setattr(os, "sched_setaffinity", lambda tid, cores: asked.update({tid: set(cores)}))
    over = threading.Event()
    thread = threading.Thread(target=over.wait)
    thread.start()
    try:
        keep_off(3, frozenset({1, 2, 3}))
        assert asked[os.getpid()] == asked[thread.native_id or 0] == {1, 2}
        asked.clear()
        keep_off(3, frozenset({3}))
        assert asked == {}, "there is no other core"
        keep_off(None, frozenset({1}))
        assert asked[os.getpid()] == {1}
    finally:
        over.set()
        thread.join()
