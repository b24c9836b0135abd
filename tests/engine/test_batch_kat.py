"""`ngcctui kat` and `ngcctui check SCHEME` on real packages: built, loaded and compared."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from engine import candidate

from ngcctui.engine.toolchain import Native
from ngcctui.model.errors import ExitCode

SRC = Path(__file__).resolve().parents[2] / "src"
HEAD = """\
id = "{id}"
algorithm = "Toy"
category = "public-key algorithm"
function = "signature"
[build]
sources = ["candidate.c"]
"""
INSTANCE = """
[[instance]]
name = "{name}"
defines = [{defines}]
sizes = {{ public_key = 32, secret_key = 32, signature = 48 }}
kat = {{ mode = "strict"{digest} }}
"""
GOOD = f', sha256 = "{candidate.sha256(10)}", record0_sha256 = "{candidate.sha256(1)}"'
WRONG = f', sha256 = "{"0" * 64}"'


def package(directory: Path, *instances: tuple[str, str, str]) -> None:
    """A package of the toy signature; each instance has a name, defines and what is known of its KAT."""
    directory.mkdir()
    text = HEAD.format(id=directory.name)
    text += "".join(INSTANCE.format(name=n, defines=d, digest=k) for n, d, k in instances)
    (directory / "scheme.toml").write_text(text)
    (directory / "candidate.c").write_bytes(candidate.SOURCE.read_bytes())


@pytest.fixture
def here(tmp_path: Path, native: Native, build_cache: Path) -> Path:
    """A working directory whose cache is that of the session: our own programs are built already."""
    (tmp_path / "cache/ngcctui").mkdir(parents=True)
    (tmp_path / "cache/ngcctui/build").symlink_to(build_cache)
    return tmp_path


def ngcctui(here: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environ = {"PYTHONPATH": str(SRC), "XDG_CACHE_HOME": str(here / "cache"), "TMPDIR": str(here)}
    return subprocess.run(
        [sys.executable, "-m", "ngcctui", *words],
        cwd=here,
        env=os.environ | environ,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_one_line_each_in_order(here: Path) -> None:
    package(here / "toy", ("Toy-1", "", GOOD), ("Toy-2", '"KEYGEN_CODE=7"', GOOD), ("Toy-3", "", WRONG))
    done = ngcctui(here, "kat", "./toy")
    assert done.returncode == ExitCode.FAILURES
    lines = done.stdout.splitlines()
    assert lines[0] == f"Toy-1 PASS 10/10 {candidate.sha256(10)}"
    assert lines[1].startswith("Toy-2 CRYPTOFAIL 0/10 ")
    assert lines[2] == f"Toy-3 MISMATCH 10/10 {candidate.sha256(10)}"
    assert "ngcctui: toy/Toy-2: sig_keygen returned 7" in done.stderr
    assert sorted(path.name for path in here.iterdir()) == ["cache", "toy"], "nothing is left behind"


def test_record_0_alone_and_json(here: Path) -> None:
    package(here / "toy", ("Toy-1", "", GOOD))
    done = ngcctui(here, "kat", "./toy", "--records", "1", "--json")
    assert done.returncode == ExitCode.DONE
    proof = json.loads(done.stdout)
    assert (proof["outcome"], proof["label"], proof["records"]) == ("PASS", "PASS (1 record)", 1)
    assert proof["sha256"] == candidate.sha256(1)


def test_a_package_that_does_not_build_shows_what_the_compiler_said(here: Path) -> None:
    package(here / "toy", ("Toy-1", "", GOOD))
    (here / "toy/candidate.c").write_text('int x = ;\n#error "\\x1b[2J"\n')
    done = ngcctui(here, "check", "./toy")
    assert done.returncode == ExitCode.FAILURES
    assert done.stdout.startswith("Toy-1 BUILDFAIL 0/10 ")
    assert "candidate.c:1:9: error: expected expression" in done.stderr
    assert "\x1b" not in done.stderr


def test_a_package_without_a_digest_is_told_what_is_missing(here: Path) -> None:
    package(here / "toy", ("Toy-1", "", ""))
    done = ngcctui(here, "check", "./toy")
    assert done.returncode == ExitCode.FAILURES
    assert done.stdout == f"Toy-1 NOKAT 10/10 {candidate.sha256(10)}\n"
    assert "toy/Toy-1: scheme.toml has no kat.sha256 to compare with" in done.stderr


def test_a_new_package_builds_and_fails(here: Path) -> None:
    assert ngcctui(here, "new-scheme", "mine").returncode == ExitCode.DONE
    done = ngcctui(here, "check", "mine")
    assert done.returncode == ExitCode.FAILURES
    assert done.stdout.startswith("mine-128 CRYPTOFAIL 0/10 ")
    assert "warning" not in done.stderr
