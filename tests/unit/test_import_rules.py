"""Who may import whom, read from the sources, and what is really loaded, seen in fresh interpreters."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SRC = Path(__file__).resolve().parents[2] / "src"
PACKAGE = SRC / "ngcctui"

#: What each part may import of ours; a module outside the parts may import everything but the screens.
ALLOWED = {
    "model": ("model",),
    "engine": ("engine", "model", "share", "collector"),
    "report": ("report", "model", "engine", "share", "collector"),
}
#: The report reads a run; it starts, measures and asks for nothing.
REPORT_ENGINE = {
    "engine.journal",
    "engine.liveness",
    "engine.plan",
    "engine.rundir",
    "engine.runstate",
    "engine.state",
    "engine.stats",
    "engine.store",
}


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def imported(path: Path) -> set[str]:
    """Our modules that a source imports, wherever in it, without the leading `ngcctui.`."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found.add(node.module or "")
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name.removeprefix("ngcctui.") for name in found if name.startswith("ngcctui.")}


@pytest.mark.parametrize(("name", "path"), [pytest.param(n, p, id=n or "ngcctui") for n, p in modules()])
def test_imports(name: str, path: Path) -> None:
    part = name.partition(".")[0]
    names = imported(path)
    if part != "tui":
        assert not any(used.partition(".")[0] == "tui" for used in names) or name == "cli"
    if part in ALLOWED:
        strangers = {used for used in names if used.partition(".")[0] not in ALLOWED[part]}
        assert strangers - {"__version__"} == set()
    if part == "report":
        used = {".".join(u.split(".")[:2]) for u in names if u.startswith("engine.")}
        assert used <= REPORT_ENGINE


def loaded(code: str, *, env: dict[str, str] | None = None) -> set[str]:
    """Top-level modules (and ours in full) that a fresh interpreter has loaded after `code`."""
    script = f"{code}\nimport sys, json\nsys.stderr.write('\\n' + json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | {"PYTHONPATH": str(SRC)} | (env or {}),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stderr.splitlines()[-1]))


def test_the_engine_loads_no_screen_and_no_library_it_does_not_need() -> None:
    names = loaded("import ngcctui.engine.service")
    assert not names & {"textual", "rich", "cffi", "msgspec", "ngcctui.tui", "ngcctui.report", "ngcctui.cli"}


def test_the_engine_runs_without_openssl() -> None:
    loaded(
        "from ngcctui.engine.lean import without_openssl\n"
        "without_openssl()\n"
        "import ngcctui.engine.service\n"
        "from ngcctui.engine.store import sha256_bytes\n"
        "assert sha256_bytes(b'abc').startswith('ba7816bf')\n"
        "assert 'libcrypto' not in open('/proc/self/maps').read()"
    )


def test_help_loads_no_command() -> None:
    names = loaded("from ngcctui.arguments import command_parser\ncommand_parser().format_help()")
    ours = {name for name in names if name.startswith("ngcctui.")}
    assert ours == {"ngcctui.arguments", "ngcctui.model", "ngcctui.model.errors"}


BATCH = """
import sys
import ngcctui.run_engine
fake = {fake!r}
ngcctui.run_engine.engine_argv = lambda run, options: [sys.executable, fake, str(run.path), {script!r}]
from ngcctui.cli import main
assert main(["--batch", "quick", "--runs", {runs!r}, *{options!r}]) == 4
"""


@pytest.mark.parametrize("options", [[], ["--quiet"], ["--json"]])
def test_batch_on_a_pipe_loads_neither_textual_nor_rich(tmp_path: Path, options: list[str]) -> None:
    script = [
        {
            "event": "run_start",
            "data": {"run": "r", "campaign": "quick", "steps": ["kat:sign-17/OPSsig-128"]},
        },
        {"event": "session_start", "data": {"core": 0}},
        {"event": "session_end", "data": {"reason": "stopped", "exit": 4}},
        {"exit": 4},
    ]
    fake = str(PACKAGE.parents[1] / "tests/engine/fake_engine.py")
    code = BATCH.format(fake=fake, script=json.dumps(script), runs=str(tmp_path), options=options)
    names = loaded(code, env={"TERM": "xterm-256color"})
    assert "ngcctui.batch.follow" in names
    assert not {"textual", "rich", "ngcctui.tui", "cffi"} & names
