"""Memory of the engine while it works off a run: `python -m benchmarks.engine_rss`.

Read from /proc ten times a second, from the engine's first event to its end, in a run that builds, checks and measures one
instance.  Byte code is written to a directory of its own first, as an installed package has it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.common import goal_line, scratch, spread_line, title

GOAL_MIB = 25e6 / 2**20
ONLY = "sign-17/OPSsig-128"
PERIOD_S = 0.1


def run_detached(directory: Path, environ: dict[str, str]) -> tuple[Path, int]:
    """Start a run; its directory and the engine's process id."""
    core = str(
        min(os.sched_getaffinity(0))
    )  # Memory does not depend on it, and another run is less likely there.
    words = ["run", "quick", "--detach", "--wait", "--allow-unfixed-host", "--core", core]
    words += ["--only", ONLY, "--runs", str(directory)]
    argv = [sys.executable, "-P", "-m", "ngcctui", *words]
    done = subprocess.run(
        argv, env=environ, check=True, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    run = Path(done.stdout.strip())
    while True:
        for line in (
            (run / "journal.jsonl").read_text().splitlines() if (run / "journal.jsonl").exists() else ()
        ):
            event = json.loads(line)
            if event["event"] == "session_start":
                return run, int(event["data"]["pid"])
        time.sleep(PERIOD_S)


def memory_kib(pid: int) -> dict[str, int]:
    """Fields of /proc/PID/status in KiB; empty when the process is gone."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return {}
    fields = dict(line.split(":", 1) for line in lines if ":" in line)
    return {name: int(fields[name].split()[0]) for name in ("VmRSS", "VmHWM", "RssAnon") if name in fields}


def main() -> None:
    """Measure and print."""
    title(f"Memory of the engine during campaign quick, {ONLY}")
    with scratch() as directory:
        environ = os.environ | {"PYTHONPYCACHEPREFIX": str(directory / "pyc")}
        environ.pop("PYTHONDONTWRITEBYTECODE", None)
        engine = [sys.executable, "-P", "-c", "import ngcctui.engine.service"]
        subprocess.run(engine, env=environ, check=True)
        _, pid = run_detached(directory / "runs", environ)
        seen = []
        while sample := memory_kib(pid):
            seen.append(sample)
            time.sleep(PERIOD_S)
    if not seen:
        sys.exit("the engine was gone before it could be looked at")
    spread_line("resident", [sample["VmRSS"] / 1024 for sample in seen], "MiB")
    spread_line("of it not backed by files", [sample["RssAnon"] / 1024 for sample in seen], "MiB")
    goal_line("peak (25 MB)", max(sample["VmHWM"] for sample in seen) / 1024, "MiB", round(GOAL_MIB, 2))


if __name__ == "__main__":
    main()
