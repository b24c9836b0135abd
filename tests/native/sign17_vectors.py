"""The vectors of sign-17."""

from __future__ import annotations

import json
import tomllib
from typing import Any

from sign17_library import SCHEME
from workshop import ROOT

VECTORS: dict[str, Any] = json.loads((ROOT / "tests" / "data" / "sign-17-vectors.json").read_text())[
    "instances"
]
MANIFEST: dict[str, Any] = {
    i["name"]: i for i in tomllib.loads((SCHEME / "scheme.toml").read_text())["instance"]
}
RECORDS: dict[str, Any] = tomllib.loads((SCHEME / "kat-records.toml").read_text())
DETAILED = [(name, record["count"]) for name, v in VECTORS.items() for record in v["records"]]


def detailed(name: str, count: int) -> dict[str, Any]:
    """The record of that number, with its intermediate values."""
    found: list[dict[str, Any]] = [r for r in VECTORS[name]["records"] if r["count"] == count]
    return found[0]
