"""The wrapped library: calls and ticks of the helper functions, and when they cannot be believed."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import pytest
from driver_kit import HELPER_SOURCES, TOY, Run, build_toy, run_driver
from sign17_library import SCHEME, SOURCES
from workshop import HELPERS, Workshop

Calls = dict[tuple[str, int, int], int]


def profile(driver: Path, library: Path, **job: Any) -> Run:
    """Run a profile to its good end."""
    run = run_driver(driver, library, mode="profile", **job)
    assert run.end["status"] == "ok", (run.end, run.stderr)
    return run


def calls(run: Run) -> Calls:
    """How often each function was called with each pair of lengths (bits)."""
    found = {(name, in_bits, out_bits): count for name, in_bits, out_bits, count, _ in run.profile["calls"]}
    assert len(found) == len(run.profile["calls"])
    return found


def totals(run: Run) -> dict[str, int]:
    """Calls by function."""
    sums: dict[str, int] = {}
    for (name, _, _), count in calls(run).items():
        sums[name] = sums.get(name, 0) + count
    return sums


def hashing(workshop: Workshop, code: str, *defines: str, **build: Any) -> Path:
    """A wrapped toy whose crypto_hash runs `code` first."""
    options: dict[str, Any] = {"profile": []} | build
    return build_toy(workshop, f"IN_HASH={code}", *defines, **options)


HASH: dict[str, Any] = {"function": "hash", "operation": "hash", "message_bytes": 5, "iterations": 3}


class TestCounting:
    def test_only_the_operation_counts(self, driver: Path, workshop: Workshop) -> None:
        library = build_toy(workshop, profile=[])
        for operation, expected in {
            "keygen": {("drng", 0, 256): 20, ("sm3hash", 256, 256): 20},
            "sign": {("drng", 0, 256): 20, ("sm3hash", 1024, 256): 20},
            "verify": {("sm3hash", 1024, 256): 20},
        }.items():
            run = profile(driver, library, operation=operation, iterations=20, warmups=4)
            assert calls(run) == expected
            found = run.profile
            assert (found["operations"], found["warmups"], found["overflow_calls"]) == (20, 4, 0)
            assert found["intercepted"] is True and found["why"] == ""
            ticks = sum(row[4] for row in found["calls"])
            assert 0 < ticks < found["total_ticks"]
            assert found["tick_source"] in ("tsc", "cntvct") and found["tick_hz"] > 1e6
        assert not run.trials and "setup" in run.objects

    def test_every_function_and_length(self, driver: Path, workshop: Workshop) -> None:
        code = (
            "unsigned char out[300]; pseudohash(768, msg, 40, out); pseudohash(512, msg, 3, out);"
            "pseudoXOF(2001, msg, 40, out); get_random_number(&drng_algorithm, out, 17); pseudoXOF(2001, msg, 40, out);"
        )
        assert calls(profile(driver, hashing(workshop, code), **HASH)) == {
            ("pseudohash", 40, 768): 3,
            ("pseudohash", 3, 512): 3,
            ("pseudoXOF", 40, 2001): 6,
            ("drng", 0, 17): 3,
            ("sm3hash", 40, 256): 3,
        }

    def test_more_lengths_than_the_table_holds(self, driver: Path, workshop: Workshop) -> None:
        code = "unsigned char out[1300]; for (int n = 1; n <= 9000; n++) pseudoXOF(n, msg, 8, out);"
        run = profile(driver, hashing(workshop, code), **(HASH | {"iterations": 1}))
        assert len(run.profile["calls"]) == 8192
        assert run.profile["overflow_calls"] == 9001 - 8192

    def test_nothing_counts_between_operations(self, workshop: Workshop) -> None:
        class Profile(ctypes.Structure):
            _fields_ = [
                ("version", ctypes.c_uint64),
                ("total_ticks", ctypes.c_uint64),
                ("rest", ctypes.c_uint64 * 3),
            ]

        library = ctypes.CDLL(str(build_toy(workshop, "ON_LOAD=;", profile=[])))
        library.ngcc_profile_read.restype = ctypes.POINTER(Profile)

        def total() -> int:
            return int(library.ngcc_profile_read().contents.total_ticks)

        def rows() -> list[tuple[int, ...]]:
            """Rows of the table of entries with calls."""
            table = ctypes.cast(
                library.ngcc_profile_read().contents.rest[1], ctypes.POINTER(ctypes.c_uint64 * 5)
            )
            return [tuple(table[i]) for i in range(8192) if table[i][3]]

        digest = ctypes.create_string_buffer(32)
        assert library.crypto_hash(256, b"abc", ctypes.c_ulonglong(24), digest) == 0
        assert rows() == [] and total() == 0
        library.ngcc_profile_start()
        assert library.crypto_hash(256, b"abc", ctypes.c_ulonglong(24), digest) == 0
        library.ngcc_profile_stop()
        before, ticks = rows(), total()
        assert [row[:4] for row in before] == [(2, 24, 256, 1)] and ticks >= before[0][4] > 0
        assert library.crypto_hash(256, b"abc", ctypes.c_ulonglong(24), digest) == 0
        assert rows() == before and total() == ticks

    def test_a_call_through_a_pointer(self, driver: Path, workshop: Workshop) -> None:
        code = "static int (*volatile function)(int, const unsigned char *, length_t, unsigned char *) = sm3hash;"
        run = profile(driver, hashing(workshop, code + "function(256, msg, 9, digest);"), **HASH)
        assert calls(run) == {("sm3hash", 9, 256): 3, ("sm3hash", 40, 256): 3} and run.profile["intercepted"]


class TestStream:
    def stream(self, driver: Path, workshop: Workshop, code: str, before: str = "") -> Run:
        head = f"{before} static sm3_ctx a, b; unsigned char out[32];"
        return profile(driver, hashing(workshop, f"{head} {code} if (digest) return 0;"), **HASH)

    def test_one_call_a_message(self, driver: Path, workshop: Workshop) -> None:
        run = self.stream(
            driver,
            workshop,
            "sm3_init(&a); sm3_update(&a, msg, 5); sm3_update(&a, msg, 3); sm3_final(&a, out);",
        )
        assert calls(run) == {("sm3stream", 64, 256): 3} and run.profile["intercepted"]

    def test_of_two_at_a_time_the_later_one_is_followed(self, driver: Path, workshop: Workshop) -> None:
        begin = "sm3_init(&a); sm3_update(&a, msg, 4); sm3_init(&b); sm3_update(&a, msg, 5); sm3_update(&b, msg, 2);"
        run = self.stream(driver, workshop, f"{begin} sm3_final(&b, out); sm3_final(&a, out);")
        assert (
            calls(run) == {("sm3stream", 16, 256): 3, ("sm3stream", 0, 256): 3} and run.profile["intercepted"]
        )
        run = self.stream(driver, workshop, f"{begin} sm3_final(&a, out); sm3_final(&b, out);")
        assert calls(run) == {("sm3stream", 0, 256): 6}

    def test_a_prefix_kept_for_later_is_no_call(self, driver: Path, workshop: Workshop) -> None:
        run = self.stream(driver, workshop, "sm3_init(&a); sm3_update(&a, msg, 5);")
        ((name, in_bits, out_bits, count, ticks),) = run.profile["calls"]
        assert (name, in_bits, out_bits, count) == ("sm3stream", 0, 0, 0) and ticks > 0


class TestInterception:
    @pytest.fixture
    def foreign(self, workshop: Workshop) -> list[Path]:
        """Helpers of a package: pseudohash in one file calls sm3hash in another."""
        outer, inner = workshop.directory / "outer.c", workshop.directory / "inner.c"
        outer.write_text(
            '#include "auxfunc.h"\n'
            "int pseudohash(int bits, const unsigned char *m, unsigned long long n, unsigned char *out)\n"
            "{ return bits == 512 ? sm3hash(256, m, n, out) || sm3hash(256, out, 256, out + 32) : -4; }\n"
        )
        inner.write_text(
            '#include "auxfunc.h"\n#include "sm3_core.h"\n'
            "int sm3hash(int bits, const unsigned char *m, unsigned long long n, unsigned char *out)\n"
            "{ sm3_ctx c; iccs_sm3_begin(&c); iccs_sm3_finish(&c, m, n, 0, 0, out); return bits == 256 ? 0 : -4; }\n"
        )
        ours = [path for path in HELPER_SOURCES if path.name != "auxfunc.c"]
        return [outer, inner, *ours]

    def test_a_nested_call_belongs_to_the_outer_one(
        self, driver: Path, workshop: Workshop, foreign: list[Path]
    ) -> None:
        library = hashing(
            workshop,
            "unsigned char out[64]; pseudohash(512, msg, 40, out); if (out[0] == msg[0]) return 0;",
            sources=[TOY, *foreign[:2]],
            include=[HELPERS],
            helpers=foreign[2:],
            profile=["NGCC_FOREIGN_HELPERS"],
        )
        run = profile(driver, library, **HASH)
        assert calls(run) == {("pseudohash", 40, 512): 3, ("sm3hash", 40, 256): 3}
        assert run.profile["intercepted"]
        assert sum(row[4] for row in run.profile["calls"]) < run.profile["total_ticks"]

    def test_helpers_in_the_object_of_the_operations(
        self, driver: Path, workshop: Workshop, foreign: list[Path]
    ) -> None:
        library = hashing(
            workshop,
            "",
            sources=[TOY, *foreign[:2]],
            include=[HELPERS],
            helpers=foreign[2:],
            profile=["NGCC_FOREIGN_HELPERS", "NGCC_MERGED_HELPERS"],
        )
        found = profile(driver, library, **HASH).profile
        assert not found["intercepted"]
        assert found["why"] == "a helper function is in one object file with the operations"

    def test_a_private_hash_is_not_seen(self, driver: Path, workshop: Workshop) -> None:
        own = "for (length_t i = 0; i < msg_bits / 8; i++) digest[i % 32] ^= (unsigned char)(msg[i] * 131 + i); return 0;"
        found = profile(driver, hashing(workshop, own), **HASH).profile
        assert (found["intercepted"], found["why"], found["calls"]) == (False, "no helper call was seen", [])

    def test_a_helper_of_its_own_object_is_caught(self, driver: Path, workshop: Workshop) -> None:
        """Candidate and helpers merged before the link: calls are bound where no wrapper gets between."""
        objects = [
            workshop.compile(f"merge-{path.stem}.o", [path], flags=["-c"], defines=["NGCC_PROFILE"])
            for path in (TOY, HELPERS / "auxfunc.c")
        ]
        merged = workshop.compile("merged.o", objects, flags=["-r", "-nostdlib"])
        rest = [path for path in HELPER_SOURCES if path.name != "auxfunc.c"]
        library = build_toy(workshop, sources=[merged], helpers=rest, profile=[])
        found = profile(driver, library, operation="keygen").profile
        assert (found["intercepted"], found["why"]) == (
            False,
            "a helper function was called past its wrapper",
        )
        assert [row[0] for row in found["calls"]] == ["drng"]

    def test_calls_of_other_threads(self, driver: Path, workshop: Workshop) -> None:
        worker = workshop.directory / "worker.h"
        worker.write_text(
            '#include "auxfunc.h"\n'
            "static void *work(void *out)\n{\n    return sm3hash(256, out, 64, out) ? out : 0;\n}\n"
        )
        library = hashing(
            workshop,
            "pthread_t other; pthread_create(&other, 0, work, digest); pthread_join(other, 0);",
            flags=["-include", str(worker)],
        )
        found = profile(driver, library, **HASH).profile
        assert (found["intercepted"], found["why"]) == (
            False,
            "helper functions were called in other threads",
        )


@pytest.mark.parametrize("level", [128, 256, 512])
class TestSign17:
    """Calls of a bundled scheme: what its specification makes of the fixed seed, published for two instances."""

    def library(self, workshop: Workshop, level: int) -> Path:
        # -O2 again: the numbers do not need it, but the time does.
        return build_toy(
            workshop,
            f"OPS_LEVEL={level}",
            sources=SOURCES,
            include=[SCHEME / "src"],
            flags=["-O2"],
            profile=[],
        )

    def test_hundred_keygens(self, driver: Path, workshop: Workshop, level: int) -> None:
        run = profile(
            driver, self.library(workshop, level), operation="keygen", iterations=100, inputs="fixed"
        )
        expected = {128: 1694, 256: 2744, 512: 2707}[level]
        assert totals(run) == {"pseudoXOF": expected, "drng": 200, "pseudohash": 100}
        assert run.profile["intercepted"]
        ticks = sum(row[4] for row in run.profile["calls"])
        assert 0.5 < ticks / run.profile["total_ticks"] < 1

    def test_verify(self, driver: Path, workshop: Workshop, level: int) -> None:
        run = profile(driver, self.library(workshop, level), operation="verify", iterations=1, inputs="fixed")
        expected = (
            {"pseudoXOF": 12, "pseudohash": 2, "sm3hash": 1}
            if level == 128
            else {"pseudoXOF": 18, "pseudohash": 3}
        )
        assert totals(run) == expected and run.profile["intercepted"]
