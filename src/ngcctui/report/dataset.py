"""A published dataset: what the pages of one run cite, in a directory of its own.

It is a run directory without what no page cites (sources, build logs, profile libraries, control files), with a file that
tells what it is, the digests of all its files, and the pages' figures once more as `<key>.toml`, the form in which figures
published by others lie there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import tomli_w

from ngcctui.engine.rundir import RunDir, open_run
from ngcctui.model.codec import encode
from ngcctui.model.errors import ConfigError
from ngcctui.model.toml_file import load
from ngcctui.report.page import Page
from ngcctui.report.published import read_published

SCHEMA = 1
HEAD = "dataset.toml"
SUMS = "SHA256SUMS"
_SUM = re.compile(r"([0-9a-f]{64})  (\S.*)")
#: Files beside the pages that are none.
_NO_PAGES = frozenset({HEAD, "campaign.toml", "systems.toml"})


@dataclass(frozen=True)
class Dataset:
    """dataset.toml: which system and run, who made it (`ngcctui 0.1.0`), and the digest of SHA256SUMS."""

    system: str
    run: str
    program: str
    sums_sha256: str
    schema: int = SCHEMA


def is_dataset(path: Path) -> bool:
    """True for the directory of a published dataset."""
    return (path / HEAD).is_file()


def read_head(path: Path) -> Dataset:
    """dataset.toml of a dataset; ConfigError when it is damaged or of a later schema."""
    head = load(Dataset, path / HEAD)
    if head.schema > SCHEMA:
        raise ConfigError(
            f"{path / HEAD}: is of schema {head.schema}, newer than this program knows ({SCHEMA})"
        )
    return head


def head_toml(head: Dataset) -> bytes:
    """The content of dataset.toml."""
    return tomli_w.dumps(encode(head)).encode()


def open_dataset(path: Path) -> RunDir:
    """The evidence of a dataset, as a run; ConfigError when it is none."""
    read_head(path)
    return open_run(path)


def sums_text(digests: Mapping[str, str]) -> bytes:
    """SHA256SUMS as sha256sum writes and checks it: a digest and a path a line, by path."""
    return "".join(f"{digests[name]}  {name}\n" for name in sorted(digests)).encode()


def parse_sums(text: str) -> dict[str, str]:
    """Digest by path; ValueError names the line that is none."""
    found: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        match = _SUM.fullmatch(line)
        if match is None or match[2] in found:
            raise ValueError(f"line {number} is no digest and path, or a path is there twice")
        found[match[2]] = match[1]
    return found


def page_paths(path: Path) -> list[Path]:
    """The page files at `path`: itself, or those directly in the directory."""
    if path.is_file():
        return [path]
    return [entry for entry in sorted(path.glob("*.toml")) if entry.name not in _NO_PAGES]


def page_file(directory: Path, key: str) -> Path | None:
    """The page of a scheme in a directory of published figures; they go by key, or by the id alone; None without one."""
    names = dict.fromkeys((key, key.partition("@")[0]))
    return next((path for name in names if (path := directory / f"{name}.toml").is_file()), None)


def published_pages(path: Path) -> list[Page]:
    """The pages in a file or directory; ConfigError when there is none or one cannot be read."""
    pages = [read_published(entry) for entry in page_paths(path)]
    if not pages:
        raise ConfigError(f"{path}: holds no published page (<id>.toml)")
    return pages
