"""The wheel, installed outside of the checkout: everything a run needs must be in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LIMIT_S = 240.0

pytestmark = pytest.mark.skipif(find_spec("hatchling") is None, reason="hatchling is not installed")


def run(argv: Sequence[str | Path], cwd: Path, environ: dict[str, str] | None = None) -> str:
    """What a command prints on stdout; a failure shows all it said."""
    done = subprocess.run(
        [str(word) for word in argv],
        cwd=cwd,
        env=environ,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=LIMIT_S,
    )
    assert done.returncode == 0, f"{argv}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@dataclass(frozen=True)
class Installed:
    """An environment that holds the wheel, and a place that has nothing to do with the checkout."""

    prefix: Path
    elsewhere: Path
    environ: dict[str, str]

    @property
    def program(self) -> Path:
        return self.prefix / "bin" / "ngcctui"

    @property
    def package(self) -> Path:
        return site_packages(self.prefix) / "ngcctui"

    def run(self, *words: str | Path) -> str:
        """What the installed program prints."""
        return run([self.program, *words], self.elsewhere, self.environ)


def site_packages(prefix: Path) -> Path:
    return Path(sysconfig.get_path("purelib", "venv", {"base": str(prefix), "platbase": str(prefix)}))


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory, build_cache: Path) -> Installed:
    """Build the wheel and install it into an environment that sees our dependencies but not the checkout."""
    directory = tmp_path_factory.mktemp("wheel")
    run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", directory], ROOT)
    (wheel,) = directory.glob("*.whl")

    prefix = directory / "installed"
    run([sys.executable, "-m", "venv", "--without-pip", prefix], directory)
    # A line of a .pth file adds the directory only: the .pth of an editable installation in it does not count.
    dependencies = dict.fromkeys((sysconfig.get_path("purelib"), sysconfig.get_path("platlib")))
    (site_packages(prefix) / "dependencies.pth").write_text("".join(f"{path}\n" for path in dependencies))
    options = ["--quiet", "--no-deps", "--no-index", "--ignore-installed", "--disable-pip-version-check"]
    pip = [sys.executable, "-m", "pip", "--python", str(prefix / "bin" / "python"), "install", *options]
    run([*pip, wheel], directory)

    elsewhere = directory / "elsewhere"
    elsewhere.mkdir()
    # The cache goes by the content of all sources, so what this session has built may be taken from it.
    (directory / "cache" / "ngcctui").mkdir(parents=True)
    (directory / "cache" / "ngcctui" / "build").symlink_to(build_cache, target_is_directory=True)
    environ = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(elsewhere),
        "XDG_CACHE_HOME": str(directory / "cache"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return Installed(prefix, elsewhere, environ)


def files_below(directory: Path) -> dict[str, int]:
    """Every file with its size."""
    return {
        str(path.relative_to(directory)): path.stat().st_size
        for path in directory.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_schemes_and_campaigns_come_from_the_package(installed: Installed) -> None:
    found = json.loads(installed.run("list", "--json"))
    share = installed.package / "_share"
    bundled = sorted(path.parent.name for path in (ROOT / "schemes").glob("*/scheme.toml"))
    assert sorted(scheme["key"] for scheme in found["schemes"]) == bundled
    for scheme in found["schemes"]:
        assert Path(scheme["origin"]) == share / "schemes" / scheme["key"]
    names = sorted(path.stem for path in (ROOT / "campaigns").glob("*.toml"))
    assert sorted(campaign["name"] for campaign in found["campaigns"]) == names
    for campaign in found["campaigns"]:
        assert Path(campaign["origin"]).parent == share / "campaigns"


def test_a_run_from_the_installed_package(installed: Installed) -> None:
    before = files_below(installed.package)
    runs = installed.elsewhere / "runs"
    # Not the default core: a run of someone else is more likely there, and this one would wait for it.
    where = ("--runs", str(runs), "--core", str(min(os.sched_getaffinity(0))), "--wait")
    what = (
        "--only",
        "iccs/sm3hash-256/hash_32",
        "--only",
        "sign-17/OPSsig-128",
        "--trials",
        "1",
        "--target",
        "0.01",
    )
    try:
        printed = installed.run("--batch", "quick", "--quiet", *where, *what)
    except subprocess.TimeoutExpired:
        installed.run("stop", "--runs", runs)  # The engine is a process of its own.
        raise
    assert "OPSsig-128" in printed

    (directory,) = runs.iterdir()
    events = [json.loads(line) for line in (directory / "journal.jsonl").read_text().splitlines()]
    ended = {event["step"]: event["data"]["outcome"] for event in events if event["event"] == "step_end"}
    assert {step: ended[step] for step in ended if step.startswith(("build", "kat"))} == {
        "build:iccs/sm3hash-256": "PASS",
        "build:sign-17/OPSsig-128": "PASS",
        "kat:iccs/sm3hash-256": "PASS",
        "kat:sign-17/OPSsig-128": "PASS",
    }
    timed = {step: outcome for step, outcome in ended.items() if not step.startswith(("build", "kat"))}
    assert len(timed) == 3 * 4 and set(timed.values()) == {"done"}, timed
    assert events[-1]["data"] == {"reason": "finished", "exit": 0}
    for key in ("iccs", "sign-17"):
        assert {path.suffix for path in (directory / "report" / key).iterdir()} >= {".md", ".toml"}
    # An installation may be read-only.
    assert files_below(installed.package) == before
