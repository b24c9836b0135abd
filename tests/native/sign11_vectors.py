"""The vectors of sign-11, its manifest and the digests of its official records."""

from __future__ import annotations

import json
import tomllib
from typing import Any

from sign11_library import SCHEME
from workshop import ROOT

VECTORS: dict[str, Any] = json.loads((ROOT / "tests" / "data" / "sign-11-vectors.json").read_text())[
    "instances"
]
MANIFEST: dict[str, Any] = {
    i["name"]: i for i in tomllib.loads((SCHEME / "scheme.toml").read_text())["instance"]
}
RECORDS: dict[str, Any] = tomllib.loads((SCHEME / "kat-records.toml").read_text())


def published(system: str, table: str) -> list[dict[str, Any]]:
    """A table of the published page of a system."""
    path = ROOT / "data" / "published" / system / "sign-11.toml"
    rows: list[dict[str, Any]] = tomllib.loads(path.read_text())[table]
    return rows
