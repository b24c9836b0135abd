"""The table of actions: complete, without two meanings of a key, and what is made from it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.keys import _character_to_key

from ngcctui.tui.actions import (
    ACTIONS,
    SCREENS,
    actions_of,
    clash,
    groups,
    help_rows,
    key_names,
    keys_of,
    shown_key,
)
from ngcctui.tui.widgets.keybar import cells, fit, items


def test_no_key_means_two_things_on_one_screen() -> None:
    assert clash({}) is None


def test_every_action_has_a_screen_keys_and_a_sentence() -> None:
    assert len({action.id for action in ACTIONS}) == len(ACTIONS)
    for action in ACTIONS:
        assert action.screen in SCREENS
        assert re.fullmatch(r"[a-z_]+", action.name)
        assert key_names(action.keys)
        assert action.help
        assert action.label or not action.shown


def test_every_action_has_a_key_that_every_terminal_sends() -> None:
    """Home, End and function keys are missing or broken on some."""
    unsure = re.compile(r"home|end|insert|delete|f\d+|.*shift\+.*|alt\+.*")
    lonely = [action.id for action in ACTIONS if all(unsure.fullmatch(key) for key in keys_of(action, {}))]
    assert [name for name in lonely if not name.startswith("tree.")] == []


@pytest.mark.parametrize("char", [chr(code) for code in range(33, 127) if chr(code) != ","])
def test_a_character_has_textuals_name_and_is_shown_as_itself(char: str) -> None:
    (name,) = key_names(char)
    assert name == _character_to_key(char)
    assert shown_key(name) == char


@pytest.mark.parametrize(
    ("key", "shown"),
    [
        ("ctrl+l", "^L"),
        ("f5", "F5"),
        ("escape", "esc"),
        ("enter", "enter"),
        ("shift+up", "shift+up"),
        ("pageup", "pgup"),
        ("ctrl+underscore", "^_"),
        ("comma", ","),
    ],
)
def test_keys_are_shown_as_they_are_printed_on_them(key: str, shown: str) -> None:
    assert shown_key(key) == shown


@pytest.mark.parametrize("keys", ["", "esc", "ctrl+", "ctrl", "p,", "ctrl+shift", "é", "P P"])
def test_what_is_no_key_is_refused(keys: str) -> None:
    with pytest.raises(ValueError, match="is no key"):
        key_names(keys)


def test_help_tells_every_key_of_the_screen() -> None:
    for screen in SCREENS:
        told = {sentence for _, rows in help_rows(screen, {}) for _, sentence in rows}
        assert told == {action.help for group in groups(screen) for action in actions_of(group)}


def test_help_tells_the_operators_own_keys() -> None:
    rows = [row for _, rows in help_rows("monitor", {"monitor.pause": "f2,p"}) for row in rows]
    pause = next(action for action in ACTIONS if action.id == "monitor.pause")
    assert ("F2 p", pause.help) in rows


# the bar of keys -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("screen", [name for name in SCREENS if any(actions_of(name))])
@pytest.mark.parametrize("width", [200, 80, 78, 60, 40, 20])
@pytest.mark.parametrize("rows", [1, 2])
def test_help_and_leave_are_always_in_sight(screen: str, width: int, rows: int) -> None:
    lines = fit(items(screen, {}), width, rows)
    assert len(lines) <= rows
    assert lines[-1][-2:] == [("?", "help"), ("q", "quit")]
    assert all(cells(line) <= width for line in lines)


def test_in_the_smallest_window_their_letters_stay() -> None:
    assert fit(items("monitor", {}), 10, 1) == [[("?", ""), ("q", "")]]


ITEM = st.tuples(
    st.sampled_from(["a", "enter", "^L", "字"]), st.text(alphabet="ab字", min_size=1, max_size=12)
)


@given(st.lists(ITEM, min_size=2, max_size=20), st.integers(1, 100), st.integers(1, 3))
def test_the_bar_fits_and_keeps_the_order(found: list[tuple[str, str]], width: int, rows: int) -> None:
    lines = fit(found, width, rows)
    flat = [item for line in lines for item in line]
    assert len(lines) <= rows
    assert [key for key, _ in flat[-2:]] == [key for key, _ in found[-2:]]
    assert flat[:-2] == found[: len(flat) - 2]
    if cell_len(" ".join(key for key, _ in found[-2:])) + 2 <= width:
        assert all(cells(line) <= width for line in lines if len(line) > 1)
