"""The set-up stops with one line, and before it creates anything, when a tool is missing that it cannot install."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = "on Debian: apt install gcc libc6-dev make python3-venv"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """What `make` needs of a checkout, and a PATH of its own in `bin`."""
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci/check-tools", tmp_path / ".ci/check-tools")
    tools = tmp_path / "bin"
    tools.mkdir()
    for tool in ("sh", "rm", "find", "touch", "echo", "make", "gcc", "cc1", "as", "ld"):
        found = shutil.which(tool)
        if found:
            (tools / tool).symlink_to(found)
    python(tools, "exec " + sys.executable + ' "$@"')
    return tmp_path


def python(tools: Path, body: str) -> None:
    script = tools / "python3"
    script.write_text(f"#!/bin/sh\n{body}\n")
    script.chmod(0o755)


def make(checkout: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environ = {"PATH": str(checkout / "bin"), "HOME": str(checkout)}
    return subprocess.run(
        ["make", "-s", *words],
        cwd=checkout,
        env=environ,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def refuses(checkout: Path, said: str, *words: str) -> None:
    before = sorted(path for path in checkout.iterdir())
    for target in ("quick", "test", "kat"):
        done = make(checkout, target, *words)
        assert done.returncode != 0
        first, *rest = done.stderr.splitlines()
        assert first == f"ngcctui: {said}"
        assert all(line.startswith("make: ***") for line in rest)
        assert done.stdout == ""
        assert sorted(path for path in checkout.iterdir()) == before


def test_all_tools_are_there(checkout: Path) -> None:
    done = make(checkout, "check-tools")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_no_compiler(checkout: Path) -> None:
    (checkout / "bin/gcc").unlink()
    refuses(checkout, f"no C compiler 'gcc'; {PACKAGES}")


def test_a_compiler_without_headers(checkout: Path) -> None:
    gcc = checkout / "bin/gcc"
    gcc.unlink()
    gcc.write_text("#!/bin/sh\nexit 1\n")
    gcc.chmod(0o755)
    refuses(checkout, f"'gcc' finds no C headers; {PACKAGES}")


def test_no_python(checkout: Path) -> None:
    (checkout / "bin/python3").unlink()
    refuses(checkout, f"no Python 'python3'; {PACKAGES}")


def test_a_python_without_venv(checkout: Path) -> None:
    python(checkout / "bin", 'case "$*" in *ensurepip*) exit 1 ;; esac; exec ' + sys.executable + ' "$@"')
    refuses(checkout, f"'python3' cannot make virtual environments; {PACKAGES}")


def test_an_old_python(checkout: Path) -> None:
    python(checkout / "bin", 'case "$*" in *version_info*) exit 1 ;; esac; exec ' + sys.executable + ' "$@"')
    refuses(
        checkout,
        "'python3.9' is older than Python 3.11 or does not start; name another: make PYTHON=python3.11",
        f"PYTHON={_renamed(checkout)}",
    )


def _renamed(checkout: Path) -> str:
    (checkout / "bin/python3").rename(checkout / "bin/python3.9")
    return "python3.9"


def test_clean_keeps_the_runs(checkout: Path) -> None:
    for name in ("runs/r", ".venv/bin", "dist", "src/a/__pycache__", "tests", "benchmarks"):
        (checkout / name).mkdir(parents=True)
    assert make(checkout, "clean").returncode == 0
    assert (checkout / "runs/r").is_dir()
    assert not any((checkout / name).exists() for name in (".venv", "dist", "src/a/__pycache__"))


def test_the_makefile_installs_no_system_package() -> None:
    for name in ("Makefile", ".ci/check-tools"):
        words = (ROOT / name).read_text().split()
        assert not {"sudo", "su", "apt-get"} & set(words)
        assert words.count("apt") == (1 if name == ".ci/check-tools" else 0), (
            "only in what is said to the operator"
        )


def test_ci_run_is_executable_and_ends_in_the_tests() -> None:
    script = ROOT / ".ci/run"
    assert os.access(script, os.X_OK)
    assert script.read_text().rstrip().endswith("exec make test")
    subprocess.run(["bash", "-n", script], check=True)


def test_every_locked_package_is_exact_and_every_dependency_is_locked() -> None:
    lines = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if not line.startswith("#")]
    names = {line.partition("==")[0].lower().replace("_", "-") for line in lines}
    assert all(line.count("==") == 1 and " " not in line and "/" not in line for line in lines)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = project["dependencies"] + project["optional-dependencies"]["dev"]
    assert {word.partition(">")[0] for word in wanted} <= names
