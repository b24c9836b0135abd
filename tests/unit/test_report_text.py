"""Text from outside cannot break a table, hide, or become markup."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from golden.rendered import paragraphs, tables
from hypothesis import given
from hypothesis import strategies as st

from ngcctui.report.markdown import row_markdown
from ngcctui.report.tables import Cells
from ngcctui.report.text import MAX_TEXT, ascii_only, markdown, markdown_code, outside, visible, width

NASTY = st.text(
    alphabet=st.one_of(
        st.sampled_from("|`\\<>&*_~[]()!#+-=.:;$\"' \t\r\n1ax\x00\x1b\x7f\x85\u200b\u202e\u2028\ud800é漢"),
        st.characters(),
    ),
    max_size=60,
)


def _cell_of(text: str) -> list[tuple[str, ...]]:
    return tables(f"| {text} | b |\n|---|---|\n| {text} | 2 |\n")[0]


@given(NASTY)
def test_visible_is_one_line_of_what_is_there(text: str) -> None:
    line = visible(text)
    assert line.isprintable()
    assert line.encode("utf-8").decode("utf-8") == line
    assert visible(line) == line


@given(NASTY)
def test_a_table_cell_shows_the_text_itself(text: str) -> None:
    expected = visible(text).strip(" ")
    for rendered in _cell_of(markdown(text)):
        assert rendered == (expected, rendered[1])


@given(NASTY)
def test_a_code_cell_shows_the_text_itself(text: str) -> None:
    line = visible(text)
    for rendered in _cell_of(markdown_code(text)):
        assert rendered[0].strip(" ") == line.strip(" ")
        assert len(rendered) == 2


@dataclass(frozen=True)
class Words(Cells):
    """A row of any words: code, plain text, code."""

    _code = (0, 2)
    words: tuple[str, ...]

    def cells(self) -> tuple[str, ...]:
        return self.words


PLAIN = st.text("abz019 .,()%;=-_|`\\–±≈×\n", max_size=8) | st.sampled_from(
    ["1.", "12) a", "9", "", "1.\n", "– ±3%"]
)


@given(st.tuples(NASTY, NASTY, NASTY) | st.tuples(PLAIN, PLAIN, PLAIN))
def test_a_row_is_its_cells_one_by_one(words: tuple[str, str, str]) -> None:
    """However the text came about: harmless rows are taken as a whole."""
    first, second, third = words
    blank = " " if second.startswith(" ") else ""
    one_by_one = [markdown_code(first), blank + markdown(second), markdown_code(third)]
    assert row_markdown(Words(words)) == " | ".join(one_by_one)
    assert row_markdown(Words(words)).count(" | ") == 2


@given(NASTY)
def test_a_paragraph_and_a_list_item_show_the_text_itself(text: str) -> None:
    expected = " ".join(visible(text).split(" ")).strip(" ")
    if not expected:
        return
    assert paragraphs(f"{markdown(text)}\n") == [expected]
    assert paragraphs(f"- {markdown(text)}\n") == [expected]


@pytest.mark.parametrize(
    "text",
    ["# a", "- a", "+ a", "* a", "---", "===", "1. a", "2) a", "12. a", "123) a", "1.5 a", "12.",  "9.", "> a", "```", "~~~", "<!-- a", "&amp;", "[a]: b", "    a", "a_b_c",
     "_a_", "__a__", "![a](b)", "[a][b]", "\\", "\\`", "`", "|", "a|b", "$a$", "https://a.b/c_d_e"],
)  # fmt: skip
def test_markup_stays_text_at_the_beginning_of_a_line(text: str) -> None:
    assert paragraphs(f"{markdown(text)}\n") == [text.strip()]
    assert paragraphs(f"- {markdown(text)}\n") == [text.strip()]
    assert _cell_of(markdown(text)) == [(text.strip(), "b"), (text.strip(), "2")]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("plain", "plain"),
        ("a\nb\tc\r\nd", "a b c d"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("\x9b2J", "\\x9b2J"),
        ("evil\u202etxt", "evil\\u202etxt"),
        ("zero\u200bwidth", "zero\\u200bwidth"),
        ("half \ud800", "half \\ud800"),
        ("\U000e0041", "\\U000e0041"),
        ("µs – ok ×", "µs – ok ×"),
    ],
)
def test_what_cannot_be_seen_is_written_out(text: str, line: str) -> None:
    assert visible(text) == line


def test_long_text_from_outside_is_cut_when_a_page_is_built_and_never_after() -> None:
    assert outside("x" * (MAX_TEXT + 50)) == "x" * MAX_TEXT + "…"
    assert outside("y" * MAX_TEXT) == "y" * MAX_TEXT
    assert outside("\x1b") == "\\x1b"
    long = "a: sentence of ours. " * 100
    assert markdown(long) == long.strip() and visible(long) == long and markdown_code(long) == f"`{long}`"


def test_ascii_stand_ins() -> None:
    assert ascii_only("1.1 µs – 5 × 3 ±2 ≈ … é") == "1.1 us - 5 x 3 +-2 ~ ... ?"


def test_width_counts_columns() -> None:
    assert (width("abc"), width("é"), width("e\u0301"), width("漢字")) == (3, 1, 1, 4)
