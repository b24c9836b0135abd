"""The directory of a run: made whole or not at all, self-contained, found by name."""

from __future__ import annotations

import errno
import os
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from ngcctui.engine import rundir
from ngcctui.engine.rundir import RunDir, create_run, find_run, list_runs, open_run, runs_root
from ngcctui.engine.store import Storage
from ngcctui.model.campaign import Campaign, Inputs, Planning
from ngcctui.model.errors import ConfigError, StorageError
from ngcctui.model.scheme import Scheme, load_scheme
from ngcctui.model.step import Step

NOW = datetime(2026, 11, 30, 17, 30, 5, tzinfo=timezone(timedelta(hours=2)))
TOML = """
id = "toy"
algorithm = "Toy"
category = "lattice"
function = "signature"
[build]
sources = ["src/toy.c"]
include_dirs = ["include"]
[[instance]]
name = "Toy-1"
sources = ["src/one/one.c"]
kat = { records = "kat/records.toml" }
[[instance]]
name = "Toy-2"
"""
TAKEN = {
    "scheme.toml",
    "src/toy.c",
    "src/params.h",
    "src/one/one.c",
    "src/one/table.inc",
    "include/toy.h",
    "include/deep/tables.bin",
    "kat/records.toml",
}
LEFT = {"README.md", "src/notes.txt", "kat/KAT_SIG_Toy-1.txt", "include/.hidden.h", "build/old.so"}


def write(root: Path, name: str, text: str = "x") -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.fixture
def toy(tmp_path: Path) -> Scheme:
    root = tmp_path / "origin" / "toy@reference"
    for name in TAKEN | LEFT:
        write(root, name)
    write(root, "scheme.toml", TOML)
    return load_scheme(root)


def files(root: Path) -> set[str]:
    return {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}


def make(tmp_path: Path, *schemes: Scheme, name: str = "quick", storage: Storage | None = None) -> RunDir:
    return create_run(tmp_path / "runs", Campaign(name), schemes, NOW, storage)


def test_a_run_is_named_in_utc_and_self_contained(tmp_path: Path, toy: Scheme) -> None:
    campaign = Campaign("quick", inputs=Inputs.FIXED, planning=Planning(trials=3, budget_s=12.5))
    run = create_run(tmp_path / "deep" / "runs", campaign, [toy], NOW)
    assert run.name == "20261130T153005Z-quick"
    assert files(run.scheme("toy@reference")) == TAKEN
    assert run.campaign() == campaign
    (copy,) = run.schemes()
    assert (copy.key, copy.file, copy.directory) == (toy.key, toy.file, run.scheme(toy.key))
    assert run.control.is_dir() and open_run(run.path).path == run.path
    assert not any(name.startswith(".") for name in files(run.path))


def test_taken_names_get_a_number(tmp_path: Path, toy: Scheme) -> None:
    names = [make(tmp_path, toy).name for _ in range(3)]
    assert names == [f"20261130T153005Z-quick{tail}" for tail in ("", "-2", "-3")]
    assert [run.name for run in list_runs(tmp_path / "runs")] == names[::-1]


def test_paths_have_their_agreed_names() -> None:
    run = RunDir(Path("/r/x"))
    key, name = "toy@reference", "Toy-1.5"
    assert run.relative(run.library(key, name)) == "build/toy@reference/Toy-1.5.so"
    assert run.relative(run.profile_library(key, name)) == "build/toy@reference/Toy-1.5.profile.so"
    assert run.relative(run.build_log(key, name)) == "build/toy@reference/Toy-1.5.log"
    assert run.relative(run.kat_log(key, name)) == "kat/toy@reference/Toy-1.5.log"
    assert run.relative(run.record(key, name, "sign")) == "records/toy@reference/Toy-1.5__sign.json"
    assert run.relative(run.samples(key, name, "sign")) == "records/toy@reference/Toy-1.5__sign.u64.gz"
    assert run.relative(run.profile(key, name, "sign")) == "profile/toy@reference/Toy-1.5__sign.json"
    assert run.relative(run.report(key, "x86_1")) == "report/toy@reference/perf_x86_1.md"
    assert run.relative(run.journal) == "journal.jsonl" and run.relative(run.engine_log) == "logs/engine.log"
    step = Step.parse("measure:toy@reference/Toy-1.5/sign")
    assert run.relative(run.child_log(step)) == "logs/toy@reference/Toy-1.5__measure__sign.log"
    assert run.relative(run.child_log(Step.parse("kat:toy@reference/T"))) == "logs/toy@reference/T__kat.log"
    with pytest.raises(ValueError):
        run.relative(Path("/elsewhere"))


def test_names_in_a_journal_cannot_lead_out_of_the_run(tmp_path: Path) -> None:
    run = RunDir(tmp_path)
    assert run.inside("records/a/b.json") == tmp_path / "records" / "a" / "b.json"
    for name in ("", "/etc/passwd", "../x", "records/../../x", "a\0b"):
        with pytest.raises(ValueError):
            run.inside(name)


@pytest.mark.parametrize(
    "place", ["src/toy.c", "src/params.h", "include/toy.h", "include/deep", "kat/records.toml", "src"]
)
def test_symbolic_links_are_refused_and_nothing_is_made(tmp_path: Path, toy: Scheme, place: str) -> None:
    path = toy.directory / place
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ConfigError, match=f"{place}: is a symbolic link"):
        make(tmp_path, toy)
    assert not (tmp_path / "runs").exists()


def test_a_scheme_behind_a_link_of_the_operators_is_taken(tmp_path: Path, toy: Scheme) -> None:
    (tmp_path / "toy@reference").symlink_to(toy.directory)
    run = make(tmp_path, load_scheme(tmp_path / "toy@reference"))
    assert files(run.scheme("toy@reference")) == TAKEN


def test_special_files_are_refused_without_hanging(tmp_path: Path, toy: Scheme) -> None:
    os.mkfifo(toy.directory / "include" / "pipe")
    with pytest.raises(ConfigError, match="no regular file"):
        make(tmp_path, toy)


def test_the_size_is_bounded(tmp_path: Path, toy: Scheme, monkeypatch: pytest.MonkeyPatch) -> None:
    os.truncate(toy.directory / "include" / "toy.h", 65 << 20)
    with pytest.raises(ConfigError, match="more than 64 MiB"):
        make(tmp_path, toy)
    os.truncate(toy.directory / "include" / "toy.h", 1)
    monkeypatch.setattr(rundir, "MAX_SCHEME_FILES", 3)
    with pytest.raises(ConfigError, match="more than 3 files"):
        make(tmp_path, toy)


def test_names_that_would_share_a_file_are_refused(tmp_path: Path, toy: Scheme) -> None:
    write(toy.directory, "scheme.toml", TOML + '[[instance]]\nname = "Toy-2.profile"\n')
    with pytest.raises(ConfigError, match="share a file"):
        make(tmp_path, load_scheme(toy.directory))
    with pytest.raises(ConfigError, match="twice"):
        make(tmp_path, toy, toy)


class FullDisk(Storage):
    """Refuses every write from the n-th on."""

    def __init__(self, fail_at: int) -> None:
        self.left = fail_at

    def write(self, fd: int, data: bytes | memoryview) -> int:
        self.left -= 1
        if self.left <= 0:
            raise OSError(errno.ENOSPC, "full")
        return super().write(fd, data)


@pytest.mark.parametrize("fail_at", range(1, len(TAKEN) + 2))
def test_a_full_disk_leaves_nothing_that_looks_like_a_run(tmp_path: Path, toy: Scheme, fail_at: int) -> None:
    with pytest.raises(StorageError, match="the disk is full"):
        make(tmp_path, toy, storage=FullDisk(fail_at))
    assert os.listdir(tmp_path / "runs") == []


def test_a_kill_before_the_campaign_is_written_leaves_no_run(tmp_path: Path, toy: Scheme) -> None:
    run = make(tmp_path, toy)
    run.campaign_file.unlink()  # it is written last: this is what a kill leaves
    with pytest.raises(ConfigError, match="is no run"):
        open_run(run.path)
    assert list_runs(tmp_path / "runs") == []
    assert make(tmp_path, toy).name.endswith("-2")


def test_runs_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "runs"
    with pytest.raises(ConfigError, match="no runs there yet"):
        find_run(root, None)
    for name in (
        "20260101T000000Z-quick",
        "20260301T000000Z-published",
        "20260201T000000Z-zzz",
        "my-old-run",
    ):
        write(root, f"{name}/campaign.toml")
    write(root, "20270101T000000Z-half/journal.jsonl")
    assert find_run(root, None).name == "20260301T000000Z-published"
    assert find_run(root, "my-old-run").path == root / "my-old-run"
    assert find_run(root, str(root / "my-old-run")).name == "my-old-run"
    with pytest.raises(ConfigError, match="did you mean 20260101T000000Z-quick"):
        find_run(root, "20260101T000000Z-quikc")
    with pytest.raises(ConfigError, match="is no run"):
        find_run(root, str(root / "none"))
    monkeypatch.chdir(root)
    assert find_run(tmp_path / "other", "my-old-run").name == "my-old-run"


def test_the_root_of_runs_in_its_order_of_preference() -> None:
    home = {"HOME": "/home/u"}
    assert runs_root("mine", {"NGCCTUI_RUNS": "/n", **home}) == Path("mine")
    assert runs_root(None, {"NGCCTUI_RUNS": "/n", "XDG_STATE_HOME": "/x", **home}) == Path("/n")
    assert runs_root(None, {"XDG_STATE_HOME": "/x", **home}) == Path("/x/ngcctui/runs")
    assert runs_root(None, {"XDG_STATE_HOME": "relative", **home}) == Path(
        "/home/u/.local/state/ngcctui/runs"
    )
    assert runs_root("", {"NGCCTUI_RUNS": "", **home}) == Path("/home/u/.local/state/ngcctui/runs")
    with pytest.raises(ConfigError, match="NGCCTUI_RUNS"):
        runs_root(None, {})
