"""Start the screens: look at terminal and configuration first, load textual then, and end as the view ended.

Nothing here imports textual before the environment that it reads is set.
"""

from __future__ import annotations

import argparse
import gc
import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ngcctui.console import Console
from ngcctui.engine.rundir import find_run, list_runs, runs_root
from ngcctui.model.errors import ConfigError, ExitCode
from ngcctui.model.nearest import nearest
from ngcctui.tui.config import Options, Settings, load_configuration
from ngcctui.tui.terminal import Streams, Terminal, Wishes, decide

if TYPE_CHECKING:
    from ngcctui.tui.app import NgccApp

#: Of the runs that are there so many, the newest, are asked whether an engine works on them.
RECENT = 20


def run(args: argparse.Namespace) -> int:
    """`ngcctui` and `ngcctui attach`: exit code 0 when the operator left, 128 + n after signal n, 2 without a terminal.

    With `--plain`, and when the output of `attach` is no terminal, lines are printed instead.
    """
    streams = Streams(os.isatty(0), os.isatty(1), os.isatty(2))
    if args.plain or (args.command == "attach" and not streams.stdout):
        from ngcctui.commands import attach

        return attach.run(args)
    settings = load_configuration(args.config, os.environ, Path.cwd()).settings
    first = _first(args)
    wishes = Wishes(
        ascii=args.ascii or settings.ascii,
        mouse=settings.mouse and not args.no_mouse,
        theme=args.theme or settings.theme,
        title=settings.title,
    )
    terminal = decide(os.environ, streams, wishes)
    if terminal.refuse:
        raise ConfigError(terminal.refuse)
    options = Options(
        refresh_s=args.refresh or settings.refresh_s,
        readonly=args.readonly,
        ascii=terminal.ascii,
        mouse=terminal.mouse,
        theme=terminal.theme,
        title=terminal.title,
        runs_root=runs_root(args.runs, os.environ).absolute(),
        schemes_dir=args.schemes,
    )
    return _show(options, settings, terminal, first)


def _first(args: argparse.Namespace) -> Callable[[NgccApp], object]:
    """What opens the first screen: the run that is named, the list of runs when one is going on, else Setup."""
    root = runs_root(args.runs, os.environ).absolute()
    if args.command == "attach":
        watched = find_run(root, args.run)
        return lambda app: app.open_monitor(watched, args.readonly)
    from ngcctui.tui.runs import working

    if any(working(run) for run in list_runs(root)[:RECENT]):
        return lambda app: app.open_runs()
    return lambda app: app.open_setup()


def _show(
    options: Options, settings: Settings, terminal: Terminal, first: Callable[[NgccApp], object]
) -> int:
    os.environ.update(terminal.environ)
    for name in terminal.drop:
        os.environ.pop(name, None)
    if not terminal.ascii and isinstance(sys.__stderr__, io.TextIOWrapper):
        sys.__stderr__.reconfigure(encoding="utf-8")  # textual draws on it; in the C locale it is ASCII

    gc.disable()  # until the first picture is drawn: what is loaded stays, and looking through it costs a tenth of the start
    from textual.theme import BUILTIN_THEMES

    from ngcctui.tui.app import NgccApp
    from ngcctui.tui.driver import TerminalDriver
    from ngcctui.tui.ending import LOST, Ending, forget_terminal

    if options.theme not in BUILTIN_THEMES:
        raise ConfigError(f"no theme {options.theme!r}: {nearest(options.theme, BUILTIN_THEMES)}")
    driver = TerminalDriver.made_for(terminal.basic, terminal.title, lambda: ending.begin(LOST))
    app = NgccApp(options, settings, first, driver)
    ending = Ending(app.end)
    ending.install()
    app.run(mouse=terminal.mouse)
    if ending.code is not None:
        forget_terminal()
        return ending.code
    if app.fault is not None:
        raise app.fault
    if app.farewell:
        Console(ascii=terminal.ascii).error(app.farewell)
    return int(ExitCode.DONE)
