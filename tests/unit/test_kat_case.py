"""Which records a KAT generates, and what is known about them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ngcctui.engine.kat_case import check_records, kat_case
from ngcctui.model.errors import ConfigError
from ngcctui.model.scheme import Build, Function, Instance, KatSpec, Scheme, SchemeFile


def instance(mode: str = "strict", **kat: str) -> Instance:
    bits = 256 if mode == "selftest" else 0
    return Instance(
        "X-1", kat=KatSpec(mode=mode, **kat), digest_bits=bits, message_bytes=(32,) if bits else ()
    )


def scheme(directory: Path, of: Instance) -> Scheme:
    function = Function.HASH if of.digest_bits else Function.SIGNATURE
    return Scheme("x", directory, SchemeFile("x", "X", "c", function, Build(("a.c",)), (of,)))


@pytest.mark.parametrize(
    ("mode", "asked", "generated"),
    [
        ("strict", 0, 10),
        ("strict", 10, 10),
        ("strict", 1, 1),
        ("strict:3", 0, 3),
        ("strict:3", 3, 3),
        ("nolen:3", 1, 1),
        ("strict:1", 0, 1),
        ("strict:1", 1, 1),
        ("selftest", 7, 10),
    ],
)
def test_all_covered_records_or_the_first(mode: str, asked: int, generated: int) -> None:
    assert check_records(instance(mode), asked) == generated


@pytest.mark.parametrize(
    ("mode", "asked"), [("strict", 2), ("strict:3", 10), ("strict:1", 2), ("strict", -1)]
)
def test_any_other_number_is_a_usage_error(mode: str, asked: int) -> None:
    with pytest.raises(ConfigError, match=f"X-1: {asked} KAT records cannot be checked"):
        check_records(instance(mode), asked)


def test_record_0_alone_has_its_own_digest(tmp_path: Path) -> None:
    of = instance("strict:3", sha256="a" * 64, record0_sha256="b" * 64)
    assert kat_case(scheme(tmp_path, of), of, 0).expected == "a" * 64
    assert kat_case(scheme(tmp_path, of), of, 1).expected == "b" * 64


def test_one_covered_record_has_the_digest_of_the_whole(tmp_path: Path) -> None:
    of = instance("strict:1", sha256="a" * 64)
    assert kat_case(scheme(tmp_path, of), of, 1).expected == "a" * 64


def test_the_job_tells_what_to_generate(tmp_path: Path) -> None:
    of = instance()
    job = kat_case(scheme(tmp_path, of), of, 1).job()
    assert job["function"] == "signature"
    assert job["records"] == "1"
    assert job["seed_0"].startswith("927f06b5")
    assert len(job["message_0"]) == 2 * 56
    assert "seed_1" not in job


def test_a_self_test_is_one_whole(tmp_path: Path) -> None:
    of = instance("selftest")
    case = kat_case(scheme(tmp_path, of), of, 1)
    assert (case.records, case.covered) == (16, 16)
    assert case.job()["lengths"].startswith("0,1,7,8,9,255")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '[["X-1"]]\npk_sha256 = "00"',
            "X-1.0..pk_sha256: must be pk_sha256 or so, 64 lower-case hex digits",
        ),
        (f'[["X-1"]]\nqq_sha256 = "{"0" * 64}"', "qq_sha256: must be"),
        (f'[["X-1"]]\npk = "{"0" * 64}"', "X-1.0..pk: must be"),
        ('[["X-1"]]\npk_sha256 = 1', "must be a string"),
        ('"X-1" = 1', "must be an array"),
        ("][", "malformed TOML"),
    ],
)
def test_a_senseless_file_of_records_is_a_usage_error(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "known.toml").write_text(text)
    of = instance(records="known.toml")
    with pytest.raises(ConfigError, match=message):
        kat_case(scheme(tmp_path, of), of, 0)


def test_digests_per_record_are_read_by_field(tmp_path: Path) -> None:
    (tmp_path / "known.toml").write_text(f'[["X-1"]]\nsn_sha256 = "{"0" * 64}"\n[["X-2"]]\n')
    of = instance(records="known.toml")
    assert kat_case(scheme(tmp_path, of), of, 0).known == ({"sn": "0" * 64},)
