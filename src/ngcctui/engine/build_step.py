"""The build step: the instance's library with the guide's flags, or else with the harness's defaults."""

from __future__ import annotations

from pathlib import Path

from ngcctui.engine.context import Context, StepEnd
from ngcctui.engine.store import sha256_file, write_atomic
from ngcctui.engine.toolchain import GUIDE, HARNESS_DEFAULT, BuildResult, build_library
from ngcctui.model.outcome import Outcome
from ngcctui.model.record import LibraryInfo
from ngcctui.model.scheme import Instance, Scheme
from ngcctui.model.step import Step


async def build(ctx: Context, step: Step) -> StepEnd:
    """Build and install the library; BUILDFAIL carries the first error of the guide's flags."""
    scheme = ctx.schemes[step.scheme]
    instance = scheme.instance(step.instance)
    first = result = await _build(ctx, scheme, instance, GUIDE)
    log = result.log
    if result.outcome is not Outcome.PASS:
        result = await _build(ctx, scheme, instance, HARNESS_DEFAULT)
        log = f"{log}\n{result.log}"
    log_path = ctx.run.build_log(scheme.key, instance.name)
    write_atomic(log_path, log.encode("utf-8", "replace"), ctx.storage)
    file, digest = ctx.run.relative(log_path), sha256_file(log_path)
    if result.outcome is not Outcome.PASS:
        return StepEnd(Outcome.BUILDFAIL, first.detail, file, digest)
    info = install(ctx, scheme, instance, result)
    return StepEnd(Outcome.PASS, "" if result is first else first.detail, file, digest, library_summary(info))


async def fallback(ctx: Context, scheme: Scheme, instance: Instance) -> LibraryInfo | None:
    """Build and install the harness-default library after a KAT fault; None when that does not build."""
    result = await _build(ctx, scheme, instance, HARNESS_DEFAULT)
    return install(ctx, scheme, instance, result) if result.outcome is Outcome.PASS else None


async def _build(ctx: Context, scheme: Scheme, instance: Instance, flags: str) -> BuildResult:
    return await build_library(
        ctx.toolchain, scheme, instance, flags, ctx.cache, profile=ctx.campaign.profile.on
    )


def install(ctx: Context, scheme: Scheme, instance: Instance, result: BuildResult) -> LibraryInfo:
    """Copy the library out of the cache into the run, each set of flags under its own name."""
    assert result.library is not None and result.sha256 is not None
    suffix = "" if result.flags == GUIDE else f".{result.flags}"
    library = _copy(ctx, result.library, ctx.run.library(scheme.key, instance.name), suffix)
    profile = None
    if result.profile_library is not None:
        profile = _copy(
            ctx, result.profile_library, ctx.run.profile_library(scheme.key, instance.name), suffix
        )
    return LibraryInfo(
        library, result.sha256, result.flags, result.static_bytes, profile, result.profile_sha256
    )


def _copy(ctx: Context, source: Path, target: Path, suffix: str) -> str:
    target = target.with_name(target.stem + suffix + target.suffix)
    write_atomic(target, source.read_bytes(), ctx.storage)
    return ctx.run.relative(target)


def library_summary(info: LibraryInfo) -> dict[str, object]:
    """The library's part of a step_end summary."""
    return {
        "flags": info.flags,
        "library": info.path,
        "library_sha256": info.sha256,
        "profile_library": info.profile_path,
        "profile_sha256": info.profile_sha256,
        "static_bytes": info.static_bytes,
    }


def library_of(ctx: Context, step: Step) -> LibraryInfo | None:
    """The library that later steps of the instance use: the KAT's when it has run, else the build's."""
    for kind in ("kat", "build"):
        entry = ctx.state.steps.get(f"{kind}:{step.scheme}/{step.instance}")
        summary = entry.summary if entry is not None and entry.outcome is not None else {}
        if summary.get("library"):
            return LibraryInfo(
                str(summary["library"]),
                str(summary["library_sha256"]),
                str(summary["flags"]),
                int(summary["static_bytes"]),
                summary.get("profile_library"),
                summary.get("profile_sha256"),
            )
    return None
