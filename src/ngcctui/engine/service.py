"""The engine of one run: options, one session from its opening to its end, signals."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import signal
import sys
from pathlib import Path

from ngcctui.engine.child import become_subreaper
from ngcctui.engine.finish import finish
from ngcctui.engine.monitor import watch
from ngcctui.engine.rundir import open_run
from ngcctui.engine.runner import Runner, Stopped
from ngcctui.engine.session import Options, open_session
from ngcctui.engine.store import Storage
from ngcctui.engine.waiting import NotBegun
from ngcctui.model.errors import ExitCode, NgccError, StorageError
from ngcctui.model.event import EventName

DESCRIPTION = "The engine of one run, in the foreground of its own session."
STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)


def main(argv: list[str] | None = None, storage: Storage | None = None) -> int:
    """Run the engine; returns an ExitCode.  Errors are one line on stderr."""
    parser = argparse.ArgumentParser(prog="python -m ngcctui.engine", description=DESCRIPTION)
    parser.add_argument("run", type=Path, help="run directory")
    parser.add_argument("--resume", action="store_true", help="go on with an interrupted run")
    parser.add_argument(
        "--retry", action="append", default=[], metavar="STEP|failed", help="start steps anew"
    )
    parser.add_argument(
        "--accept-changes", action="store_true", help="go on although the host or a library changed"
    )
    parser.add_argument("--wait", action="store_true", help="wait until the core is free")
    args = parser.parse_args(argv)
    options = Options(args.resume, tuple(args.retry), args.accept_changes, args.wait)
    try:
        return asyncio.run(engine(args.run, options, storage or Storage()))
    except NgccError as error:
        print(f"ngcctui: {error}", file=sys.stderr)
        return int(error.exit_code)


async def engine(path: Path, options: Options, storage: Storage) -> int:
    """One session of the engine on the run at `path`."""
    become_subreaper()
    asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, lambda: None)
    try:
        with contextlib.ExitStack() as stack:
            return await _session(path, options, storage, stack)
    finally:
        # Nothing is left that could be stopped: a signal now would only spoil the exit code.
        signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)


async def _session(path: Path, options: Options, storage: Storage, stack: contextlib.ExitStack) -> int:
    loop = asyncio.get_running_loop()
    opening = asyncio.ensure_future(open_session(open_run(path), options, stack, storage))
    stopping = asyncio.Event()

    def stop_opening() -> None:
        stopping.set()
        opening.cancel()

    for number in STOP_SIGNALS:
        loop.add_signal_handler(number, stop_opening)
    try:
        opened = await opening
    except (NotBegun, asyncio.CancelledError):
        return int(ExitCode.INTERRUPTED)
    ctx = opened.ctx
    runner = Runner(ctx)
    for number in STOP_SIGNALS:
        loop.add_signal_handler(number, runner.cancel)
    if stopping.is_set():
        runner.cancel()  # the session was open already when the signal came, but not yet in the runner's hands
    watching = asyncio.ensure_future(watch(ctx, runner, opened.started_ns))
    try:
        await _supervised(runner, watching)
    except Stopped:
        code = ExitCode.INTERRUPTED
        ctx.emit(EventName.SESSION_END, None, {"reason": "stopped", "exit": int(code)}, sync=True)
        return int(code)
    finally:
        watching.cancel()
        with contextlib.suppress(asyncio.CancelledError, StorageError):
            await watching
    return await finish(ctx)


async def _supervised(runner: Runner, watching: asyncio.Future[None]) -> None:
    """Run until done; a monitor that cannot write ends the run as the runner itself would."""
    working = asyncio.ensure_future(runner.run())
    await asyncio.wait({working, watching}, return_when=asyncio.FIRST_COMPLETED)
    if not working.done():
        runner.cancel()
        with contextlib.suppress(Stopped):
            await working
        watching.result()
    await working
