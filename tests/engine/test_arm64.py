"""The native part on arm64: cross-built, and run by qemu's user emulation as the toolchain's runner.

An emulator proves that code, numbers of system calls and fall-backs are right; it says nothing about time or memory.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from engine.forked import run_forked

from ngcctui.engine import driver
from ngcctui.engine.child import ChildResult, ChildSpec, Death, run_child
from ngcctui.engine.driver import Answer
from ngcctui.engine.kat import run_kat
from ngcctui.engine.toolchain import (
    GUIDE,
    BuildResult,
    Native,
    Toolchain,
    build_library,
    build_native,
    find_toolchain,
)
from ngcctui.model.campaign import Campaign
from ngcctui.model.outcome import Outcome
from ngcctui.model.record import KatResult
from ngcctui.model.scheme import Scheme, load_scheme
from ngcctui.share import share_dir

COMPILER = "aarch64-linux-gnu-gcc"
EMULATOR = "qemu-aarch64-static"
SYSROOT = Path("/usr/aarch64-linux-gnu")

MISSING = [name for name in (COMPILER, EMULATOR) if shutil.which(name) is None]
pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}")


@pytest.fixture(scope="module")
def cross() -> Toolchain:
    """The cross compiler with the emulator as runner."""
    emulator = shutil.which(EMULATOR)
    assert emulator is not None
    return find_toolchain(COMPILER, (emulator, "-L", str(SYSROOT)))


@pytest.fixture(scope="module")
def cross_native(cross: Toolchain, build_cache: Path) -> Native:
    return run_forked(lambda: build_native(cross, build_cache))


@pytest.fixture(scope="module")
def scheme() -> Scheme:
    return load_scheme(share_dir() / "schemes" / "sign-17")


def built(cross: Toolchain, scheme: Scheme, name: str, cache: Path) -> BuildResult:
    instance = scheme.instance(name)
    result = run_forked(lambda: build_library(cross, scheme, instance, GUIDE, cache, profile=True))
    assert result.outcome is Outcome.PASS, result.log
    assert result.library is not None and result.profile_library is not None
    return result


def test_everything_is_built_for_arm64(
    cross: Toolchain, cross_native: Native, scheme: Scheme, build_cache: Path
) -> None:
    assert cross.target.startswith("aarch64")
    library = built(cross, scheme, "OPSsig-128", build_cache)
    for path in (cross_native.driver, cross_native.isolation, library.library, library.profile_library):
        assert path is not None
        with path.open("rb") as file:
            assert ELFFile(file).get_machine_arch() == "AArch64"


@pytest.mark.parametrize("name", ["OPSsig-128", "OPSsig-256", "OPSsig-512"])
def test_the_official_answers(
    cross: Toolchain, cross_native: Native, scheme: Scheme, build_cache: Path, tmp_path: Path, name: str
) -> None:
    instance = scheme.instance(name)
    library = built(cross, scheme, name, build_cache).library
    assert library is not None
    result = run_forked(
        lambda: run_kat(
            cross_native,
            cross,
            library,
            scheme,
            instance,
            records=0,
            limit_s=60,
            cpu=-1,
            memory_limit_bytes=0,
            log=tmp_path / "kat.log",
            scratch=tmp_path,
        )
    )
    assert isinstance(result, KatResult)
    assert (result.outcome, result.detail) == (Outcome.PASS, "")
    assert (result.records, result.sha256) == (10, instance.kat.sha256)
    assert result.sizes == instance.sizes


def run_driver(
    cross: Toolchain,
    native: Native,
    library: Path,
    scheme: Scheme,
    operation: str,
    scratch: Path,
    **keys: str,
) -> tuple[Answer, ChildResult]:
    """One driver process for an operation of OPSsig-128 under the emulator."""
    instance = scheme.instance("OPSsig-128")
    (named,) = [item for item in scheme.operations(instance) if item.name == operation]
    job = driver.job(scheme, instance, named, Campaign("arm64")) | {"library": str(library)} | keys
    spec = ChildSpec((*cross.runner, str(native.driver)), job, 60, None, scratch)

    async def work() -> tuple[Answer, ChildResult]:
        answer = Answer()
        child = await run_child(spec, on_frame=answer.feed)
        return answer, child

    return run_forked(work)


def test_a_measurement_without_a_cycle_counter(
    cross: Toolchain, cross_native: Native, scheme: Scheme, build_cache: Path, tmp_path: Path
) -> None:
    library = built(cross, scheme, "OPSsig-128", build_cache).library
    assert library is not None
    answer, child = run_driver(
        cross,
        cross_native,
        library,
        scheme,
        "verify",
        tmp_path,
        mode="measure",
        trials="2",
        iterations="3",
        counter="0:0:cycles",
    )
    assert (child.death, child.malformed) == (Death.NORMAL, None)
    assert answer.end is not None and (answer.end.status, answer.end.detail) == ("ok", "")
    assert answer.setup is not None
    sizes = (answer.setup.public_key, answer.setup.secret_key, answer.setup.signature)
    assert sizes == (2560, 3840, 4349)
    assert answer.setup.instance == "OPSsig-128"
    assert answer.setup.isolation["counter"].startswith("refused: perf_event_open: ")
    assert [trial.trial for trial, _ in answer.trials] == [0, 1]
    for trial, samples in answer.trials:
        assert trial.cycles is None
        assert trial.counter.startswith("perf_event_open: ")
        assert trial.tick_source == "cntvct"
        assert trial.ticks is not None and trial.ticks > 0
        assert len(samples) == 3 and min(samples) > 0
        assert sum(samples) <= trial.wall_ns
        assert (trial.rejected, trial.failures) == (0, 0)


def test_profiled_calls_do_not_depend_on_the_machine(
    cross: Toolchain, cross_native: Native, scheme: Scheme, build_cache: Path, tmp_path: Path
) -> None:
    library = built(cross, scheme, "OPSsig-128", build_cache).profile_library
    assert library is not None
    answer, _ = run_driver(
        cross,
        cross_native,
        library,
        scheme,
        "verify",
        tmp_path,
        mode="profile",
        inputs="fixed",
        iterations="1",
        warmups="0",
    )
    profile = answer.profile
    assert profile is not None and profile.intercepted, profile
    calls: dict[str, int] = {}
    for function, _, _, count, _ in profile.calls:
        calls[function] = calls.get(function, 0) + count
    assert calls == {"pseudoXOF": 12, "pseudohash": 2, "sm3hash": 1}
    assert profile.tick_source == "cntvct"
    assert profile.tick_hz > 0
