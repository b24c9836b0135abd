"""The end of a run: count what failed, journal it, let a child write the reports."""

from __future__ import annotations

import asyncio
import os
import sys

from ngcctui.engine.context import Context
from ngcctui.engine.state import failed_steps
from ngcctui.model.errors import ExitCode
from ngcctui.model.event import EventName

_REPORT_LIMIT_S = 600.0


async def finish(ctx: Context) -> int:
    """Journal run_end, start the report, journal session_end; returns the engine's exit code."""
    failed = [str(step) for step in failed_steps(ctx.state)]
    code = ExitCode.FAILURES if failed else ExitCode.DONE
    data = {"passed": len(ctx.state.steps) - len(failed), "failed": failed, "exit": int(code)}
    ctx.emit(EventName.RUN_END, None, data, sync=True)
    problem = await _report(ctx)
    if problem:
        ctx.warn("report", problem)
        code = ExitCode.STORAGE
    reason = "error" if problem else "finished"
    ctx.emit(EventName.SESSION_END, None, {"reason": reason, "exit": int(code)}, sync=True)
    return int(code)


async def _report(ctx: Context) -> str:
    """Run `ngcctui report RUN` as a child; what went wrong in one line, or nothing."""
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",
        "-m",
        "ngcctui",
        "report",
        str(ctx.run.path),
        "--quiet",
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        env=dict(os.environ),
        start_new_session=True,
    )
    try:
        _, said = await asyncio.wait_for(child.communicate(), _REPORT_LIMIT_S)
    except TimeoutError:
        child.kill()
        await child.wait()
        return f"the report was not written within {_REPORT_LIMIT_S:.0f} s"
    if child.returncode == 0:
        return ""
    lines = said.decode("utf-8", "replace").strip().splitlines()
    return f"the report failed: {lines[-1] if lines else f'exit {child.returncode}'}"
