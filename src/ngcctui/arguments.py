"""The command line: every command with its options, and the module that runs it.

Only argparse is loaded here; a command's module is imported when it runs.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

from ngcctui import __version__
from ngcctui.model.errors import ConfigError

_EXIT_CODES = """\
exit codes: 0 done, all KATs pass; 1 done, with failures listed; 2 usage or configuration; 3 host not ready, core
taken, changes not accepted; 4 interrupted, can be resumed; 5 storage or internal error"""


#: Between two looks at a run, seconds; as `refresh_s` of the configuration.
MIN_REFRESH_S, MAX_REFRESH_S = 0.2, 60.0
_CONFIG_HELP = "configuration that counts before all others (ngcctui.toml)"


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line (ConfigError, exit 2)."""

    def error(self, message: str) -> NoReturn:
        raise ConfigError(f"{message} ({self.prog} --help)")


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Parse a command line; `module` of the result names the command's module.  ConfigError when it is wrong."""
    if any(word == "--batch" or word.startswith("--batch=") for word in argv):
        return _batch_parser().parse_args(argv)
    return command_parser().parse_args(argv)


def _common(parser: argparse.ArgumentParser, *, top: bool = False) -> None:
    """Options of every command; they can stand before the command's name or behind it."""

    def default(value: object) -> object:
        return value if top else argparse.SUPPRESS

    group = parser.add_argument_group("common options")
    group.add_argument("--runs", type=Path, metavar="DIR", default=default(None), help="where the runs are")
    group.add_argument(
        "--schemes", type=Path, metavar="DIR", default=default(None), help="look for schemes here first"
    )
    group.add_argument("--json", action="store_true", default=default(False), help="print data as JSON")
    group.add_argument(
        "--quiet", action="store_true", default=default(False), help="print results and errors only"
    )
    group.add_argument(
        "--ascii", action="store_true", default=default(False), help="print no character outside ASCII"
    )


def _batch_parser() -> Parser:
    parser = Parser(
        prog="ngcctui",
        description="Measure a campaign without a screen: start the engine, print what it does, exit with its code.",
        epilog=_EXIT_CODES,
        allow_abbrev=False,
    )
    parser.add_argument(
        "--batch", dest="campaign", metavar="CAMPAIGN", required=True, help="name or path of a campaign"
    )
    _overrides(parser)
    _starting(parser)
    _common(parser, top=True)
    parser.set_defaults(module="run", detach=False)
    return parser


def command_parser() -> Parser:
    """The parser of everything but `--batch`."""
    parser = Parser(
        prog="ngcctui",
        description="Benchmark candidates of a post-quantum cryptography competition.",
        epilog=_EXIT_CODES,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"ngcctui {__version__}")
    parser.add_argument("--batch", metavar="CAMPAIGN", help="measure a campaign without a screen (as `run`)")
    _common(parser, top=True)
    _viewing(parser, top=True)
    parser.set_defaults(module="tui.start", command=None, run=None)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=Parser)

    def add(name: str, module: str, text: str) -> argparse.ArgumentParser:
        command = commands.add_parser(
            name, help=text, description=text[0].upper() + text[1:] + ".", allow_abbrev=False
        )
        command.set_defaults(module=module)
        _common(command)
        return command

    run = add("run", "run", "measure a campaign")
    run.add_argument("campaign", metavar="CAMPAIGN", help="name or path of a campaign")
    run.add_argument(
        "--detach", action="store_true", help="leave the engine running and print the run's path"
    )
    _overrides(run)
    _starting(run)

    resume = add("resume", "resume", "go on with an interrupted run, or retry steps of a finished one")
    _run_argument(resume)
    resume.add_argument(
        "--retry",
        action="append",
        default=[],
        metavar="STEP|failed",
        help="start this step, or all that failed, anew",
    )
    resume.add_argument(
        "--accept-changes", action="store_true", help="go on although host, compiler or library changed"
    )
    resume.add_argument(
        "--detach", action="store_true", help="leave the engine running and print the run's path"
    )
    _starting(resume)

    attach = add("attach", "tui.start", "watch a run on the screen; any number of viewers can")
    _run_argument(attach)
    _viewing(attach)
    attach.set_defaults(command="attach")

    status = add("status", "status", "say how far a run is")
    _run_argument(status)
    status.add_argument("--steps", action="store_true", help="list every step")

    stop = add("stop", "control", "ask a run to stop after what it is doing; `resume` goes on")
    _run_argument(stop)
    stop.add_argument(
        "--now", action="store_true", help="do not wait for the step in progress; it runs again on resume"
    )
    stop.set_defaults(request="stop", step=None)

    control = add("control", "control", "ask a run to pause, resume, skip STEP, retry STEP, stop or stop-now")
    control.add_argument("run", metavar="RUN", help="name or path of a run")
    control.add_argument("request", choices=("pause", "resume", "skip", "retry", "stop", "stop-now"))
    control.add_argument("step", nargs="?", metavar="STEP", help="step id as `status --steps` lists it")
    control.set_defaults(now=False)

    check = add("check", "check", "check this machine; with SCHEME: build its instances and run their KATs")
    check.add_argument(
        "scheme", nargs="*", metavar="SCHEME", help="key, glob over keys, or path of a package"
    )
    check.add_argument(
        "--script", action="store_true", help="print a shell script that mends the machine, with its undo"
    )
    check.add_argument(
        "--core", type=int, default=-1, metavar="N", help="core to measure on (default: the best allowed)"
    )
    _kat_options(check)

    kat = add("kat", "kat", "run the full KAT of every instance, one line each")
    kat.add_argument("scheme", nargs="*", metavar="SCHEME", help="key, glob over keys, or path of a package")
    _kat_options(kat)

    plan = add("plan", "plan", "say what a campaign would do and how long it would take; nothing is started")
    plan.add_argument("campaign", metavar="CAMPAIGN", help="name or path of a campaign")
    _overrides(plan)

    listing = add("list", "listing", "list schemes, campaigns and runs, and where they come from")
    listing.add_argument("what", nargs="?", choices=("schemes", "campaigns", "runs"), help="default: all")

    new_scheme = add("new-scheme", "new_scheme", "write a package for a new scheme to fill in")
    new_scheme.add_argument(
        "directory", type=Path, metavar="DIR", help="new or empty; its name is the scheme's id"
    )

    config = add("config", "tui.show", "show the configuration of the screens, and which file sets what")
    config.add_argument(
        "--keys", action="store_true", help="print the keys of every screen as a Markdown page instead"
    )
    _config_file(config)

    completion = add("completion", "completion", "print what makes a shell complete ngcctui's command lines")
    completion.add_argument("shell", choices=("bash", "zsh", "fish"))
    completion.add_argument("--words", help=argparse.SUPPRESS)  # what the script asks with

    report = add("report", "report", "write a run's report pages and print its tables")
    _run_argument(report)
    report.add_argument("--charts", action="store_true", help="print the charts too, as text")
    _reports(add)
    return parser


def _reports(add: Callable[[str, str, str], argparse.ArgumentParser]) -> None:
    """Commands that hold a run against its evidence or against figures of others."""
    validate = add(
        "validate", "validate", "find everything in a run or dataset that does not fit its evidence"
    )
    validate.add_argument(
        "run",
        nargs="?",
        metavar="RUN|DATASET",
        help="name or path of a run, directory of a dataset, or published:SYSTEM (default: the newest run)",
    )
    _allow(validate)

    compare = add(
        "compare", "compare", "say how many times the cost of B each operation of A is, and how surely"
    )
    compare.add_argument("a", metavar="A", help="a run, a dataset, a page, or published:SYSTEM")
    compare.add_argument("b", metavar="B", help="what it is held against, likewise")
    compare.add_argument("--toml", action="store_true", help="print TOML instead of a table")
    compare.add_argument(
        "--fail-above",
        type=float,
        metavar="RATIO",
        help="exit with 1 when an operation is above this ratio beyond its interval and the noise floor",
    )

    publish = add(
        "publish", "publish", "copy what a run's pages cite into the published figures of its system"
    )
    _run_argument(publish)
    publish.add_argument(
        "--to",
        type=Path,
        metavar="DIR",
        help="data directory (default: ./data when it is there, else the operator's own)",
    )
    _allow(publish)

    system = add("system", "system", "list the systems that figures go by, or add this machine")
    what = system.add_subparsers(dest="what", metavar="list|add", parser_class=Parser, required=True)
    _common(what.add_parser("list", help="every registered system", allow_abbrev=False))
    add_system = what.add_parser("add", help="register this machine under a name", allow_abbrev=False)
    _common(add_system)
    add_system.add_argument("id", metavar="NAME", help="what its figures go by (`x86_2`)")
    add_system.add_argument(
        "--machine", default="", metavar="TEXT", help="what the machine is called, if at all"
    )
    add_system.add_argument("--core", type=int, default=-1, metavar="N", help="core it measures on")
    add_system.add_argument(
        "--to", type=Path, metavar="DIR", help="data directory whose systems.toml gets it"
    )


def _allow(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--allow",
        action="append",
        default=[],
        metavar="TEXT",
        help="a name or path that may be seen; can be given again",
    )


def _run_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", nargs="?", metavar="RUN", help="name or path of a run (default: the newest)")


def _viewing(parser: argparse.ArgumentParser, *, top: bool = False) -> None:
    """Options of the screens; like the common ones they can stand before `attach` or behind it."""

    def default(value: object) -> object:
        return value if top else argparse.SUPPRESS

    group = parser.add_argument_group("screen")
    group.add_argument(
        "--plain",
        action="store_true",
        default=default(False),
        help="a line an event instead of a screen (slow lines, screen readers)",
    )
    group.add_argument(
        "--readonly", action="store_true", default=default(False), help="ask nothing of any run"
    )
    group.add_argument(
        "--no-mouse", action="store_true", default=default(False), help="leave the mouse to the terminal"
    )
    group.add_argument(
        "--refresh",
        type=seconds,
        metavar="S",
        default=default(None),
        help="seconds between two looks at a run",
    )
    group.add_argument("--theme", metavar="NAME", default=default(None), help="colours of the screen")
    group.add_argument("--config", type=Path, metavar="FILE", default=default(None), help=_CONFIG_HELP)


def seconds(text: str) -> float:
    value = float(text)
    if not MIN_REFRESH_S <= value <= MAX_REFRESH_S:
        raise argparse.ArgumentTypeError(
            f"must be {MIN_REFRESH_S:g} to {MAX_REFRESH_S:g} seconds, not {text}"
        )
    return value


def _config_file(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", type=Path, metavar="FILE", default=argparse.SUPPRESS, help=_CONFIG_HELP)


def _starting(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--wait", action="store_true", help="wait until the core is free")


def _kat_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("KAT")
    group.add_argument(
        "--records", type=int, metavar="N", help="1: record 0 alone; default: all that are covered"
    )
    group.add_argument("--kat-limit", type=float, metavar="S", help="seconds for the KAT of one instance")


def _overrides(parser: argparse.ArgumentParser) -> None:
    what = parser.add_argument_group(
        "what to measure", "globs SCHEME[/INSTANCE[/OPERATION]]; can be given again"
    )
    what.add_argument(
        "--only", action="append", default=[], metavar="GLOB", help="only this part of the campaign"
    )
    what.add_argument(
        "--select",
        action="append",
        default=[],
        metavar="GLOB",
        help="this instead of what the campaign selects",
    )
    how = parser.add_argument_group("how to measure", "instead of the campaign's numbers")
    how.add_argument("--core", type=int, metavar="N", help="core to measure on (-1: the best allowed)")
    how.add_argument("--system", metavar="NAME", help="name of this machine on the pages")
    how.add_argument(
        "--trials", type=int, metavar="N", help="trials of an operation, each in a fresh process"
    )
    how.add_argument("--target", type=float, metavar="S", help="seconds a trial aims at")
    how.add_argument("--budget", type=float, metavar="S", help="most seconds for the trials of an operation")
    how.add_argument("--repeats", type=int, metavar="N", help="repeats of a disturbed trial at most")
    how.add_argument(
        "--inputs", choices=("fixed", "varied"), help="the published inputs, or other ones in each trial"
    )
    how.add_argument(
        "--profile",
        action=argparse.BooleanOptionalAction,
        help="measure the share of the helper functions, or not",
    )
    how.add_argument(
        "--allow-unfixed-host", action="store_true", help="measure although the machine has findings"
    )
    _kat_options(parser)
