"""What children print: bounded, and unable to act on a terminal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ngcctui.engine.printed import Printed, shown, shown_line


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"plain\n\ttext\n", "plain\n\ttext\n"),
        (b"\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        (b"a\rb\x00\x7f", "a\\rb\\x00\\x7f"),
        ("\u00e9 \u202egnp".encode(), "\u00e9 \\u202egnp"),
        ("\x9b31m\u200b\ufeff".encode(), "\\x9b31m\\u200b\\ufeff"),
        (b"\xff\xfe", "\ufffd\ufffd"),
    ],
)
def test_controls_are_written_out(raw: bytes, text: str) -> None:
    assert shown(raw) == text


@given(st.binary(max_size=300))
def test_nothing_unprintable_is_left(raw: bytes) -> None:
    assert all(char in "\n\t" or char.isprintable() for char in shown(raw))


@given(st.text(max_size=900))
def test_a_line_is_one_short_line(text: str) -> None:
    line = shown_line(text, 50)
    assert len(line) <= 50
    assert line.isprintable()


@given(st.lists(st.binary(max_size=40)), st.integers(0, 100))
def test_the_beginning_is_kept_and_the_rest_counted(parts: list[bytes], keep: int) -> None:
    printed = Printed(keep)
    for part in parts:
        printed.feed(part)
    everything = b"".join(parts)
    assert (printed.total, printed.dropped) == (len(everything), max(0, len(everything) - keep))
    assert printed.text().startswith(shown(everything[:keep]))
    assert printed.text() == "" or printed.text().endswith("\n")


def test_what_was_dropped_is_told() -> None:
    printed = Printed(4)
    printed.feed(b"123456")
    assert printed.text() == "1234\n[2 more bytes were dropped]\n"
