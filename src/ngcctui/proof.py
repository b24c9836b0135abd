"""Build instances and run their known answer tests outside of a run, several at a time."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ngcctui.engine.child import become_subreaper
from ngcctui.engine.fallback import kat_with_fallback
from ngcctui.engine.kat import run_kat
from ngcctui.engine.kat_case import check_records
from ngcctui.engine.toolchain import (
    GUIDE,
    HARNESS_DEFAULT,
    BuildResult,
    Native,
    Toolchain,
    build_library,
    build_native,
    cache_dir,
    find_toolchain,
)
from ngcctui.model.campaign import Host, Kat
from ngcctui.model.outcome import Outcome
from ngcctui.model.record import KatResult
from ngcctui.model.scheme import Instance, Scheme


@dataclass(frozen=True)
class Proof:
    """What became of one instance: the build's outcome when that failed, else the KAT's.

    `flags` are those of the library it was found with; `detail` is one line, `log` what the compiler said.
    """

    scheme: str
    instance: str
    outcome: Outcome
    label: str
    records: int
    covered: int
    sha256: str | None
    flags: str
    detail: str
    log: str


@dataclass(frozen=True)
class _Bench:
    toolchain: Toolchain
    native: Native
    cache: Path
    scratch: Path
    kat: Kat
    cores: asyncio.Queue[int]


async def prove(schemes: Sequence[Scheme], kat: Kat, cores: Sequence[int]) -> AsyncIterator[Proof]:
    """Every instance of `schemes` in order, as many at a time as there are `cores`; yields in that order.

    ConfigError when there is no compiler, or `kat.records` is no number that a digest covers.
    """
    work = [(scheme, instance) for scheme in schemes for instance in scheme.file.instance]
    for _, instance in work:
        check_records(instance, kat.records)
    become_subreaper()
    toolchain, cache = find_toolchain(), cache_dir(os.environ)
    native = await build_native(toolchain, cache)
    free: asyncio.Queue[int] = asyncio.Queue()
    for core in cores:
        free.put_nowait(core)
    with tempfile.TemporaryDirectory(prefix="ngcctui-kat-") as scratch:
        bench = _Bench(toolchain, native, cache, Path(scratch), kat, free)
        tasks = [asyncio.ensure_future(_one(bench, scheme, instance)) for scheme, instance in work]
        try:
            for task in tasks:
                yield await task
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


async def _one(bench: _Bench, scheme: Scheme, instance: Instance) -> Proof:
    """As a run does it: the guide's flags first, the harness's own after a fault that flags can cause."""
    core = await bench.cores.get()
    try:
        built = await _build(bench, scheme, instance, GUIDE)
        if built.outcome is not Outcome.PASS:
            second = await _rebuild(bench, scheme, instance)
            if second is None:
                return _build_fault(scheme, instance, built)
            built = second
        built, result, _ = await kat_with_fallback(
            built,
            built.flags,
            lambda library: _kat(bench, scheme, instance, library, core),
            lambda: _rebuild(bench, scheme, instance),
        )
        return _proof(scheme, instance, built, result)
    finally:
        bench.cores.put_nowait(core)


async def _build(bench: _Bench, scheme: Scheme, instance: Instance, flags: str) -> BuildResult:
    return await build_library(bench.toolchain, scheme, instance, flags, bench.cache, profile=False)


async def _rebuild(bench: _Bench, scheme: Scheme, instance: Instance) -> BuildResult | None:
    built = await _build(bench, scheme, instance, HARNESS_DEFAULT)
    return built if built.outcome is Outcome.PASS else None


async def _kat(bench: _Bench, scheme: Scheme, instance: Instance, built: BuildResult, core: int) -> KatResult:
    assert built.library is not None
    place = Path(tempfile.mkdtemp(dir=bench.scratch))
    return await run_kat(
        bench.native,
        bench.toolchain,
        built.library,
        scheme,
        instance,
        records=bench.kat.records,
        limit_s=bench.kat.limit_s,
        cpu=core,
        memory_limit_bytes=Host().memory_limit_mib << 20,
        log=place / "kat.log",
        child_log=place / "printed.log",
        scratch=place,
        flags=built.flags,
    )


def _build_fault(scheme: Scheme, instance: Instance, built: BuildResult) -> Proof:
    covered = instance.kat.covered
    outcome = built.outcome
    return Proof(
        scheme.key,
        instance.name,
        outcome,
        outcome.value,
        0,
        covered,
        None,
        built.flags,
        built.detail,
        built.log,
    )


def _proof(scheme: Scheme, instance: Instance, built: BuildResult, result: KatResult) -> Proof:
    return Proof(
        scheme.key,
        instance.name,
        result.outcome,
        result.label,
        result.records,
        result.covered,
        result.sha256,
        built.flags,
        result.detail,
        built.log,
    )
