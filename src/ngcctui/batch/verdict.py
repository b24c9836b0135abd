"""What the end of an engine process means for the operator."""

from __future__ import annotations

import signal
from pathlib import Path

from ngcctui.model.errors import ExitCode

#: An engine that has not journalled the end of its session can only have refused or failed.
_REFUSALS = (ExitCode.USAGE, ExitCode.HOST, ExitCode.INTERRUPTED, ExitCode.STORAGE)


def verdict(returncode: int, session_over: bool, last_words: str, run: Path) -> tuple[ExitCode, str]:
    """Exit code and what to say (empty: nothing).

    `returncode` is the engine's (negative: the signal that killed it), `session_over` whether it journalled
    session_end, `last_words` the last line it printed.
    """
    resume = f"`ngcctui resume {run}` goes on with it"
    if returncode < 0:
        return ExitCode.INTERRUPTED, f"the engine was killed by {_signal_name(-returncode)}; {resume}"
    if session_over and returncode in tuple(ExitCode):
        code = ExitCode(returncode)
        return code, f"stopped; {resume}" if code is ExitCode.INTERRUPTED else ""
    code = ExitCode(returncode) if returncode in _REFUSALS else ExitCode.STORAGE
    if code is ExitCode.INTERRUPTED:
        return code, f"stopped before it began; {resume}"
    if not last_words:
        return code, f"the engine ended without a word (exit {returncode}); its log is {run}/logs/engine.log"
    return code, last_words


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
