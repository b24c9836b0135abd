"""What a shell is told can stand at the cursor."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ngcctui.arguments import command_parser
from ngcctui.cli import main
from ngcctui.commands.completion import candidates

SRC = Path(__file__).resolve().parents[2] / "src"


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An operator with one run and one scheme of their own."""
    monkeypatch.setenv("NGCCTUI_RUNS", str(tmp_path / "runs"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    run = tmp_path / "runs/20261130T120000Z-quick"
    run.mkdir(parents=True)
    (run / "campaign.toml").write_text("")
    broken = tmp_path / "schemes/broken"
    broken.mkdir(parents=True)
    (broken / "scheme.toml").write_text("[")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_command_is_offered() -> None:
    helped = command_parser().format_help()
    found = candidates([""])
    assert {"run", "attach", "status", "completion", "config"} <= set(found)
    assert all(f"\n    {command}" in helped for command in found)
    assert candidates(["sta"]) == ["status"]


@pytest.mark.parametrize(
    ("words", "some"),
    [
        (["--ru"], {"--runs"}),
        (["attach", "--no"], {"--no-mouse"}),
        (["run", ""], {"quick", "published"}),
        (["--batch", "qu"], {"quick"}),
        (["run", "quick", "--inputs", ""], {"fixed", "varied"}),
        (["run", "--inputs", "fixed", "q"], {"quick"}),
        (["run", "--detach", "q"], {"quick"}),
        (["run", "quick", "--only", "sign-17/"], {"sign-17/OPSsig-128"}),
        (["run", "quick", "--only", "=", "sign-17/"], {"sign-17/OPSsig-128"}),
        (["run", "quick", "--inputs", "="], {"fixed", "varied"}),
        (["check", "sig"], {"sign-17"}),
        (["check", "iccs", "sig"], {"sign-17"}),
        (["status", ""], {"20261130T120000Z-quick"}),
        (["control", "x", "sk"], {"skip"}),
        (["completion", ""], {"bash", "zsh", "fish"}),
        (["check", "bro"], {"broken"}),
    ],
)
def test_what_fits_is_offered(words: list[str], some: set[str]) -> None:
    found = candidates(words)
    assert some <= set(found)
    assert all(word.startswith(words[-1].removeprefix("=")) for word in found)


@pytest.mark.parametrize(
    "words",
    [
        ["bogus", ""],
        ["status", "x", ""],
        ["run", "quick", "--core", ""],
        ["list", "--runs", ""],
        ["new-scheme", ""],
    ],
)
def test_where_nothing_is_known_the_shell_offers_files(words: list[str]) -> None:
    assert candidates(words) == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_its_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert f"ngcctui completion {shell} --words=" in script


def test_the_script_asks_with_lines(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "bash", "--words=run\nquick\n--pro\n"]) == 0
    assert capsys.readouterr().out.split() == ["--profile"]
    assert main(["completion", "bash", "--words=attach\n\n"]) == 0
    assert capsys.readouterr().out.split() == ["20261130T120000Z-quick"]


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes_with_it(alone: Path) -> None:
    script = f"""
        ngcctui() {{ "{sys.executable}" -m ngcctui "$@"; }}
        eval "$(ngcctui completion bash)"
        COMP_WORDS=(ngcctui attach --read) COMP_CWORD=2
        _ngcctui
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(
        ["bash", "--norc", "-c", script],
        env=os.environ | {"PYTHONPATH": str(SRC)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("--readonly\n", "")
