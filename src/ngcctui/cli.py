"""The `ngcctui` program: parse, run one command, turn every error into one line and an exit code."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from ngcctui.arguments import parse
from ngcctui.model.errors import ExitCode, NgccError

INTERRUPTED_BY_KEY = 130
OUTPUT_CLOSED = 141  # what a shell reports for a program that SIGPIPE ended


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv` (default: the process's); returns the exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    args: argparse.Namespace | None = None
    try:
        args = parse(words)
        if args.module == "tui.start":  # open for days, beside measurements
            import_module("ngcctui.engine.lean").without_openssl()
        code = int(import_module(_place(args.module)).run(args))
        _flush()
        return code
    except NgccError as error:
        return _say(args, str(error), error.exit_code)
    except KeyboardInterrupt:
        return INTERRUPTED_BY_KEY
    except BrokenPipeError:
        _forget_stdout()
        return OUTPUT_CLOSED
    except Exception as error:  # whatever it is, the operator gets one line and we get the traceback
        if os.environ.get("NGCCTUI_DEBUG") == "1":
            raise
        return _say(args, _internal(error, getattr(args, "crash_dir", None)), ExitCode.STORAGE)


def _place(module: str) -> str:
    """Where a command is: the screens are apart, so that nothing but this line can load them."""
    return f"ngcctui.{module}" if module.startswith("tui.") else f"ngcctui.commands.{module}"


def _say(args: argparse.Namespace | None, text: str, code: ExitCode) -> int:
    from ngcctui.console import console

    console(args).error(text)
    return int(code)


def _flush() -> None:
    """Write what is still buffered while a failure can be told."""
    from ngcctui.console import told_when_full

    try:
        with told_when_full():
            sys.stdout.flush()
    except NgccError:
        _forget_stdout()
        raise


def _forget_stdout() -> None:
    """Nothing reaches stdout any more: what is still buffered goes nowhere instead of failing again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _internal(error: Exception, crash_dir: Path | None) -> str:
    """What to say about an unexpected error, its traceback saved in the run or in the state directory."""
    import time
    import traceback

    from ngcctui.paths import state_home

    directory = crash_dir or state_home(os.environ)
    path = directory / f"traceback-{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}-{os.getpid()}.txt"
    what = f"internal error: {type(error).__name__}: {error}"
    try:
        directory.mkdir(parents=True, exist_ok=True)
        path.write_text(
            "".join(traceback.format_exception(error)), encoding="utf-8", errors="backslashreplace"
        )
    except OSError as failed:
        return f"{what} (no traceback saved: {failed.strerror}; NGCCTUI_DEBUG=1 prints it)"
    return f"{what} (traceback in {path})"
