"""`ngcctui check`: is this machine fit to measure?  `ngcctui check SCHEME…`: does a package build and pass its KATs?"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from ngcctui.commands.kat import prove_all, tell
from ngcctui.console import Console, console, one_line
from ngcctui.engine.host.core import choose_core
from ngcctui.engine.host.environment import environment
from ngcctui.engine.host.findings import Finding, findings
from ngcctui.engine.host.fix_script import fix_script
from ngcctui.engine.toolchain import find_toolchain
from ngcctui.model.errors import ConfigError, ExitCode
from ngcctui.model.outcome import Outcome
from ngcctui.proof import Proof

#: Lines of a failed build that are shown.
_LOG_LINES = 40


def run(args: argparse.Namespace) -> int:
    """Exit 3 when a finding would stop a strict campaign, exit 1 when an instance does not pass."""
    if args.scheme:
        if args.script:
            raise ConfigError("--script is about this machine: give no SCHEME with it")
        return prove_all(args, _tell_more)
    return _host(args, console(args))


def _host(args: argparse.Namespace, out: Console) -> int:
    root, allowed = Path("/"), os.sched_getaffinity(0)
    core = choose_core(root, allowed, args.core)
    compiler, found = _compiler()
    found += findings(root, core, allowed)
    if args.script:
        out.data(fix_script(found))
        return int(ExitCode.DONE)
    blocking = any(finding.blocking for finding in found)
    facts = environment(root, core, compiler)
    if out.json:
        rows = [{k: getattr(f, k) for k in ("key", "text", "blocking", "command", "undo")} for f in found]
        out.data_json({"core": core, "environment": facts, "findings": rows})
    else:
        _print(out, core, facts, found)
    return int(ExitCode.HOST if blocking else ExitCode.DONE)


def _compiler() -> tuple[str, tuple[Finding, ...]]:
    try:
        return find_toolchain().version, ()
    except ConfigError as error:
        return "none", (Finding("compiler", str(error), blocking=True),)


def _print(out: Console, core: int, facts: dict[str, str], found: tuple[Finding, ...]) -> None:
    if not out.quiet:
        out.data(f"core {core} would be measured on")
        for name, value in facts.items():
            out.data(one_line(f"{name}: {value}"))
    for finding in found:
        out.data(f"{'blocking' if finding.blocking else 'finding':<8} {one_line(finding.text)}")
        if finding.command:
            out.data(f"{'':<8} {finding.command}")
    blocking = sum(finding.blocking for finding in found)
    if blocking:
        out.talk(
            f"{blocking} of {len(found)} findings would stop a strict campaign; "
            "`ngcctui check --script` prints what mends them"
        )
    elif not found:
        out.talk("nothing found")


def _tell_more(proof: Proof, out: Console) -> None:
    tell(proof, out)
    if proof.outcome is Outcome.BUILDFAIL:
        for line in proof.log.splitlines()[-_LOG_LINES:]:
            out.error(f"  {line}")
    elif proof.outcome is Outcome.NOKAT:
        out.talk(f"{proof.scheme}/{proof.instance}: scheme.toml has no kat.sha256 to compare with")
