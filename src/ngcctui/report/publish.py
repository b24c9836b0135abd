"""Publish a run: copy what its pages cite into a dataset, check the copy, and put it in the place of the old one.

The new dataset is written beside the old one and takes its place in one step, so that there is a whole one at every
moment; whatever goes wrong before that leaves the old one as it was.
"""

from __future__ import annotations

import ctypes
import errno
import os
import secrets
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from ngcctui import __version__
from ngcctui.engine.rundir import RunDir
from ngcctui.engine.store import Storage, make_directories, sha256_bytes, storage_error
from ngcctui.model.errors import ConfigError, NgccError, StorageError
from ngcctui.model.event import Event
from ngcctui.model.step import Kind
from ngcctui.report.dataset import HEAD, SUMS, Dataset, head_toml, is_dataset, open_dataset, sums_text
from ngcctui.report.source import Unreadable, read_regular
from ngcctui.report.systems import System
from ngcctui.report.validate import Finding, Private, examine, validate
from ngcctui.report.validate.evidence import Evidence
from ngcctui.report.validate.steps import expected_files
from ngcctui.report.validate.sums import figures

#: What an engine says of itself that nobody else needs, as it begins or waits for its core: process, boot, its live page.
_PRIVATE_KEYS = frozenset({"pid", "pid_start", "boot_id", "live_page"})
#: Stands for a line of the journal that a crash tore, so that it is still counted.
_TORN = b'{"torn":true}'
#: Samples and libraries are the largest files of a run.
_MAX_BYTES = 1 << 30
_AT_FDCWD = -100
_RENAME_EXCHANGE = 2


class Refused(NgccError):
    """The run, or the copy of it, did not pass validation; nothing was published."""

    def __init__(self, what: str, findings: tuple[Finding, ...]) -> None:
        self.findings = findings
        super().__init__(f"{what}: {len(findings)} findings; nothing was published")


def publish(
    run: RunDir,
    data: Path,
    systems: Mapping[str, System],
    private: Private | None = None,
    storage: Storage | None = None,
    published: Mapping[str, Path] | None = None,
) -> Path:
    """Publish a run as `data`/published/<system>; returns that directory.  The last four are those of `validate`.

    Refused when the run or its copy does not validate, ConfigError when figures of others are in the place,
    StorageError when something cannot be written.  The dataset of another system is never touched.
    """
    storage = storage or Storage()
    private = private or Private()
    found, evidence, pages = examine(run, systems, private, published or {})
    if found.findings:
        raise Refused(run.name, found.findings)
    system = run.campaign().host.system
    target = data / "published" / system
    _recover(target)
    if target.exists() and not is_dataset(target) and any(target.iterdir()):
        raise ConfigError(
            f"{target}: holds figures that come from no run; move them away, or run with another --system"
        )
    make_directories(target.parent, storage)
    fresh = target.with_name(f".{system}.{secrets.token_hex(4)}.new")
    try:
        _copy(evidence, pages, fresh, storage)
        copied = validate(open_dataset(fresh), systems, private, published)
        if copied.findings:
            raise Refused(f"the copy of {run.name}", copied.findings)
        _swap(fresh, target, storage)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return target


def _copy(evidence: Evidence, pages: Mapping[str, bytes], target: Path, storage: Storage) -> None:
    """Write the dataset of a run that has passed validation; it is on the disk when the call returns."""
    run = evidence.run
    copy = _Copy(target, storage)
    copy.put("journal.jsonl", public_journal(run.journal.read_bytes()))
    for name in cited_files(evidence):
        try:
            copy.put(name, read_regular(run.inside(name), _MAX_BYTES))
        except Unreadable as error:
            raise StorageError(f"{run.path / name}: {error}; validate the run again") from None
    for name, data in {**pages, **figures(pages)}.items():
        copy.put(name, data)
    sums = sums_text(copy.digests)
    copy.put(SUMS, sums)
    system = run.campaign().host.system
    copy.put(
        HEAD, head_toml(Dataset(system, evidence.state.run, f"ngcctui {__version__}", sha256_bytes(sums)))
    )
    copy.finish()


class _Copy:
    """Writes the files of a directory that nobody sees yet, and forces all of them to the disk at the end."""

    def __init__(self, target: Path, storage: Storage) -> None:
        self._target = target
        self._storage = storage
        self._directories: set[Path] = set()
        self.digests: dict[str, str] = {}

    def put(self, name: str, data: bytes) -> None:
        """Write one file; StorageError when it cannot be."""
        path = self._target / name
        try:
            self._make(path.parent)
            fd = self._storage.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW)
            try:
                self._storage.write_all(fd, data)
            finally:
                self._storage.close(fd)
        except OSError as error:
            raise storage_error("written", path, error) from None
        self.digests[name] = sha256_bytes(data)

    def _make(self, path: Path) -> None:
        """Make a directory and those above it, up to the target's; `finish` forces them to the disk with all the rest."""
        if path not in self._directories:
            if path != self._target:
                self._make(path.parent)
            self._storage.mkdir(path)
            self._directories.add(path)

    def finish(self) -> None:
        """Force everything to the disk: at once where the kernel can, else file by file."""
        if self._forced(self._target, self._storage.fsync_all):
            return
        for path in (*(self._target / name for name in self.digests), *self._directories):
            self._forced(path, self._storage.fsync)

    def _forced(self, path: Path, force: Callable[[int], bool | None]) -> bool | None:
        try:
            fd = self._storage.open(path, os.O_RDONLY)
            try:
                return force(fd)
            finally:
                self._storage.close(fd)
        except OSError as error:
            raise storage_error("written", path, error) from None


def cited_files(evidence: Evidence) -> list[str]:
    """Files of a run that its pages cite, or that are needed to make and check them; without pages and journal."""
    names = {name for name in expected_files(evidence) if not name.startswith("build/")}
    for entry in evidence.state.steps.values():
        library = entry.summary.get("library")
        if entry.step.kind in (Kind.BUILD, Kind.KAT) and isinstance(library, str):
            names.add(library)
    # Left by an earlier attempt, or never made: expected_files names what may be there.
    there = {name for name in names if evidence.run.inside(name).is_file()}
    return ["campaign.toml", *(f"schemes/{key}/scheme.toml" for key in evidence.schemes), *sorted(there)]


def public_journal(data: bytes) -> bytes:
    """The journal as it may be seen: the same events, without what is nobody else's business."""
    lines = []
    for line in data.split(b"\n")[:-1]:
        if not line:
            continue
        event = Event.from_line(line)
        if event is None:
            lines.append(_TORN)
        elif not _PRIVATE_KEYS.isdisjoint(event.data):
            kept = {key: value for key, value in event.data.items() if key not in _PRIVATE_KEYS}
            lines.append(
                Event(event.seq, event.utc, event.mono_ns, event.event, event.step, kept).to_line().rstrip()
            )
        else:
            lines.append(line)
    return b"\n".join(lines) + b"\n"


def _old(target: Path) -> Path:
    """Where the old dataset waits where two directories cannot change places in one step."""
    return target.with_name(f".{target.name}.old")


def _recover(target: Path) -> None:
    """Put back an old dataset that a crash between two renames left aside."""
    old = _old(target)
    if old.is_dir():
        if target.exists():
            shutil.rmtree(old)
        else:
            old.rename(target)


def _swap(fresh: Path, target: Path, storage: Storage) -> None:
    """Put `fresh` in the place of `target`; the old directory ends up where `fresh` was, or is gone."""
    try:
        if not target.exists():
            storage.rename(fresh, target)
        elif not exchange(fresh, target):
            storage.rename(target, _old(target))
            storage.rename(fresh, target)
            shutil.rmtree(_old(target))
        storage.fsync_directory(target.parent)
    except OSError as error:
        _recover(target)
        raise storage_error("put in place", target, error) from None


def exchange(one: Path, other: Path) -> bool:
    """Let two directories change places in one step (renameat2); False where kernel or file system cannot.

    OSError when they can, but it fails.
    """
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):
        return False
    if rename(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE) == 0:
        return True
    code = ctypes.get_errno()
    if code in (errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP):
        return False
    raise OSError(code, os.strerror(code), str(other))
