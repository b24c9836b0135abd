"""Screens without a terminal: an app under textual's pilot, its screen as text, and waiting until it is at rest."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from pathlib import Path

import textual._wait
from textual.events import Paste
from textual.pilot import Pilot
from textual.worker import WorkerCancelled

from ngcctui.tui.app import NgccApp
from ngcctui.tui.config import Options, Settings

#: The pilot takes an app for idle when it rests so long, seconds; textual's own 20 ms for every key add up.
textual._wait.SLEEP_GRANULARITY = 0.004
textual._wait.SLEEP_IDLE = 0.0004

Body = Callable[[NgccApp, Pilot[None]], Awaitable[None]]


def screen_text(app: NgccApp) -> str:
    """What is on the screen, lines without trailing blanks."""
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in strips)


async def settled(app: NgccApp, pilot: Pilot[None]) -> None:
    """Wait until no worker is at work and nothing is waiting to be handled."""
    for _ in range(2):  # what a worker tells may start another one
        waiting = True
        while waiting:
            with contextlib.suppress(WorkerCancelled):  # a newer one of its kind took its place
                await app.workers.wait_for_complete()
                waiting = False
        await pilot.pause()


async def press(app: NgccApp, pilot: Pilot[None], *keys: str) -> str:
    """Press keys one after the other and return the screen when it is at rest."""
    for key in keys:
        await pilot.press(key)
    await settled(app, pilot)
    return screen_text(app)


async def paste(app: NgccApp, pilot: Pilot[None], text: str) -> None:
    """Put text into the line that has the focus, in the place of what is there."""
    await pilot.press("ctrl+u")
    app.screen.post_message(Paste(text))
    await settled(app, pilot)


async def told(app: NgccApp, pilot: Pilot[None]) -> list[str]:
    """What the operator was told, oldest first."""
    await settled(app, pilot)
    return [notification.message for notification in app._notifications]


def drive(
    start: Callable[[NgccApp], object],
    body: Body,
    *,
    runs: Path,
    schemes: Path | None = None,
    ascii: bool = False,
    readonly: bool = False,
    settings: Settings | None = None,
    size: tuple[int, int] = (80, 24),
) -> None:
    """Run an app whose first screen `start` opens, and `body` with it."""
    options = Options(runs_root=runs, schemes_dir=schemes, ascii=ascii, readonly=readonly)

    async def work() -> None:
        app = NgccApp(options, settings or Settings(), start)
        async with app.run_test(size=size, notifications=True) as pilot:
            await settled(app, pilot)
            await body(app, pilot)
        assert app.fault is None

    asyncio.run(work())
