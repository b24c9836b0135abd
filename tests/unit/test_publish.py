"""Publishing: what is copied and what is not, that the place always holds a whole dataset, and what damage to one is called."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from golden.damage import edit_events, replace_in
from golden.synthetic import QuickStorage
from golden.whole import whole_run, write_pages

from ngcctui.cli import main
from ngcctui.engine.rundir import RunDir
from ngcctui.model.errors import ConfigError, ExitCode, StorageError
from ngcctui.model.event import Event, EventName
from ngcctui.report import publish as publishing
from ngcctui.report.dataset import is_dataset, open_dataset, published_pages, read_head
from ngcctui.report.publish import Refused, exchange, public_journal, publish
from ngcctui.report.validate import Private, validate


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunDir:
    return whole_run(tmp_path_factory.mktemp("whole"), ["Toy-128"], charts=False)


@pytest.fixture(scope="module")
def later(tmp_path_factory: pytest.TempPathFactory) -> RunDir:
    return whole_run(tmp_path_factory.mktemp("later"), ["Toy-256"], hashes=False, charts=False)


@pytest.fixture(scope="module")
def data(run: RunDir, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory in which the run is published; tests copy it."""
    data = tmp_path_factory.mktemp("data")
    publish(run, data, {}, Private(), QuickStorage())
    return data


@pytest.fixture
def dataset(data: Path, tmp_path: Path) -> Path:
    shutil.copytree(data / "published" / "local", tmp_path / "published" / "local")
    return tmp_path / "published" / "local"


def files(root: Path) -> dict[str, bytes]:
    return {str(p.relative_to(root)): p.read_bytes() for p in sorted(root.rglob("*")) if p.is_file()}


# what is copied ---------------------------------------------------------------------------------------------------


def test_a_dataset_holds_what_the_pages_cite_and_validates(run: RunDir, dataset: Path) -> None:
    assert validate(open_dataset(dataset), {}).findings == ()
    held = files(dataset)
    for page in published_pages(dataset):
        cited = [row.file for row in page.evidence] + [row.file for row in page.libraries]
        assert cited and held.keys() >= set(cited)
        for name in cited:
            assert held[name] == (run.path / name).read_bytes()
    for name, content in files(run.path / "report").items():
        assert held[f"report/{name}"] == content
    assert held["toy-1.toml"] == held["report/toy-1/perf_local.toml"]
    assert read_head(dataset).run == run.name


def test_nothing_else_leaves_the_run(dataset: Path) -> None:
    held = files(dataset)
    assert not any(
        name.startswith(("logs/", "control/")) or name.endswith((".c", ".profile.so")) for name in held
    )
    assert not any(name.startswith("build/") and name.endswith(".log") for name in held)
    journal = held["journal.jsonl"].decode()
    for private in ("/dev/shm", "boot_id", "4711", "live_page"):
        assert private not in journal


def test_the_digests_can_be_checked_without_this_program(dataset: Path) -> None:
    if shutil.which("sha256sum") is None:
        pytest.skip("no sha256sum")
    done = subprocess.run(["sha256sum", "--quiet", "--strict", "-c", "SHA256SUMS"], cwd=dataset, check=False)
    assert done.returncode == 0


def test_the_journal_keeps_its_events_and_what_a_crash_tore() -> None:
    start = b'{"v":1,"seq":1,"utc":"x","mono_ns":1,"event":"session_start","data":{"pid":1,"core":3}}'
    other = b'{"v":1,"seq":2,"utc":"x","mono_ns":2,"event":"health","data":{"load":0.5}}'
    lines = public_journal(start + b"\n/home/me torn\n\n" + other + b"\nhalf").splitlines()
    assert json.loads(lines[0])["data"] == {"core": 3}
    assert lines[1:] == [b'{"torn":true}', other]


def test_who_waited_for_a_core_is_not_published() -> None:
    data = {"key": "core-wait", "text": "core 1: waiting", "pid": 1, "pid_start": 2, "boot_id": "b"}
    waiting = Event(1, "u", 1, EventName.WARNING, None, data)
    (line,) = public_journal(waiting.to_line()).splitlines()
    assert json.loads(line)["data"] == {"key": "core-wait", "text": "core 1: waiting"}


def test_a_run_that_was_interrupted_is_published_byte_for_byte(tmp_path: Path) -> None:
    made = whole_run(tmp_path, ["Toy-128"], hashes=False, charts=False)
    lines = made.journal.read_bytes().splitlines(keepends=True)
    lines.insert(7, b'{"v":1,"seq":8,"utc":"2026-\n')
    made.journal.write_bytes(b"".join(lines))
    write_pages(made)
    target = publish(made, tmp_path / "data", {}, Private(), QuickStorage())
    assert validate(open_dataset(target), {}).findings == ()


def test_charts_are_published_with_their_pages(tmp_path: Path) -> None:
    pytest.importorskip("pygal")
    made = whole_run(tmp_path, ["Toy-128"], hashes=False)
    target = publish(made, tmp_path / "data", {}, Private(), QuickStorage())
    drawn = [path.name for path in (made.path / "report/toy-1").glob("*.svg")]
    assert drawn and all((target / "report/toy-1" / name).is_file() for name in drawn)


def test_what_one_has_published_is_a_system_to_compare_with(
    run: RunDir,
    data: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(data, tmp_path / "data")
    shutil.copytree(run.path, tmp_path / "run")
    page = tmp_path / "data/published/local/toy-1.toml"
    asked = ["report", str(tmp_path / "run"), "--charts"]
    assert main(asked) == ExitCode.DONE
    assert "published for local" not in capsys.readouterr().out, "the same run"
    replace_in(page, f'run = "{run.name}"'.encode(), b'run = "20250101T000000Z-before"')
    assert main(asked) == ExitCode.DONE
    assert "published for local" in capsys.readouterr().out
    assert main(["compare", str(tmp_path / "run"), "published:local"]) == ExitCode.DONE
    assert "toy-1" in capsys.readouterr().out


# refused ----------------------------------------------------------------------------------------------------------


def test_a_run_that_does_not_validate_is_not_published(run: RunDir, tmp_path: Path) -> None:
    shutil.copytree(run.path, tmp_path / "run")
    replace_in(tmp_path / "run/report/toy-1/perf_local.md", b"Toy", b"Boy")
    with pytest.raises(Refused, match="1 findings; nothing was published") as refused:
        publish(RunDir(tmp_path / "run"), tmp_path / "data", {}, Private(), QuickStorage())
    assert refused.value.findings[0].where == "report/toy-1/perf_local.md"
    assert not (tmp_path / "data").exists()


def test_a_name_in_the_run_keeps_it_here(run: RunDir, tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        publish(run, tmp_path / "data", {}, Private(("Invented",)), QuickStorage())
    assert any("the name Invented" in finding.what for finding in refused.value.findings)


def test_figures_of_others_are_not_replaced(run: RunDir, tmp_path: Path) -> None:
    place = tmp_path / "published/local"
    place.mkdir(parents=True)
    (place / "toy-1.toml").write_text("figures of somebody\n")
    with pytest.raises(ConfigError, match="come from no run"):
        publish(run, tmp_path, {}, Private(), QuickStorage())
    assert files(tmp_path) == {"published/local/toy-1.toml": b"figures of somebody\n"}


# the place --------------------------------------------------------------------------------------------------------


def test_a_second_system_is_never_touched(run: RunDir, tmp_path: Path) -> None:
    other = tmp_path / "published/x86_1"
    other.mkdir(parents=True)
    (other / "toy-1.toml").write_text("x")
    before = other.stat().st_mtime_ns, (other / "toy-1.toml").stat()
    publish(run, tmp_path, {}, Private(), QuickStorage())
    publish(run, tmp_path, {}, Private(), QuickStorage())
    assert (other.stat().st_mtime_ns, (other / "toy-1.toml").stat()) == before
    assert sorted(entry.name for entry in (tmp_path / "published").iterdir()) == ["local", "x86_1"]


class Refusing(QuickStorage):
    """Refuses the n-th of some operations, as a full disk or a kill would; counts them."""

    def __init__(self, refuse: int = 0) -> None:
        self.refuse, self.count = refuse, 0

    def _step(self) -> None:
        self.count += 1
        if self.count == self.refuse:
            raise OSError(28, "No space left on device")

    def write(self, fd: int, data: bytes | memoryview) -> int:
        self._step()
        return super().write(fd, data)

    def rename(self, source: Path, target: Path) -> None:
        self._step()
        super().rename(source, target)


def moments(count: int) -> Iterator[int]:
    """The first and last moments, and some between them."""
    yield from sorted({1, 2, 3, count // 3, count // 2, *range(count - 5, count + 1)})


@pytest.mark.parametrize("in_one_step", [True, False])
def test_whatever_fails_the_old_dataset_stays_whole(
    later: RunDir, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_one_step: bool
) -> None:
    if not in_one_step:
        monkeypatch.setattr(publishing, "exchange", lambda one, other: False)
    shutil.copytree(data, tmp_path / "data")
    target = tmp_path / "data/published/local"
    before = files(target)
    counting = Refusing()
    publish(later, tmp_path / "counted", {}, Private(), counting)
    count = counting.count - 1 + (0 if in_one_step else 2)  # the last rename is an exchange, or two renames
    for moment in moments(count):
        with pytest.raises(StorageError, match="disk is full"):
            publish(later, tmp_path / "data", {}, Private(), Refusing(moment))
        assert files(target) == before, moment
        assert [entry.name for entry in target.parent.iterdir()] == ["local"]
    publish(later, tmp_path / "data", {}, Private(), Refusing())
    assert read_head(target).run == later.name and validate(open_dataset(target), {}).findings == ()
    assert [entry.name for entry in target.parent.iterdir()] == ["local"]


class Forcing(QuickStorage):
    """Tells what was forced to the disk; all at once where it `can`."""

    def __init__(self, can: bool) -> None:
        self.can, self.forced, self.at_once = can, list[str](), list[str]()

    def fsync(self, fd: int) -> None:
        self.forced.append(os.readlink(f"/proc/self/fd/{fd}"))

    def fsync_all(self, fd: int) -> bool:
        self.at_once.append(os.readlink(f"/proc/self/fd/{fd}"))
        return self.can


def test_the_copy_is_on_the_disk_before_it_takes_the_place(run: RunDir, tmp_path: Path) -> None:
    for can in (True, False):
        storage = Forcing(can)
        target = publish(run, tmp_path / str(can), {}, Private(), storage)
        (fresh,) = storage.at_once
        assert fresh.endswith(".new") and os.path.dirname(fresh) == str(target.parent)
        below = {name.removeprefix(f"{fresh}/") for name in storage.forced if name.startswith(f"{fresh}/")}
        there = {str(path.relative_to(target)) for path in target.rglob("*")}
        if can:
            assert not any(Path(target, name).is_file() for name in below)
        else:
            assert there <= below and fresh in storage.forced
        assert storage.forced[-1] == str(target.parent), "then the place itself"


def test_what_the_disk_refuses_is_told(run: RunDir, tmp_path: Path) -> None:
    class Failing(QuickStorage):
        def fsync_all(self, fd: int) -> bool:
            raise OSError(5, "Input/output error")

    with pytest.raises(StorageError, match="I/O error"):
        publish(run, tmp_path, {}, Private(), Failing())
    assert list((tmp_path / "published").iterdir()) == []


def test_a_kill_between_two_renames_is_mended(run: RunDir, dataset: Path) -> None:
    old = dataset.with_name(".local.old")
    before = files(dataset)
    dataset.rename(old)
    with pytest.raises(Refused):
        publish(run, dataset.parents[1], {}, Private(("Invented",)), QuickStorage())
    assert not dataset.exists()  # a run that is refused touches nothing
    publish(run, dataset.parents[1], {}, Private(), QuickStorage())
    assert files(dataset) == before and not old.exists()


def test_two_directories_change_places(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / name).touch()
    if not exchange(tmp_path / "a", tmp_path / "b"):
        pytest.skip("no renameat2 here")
    assert (tmp_path / "a/b").exists() and (tmp_path / "b/a").exists()
    with pytest.raises(OSError, match="No such file"):
        exchange(tmp_path / "a", tmp_path / "c")


# damage to a dataset ----------------------------------------------------------------------------------------------


def extra(dataset: Path) -> None:
    (dataset / "notes.txt").write_text("x")


DAMAGES: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "a changed figure": (
        lambda d: replace_in(d / "toy-1.toml", b"Toy", b"Boy"),
        "toy-1.toml",
        "was changed after",
    ),
    "an added file": (extra, "notes.txt", "not listed in SHA256SUMS"),
    "a lost file": (lambda d: (d / "toy-1.toml").unlink(), "toy-1.toml", "but not there"),
    "a lost record": (
        lambda d: (d / "records/toy-1/Toy-128__sign.json").unlink(),
        "records/toy-1/Toy-128__sign.json",
        "cannot be read",
    ),
    "a changed list": (
        lambda d: replace_in(d / "SHA256SUMS", b"  campaign.toml", b"  campaign2.toml"),
        "SHA256SUMS",
        "not the list",
    ),
    "no list": (lambda d: (d / "SHA256SUMS").unlink(), "SHA256SUMS", "cannot be read"),
    "a broken list": (lambda d: (d / "SHA256SUMS").write_text("x\n"), "SHA256SUMS", "line 1"),
    "another system": (
        lambda d: replace_in(d / "dataset.toml", b'system = "local"', b'system = "x86_1"'),
        "dataset.toml",
        "of system x86_1",
    ),
    "another run": (
        lambda d: replace_in(d / "dataset.toml", b"-whole", b"-hole"),
        "dataset.toml",
        "is of run",
    ),
    "a page of the report": (
        lambda d: replace_in(d / "report/toy-1/perf_local.md", b"Toy", b"Boy"),
        "report/toy-1/perf_local.md",
        "stale",
    ),
    "a line of the journal": (
        lambda d: edit_events(RunDir(d), "run_end", lambda data: data.update(exit=1)),
        "journal.jsonl",
        "its end counts exit: 1",
    ),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_damage_to_a_dataset_is_found_and_named(dataset: Path, name: str) -> None:
    damage, where, what = DAMAGES[name]
    damage(dataset)
    findings = validate(RunDir(dataset), {}).findings
    assert any(f.where == where and what in f.what for f in findings), "\n".join(map(str, findings))


def test_a_dataset_of_a_later_program_is_refused(dataset: Path) -> None:
    replace_in(dataset / "dataset.toml", b"schema = 1", b"schema = 2")
    with pytest.raises(ConfigError, match="schema 2, newer than this program knows"):
        open_dataset(dataset)


# the command ------------------------------------------------------------------------------------------------------


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
    place = tmp_path / "here"
    place.mkdir()
    monkeypatch.chdir(place)
    return place


def test_the_command_publishes_into_data_or_the_operators_directory(
    run: RunDir, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["publish", str(run.path)]) == ExitCode.DONE
    place = Path(capsys.readouterr().out.strip())
    assert place == here.parent / "xdg/ngcctui/published/local" and is_dataset(place)
    (here / "data").mkdir()
    assert main(["publish", str(run.path), "--json"]) == ExitCode.DONE
    assert json.loads(capsys.readouterr().out) == {"dataset": str(here / "data/published/local")}
    assert main(["validate", "data/published/local"]) == ExitCode.DONE
    assert main(["validate", "published:local"]) == ExitCode.DONE
    assert "no findings" in capsys.readouterr().err


def test_the_command_never_writes_into_the_installed_program(
    run: RunDir, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import ngcctui

    package = Path(ngcctui.__file__).parent
    assert main(["publish", str(run.path), "--to", str(package / "_share/data")]) == ExitCode.USAGE
    assert "part of the installed program" in capsys.readouterr().err
    (here / "link").symlink_to(package)
    assert main(["publish", str(run.path), "--to", "link"]) == ExitCode.USAGE
    assert not (package / "_share").exists() and not (package / "published").exists()


def test_the_command_prints_why_it_refuses(
    run: RunDir, here: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(run.path, tmp_path / "run")
    os.unlink(tmp_path / "run/report/toy-1/perf_local.md")
    assert main(["publish", str(tmp_path / "run")]) == ExitCode.FAILURES
    said = capsys.readouterr()
    assert said.out.startswith("report/toy-1/perf_local.md: cannot be read")
    assert "nothing was published" in said.err
