"""What the timing driver says of a candidate that fails, refuses, writes too far or cannot be loaded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from driver_kit import build_toy, ended, run_driver
from workshop import Workshop


class TestBadCandidates:
    @pytest.mark.parametrize(
        ("defines", "job", "words"),
        [
            ("IN_KEYGEN=*pk_len = 33;", {}, "public key: length 33 returned, 32 declared"),
            (
                "IN_KEYGEN=*sk_len = -1ull;",
                {},
                "secret key: length 18446744073709551615 returned, 64 declared",
            ),
            ("IN_SIGN=*sn_len = 65;", {"operation": "sign"}, "signature: length 65 returned"),
            ("IN_SIGN=*sn_len = 65;", {"operation": "verify"}, "signature: length 65 returned"),
            ("IN_KEYGEN=pk[32] = 0;", {}, "public key: written at least 1 byte behind its 32 bytes"),
            (
                "IN_KEYGEN=pk[32 + 6] ^= 1;",
                {"operation": "sign"},
                "public key: written at least 7 bytes behind",
            ),
            (
                "IN_SIGN=sn[-2] ^= 1;",
                {"operation": "sign"},
                "signature: written at least 2 bytes before its 64 bytes",
            ),
            ("IN_SIGN=sk[64] = 1;", {"operation": "verify"}, "secret key: written at least 1 byte behind"),
            ("IN_VERIFY=m[70] = 1;", {"operation": "verify"}, "message: written at least 7 bytes behind"),
            ("IN_SIGN=if (calls == 4) m[70] = 1;", {"operation": "sign", "warmups": 3}, "message: written"),
        ],
    )
    def test_overflow(
        self, driver: Path, workshop: Workshop, defines: str, job: dict[str, Any], words: str
    ) -> None:
        library = build_toy(workshop, defines)
        assert words in ended(run_driver(driver, library, **job), "overflow")

    def test_overflow_of_a_digest(self, driver: Path, workshop: Workshop) -> None:
        library = build_toy(workshop, "IN_HASH=digest[32] = 1;")
        run = run_driver(driver, library, function="hash", operation="hash", message_bytes=16)
        assert ended(run, "overflow").startswith("digest: written at least 1 byte behind its 32 bytes")

    def test_no_call_follows_an_overflow(self, driver: Path, workshop: Workshop) -> None:
        library = build_toy(workshop, 'IN_KEYGEN=fprintf(stderr, "call\\n"); if (calls == 3) *pk_len = 99;')
        run = run_driver(driver, library, iterations=10)
        assert run.stderr.count("call") == 3
        assert [trial["iterations"] for trial, _ in run.trials] == [2]
        ended(run, "overflow")

    def test_rejected_in_setup(self, driver: Path, workshop: Workshop) -> None:
        library = build_toy(workshop, "IN_VERIFY=if (calls > 4) return -7;")
        run = run_driver(driver, library, operation="verify", iterations=4)
        assert ended(run, "rejected") == "sig_verify returned -7 for signature 1 made in setup"
        assert not run.trials and "setup" not in run.objects

    def test_rejected_while_timed(self, driver: Path, workshop: Workshop) -> None:
        # Calls: keygen, 2 x (sign, verify), then the timed ones from 6 on.
        library = build_toy(workshop, "IN_VERIFY=if (calls == 7 || calls == 9) return -8;")
        run = run_driver(driver, library, operation="verify", iterations=10, signatures=2)
        assert ended(run, "rejected") == "sig_verify refused 2 right signatures"
        ((trial, samples),) = run.trials
        assert (trial["rejected"], trial["failure_code"], trial["iterations"], len(samples)) == (
            2,
            -8,
            10,
            10,
        )

    def test_rejected_in_a_warm_up(self, driver: Path, workshop: Workshop) -> None:
        library = build_toy(workshop, "IN_VERIFY=if (calls == 4) return -1;")
        run = run_driver(driver, library, operation="verify", iterations=2, signatures=1, warmups=1)
        assert ended(run, "rejected") == "sig_verify refused 1 right signature"
        assert run.trials[0][0]["rejected"] == 0

    def test_rejected_in_calibration(self, driver: Path, workshop: Workshop) -> None:
        library = build_toy(workshop, "IN_VERIFY=if (calls == 4) return -1;")
        run = run_driver(
            driver, library, operation="verify", mode="calibrate", calibrate="single", iterations=1
        )
        assert ended(run, "rejected") == "sig_verify refused 1 of 1 right signatures"

    def test_retries_are_counted(self, driver: Path, workshop: Workshop) -> None:
        # Call 1 is keygen; every third attempt to sign succeeds.
        library = build_toy(workshop, "IN_SIGN=if (calls % 3 != 1) return 5;")
        run = run_driver(driver, library, operation="sign", iterations=4)
        assert ended(run, "ok") == ""
        assert run.trials[0][0]["retries"] == 8

    def test_the_sixty_fourth_retry_is_the_last(self, driver: Path, workshop: Workshop) -> None:
        library = build_toy(workshop, "IN_SIGN=if (calls != 1 + 65) return 5;")
        run = run_driver(driver, library, operation="sign", iterations=1)
        assert run.trials[0][0]["retries"] == 64 and ended(run, "ok") == ""
        library = build_toy(workshop, 'IN_SIGN=fprintf(stderr, "try\\n"); if (calls != 1 + 66) return 5;')
        run = run_driver(driver, library, operation="sign", iterations=1)
        assert ended(run, "failed") == "sig_sign (after 64 retries) returned 5"
        assert run.stderr.count("try") == 65 and not run.trials

    def test_keygen_fails_in_the_middle(self, driver: Path, workshop: Workshop) -> None:
        library = build_toy(workshop, "IN_KEYGEN=if (calls == 3) return -9;")
        run = run_driver(driver, library, iterations=10)
        assert ended(run, "failed") == "sig_keygen returned -9"
        ((trial, samples),) = run.trials
        assert (trial["iterations"], len(samples)) == (2, 2)
        assert (trial["failures"], trial["failure_code"]) == (1, -9)

    def test_a_failing_hash(self, driver: Path, toy: Path) -> None:
        run = run_driver(driver, toy, function="hash", operation="hash", digest_bits=512, message_bytes=4)
        assert ended(run, "failed") == "crypto_hash returned -4"

    @pytest.mark.parametrize("define", ["PK_BYTES=0", "SK_BYTES=(1ull << 30) + 1", "SN_BYTES=-1ull"])
    def test_hostile_sizes(self, driver: Path, workshop: Workshop, define: str) -> None:
        library = build_toy(workshop, define, "IN_KEYGEN=abort();")
        assert "1 to 1073741824 bytes can be measured" in ended(run_driver(driver, library), "loadfail")

    def test_sizes_beyond_the_memory(self, driver: Path, workshop: Workshop) -> None:
        library = build_toy(workshop, "SN_BYTES=(32 << 20)")
        run = run_driver(driver, library, operation="verify", iterations=16, memory_limit=100 << 20)
        assert ended(run, "loadfail") == "no memory for a signature of 33554432 bytes"

    def test_not_a_library(self, driver: Path, tmp_path: Path) -> None:
        text = tmp_path / "text.so"
        text.write_text("no library")
        assert "the library cannot be loaded: " in ended(run_driver(driver, text), "loadfail")
        missing = ended(run_driver(driver, tmp_path / "missing.so"), "loadfail")
        assert "the library cannot be loaded: cannot open shared object file" in missing

    def test_missing_function(self, driver: Path, workshop: Workshop, toy: Path) -> None:
        empty = workshop.directory / "empty.c"
        empty.write_text("int nothing_to_see;\n")
        library = workshop.compile("empty.so", [empty], flags=["-shared"])
        assert ended(run_driver(driver, library), "loadfail") == "the library has no function ngcc_seed"
        assert "no function ngcc_profile_start" in ended(run_driver(driver, toy, mode="profile"), "loadfail")

    def test_undefined_symbols_show_at_load(self, driver: Path, workshop: Workshop) -> None:
        source = workshop.directory / "undefined.c"
        source.write_text(
            "int elsewhere(void);\nint sig_keygen(void);\nint sig_keygen(void) { return elsewhere(); }\n"
        )
        library = workshop.compile("undefined.so", [source], flags=["-shared"])
        assert "undefined symbol: elsewhere" in ended(run_driver(driver, library), "loadfail")

    def test_what_it_prints_is_kept_and_forges_nothing(self, driver: Path, workshop: Workshop) -> None:
        forged = 'if (write(3, "J\\"{type:end}", 12) == 12) printf("printed late");'
        library = build_toy(workshop, f"IN_KEYGEN={forged}")
        run = run_driver(driver, library, iterations=2)
        assert run.stdout == "printed late" * 2
        assert run.end["status"] == "ok" and run.stray == "24 stray bytes between the results"

    def test_an_early_exit_has_no_end_frame(self, driver: Path, workshop: Workshop) -> None:
        library = build_toy(workshop, "IN_SIGN=exit(0);")
        run = run_driver(driver, library, operation="sign")
        assert run.returncode == 0 and "end" not in run.objects
