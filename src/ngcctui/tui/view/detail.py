"""Everything about one cell of the monitor, as labelled lines."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from ngcctui.batch.lines import number, step_figure
from ngcctui.engine.rundir import RunDir
from ngcctui.engine.runstate import Status, StepState, TrialState
from ngcctui.model.record import ProfileRecord, Record, Statistics
from ngcctui.model.step import Kind
from ngcctui.report import format as fmt
from ngcctui.report.rows import text_of
from ngcctui.report.tables import PerformanceRow
from ngcctui.tui.glyphs import Glyphs
from ngcctui.tui.view.cells import REPLANNED, operation_title, step_name
from ngcctui.tui.view.line import Line, Tone, fit, shown, wrap
from ngcctui.tui.view.pace import seconds

_LABEL = 11
#: Digits of a digest that are shown; the journal has all.
_DIGEST = 16
_SPARKS = 60
#: Reasons of disturbance that are told.
_REASONS = 12


@dataclass(frozen=True)
class Part:
    """One labelled paragraph; the label is empty where it goes on."""

    label: str
    text: str
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True)
class Published:
    """What was published for an operation on a system; `clock` as its page tells it."""

    system: str
    clock: str
    row: PerformanceRow


@dataclass(frozen=True)
class Evidence:
    """What the files of a cell's steps hold: records with their figures, profiles, and what is wrong with a file."""

    records: tuple[Record, ...] = ()
    profiles: tuple[ProfileRecord, ...] = ()
    published: tuple[Published, ...] = ()
    problems: tuple[str, ...] = ()


def page(parts: Sequence[Part], width: int, glyphs: Glyphs) -> list[Line]:
    """The paragraphs in lines of at most `width` cells."""
    lines: list[Line] = []
    room = max(width - _LABEL - 2, 8)
    for part in parts:
        if part.tone is Tone.TITLE:
            lines += [((f" {text}", Tone.TITLE),) for text in wrap(shown(part.text, glyphs), width - 2)]
            continue
        label = fit(f" {part.label}", _LABEL, glyphs)
        for text in wrap(shown(part.text, glyphs), room):
            lines.append(((label, Tone.TITLE), (f" {text}", part.tone)))
            label = " " * _LABEL
    return lines


def command(run: RunDir, entry: StepState) -> str:
    """The command that does this again, from the run's own campaign and sources."""
    step = entry.step
    only = "/".join(filter(None, (step.scheme, step.instance, step.operation)))
    words = ["ngcctui", "run", str(run.campaign_file), "--schemes", str(run.path / "schemes"), "--only", only]
    return shlex.join(words)


def cell_parts(run: RunDir, steps: Sequence[StepState], evidence: Evidence, glyphs: Glyphs) -> list[Part]:
    """What there is to say about the steps of one cell, the one that counts most last in `steps`."""
    if not steps:
        return [Part("", "there is no such step in this run")]
    measures = [entry for entry in steps if entry.step.kind is Kind.MEASURE]
    main = measures[-1] if measures else steps[-1]
    parts = [_title(main, evidence, glyphs)]
    for record in evidence.records:
        if record.statistics is not None:
            parts += _figures(record, record.statistics)
    parts += [part for entry in steps for part in _trials(entry, evidence, glyphs)]
    parts += [part for record in evidence.records for part in _memory(record)]
    parts += [part for entry in steps if entry.step.kind is Kind.PROFILE for part in _share(entry)]
    parts += [part for record in evidence.profiles for part in _calls(record)]
    parts += [_published(item) for item in evidence.published]
    parts += [part for entry in steps for part in _step(entry)]
    parts += [part for entry in steps for part in _evidence(entry)]
    parts += [Part("problem", problem, Tone.BAD) for problem in evidence.problems]
    return [*parts, Part("again", command(run, main))]


def _title(entry: StepState, evidence: Evidence, glyphs: Glyphs) -> Part:
    words = [step_name(entry.step), word(entry), entry.step.scheme]
    flags = text_of(entry.summary, "flags")
    for record in evidence.records:
        flags = record.flags
        words.append(f"inputs {record.inputs}")
        words.append(f"KAT {record.kat or 'not run'}")
    if flags:
        words.insert(3, f"{flags} flags")
    return Part("", f" {glyphs.dot} ".join(words), Tone.TITLE)


def word(entry: StepState) -> str:
    """Where a step stands, in a word."""
    return entry.outcome.value if entry.status is Status.ENDED and entry.outcome else entry.status.value


def _figures(record: Record, figures: Statistics) -> list[Part]:
    plan = record.plan
    n = f"n {figures.calls}" + (f" = {plan.trials} \N{MULTIPLICATION SIGN} {plan.iterations}" if plan else "")
    tried = [trial for trial in record.trials if trial.disturbed != REPLANNED]
    still = sum(bool(trial.disturbed) for trial in tried if trial.used)
    spread = ""
    if figures.interval_low_ns is not None and figures.interval_high_ns is not None:
        half = (figures.interval_high_ns - figures.interval_low_ns) / 2
        percent = f" \N{PLUS-MINUS SIGN}{half / figures.mean_ns * 100:.2g} %" if figures.mean_ns > 0 else ""
        name = (
            "repeatability, 95 %"
            if record.inputs == "fixed"
            else "95 %, approximate"
            if figures.approximate
            else "95 %"
        )
        spread = f"{percent} ({name}: {fmt.time_ns(figures.interval_low_ns, 5)} to {fmt.time_ns(figures.interval_high_ns, 5)})"
    counts = f"distinct calls {figures.distinct_calls}   rejected {record.rejected_trials}/{len(tried)}"
    counts += f"   still disturbed {still}" if still else ""
    counts += f"   signing retried {record.retries}" if record.retries else ""
    spots = ("min", "p5", "p25", "p50", "p75", "p95", "max")
    calls = "   ".join(f"{spot} {fmt.time_ns(getattr(figures, f'{spot}_ns'))}" for spot in spots)
    batch = f"   (in batches of {plan.batch})" if plan and plan.batch > 1 else ""
    return [
        Part("mean", f"{fmt.time_ns(figures.mean_ns)}{spread}   {n}"),
        Part(
            "median",
            f"{fmt.time_ns(figures.median_trial_ns)} of the trial means   ops/s {fmt.rate(figures.ops_per_second)}",
        ),
        Part("cycles", _cycles(record, figures)),
        Part("counts", counts, Tone.WARN if still else Tone.PLAIN),
        Part("calls", f"{calls}{batch}"),
    ]


def _cycles(record: Record, figures: Statistics) -> str:
    if figures.mean_cycles is None:
        why = next((trial.counter for trial in record.trials if trial.used and trial.counter != "cycles"), "")
        return f"{fmt.DASH}   not counted{f': {why}' if why else ''}"
    return f"{fmt.cycles(figures.mean_cycles)} mean   {fmt.cycles(figures.median_trial_cycles)} median of the trial means"


def _trials(entry: StepState, evidence: Evidence, glyphs: Glyphs) -> list[Part]:
    """The trial means, a sparkline of those that count, and why some are disturbed."""
    trials = entry.trials or _recorded_trials(entry, evidence)
    if not trials:
        return []
    used = [trial.mean_ns for trial in trials if trial.used]
    each = "   ".join(
        f"{trial.trial} {fmt.time_ns(trial.mean_ns)}{'' if trial.used else ' (not used)'}{'!' if trial.disturbed else ''}"
        for trial in trials[:_SPARKS]
    )
    parts = [Part("trials", each)]
    if len(used) > 1 and min(used) > 0:
        spread = (max(used) / min(used) - 1) * 100
        parts.append(Part("", f"{sparkline(used, glyphs)} lowest to highest +{spread:.2g} %"))
    reasons = [f"trial {trial.trial}: {', '.join(trial.disturbed)}" for trial in trials if trial.disturbed]
    if reasons:
        parts.append(Part("disturbed", "; ".join(list(dict.fromkeys(reasons))[:_REASONS]), Tone.WARN))
    return parts


def _recorded_trials(entry: StepState, evidence: Evidence) -> tuple[TrialState, ...]:
    """The used trials as the record has them, for a journal that has lost its own."""
    record = next((record for record in evidence.records if record.step == str(entry.step)), None)
    if record is None or record.statistics is None:
        return ()
    used = [trial for trial in record.trials if trial.used]
    return tuple(
        TrialState(t.trial, len(used), t.attempt, mean, t.wall_ns, t.cpu_ns, t.disturbed, True, t.started_utc)
        for t, mean in zip(used, record.statistics.trial_means_ns, strict=False)
    )


def sparkline(values: Sequence[float], glyphs: Glyphs) -> str:
    """One character for each value, the lowest and the highest of them at the ends of the scale."""
    values = values[-_SPARKS:]
    low, high = min(values), max(values)
    top = len(glyphs.sparks) - 1
    return "".join(
        glyphs.sparks[round((value - low) / (high - low) * top) if high > low else 0] for value in values
    )


def _memory(record: Record) -> list[Part]:
    memory = record.memory
    if memory.peak_rss_bytes is None and memory.static_bytes is None:
        return []
    static, baseline, peak = (
        fmt.kib(fmt.kib_floor(size))
        for size in (memory.static_bytes, memory.baseline_rss_bytes, memory.peak_rss_bytes)
    )
    sizes = "   ".join(f"{name.replace('_', ' ')} {size} B" for name, size in record.sizes.items())
    parts = [Part("memory", f"static {static}   baseline {baseline}   peak {peak}")]
    return [*parts, Part("sizes", sizes)] if sizes else parts


def _share(entry: StepState) -> list[Part]:
    """What the journal says of a profile."""
    if entry.status is not Status.ENDED:
        return []
    shares = [fmt.share(number(entry.summary, key)) for key in ("hash_share", "drng_share")]
    return [
        Part(
            "helpers",
            f"{operation_title(entry.step.operation or '')}: hash functions {shares[0]}   DRNG {shares[1]}",
        )
    ]


def _calls(record: ProfileRecord) -> list[Part]:
    if not record.operations:
        return []
    calls: dict[str, int] = {}
    for call in record.calls:
        calls[call.function] = calls.get(call.function, 0) + call.calls
    each = ", ".join(f"{name} {count / record.operations:.3g}" for name, count in sorted(calls.items()))
    n = f"n {record.operations}"
    told = (
        f"{operation_title(record.operation)}: {each or 'none'} a call ({n}, ticks of {record.tick_source})"
    )
    if not record.intercepted:
        return [
            Part("calls", f"{told}: not all were seen, so the share is unknown: {record.detail}", Tone.WARN)
        ]
    return [Part("calls", told)]


def _published(item: Published) -> Part:
    figures = f"{fmt.time_ns(item.row.mean_ns)} ({fmt.cycles(item.row.mean_cycles)} cycles, n {item.row.n})"
    return Part("published", f"{item.system} {item.row.word or figures}   {item.clock}")


def _how(entry: StepState) -> str:
    """How often and how long a step went."""
    took = f" in {seconds(entry.duration_ns / 1e9)}" if entry.duration_ns is not None else ""
    attempt = f", attempt {entry.attempt}" if entry.attempt > 1 else ""
    starts = f", started {entry.starts} times" if entry.starts > 1 else ""
    return f"{word(entry)}{took}{attempt}{starts}"


def _step(entry: StepState) -> list[Part]:
    """How a step went, as the journal tells it."""
    when = f"   {entry.started_utc[:19]}Z" if entry.started_utc else ""
    parts = [Part(entry.step.kind.value, f"{_how(entry)}{when}", Tone.BAD if entry.failed else Tone.PLAIN)]
    parts += _why(entry)
    summary = entry.summary
    if entry.step.kind is Kind.KAT and "records" in summary:
        records = f"{summary.get('records', fmt.DASH)} of {summary.get('covered', fmt.DASH)} records"
        digest = text_of(summary, "sha256")
        parts.append(
            Part("", f"{text_of(summary, 'label')}   {records}   SHA-256 {digest[:_DIGEST] or fmt.DASH}")
        )
        sizes = summary.get("sizes")
        if isinstance(sizes, dict) and sizes:
            parts.append(
                Part("sizes", "   ".join(f"{str(k).replace('_', ' ')} {v} B" for k, v in sizes.items()))
            )
    if entry.step.kind is Kind.CALIBRATE and number(summary, "t1_ns") is not None:
        counts = [number(summary, key) for key in ("trials", "iterations")]
        trials, iterations = (f"{value:.0f}" if value is not None else fmt.DASH for value in counts)
        t1, setup = (fmt.time_ns(number(summary, key)) for key in ("t1_ns", "setup_ns"))
        parts.append(
            Part("", f"{t1} a call, set-up {setup}, plan {trials} \N{MULTIPLICATION SIGN} {iterations}")
        )
    return parts


def _why(entry: StepState) -> list[Part]:
    return [Part("", entry.detail, Tone.BAD if entry.failed else Tone.WARN)] if entry.detail else []


def _timed_step(entry: StepState) -> list[Part]:
    """A step of an operation in one line: which, how it went, what it found."""
    figure = step_figure(entry.summary) if entry.status is Status.ENDED else ""
    told = f"{operation_title(entry.step.operation or '')}   {_how(entry)}   {figure}".rstrip()
    return [Part(entry.step.kind.value, told, Tone.BAD if entry.failed else Tone.PLAIN), *_why(entry)]


def _evidence(entry: StepState) -> list[Part]:
    parts = []
    if entry.file:
        parts.append(Part("evidence", f"{entry.file}   SHA-256 {(entry.sha256 or fmt.DASH)[:_DIGEST]}"))
    library, digest = (text_of(entry.summary, key) for key in ("library", "library_sha256"))
    if library:
        parts.append(Part("library", f"{library}   SHA-256 {digest[:_DIGEST] or fmt.DASH}"))
    return parts


def instance_parts(run: RunDir, steps: Sequence[StepState], glyphs: Glyphs) -> list[Part]:
    """All steps of an instance, each with its word and what it found."""
    if not steps:
        return [Part("", "there is no such instance in this run")]
    first = steps[0]
    parts = [Part("", f"{first.step.instance} {glyphs.dot} {first.step.scheme}", Tone.TITLE)]
    for entry in steps:
        parts += _timed_step(entry) if entry.step.operation else _step(entry)
    # Build and KAT name the same library.
    parts += dict.fromkeys(part for entry in steps for part in _evidence(entry))
    words = shlex.split(command(run, first))
    return [*parts, Part("again", shlex.join([*words[:-1], f"{first.step.scheme}/{first.step.instance}"]))]
