"""The command line: one line and an exit code for every error, nothing written for a wrong one."""

from __future__ import annotations

import errno
import importlib
import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ngcctui import cli
from ngcctui.arguments import parse
from ngcctui.cli import main
from ngcctui.model.errors import ConfigError, ExitCode, HostError

SRC = Path(__file__).resolve().parents[2] / "src"


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory, and no directory of the operator's."""
    for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "xdg"))
    for name in ("NGCCTUI_RUNS", "NGCCTUI_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    return here


def fails(capsys: pytest.CaptureFixture[str], code: ExitCode, *words: str) -> str:
    """Run and return the one line of the error."""
    capsys.readouterr()
    assert main(words) == code
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert said.err.startswith("ngcctui: ")
    return said.err.removeprefix("ngcctui: ").rstrip("\n")


# wrong input --------------------------------------------------------------------------------------------------------

CAMPAIGN = 'name = "c"\n[selection]\nschemes = ["sign-17"]\n[host]\npolicy = "allow"\n'


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--batch", "nowhere.toml"], "nowhere.toml: cannot be read: No such file"),
        (["--batch", "quik"], "no campaign 'quik': did you mean quick?"),
        (["--batch", "bad.toml"], "bad.toml: malformed TOML: "),
        (["--batch", "latin.toml"], "latin.toml: not UTF-8 text"),
        (["--batch", "key.toml"], "key.toml: planning.tirals: unknown key (known here: "),
        (["--batch", "type.toml"], "type.toml: planning.trials: must be a whole number, not a string"),
        (
            ["--batch", "ok.toml", "--only", "sign-71"],
            "only: it selects nothing called 'sign-71'; did you mean sign-17?",
        ),
        (
            ["--batch", "ok.toml", "--select", "sign-17/OPSig-128"],
            "'sign-17/OPSig-128'; did you mean sign-17/OPSsig-128",
        ),
        (
            ["--batch", "ok.toml", "--select", "sign-17/*/sing"],
            "only: it selects nothing called 'sign-17/*/sing'",
        ),
        (["--batch", "ok.toml", "--core", "8000"], "core 8000: this host has no such CPU; allowed here: "),
        (["--batch", "ok.toml", "--core", "x"], "argument --core: invalid int value: 'x' (ngcctui --help)"),
        (["--batch", "ok.toml", "--records", "4"], "4 KAT records cannot be checked"),
        (["--batch", "ok.toml", "--schemes", "nope"], "--schemes nope: no such directory"),
        (["--batch", "gone.toml"], "schemes/gone/scheme.toml: build.sources: 'gone.c' is not there"),
        (["run"], "the following arguments are required: CAMPAIGN (ngcctui run --help)"),
        (["run", "ok.toml", "--bogus"], "unrecognized arguments: --bogus"),
        (["bogus"], "argument COMMAND: invalid choice: 'bogus'"),
        (["status", "here"], "no run called 'here'"),
        (["status", "./runs"], "runs: is no run (no campaign.toml in it)"),
        (["status", "./nowhere"], "nowhere: is no run (no such directory)"),
        (["resume"], "no runs there yet; start one with `ngcctui run CAMPAIGN`"),
        (["report", "x"], "no run called 'x'"),
        (["stop"], "no runs there yet"),
        (["control", "r", "dance"], "argument request: invalid choice: 'dance'"),
        (["plan", "quik"], "no campaign 'quik'"),
        (["check", "icsc"], "no scheme 'icsc': did you mean iccs?"),
        (["check", "./empty"], "empty/scheme.toml: cannot be read: No such file"),
        (["check", "--script", "sign-17"], "--script is about this machine"),
        (["check", "--core", "8000"], "core 8000: this host has no such CPU"),
        (["kat", "sign-17", "--records", "77"], "--records: must be 0 to 10"),
        (["new-scheme", "runs"], "runs: is there and not empty"),
        (["new-scheme", "a b"], "its name is the scheme's id"),
        (["list", "--schemes", "nope"], "--schemes nope: no such directory"),
    ],
)
def test_wrong_input_is_one_line_exit_2_and_nothing_is_written(
    alone: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    (alone / "ok.toml").write_text(CAMPAIGN)
    (alone / "bad.toml").write_text("name = \n")
    (alone / "latin.toml").write_bytes(b'name = "\xe9"\n')
    (alone / "key.toml").write_text(CAMPAIGN + "[planning]\ntirals = 3\n")
    (alone / "type.toml").write_text(CAMPAIGN + '[planning]\ntrials = "5"\n')
    (alone / "gone.toml").write_text(CAMPAIGN.replace("sign-17", "gone"))
    package = alone / "schemes/gone"
    package.mkdir(parents=True)
    text = 'id = "gone"\nalgorithm = "g"\ncategory = "c"\nfunction = "signature"\n[build]\nsources = ["gone.c"]\n'
    (package / "scheme.toml").write_text(text + '[[instance]]\nname = "gone-1"\n')
    for directory in ("runs/file", "empty"):
        (alone / directory).mkdir(parents=True)
    before = sorted(alone.parent.rglob("*"))
    assert said in fails(capsys, ExitCode.USAGE, *words)
    assert sorted(alone.parent.rglob("*")) == before


def test_a_file_name_that_acts_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert "\\x1b[2J.toml" in fails(capsys, ExitCode.USAGE, "--batch", "\x1b[2J.toml")


def test_without_a_command_the_screens_need_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == ExitCode.USAGE
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("ngcctui: standard input is no terminal")
    assert "--batch" in said.err


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--help"], ["run", "--help"], ["--batch", "x", "--help"], ["--version"]):
        with pytest.raises(SystemExit) as left:
            main(words)
        assert left.value.code == 0
    said = capsys.readouterr().out
    assert "exit codes: 0 done" in said
    assert "--allow-unfixed-host" in said


# parsing ------------------------------------------------------------------------------------------------------------


def test_common_options_stand_before_or_behind_the_command() -> None:
    for words in (["--runs", "r", "--json", "status"], ["status", "--runs", "r", "--json"]):
        args = parse(words)
        assert (args.module, args.runs, args.json, args.quiet) == ("status", Path("r"), True, False)


def test_batch_is_run_without_detach() -> None:
    batch = vars(parse(["--batch", "c", "--trials", "3", "--no-profile", "--only", "a", "--only", "b"]))
    run = vars(parse(["run", "c", "--trials", "3", "--no-profile", "--only", "a", "--only", "b"]))
    assert run["batch"] is None
    assert {name: run[name] for name in batch} == batch
    assert batch["only"] == ["a", "b"]
    assert batch["profile"] is False
    assert parse(["run", "c"]).profile is None
    with pytest.raises(ConfigError):
        parse(["status", "--batch", "c"])


def test_every_command_has_its_module() -> None:
    for name in (
        "run",
        "resume",
        "status",
        "control",
        "check",
        "kat",
        "plan",
        "listing",
        "new_scheme",
        "report",
    ):
        assert callable(importlib.import_module(f"ngcctui.commands.{name}").run)


# errors -------------------------------------------------------------------------------------------------------------


def acting(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def run(args: Any) -> int:
        raise error

    monkeypatch.setattr(cli, "import_module", lambda name: SimpleNamespace(run=run))


def test_each_error_has_its_exit_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    acting(monkeypatch, HostError("core 1 is taken\nby x"))
    assert fails(capsys, ExitCode.HOST, "list") == "core 1 is taken by x"


def test_a_key_ends_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    acting(monkeypatch, KeyboardInterrupt())
    assert main(["list"]) == 130


def test_an_unexpected_error_is_one_line_and_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    acting(monkeypatch, ZeroDivisionError("boom"))
    said = fails(capsys, ExitCode.STORAGE, "list")
    path = Path(said.partition("(traceback in ")[2].rstrip(")"))
    assert said.startswith("internal error: ZeroDivisionError: boom (traceback in ")
    assert path.parent == tmp_path / "xdg/ngcctui"
    assert "ZeroDivisionError: boom" in path.read_text()


def test_the_traceback_of_a_run_stays_with_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(args: Any) -> int:
        args.crash_dir = tmp_path / "run"
        raise OSError(errno.EIO, "gone")

    monkeypatch.setattr(cli, "import_module", lambda name: SimpleNamespace(run=run))
    assert f"(traceback in {tmp_path}/run/traceback-" in fails(capsys, ExitCode.STORAGE, "list")


def test_an_error_whose_traceback_cannot_be_saved_is_told_all_the_same(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "xdg").write_text("a file")
    acting(monkeypatch, ZeroDivisionError("boom"))
    assert "no traceback saved: Not a directory" in fails(capsys, ExitCode.STORAGE, "list")


def test_debug_shows_the_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NGCCTUI_DEBUG", "1")
    acting(monkeypatch, ZeroDivisionError("boom"))
    with pytest.raises(ZeroDivisionError):
        main(["list"])


def program(*words: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "ngcctui", *words],
        env=os.environ | {"PYTHONPATH": str(SRC)},
        text=True,
        timeout=60,
        check=False,
        **options,
    )


def test_a_closed_pipe_is_no_traceback() -> None:
    read, write = os.pipe()
    os.close(read)
    done = program("list", "campaigns", stdout=write, stderr=subprocess.PIPE)
    os.close(write)
    assert (done.returncode, done.stderr) == (141, "")


def test_a_full_disk_behind_stdout_is_told() -> None:
    with open("/dev/full", "w") as full:
        done = program("list", "campaigns", stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == ExitCode.STORAGE
    assert done.stderr == "ngcctui: standard output cannot be written: No space left on device\n"


# commands that only read ---------------------------------------------------------------------------------------------


def test_list_shows_origins_and_errors(alone: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (alone / "schemes/bad").mkdir(parents=True)
    (alone / "schemes/bad/scheme.toml").write_text("x = 1\n")
    assert main(["list", "schemes"]) == 0
    out = capsys.readouterr().out
    assert "bad/scheme.toml: x: unknown key" in out
    assert "sign-17" in out
    assert main(["list", "--json"]) == 0
    tables = json.loads(capsys.readouterr().out)
    assert {row["name"] for row in tables["campaigns"]} >= {"quick", "published"}
    assert tables["runs"] == []
    assert [row["error"] != "" for row in tables["schemes"] if row["key"] == "bad"] == [True]


def test_plan_writes_nothing_and_says_what_it_stands_on(
    alone: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(alone.parent.rglob("*"))
    assert main(["plan", "quick", "--only", "sign-17/OPSsig-128"]) == 0
    out = capsys.readouterr().out
    assert "campaign quick: instances 1, operations 3, steps 11" in out
    assert "sign-17/OPSsig-128: keygen sign verify" in out
    assert "calls known: 3 " in out
    assert main(["plan", "quick", "--json"]) == 0
    plan = json.loads(capsys.readouterr().out)
    assert plan["seconds"]["all"]["low"] <= plan["seconds"]["all"]["high"]
    assert len(plan["steps"]) == 55
    assert sorted(alone.parent.rglob("*")) == before


def test_new_scheme_writes_a_package_that_loads(alone: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new-scheme", "my-sig@reference"]) == 0
    files = capsys.readouterr().out.split()
    assert "my-sig@reference/scheme.toml" in files
    text = (alone / "my-sig@reference/scheme.toml").read_text()
    assert 'id = "my-sig"' in text
    assert 'implementation = "reference"' in text
    assert "@" not in text.replace("my-sig@reference", "")
    assert main(["plan", "my-sig@reference/campaign.toml", "--schemes", "my-sig@reference"]) == 0
    assert "my-sig@reference/my-sig-128: keygen sign verify" in capsys.readouterr().out


def test_ascii_output_is_ascii(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "quick", "--ascii"]) == 0
    assert capsys.readouterr().out.isascii()
