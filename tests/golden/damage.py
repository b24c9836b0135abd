"""Ways to spoil a run: plainly, and as somebody would who also mends the digests."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from golden.synthetic import QuickStorage

from ngcctui.engine.rundir import RunDir
from ngcctui.engine.store import read_samples, sha256_bytes, sha256_file, write_samples
from ngcctui.model.step import Step

Change = Callable[[dict[str, Any]], object]


def replace_in(path: Path, old: bytes, new: bytes) -> None:
    """Replace the first `old` in a file, which has to be there."""
    data = path.read_bytes()
    assert old in data, f"{path} has no {old!r}"
    path.write_bytes(data.replace(old, new, 1))


def edit_journal(run: RunDir, change: Callable[[list[dict[str, Any]]], object]) -> None:
    """Let `change` edit the list of events; seq is left as it makes it."""
    events = [json.loads(line) for line in run.journal.read_bytes().splitlines()]
    change(events)
    lines = [json.dumps(event, separators=(",", ":")).encode() for event in events]
    run.journal.write_bytes(b"\n".join(lines) + b"\n")


def edit_events(run: RunDir, name: str, change: Change, step: str | None = None) -> None:
    """Change the data of every event called `name` (of `step`)."""

    def each(events: list[dict[str, Any]]) -> None:
        found = [event for event in events if event["event"] == name and step in (None, event.get("step"))]
        assert found
        for event in found:
            change(event.setdefault("data", {}))

    edit_journal(run, each)


def edit_record(run: RunDir, text: str, change: Change, *, mend: bool = True) -> Path:
    """Change the JSON file that a step left; with `mend` its digest in the journal is made to fit."""
    path = file_of(run, text)
    data = json.loads(path.read_bytes())
    change(data)
    path.write_bytes(json.dumps(data, indent=1).encode() + b"\n")
    if mend:
        mend_digest(run, text)
    return path


def file_of(run: RunDir, text: str) -> Path:
    """The file that the last step_end of a step names."""
    events = [json.loads(line) for line in run.journal.read_bytes().splitlines()]
    ends = [event for event in events if event["event"] == "step_end" and event.get("step") == text]
    return run.inside(ends[-1]["data"]["file"])


def mend_digest(run: RunDir, text: str) -> None:
    """Let the journal name the digest that a step's file has now."""
    digest = sha256_file(file_of(run, text))
    edit_events(run, "step_end", lambda data: data.update(sha256=digest), text)


def edit_samples(run: RunDir, text: str, change: Callable[[Any], object]) -> None:
    """Change the timed values of a measure step, with all digests."""
    step = Step.parse(text)
    path = run.samples(step.scheme, step.instance, step.operation or "")
    values = read_samples(path, None)
    change(values)
    digest = write_samples(path, [values], QuickStorage())
    edit_record(run, text, lambda data: data.update(samples_sha256=digest))


def swap_library(run: RunDir, key: str, instance: str, data: bytes) -> str:
    """Put other bytes in the place of a library; returns their digest."""
    run.library(key, instance).write_bytes(data)
    return sha256_bytes(data)
