"""The program on real terminals: what it sends to each, what it refuses, what it leaves behind."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tui.played_run import PlayedRun, new_run
from tui.terminal_kit import DEADLINE_S, NGCCTUI, PtyScreen, environment, until

#: Says that the view is there: its head and its keys.
HERE = ("played", "? help")
RGB = re.compile(rb"\x1b\[[\d;]*[34]8;2;")
COLOUR = re.compile(rb"\x1b\[(?:\d+;)*(?:3[0-7]|4[0-7]|9[0-7]|10[0-7]|[34]8)(?:;[\d;]*)?m")


@pytest.fixture
def played(tmp_path: Path) -> Iterator[PlayedRun]:
    run = new_run(tmp_path / "runs", schemes=1, each=3)
    run.start()
    run.prepare()
    yield run
    run.close()


def attach(played: PlayedRun, home: Path, *options: str, **environ: str) -> PtyScreen:
    return PtyScreen(
        [*NGCCTUI, "attach", *options, str(played.run.path)], environment(home, **environ), cwd=home
    )


def seen(played: PlayedRun, home: Path, *options: str, **environ: str) -> bytes:
    """Everything that a viewer sends from its start to its end."""
    with attach(played, home, *options, **environ) as screen:
        screen.wait_for(*HERE)
        screen.send("r")
        screen.wait_for("1 run in")
        screen.send("?")
        screen.wait_for("Runs", "list the runs")
        screen.send("q")
        assert screen.end() == 0
    return screen.raw


# what is sent ----------------------------------------------------------------------------------------------------------


def test_a_modern_terminal_gets_colours_mouse_and_a_title_and_gives_them_back(
    played: PlayedRun, tmp_path: Path
) -> None:
    raw = seen(played, tmp_path, COLORTERM="truecolor")
    assert RGB.search(raw)
    for mode in (b"?1049", b"?1000", b"?1006", b"?2004", b"?1004"):
        assert raw.rfind(b"\x1b[" + mode + b"l") > raw.rfind(b"\x1b[" + mode + b"h") >= 0, mode
    assert raw.rfind(b"\x1b[?25h") > raw.rfind(b"\x1b[?25l")
    assert re.search(rb"\x1b\]2;played \d+/\d+\x07", raw)
    assert raw.count(b"\x1b[22;2t") == raw.count(b"\x1b[23;2t") == 1


@pytest.mark.parametrize("term", ["linux", "vt100"])
def test_an_old_terminal_gets_ascii_and_no_private_sequence(
    played: PlayedRun, tmp_path: Path, term: str
) -> None:
    raw = seen(played, tmp_path, TERM=term)
    assert raw.isascii()
    assert not RGB.search(raw)
    for sequence in (b"\x1b[>", b"?2026", b"?2048", b"?2004h", b"?1000h", b"?1003h", b"\x1b]", b"\x1b[22;2t"):
        assert sequence not in raw, sequence


def test_a_terminal_of_256_colours_gets_no_more(played: PlayedRun, tmp_path: Path) -> None:
    assert not RGB.search(seen(played, tmp_path, TERM="screen-256color", COLORTERM="truecolor"))


def test_no_color_means_no_colour(played: PlayedRun, tmp_path: Path) -> None:
    raw = seen(played, tmp_path, NO_COLOR="1", COLORTERM="truecolor")
    assert not COLOUR.search(raw), COLOUR.findall(raw)[:3]


@pytest.mark.parametrize("environ", [{"LC_ALL": "C"}, {"LC_ALL": "POSIX"}, {"LC_ALL": "en_US.ISO-8859-1"}])
def test_another_locale_gets_ascii(played: PlayedRun, tmp_path: Path, environ: dict[str, str]) -> None:
    assert seen(played, tmp_path, **environ).isascii()


def test_utf_8_is_drawn_whatever_python_takes_stderr_for(played: PlayedRun, tmp_path: Path) -> None:
    raw = seen(played, tmp_path, PYTHONIOENCODING="latin-1")
    assert "±".encode() in raw or "·".encode() in raw
    assert b"\\u" not in raw


def test_options_take_away(played: PlayedRun, tmp_path: Path) -> None:
    raw = seen(played, tmp_path, "--ascii", "--no-mouse", "--theme", "ansi-dark", COLORTERM="truecolor")
    assert raw.isascii()
    assert b"?1000h" not in raw
    assert not RGB.search(raw)


def test_the_configuration_takes_away_too(played: PlayedRun, tmp_path: Path) -> None:
    config = tmp_path / "config/ngcctui/ngcctui.toml"
    config.parent.mkdir(parents=True)
    config.write_text('ascii = true\nmouse = false\ntitle = false\n[keys.app]\nhelp = "?,f2"\n')
    raw = seen(played, tmp_path)
    assert raw.isascii()
    assert b"?1000h" not in raw
    assert b"\x1b]2;" not in raw


# sizes -----------------------------------------------------------------------------------------------------------------


def test_a_size_in_the_environment_does_not_freeze_the_window(played: PlayedRun, tmp_path: Path) -> None:
    with attach(played, tmp_path, COLUMNS="50", LINES="10") as screen:
        screen.wait_for(*HERE)
        screen.resize(120, 40)
        until(lambda: screen.read(0.05) and last_row(screen) == 39, screen.text)


def test_a_line_that_knows_no_size_is_asked_for_it(played: PlayedRun, tmp_path: Path) -> None:
    with attach(played, tmp_path, "--no-mouse") as screen:
        screen.set_size(0, 0)
        screen.wait_for(*HERE)
        asked = screen.raw.count(b"\x1b[18t")
        screen.send("\x0c")
        until(
            lambda: screen.read(0.05) and screen.raw.count(b"\x1b[18t") > asked,
            lambda: repr(screen.raw[-3000:]),
        )
        screen._screen.resize(30, 100)
        screen.send("\x1b[8;30;100t")
        until(lambda: screen.read(0.05) and last_row(screen) == 29, screen.text)
        screen.send("\x1b[8;16;70t")
        screen.send("?")
        screen.wait_for("Monitor")
        assert last_row(screen) == 29, "an answer is taken when it was asked for"


def last_row(screen: PtyScreen) -> int:
    """The row that the keys are in."""
    return next((number for number, line in enumerate(screen.text().split("\n")) if "? help" in line), -1)


# what is refused -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("term", ["dumb", ""])
def test_a_dumb_terminal_is_told_what_it_can_have(played: PlayedRun, tmp_path: Path, term: str) -> None:
    with attach(played, tmp_path, TERM=term) as screen:
        assert screen.end() == 2
    said = screen.raw.decode()
    assert said.count("\n") == 1
    assert said.startswith("ngcctui: TERM")
    assert "ngcctui --batch CAMPAIGN" in said


def test_a_redirected_standard_error_is_told(played: PlayedRun, tmp_path: Path) -> None:
    argv = ["sh", "-c", 'exec "$@" 2>err', "sh", *NGCCTUI, "attach", str(played.run.path)]
    with PtyScreen(argv, environment(tmp_path), cwd=tmp_path) as screen:
        assert screen.end() == 2
    assert (tmp_path / "err").read_text().startswith("ngcctui: standard error is no terminal")
    assert screen.raw == b""


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--theme", "nordd"], "no theme 'nordd': did you mean nord"),
        (["--refresh", "0"], "argument --refresh: must be 0.2 to 60 seconds, not 0 (ngcctui attach --help)"),
        (["--config", "nowhere.toml"], "nowhere.toml: cannot be read"),
        (["./nowhere"], "nowhere: is no run"),
    ],
)
def test_wrong_options_are_one_line_and_nothing_is_drawn(
    tmp_path: Path, options: list[str], said: str
) -> None:
    new_run(tmp_path / "runs", schemes=1, each=1)
    with PtyScreen([*NGCCTUI, "attach", *options], environment(tmp_path), cwd=tmp_path) as screen:
        assert screen.end() == 2
    assert said in screen.raw.decode()
    assert b"\x1b" not in screen.raw


def test_without_any_terminal_the_screens_are_refused_and_lines_are_printed(
    played: PlayedRun, tmp_path: Path
) -> None:
    def program(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*NGCCTUI, *words],
            env=environment(tmp_path),
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=DEADLINE_S,
            check=False,
        )

    played.end()
    none = program()
    assert (none.returncode, none.stdout) == (2, "")
    assert none.stderr.startswith("ngcctui: standard input is no terminal")
    lines = program("attach")
    assert lines.returncode == 0
    assert lines.stdout.splitlines()[0] == f"run      {played.run.name}: done"


# the first screen ------------------------------------------------------------------------------------------------------


def test_the_first_screen_is_the_list_while_a_run_goes_on_and_setup_else(
    played: PlayedRun, tmp_path: Path
) -> None:
    with PtyScreen([*NGCCTUI], environment(tmp_path), cwd=tmp_path) as screen:
        screen.wait_for("1 run in", "running on core 1")
        screen.send("\x03\x03")
        assert screen.end() == 0
    played.end()
    with PtyScreen([*NGCCTUI], environment(tmp_path), cwd=tmp_path) as screen:
        screen.wait_for("new campaign")
        screen.send("q")
        assert screen.end() == 0


def test_an_error_of_ours_is_one_line_with_its_traceback_in_a_file(played: PlayedRun, tmp_path: Path) -> None:
    broken = (
        "import sys; import ngcctui.tui.screens.help as screen; screen.help_page = None\n"
        "from ngcctui.cli import main; sys.exit(main())"
    )
    argv = [sys.executable, "-c", broken, "attach", str(played.run.path)]
    with PtyScreen(argv, environment(tmp_path), cwd=tmp_path) as screen:
        screen.wait_for(*HERE)
        screen.send("?")
        assert screen.end() == 5
    said = screen.raw[screen.raw.rfind(b"\x1b[?1049l") :].decode()
    assert "ngcctui: internal error: TypeError: " in said
    assert "Traceback" not in said
    (path,) = (tmp_path / "state/ngcctui").glob("traceback-*.txt")
    assert "TypeError" in path.read_text()


# slow lines ------------------------------------------------------------------------------------------------------------


def test_lines_for_slow_terminals(played: PlayedRun, tmp_path: Path) -> None:
    """What a second of a run costs at 9600 baud, 960 bytes a second, as a line an event."""
    with attach(played, tmp_path, "--plain", "--refresh", "0.2", TERM="vt100") as screen:
        screen.wait_for("running on core 1", "enter: how far it is")
        began = len(screen.raw)
        for _, _step in zip(range(3), played.seconds(0), strict=False):
            pass
        screen.wait_for("trial 3/5")
        assert len(screen.raw) - began < 3 * 450
        assert b"\x1b" not in screen.raw
        played.end()
        assert screen.end() == 0
        assert "run done" in screen.text()


def test_a_pipe_that_nobody_reads_ends_the_lines(played: PlayedRun, tmp_path: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [*NGCCTUI, "attach", "--plain", str(played.run.path)],
        env=environment(tmp_path),
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        stdout=write,
        stderr=subprocess.PIPE,
        timeout=DEADLINE_S,
        check=False,
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (141, b"")
