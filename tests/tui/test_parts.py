"""The small parts around the screens: hook, memory, and the last look at what is drawn in ASCII."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from tui.terminal_kit import until

from ngcctui.engine.rundir import RunDir
from ngcctui.engine.runstate import RunState
from ngcctui.model.errors import ExitCode
from ngcctui.overview import Overview
from ngcctui.tui.glyphs import ASCII, UNICODE
from ngcctui.tui.hook import start_hook
from ngcctui.tui.memory import MAX_BYTES, Memory
from ngcctui.tui.plainly import plainly

# hook ------------------------------------------------------------------------------------------------------------------


def test_the_hook_is_told_of_the_run(tmp_path: Path) -> None:
    out = tmp_path / "out"
    code = (
        "import os, sys\n"
        "told = ' '.join(os.environ['NGCCTUI_' + key] for key in ('RUN', 'EXIT', 'STATE'))\n"
        "open(sys.argv[1] + '.new', 'w').write(told)\n"
        "os.rename(sys.argv[1] + '.new', sys.argv[1])"
    )
    overview = Overview(RunDir(tmp_path / "run"), RunState(), ExitCode.FAILURES)
    assert start_hook([sys.executable, "-c", code, str(out)], overview) == ""
    until(out.exists, lambda: "the hook has not run")
    assert out.read_text() == f"{tmp_path / 'run'} 1 not started"


@pytest.mark.parametrize("words", [["/nowhere/at-all"], ["a\0b"]])
def test_a_hook_that_cannot_start_is_told(tmp_path: Path, words: list[str]) -> None:
    said = start_hook(words, Overview(RunDir(tmp_path), RunState(), ExitCode.DONE))
    assert said.startswith(f"on_end: {words[0]}: ")


# memory ----------------------------------------------------------------------------------------------------------------


def test_what_is_put_is_there_at_the_next_start(tmp_path: Path) -> None:
    path = tmp_path / "deep/view.json"
    memory = Memory(path)
    memory.put("sort", "na\udcffme")
    memory.put("follow", False)
    again = Memory(path)
    assert (again.get("sort", ""), again.get("follow", True), again.trouble) == ("na\udcffme", False, "")
    assert list(path.parent.iterdir()) == [path]


def test_a_value_of_another_type_counts_as_none(tmp_path: Path) -> None:
    path = tmp_path / "view.json"
    path.write_text('{"sort": true, "follow": 1, "other": {"x": []}, "": null}')
    memory = Memory(path)
    assert (memory.get("sort", "run"), memory.get("follow", True), memory.get("other", "")) == (
        "run",
        True,
        "",
    )
    assert memory.trouble == ""


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "no JSON"),
        (b"{", "no JSON"),
        (b"[]", "no JSON object"),
        (b"\xff", "no JSON"),
        (b"[" * 60_000, "no JSON"),
        (b"9" * 5000, "no JSON"),
        (b"{}" + b" " * MAX_BYTES, "larger than 64 KiB"),
    ],
)
def test_a_damaged_file_is_told_in_one_line_and_replaced(tmp_path: Path, content: bytes, why: str) -> None:
    path = tmp_path / "view.json"
    path.write_bytes(content)
    memory = Memory(path)
    assert memory.trouble == f"{path}: {why}; what the screens remembered is ignored"
    assert memory.get("sort", "run") == "run"
    memory.put("sort", "name")
    assert json.loads(path.read_text()) == {"sort": "name"}


def test_what_is_no_file_is_told_and_nobody_waits_for_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert "no regular file" in Memory(tmp_path / "pipe").trouble
    (tmp_path / "directory").mkdir()
    memory = Memory(tmp_path / "directory")
    assert "irectory" in memory.trouble
    memory.put("sort", "name")
    assert list(tmp_path.iterdir()) and not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


@given(
    st.binary(max_size=60)
    | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(json.dumps).map(str.encode)
)
def test_no_file_stops_the_screens(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.mktemp("memory") / "view.json"
    path.write_bytes(content)
    memory = Memory(path)
    assert memory.trouble.count("\n") == 0
    assert memory.get("sort", "run") == "run"


def test_a_place_that_cannot_be_written_costs_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    memory = Memory(tmp_path / "file/view.json")
    memory.put("sort", "name")
    assert memory.get("sort", "") == "name" and memory.trouble == ""


def test_two_viewers_remember_what_both_were_told(tmp_path: Path) -> None:
    one, other = Memory(tmp_path / "view.json"), Memory(tmp_path / "view.json")
    one.put("sort", "name")
    other.put("follow", False)
    again = Memory(tmp_path / "view.json")
    assert again.get("sort", "") == "name" and not again.get("follow", True)


def test_a_read_only_view_writes_nothing(tmp_path: Path) -> None:
    memory = Memory(tmp_path / "view.json", keep=False)
    memory.put("sort", "name")
    assert memory.get("sort", "") == "name"
    assert list(tmp_path.iterdir()) == []


def test_the_same_value_is_not_written_again(tmp_path: Path) -> None:
    path = tmp_path / "view.json"
    memory = Memory(path)
    memory.put("sort", "name")
    before = path.stat().st_ino
    memory.put("sort", "name")
    assert path.stat().st_ino == before


# ASCII -----------------------------------------------------------------------------------------------------------------


@given(st.text())
def test_what_is_drawn_in_ascii_is_ascii_and_as_wide_as_before(text: str) -> None:
    shown = plainly(text)
    assert shown.isascii()
    assert cell_len(shown) == cell_len(text)


def test_lines_and_blocks_have_stand_ins() -> None:
    assert plainly("╭─┬─╮│▌█▁░▸±µ字") == "+-+-+||#-.>?u??"


def test_every_glyph_has_a_stand_in_in_ascii() -> None:
    for name, glyph in vars(ASCII).items():
        assert name == "ascii" or glyph.isascii(), name
    assert len(ASCII.sparks) == len(UNICODE.sparks)
    assert ASCII.text("±0.4 % µs × – …") == "+-0.4 % us x - ..."
    assert UNICODE.text("±") == "±"


@pytest.mark.parametrize(
    ("fraction", "full"), [(-1.0, 0), (0.0, 0), (0.49, 4), (0.999, 9), (1.0, 10), (7.0, 10)]
)
def test_a_bar_is_never_fuller_than_its_share(fraction: float, full: int) -> None:
    assert ASCII.bar(fraction, 10) == "#" * full + "." * (10 - full)
