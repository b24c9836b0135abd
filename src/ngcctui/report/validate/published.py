"""Figures that were published by others: only what they print can be held against each other."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

from ngcctui.model.errors import ConfigError
from ngcctui.model.toml_file import read_toml
from ngcctui.report.dataset import page_paths
from ngcctui.report.page import Page
from ngcctui.report.published import read_published
from ngcctui.report.systems import System
from ngcctui.report.toml import page_toml
from ngcctui.report.validate.finding import RESTORE, Finding

_ENVIRONMENT = ("processor", "clock", "memory")


def validate_published(path: Path, systems: Mapping[str, System]) -> list[Finding]:
    """What is wrong with the pages of a directory of published figures.

    Each must print again exactly what it holds, and be of one registered system, whose machine it names.
    """
    found: list[Finding] = []
    names: set[str] = set()
    for file in page_paths(path):
        try:
            table, page = read_toml(file), read_published(file)
        except ConfigError as error:
            found.append(Finding(file.name, str(error).removeprefix(f"{file}: "), RESTORE))
            continue
        if tomllib.loads(page_toml(page)) != table:
            found.append(Finding(file.name, "does not print again as it is written", RESTORE))
        names.add(page.scheme.system)
        found += [Finding(file.name, problem, RESTORE) for problem in _machine(page, systems)]
        if page.scheme.id != file.stem:
            found.append(Finding(file.name, f"holds the figures of {page.scheme.id}", RESTORE))
    if len(names) > 1:
        found.append(
            Finding(path.name, f"holds figures of several systems: {', '.join(sorted(names))}", RESTORE)
        )
    return found


def _machine(page: Page, systems: Mapping[str, System]) -> list[str]:
    system = systems.get(page.scheme.system)
    if system is None:
        return [f"is of system {page.scheme.system}, which no registry knows"]
    rows = {row.item: row.value for row in page.environment}
    return [
        f"{item} is {rows.get(item)}, that of system {system.id} is {getattr(system, item)}"
        for item in _ENVIRONMENT
        if rows.get(item) != getattr(system, item)
    ]
