"""A dataset against its own list of digests, and the figures in it against its pages."""

from __future__ import annotations

from collections.abc import Mapping

from ngcctui.engine.store import sha256_bytes
from ngcctui.model.errors import ConfigError
from ngcctui.report.dataset import HEAD, SUMS, parse_sums, read_head
from ngcctui.report.source import Unreadable, read_regular
from ngcctui.report.validate.evidence import Evidence
from ngcctui.report.validate.files import files_below
from ngcctui.report.validate.finding import AGAIN, REMOVE


def check_sums(evidence: Evidence, pages: Mapping[str, bytes]) -> None:
    """Every file of the dataset is listed and unchanged, and nothing else is there; `pages` are those of its report."""
    root = evidence.run.path
    try:
        head = read_head(root)
        data = read_regular(root / SUMS)
        listed = parse_sums(data.decode("utf-8", "replace"))
    except (ConfigError, Unreadable, ValueError) as error:
        name = HEAD if isinstance(error, ConfigError) else SUMS
        evidence.tell(name, str(error).replace(f"{root}/", ""), AGAIN)
        return
    if head.sums_sha256 != sha256_bytes(data):
        evidence.tell(SUMS, f"is not the list that {HEAD} names (its SHA-256 differs)", AGAIN)
    if evidence.campaign is not None and head.system != evidence.campaign.host.system:
        evidence.tell(HEAD, f"is of system {head.system}, the run of {evidence.campaign.host.system}", AGAIN)
    if head.run != evidence.state.run:
        evidence.tell(HEAD, f"is of run {head.run}, the journal of {evidence.state.run}", AGAIN)
    _check_files(evidence, listed)
    for key, data in figures(pages).items():
        found = listed.get(key)
        if found != sha256_bytes(data):
            evidence.tell(key, "does not hold the figures of the report", AGAIN)


def _check_files(evidence: Evidence, listed: Mapping[str, str]) -> None:
    root = evidence.run.path
    there = set(files_below(root)) - {HEAD, SUMS}
    for name in sorted(listed.keys() | there):
        if name not in listed:
            evidence.tell(name, f"is not listed in {SUMS}", REMOVE)
            continue
        if name not in there:
            evidence.tell(name, f"is listed in {SUMS}, but not there", AGAIN)
            continue
        digest = evidence.digests.get(name)
        try:
            digest = digest or sha256_bytes(read_regular(root / name))
        except Unreadable as error:
            evidence.tell(name, str(error), AGAIN)
            continue
        if digest != listed[name]:
            evidence.tell(
                name, f"was changed after it was published (its SHA-256 differs from that in {SUMS})", AGAIN
            )


def figures(pages: Mapping[str, bytes]) -> dict[str, bytes]:
    """The figures at the top of a dataset, `<key>.toml`, out of the files of its report."""
    found = {}
    for name, data in pages.items():
        parts = name.split("/")
        if len(parts) == 3 and parts[2].startswith("perf_") and parts[2].endswith(".toml"):
            found[f"{parts[1]}.toml"] = data
    return found
