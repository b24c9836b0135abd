"""Nothing leaves the machine that was not asked for: no absolute path, no user's and no host's name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ngcctui.report.validate.finding import Finding

#: Where every Linux keeps the same things: such paths tell nothing about a machine or its owner.
_SYSTEM = frozenset({b"bin", b"boot", b"dev", b"etc", b"lib", b"lib64", b"proc", b"sbin", b"sys", b"usr"})
#: Where people keep things; in a binary only these count, because code bytes can look like any path.
_OWN = frozenset(
    {b"home", b"root", b"tmp", b"Users", b"var", b"opt", b"srv", b"mnt", b"media", b"run", b"data", b"work"}
)
_PATH = re.compile(
    rb"/([A-Za-z0-9_.+@-]+)(?:/[A-Za-z0-9_.+@%=-]+)+/?|/(home|root|tmp|Users|var|opt|srv|mnt|media|data|work)\b"
)
#: What stands before the slash when it begins no path: part of a word, of a relative path, of a URL, of a variable.
_INSIDE = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-/:~%)]}$@*")
#: Stands before a path as well, in lists of them.
_COLON = ord(":")
#: Every byte as one of three: a slash, inside a word, between words (and the colon, which can be either).
_KINDS = bytes(0x2F if byte == 0x2F else 0x61 if byte in _INSIDE - {_COLON} else 0x20 for byte in range(256))
#: Names that thousands of machines have, or that are words of our own files; shorter ones cannot be told from other words.
_COMMON = frozenset(
    [
        "root",
        "localhost",
        "localdomain",
        "user",
        "admin",
        "nobody",
        "debian",
        "ubuntu",
        "fedora",
        "linux",
        "host",
        "build",
        "builder",
        "runner",
        "test",
        "bench",
        "benchmark",
        "data",
        "system",
        "machine",
    ]
)
_SHORTEST = 3
_TODO = "take it out, or allow it with `--allow TEXT` when it may be seen"


@dataclass(frozen=True)
class Private:
    """What may not be seen: names of this machine and its user; `allowed` are texts that may be seen all the same."""

    names: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()


class Scanner:
    """Looks through the files that publishing copies, while they are in memory."""

    def __init__(self, private: Private) -> None:
        self._allowed = private.allowed
        self._names = [
            name
            for name in dict.fromkeys(private.names)
            if len(name) >= _SHORTEST and name.casefold() not in _COMMON and name not in private.allowed
        ]
        self._words = [(name.encode(), _word(name)) for name in self._names]
        self.findings: list[Finding] = []

    def allow(self, *names: str) -> None:
        """Let names be seen that the operator gave to the run."""
        self._names = [name for name in self._names if name not in names]
        self._words = [(name.encode(), _word(name)) for name in self._names]

    def look(self, file: str, data: bytes) -> None:
        """Take the file with this relative path and content; a library (`.so`) is looked through as a binary."""
        binary = file.endswith(".so")
        found = list(absolute_paths(data, binary=binary))
        if not binary:
            for name, word in self._words:
                if name in data and word.search(data):  # the plain search is the quick one
                    found.append(f"the name {name.decode('utf-8', 'replace')}")
        told = [text for text in dict.fromkeys(found) if not any(part in text for part in self._allowed)]
        if told:
            more = f" and {len(told) - 1} more" if len(told) > 1 else ""
            self.findings.append(Finding(file, f"tells {told[0]}{more}", _TODO))


def _word(name: str) -> re.Pattern[bytes]:
    return re.compile(rb"(?<![0-9A-Za-z_.-])" + re.escape(name.encode()) + rb"(?![0-9A-Za-z_])")


def absolute_paths(data: bytes, *, binary: bool = False) -> Iterator[str]:
    """Absolute paths in a file, except those below the directories that every Linux has."""
    # Nearly no file has a slash that begins a word; that is seen sooner than the pattern finds nothing.
    if b" /a" not in b" " + data.translate(_KINDS):
        return
    for match in _PATH.finditer(data):
        before = data[match.start() - 1] if match.start() else 0x20
        top = match[1] or match[2]
        inside = before in _INSIDE and not (before == _COLON and top in _OWN)
        if inside or top in _SYSTEM or (binary and top not in _OWN):
            continue
        yield f"the path {match[0].decode('utf-8', 'replace')}"
