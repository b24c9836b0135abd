"""`ngcctui system list|add`: the machines whose figures go by a name."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from ngcctui.console import console, one_line
from ngcctui.data_dirs import registries, writable_data
from ngcctui.engine.host import choose_core, environment
from ngcctui.engine.host.processor import architecture
from ngcctui.engine.store import Storage
from ngcctui.engine.toolchain import find_toolchain
from ngcctui.model.codec import encode
from ngcctui.model.errors import ConfigError, ExitCode
from ngcctui.report.systems import add_system, read_systems, this_system


def run(args: argparse.Namespace) -> int:
    """Do what was asked."""
    return _add(args) if args.what == "add" else _list(args)


def _list(args: argparse.Namespace) -> int:
    """Every registered system and the file it comes from."""
    out = console(args)
    known = read_systems(registries(os.environ, Path.cwd()))
    if out.json:
        out.data_json([encode(system) | {"file": str(path)} for system, path in known.values()])
        return int(ExitCode.DONE)
    width = max((len(name) for name in known), default=0)
    for name, (system, path) in known.items():
        out.data(
            one_line(f"{name:<{width}}  {system.architecture}  {system.processor}; {system.clock}  {path}")
        )
    return int(ExitCode.DONE)


def _add(args: argparse.Namespace) -> int:
    """Register this machine; prints the file."""
    known = read_systems(registries(os.environ, Path.cwd()))
    if args.id in known:
        raise ConfigError(f"system {args.id} is registered already ({known[args.id][1]}); take another name")
    root = Path("/")
    core = choose_core(root, os.sched_getaffinity(0), args.core)
    facts = environment(root, core, find_toolchain().version)
    system = this_system(args.id, architecture(root), facts, args.machine)
    path = writable_data(args.to, os.environ, Path.cwd()) / "systems.toml"
    add_system(system, path, Storage())
    out = console(args)
    if out.json:
        out.data_json({"file": str(path), "system": encode(system)})
    else:
        out.data(str(path))
        out.talk(f"{system.id}: {system.processor}; give `--system {system.id}` to the runs of this machine")
    return int(ExitCode.DONE)
