"""Rows of the sections from what the steps of one scheme left: pure functions over the fold and the records."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ngcctui.engine.runstate import Status, StepState
from ngcctui.model.natural import natural
from ngcctui.model.operation import message_bytes
from ngcctui.model.outcome import NOT_TIMED_AFTER, Outcome
from ngcctui.model.record import Record, Statistics, Trial
from ngcctui.report import format as fmt
from ngcctui.report.footnotes import Footnotes
from ngcctui.report.source import Measured, Profiled
from ngcctui.report.tables import (
    Count,
    EvidenceRow,
    HashPerformanceRow,
    KatNote,
    KatRow,
    LibraryRow,
    PerformanceRow,
    PrecisionRow,
    ProfileRow,
    ResourceRow,
    SizeRow,
    SymmetricRow,
)
from ngcctui.report.text import outside

_LABEL = re.compile(r"(SELFTEST )?PASS( \(\d{1,3} records?\))?")
_DIGEST = re.compile("[0-9a-f]{64}")
#: Operations named in one line of failures.
_NAMED = 6
#: A trial that became a calibration; it is no attempt at a measurement.
_REPLANNED = ("replanned",)


def text_of(summary: dict[str, object], key: str) -> str:
    """A text in a step's summary as it can be shown; empty when there is none."""
    value = summary.get(key)
    return outside(value) if isinstance(value, str) else ""


def kat_rows(
    builds: Sequence[StepState], kats: Sequence[StepState], footnotes: Footnotes
) -> tuple[list[KatRow], list[KatNote]]:
    """Section 3, an instance a row, and the paragraphs below it."""
    by_instance = {entry.step.instance: entry for entry in builds}
    by_kat = {entry.step.instance: entry for entry in kats}
    rows = []
    for instance in sorted(by_instance.keys() | by_kat.keys(), key=natural):
        build, kat = by_instance.get(instance), by_kat.get(instance)
        entry = build if kat is None or (build is not None and build.failed) else kat
        if entry is None:
            continue
        word = _kat_word(entry)
        outcome = entry.outcome if entry.status is Status.ENDED else None
        note = footnotes.number(instance, outcome, outside(entry.detail)) if outcome else None
        flags = text_of(entry.summary, "flags") or (text_of(build.summary, "flags") if build else "")
        rows.append(KatRow(instance, flags or fmt.DASH, word, note, entry.outcome not in NOT_TIMED_AFTER))
    return rows, [KatNote(number, text) for number, text in enumerate(footnotes.paragraphs(), 1)]


def _kat_word(entry: StepState) -> str:
    if entry.status is not Status.ENDED or entry.outcome is None:
        return entry.status.value
    label = text_of(entry.summary, "label")
    if entry.outcome is Outcome.PASS and _LABEL.fullmatch(label):
        return label
    return entry.outcome.value


def library_rows(builds: Iterable[StepState], kats: Iterable[StepState]) -> list[LibraryRow]:
    """The library that each instance was measured with: the KAT's when it had to build anew, else the build's."""
    rows: dict[str, LibraryRow] = {}
    for entry in (*builds, *kats):
        file, digest = text_of(entry.summary, "library"), text_of(entry.summary, "library_sha256")
        if file and digest:
            rows[entry.step.instance] = LibraryRow(
                entry.step.instance, file, digest, text_of(entry.summary, "flags")
            )
    return [rows[instance] for instance in sorted(rows, key=natural)]


def performance_row(measured: Measured, hash_function: bool) -> PerformanceRow | HashPerformanceRow:
    """Section 4: the figures of one operation, or the word that stands for them."""
    instance, operation, record, figures = (
        measured.instance,
        measured.operation,
        measured.record,
        measured.figures,
    )
    length = message_bytes(operation)
    if record is None or figures is None:
        if hash_function:
            return HashPerformanceRow(instance, length, word=measured.word)
        return PerformanceRow(instance, operation, word=measured.word)
    n = _count(record)
    if not hash_function:
        means = figures.mean_cycles, figures.mean_ns, figures.ops_per_second, figures.median_trial_ns
        return PerformanceRow(instance, operation, *means, n)
    length = record.message_bytes
    cycles_per_byte = figures.mean_cycles / length if figures.mean_cycles is not None and length else None
    mb_per_second = length / figures.mean_ns * 1000 if length else None
    return HashPerformanceRow(
        instance, length, figures.mean_cycles, cycles_per_byte, figures.mean_ns, mb_per_second, n
    )


def _count(record: Record) -> Count:
    assert record.plan is not None
    remarks = []
    if record.retries:
        remarks.append(f"{record.retries} failed signing attempts retried")
    if record.outcome is not Outcome.DONE:
        signal = f" ({outside(record.signal)})" if record.signal else ""
        remarks.append(f"process {record.outcome.value} at exit{signal}")
    plan = record.plan
    return Count(plan.trials * plan.iterations, plan.trials, plan.iterations, tuple(remarks))


def failures(
    items: Iterable[Measured | Profiled], entries: Iterable[StepState], what: str = ""
) -> Iterable[str]:
    """Why operations have no figures: a line for each different reason, with the operations (of `what`) it is true of."""
    silent = [item for item in items if item.word]
    if not silent:
        return
    details = {(entry.step.instance, entry.step.operation): outside(entry.detail) for entry in entries}
    reasons: dict[str, list[str]] = {}
    for item in silent:
        if detail := details.get((item.instance, item.operation)):
            reasons.setdefault(f"{item.word}, {detail}", []).append(f"{item.instance} {item.operation}")
    for reason, names in reasons.items():
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        yield f"{what}{', '.join(names[:_NAMED])}{more}: {reason}"


def precision_rows(items: Sequence[Measured]) -> Iterable[PrecisionRow]:
    """How sure the means of section 4 are; a row only where there are figures."""
    counted = any(item.figures.mean_cycles is not None for item in items if item.figures)
    for item in items:
        if item.record is not None and item.figures is not None:
            yield _precision(item, item.record, item.figures, counted)


def _precision(measured: Measured, record: Record, figures: Statistics, counted: bool) -> PrecisionRow:
    """The row of one measurement; `counted` tells that others of the page have cycles."""
    tried = [trial for trial in record.trials if trial.disturbed != _REPLANNED]
    disturbed = [trial for trial in tried if trial.used and trial.disturbed]
    return PrecisionRow(
        instance=measured.instance,
        operation=measured.operation,
        mean_ns=figures.mean_ns,
        low_ns=figures.interval_low_ns,
        high_ns=figures.interval_high_ns,
        approximate=figures.approximate,
        distinct_calls=figures.distinct_calls,
        rejected=record.rejected_trials,
        attempts=len(tried),
        disturbed=len(disturbed),
        min_ns=figures.min_ns,
        p5_ns=figures.p5_ns,
        p25_ns=figures.p25_ns,
        p50_ns=figures.p50_ns,
        p75_ns=figures.p75_ns,
        p95_ns=figures.p95_ns,
        max_ns=figures.max_ns,
        batch=record.plan.batch if record.plan else 1,
        low_cycles=figures.interval_low_cycles,
        high_cycles=figures.interval_high_cycles,
        trial_means_ns=figures.trial_means_ns,
        remarks=tuple(_remarks(record, disturbed, counted and figures.mean_cycles is None)),
    )


def _remarks(record: Record, disturbed: Sequence[Trial], cycles_missing: bool) -> Iterable[str]:
    plan = record.plan
    if disturbed:
        reasons = (outside(reason) for trial in disturbed for reason in trial.disturbed)
        yield f"still disturbed: {', '.join(dict.fromkeys(reasons))}"
    if plan and plan.batch > 1:
        yield f"timed in batches of {plan.batch}"
    if plan and plan.reuse_calibration:
        yield "the calibration's call"
    if plan and not plan.separate_processes:
        yield "trials share one process"
    if plan and plan.over_budget:
        yield "over the budget"
    if cycles_missing:
        reason = next((outside(trial.counter) for trial in record.trials if trial.used), "")
        yield reason if reason.startswith("no cycle") else f"no cycles: {reason or 'not told why'}"
    if record.detail and record.outcome is Outcome.DONE:
        yield outside(record.detail)


def resource_rows(items: Iterable[Measured]) -> Iterable[ResourceRow]:
    """Section 5; a row only where a peak is known."""
    for item in items:
        if item.record is None or not item.record.memory.peak_rss_bytes:
            continue
        memory = item.record.memory
        baseline, peak = fmt.kib_floor(memory.baseline_rss_bytes), fmt.kib_floor(memory.peak_rss_bytes)
        yield ResourceRow(
            item.instance,
            item.operation,
            memory.static_bytes,
            baseline,
            peak,
            memory.baseline_rss_bytes,
            memory.peak_rss_bytes,
        )


def size_row(instance: str, kat: StepState | None, records: Iterable[Record]) -> SizeRow:
    """Section 6: lengths as the library declared them to the KAT, else to the timing driver."""
    declared = kat.summary.get("sizes") if kat else None
    sources: list[dict[str, object]] = [declared] if isinstance(declared, dict) else []
    sources += [dict(record.sizes) for record in records]

    def length(name: str) -> int | None:
        values = (source.get(name) for source in sources)
        return next((value for value in values if type(value) is int and 0 < value < 1 << 63), None)

    return SizeRow(instance, length("public_key"), length("secret_key"), length("signature"))


def symmetric_row(profiled: Profiled) -> SymmetricRow:
    """The symmetric table: shares and calls of one operation, or the word that stands for them."""
    record = profiled.record
    if record is None or profiled.word:
        return SymmetricRow(profiled.instance, profiled.operation, word=profiled.word)
    calls: dict[str, int] = {}
    for call in record.calls:
        calls[call.function] = calls.get(call.function, 0) + call.calls
    means = {outside(name): count / record.operations for name, count in calls.items() if count > 0}
    return SymmetricRow(profiled.instance, profiled.operation, record.hash_share, record.drng_share, means)


def profile_rows(items: Iterable[Profiled]) -> Iterable[ProfileRow]:
    """What stands behind the rows of the symmetric table; none where nothing was profiled."""
    for item in items:
        record = item.record
        if record is None or record.operations < 1:
            continue
        yield ProfileRow(
            item.instance,
            item.operation,
            record.operations,
            record.warmups,
            outside(record.tick_source),
            record.intercepted,
            "" if record.intercepted else outside(record.detail),
            record.overflow_calls,
        )


def evidence_rows(
    kats: Iterable[StepState], measures: Iterable[StepState], profiles: Iterable[StepState]
) -> list[EvidenceRow]:
    """Section 7: KAT log, timings and profiles of each instance; operations in plain alphabetical order."""
    rows = [
        EvidenceRow(
            entry.step.instance, "KAT log", outside(entry.file), None, prefix(entry.sha256), entry.sha256
        )
        for entry in kats
        if entry.file
    ]
    for item, entries in (("timing", measures), ("hash profile", profiles)):
        ordered = sorted(entries, key=lambda entry: entry.step.operation or "")
        rows += [
            EvidenceRow(
                entry.step.instance, item, outside(entry.file), entry.step.operation, None, entry.sha256
            )
            for entry in ordered
            if entry.file
        ]
    return sorted(rows, key=lambda row: natural(row.instance))


def prefix(digest: str | None) -> str | None:
    """The part of a digest that section 7 prints."""
    return digest[:16] if digest and _DIGEST.fullmatch(digest) else None
