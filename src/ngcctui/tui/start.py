"""Start the screens: look at terminal and configuration first, load textual then, and end as the view ended.

Nothing here imports textual before the environment it reads is set.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from ngcctui.console import Console
from ngcctui.engine.rundir import RunDir, find_run, runs_root
from ngcctui.model.errors import ConfigError, ExitCode
from ngcctui.tui.config import Options, Settings
from ngcctui.tui.terminal import Streams, Terminal, Wishes, decide


def run(args: argparse.Namespace) -> int:
    """`ngcctui` and `ngcctui attach`; returns the exit code (0 left, 128 + n after signal n, 2 no usable terminal)."""
    settings = Settings()
    root = runs_root(args.runs, os.environ).absolute()
    watched = find_run(root, args.run) if args.command == "attach" else None
    wishes = Wishes(args.ascii or settings.ascii, settings.mouse and not args.no_mouse, args.theme or settings.theme, settings.title)
    terminal = decide(os.environ, _streams(), wishes)
    if terminal.refuse:
        raise ConfigError(terminal.refuse)
    options = Options(
        refresh_s=args.refresh or settings.refresh_s,
        readonly=args.readonly,
        ascii=terminal.ascii,
        mouse=terminal.mouse,
        theme=terminal.theme,
        title=terminal.title,
        runs_root=root,
        schemes_dir=args.schemes,
    )
    return _show(options, settings, terminal, watched)


def _streams() -> Streams:
    return Streams(os.isatty(0), os.isatty(1), os.isatty(2))


def _show(options: Options, settings: Settings, terminal: Terminal, watched: RunDir | None) -> int:
    os.environ.update(terminal.environ)
    for name in terminal.drop:
        os.environ.pop(name, None)
    if not terminal.ascii and sys.__stderr__ is not None:
        sys.__stderr__.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    from ngcctui.tui.app import NgccApp
    from ngcctui.tui.driver import TerminalDriver
    from ngcctui.tui.ending import LOST, Ending

    def first(app: NgccApp) -> None:
        if watched is not None:
            app.open_monitor(watched, options.readonly)
        else:
            app.open_setup()

    app = NgccApp(options, settings, first, driver_class=TerminalDriver)
    ending = Ending(app.end)
    ending.install()
    TerminalDriver.basic = terminal.basic
    TerminalDriver.lost = staticmethod(lambda: ending.begin(LOST))
    app.run(mouse=terminal.mouse)
    if ending.code is not None:
        return ending.code
    if app.farewell:
        Console(ascii=terminal.ascii).error(app.farewell)
    return app.return_code or int(ExitCode.DONE)
