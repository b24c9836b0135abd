"""A viewer on a pseudo-terminal, and what it costs: CPU time, bytes to the terminal, memory, time to the first picture."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from benchmarks.common import ROOT

sys.path.insert(0, str(ROOT / "tests"))  # the played run is the tests' one

#: The worst case of a modern terminal: 24-bit colours are the longest sequences.
TERMINAL = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8"}


class Viewer:
    """A program on a terminal of 80x24 cells; a thread takes what it draws."""

    def __init__(
        self,
        argv: Sequence[str],
        environ: Mapping[str, str],
        first: str,
        size: tuple[int, int] = (80, 24),
        cpu: int = -1,
    ) -> None:
        """Start `argv`; `first` is a text of the first picture, `cpu` the core to stay on (-1: any)."""
        self.bytes = 0
        self.first_s: float | None = None
        self.first_cpu_s = 0.0
        self._wanted = first.encode()
        self._seen = b""
        self._lock = threading.Lock()
        self._began = time.monotonic()
        self.pid, self._master = pty.fork()
        if self.pid == 0:
            if cpu >= 0:
                os.sched_setaffinity(0, {cpu})
            os.execvpe(argv[0], list(argv), dict(environ))
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        while True:
            try:
                data = os.read(self._master, 65536)
            except OSError:
                return
            self.bytes += len(data)
            with self._lock:
                self._seen += data
            if self.first_s is None and self._wanted in self._text():
                self.first_s, self.first_cpu_s = time.monotonic() - self._began, self.cpu_s()

    def _text(self) -> bytes:
        """What has been drawn since the last mark, without its sequences."""
        with self._lock:
            return re.sub(rb"\x1b\[[0-9;?]*[a-zA-Z]", b"", self._seen)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self._master)

    def wait_for_first(self, deadline_s: float = 30.0) -> float:
        """Seconds from the start to the first picture; SystemExit when it does not come."""
        while self.first_s is None:
            if time.monotonic() - self._began > deadline_s:
                sys.exit(f"the viewer has drawn nothing like {self._wanted!r}:\n{self._seen[-2000:]!r}")
            select.select([], [], [], 0.005)
        return self.first_s

    def cpu_s(self) -> float:
        """CPU time of all its threads so far."""
        return time.clock_gettime((~self.pid << 3) | 2)  # the kernel's number for the CPU clock of a process

    def rss_mb(self) -> float:
        """Resident memory now, in 10^6 bytes."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    def press(self, keys: str) -> None:
        """Type keys."""
        os.write(self._master, keys.encode())

    def answer_s(self, keys: str, text: str, deadline_s: float = 10.0) -> float:
        """Seconds from typing `keys` until `text` is drawn; SystemExit when it is not."""
        with self._lock:
            self._seen = b""
        began = time.monotonic()
        self.press(keys)
        while text.encode() not in self._text():
            if time.monotonic() - began > deadline_s:
                sys.exit(f"{keys!r} has not drawn {text!r}:\n{self._text()[-2000:]!r}")
            time.sleep(0.001)
        return time.monotonic() - began


def attach_argv(run: Path, *options: str) -> list[str]:
    """The command that attaches a viewer to a run."""
    return [sys.executable, "-P", "-m", "ngcctui", "attach", str(run), *options]


def viewer_environ(home: Path, **more: str) -> dict[str, str]:
    """An environment of nothing but what a viewer needs, with a state directory of its own."""
    own = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "PYTHONPATH": str(ROOT / "src"),
        "NGCCTUI_RUNS": str(home),
    }
    return own | TERMINAL | more
