"""Known answer tests of real libraries: right ones, wrong ones, and ones that misbehave in every call."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import struct
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from engine import candidate
from engine.forked import processes_with, run_forked

from ngcctui.engine.hold import Hold
from ngcctui.engine.kat import run_kat
from ngcctui.engine.livepage import LivePage, LivePhase, LiveView
from ngcctui.engine.store import sha256_file
from ngcctui.engine.toolchain import GUIDE, BuildResult, Native, Toolchain, build_library
from ngcctui.model.errors import ConfigError
from ngcctui.model.outcome import Outcome
from ngcctui.model.record import KatResult
from ngcctui.model.scheme import KatSpec, Scheme, load_scheme
from ngcctui.share import native_dir, share_dir

CORE = min(os.sched_getaffinity(0))


@dataclass(frozen=True)
class Bench:
    """Our programs, and the candidate built with any defines."""

    native: Native
    toolchain: Toolchain
    directory: Path

    def library(self, *defines: str) -> Path:
        """A library of the candidate, made with one compiler run."""
        target = self.directory / f"{'_'.join(defines) or 'good'}.so"
        if not target.exists():
            native = native_dir()
            command = [*self.toolchain.cc, "-O1", "-fPIC", "-D_GNU_SOURCE", "-shared", "-o", str(target)]
            command += [f"-D{define}" for define in defines]
            command += [
                f'-DNGCC_INSTANCE="{candidate.NAME}"',
                f"-I{native / 'helpers'}",
                str(candidate.SOURCE),
            ]
            command += [str(native / "library/shim.c"), *map(str, sorted((native / "helpers").glob("*.c")))]
            subprocess.run(command, check=True, timeout=300)
        return target


@pytest.fixture(scope="session")
def python_bench(native: Native, toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench(native, toolchain, tmp_path_factory.mktemp("libraries"))


@pytest.fixture(scope="session", params=["python", "driver"])
def bench(request: pytest.FixtureRequest, python_bench: Bench) -> Bench:
    """With each of the two workers; a runner that does nothing stands for an emulator."""
    env = shutil.which("env")
    assert env is not None
    foreign = replace(python_bench.toolchain, runner=(env,))
    return python_bench if request.param == "python" else replace(python_bench, toolchain=foreign)


@pytest.fixture
def scheme(tmp_path: Path) -> Scheme:
    """The candidate's scheme, with the digests of each record."""
    (tmp_path / "known.toml").write_text(candidate.known_toml(10))
    kat = KatSpec(sha256=candidate.sha256(10), record0_sha256=candidate.sha256(1), records="known.toml")
    return candidate.scheme(tmp_path, kat=kat)


def check(bench: Bench, library: Path, scheme: Scheme, scratch: Path, **options: Any) -> KatResult:
    """Run the KAT of a scheme's only instance; nothing of it may be left."""
    every: dict[str, Any] = {
        "records": 0,
        "limit_s": 60.0,
        "cpu": CORE,
        "memory_limit_bytes": 1 << 30,
        "log": scratch / "kat.log",
        "scratch": scratch,
    }
    options = every | options
    instance = scheme.file.instance[0]
    result = run_forked(lambda: run_kat(bench.native, bench.toolchain, library, scheme, instance, **options))
    assert processes_with(str(scratch)) == []
    assert list(scratch.glob("child-*")) == []
    return result


def test_a_right_candidate_passes(bench: Bench, scheme: Scheme, tmp_path: Path) -> None:
    result = check(bench, bench.library(), scheme, tmp_path, flags="guide")
    assert result == KatResult(
        Outcome.PASS,
        10,
        10,
        sha256=candidate.sha256(10),
        log_sha256=sha256_file(tmp_path / "kat.log"),
        sizes=candidate.SIZES,
        lengths={name: (size, size) for name, size in candidate.SIZES.items()},
    )
    log = (tmp_path / "kat.log").read_text("utf-8")
    assert log.startswith(f"scheme: toy\ninstance: {candidate.NAME}\nlibrary: good.so\nlibrary SHA-256: ")
    assert "\nflags: guide\nmode: strict, records generated: 10, covered by the digest: 10\n" in log
    assert (
        "\ndeclared sizes (bytes): public key 32, secret key 32, signature 48\nisolation: session on, " in log
    )
    assert "\nrecord 9: pk[32] " in log
    assert log.endswith("\noutcome: PASS\n")


def test_record_0_alone(bench: Bench, scheme: Scheme, tmp_path: Path) -> None:
    result = check(bench, bench.library(), scheme, tmp_path, records=1)
    assert (result.label, result.records, result.sha256) == ("PASS (1 record)", 1, candidate.sha256(1))


def test_fewer_covered_records(bench: Bench, tmp_path: Path) -> None:
    scheme = candidate.scheme(tmp_path, kat=KatSpec(mode="strict:3", sha256=candidate.sha256(3)))
    result = check(bench, bench.library(), scheme, tmp_path)
    assert (result.label, result.records, result.covered) == ("PASS", 3, 3)


def test_a_number_that_no_digest_covers_starts_nothing(bench: Bench, scheme: Scheme, tmp_path: Path) -> None:
    async def work() -> None:
        with pytest.raises(ConfigError, match="2 KAT records cannot be checked"):
            await run_kat(
                bench.native,
                bench.toolchain,
                tmp_path / "no library",
                scheme,
                scheme.file.instance[0],
                records=2,
                limit_s=1,
                cpu=-1,
                memory_limit_bytes=0,
                log=tmp_path / "log",
                scratch=tmp_path,
            )

    run_forked(work)
    assert not (tmp_path / "log").exists()


@pytest.mark.parametrize(
    ("defines", "outcome", "detail"),
    [
        (("DIFFER_IN=4",), "MISMATCH", "first difference in record 4, field sn"),
        (("KEYGEN_CODE=-3",), "CRYPTOFAIL", "sig_keygen returned -3 in record 0"),
        (("REJECT",), "CRYPTOFAIL", "sig_verify rejected the honest signature of record 0: -5"),
        (("ACCEPT",), "CRYPTOFAIL", "sig_verify accepted another message for the signature of record 0"),
        (("LONGER=3",), "OVERFLOW", "sig_sign returned 51 bytes of sn, declared are 48"),
        (("PAST=1",), "OVERFLOW", "sig_sign wrote outside of sn in record 0"),
        (("PAST=64",), "OVERFLOW", "sig_sign wrote outside of sn in record 0"),
        (("BEFORE=1",), "OVERFLOW", "sig_sign wrote outside of sn in record 0"),
        (("CRASH_IN=2",), "CRASH", "SIGILL*; 2 of 10 records reached"),
        (("EXIT_CODE=0",), "EXITED", "ended by itself with exit code 0; 0 of 10 records reached"),
        (("EXIT_CODE=3",), "EXITED", "ended by itself with exit code 3; 0 of 10 records reached"),
        (("HANG_IN=2",), "TIMEOUT", "not done within 4 s; 2 of 10 records reached, record 0 is right"),
        (("HANG_AT_LOAD",), "TIMEOUT", "not done within 1 s; 0 of 10 records reached"),
        (("WITHOUT_VERIFY",), "LOADFAIL", "the library has no function sig_verify"),
        (("DECLARED=49",), "MISMATCH", "signature of 49 bytes declared, 48 in scheme.toml"),
        (("DECLARED=0",), "CRYPTOFAIL", "a signature of 0 bytes is declared"),
        (("DECLARED=-1",), "CRYPTOFAIL", "a signature of 18446744073709551615 bytes is declared"),
        (("EAT",), "OOM", "out of memory: sig_sign returned -2 in record 0"),
        (("CRASH_AT_EXIT",), "PASS", "crashed at exit: SIGSEGV"),
    ],
)
def test_what_is_wrong_is_found(
    bench: Bench, scheme: Scheme, tmp_path: Path, defines: tuple[str, ...], outcome: str, detail: str
) -> None:
    limit_s = 60.0
    if outcome == "TIMEOUT":
        limit_s = 4.0 if "HANG_IN=2" in defines else 1.0
    memory = {"memory_limit_bytes": 256 << 20} if outcome == "OOM" else {}
    result = check(bench, bench.library(*defines), scheme, tmp_path, limit_s=limit_s, **memory)
    begin, _, rest = detail.partition("*")
    assert result.outcome is Outcome(outcome), result.detail
    assert result.detail.startswith(begin)
    assert result.detail.endswith(rest)
    assert f"detail: {result.detail}\n" in (tmp_path / "kat.log").read_text("utf-8")


def test_without_a_digest_there_is_no_verdict(bench: Bench, tmp_path: Path) -> None:
    result = check(bench, bench.library(), candidate.scheme(tmp_path, kat=KatSpec()), tmp_path)
    assert (result.outcome, result.sha256) == (Outcome.NOKAT, candidate.sha256(10))


def test_a_library_that_is_none(bench: Bench, scheme: Scheme, tmp_path: Path) -> None:
    (tmp_path / "text.so").write_text("no library")
    result = check(bench, tmp_path / "text.so", scheme, tmp_path)
    assert result.outcome is Outcome.LOADFAIL
    assert result.detail.startswith("the library cannot be loaded: ")
    assert "/proc/self" not in result.detail


def test_a_library_of_another_instance(bench: Bench, scheme: Scheme, tmp_path: Path) -> None:
    (of,) = scheme.file.instance
    other = replace(scheme, file=replace(scheme.file, instance=(replace(of, name="Toy-2"),)))
    result = check(bench, bench.library(), other, tmp_path)
    assert (result.outcome, result.detail) == (Outcome.LOADFAIL, "the library is that of Toy-1")


def test_a_core_that_is_not_there_is_no_fault_of_the_candidate(
    bench: Bench, scheme: Scheme, tmp_path: Path
) -> None:
    result = check(bench, bench.library(), scheme, tmp_path, cpu=8000)
    assert result.outcome is Outcome.ENGINE_ERROR
    assert result.detail.startswith("affinity: ")


def test_records_are_told_and_the_live_page_follows(
    python_bench: Bench, scheme: Scheme, tmp_path: Path
) -> None:
    page = tmp_path / "page"
    page.write_bytes(bytes(4096))
    told = tmp_path / "told"

    def tell(record: int, covered: int) -> None:
        with told.open("a") as file:
            file.write(f"{record}/{covered} ")

    check(python_bench, python_bench.library(), scheme, tmp_path, on_record=tell, live_page=page)
    assert told.read_text() == " ".join(f"{n}/10" for n in range(1, 11)) + " "
    fields = struct.unpack_from("<6Q", page.read_bytes(), 64)
    pid, _, iteration, iterations, start_ns, phase = fields
    assert (iteration, iterations, phase) == (9, 10, 5)
    assert min(pid, start_ns) > 1


def test_a_held_worker_waits_before_its_next_call(bench: Bench, scheme: Scheme, tmp_path: Path) -> None:
    library, instance = bench.library(), scheme.file.instance[0]
    hold = Hold()
    told: list[int] = []

    async def work() -> tuple[KatResult, list[LiveView], float]:
        page = LivePage.create(tmp_path)
        assert page is not None
        with page, hold.over(page) as child:
            hold.ask()
            running = asyncio.ensure_future(
                run_kat(
                    bench.native,
                    bench.toolchain,
                    library,
                    scheme,
                    instance,
                    records=0,
                    limit_s=60.0,
                    cpu=CORE,
                    memory_limit_bytes=1 << 30,
                    log=tmp_path / "kat.log",
                    scratch=tmp_path,
                    on_record=lambda record, _: told.append(record),
                    live_page=page.path,
                    held_s=child.seconds,
                )
            )
            seen: list[LiveView] = []
            while not running.done() and len({view.start_ns for view in seen}) < 4:  # a few naps
                await asyncio.sleep(0.01)
                hold.look()
                view = page.view()
                if view is not None and view.phase is LivePhase.HELD:
                    seen.append(view)
            assert not told
            hold.release()
            return await running, seen, child.seconds()

    result, seen, held_s = run_forked(work)
    assert result.outcome is Outcome.PASS and result.sha256 == candidate.sha256(10)
    assert {view.iteration for view in seen} == {0}
    assert held_s > 0.1
    times = [float(ms) for ms in re.findall(r"sig_\w+ (\S+) ms", (tmp_path / "kat.log").read_text("utf-8"))]
    assert len(times) == 30 and max(times) < 1000 * held_s


def test_several_run_side_by_side(bench: Bench, scheme: Scheme, tmp_path: Path) -> None:
    library, instance = bench.library(), scheme.file.instance[0]

    def one(number: int, cpu: int) -> Any:
        return run_kat(
            bench.native,
            bench.toolchain,
            library,
            scheme,
            instance,
            records=0,
            limit_s=60,
            cpu=cpu,
            memory_limit_bytes=1 << 30,
            log=tmp_path / f"{number}.log",
            scratch=tmp_path,
        )

    async def work() -> list[KatResult]:
        return list(
            await asyncio.gather(*(one(n, cpu) for n, cpu in enumerate(sorted(os.sched_getaffinity(0)))))
        )

    assert {result.label for result in run_forked(work)} == {"PASS"}


def bundled(key: str) -> Scheme:
    return load_scheme(share_dir() / "schemes" / key)


BUNDLED = [
    ("sign-17", "OPSsig-128", "PASS", "23aaec0dae117c82214f9c3b393a374b88e15a80908232db187346dca3624077"),
    ("sign-17", "OPSsig-256", "PASS", "b5cd3841fdb689efd677f88378b78948498b9709954f10f1fc031313316d8e5e"),
    ("sign-17", "OPSsig-512", "PASS", "4ea56222477e584c80d8019bec5d58a459bf8b3a1fccaeb9cf46705841e03099"),
    ("iccs", "sm3hash-256", "SELFTEST PASS", None),
    ("iccs", "pseudohash-512", "SELFTEST PASS", None),
    ("iccs", "pseudohash-768", "SELFTEST PASS", None),
    ("iccs", "pseudohash-1024", "SELFTEST PASS", None),
    ("iccs", "pseudoXOF-256", "SELFTEST PASS", None),
    ("iccs", "pseudoXOF-512", "SELFTEST PASS", None),
    ("iccs", "pseudoXOF-768", "SELFTEST PASS", None),
    ("iccs", "pseudoXOF-1024", "SELFTEST PASS", None),
]


@pytest.fixture(scope="session")
def bundled_libraries(toolchain: Toolchain, build_cache: Path) -> Callable[[str, str], BuildResult]:
    """The libraries of all bundled instances, built side by side as a run builds them."""

    async def build_all() -> dict[tuple[str, str], BuildResult]:
        slots = asyncio.Semaphore(2)

        async def one(key: str, name: str) -> BuildResult:
            scheme = bundled(key)
            async with slots:
                instance = scheme.instance(name)
                return await build_library(toolchain, scheme, instance, GUIDE, build_cache, profile=False)

        results = await asyncio.gather(*(one(key, name) for key, name, *_ in BUNDLED))
        return {(key, name): result for (key, name, *_), result in zip(BUNDLED, results, strict=True)}

    built = run_forked(build_all)
    return lambda key, name: built[key, name]


@pytest.mark.parametrize(("key", "name", "label", "digest"), BUNDLED)
def test_the_bundled_schemes_give_the_official_answers(
    python_bench: Bench,
    bundled_libraries: Callable[[str, str], BuildResult],
    tmp_path: Path,
    key: str,
    name: str,
    label: str,
    digest: str | None,
) -> None:
    built = bundled_libraries(key, name)
    assert built.library is not None, built.log
    scheme = bundled(key)
    alone = replace(scheme, file=replace(scheme.file, instance=(scheme.instance(name),)))
    result = check(python_bench, built.library, alone, tmp_path)
    assert (result.label, result.detail) == (label, "")
    assert digest is None or result.sha256 == digest
    assert result.sizes == scheme.instance(name).sizes
