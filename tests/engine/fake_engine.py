"""A stand-in for the engine, run as `fake_engine.py RUN SCRIPT`: it journals what a script tells it, and ends as told.

SCRIPT is a JSON list of actions: {"event": name, "step": id, "data": {...}}, {"wait_for": request} (until that request
is in control/), {"print": text}, {"signal": number} (to itself), {"signal_parent": number}, {"exit": code}.  `PID` in a session_start's data becomes
the real one.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from ngcctui.engine import control
from ngcctui.engine.journal import Journal, SystemClock
from ngcctui.engine.liveness import boot_id, start_ticks
from ngcctui.engine.rundir import RunDir
from ngcctui.engine.store import Storage
from ngcctui.model.event import EventName


def wait_for(run: RunDir, name: str) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        for request in control.poll(run):
            control.consume(request)
            if request.name == name:
                return
        time.sleep(0.01)
    sys.exit(99)


def session_data(data: dict[str, Any]) -> dict[str, Any]:
    return {
        "session": 1,
        "mode": "start",
        "pid": os.getpid(),
        "pid_start": start_ticks(os.getpid()),
        "boot_id": boot_id(),
    } | data


def main() -> int:
    run = RunDir(Path(sys.argv[1]))
    journal: Journal | None = None
    for action in json.loads(sys.argv[2]):
        if "event" in action:
            journal = journal or Journal(run.journal, Storage(), SystemClock())
            data = action.get("data", {})
            if action["event"] == "session_start":
                data = session_data(data)
            journal.append(EventName(action["event"]), action.get("step"), data)
        elif "wait_for" in action:
            wait_for(run, action["wait_for"])
        elif "print" in action:
            print(action["print"], file=sys.stderr, flush=True)
        elif "signal" in action:
            os.kill(os.getpid(), action["signal"])
        elif "signal_parent" in action:
            os.kill(os.getppid(), action["signal_parent"])
        elif "exit" in action:
            return int(action["exit"])
    return 0


if __name__ == "__main__":
    sys.exit(main())
