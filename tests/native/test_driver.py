"""The timing driver as a process: what it measures, what it feeds to a candidate, and what it says of a bad one."""

from __future__ import annotations

import struct
import subprocess
from pathlib import Path
from typing import Any

import pytest
from driver_kit import build_toy, ended, run_driver
from workshop import Workshop

from ngcctui.engine.driver import Answer

TRACE_MESSAGE = 'trace("m", m, m_len);'
TRACE_DIGEST = 'trace("m", msg, msg_bits / 8);'


def message(size: int, number: int = 0) -> bytes:
    """The message of call `number`; 0 is the published one."""
    base = bytes((131 * i + size) % 256 for i in range(size))
    return (number.to_bytes(8, "little") + base[8:])[:size] if number else base


def test_a_trial_of_single_calls(driver: Path, toy: Path) -> None:
    run = run_driver(driver, toy, iterations=20, warmups=3, trial=4)
    assert ended(run, "ok") == ""
    ((trial, samples),) = run.trials
    assert (trial["trial"], trial["iterations"], trial["batch"], trial["samples"]) == (4, 20, 1, 20)
    assert len(samples) == 20 and all(value > 0 for value in samples)
    assert trial["wall_ns"] >= sum(samples)
    assert trial["cpu_ns"] > 0 and trial["ticks"] > 0
    assert trial["cycles"] is None and trial["counter"] == "none asked for"
    assert trial["failures"] == trial["failure_code"] == trial["retries"] == trial["rejected"] == 0
    assert {"cpu_before", "cpu_after", "voluntary_switches", "involuntary_switches"} <= trial.keys()
    assert (run.setup["public_key"], run.setup["secret_key"], run.setup["signature"]) == (32, 64, 64)
    assert run.setup["instance"] == "toy-1"
    assert 0 < run.setup["empty_loop_ns"] < 10_000


def test_the_engine_understands_every_frame(driver: Path, toy: Path) -> None:
    answer = Answer()
    for frame in run_driver(driver, toy, operation="verify", iterations=7, trials=2).frames:
        answer.feed(frame)
    assert answer.setup is not None and answer.end is not None and answer.end.status == "ok"
    assert [len(samples) for _, samples in answer.trials] == [7, 7]


def test_batches_and_a_shorter_last_one(driver: Path, toy: Path) -> None:
    run = run_driver(driver, toy, iterations=25, batch=10, operation="sign")
    ((trial, samples),) = run.trials
    assert (trial["iterations"], trial["batch"], len(samples)) == (25, 10, 3)
    assert ended(run, "ok") == ""


@pytest.mark.parametrize("operation", ["keygen", "sign", "verify"])
def test_several_trials_share_one_process(driver: Path, toy: Path, operation: str) -> None:
    run = run_driver(driver, toy, iterations=3, trials=4, trial=2, operation=operation)
    assert [trial["trial"] for trial, _ in run.trials] == [2, 3, 4, 5]
    ended(run, "ok")


def test_memory_is_read_after_all_buffers_exist(driver: Path, workshop: Workshop) -> None:
    big = build_toy(workshop, "PK_BYTES=(48 << 20)")
    run = run_driver(driver, big, operation="sign")
    assert 48 << 10 <= run.setup["baseline_rss_kib"] <= run.end["peak_rss_kib"] <= run.end["vm_peak_kib"]
    hungry = build_toy(workshop, "IN_SIGN=memset(malloc(8 << 20), 1, 8 << 20);", flags=["-fno-builtin"])
    run = run_driver(driver, hungry, iterations=1, operation="sign")
    assert run.end["peak_rss_kib"] >= run.setup["baseline_rss_kib"] + (8 << 10)


def test_samples_and_buffers_are_part_of_the_baseline(driver: Path, toy: Path) -> None:
    # Calibration makes few calls, whatever room for samples the job asks for: 2^20 of them take 8 MiB.
    few, many = (run_driver(driver, toy, iterations=n, mode="calibrate").setup for n in (1, 1 << 20))
    assert many["baseline_rss_kib"] >= few["baseline_rss_kib"] + (8 << 10) - 512


class TestInputs:
    def seeds(self, driver: Path, workshop: Workshop, **job: Any) -> list[bytes]:
        seen = workshop.directory / "seed.c"
        seen.write_text(
            "#include <stdio.h>\n"
            'const char *ngcc_instance(void) { return "seed"; }\n'
            "int ngcc_seed(const unsigned char *seed, unsigned long long bytes)\n"
            '{ fprintf(stderr, "seed "); while (bytes--) fprintf(stderr, "%02x", *seed++);\n'
            '  fprintf(stderr, "\\n"); return 0; }\n'
            "int crypto_hash(int bits, const unsigned char *m, unsigned long long n, unsigned char *out)\n"
            "{ (void)bits; (void)m; (void)n; (void)out; return 0; }\n"
        )
        library = workshop.compile("seed.so", [seen], flags=["-shared"])
        run = run_driver(driver, library, function="hash", operation="hash", message_bytes=8, **job)
        ended(run, "ok")
        return run.traced("seed")

    def test_seed(self, driver: Path, workshop: Workshop) -> None:
        published = bytes(range(48))
        assert self.seeds(driver, workshop, inputs="fixed", trial=3) == [published]
        assert self.seeds(driver, workshop, inputs="varied", trial=0) == [published]
        assert self.seeds(driver, workshop, inputs="varied", trial=3) == [published[:47] + b"\x32"]
        assert self.seeds(driver, workshop, inputs="varied", trial=255) == [published[:47] + b"\x2e"]
        assert self.seeds(driver, workshop, inputs="varied", trial=0x102) == [published[:46] + b"\x2f\x31"]

    def test_fixed_inputs_repeat_in_every_process(self, driver: Path, workshop: Workshop) -> None:
        library = build_toy(workshop, f'IN_SIGN={TRACE_MESSAGE} trace("sn", sn, 64);')
        job: dict[str, Any] = {"inputs": "fixed", "operation": "sign", "iterations": 4, "warmups": 2}
        first, second = (run_driver(driver, library, trial=trial, **job) for trial in (0, 7))
        assert first.traced("m") == second.traced("m") == [message(64)] * 6
        assert first.traced("sn") == second.traced("sn") and len(set(first.traced("sn"))) == 6

    def test_varied_messages_carry_trial_and_call(self, driver: Path, workshop: Workshop) -> None:
        library = build_toy(workshop, f'IN_SIGN={TRACE_MESSAGE} trace("sn", sn, 64);')
        job: dict[str, Any] = {"operation": "sign", "iterations": 3, "warmups": 2, "trials": 2}
        run = run_driver(driver, library, **job)
        warm = [(1 << 31) + w for w in range(2)]
        numbers = [*warm, 0, 1, 2, 1 << 32, (1 << 32) + 1, (1 << 32) + 2]
        assert run.traced("m") == [message(64, number) for number in numbers]
        later = run_driver(driver, library, **job, trial=1)
        assert later.traced("m")[2:5] == [message(64, (1 << 32) + call) for call in range(3)]
        assert not set(run.traced("sn")) & set(later.traced("sn"))

    def test_keygen_draws_on(self, driver: Path, workshop: Workshop) -> None:
        library = build_toy(workshop, 'IN_KEYGEN=trace("pk", pk, 32);')
        runs = [
            run_driver(driver, library, iterations=5, inputs=kind, trial=3) for kind in ("fixed", "varied")
        ]
        again = run_driver(driver, library, iterations=5, inputs="fixed")
        assert len(set(runs[0].traced("pk"))) == 5
        assert again.traced("pk") == runs[0].traced("pk")
        assert not set(runs[0].traced("pk")) & set(runs[1].traced("pk"))

    def test_verify_cycles_through_its_signatures(self, driver: Path, workshop: Workshop) -> None:
        library = build_toy(workshop, f"IN_VERIFY={TRACE_MESSAGE}")
        run = run_driver(driver, library, operation="verify", iterations=7, signatures=3, warmups=1, trial=2)
        own = [message(64, (2 << 32) + number) for number in range(3)]
        warm_up = own[(1 << 31) % 3]
        assert run.traced("m") == [*own, warm_up, *own, *own, own[0]]

    def test_verify_makes_no_more_signatures_than_calls(self, driver: Path, workshop: Workshop) -> None:
        library = build_toy(workshop, f'IN_SIGN={TRACE_MESSAGE} trace("sn", sn, 64);')
        run = run_driver(driver, library, operation="verify", iterations=2)
        assert run.traced("m") == [message(64), message(64, 1)]
        fixed = run_driver(driver, library, operation="verify", iterations=9, inputs="fixed")
        assert fixed.traced("m") == [message(64)]

    @pytest.mark.parametrize("size", [0, 3, 8, 200])
    @pytest.mark.parametrize("batch", [1, 4])
    def test_hash_messages(self, driver: Path, workshop: Workshop, size: int, batch: int) -> None:
        library = build_toy(workshop, f"IN_HASH={TRACE_DIGEST}")
        job: dict[str, Any] = {
            "function": "hash",
            "operation": "hash",
            "message_bytes": size,
            "iterations": 6,
            "batch": batch,
        }
        run = run_driver(driver, library, **job)
        assert run.traced("m") == [message(size, number) for number in range(6)]
        fixed = run_driver(driver, library, **job, inputs="fixed")
        assert fixed.traced("m") == [message(size)] * 6
        ended(fixed, "ok")


class TestCalibration:
    def test_single_is_exactly_one_call(self, driver: Path, workshop: Workshop) -> None:
        library = build_toy(workshop, 'IN_KEYGEN=trace("pk", pk, 32);')
        run = run_driver(driver, library, mode="calibrate", calibrate="single")
        ((trial, samples),) = run.trials
        assert len(run.traced("pk")) == trial["iterations"] == len(samples) == 1
        ended(run, "ok")

    def test_short_calls_are_timed_in_batches(self, driver: Path, toy: Path) -> None:
        run = run_driver(driver, toy, mode="calibrate")
        ((trial, samples),) = run.trials
        assert trial["batch"] > 1
        assert trial["iterations"] == trial["batch"] * len(samples)
        assert 4 <= len(samples) <= 64
        assert sum(samples) >= 20_000_000 or len(samples) == 64

    def test_longer_calls_are_timed_one_by_one(self, driver: Path, workshop: Workshop) -> None:
        busy = "for (volatile int i = 0; i < 200000; i++) { }"
        library = build_toy(workshop, f'IN_KEYGEN={busy} trace("pk", pk, 32);')
        run = run_driver(driver, library, mode="calibrate")
        ((trial, samples),) = run.trials
        assert trial["batch"] == 1 and trial["iterations"] == len(samples) == len(run.traced("pk"))
        assert 4 <= len(samples) <= 64
        assert sum(samples) >= 20_000_000 or len(samples) == 64

    def test_inputs_are_those_of_the_first_trial(self, driver: Path, workshop: Workshop) -> None:
        library = build_toy(workshop, f'IN_SIGN={TRACE_MESSAGE} trace("sn", sn, 64);')
        run = run_driver(driver, library, mode="calibrate", operation="sign")
        assert run.traced("m") == [message(64, call) for call in range(run.trials[0][0]["iterations"])]


def test_reference_loop_needs_no_library(driver: Path) -> None:
    run = run_driver(driver, "", mode="reference", iterations=5, warmups=1)
    ((trial, samples),) = run.trials
    assert ended(run, "ok") == "" and trial["iterations"] == len(samples) == 5
    assert all(100_000 < value for value in samples)


class TestLivePage:
    def page(self, path: Path, magic: int = 0x4E47434331504147, size: int = 4096) -> Path:
        path.write_bytes(struct.pack("<QQ", magic, 1).ljust(size, b"\0"))
        return path

    def fields(self, path: Path) -> dict[str, int]:
        names = ("pid", "trial", "iteration", "iterations", "start_ns", "phase")
        return dict(zip(names, struct.unpack_from("<6Q", path.read_bytes(), 64), strict=True))

    def test_counts_while_it_runs(self, driver: Path, workshop: Workshop, tmp_path: Path) -> None:
        library = build_toy(workshop, "IN_KEYGEN=if (calls == 9) abort();")
        page = self.page(tmp_path / "page")
        run = run_driver(driver, library, iterations=20, warmups=2, trial=3, live_page=page)
        assert run.crash["signal"] == "SIGABRT"
        fields = self.fields(page)
        assert (fields["trial"], fields["iteration"], fields["iterations"], fields["phase"]) == (3, 6, 20, 3)
        assert fields["pid"] > 0 and fields["start_ns"] > 0

    def test_phases(self, driver: Path, workshop: Workshop, tmp_path: Path) -> None:
        page = self.page(tmp_path / "page")
        for define, phase in (("IN_KEYGEN", 1), ("IN_SIGN", 2)):
            library = build_toy(workshop, f"{define}=abort();")
            run_driver(driver, library, operation="sign", warmups=1, live_page=page)
            assert self.fields(page)["phase"] == phase

    def test_idle_at_the_end(self, driver: Path, toy: Path, tmp_path: Path) -> None:
        page = self.page(tmp_path / "page")
        run = run_driver(driver, toy, live_page=page)
        assert run.setup["isolation"]["live_page"] == "on" and self.fields(page)["phase"] == 0
        assert page.read_bytes()[512:] == bytes(4096 - 512)

    def test_goes_on_without_a_page(self, driver: Path, toy: Path, tmp_path: Path) -> None:
        for path in (
            self.page(tmp_path / "other", magic=1),
            self.page(tmp_path / "short", size=100),
            "/nowhere",
        ):
            run = run_driver(driver, toy, live_page=path)
            assert run.setup["isolation"]["live_page"].startswith("refused: ")
            ended(run, "ok")


class TestJobs:
    @pytest.mark.parametrize(
        "job",
        [
            {"mode": "dream"},
            {"operation": "encapsulate"},
            {"function": "hash", "operation": "keygen"},
            {"iterations": 0},
            {"iterations": "1e3"},
            {"iterations": 1 << 40},
            {"batch": -1},
            {"trial": 70000},
            {"inputs": "random"},
            {"calibrate": "twice"},
            {"parent": "me"},
            {"seccomp": 2},
        ],
    )
    def test_nonsense_is_refused_before_any_code_runs(
        self, driver: Path, workshop: Workshop, job: dict[str, Any]
    ) -> None:
        library = build_toy(workshop, 'ON_LOAD=fprintf(stderr, "loaded\\n");')
        run = run_driver(driver, library, **job)
        assert run.returncode == 3 and "loaded" not in run.stderr
        assert run.stderr.startswith("ngcc_driver: job: ") and len(run.stderr.splitlines()) == 1
        if job.keys().isdisjoint({"parent", "seccomp"}):
            assert run.end["status"] == "isolation" and run.end["detail"].startswith("job: ")

    def test_without_a_tag_nothing_is_written(self, driver: Path, toy: Path) -> None:
        run = run_driver(driver, toy, tag="UPPER" * 6 + "XX")
        assert run.returncode == 3 and not run.frames and run.stray is None

    def test_unknown_keys_are_ignored(self, driver: Path, toy: Path) -> None:
        ended(run_driver(driver, toy, future="=1=2"), "ok")

    def test_usage_and_unreadable_job(self, driver: Path, tmp_path: Path) -> None:
        def code(*arguments: str) -> int:
            return subprocess.run(
                [driver, *arguments], check=False, capture_output=True, timeout=30
            ).returncode

        (tmp_path / "broken").write_text("no equals sign\n")
        assert code() == 2
        assert code(str(tmp_path / "missing")) == code(str(tmp_path / "broken")) == 3
