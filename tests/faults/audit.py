"""Look over a run directory after a fault: what is journalled must lie there whole, and nothing else may."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from faults.lab import read_events

from ngcctui.engine.calibrate_step import Calibration
from ngcctui.engine.rundir import RunDir
from ngcctui.engine.state import Status, fold
from ngcctui.engine.store import read_samples, sha256_file
from ngcctui.model.codec import decode
from ngcctui.model.event import Event, EventName
from ngcctui.model.record import ProfileRecord, Record
from ngcctui.model.step import Kind

#: Lists of remarks that differ from run to run: how busy the host was, which trials were disturbed.
_OF_THE_HOST = ("findings", "problems", "remarks")


def check_whole(run: RunDir) -> None:
    """Every file of an ended step is there with its digest; every record and samples file can be read.

    Of the steps without an end at most one can have left a newer record: the one that was being worked on.
    """
    state = fold(read_events(run))
    journalled: set[Path] = set()
    for entry in state.steps.values():
        if entry.status is Status.ENDED and entry.file is not None:
            path = run.inside(entry.file)
            assert path is not None
            assert sha256_file(path) == entry.sha256, entry.file
            journalled.add(path)
    found = _records(run)
    measured = (Kind.CALIBRATE, Kind.MEASURE, Kind.PROFILE)
    expected = {
        p for e in state.steps.values() if e.step.kind in measured and e.file and (p := run.inside(e.file))
    }
    assert expected <= found
    assert len(found - expected) <= 1, found - expected


def _records(run: RunDir) -> set[Path]:
    """Every record, calibration and profile of the run, each read and checked."""
    found: set[Path] = set()
    for path in [*run.path.glob("records/*/*.json"), *run.path.glob("profile/*/*.json")]:
        if path.name.startswith("."):
            continue  # the temporary file of a write that was cut off
        data = json.loads(path.read_bytes())
        if ".calibration." in path.name:
            decode(Calibration, data)
        elif path.parent.parent.name == "profile":
            decode(ProfileRecord, data)
        else:
            _check_record(run, decode(Record, data))
        found.add(path)
    return found


def _check_record(run: RunDir, record: Record) -> None:
    if record.samples_file is None:
        return
    # A kill between the two writes of a retried step leaves newer samples beside the older record.
    samples = read_samples(run.path / record.samples_file, record.samples_sha256)
    assert len(samples) == sum(trial.samples for trial in record.trials)


def starts_and_kills(events: Sequence[Event]) -> tuple[Counter[str], Counter[str]]:
    """How often each step was started, and how often it was running when its session ended."""
    starts: Counter[str] = Counter()
    kills: Counter[str] = Counter()
    running: set[str] = set()
    for event in events:
        if event.event is EventName.SESSION_START:
            kills.update(running)
            running = set()
        elif event.event is EventName.STEP_START:
            starts[str(event.step)] += 1
            running.add(str(event.step))
        elif event.event is EventName.STEP_END:
            running.discard(str(event.step))
    kills.update(running)
    return starts, kills


def report_shape(run: RunDir, system: str = "local") -> set[str]:
    """Structure of the TOML pages: the path of every value and its type, without what the host was like meanwhile."""
    pages = sorted(run.path.glob(f"report/*/perf_{system}.toml"))
    assert pages
    return {
        line for page in pages for line in _shape(page.parent.name, tomllib.loads(page.read_text("utf-8")))
    }


def _shape(path: str, value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            if key in _OF_THE_HOST:
                continue
            yield from _shape(f"{path}.{key}", item)
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _shape(f"{path}[{number}]", item)
    else:
        yield f"{path}: {type(value).__name__}"
