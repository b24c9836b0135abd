"""The build cache: finished builds by the digest of everything that went into them.

An entry is a directory that appears whole, by a rename; its `result.json` holds the digest of each file.  A damaged
entry is built again, and two builders of the same entry do not disturb each other: the second finds the first's.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ngcctui.engine.store import sha256_file, storage_error
from ngcctui.model.errors import ConfigError, StorageError

#: Bump when the same inputs give another result.
_FORMAT = 1

#: A scheme's directory holds its sources; more than this (bytes) is no set of sources.
MAX_SOURCE_BYTES = 256 << 20

_STALE_S = 86400.0
_RESULT = "result.json"


def cache_dir(environ: Mapping[str, str]) -> Path:
    """`$XDG_CACHE_HOME/ngcctui/build`, by default below ~/.cache; relative values do not count."""
    base = environ.get("XDG_CACHE_HOME", "")
    if not base.startswith("/"):
        base = os.path.join(environ.get("HOME", "") or os.path.expanduser("~"), ".cache")
    return Path(base) / "ngcctui" / "build"


def tree_digest(directory: Path, leave_out: frozenset[str] = frozenset()) -> str:
    """SHA-256 over names and contents of all files below `directory`.

    Hidden files and directories and the names in `leave_out` (at the top) do not count.  ConfigError above
    MAX_SOURCE_BYTES.
    """
    digest = hashlib.sha256()
    total = 0
    for path in sorted(_files(directory, leave_out)):
        digest.update(f"{path.relative_to(directory)}\0".encode("utf-8", "surrogateescape"))
        content = _content_digest(path)
        total += content[1]
        if total > MAX_SOURCE_BYTES:
            raise ConfigError(f"{directory}: more than {MAX_SOURCE_BYTES >> 20} MiB; keep only sources in it")
        digest.update(content[0])
    return digest.hexdigest()


def _files(directory: Path, leave_out: frozenset[str]) -> Iterator[Path]:
    seen: set[str] = set()
    for root, names, files in os.walk(directory, followlinks=True):
        real = os.path.realpath(root)
        if real in seen:  # a link back up
            names.clear()
            continue
        seen.add(real)
        names[:] = [name for name in names if not name.startswith(".")]
        at_top = root == str(directory)
        for name in files:
            if not name.startswith(".") and not (at_top and name in leave_out):
                yield Path(root, name)


def _content_digest(path: Path) -> tuple[bytes, int]:
    """Digest and size of a file; a device, a pipe or what cannot be read has none, and fails in the compiler."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return b"no file", 0
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").digest(), path.stat().st_size
    except OSError:
        return b"unreadable", 0


def key_of(inputs: Mapping[str, Any]) -> str:
    """The name of the entry that `inputs` (plain JSON data) lead to."""
    text = json.dumps({"format": _FORMAT, **inputs}, sort_keys=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


@dataclass(frozen=True)
class Entry:
    """A finished build: its files by name, their digests, and what the builder noted."""

    directory: Path
    digests: dict[str, str]
    notes: dict[str, Any]

    def file(self, name: str) -> Path:
        """Path of a file of the entry."""
        return self.directory / name


class Cache:
    """Finished builds below `directory`, which is made when it is missing."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def get(self, key: str) -> Entry | None:
        """The entry `key`, None when it is missing or one of its files is not what it was."""
        directory = self._place(key)
        try:
            result = json.loads((directory / _RESULT).read_bytes())
            digests, notes = dict(result["digests"]), dict(result["notes"])
            whole = all(sha256_file(directory / name) == digest for name, digest in digests.items())
        except (OSError, StorageError, ValueError, KeyError, TypeError, AttributeError):
            return None
        return Entry(directory, digests, notes) if whole else None

    def put(self, key: str, built: Path, notes: Mapping[str, Any]) -> Entry:
        """Make the files in the directory `built` the entry `key`; an intact one that is there already stays."""
        place = self._place(key)
        with storage_errors(place):
            digests = {path.name: sha256_file(path) for path in sorted(built.iterdir())}
            (built / _RESULT).write_text(json.dumps({"digests": digests, "notes": dict(notes)}), "ascii")
            place.parent.mkdir(parents=True, exist_ok=True)
            for _ in range(3):
                with contextlib.suppress(OSError):
                    os.rename(built, place)
                found = self.get(key)
                if found is not None:
                    return found
                with contextlib.suppress(FileNotFoundError), self.workplace() as trash:
                    os.rename(place, trash / "damaged")
        raise StorageError(f"{place}: the build cannot be stored; remove this directory")

    @contextlib.contextmanager
    def workplace(self) -> Iterator[Path]:
        """A fresh directory on the cache's file system; gone afterwards."""
        work = self._directory / "work"
        with storage_errors(work):
            work.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._remove_stale(work)
            directory = Path(tempfile.mkdtemp(dir=work))
        try:
            yield directory
        finally:
            shutil.rmtree(directory, ignore_errors=True)

    def check_space(self) -> None:
        """StorageError when the file system is full: a build that failed then says nothing about its sources."""
        with storage_errors(self._directory):
            if shutil.disk_usage(self._directory).free < 1 << 20:
                raise StorageError(f"{self._directory}: no space left for builds")

    @staticmethod
    def _remove_stale(work: Path) -> None:
        """Remove what builders left that were killed: no build takes a day."""
        for path in work.iterdir():
            with contextlib.suppress(OSError):
                if time.time() - path.stat().st_mtime > _STALE_S:
                    shutil.rmtree(path, ignore_errors=True)

    def _place(self, key: str) -> Path:
        return self._directory / key[:2] / key


def machine_identity(flags: Iterable[str], cpuinfo: Path = Path("/proc/cpuinfo")) -> str:
    """What tells this CPU from others, when one of the compiler `flags` asks for code for just this one."""
    if not any(flag.endswith("=native") for flag in flags):
        return ""
    wanted = ("model name", "flags", "Features", "CPU implementer", "CPU part")
    lines = cpuinfo.read_text("utf-8", "replace").splitlines() if cpuinfo.exists() else []
    return "\n".join(sorted({line for line in lines if line.startswith(wanted)}))


@contextlib.contextmanager
def storage_errors(path: Path) -> Iterator[None]:
    """Turn an OSError into a StorageError that names `path`."""
    try:
        yield
    except OSError as error:
        raise storage_error("written", path, error) from None
