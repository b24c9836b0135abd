"""What is decided about a terminal before anything is drawn on it."""

from __future__ import annotations

import pytest

from ngcctui.tui.terminal import COLOUR_THEME, PLAIN_THEME, Streams, Terminal, Wishes, decide, utf8

UTF8 = {"LC_ALL": "C.UTF-8"}


def on(term: str, wishes: Wishes | None = None, **environ: str) -> Terminal:
    return decide({"TERM": term, **UTF8, **environ}, Streams(), wishes or Wishes())


@pytest.mark.parametrize("term", ["", "dumb", "unknown"])
def test_a_terminal_that_cannot_move_its_cursor_is_refused(term: str) -> None:
    said = on(term).refuse
    assert (f"TERM={term}" if term else "TERM is not set") in said
    assert "ngcctui --batch CAMPAIGN" in said
    assert "\n" not in said


def test_without_term_it_is_refused_too() -> None:
    assert decide(UTF8, Streams(), Wishes()).refuse.startswith("TERM is not set")


@pytest.mark.parametrize(
    ("streams", "said"),
    [(Streams(stdin=False), "standard input is no"), (Streams(stderr=False), "standard error is no")],
)
def test_keys_and_drawing_need_a_terminal(streams: Streams, said: str) -> None:
    assert decide({"TERM": "xterm"} | UTF8, streams, Wishes()).refuse.startswith(said)


def test_the_output_may_be_anything() -> None:
    assert not decide({"TERM": "xterm"} | UTF8, Streams(stdout=False), Wishes()).refuse


def test_a_modern_terminal_gets_everything() -> None:
    found = on("xterm-256color")
    assert (found.theme, found.ascii, found.mouse, found.title, found.basic) == (
        COLOUR_THEME,
        False,
        True,
        True,
        False,
    )
    assert found.environ["TEXTUAL_ANIMATIONS"] == "none"
    assert found.environ["TEXTUAL_THEME"] == COLOUR_THEME
    assert "TEXTUAL_DISABLE_KITTY_KEY" not in found.environ


@pytest.mark.parametrize("term", ["linux", "vt100", "vt220", "ansi", "linux-16color"])
def test_an_old_one_gets_ascii_and_no_private_sequences(term: str) -> None:
    found = on(term)
    assert (found.theme, found.ascii, found.mouse, found.title, found.basic) == (
        PLAIN_THEME,
        True,
        False,
        False,
        True,
    )
    assert found.environ["TEXTUAL_DISABLE_KITTY_KEY"] == "1"


def test_no_colour_is_no_colour() -> None:
    assert on("xterm-256color", NO_COLOR="1").theme == PLAIN_THEME
    assert on("xterm-256color", NO_COLOR="").theme == COLOUR_THEME


def test_a_theme_that_is_asked_for_is_taken() -> None:
    found = on("linux", Wishes(theme="nord"))
    assert found.theme == found.environ["TEXTUAL_THEME"] == "nord"


def test_wishes_take_away_and_never_add() -> None:
    found = on("xterm", Wishes(ascii=True, mouse=False, title=False))
    assert (found.ascii, found.mouse, found.title) == (True, False, False)
    assert not on("vt100", Wishes(mouse=True, title=True)).mouse


def test_screen_is_kept_from_24_bit_colours() -> None:
    assert on("screen-256color", COLORTERM="truecolor").environ["TEXTUAL_COLOR_SYSTEM"] == "256"
    assert "TEXTUAL_COLOR_SYSTEM" not in on("xterm-256color", COLORTERM="truecolor").environ


def test_a_size_in_the_environment_is_dropped() -> None:
    assert set(on("xterm").drop) == {"COLUMNS", "LINES"}


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"LC_ALL": "de_DE.UTF-8"}, True),
        ({"LC_ALL": "de_DE.utf8@euro"}, True),
        ({"LC_ALL": "C"}, False),
        ({"LC_ALL": "POSIX", "LANG": "en_US.UTF-8"}, False),
        ({"LC_ALL": "", "LC_CTYPE": "C.UTF-8", "LANG": "C"}, True),
        ({"LANG": "en_US.ISO-8859-1"}, False),
        ({"LANG": "en_US"}, False),
        ({}, False),
    ],
)
def test_the_locale_names_the_characters(environ: dict[str, str], expected: bool) -> None:
    assert utf8(environ) is expected
    assert decide({"TERM": "xterm", **environ}, Streams(), Wishes()).ascii is not expected
