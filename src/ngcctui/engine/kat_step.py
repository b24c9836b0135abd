"""The KAT step: check the library against its known answers, with the fall-back flags after a fault."""

from __future__ import annotations

import contextlib
from dataclasses import replace

from ngcctui.engine.build_step import fallback, library_of, library_summary
from ngcctui.engine.context import Context, StepEnd
from ngcctui.engine.fallback import kat_with_fallback
from ngcctui.engine.kat import run_kat
from ngcctui.engine.livepage import LivePage
from ngcctui.engine.toolchain import GUIDE
from ngcctui.model.event import EventName
from ngcctui.model.outcome import Outcome
from ngcctui.model.record import KatResult, LibraryInfo
from ngcctui.model.step import Step


async def kat(ctx: Context, step: Step, cpu: int) -> StepEnd:
    """Run the KAT on core `cpu`; after a fault other than TIMEOUT once more with the harness's default flags."""
    built = library_of(ctx, step)
    if built is None:
        return StepEnd(Outcome.BUILDFAIL, "no library was built")
    scheme = ctx.schemes[step.scheme]
    library, result, fault = await kat_with_fallback(
        built,
        built.flags,
        lambda candidate: _run(ctx, step, candidate, cpu),
        lambda: fallback(ctx, scheme, scheme.instance(step.instance)),
    )
    if fault is not None:
        result = replace(result, detail=f"guide flags: {fault.outcome.value} {fault.detail}".strip())
    summary = library_summary(library) | {
        "label": result.label,
        "records": result.records,
        "covered": result.covered,
        "sha256": result.sha256,
        "sizes": result.sizes,
        "lengths": result.lengths,
    }
    return StepEnd(result.outcome, result.detail, result.log, result.log_sha256, summary)


async def _run(ctx: Context, step: Step, library: LibraryInfo, cpu: int) -> KatResult:
    scheme = ctx.schemes[step.scheme]
    log = ctx.run.kat_log(scheme.key, step.instance)
    if library.flags != GUIDE:
        log = log.with_name(f"{log.stem}.{library.flags}{log.suffix}")

    def on_record(record: int, covered: int) -> None:
        ctx.emit(EventName.KAT_RECORD, step, {"record": record, "covered": covered})

    await ctx.hold.passed()
    # A page of its own, because KATs run beside each other; viewers follow a KAT by its records in the journal.
    with contextlib.ExitStack() as stack:
        page = LivePage.create()
        if page is not None:
            stack.enter_context(page)
        held = stack.enter_context(ctx.hold.over(page))
        result = await run_kat(
            ctx.native,
            ctx.toolchain,
            ctx.run.path / library.path,
            scheme,
            scheme.instance(step.instance),
            records=ctx.campaign.kat.records,
            limit_s=ctx.campaign.kat.limit_s,
            cpu=cpu,
            memory_limit_bytes=ctx.memory_limit_bytes,
            seccomp=not ctx.campaign.host.processes,
            log=log,
            child_log=ctx.run.child_log(step),
            live_page=page.path if page is not None else None,
            held_s=held.seconds,
            scratch=ctx.scratch,
            on_record=on_record,
            flags=library.flags,
            storage=ctx.storage,
        )
    return replace(result, log=ctx.run.relative(log) if log.exists() else None)
