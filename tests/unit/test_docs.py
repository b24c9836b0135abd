"""The documents name every key, option value and default that the program has."""

from __future__ import annotations

import dataclasses
import typing
from enum import Enum
from pathlib import Path
from typing import Any

import pytest

from ngcctui.arguments import command_parser
from ngcctui.model.campaign import Campaign, campaign_toml
from ngcctui.model.errors import ExitCode
from ngcctui.model.scheme import Build, Instance, KatSpec, SchemeFile

ROOT = Path(__file__).resolve().parents[2]


def rows(text: str) -> dict[str, list[str]]:
    """Cells of every table row by the key (or keys) in its first cell."""
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.startswith("| `"):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            for key in cells[0].split(", "):
                found[key.strip("`")] = cells
    return found


def written(value: Any) -> str:
    """A default as TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "[" + ", ".join(written(item) for item in value) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)


CAMPAIGN = campaign_toml(Campaign("x"))


@pytest.mark.parametrize("table", ["", *(key for key, value in CAMPAIGN.items() if isinstance(value, dict))])
def test_every_key_of_a_campaign_has_its_default(table: str) -> None:
    parts = (ROOT / "docs/campaign.md").read_text().split("\n## ")
    text = next(part for part in parts if part.startswith(f"[{table}]")) if table else parts[0]
    keys = CAMPAIGN[table] if table else {key: CAMPAIGN[key] for key in ("name", "inputs")}
    known = rows(text)
    assert set(known) == set(keys)
    for key, value in keys.items():
        if key != "name":
            assert f"`{written(value)}`" in known[key], key


def test_every_option_named_for_a_key_exists() -> None:
    text = (ROOT / "docs/campaign.md").read_text()
    run = command_parser().parse_args(["run", "x"])
    named = {
        word.strip("`")
        for cells in rows(text).values()
        for word in cells[-1].replace(",", "").split()
        if "--" in word
    }
    assert len(named) > 10
    for option in named:
        name = option.removeprefix("--").removeprefix("no-").replace("-", "_")
        assert hasattr(run, name), option


def test_every_key_of_a_scheme_is_documented() -> None:
    known = rows((ROOT / "docs/scheme.md").read_text())
    wanted = {f.name for f in dataclasses.fields(SchemeFile)} - {"build", "instance", "symmetric"}
    wanted |= {f.name for f in dataclasses.fields(Build)}
    wanted |= {f.name for f in dataclasses.fields(Instance)} - {"kat"}
    wanted |= {f"kat.{f.name}" for f in dataclasses.fields(KatSpec)}
    wanted |= {"symmetric.verdict", "symmetric.note"}
    assert set(known) == wanted


def test_every_value_of_a_choice_is_documented() -> None:
    texts = {name: (ROOT / f"docs/{name}.md").read_text() for name in ("campaign", "scheme")}
    for name, cls in (("campaign", Campaign), ("scheme", SchemeFile)):
        for choice in _choices(cls):
            assert f"`{choice.value}`" in texts[name], choice


def _choices(cls: type) -> list[Enum]:
    found: list[Enum] = []
    for hint in typing.get_type_hints(cls).values():
        if isinstance(hint, type) and issubclass(hint, Enum):
            found += list(hint)
        elif isinstance(hint, type) and dataclasses.is_dataclass(hint):
            found += _choices(hint)
    return found


def test_the_readme_names_every_command_and_exit_code() -> None:
    text = (ROOT / "README.md").read_text()
    for code in ExitCode:
        assert f"\n| {int(code)} | " in text
    helped = command_parser().format_help()
    for command in (
        "run",
        "resume",
        "status",
        "stop",
        "control",
        "check",
        "plan",
        "list",
        "new-scheme",
        "report",
        "validate",
        "compare",
        "publish",
        "system",
    ):
        assert f"ngcctui {command}" in text or f"`ngcctui\n  {command}" in text, command
        assert f"\n    {command}" in helped
