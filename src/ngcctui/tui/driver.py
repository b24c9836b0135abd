"""Our terminal driver: textual's, but for what hostile or broken terminals do to it.

Everything that depends on the inside of textual's driver is here.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import re
import selectors
import signal
import struct
import termios
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events
from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver

from ngcctui.tui.sieve import PATIENCE, Sieve, Typed

if TYPE_CHECKING:
    from textual.app import App

#: What textual sends to every terminal and an old one may print: keyboard protocol, focus, the shape of the pointer.
_PRIVATE = re.compile(r"\x1b\][^\x07]*\x07|\x1b\[<u|\x1b\[\?1004[hl]")
#: After input the parser is asked a few times, so many seconds apart, whether what is begun has become a key (a lone
#: escape).  Then nothing wakes the thread but more input.
_TICK_S = 0.1
_TICKS = PATIENCE + 2
_CHUNK = 4096


class TerminalDriver(LinuxDriver):
    """Reads what a terminal may send, ends on one that is gone, and stops and goes on only from the event loop."""

    #: A terminal that knows no private sequences of xterm is asked for none.
    basic: ClassVar[bool] = False
    #: The terminal's title is ours while the view is on.
    titled: ClassVar[bool] = False
    #: Told when the terminal is gone; reading ends with it.
    lost: ClassVar[Callable[[], None]] = staticmethod(lambda: None)

    @classmethod
    def made_for(cls, basic: bool, titled: bool, lost: Callable[[], None]) -> type[TerminalDriver]:
        """The driver for one terminal; textual makes the instance itself, so what it needs to know is in the class."""
        return type(cls.__name__, (cls,), {"basic": basic, "titled": titled, "lost": staticmethod(lost)})

    def __init__(self, app: App[Any], **options: Any) -> None:
        super().__init__(app, **options)
        self._stopped = False
        self._hooked = False
        self._title = ""
        self._size_asked = False
        self._ending, self._end = -1, -1

    def start_application_mode(self) -> None:
        self._ending, self._end = os.pipe2(os.O_CLOEXEC)
        super().start_application_mode()  # type: ignore[no-untyped-call]
        if self.titled:
            self.write("\x1b[22;2t")  # the title that is there now is put on the terminal's stack
        self._title = ""
        if not self._hooked:
            # In place of textual's own handlers: one that writes to the terminal while the interrupted code does too
            # waits for a lock that it holds itself.
            self._hooked = True
            loop = asyncio.get_running_loop()
            loop.add_signal_handler(signal.SIGTSTP, self._stop)
            loop.add_signal_handler(signal.SIGCONT, self._go_on)
        self.ask_size()

    def write(self, data: str) -> None:
        super().write(_PRIVATE.sub("", data) if self.basic else data)

    def stop_application_mode(self) -> None:
        if self.titled:
            self.write("\x1b[23;2t")
        super().stop_application_mode()

    def disable_input(self) -> None:
        if self._end >= 0:
            os.close(self._end)  # wakes the thread that reads; it then waits for the word that it must end
            super().disable_input()
            os.close(self._ending)
            self._end = -1

    def tell_title(self, text: str) -> None:
        """Set the terminal's title to `text`, which holds no control characters."""
        if self.titled and text != self._title:
            self._title = text
            self.write(f"\x1b]2;{text}\x07")

    def ask_size(self) -> None:
        """Ask the terminal itself for its size, where the kernel does not know it: nobody tells it on a serial line."""
        if not self._size_known():
            self._size_asked = True
            self.write("\x1b[18t")

    def _size_known(self) -> bool:
        """A pseudo-terminal always knows its size, once it has one."""
        try:
            rows, columns = struct.unpack("HHHH", fcntl.ioctl(self.fileno, termios.TIOCGWINSZ, bytes(8)))[:2]
            return bool(rows and columns) and os.ttyname(self.fileno).startswith("/dev/pts/")
        except OSError:
            return True

    def _set_size(self, rows: int, columns: int) -> None:
        """Note the size that the terminal told; when it is another one the kernel sends SIGWINCH."""
        if self._size_asked:
            self._size_asked = False
            with contextlib.suppress(OSError):
                fcntl.ioctl(self.fileno, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def _stop(self) -> None:
        self.suspend_application_mode()
        self._stopped = True
        self._must_signal_resume = True
        os.kill(os.getpid(), signal.SIGSTOP)

    def _go_on(self) -> None:
        if (
            not self._stopped
        ):  # it was stopped by a SIGSTOP that nobody could answer: threads and modes are still on
            self.suspend_application_mode()
            self._must_signal_resume = True
        self._stopped = False
        self.resume_application_mode()

    def _query_in_band_window_resize(self) -> None:
        """Never: SIGWINCH tells of a new size, and what a terminal claims in the stream cannot be trusted more."""

    def _request_terminal_sync_mode_support(self) -> None:
        if not self.basic:
            super()._request_terminal_sync_mode_support()

    def _enable_bracketed_paste(self) -> None:
        if not self.basic:
            super()._enable_bracketed_paste()

    def run_input_thread(self) -> None:
        """Read until the end is asked for or the terminal is gone; no input can end it otherwise."""
        sieve = Sieve(mouse=self._mouse)
        parser = XTermParser(self._debug)
        ticks = 0
        with selectors.SelectSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            selector.register(self._ending, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                ready = selector.select(_TICK_S if ticks < _TICKS else None)
                if any(key.fd == self._ending for key, _ in ready):
                    self.exit_event.wait()
                elif ready:
                    ticks = 0
                    data = self._read()
                    if not data:
                        type(self).lost()
                        return
                    parser = self._take(parser, self._sifted(sieve.feed(data)))
                else:
                    ticks += 1
                    parser = self._take(parser, sieve.tick())

    def _sifted(self, typed: Typed) -> str:
        """Hand on what is no key, and return what is."""
        if typed.pasted:
            self.process_message(events.Paste(typed.pasted))
        if typed.size:
            self._set_size(*typed.size)
        return typed.keys

    def _read(self) -> bytes:
        """What was typed; empty when the terminal is gone."""
        try:
            return os.read(self.fileno, _CHUNK)
        except OSError:
            return b""

    def _take(self, parser: XTermParser, text: str) -> XTermParser:
        """Hand on what `text` means; a parser that it has upset is replaced."""
        try:
            for event in parser.feed(text) if text else ():
                self.process_message(event)
            for event in parser.tick():
                self.process_message(event)
        except Exception:  # noqa: BLE001 -- what upset it came from the terminal, and nothing from there ends the view
            return XTermParser(self._debug)
        return parser
