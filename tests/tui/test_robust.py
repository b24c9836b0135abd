"""What terminals do to a viewer while a run goes on that must never notice; test_robust_unnoticed.py asks whether it did."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest
from faults.lab import read_state
from tui.terminal_kit import PtyScreen, Tmux, children, cpu_s, environment, until
from tui.watched_run import HERE, Stalled, Watched, command, viewer


def shell(home: Path, **environ: str) -> Tmux:
    """A shell in tmux, as an operator has it."""
    window = Tmux(["bash", "--norc", "--noprofile"], environment(home, PS1="READY> ", **environ), cwd=home)
    window.wait_for("READY>")
    window.type("stty -g > before\n")
    return window


def attach(window: Tmux, watched: Watched, *options: str) -> int:
    """Start a viewer in the shell; its process."""
    window.type(" ".join([*command(watched, *options), "; echo CODE $?\n"]))
    window.wait_for(*HERE)
    return children(window.pid)[0]


def check_restored(window: Tmux) -> None:
    """The terminal is as it was before the viewer: screen, mouse, cursor, modes."""
    assert window.modes() == "0 0 1"
    window.type("clear; stty -g | cmp - before && echo SA''ME\n")
    window.wait_for("SAME")


# the first stalls ------------------------------------------------------------------------------------------------------


def test_a_terminal_stalls(stalled: Stalled) -> None:
    assert stalled.screen.poll() is None


# signals and lost terminals --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT], ids=lambda n: n.name
)
def test_a_signal_ends_the_viewer_and_restores_the_terminal(
    watched: Watched, home: Path, number: signal.Signals
) -> None:
    with shell(home) as window:
        os.kill(attach(window, watched), number)
        window.wait_for(f"CODE {128 + number}")
        check_restored(window)


def test_after_a_kill_reset_restores_the_terminal(watched: Watched, home: Path) -> None:
    with shell(home) as window:
        os.kill(attach(window, watched), signal.SIGKILL)
        until(lambda: not children(window.pid), window.text)
        window.type("tput rmcup; reset\n")
        until(lambda: window.modes() == "0 0 1", window.modes)
        window.type("clear; echo $((6 * 7))\n")
        window.wait_for("42")


IGNORING = ("sh", "-c", 'trap "" HUP; exec "$@"', "sh")


@pytest.mark.parametrize("preexec", [(), IGNORING], ids=["hangup", "ignored"])
def test_a_closed_terminal_ends_the_viewer(watched: Watched, home: Path, preexec: tuple[str, ...]) -> None:
    with viewer(watched, home, preexec=preexec) as screen:
        screen.wait_for(*HERE)
        began = cpu_s(screen.pid)
        screen.hang_up()
        assert screen.end(deadline_s=10.0) == 129
        assert cpu_s(screen.pid) - began < 2.0


def test_a_closed_window_of_tmux_ends_the_viewer(watched: Watched, home: Path) -> None:
    with shell(home) as window:
        pid = attach(window, watched)
        window.close_window()
        until(lambda: not Path(f"/proc/{pid}").exists(), lambda: "the viewer lives on", 10.0)


def test_a_viewer_on_a_stalled_terminal_still_ends(watched: Watched, home: Path) -> None:
    with viewer(watched, home, "--refresh", "0.2") as screen:
        screen.wait_for(*HERE)
        stall(screen)
        began = time.monotonic()
        os.kill(screen.pid, signal.SIGTERM)
        until(lambda: screen.poll() is not None, lambda: "the viewer lives on", 20.0)
        assert screen.poll() == 143
        assert time.monotonic() - began < 15.0
        before = len(screen.raw)
        screen.end()
        assert b"\x1b[?1049l" in screen.raw[before:], "what restores the screen got through"


def stall(screen: PtyScreen) -> None:
    """Read nothing until the viewer is stuck: it draws anew for each size of its window, until nothing more goes in."""

    def stuck() -> bool:
        screen.set_size(61 + int(time.monotonic() * 100) % 50, 24)
        states = [(task / "wchan").read_text() for task in Path(f"/proc/{screen.pid}/task").iterdir()]
        return any(state in ("wait_woken", "n_tty_write") for state in states)

    until(stuck, lambda: "nothing waits for the terminal")


# job control, sizes, attaching -----------------------------------------------------------------------------------------


def test_ctrl_z_suspends_the_view_and_fg_draws_it_again(watched: Watched, home: Path) -> None:
    with shell(home) as window:
        attach(window, watched)
        for number in range(3):
            window.send("C-z")
            window.wait_for("Stopped")
            assert window.modes() == "0 0 1"
            window.type(f"echo $((40 + {number})) again\n")
            window.wait_for(f"{40 + number} again")
            window.type("clear; fg; echo CODE $?\n")
            window.wait_for(*HERE)
            assert window.modes().startswith("1 1")
        window.send("q")
        window.wait_for("CODE 0", "ngcctui: left faults")
        check_restored(window)


@pytest.mark.parametrize("number", [signal.SIGTSTP, signal.SIGSTOP], ids=lambda n: n.name)
def test_a_viewer_that_others_stop_goes_on(watched: Watched, home: Path, number: signal.Signals) -> None:
    with shell(home) as window:
        pid = attach(window, watched)
        os.kill(pid, number)
        window.wait_for("Stopped")
        window.type("clear\n")
        window.wait_for("READY>", gone=["? help"])
        window.type("fg; echo CODE $?\n")
        window.wait_for(*HERE)
        threads = len(list(Path(f"/proc/{pid}/task").iterdir()))
        os.kill(pid, signal.SIGCONT)
        # What is typed while the view starts anew is thrown away, as after every suspension.
        until(lambda: (window.send("?"), "show everything about" in window.text())[1], window.text)
        window.send("Escape")
        window.wait_for(*HERE)
        assert len(list(Path(f"/proc/{pid}/task").iterdir())) <= threads
        window.send("q")
        window.wait_for("CODE 0")
        check_restored(window)


def test_sizes_down_to_one_cell_and_back(watched: Watched, home: Path) -> None:
    with shell(home) as window:
        attach(window, watched)
        whole = layout(window.text())
        for width, height in ((30, 6), (1, 1), (200, 60), (2, 50), (59, 14), (80, 24)):
            window.resize(width, height)
            if (width, height) == (30, 6):
                window.wait_for("needs 60 x 15", "? help")
        until(lambda: layout(window.text()) == whole, window.text)
        window.send("q")
        window.wait_for("CODE 0")


def layout(text: str) -> list[str]:
    """The keys and the first words of the head: what stays when figures change."""
    lines = text.splitlines()
    return [lines[0].split(" ")[1], lines[-1]] if text.strip() and lines[0] else []


def test_tmux_clients_come_and_go(watched: Watched, home: Path) -> None:
    with shell(home) as window:
        attach(window, watched)
        for _ in range(2):
            with window.client() as client:
                client.wait_for(*HERE)
                client.send("\x02d")
                assert client.end() == 0
        window.wait_for(*HERE)
        window.send("q")
        window.wait_for("CODE 0")


def test_ctrl_l_draws_over_what_others_wrote(watched: Watched, home: Path) -> None:
    with shell(home) as window:
        attach(window, watched)
        whole = layout(window.text())
        tty = Path(window.tell("#{pane_tty}"))

        def spoilt() -> bool:
            # Once more if the viewer was just about to draw all of it.
            tty.write_text("\x1b[10;5HRUBBISH\x1b[24;1HRUBBISH")
            return "RUBBISH" in window.text()

        until(spoilt, window.text)
        window.send("C-l")
        window.wait_for(*HERE, gone=["RUBBISH"])
        assert layout(window.text()) == whole


# what is typed ---------------------------------------------------------------------------------------------------------

GARBAGE = [
    b"\x1b[M\xff\xfe\xfd",
    b"\x1b[M !",
    b"\x1b[<32;NaN;NaNM",
    b"\x1b[<0;1;1",
    b"\x1b[<99999;99999;99999M",
    b"\x1b[48;1;1;0;0t",
    b"\x1b[8;1;1t",
    b"\xff\xfe\x80\xc3(\xf0\x28\x8c\x28",
    b"\x1b[200~SKPRqqq\x1b[201~",
    b"\x1b]2;title\x07\x1bP1$r0m\x1b\\",
    bytes(range(128, 256)) * 8,
    b"\x1b[" + b"9" * 60 + b"~",
    b"drop the SKP table now",
]


def test_garbage_and_broken_reports_do_nothing(watched: Watched, home: Path) -> None:
    before = len(read_state(watched.run).controls)
    with viewer(watched, home) as screen:
        screen.wait_for(*HERE)
        for data in GARBAGE:
            screen.send(data)
            screen.read(0.1)
        screen.send("\x0c")
        screen.wait_for(*HERE)
        assert screen.poll() is None
        screen.send("q")
        assert screen.end() == 0
    assert b"Traceback" not in screen.raw
    assert len(read_state(watched.run).controls) == before, "nothing was asked of the run"


# many viewers ----------------------------------------------------------------------------------------------------------


def test_five_viewers_at_once(watched: Watched, home: Path) -> None:
    screens = [viewer(watched, home, *(["--readonly"] if number == 0 else [])) for number in range(5)]
    try:
        for screen in screens:
            screen.wait_for(*HERE)
        for screen in screens:
            screen.send("q")
        assert [screen.end() for screen in screens] == [0] * 5
    finally:
        for screen in screens:
            screen.__exit__(None, None, None)


def test_lines_in_place_of_a_screen(watched: Watched, home: Path) -> None:
    with viewer(watched, home, "--plain", TERM="dumb") as screen:
        screen.wait_for("faults: running on core", "enter: how far it is")
        screen.send("\n")
        until(lambda: (screen.read(0.05), screen.raw.count(b": running on core"))[1] == 2, screen.text)
        screen.send("q\n")
        assert screen.end() == 0
        assert "ngcctui: left 2026" in screen.text()
        assert b"\x1b" not in screen.raw
