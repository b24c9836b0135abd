"""How long a campaign will take: from earlier runs on this machine, else from published figures, else nothing is known."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from ngcctui.catalog import Resolved
from ngcctui.data_dirs import published_systems, registries
from ngcctui.durations import span
from ngcctui.engine.estimate import Estimate, Remaining, estimate
from ngcctui.engine.host.environment import identity
from ngcctui.engine.host.processor import architecture, cpu_model
from ngcctui.engine.host.topology import online_cpus
from ngcctui.engine.rundir import list_runs
from ngcctui.engine.runstate import RunState
from ngcctui.engine.state import Follower
from ngcctui.model.errors import NgccError
from ngcctui.model.scheme import Function, Scheme
from ngcctui.model.step import Kind, Step
from ngcctui.report.dataset import page_file
from ngcctui.report.page import Page
from ngcctui.report.published import read_published
from ngcctui.report.systems import System, processor_model, registered
from ngcctui.report.tables import PerformanceRow

#: Earlier runs that are looked at, the newest first.
MAX_RUNS = 20
#: What the build of one instance usually takes, seconds.
BUILD_S = 3.0
#: Nothing measured takes longer (30 years, ns): such a number came from no engine.
_LONGEST_NS = 1e18
_PHASES = {
    "build": (Kind.BUILD,),
    "KAT": (Kind.KAT,),
    "measure": (Kind.CALIBRATE, Kind.MEASURE),
    "profile": (Kind.PROFILE,),
}


@dataclass(frozen=True)
class Knowledge:
    """What is known of calls and steps before they run.

    `calls` is ns of one call by `scheme/instance/operation`, `steps` seconds by step id; `earlier` are the calls known
    from runs on this machine, the others are published for `system`.
    """

    calls: Mapping[str, float] = field(default_factory=dict)
    steps: Mapping[str, float] = field(default_factory=dict)
    earlier: frozenset[str] = frozenset()
    system: str = ""


def gather(
    runs: Path,
    schemes: Iterable[Scheme],
    root: Path = Path("/"),
    environ: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> Knowledge:
    """Everything known of `schemes`; a run or a file that cannot be read is passed over.

    `environ` and `cwd` are this process's where they are not given.
    """
    environ, cwd = os.environ if environ is None else environ, cwd or Path.cwd()
    cpu = identity(root).cpu
    earlier: dict[str, float] = {}
    steps: dict[str, float] = {}
    for run in islice(list_runs(runs), MAX_RUNS):
        try:
            state = Follower(run.journal).poll()
        except NgccError:
            continue
        if state.sessions and state.sessions[-1].cpu == cpu:
            earlier = _calls(state) | earlier
            steps = _durations(state) | steps
    system, pages = _likest([scheme.key for scheme in schemes], root, environ, cwd)
    return Knowledge(_published(pages) | earlier, steps, frozenset(earlier), system)


def _place(step: Step) -> str:
    return f"{step.scheme}/{step.instance}/{step.operation}"


def _calls(state: RunState) -> dict[str, float]:
    found = {}
    for entry in state.steps.values():
        t1_ns = entry.summary.get("t1_ns")
        if entry.step.kind is Kind.CALIBRATE and isinstance(t1_ns, (int, float)) and 0 < t1_ns < _LONGEST_NS:
            found[_place(entry.step)] = float(t1_ns)
    return found


def _durations(state: RunState) -> dict[str, float]:
    return {
        str(entry.step): entry.duration_ns / 1e9
        for entry in state.steps.values()
        if entry.step.kind in (Kind.BUILD, Kind.KAT) and entry.duration_ns is not None and not entry.failed
    }


def _likest(
    keys: Sequence[str], root: Path, environ: Mapping[str, str], cwd: Path
) -> tuple[str, dict[str, Page]]:
    """The system whose published figures tell most of this machine, and its pages of these schemes.

    One with the same processor, else the first registered one of the same architecture; nothing when none has figures.
    """
    places = published_systems(environ, cwd)
    known = _registered(registries(environ, cwd))
    model, machine = cpu_model(root, min(online_cpus(root))), architecture(root)
    same = [name for name, system in known.items() if processor_model(system.processor) == model]
    others = [name for name in places if name not in known]
    alike = [name for name, system in known.items() if system.architecture == machine]
    for name in (*same, *others, *alike):
        pages = _pages(places[name], keys) if name in places else {}
        if pages and (name in known or any(_processor(page) == model for page in pages.values())):
            return name, pages
    return "", {}


def _registered(files: Iterable[Path]) -> dict[str, System]:
    found: dict[str, System] = {}
    for path in files:
        try:
            found |= registered([path])
        except NgccError:
            continue
    return found


def _pages(directory: Path, keys: Iterable[str]) -> dict[str, Page]:
    """What was published of schemes in a directory of figures, by key."""
    found = {}
    for key in keys:
        path = page_file(directory, key)
        try:
            if path is not None:
                found[key] = read_published(path)
        except NgccError:
            continue
    return found


def _processor(page: Page) -> str:
    row = next((row.value for row in page.environment if row.item == "processor"), "")
    return processor_model(row)


def _published(pages: Mapping[str, Page]) -> dict[str, float]:
    found: dict[str, float] = {}
    for key, page in pages.items():
        for row in page.performance:
            if row.mean_ns is not None:
                name = row.operation if isinstance(row, PerformanceRow) else f"hash_{row.message_bytes}"
                found[f"{key}/{row.instance}/{name}"] = row.mean_ns
    return found


def rest_of(resolved: Resolved, knowledge: Knowledge) -> list[Remaining]:
    """Every step of a campaign that has not begun, with what is known of it."""
    return [_remaining(step, resolved, knowledge) for step in resolved.steps]


def _remaining(step: Step, resolved: Resolved, knowledge: Knowledge) -> Remaining:
    took = knowledge.steps.get(str(step))
    if step.kind is Kind.BUILD:
        return Remaining(step.kind, typical_s=took if took is not None else BUILD_S)
    if step.kind is Kind.KAT:
        return Remaining(step.kind, typical_s=took if took is not None else _kat_s(step, resolved, knowledge))
    place = _place(step)
    return Remaining(step.kind, knowledge.calls.get(place), place in knowledge.earlier)


def _kat_s(step: Step, resolved: Resolved, knowledge: Knowledge) -> float | None:
    """The KAT of a signature makes a key, a signature and two verifications for each record."""
    scheme = next(scheme for scheme in resolved.schemes if scheme.key == step.scheme)
    if scheme.file.function is not Function.SIGNATURE:
        return None
    calls = [
        knowledge.calls.get(f"{step.scheme}/{step.instance}/{name}") for name in ("keygen", "sign", "verify")
    ]
    if any(call is None for call in calls):
        return None
    keygen, sign, verify = (call or 0.0 for call in calls)
    records = resolved.campaign.kat.records or scheme.instance(step.instance).kat.covered
    return records * (keygen + sign + 2 * verify) / 1e9


def basis(resolved: Resolved, knowledge: Knowledge) -> str:
    """What an estimate stands on, in a few words."""
    places = {_place(step) for step in resolved.steps if step.kind is Kind.MEASURE}
    earlier = len(places & knowledge.earlier)
    published = len(places & knowledge.calls.keys()) - earlier
    unknown = len(places) - earlier - published
    parts = [
        f"{earlier} from earlier runs here" if earlier else "",
        f"{published} from figures published for {knowledge.system}, within a factor of 2"
        if published
        else "",
        f"{unknown} not at all" if unknown else "",
    ]
    return f"calls known: {', '.join(part for part in parts if part) or 'none to time'}"


def told(found: Estimate) -> str:
    """An estimate in words, honest about steps that nothing is known of."""
    known = span(found.low_s, found.high_s)
    return f"{known} and {found.unknown} steps of unknown length" if found.unknown else known


def phases(resolved: Resolved, rest: Sequence[Remaining], workers: int) -> dict[str, Estimate]:
    """The estimate of each phase that has steps, and of all."""
    parts = {name: [step for step in rest if step.kind in kinds] for name, kinds in _PHASES.items()}
    found = {name: estimate(part, resolved.campaign, workers) for name, part in parts.items() if part}
    return found | {"all": estimate(rest, resolved.campaign, workers)}


def plan_lines(
    resolved: Resolved, rest: Sequence[Remaining], workers: int, core: int, knowledge: Knowledge
) -> list[str]:
    """The plan in lines."""
    chosen = resolved.chosen
    counts = f"instances {len(chosen)}, operations {sum(len(c.operations) for c in chosen)}, steps {len(resolved.steps)}"
    lines = [f"campaign {resolved.campaign.name}: {counts}"]
    for item in chosen:
        names = " ".join(operation.name for operation in item.operations) or "build and KAT only"
        lines.append(f"  {item.scheme.key}/{item.instance.name}: {names}")
    planning = resolved.campaign.planning
    lines.append(
        f"core {core}, {planning.trials} trials of {planning.target_s:g} s, budget {planning.budget_s:g} s, "
        f"repeats {planning.repeats}, inputs {resolved.campaign.inputs.value}"
    )
    times = phases(resolved, rest, workers)
    parts = [f"{name} {told(found)}" for name, found in times.items() if name != "all"]
    total = times["all"]
    lines.append(f"time: {', '.join(parts)}; in all {told(total)}")
    lines.append(basis(resolved, knowledge))
    return lines
