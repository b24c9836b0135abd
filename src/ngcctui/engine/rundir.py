"""The directory of a run: what lies where, how one is made, opened and found.

A run is self-contained: it holds the resolved campaign and the sources of every scheme, so that resume and
retry build what the run began with.  What only making or finding a run needs is loaded when it is done: a viewer wants
its paths first.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NoReturn

from ngcctui.engine.store import Storage, make_directories, storage_error, write_atomic
from ngcctui.model.errors import ConfigError
from ngcctui.model.step import Step

if TYPE_CHECKING:
    from ngcctui.model.campaign import Campaign
    from ngcctui.model.scheme import Scheme

#: Most that is copied of one scheme.
MAX_SCHEME_BYTES = 64 << 20
MAX_SCHEME_FILES = 10_000
_STAMP = re.compile(r"(\d{8}T\d{6}Z)-")
#: What a quoted #include beside a source can name.
_INCLUDED = frozenset({".h", ".hh", ".c", ".inc", ".inl", ".def", ".s", ".S", ".tbl"})


class RunDir:
    """Paths of a run; nothing is read or made by asking for one."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def name(self) -> str:
        """The run's name: that of its directory."""
        return self.path.name

    @property
    def campaign_file(self) -> Path:
        """The resolved campaign."""
        return self.path / "campaign.toml"

    @property
    def journal(self) -> Path:
        """The journal."""
        return self.path / "journal.jsonl"

    @property
    def control(self) -> Path:
        """Where requests arrive."""
        return self.path / "control"

    @property
    def engine_log(self) -> Path:
        """What a detached engine prints."""
        return self.path / "logs" / "engine.log"

    def scheme(self, key: str) -> Path:
        """Directory of the scheme's copy."""
        return self.path / "schemes" / key

    def library(self, key: str, instance: str) -> Path:
        """The measured library."""
        return self.path / "build" / key / f"{instance}.so"

    def profile_library(self, key: str, instance: str) -> Path:
        """The same objects linked with the profile wrappers."""
        return self.path / "build" / key / f"{instance}.profile.so"

    def build_log(self, key: str, instance: str) -> Path:
        """Commands and messages of the build."""
        return self.path / "build" / key / f"{instance}.log"

    def kat_log(self, key: str, instance: str) -> Path:
        """Log of the known answer test."""
        return self.path / "kat" / key / f"{instance}.log"

    def record(self, key: str, instance: str, operation: str) -> Path:
        """Record of one operation."""
        return self.path / self.record_name(key, instance, operation)

    def record_name(self, key: str, instance: str, operation: str) -> str:
        """The record as the journal names it."""
        return f"records/{key}/{instance}__{operation}.json"

    def samples(self, key: str, instance: str, operation: str) -> Path:
        """Every timed value of one operation."""
        return self.path / "records" / key / f"{instance}__{operation}.u64.gz"

    def profile(self, key: str, instance: str, operation: str) -> Path:
        """Profile of one operation."""
        return self.path / self.profile_name(key, instance, operation)

    def profile_name(self, key: str, instance: str, operation: str) -> str:
        """The profile as the journal names it."""
        return f"profile/{key}/{instance}__{operation}.json"

    def child_log(self, step: Step) -> Path:
        """What the children of a step printed."""
        tail = f"__{step.operation}" if step.operation else ""
        return self.path / "logs" / step.scheme / f"{step.instance}__{step.kind.value}{tail}.log"

    def report(self, key: str, system: str) -> Path:
        """The Markdown page of a scheme; its TOML twin has the suffix `.toml`."""
        return self.path / "report" / key / f"perf_{system}.md"

    def overall_report(self, name: str, system: str) -> Path:
        """A Markdown page over all schemes (`summary`, `method`); its TOML twin has the suffix `.toml`."""
        return self.path / "report" / f"{name}_{system}.md"

    def relative(self, path: Path) -> str:
        """`path` as the journal names it: relative to the run, with slashes.  ValueError when outside."""
        return path.relative_to(self.path).as_posix()

    def inside(self, relative: str) -> Path:
        """The file that a journal or record names; ValueError when it leads out of the run or is none."""
        if not relative or "\0" in relative or relative[0] == "/" or ".." in relative.split("/"):
            raise ValueError(f"not a path in the run: {relative!r}")
        return self.path / relative

    def campaign(self) -> Campaign:
        """The resolved campaign; ConfigError when the file is damaged."""
        from ngcctui.model.campaign import load_campaign

        return load_campaign(self.campaign_file)

    def schemes(self) -> list[Scheme]:
        """The schemes as copied into the run, by key; ConfigError when a copy is damaged."""
        from ngcctui.model.scheme import load_scheme

        return [load_scheme(entry, entry.name) for entry in _subdirectories(self.path / "schemes")]


def create_run(
    parent: Path,
    campaign: Campaign,
    schemes: Sequence[Scheme],
    now_utc: datetime,
    storage: Storage | None = None,
) -> RunDir:
    """Make the directory `<yyyymmddThhmmssZ>-<campaign>` (`-2`, `-3`, … when taken) below `parent`.

    `now_utc` is an aware time.  campaign.toml is written last: a directory without it is no run.  ConfigError
    when a scheme holds what cannot be copied (symbolic links, special files, more than 64 MiB), StorageError
    when the directory cannot be written; nothing is left behind then.
    """
    storage = storage or Storage()
    inputs = {scheme.key: _Inputs(scheme).files for scheme in schemes}
    if len(inputs) != len(schemes):
        raise ConfigError("a scheme was selected twice")
    for scheme in schemes:
        _check_names(scheme)
    make_directories(parent, storage)
    run = _new_directory(parent, f"{now_utc.astimezone(UTC):%Y%m%dT%H%M%SZ}-{campaign.name}", storage)
    try:
        for scheme in schemes:
            _copy(scheme, inputs[scheme.key], run.scheme(scheme.key), storage)
        for name in ("control", "build", "kat", "records", "profile", "logs", "report"):
            make_directories(run.path / name, storage)
        import tomli_w

        from ngcctui.model.campaign import campaign_toml

        text = tomli_w.dumps(campaign_toml(campaign))
        write_atomic(run.campaign_file, text.encode("utf-8"), storage)
    except BaseException:
        shutil.rmtree(run.path, ignore_errors=True)
        raise
    return run


def _new_directory(parent: Path, name: str, storage: Storage) -> RunDir:
    for number in range(1, 10_000):
        path = parent / (name if number == 1 else f"{name}-{number}")
        try:
            storage.mkdir(path)
            return RunDir(path)
        except FileExistsError:
            continue
        except OSError as error:
            raise storage_error("made", path, error) from None
    raise ConfigError(f"{parent}: thousands of runs are called {name}")


def _check_names(scheme: Scheme) -> None:
    names = {instance.name for instance in scheme.file.instance}
    for name in names:
        if f"{name}.profile" in names:
            raise ConfigError(
                f"{scheme.directory}/scheme.toml: instances {name} and {name}.profile would share a file"
            )


class _Inputs:
    """Relative path and size of every file that a build or a KAT of a scheme can read."""

    def __init__(self, scheme: Scheme) -> None:
        self._root = scheme.directory
        self._bytes = 0
        self._seen = 0
        self.files: dict[PurePosixPath, int] = {}
        sources = [PurePosixPath(s) for i in scheme.file.instance for s in scheme.sources(i)]
        records = [PurePosixPath(i.kat.records) for i in scheme.file.instance if i.kat.records]
        for name in [PurePosixPath("scheme.toml"), *sources, *records]:
            self._take_file(name)
        for directory in sorted({PurePosixPath(d) for d in scheme.file.build.include_dirs}):
            self._take_directory(directory, None)
        for directory in sorted({source.parent for source in sources}):
            self._take_directory(directory, _INCLUDED)

    def _take_file(self, name: PurePosixPath) -> None:
        if name in self.files:
            return
        for part in [*reversed(name.parents), name]:
            status = self._status(part)
            if part != PurePosixPath(".") and stat.S_ISLNK(status.st_mode):
                raise ConfigError(f"{self._root / part}: is a symbolic link; put the file itself there")
        if not stat.S_ISREG(status.st_mode):
            raise ConfigError(f"{self._root / name}: is no regular file")
        self.files[name] = status.st_size
        self._bytes += status.st_size
        if self._bytes > MAX_SCHEME_BYTES:
            self._refuse(f"more than {MAX_SCHEME_BYTES >> 20} MiB")

    def _take_directory(self, name: PurePosixPath, suffixes: frozenset[str] | None) -> None:
        """Take the files below a directory, all or those with one of `suffixes`; none with a leading dot."""
        waiting = [name]
        while waiting:
            directory = waiting.pop()
            for entry in self._list(directory):
                path = directory / entry
                place = self._root / path
                if place.is_dir() and not place.is_symlink():
                    waiting.append(path)
                elif suffixes is None or path.suffix in suffixes:
                    self._take_file(path)

    def _list(self, directory: PurePosixPath) -> list[str]:
        try:
            names = [name for name in os.listdir(self._root / directory) if not name.startswith(".")]
        except OSError as error:
            raise ConfigError(f"{self._root / directory}: cannot be read: {error.strerror}") from None
        self._seen += len(names)
        if self._seen > MAX_SCHEME_FILES:
            self._refuse(f"more than {MAX_SCHEME_FILES} files")
        return sorted(names)

    def _status(self, name: PurePosixPath) -> os.stat_result:
        try:
            return (self._root / name).lstat()
        except OSError as error:
            raise ConfigError(f"{self._root / name}: cannot be read: {error.strerror}") from None

    def _refuse(self, what: str) -> NoReturn:
        raise ConfigError(
            f"{self._root}: {what} beside the sources; keep sources and headers in a directory of their own"
        )


def _copy(scheme: Scheme, names: Mapping[PurePosixPath, int], target: Path, storage: Storage) -> None:
    for name, size in names.items():
        source = scheme.directory / name
        try:
            fd = os.open(source, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
            with open(fd, "rb") as file:
                data = file.read(size + 1)
        except OSError as error:
            raise ConfigError(f"{source}: cannot be read: {error.strerror}") from None
        if len(data) != size:
            raise ConfigError(f"{source}: changed while it was copied; start again")
        write_atomic(target / name, data, storage)


def open_run(path: Path) -> RunDir:
    """The run in directory `path`; ConfigError when it is none."""
    if not (path / "campaign.toml").is_file():
        why = "no campaign.toml in it" if path.is_dir() else "no such directory"
        raise ConfigError(f"{path}: is no run ({why})")
    return RunDir(path)


def list_runs(root: Path) -> list[RunDir]:
    """The runs below `root`, newest first; empty when there is no such directory."""
    runs = [RunDir(entry) for entry in _subdirectories(root) if (entry / "campaign.toml").is_file()]
    return sorted(runs, key=_newness, reverse=True)


def _newness(run: RunDir) -> tuple[str, int, str]:
    stamp = _STAMP.match(run.name)
    try:
        made = run.campaign_file.stat().st_mtime_ns
    except OSError:
        made = 0
    return (stamp[1] if stamp else "", made, run.name)


def _subdirectories(path: Path) -> Iterable[Path]:
    try:
        return sorted(entry for entry in path.iterdir() if entry.is_dir())
    except OSError:
        return []


def find_run(root: Path, name: str | None) -> RunDir:
    """The run called `name` below `root`, the one at path `name`, or without a name the newest.

    ConfigError, with the nearest names, when there is none.
    """
    runs = list_runs(root)
    if name is None:
        if not runs:
            raise ConfigError(f"{root}: no runs there yet; start one with `ngcctui run CAMPAIGN`")
        return runs[0]
    if "/" in name or name in (".", ".."):
        return open_run(Path(name))
    for run in runs:
        if run.name == name:
            return run
    if (Path(name) / "campaign.toml").is_file():
        return RunDir(Path(name))
    import difflib

    near = difflib.get_close_matches(name, [run.name for run in runs], n=3, cutoff=0.4)
    hint = f"did you mean {' or '.join(near)}?" if near else f"{len(runs)} other runs are there"
    raise ConfigError(f"{root}: no run called {name!r}; {hint}")


def runs_root(option: str | Path | None, environ: Mapping[str, str]) -> Path:
    """Where runs are kept: `--runs`, $NGCCTUI_RUNS, or ngcctui/runs in $XDG_STATE_HOME or ~/.local/state."""
    if option:
        return Path(option)
    if environ.get("NGCCTUI_RUNS"):
        return Path(environ["NGCCTUI_RUNS"])
    state = environ.get("XDG_STATE_HOME", "")
    if os.path.isabs(state):  # the XDG rules: a relative path is to be ignored
        return Path(state) / "ngcctui" / "runs"
    home = environ.get("HOME", "")
    if not os.path.isabs(home):
        raise ConfigError("no place for runs: give --runs DIR or set NGCCTUI_RUNS (HOME is not set)")
    return Path(home) / ".local" / "state" / "ngcctui" / "runs"
