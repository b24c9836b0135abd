"""What a terminal sends: keys get through whole, everything else does not become keys."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual._xterm_parser import XTermParser
from textual.events import Key

from ngcctui.tui.sieve import PATIENCE, Sieve, Typed


def typed(*pieces: bytes, mouse: bool = True) -> str:
    sieve = Sieve(mouse)
    return "".join(sieve.feed(piece).keys for piece in pieces)


KEYS = [
    "\x1b[A",
    "\x1b[1;5A",
    "\x1bOP",
    "\x1b[15~",
    "\x1b[3;5~",
    "\x1b[Z",
    "\x1b[[A",
    "\x1b[I",
    "\x1b[O",
    "\x1b[97;5u",
    "\x1b[97;2;65u",
    "\x1b[13u",
    "\x1b[27;5;105~",
    "\x1b[?2026;2$y",
    "\x1b[H",
    "\x1ba",
    "\x0c",
    "\x03",
    "\r",
    "q",
    "é",
]


@pytest.mark.parametrize("text", KEYS)
def test_a_key_gets_through(text: str) -> None:
    assert typed(text.encode()) == text


@pytest.mark.parametrize("text", KEYS)
def test_a_key_gets_through_byte_by_byte(text: str) -> None:
    assert typed(*(bytes([byte]) for byte in text.encode())) == text


def test_every_sequence_that_textual_knows_as_a_key_gets_through() -> None:
    lost = {text for text in ANSI_SEQUENCES_KEYS if text.startswith("\x1b[") and typed(text.encode()) != text}
    assert all(text.endswith("$") for text in lost - {"\x1b[~"}), (
        "of rxvt, with shift: no such sequence ends there"
    )


def test_pasted_text_is_marked_by_the_terminal_and_gets_through() -> None:
    text = "\x1b[200~SKP drop table\x1b[201~"
    assert typed(text.encode()) == text


NO_KEYS = [
    b"\x1b[M\xff\xfe\xfd",
    b"\x1b[M !",
    b"\x1b[<32;NaN;NaNM",
    b"\x1b[<0;1;1",
    b"\x1b[<;;M",
    b"\x1b[35;60;20M",
    b"\x1b[48;1;1;0;0t",
    b"\x1b[?1;2c",
    b"\x1b[>0;276;0c",
    b"\x1b[24;80R",
    b"\x1b[97:65;2;65u",
    b"\x1b[7P",
    b"\x1b[9S",
    b"\x1b]2;quit\x07",
    b"\x1b]11;rgb:00/00/00\x1b\\",
    b"\x1bP1$r0m\x1b\\",
    b"\x1b_Gi=1;OK\x1b\\",
    b"\xff\xfe\x80\xf0",
    b"\x1b[" + b"9" * 90 + b"~",
]


@pytest.mark.parametrize("data", NO_KEYS)
def test_what_no_key_makes_is_dropped(data: bytes) -> None:
    assert typed(data) == ""


@pytest.mark.parametrize("data", NO_KEYS)
@pytest.mark.parametrize("cut", [1, 2, 3, 5])
def test_it_is_dropped_in_pieces_too(data: bytes, cut: int) -> None:
    sieve = Sieve(mouse=True)
    found = "".join(sieve.feed(data[at : at + cut]).keys for at in range(0, len(data), cut))
    assert found == ""


@pytest.mark.parametrize("data", NO_KEYS)
def test_what_comes_behind_is_a_key_again(data: bytes) -> None:
    sieve = Sieve(mouse=True)
    sieve.feed(data)
    for _ in range(PATIENCE):
        assert sieve.tick() == ""
    assert sieve.feed(b"q") == Typed("q")


def test_mouse_reports_are_for_a_mouse() -> None:
    assert typed(b"\x1b[<0;10;5M") == "\x1b[<0;10;5M"
    assert typed(b"\x1b[<0;10;5M", mouse=False) == ""
    assert typed(b"\x1b[<0;-3;5M") == ""


def test_a_lone_escape_is_a_key_when_nothing_follows() -> None:
    sieve = Sieve(mouse=True)
    assert sieve.feed(b"\x1b").keys == ""
    assert sieve.tick() == "\x1b"
    assert sieve.tick() == ""


def test_text_that_comes_at_once_is_no_command() -> None:
    sieve = Sieve(mouse=True)
    assert sieve.feed(b"SKPRq and so on") == Typed("", "SKPRq and so on")
    assert sieve.feed(b"jjjjjjjjjjjj") == Typed("jjjjjjjjjjjj")
    assert sieve.feed(b"/ops\r") == Typed("/ops\r")


def test_a_paste_in_pieces_stays_a_paste() -> None:
    sieve = Sieve(mouse=True)
    pieces = [b"\x1b[200~begin ", b"a longer middle part", b" end\x1b[201~", b"SKPR quit now"]
    found = [sieve.feed(piece) for piece in pieces]
    assert [piece.pasted for piece in found] == ["", "", "", "SKPR quit now"]


def test_the_size_that_a_terminal_tells() -> None:
    sieve = Sieve(mouse=True)
    assert sieve.feed(b"\x1b[8;30;100t") == Typed("", "", (30, 100))
    assert sieve.feed(b"\x1b[8;0;100t") == Typed()
    assert sieve.feed(b"\x1b[8;1000000;1t") == Typed()


PIECES = st.one_of(
    st.binary(max_size=12), st.sampled_from(NO_KEYS), st.sampled_from([key.encode() for key in KEYS])
)


@given(st.lists(PIECES, max_size=12), st.booleans())
def test_no_input_upsets_it_or_the_parser_behind_it(pieces: list[bytes], mouse: bool) -> None:
    sieve, parser = Sieve(mouse), XTermParser()
    for piece in pieces:
        found = sieve.feed(piece)
        assert len(sieve._begun) < 8192
        for event in parser.feed(found.keys) if found.keys else ():
            assert event is not None


@given(st.lists(st.sampled_from(NO_KEYS), min_size=1, max_size=8))
def test_broken_reports_press_no_letter(pieces: list[bytes]) -> None:
    sieve, parser = Sieve(mouse=True), XTermParser()
    text = "".join(sieve.feed(piece).keys for piece in pieces)
    pressed = [event.key for event in parser.feed(text) if isinstance(event, Key)] if text else []
    assert not set(pressed) & set(string.ascii_letters)
