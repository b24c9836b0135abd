"""Run a compiler or another tool on hostile input: own session, limits, its output cut."""

from __future__ import annotations

import resource
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ngcctui.engine.child.drain import Pipe
from ngcctui.engine.child.process import Process, uninterrupted
from ngcctui.engine.child.verdict import signal_name
from ngcctui.engine.printed import Printed

_LIMITS = {
    resource.RLIMIT_AS: 8 << 30,
    resource.RLIMIT_FSIZE: 1 << 30,
    resource.RLIMIT_CORE: 0,
}


@dataclass(frozen=True)
class ToolResult:
    """How a tool ended; `output` is stdout and stderr in order, safe to show; `problem` is None after exit 0.

    `in_time` is False for one that was killed at its limit: it may have complained of that before it died.
    """

    output: str
    problem: str | None
    in_time: bool = True

    @property
    def ok(self) -> bool:
        """True when the tool ended with exit code 0."""
        return self.problem is None


async def run_tool(
    argv: Sequence[str], *, cwd: Path, environment: Mapping[str, str], limit_s: float, keep_bytes: int
) -> ToolResult:
    """Run `argv` for at most `limit_s` seconds and keep the first `keep_bytes` bytes of its output.

    HostError when it cannot be started.  On cancellation it is killed with all below it before that goes on.
    """
    printed = Printed(keep_bytes)
    with Pipe(printed.feed) as output:
        process = Process(
            argv, cwd=cwd, environment=environment, output=output.write_fd, new_session=True, limits=_LIMITS
        )
        finished = False
        try:
            output.start(process.wake)
            finished = await process.exited(limit_s)
        finally:
            code, _ = await uninterrupted(process.end())
        await output.finish()
    name = Path(argv[0]).name
    if not finished:
        problem: str | None = f"{name}: not done within {limit_s:g} s"
    elif code is None or code < 0:
        problem = f"{name}: ended by {signal_name(code)}"
    else:
        problem = f"{name}: exit code {code}" if code else None
    return ToolResult(printed.text(), problem, finished)
