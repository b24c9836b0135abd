"""The operator's pause: who waits, for how long, and what a page may claim."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from ngcctui.engine.hold import Hold
from ngcctui.engine.host import HealthSample
from ngcctui.engine.livepage import LivePage, LivePhase
from ngcctui.engine.noise import noise_floor

PHASE_AT, HOLD_AT = 104, 640
SECOND = 1_000_000_000
CALM = HealthSample(None, 5, 0, 0, None, 0.0, 100, 0, 0)


class Desk:
    """A pause with a clock of its own, and one child that says on its page what the test wants."""

    def __init__(self, directory: Path) -> None:
        self.now_ns = 0
        self.steal = 100
        self.hold = Hold(lambda: self.now_ns)
        page = LivePage.create(directory)
        assert page is not None
        self.page = page

    def sample(self) -> HealthSample:
        return replace(CALM, steal_ticks=self.steal)

    def says(self, phase: int) -> None:
        with self.page.path.open("r+b") as file:
            file.seek(PHASE_AT)
            file.write(struct.pack("<Q", phase))

    def asked(self) -> int:
        (value,) = struct.unpack_from("<Q", self.page.path.read_bytes(), HOLD_AT)
        return int(value)

    def after(self, seconds: float) -> None:
        self.now_ns += round(seconds * SECOND)
        self.hold.look()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    with made.page:
        yield made


def test_a_pause_asks_the_child_and_lets_it_go(desk: Desk) -> None:
    with desk.hold.over(desk.page):
        assert desk.asked() == 0
        desk.hold.ask()
        assert desk.hold.asked and desk.asked() == 1
        desk.hold.release()
        assert not desk.hold.asked and desk.asked() == 0
        desk.hold.ask()
    assert desk.asked() == 0  # nothing of it is left for the next child


def test_a_child_that_begins_in_a_pause_is_asked_at_once(desk: Desk) -> None:
    desk.hold.ask()
    with desk.hold.over(desk.page):
        assert desk.asked() == 1


def test_a_request_that_somebody_wiped_away_is_made_again(desk: Desk) -> None:
    with desk.hold.over(desk.page):
        desk.hold.ask()
        desk.page.hold(False)
        desk.hold.look()
        assert desk.asked() == 1


def test_only_the_time_that_the_child_waits_counts(desk: Desk) -> None:
    with desk.hold.over(desk.page) as child:
        desk.hold.ask()
        desk.after(60)  # its call goes on
        assert (child.seconds(), child.waiting, desk.hold.waiting) == (0, False, 0)
        desk.says(LivePhase.HELD)
        desk.after(1)
        assert child.waiting and desk.hold.waiting == 1
        desk.now_ns += 3 * SECOND
        assert child.seconds() == 3  # without a look, too
        desk.hold.release()
        desk.now_ns += 5 * SECOND
        assert (child.seconds(), child.waiting) == (3, False)
        desk.says(LivePhase.TIMED)
        desk.hold.ask()
        desk.says(LivePhase.HELD)
        desk.after(1)
        desk.after(4)
        assert child.seconds() == 7
        desk.says(LivePhase.TIMED)  # went on although it should wait
        desk.after(1)
        desk.after(100)
        assert child.seconds() == 8


def test_a_child_that_says_held_without_a_pause_gains_nothing(desk: Desk) -> None:
    desk.says(LivePhase.HELD)
    with desk.hold.over(desk.page) as child:
        desk.after(1)
        desk.after(1000)
        assert (child.seconds(), desk.hold.waiting) == (0, 0)


def test_what_the_host_did_while_the_child_waited_is_known(desk: Desk) -> None:
    with desk.hold.over(desk.page, desk.sample) as child:
        desk.hold.ask()
        desk.says(LivePhase.HELD)
        desk.after(1)
        desk.steal += 70
        desk.hold.release()
        desk.steal += 1
        assert [(a.steal_ticks, b.steal_ticks) for a, b in child.waits] == [(100, 170)]
        desk.says(LivePhase.TIMED)
        desk.after(1)
        desk.hold.ask()
        desk.says(LivePhase.HELD)
        desk.after(1)
    assert len(child.waits) == 2  # ended in the middle of a pause


def test_without_a_page_a_child_cannot_be_held(desk: Desk) -> None:
    with desk.hold.over(None, desk.sample) as child:
        desk.hold.ask()
        desk.after(5)
        desk.hold.release()
        assert (child.seconds(), child.waits) == (0, [])


def test_the_next_child_is_not_started_in_a_pause(desk: Desk) -> None:
    async def script() -> list[str]:
        told: list[str] = []

        async def step() -> None:
            await desk.hold.passed()
            told.append("started")

        await step()
        desk.hold.ask()
        waits = asyncio.ensure_future(step())
        cancelled = asyncio.ensure_future(step())
        await asyncio.sleep(0)
        told.append(f"{desk.hold.waiting} wait")
        cancelled.cancel()
        await asyncio.wait({cancelled})
        told.append(f"{desk.hold.waiting} waits")
        desk.hold.release()
        await waits
        return [*told, f"{desk.hold.waiting} left"]

    assert asyncio.run(script()) == ["started", "2 wait", "1 waits", "started", "0 left"]


def test_the_noise_floor_starts_nothing_in_a_pause(desk: Desk) -> None:
    async def script() -> int:
        clock = SimpleNamespace(epoch_ns=lambda: 0)
        run = SimpleNamespace(journal=SimpleNamespace(clock=clock), noise_ns=None, hold=desk.hold)
        run.state = SimpleNamespace(noise={})
        desk.hold.ask()
        work = asyncio.ensure_future(noise_floor(run))  # type: ignore[arg-type]
        await asyncio.sleep(0)
        waiting = desk.hold.waiting
        work.cancel()
        await asyncio.wait({work})
        return waiting

    assert asyncio.run(script()) == 1
