"""Who runs this program, and on which machine: the names that no published file may tell."""

from __future__ import annotations

import os
import pwd
import socket
from collections.abc import Mapping


def private_names(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Names of the user and of the host, each once; empty ones are left out."""
    host = socket.gethostname()
    names = [host, host.partition(".")[0], environ.get("USER", ""), environ.get("LOGNAME", ""), _account()]
    return tuple(dict.fromkeys(name for name in names if name))


def _account() -> str:
    """Name of the account; empty when it has none."""
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return ""
