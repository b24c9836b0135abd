"""Once a second beside the work: operator requests, the engine's half of the live page, clock steps."""

from __future__ import annotations

import asyncio
from pathlib import Path

from ngcctui.engine import control
from ngcctui.engine.context import Context
from ngcctui.engine.host import core_frequency_khz
from ngcctui.engine.runner import Runner

PERIOD_S = 1.0


async def watch(ctx: Context, runner: Runner, session_started_ns: int) -> None:
    """Poll until cancelled; never raises for what a viewer or a candidate has put in its way."""
    while True:
        take_requests(ctx, runner, session_started_ns)
        look_at_the_pause(ctx, runner)
        fill_live_page(ctx)
        text = ctx.journal.clock_step()
        if text:
            ctx.warn("clock-step", text)
        await asyncio.sleep(PERIOD_S)


def take_requests(ctx: Context, runner: Runner, session_started_ns: int) -> None:
    """Act on the files in control/ and journal what became of each; files older than the session are dropped."""
    for asked in control.poll(ctx.run, session_started_ns):
        runner.act(asked)
        control.consume(asked)


def look_at_the_pause(ctx: Context, runner: Runner) -> None:
    """See how far a pause has come, and tell viewers."""
    ctx.hold.look()
    if ctx.live_page is not None:
        ctx.live_page.tell_held(runner.held)


def fill_live_page(ctx: Context, proc: Path = Path("/proc")) -> None:
    """Copy what /proc tells of the measured process into the live page; silent when it is gone."""
    page = ctx.live_page
    view = page.view() if page else None
    if page is None or view is None or not view.pid:
        return
    try:
        status = (proc / str(view.pid) / "status").read_text("ascii", "replace")
        cpu_ns = int((proc / str(view.pid) / "schedstat").read_text("ascii", "replace").split()[0])
    except (OSError, ValueError, IndexError):
        return
    fields = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)

    def number(name: str) -> int:
        digits = fields.get(name, "0").split()[:1]
        return int(digits[0]) if digits and digits[0].isdecimal() else 0

    page.fill(
        rss_kib=number("VmRSS"),
        frequency_khz=core_frequency_khz(ctx.host_root, ctx.core) or 0,
        cpu_ns=cpu_ns,
        voluntary=number("voluntary_ctxt_switches"),
        involuntary=number("nonvoluntary_ctxt_switches"),
    )
