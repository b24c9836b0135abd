"""The driver under other compilers, sanitizers and another architecture."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from driver_kit import (
    DRIVER_SOURCES,
    HARNESS,
    ISOLATION_SOURCES,
    PROFILE,
    build_driver,
    build_toy,
    ended,
    run_driver,
)
from workshop import ROOT, Workshop


class TestBuilds:
    STRICT = ("-Werror", "-fsyntax-only")

    @pytest.mark.parametrize("name", ["gcc", "clang", "aarch64-linux-gnu-gcc"])
    def test_no_warnings(self, workshop: Workshop, name: str) -> None:
        if shutil.which(name) is None:
            pytest.skip(f"{name} is not installed")
        for sources, flags in (
            (DRIVER_SOURCES, ()),
            (ISOLATION_SOURCES, ("-fvisibility=hidden",)),
            ([PROFILE / "wrap.c"], ("-DNGCC_PROFILE",)),
            ([PROFILE / "wrap.c"], ("-DNGCC_PROFILE", "-DNGCC_FOREIGN_HELPERS", "-DNGCC_MERGED_HELPERS")),
        ):
            workshop.compile("nothing", sources, compiler=name, flags=(*self.STRICT, *flags))

    def test_sanitizers_find_nothing(self, workshop: Workshop) -> None:
        sanitize = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g")
        driver = build_driver(workshop, "gcc", *sanitize)
        library = build_toy(workshop, all_flags=[*sanitize, "-Wl,-z,undefs"])
        # Address space of a sanitized program cannot be limited, and its leak check starts a process.
        quiet: dict[str, Any] = {
            "memory_limit": 0,
            "seccomp": 0,
            "environ": {"ASAN_OPTIONS": "detect_leaks=0"},
        }
        for operation in ("keygen", "sign", "verify"):
            for mode in ("measure", "calibrate"):
                run = run_driver(
                    driver, library, operation=operation, mode=mode, iterations=5, warmups=1, **quiet
                )
                assert ended(run, "ok") == "" and run.stderr == ""
        run = run_driver(driver, "", mode="reference", **quiet)
        assert ended(run, "ok") == "" and run.stderr == ""

    def test_on_arm64_under_emulation(self, workshop: Workshop) -> None:
        compiler, emulator = "aarch64-linux-gnu-gcc", "qemu-aarch64-static"
        if shutil.which(compiler) is None or shutil.which(emulator) is None:
            pytest.skip("no cross compiler or emulator")
        driver = build_driver(workshop, compiler)
        library = build_toy(workshop, compiler=compiler, profile=[])
        job: dict[str, Any] = {"runner": (emulator, "-L", "/usr/aarch64-linux-gnu"), "memory_limit": 0}
        cpu = min(os.sched_getaffinity(0))
        for operation in ("keygen", "sign", "verify"):
            run = run_driver(driver, library, operation=operation, cpu=cpu, **job)
            assert ended(run, "ok") == ""
            assert run.trials[0][0]["tick_source"] == "cntvct" and run.trials[0][0]["iterations"] == 5
        assert run.setup["isolation"]["affinity"] == "on"
        assert run.setup["isolation"]["seccomp"].startswith("refused: ")
        run = run_driver(driver, library, operation="sign", mode="profile", **job)
        assert run.profile["intercepted"] and run.profile["tick_hz"] > 1e6
        broken = build_toy(workshop, "IN_SIGN=abort();", compiler=compiler)
        assert run_driver(driver, broken, operation="sign", **job).crash["signal"] == "SIGABRT"


class TestDocument:
    """docs/driver.md names what the driver reads and writes."""

    WORDS = frozenset(re.findall(r"`(\w+)`", (ROOT / "docs" / "driver.md").read_text("utf-8")))

    def test_every_key_of_the_job(self) -> None:
        text = "".join((HARNESS / name).read_text() for name in ("settings.c", "isolation/isolation.c"))
        keys = set(re.findall(r'ngcc_job_text\(job, "(\w+)"|^ +\{"(\w+)", -?\d', text, re.MULTILINE))
        assert len(keys) >= 20
        assert {first or second for first, second in keys} <= self.WORDS

    def test_every_field_of_every_frame(self, driver: Path, workshop: Workshop) -> None:
        runs = [
            run_driver(driver, build_toy(workshop, profile=[]), mode=mode, operation="sign")
            for mode in ("measure", "profile")
        ]
        runs.append(run_driver(driver, build_toy(workshop, "IN_SIGN=abort();"), operation="sign"))
        objects = [frame.data for run in runs for frame in run.frames if frame.type in "JC"]
        objects += [run.setup["isolation"] for run in runs]
        assert {str(data.get("type", "crash")) for data in objects} == {
            "setup",
            "trial",
            "profile",
            "end",
            "crash",
        }
        assert {key for data in objects for key in data} - {"type"} <= self.WORDS
