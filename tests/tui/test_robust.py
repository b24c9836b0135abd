"""What terminals do to a viewer, while a run goes on that must never notice.

One run of about a minute lasts through the whole module; a thread of this process looks at its live page all the time.
The last tests check what it saw, and the record against that of a run that nobody watched.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from faults.lab import Lab, Mock, new_lab, read_state
from tui.terminal_kit import NGCCTUI, PtyScreen, Tmux, children, cpu_s, environment, until

from ngcctui.engine.livepage import LivePhase, read_page
from ngcctui.engine.rundir import RunDir

#: The same plan whatever a call takes: 5 trials of 300 calls, 3 warm-ups.
PLANNING = {"trials": 5, "target_s": 0.001, "min_calls": 1500, "budget_s": 600.0, "limit_slack_s": 120.0}
SLOW = Mock("toy", defines=("SLOW_NS=43000000",))
QUICK = Mock("toy", defines=("SLOW_NS=1000000",))
#: Says that the view is there: its head and its keys.
HERE = ("faults", "? help")
STALL_S = 60.0


@dataclass
class Watched:
    """A run that is measured all the time, and when its counter was seen to move."""

    run: RunDir
    lab: Lab
    page: Path
    moves: list[tuple[float, int, int]] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    def look(self) -> None:
        """Note every change of the counter until the measurement is over."""
        last = None
        while not self.over.wait(0.05):
            view = read_page(self.page)
            if view is None or view.phase is LivePhase.PROFILE:
                break
            if (view.trial, view.iteration) != last:
                last = (view.trial, view.iteration)
                self.moves.append((time.monotonic(), *last))
        self.over.set()

    def gaps_s(self) -> float:
        """The longest time in which the counter did not move."""
        times = [moment for moment, _, _ in self.moves]
        return max(after - before for before, after in zip(times, times[1:], strict=False))


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    with new_lab(tmp_path_factory.mktemp("robust"), tmp_path_factory.mktemp("cache")) as lab:
        run = lab.new_run([SLOW], records=2, planning=PLANNING)
        lab.start(run, "--wait")
        page: list[str] = []

        def measuring() -> bool:
            state = read_state(run)
            page[:] = [state.live_page] if state.live_page else []
            view = read_page(page[0]) if page else None
            return view is not None and view.phase is LivePhase.TIMED and view.iterations == 300

        until(measuring, lambda: lab.printed(run), 300.0)
        found = Watched(run, lab, Path(page[0]))
        looking = threading.Thread(target=found.look, daemon=True)
        looking.start()
        yield found
        found.over.set()
        looking.join()


@dataclass
class Stalled:
    """A viewer whose terminal takes nothing any more."""

    screen: PtyScreen
    since: float
    cpu_s: float


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def stalled(watched: Watched, home: Path) -> Iterator[Stalled]:
    """A viewer that is stalled from the first test to the last."""
    with viewer(watched, home) as screen:
        screen.wait_for(*HERE)
        yield Stalled(screen, time.monotonic(), cpu_s(screen.pid))


def command(watched: Watched, *options: str) -> list[str]:
    return [*NGCCTUI, "attach", str(watched.run.path), *options]


def viewer(watched: Watched, home: Path, *options: str, preexec: tuple[str, ...] = (), **environ: str) -> PtyScreen:
    return PtyScreen(command(watched, *options), environment(home, **environ), cwd=home, preexec=preexec)


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


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT], ids=lambda n: n.name)
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
        window.wait_for("CODE 0", "comes back")
        check_restored(window)


@pytest.mark.parametrize("number", [signal.SIGTSTP, signal.SIGSTOP], ids=lambda n: n.name)
def test_a_viewer_that_others_stop_goes_on(watched: Watched, home: Path, number: signal.Signals) -> None:
    with shell(home) as window:
        pid = attach(window, watched)
        os.kill(pid, number)
        window.wait_for("Stopped")
        window.type("clear; fg; echo CODE $?\n")
        window.wait_for(*HERE)
        threads = len(list(Path(f"/proc/{pid}/task").iterdir()))
        os.kill(pid, signal.SIGCONT)
        window.send("?")
        window.wait_for("show everything about the selected cell")
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
    return [text.splitlines()[0].split()[0], text.splitlines()[-1]]


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
        Path(window.tell("#{pane_tty}")).write_text("\x1b[HRUBBISH\x1b[24;1HRUBBISH RUBBISH")
        window.wait_for("RUBBISH")
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
        assert "comes back" in screen.text()
        assert b"\x1b" not in screen.raw


# what the run noticed --------------------------------------------------------------------------------------------------


def test_the_stalled_viewer_is_well_again_when_its_terminal_is(stalled: Stalled) -> None:
    until(lambda: time.monotonic() - stalled.since >= STALL_S, lambda: "", STALL_S + 5)
    assert stalled.screen.poll() is None
    assert cpu_s(stalled.screen.pid) - stalled.cpu_s < 0.05 * STALL_S
    stalled.screen.wait_for(*HERE)
    stalled.screen.send("q")
    assert stalled.screen.end() == 0


def test_the_run_never_noticed(watched: Watched, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    until(watched.over.is_set, lambda: str(watched.moves[-1:]), 120.0)
    assert len(watched.moves) > 500
    assert watched.gaps_s() < 1.0
    until(lambda: read_state(watched.run).ended, lambda: watched.lab.printed(watched.run), 60.0)
    with new_lab(tmp_path, tmp_path_factory.mktemp("cache")) as lab:
        alone = lab.new_run([QUICK], records=2, planning=PLANNING)
        lab.finish(alone)
        assert shape(alone) == shape(watched.run)
        assert measured(alone) == measured(watched.run)


def measured(run: RunDir) -> dict[str, Any]:
    """What a record says of a measurement but for times, memory and the digest of the (different) library."""
    record = json.loads(run.record("mock", "toy", "sign").read_text())
    found = {key: record[key] for key in ("step", "outcome", "flags", "inputs", "kat", "sizes", "retries", "rejected")}
    found["plan"] = [record["plan"][key] for key in ("trials", "iterations", "warmups", "batch", "separate_processes")]
    found["calls"] = [record["statistics"][key] for key in ("calls", "distinct_calls")]
    counts = ("trial", "attempt", "iterations", "batch", "retries", "rejected", "failures", "samples", "used")
    found["trials"] = [[trial[key] for key in counts] for trial in record["trials"]]
    return found


def shape(run: RunDir) -> list[tuple[str, str]]:
    """How every step ended."""
    state = read_state(run)
    return [(name, step.outcome.value if step.outcome else "") for name, step in state.steps.items()]


def test_a_viewer_of_a_copied_run(watched: Watched, home: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(watched.run.path, copy)
    with PtyScreen([*NGCCTUI, "attach", str(copy)], environment(home), cwd=home) as screen:
        screen.wait_for(*HERE)
        screen.send("q")
        assert screen.end() == 0
