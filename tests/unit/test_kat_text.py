"""The official KAT text: its lines, its canonical digest, its inputs, and where a wrong text differs."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from models.iccs import Drng

from ngcctui.engine.kat_case import official_inputs
from ngcctui.engine.kat_text import KatInput, TextDigest, first_difference, hash_lines, signature_lines


def test_the_text_of_a_signature_record() -> None:
    made = {"sn": b"\x0f\xf0", "pk": b"\xab", "sk": b""}
    assert signature_lines(3, KatInput(b"\x01" * 2, b"\xff"), made) == [
        "Count = 3",
        "Seed_Len = 2",
        "Seed = 0101",
        "PK_Len = 1",
        "PK = AB",
        "SK_Len = 0",
        "SK = ",
        "M_Len = 1",
        "M = FF",
        "Sn_Len = 2",
        "Sn = 0FF0",
        "",
    ]


def test_the_text_of_a_self_test_record() -> None:
    lines = hash_lines(14, 256, {"dst": b"\xab"})
    assert lines == ["Count = 14", "Msg_Len = 8195", "Msg_Seed = 14", "Dst_Len = 256", "Dst = AB", ""]


def digest(lines: list[str], nolen: bool = False) -> str:
    text = TextDigest(nolen)
    text.add(lines)
    return text.hex()


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_empty_lines_and_line_ends_do_not_count() -> None:
    assert digest(["A = 1\r\n", "", " \t", "B = \t \r", "  C"]) == sha256("A = 1\nB =\n  C\n")


def test_nolen_leaves_lengths_out_whatever_they_say() -> None:
    assert digest(["Count = 0", "PK_Len = 5", "Seed_Len =", "PK = 00"], nolen=True) == sha256(
        "Count = 0\nPK = 00\n"
    )
    assert digest(["PK_Len = 5"]) == sha256("PK_Len = 5\n")


@given(st.lists(st.text(alphabet="aB_Len =\r\t", max_size=12)), st.integers(0, 9), st.booleans())
def test_a_text_in_pieces_has_the_digest_of_the_whole(lines: list[str], cut: int, nolen: bool) -> None:
    text = TextDigest(nolen)
    text.add(lines[:cut])
    text.add(lines[cut:])
    assert text.hex() == digest(lines, nolen)


def test_the_inputs_are_those_of_the_official_driver() -> None:
    seeds, messages = Drng(b"seed" * 16), Drng(b"msg" * 21 + b"m")
    expected = [KatInput(seeds.draw(512), messages.draw(8 * (56 + 8 * i))) for i in range(10)]
    assert list(official_inputs()) == expected
    assert expected[0].seed.hex().upper().startswith("927F06B594798A4D")


def field_digests(*records: str) -> list[dict[str, str]]:
    """One letter a field: its digest."""
    return [dict(zip(("pk", "sk", "sn"), record, strict=False)) for record in records]


@pytest.mark.parametrize(
    ("found", "known", "record0_same", "where"),
    [
        (["abc", "abX"], ["abc", "abc"], None, "first difference in record 1, field sn"),
        (["aXX", "XXX"], ["abc", "abc"], True, "first difference in record 0, field sk"),
        (["abX"], ["ab"], False, "record 0 differs"),
        (["abc", "xyz"], ["abc"], True, "record 0 is right, a later one differs"),
        (["abc", "xyz"], ["abc"], None, ""),
        (["abc"], [], False, "record 0 differs"),
        (["abc"], ["abc", "abc"], None, "every field is right, the text around them differs"),
        ([], ["abc"], None, ""),
    ],
)
def test_where_a_text_differs(found: list[str], known: list[str], record0_same: Any, where: str) -> None:
    assert first_difference(field_digests(*found), field_digests(*known), record0_same) == where
