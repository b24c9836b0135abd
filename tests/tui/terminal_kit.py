"""Real terminals for tests: a program in tmux, or on a pseudo-terminal whose screen is kept in memory.

Everything waits by looking again until a deadline, and says what was on the screen when it did not come.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import shlex
import signal
import struct
import subprocess
import sys
import termios
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import pyte

ROOT = Path(__file__).resolve().parents[2]
SRC = ROOT / "src"
#: Enough for a loaded machine; a passing test never waits so long.
DEADLINE_S = 30.0
LOOK_S = 0.05

#: The program, as words of a command line.
NGCCTUI = (sys.executable, "-m", "ngcctui")


def until(done: Callable[[], bool], told: Callable[[], str], deadline_s: float = DEADLINE_S) -> None:
    """Return as soon as `done`; AssertionError with `told` after the deadline."""
    end = time.monotonic() + deadline_s
    while not done():
        if time.monotonic() > end:
            raise AssertionError(f"not within {deadline_s:g} s: {told()}")
        time.sleep(LOOK_S)


def environment(home: Path, **changes: str) -> dict[str, str]:
    """A small environment in which the program finds its sources and nothing of the operator's."""
    base = {
        "PATH": os.environ.get("PATH", os.defpath),
        "PYTHONPATH": str(SRC),
        "HOME": str(home),
        "XDG_STATE_HOME": str(home / "state"),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME", str(Path.home() / ".cache")),
        "NGCCTUI_RUNS": str(home / "runs"),
        "TERM": "xterm-256color",
        "LC_ALL": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return base | changes


class Tmux:
    """A tmux server of its own with one window; the program in it is a child of tmux, or of a shell in it."""

    def __init__(
        self,
        argv: Sequence[str],
        environ: Mapping[str, str],
        *,
        cwd: Path,
        width: int = 80,
        height: int = 24,
        utf8: bool = True,
    ) -> None:
        """Start `argv` in a window of that size.  TERM of `environ` is what the program sees."""
        self._socket = f"ngcctui-test-{uuid.uuid4().hex[:12]}"
        # tmux itself sets TERM for what it starts, so the program's own environment is set by env inside.
        inner = shlex.join(["env", "-i", *(f"{key}={value}" for key, value in environ.items()), *argv])
        self._environ = {
            "PATH": os.environ.get("PATH", os.defpath),
            "LC_ALL": "C.UTF-8",
            "TERM": "xterm-256color",
        }
        self._tmux(
            *(["-u"] if utf8 else []), "-f", "/dev/null", "new-session", "-d", "-x", str(width), "-y", str(height),
            "-c", str(cwd), "-s", "main", f"exec {inner}",
            ";", "set-option", "-g", "remain-on-exit", "on", ";", "set-option", "-g", "status", "off",
            ";", "set-option", "-g", "escape-time", "0",
        )  # fmt: skip

    def _tmux(self, *words: str, check: bool = True) -> str:
        done = subprocess.run(
            ["tmux", "-L", self._socket, *words],
            env=self._environ,
            capture_output=True,
            text=True,
            timeout=DEADLINE_S,
            check=False,
        )
        assert not check or done.returncode == 0, done.stderr
        return done.stdout

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._tmux("kill-server", check=False)

    def text(self) -> str:
        """The screen, lines without trailing blanks."""
        return "\n".join(line.rstrip() for line in self._tmux("capture-pane", "-p").splitlines())

    def raw(self) -> str:
        """The screen with its SGR sequences."""
        return self._tmux("capture-pane", "-p", "-e")

    def wait_for(self, *words: str, gone: Sequence[str] = (), deadline_s: float = DEADLINE_S) -> str:
        """Wait until all `words` are on the screen and none of `gone`; returns the screen."""
        seen = [""]

        def there() -> bool:
            seen[0] = self.text()
            return all(word in seen[0] for word in words) and not any(word in seen[0] for word in gone)

        until(there, lambda: f"{words} (without {tuple(gone)}) on the screen:\n{seen[0]}", deadline_s)
        return seen[0]

    def send(self, *keys: str) -> None:
        """Press keys, by tmux's names (`Enter`, `Escape`, `C-z`, `a`)."""
        self._tmux("send-keys", *keys)

    def type(self, text: str) -> None:
        """Type text as it is."""
        self._tmux("send-keys", "-l", text)

    def type_bytes(self, data: bytes) -> None:
        """Send raw bytes to the program."""
        self._tmux("send-keys", "-H", *(f"{byte:02x}" for byte in data))

    def resize(self, width: int, height: int) -> None:
        """Change the size of the window."""
        self._tmux("resize-window", "-x", str(width), "-y", str(height))

    def tell(self, form: str) -> str:
        """A format of tmux for the pane, such as `#{pane_pid}`."""
        return self._tmux("display-message", "-p", form).rstrip("\n")

    @property
    def pid(self) -> int:
        """The process in the window."""
        return int(self.tell("#{pane_pid}"))

    def modes(self) -> str:
        """Alternate screen, mouse and cursor as tmux sees them: `0 0 1` is a terminal as a shell wants it."""
        return self.tell("#{alternate_on} #{mouse_any_flag} #{cursor_flag}")

    def exit_code(self, deadline_s: float = DEADLINE_S) -> int:
        """Wait for the end of the program in the window; its exit code, 128 + n after signal n."""
        until(lambda: self.tell("#{pane_dead}") == "1", lambda: f"still running:\n{self.text()}", deadline_s)
        number = self.tell("#{pane_dead_signal}")
        return 128 + int(number) if number else int(self.tell("#{pane_dead_status}"))

    def client(self) -> PtyScreen:
        """A terminal that is attached to the window."""
        return PtyScreen(["tmux", "-L", self._socket, "attach-session", "-t", "main"], self._environ)

    def close_window(self) -> None:
        """Close the window as the x of a terminal window does: its terminal hangs up."""
        self._tmux("kill-session", "-t", "main", check=False)


class PtyScreen:
    """A program on a pseudo-terminal; what it draws is kept in memory."""

    def __init__(
        self,
        argv: Sequence[str],
        environ: Mapping[str, str],
        *,
        cwd: Path | None = None,
        width: int = 80,
        height: int = 24,
        preexec: Sequence[str] = (),
    ) -> None:
        """Start `argv` as the leader of a session on the terminal; `preexec` are words put before it (`nohup`)."""
        self.raw = b""
        self._screen = pyte.Screen(width, height)
        self._stream = pyte.ByteStream(self._screen)
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            try:
                os.chdir(cwd or Path.cwd())
                os.execvpe((*preexec, *argv)[0], [*preexec, *argv], dict(environ))
            finally:
                os._exit(127)
        self.resize(width, height)
        self._status: int | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
        self.hang_up()
        if self._status is None:
            self._status = os.waitpid(self.pid, 0)[1]

    def text(self) -> str:
        """The screen, lines without trailing blanks."""
        return "\n".join(line.rstrip() for line in self._screen.display)

    def read(self, seconds: float = 0.0) -> bool:
        """Take what the program has drawn, waiting for it at most so long; False when the terminal is closed."""
        if self.master < 0:
            return False
        if not select.select([self.master], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.master, 65536)
        except OSError:
            return False
        self.raw += data
        self._feed(data)
        return bool(data)

    def _feed(self, data: bytes) -> None:
        with contextlib.suppress(
            Exception
        ):  # the terminal in memory does not know every sequence of a real one
            self._stream.feed(data)

    def wait_for(self, *words: str, gone: Sequence[str] = (), deadline_s: float = DEADLINE_S) -> str:
        """Wait until all `words` are on the screen and none of `gone`; returns the screen."""

        def there() -> bool:
            self.read(LOOK_S)
            text = self.text()
            return all(word in text for word in words) and not any(word in text for word in gone)

        until(there, lambda: f"{words} (without {tuple(gone)}) on the screen:\n{self.text()}", deadline_s)
        return self.text()

    def send(self, data: bytes | str) -> None:
        """Type bytes."""
        os.write(self.master, data.encode() if isinstance(data, str) else data)

    def resize(self, width: int, height: int) -> None:
        """Change the size of the terminal."""
        self.set_size(width, height)
        self._screen.resize(height, width)

    def set_size(self, width: int, height: int) -> None:
        """Tell the program of another size, but keep what is drawn here as it is."""
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def hang_up(self) -> None:
        """Close the terminal, as a lost connection does."""
        if self.master >= 0:
            os.close(self.master)
            self.master = -1

    def poll(self) -> int | None:
        """Exit code of the program, 128 + n after signal n; None while it runs."""
        if self._status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid == 0:
                return None
            self._status = status
        return exit_code(self._status)

    def end(self, deadline_s: float = DEADLINE_S) -> int:
        """Read on until the program has ended; its exit code."""

        def ended() -> bool:
            self.read(LOOK_S)
            return self.poll() is not None

        until(ended, lambda: f"still running:\n{self.text()}", deadline_s)
        while self.master >= 0 and select.select([self.master], [], [], 0)[0] and self.read():
            pass
        code = self.poll()
        assert code is not None
        return code


def exit_code(status: int) -> int:
    """A wait status as a shell tells it."""
    return 128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


def cpu_s(pid: int) -> float:
    """CPU time of a process so far, seconds; 0 when it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def ended_after(pid: int) -> Iterator[None]:
    """Kill a process that a test started at the end of the block, if it is still there."""
    try:
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def children(pid: int) -> list[int]:
    """The children of a process."""
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []
