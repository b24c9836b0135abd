"""Libraries and KAT logs: the files are those of the journal, and each log is about the library that was measured."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ngcctui.engine.runstate import StepState
from ngcctui.model.outcome import Outcome
from ngcctui.model.scheme import KatSpec
from ngcctui.model.step import Kind
from ngcctui.report.validate.evidence import Evidence, ended
from ngcctui.report.validate.finding import retry

_LINE = re.compile(r"([A-Za-z][A-Za-z0-9 -]*): (.*)")
#: Only whole known answers, or record 0 alone, have a digest to be compared with.
_ONE_RECORD = "PASS (1 record)"


def check_libraries(evidence: Evidence) -> None:
    """The libraries of builds and KATs, and the KAT logs."""
    seen: set[str] = set()
    for kind in (Kind.BUILD, Kind.KAT):
        for entry in ended(evidence, kind):
            _check_files(evidence, entry, seen)
    for entry in ended(evidence, Kind.KAT):
        if entry.file is not None:
            data = evidence.read(entry.file, entry.sha256, retry(entry.step))
            if data is not None:
                text = data.decode("utf-8", "replace")
                for problem in (*_log(entry, text), *_verdict(evidence, entry)):
                    evidence.tell(entry.file, problem, retry(entry.step))


def _check_files(evidence: Evidence, entry: StepState, seen: set[str]) -> None:
    """Library and profile library of a step; the second stays behind when a run is published."""
    pairs = [("library", "library_sha256")]
    if not evidence.dataset:
        pairs.append(("profile_library", "profile_sha256"))
    for path_key, digest_key in pairs:
        path, digest = entry.summary.get(path_key), entry.summary.get(digest_key)
        if path is None and digest is None:
            continue
        if not isinstance(path, str) or not isinstance(digest, str):
            evidence.tell(
                str(entry.step),
                f"names its {path_key.replace('_', ' ')} without a file or digest",
                retry(entry.step),
            )
        elif path not in seen:
            seen.add(path)
            shown = path_key == "library"
            evidence.read(
                path, digest, retry(f"build:{entry.step.scheme}/{entry.step.instance}"), shown=shown
            )


def _log(entry: StepState, text: str) -> Iterator[str]:
    """The log says what the journal says of the test."""
    facts: dict[str, str] = {}
    for line in text.splitlines():
        found = _LINE.fullmatch(line)
        if found:
            facts.setdefault(found[1], found[2])
    summary = entry.summary
    wanted: dict[str, Any] = {
        "scheme": entry.step.scheme,
        "instance": entry.step.instance,
        "library SHA-256": summary.get("library_sha256"),
        "digest found": summary.get("sha256") or "none",
        "outcome": summary.get("label"),
    }
    for key, value in wanted.items():
        if facts.get(key) != value:
            yield f"its {key} is {facts.get(key, 'missing')}, the journal says {value}"


def _verdict(evidence: Evidence, entry: StepState) -> Iterator[str]:
    """PASS means the digest that scheme.toml expects, MISMATCH another one."""
    scheme = evidence.schemes.get(entry.step.scheme)
    if scheme is None or entry.outcome not in (Outcome.PASS, Outcome.MISMATCH):
        return
    try:
        spec = scheme.instance(entry.step.instance).kat
    except KeyError:
        return
    found = entry.summary.get("sha256")
    expected = _expected(spec, str(entry.summary.get("label")), entry.summary.get("records"))
    if entry.outcome is Outcome.PASS and found != expected:
        yield f"passed with digest {found}, scheme.toml expects {expected}"
    if entry.outcome is Outcome.MISMATCH and found is not None and found == expected:
        yield f"is called a mismatch, but its digest {found} is the expected one"


def _expected(spec: KatSpec, label: str, records: Any) -> str | None:
    return spec.record0_sha256 if label == _ONE_RECORD or records == 1 < spec.covered else spec.sha256
