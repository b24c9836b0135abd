"""Run the known answer test of one library in a worker process, and write its log."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ngcctui.engine.child import ChildSpec, run_child
from ngcctui.engine.kat_case import KatCase, kat_case
from ngcctui.engine.kat_judge import Progress, judge
from ngcctui.engine.script import packages_of, python_script
from ngcctui.engine.store import Storage, sha256_bytes, sha256_file, write_atomic
from ngcctui.engine.toolchain import Native, Toolchain
from ngcctui.model.record import KatResult
from ngcctui.model.scheme import Instance, Scheme


async def run_kat(
    native: Native,
    toolchain: Toolchain,
    library: Path,
    scheme: Scheme,
    instance: Instance,
    *,
    records: int,
    limit_s: float,
    cpu: int,
    memory_limit_bytes: int,
    log: Path,
    scratch: Path,
    on_record: Callable[[int, int], None] | None = None,
    child_log: Path | None = None,
    live_page: Path | None = None,
    seccomp: bool = True,
    flags: str = "",
    held_s: Callable[[], float] = lambda: 0.0,
    storage: Storage | None = None,
) -> KatResult:
    """Check `library` against the instance's known answers, pinned to core `cpu` (-1: not pinned).

    `records` is 0 for all that the digest covers or 1 for record 0 alone; `on_record` gets the number of records that
    are done and covered.  `log` is written anew, what the library prints is appended to `child_log`; `flags` names the
    flags that it was built with, for the log; `live_page` and `held_s` are those of ChildSpec.  The result has no log path,
    only the log's digest.

    Raises ConfigError for a number of records that no digest covers, StorageError when the log cannot be written.
    """
    case = kat_case(scheme, instance, records)
    progress = Progress(case, on_record)
    argv, keys = _worker(native, toolchain)
    spec = ChildSpec(
        argv=argv,
        job=keys | {"library": str(library.resolve()), "instance": instance.name} | case.job(),
        limit_s=limit_s,
        log=child_log,
        scratch=scratch,
        cpu=cpu,
        memory_limit_bytes=memory_limit_bytes,
        seccomp=seccomp,
        live_page=live_page,
        held_s=held_s,
    )
    child = await run_child(spec, on_frame=progress.feed)
    result = judge(progress, child)
    text = log_text(progress, result, library, flags).encode("utf-8", "replace")
    write_atomic(log, text, storage or Storage())
    return replace(result, log_sha256=sha256_bytes(text))


def _worker(native: Native, toolchain: Toolchain) -> tuple[tuple[str, ...], dict[str, str]]:
    """The worker's command and the job keys it needs besides the case.

    A Python with cffi; where programs of the target need a runner, this machine's Python cannot load the library, and
    the driver does the same work in C.
    """
    if toolchain.runner:
        return (*toolchain.runner, str(native.driver)), {"mode": "kat"}
    keys = {"isolation": str(native.isolation.resolve()), "packages": packages_of("cffi")}
    return python_script("kat_worker.py"), keys


def log_text(progress: Progress, result: KatResult, library: Path, flags: str) -> str:
    """The log of a KAT: what was checked, every record with the digests of its fields, and the outcome."""
    case = progress.case
    lines = [
        f"scheme: {case.key}",
        f"instance: {case.instance.name}",
        f"library: {library.name}",
        f"library SHA-256: {sha256_file(library)}",
        *([f"flags: {flags}"] if flags else []),
        f"mode: {case.instance.kat.mode}, records generated: {case.records}, covered by the digest: {case.covered}",
        f"declared sizes (bytes): {_pairs(progress.sizes)}",
        f"isolation: {_pairs(progress.isolation)}",
        "",
        *(_record_line(case, progress, number) for number in range(len(progress.records))),
        "",
        f"digest expected: {case.expected or 'none is known'}",
        f"digest found: {result.sha256 or 'none'}",
        f"outcome: {result.label}",
        *([f"detail: {result.detail}"] if result.detail else []),
    ]
    return "\n".join(lines) + "\n"


def _pairs(values: dict[str, object] | dict[str, int]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in values.items()) or "unknown"


def _record_line(case: KatCase, progress: Progress, number: int) -> str:
    seen = progress.records[number]
    fields = "  ".join(f"{name}[{seen.lengths[name]}] {seen.digests[name]}" for name in case.fields)
    times = "  ".join(f"{name} {ns / 1e6:.3f} ms" for name, ns in seen.times_ns.items())
    return f"record {number}: {fields}  {times}"
