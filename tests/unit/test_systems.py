"""The registry of systems: merged from three places, added to without losing what is there."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from golden.synthetic import QuickStorage

from ngcctui import data_dirs
from ngcctui.cli import main
from ngcctui.data_dirs import published_dir, registries, writable_data
from ngcctui.model.codec import CodecError
from ngcctui.model.errors import ConfigError, ExitCode
from ngcctui.report.systems import System, add_system, read_systems, this_system

DATA = Path(__file__).parents[2] / "data"
ENTRY = '[[system]]\nid = "{}"\narchitecture = "x86_64"\nprocessor = "{}"\n'


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory of its own, with an operator's data directory beside it."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
    place = tmp_path / "here"
    place.mkdir()
    monkeypatch.chdir(place)
    return place


def write(path: Path, *entries: tuple[str, str]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(ENTRY.format(*entry) for entry in entries))
    return path


def test_the_packaged_registry_names_the_published_systems() -> None:
    known = read_systems([DATA / "systems.toml"])
    assert list(known) == ["x86_1", "arm_1"]
    assert known["arm_1"][0].machine == "ASUS Vivobook S 15" and known["x86_1"][0].clock_hz == 2_100_000_000


def test_later_places_win(here: Path) -> None:
    environ = {"XDG_DATA_HOME": str(here.parent / "xdg")}
    user = write(here.parent / "xdg/ngcctui/systems.toml", ("x86_1", "user"), ("x86_2", "user"))
    local = write(here / "data/systems.toml", ("x86_2", "local"), ("x86_3", "local"))
    files = registries(environ, here)
    assert files == [DATA / "systems.toml", user, local]
    known = read_systems(files)
    assert [(name, system.processor, path) for name, (system, path) in known.items() if name != "arm_1"] == [
        ("x86_1", "user", user),
        ("x86_2", "local", local),
        ("x86_3", "local", local),
    ]


def test_in_a_checkout_the_packaged_place_is_read_once() -> None:
    assert registries({"XDG_DATA_HOME": "/nowhere"}, DATA.parent) == [DATA / "systems.toml"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (ENTRY.format("a", "x") * 2, "system a is there twice"),
        (ENTRY.format("a/b", "x"), "system[0].id: must be"),
        (ENTRY.format("local", "x"), "stands for every machine"),
        (ENTRY.format("a", ""), "processor: must not be empty"),
        (ENTRY.format("a", "x") + 'color = "red"\n', "unknown key"),
        (ENTRY.replace("x86_64", "mips").format("a", "x"), "must be x86_64 or aarch64"),
        ("[[system]\n", "malformed TOML"),
    ],
)
def test_a_registry_that_does_not_fit_is_told_with_its_file(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "systems.toml"
    path.write_text(text)
    with pytest.raises((ConfigError, CodecError)) as told:
        read_systems([path])
    assert said in str(told.value) and str(path) in str(told.value)


def test_a_system_is_made_of_the_environment_rows() -> None:
    rows = {
        "processor": "Some CPU (CPU 2, one core)",
        "clock": "max 3.40 GHz, governor performance, turbo off, SMT off",
        "memory": "8 MiB",
        "OS / kernel": "Some Linux / 6.1",
        "compiler / build tool": "cc 1 / ngcctui 2",
    }
    system = this_system("x86_7", "x86_64", rows, "Some Board")
    assert (system.clock_hz, system.machine, system.os) == (3_400_000_000, "Some Board", "Some Linux / 6.1")
    assert this_system("x86_7", "x86_64", rows | {"clock": "not told"}).clock_hz == 0
    with pytest.raises(ConfigError, match="system 'a b': id: must be"):
        this_system("a b", "x86_64", rows)


def test_adding_keeps_comments_and_refuses_a_second_entry(tmp_path: Path) -> None:
    path = tmp_path / "new/systems.toml"
    first, second = (System(name, "x86_64", "A “CPU” # 1") for name in ("x86_7", "x86_8"))
    add_system(first, path, QuickStorage())
    path.write_text("# mine\n" + path.read_text() + "\n\n# end")
    add_system(second, path, QuickStorage())
    assert [system for system, _ in read_systems([path]).values()] == [first, second]
    assert path.read_text().startswith("# mine\n") and "# end\n\n[[system]]" in path.read_text()
    before = path.read_bytes()
    with pytest.raises(ConfigError, match="x86_7 is registered there"):
        add_system(first, path, QuickStorage())
    assert path.read_bytes() == before


# the command ------------------------------------------------------------------------------------------------------


def test_the_command_lists_and_adds(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["system", "list", "--json"]) == ExitCode.DONE
    assert [row["id"] for row in json.loads(capsys.readouterr().out)] == ["x86_1", "arm_1"]
    assert main(["system", "add", "bench_9", "--machine", "a box"]) == ExitCode.DONE
    path = Path(capsys.readouterr().out.strip())
    assert path == here.parent / "xdg/ngcctui/systems.toml"
    (here / "data").mkdir()
    assert main(["system", "add", "bench_10", "--json"]) == ExitCode.DONE
    added = json.loads(capsys.readouterr().out)
    assert added["file"] == str(here / "data/systems.toml") and added["system"]["processor"]
    assert main(["system", "list"]) == ExitCode.DONE
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["x86_1", "arm_1", "bench_9", "bench_10"]
    assert read_systems([path])["bench_9"][0].machine == "a box"


@pytest.mark.parametrize("name", ["x86_1", "local", "a b"])
def test_a_name_that_cannot_be_taken_is_refused(
    here: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    assert main(["system", "add", name]) == ExitCode.USAGE
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert not (here.parent / "xdg").exists()


@pytest.mark.parametrize("words", [["system"], ["system", "drop"]])
def test_something_has_to_be_asked(here: Path, words: list[str]) -> None:
    assert main(words) == ExitCode.USAGE


# where data lie ---------------------------------------------------------------------------------------------------


def test_data_go_where_they_are_asked_for(here: Path) -> None:
    environ = {"XDG_DATA_HOME": str(here.parent / "xdg")}
    assert writable_data(None, environ, here) == here.parent / "xdg/ngcctui"
    (here / "data").mkdir()
    assert writable_data(None, environ, here) == here / "data"
    assert writable_data(here / "x", environ, here) == here / "x"


def test_an_installed_package_is_never_written(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed = here / "site/ngcctui"
    (installed / "_share/data").mkdir(parents=True)
    monkeypatch.setattr(data_dirs, "package_dir", lambda: installed)
    for place in (installed, installed / "_share/data", installed / "new"):
        with pytest.raises(ConfigError, match="part of the installed program"):
            writable_data(place, {}, here)
    monkeypatch.chdir(installed / "_share")
    with pytest.raises(ConfigError, match="part of the installed program"):
        writable_data(None, {}, installed / "_share")


def test_published_figures_are_found_by_system(here: Path) -> None:
    environ = {"XDG_DATA_HOME": str(here.parent / "xdg")}
    assert published_dir("published:arm_1", environ, here) == DATA / "published/arm_1"
    mine = here / "data/published/arm_1"
    mine.mkdir(parents=True)
    (here / "data/published/.arm_1.0123.new").mkdir()
    assert published_dir("published:arm_1", environ, here) == mine
    for word in ("published:arm_2", "published:", "published:.arm_1.0123.new", "published:../x"):
        with pytest.raises(ConfigError, match="nothing is published"):
            published_dir(word, environ, here)


def test_a_run_is_planned_only_under_a_registered_name(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(here / "data/systems.toml", ("bench_1", "Invented CPU 1 (CPU 3, one core)"))
    wanted = ["plan", "quick", "--runs", str(here / "runs"), "--core", "0", "--system"]
    assert main([*wanted, "bench1"]) == ExitCode.USAGE
    said = capsys.readouterr().err
    assert "no system 'bench1'" in said and "did you mean bench_1?" in said
    assert "ngcctui system add bench1" in said and said.count("\n") == 1
    assert main([*wanted, "bench_1"]) == ExitCode.DONE
    assert "bench_1 is registered as Invented CPU 1, this is " in capsys.readouterr().err
    assert main([*wanted, "local"]) == ExitCode.DONE
    assert capsys.readouterr().err == ""


def test_this_machine_measures_under_its_own_name(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    core = min(os.sched_getaffinity(0))
    assert (
        main(["system", "add", "bench_2", "--core", str(core), "--to", str(here / "data")]) == ExitCode.DONE
    )
    capsys.readouterr()
    asked = ["plan", "quick", "--runs", str(here / "runs"), "--core", str(core), "--system", "bench_2"]
    assert main(asked) == ExitCode.DONE
    assert capsys.readouterr().err == ""
