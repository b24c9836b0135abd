"""The operator's own command at the end of a watched run."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence

from ngcctui.overview import Overview


def end_environment(overview: Overview, environ: Mapping[str, str]) -> dict[str, str]:
    """What the command is told: NGCCTUI_RUN (path), NGCCTUI_STATE (as in the list of runs), NGCCTUI_EXIT (0 to 5)."""
    code = "" if overview.exit is None else str(int(overview.exit))
    told = {"NGCCTUI_RUN": str(overview.run.path), "NGCCTUI_STATE": overview.word, "NGCCTUI_EXIT": code}
    return {**environ, **told}


def start_hook(words: Sequence[str], overview: Overview) -> str:
    """Start the command, away from the terminal, and do not wait for it; returns why it could not be started."""
    try:
        subprocess.Popen(
            words,
            env=end_environment(overview, os.environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        return f"on_end: {words[0]}: {getattr(error, 'strerror', None) or error}"
    return ""
