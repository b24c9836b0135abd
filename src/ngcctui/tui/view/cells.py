"""One cell of the monitor: the state of the steps behind it, as words and figures for every width.

A state is a word before it is a colour.  What the journal says is taken as it comes: a summary can hold anything.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ngcctui.batch.lines import number
from ngcctui.engine.livepage import LivePhase, LiveView
from ngcctui.engine.runstate import Status, StepState, ran_s
from ngcctui.model.operation import message_bytes
from ngcctui.model.outcome import Outcome
from ngcctui.model.step import Kind, Step
from ngcctui.report import format as fmt
from ngcctui.tui.glyphs import Glyphs
from ngcctui.tui.view.line import Tone
from ngcctui.tui.view.pace import Pace

#: Flags of a build that the guide's flags were not good for.
FALLBACK = "harness-default"
#: Mark behind a figure that disturbed trials went into.
DISTURBED = "!"
#: Why the first trial is outside the statistics: it showed that the plan was wrong.
REPLANNED = ("replanned",)
_LABEL = re.compile(r"(SELFTEST )?PASS( \(\d{1,3} records?\))?")
_BAR = 3


@dataclass(frozen=True)
class Cell:
    """What a cell can say, the widest first; the last text is the word that stands for its state."""

    texts: tuple[str, ...]
    tone: Tone = Tone.PLAIN

    @property
    def word(self) -> str:
        """The state in one word."""
        return self.texts[-1]


EMPTY = Cell(("",))
QUEUED = Cell(("queued", "wait"), Tone.DIM)
INTERRUPTED = Cell(("interrupted", "broken off", "broken", "intr"), Tone.WARN)
#: Outcomes in five letters or less, for the narrowest columns.
_SHORT = {
    Outcome.BUILDFAIL: "FAIL",
    Outcome.CRYPTOFAIL: "CFAIL",
    Outcome.MISMATCH: "DIFF",
    Outcome.OVERFLOW: "OVER",
    Outcome.LOADFAIL: "LOAD",
    Outcome.TIMEOUT: "TIME",
    Outcome.EXITED: "EXIT",
    Outcome.KILLED: "KILL",
    Outcome.FAILED: "fail",
    Outcome.REJECTED: "rej",
    Outcome.OVERFLOWED: "over",
    Outcome.EXITED_EARLY: "exit",
    Outcome.CRASHED: "crash",
    Outcome.WAS_KILLED: "kill",
    Outcome.TIMED_OUT: "time",
    Outcome.SKIPPED: "skip",
    Outcome.ENGINE_ERROR: "error",
}


@dataclass(frozen=True)
class Moment:
    """What a cell needs to know beside its own steps.

    `live` is the live page of the child that works for step `live_step`; times in ns of CLOCK_MONOTONIC and seconds.
    `cycles`: figures in cycles where there are any; `alive`: an engine works on the run; `paused_mono_ns`: since when it
    is paused, None when it is not.
    """

    now_mono_ns: int
    glyphs: Glyphs
    live: LiveView | None = None
    live_step: str = ""
    kat_limit_s: float = 0.0
    cycles: bool = True
    alive: bool = True
    paused_mono_ns: int | None = None

    def of(self, entry: StepState) -> LiveView | None:
        """The live page when it tells of this step."""
        return self.live if self.live is not None and self.live_step == str(entry.step) else None

    def pace(self, entry: StepState) -> Pace:
        """How near a running step is to its limit: a KAT to the campaign's, a timed one as the live page tells."""
        live = self.of(entry)
        if live is not None:
            # Not what the journal says of a pause: a child that waits moves this start on itself, and only then.
            elapsed_ns = max(self.now_mono_ns - live.start_ns, 0) if live.start_ns else 0
            return Pace(elapsed_ns / 1e9, live.engine.limit_ns / 1e9)
        limit_s = self.kat_limit_s if entry.step.kind is Kind.KAT else 0.0
        return Pace(ran_s(entry, self.now_mono_ns, self.paused_mono_ns) or 0.0, limit_s)


def standing(entry: StepState, alive: bool) -> StepState:
    """A step as it stands: what runs according to a journal that nobody writes any more was broken off."""
    if alive or entry.status is not Status.RUNNING:
        return entry
    return replace(entry, status=Status.INTERRUPTED)


@dataclass(frozen=True)
class OperationSteps:
    """The steps of one operation of an instance, as far as the run has them."""

    name: str
    calibrate: StepState | None = None
    measure: StepState | None = None
    profile: StepState | None = None


def operation_title(name: str) -> str:
    """Head of an operation's column: its name, or the length of a hash function's message."""
    length = message_bytes(name)
    for size, unit in ((1 << 20, "MiB"), (1 << 10, "KiB")):
        if length and length % size == 0:
            return f"{length // size} {unit}"
    return f"{length} B" if length else name


def step_name(step: Step) -> str:
    """A step as an operator calls it: `OPSsig-128 sign`, `OPSsig-128 KAT`, `OPSsig-128 sign profile`."""
    if step.operation is None:
        return f"{step.instance} {'KAT' if step.kind is Kind.KAT else step.kind.value}"
    what = "" if step.kind is Kind.MEASURE else f" {step.kind.value}"
    return f"{step.instance} {operation_title(step.operation)}{what}"


def _other(entry: StepState) -> Cell:
    """The cell of a step that is not running, and did not end well."""
    if entry.status is Status.QUEUED:
        return QUEUED
    if entry.status is Status.INTERRUPTED or entry.outcome is None:
        return INTERRUPTED
    return Cell(words(entry.outcome), Tone.DIM if entry.outcome is Outcome.SKIPPED else Tone.BAD)


def words(outcome: Outcome) -> tuple[str, ...]:
    """An outcome's word, and a shorter one where it has more than five letters."""
    return (outcome.value, _SHORT[outcome]) if outcome in _SHORT else (outcome.value,)


def build_cell(build: StepState | None, kat: StepState | None) -> Cell:
    """Build: `ok`, `fallback` when the guide's flags were not good enough, or what went wrong."""
    if build is None:
        return EMPTY
    if build.status is Status.RUNNING:
        return Cell(("building", "builds"), Tone.BUSY)
    if build.status is not Status.ENDED or build.outcome is not Outcome.PASS:
        return _other(build)
    flags = [entry.summary.get("flags") for entry in (build, kat) if entry is not None]
    if FALLBACK in flags:
        return Cell(("fallback", "ok fb"), Tone.WARN)
    return Cell(("ok",), Tone.GOOD)


def kat_cell(entry: StepState | None, moment: Moment) -> Cell:
    """KAT: `KAT 3/10` with a bar, its label at the end, and a warning before its limit."""
    if entry is None:
        return EMPTY
    if entry.status is Status.RUNNING:
        return _running_kat(entry, moment)
    if entry.status is Status.ENDED and entry.outcome is Outcome.PASS:
        label = kat_label(entry)
        return Cell(
            tuple(dict.fromkeys((label, label.removesuffix(" PASS"), label.split(" ")[0]))), Tone.GOOD
        )
    return _other(entry)


def kat_label(entry: StepState) -> str:
    """The word of a KAT that has passed: `PASS`, `SELFTEST PASS`, `PASS (1 record)`."""
    label = entry.summary.get("label")
    return label if isinstance(label, str) and _LABEL.fullmatch(label) else Outcome.PASS.value


def _running_kat(entry: StepState, moment: Moment) -> Cell:
    reached = f"{entry.kat_records}/{entry.kat_covered}" if entry.kat_covered else "runs"
    warning = moment.pace(entry).word
    if warning:
        return Cell((f"KAT {reached} {warning}", f"{reached} {warning}", warning), Tone.WARN)
    if not entry.kat_covered:
        return Cell(("KAT runs", "KAT"), Tone.BUSY)
    bar = moment.glyphs.bar(entry.kat_records / entry.kat_covered, _BAR)
    return Cell((f"KAT {reached} {bar}", f"KAT {reached}", reached), Tone.BUSY)


def operation_cell(steps: OperationSteps, moment: Moment) -> Cell:
    """An operation: how its trials go, then its figure with interval, figure alone, word."""
    calibrate, measure = steps.calibrate, steps.measure
    entry = measure or calibrate
    if entry is None:
        return EMPTY
    if calibrate is not None and calibrate.status is Status.RUNNING:
        warning = moment.pace(calibrate).word
        if warning:
            return Cell((f"calibrating {warning}", f"calib {warning}", warning), Tone.WARN)
        return Cell(("calibrating", "calib"), Tone.BUSY)
    if entry.status is Status.RUNNING:
        return _running_measure(entry, calibrate, moment)
    if entry.status is Status.ENDED and measure is not None:
        figure = _figure(entry, moment)
        if figure is not None:
            return figure
    if calibrate is not None and entry.status is Status.QUEUED and calibrate.failed:
        return _other(calibrate)
    return _other(entry)


def trial_now(measure: StepState, calibrate: StepState | None) -> tuple[int, int]:
    """The trial that a running measurement is at (from 1), and how many it plans; 0 when that is unknown."""
    ended = len({trial.trial for trial in measure.trials if trial.used})
    planned: object = calibrate.summary.get("trials") if calibrate is not None else None
    if measure.trials:
        planned = measure.trials[-1].trials
    known = planned if type(planned) is int and 0 < planned < 1 << 20 else 0
    return (min(ended + 1, known) if known else ended + 1), known


def _running_measure(entry: StepState, calibrate: StepState | None, moment: Moment) -> Cell:
    number, planned = trial_now(entry, calibrate)
    trial = f"{number}/{planned}" if planned else f"{number}"
    warning = moment.pace(entry).word
    last = entry.trials[-1] if entry.trials else None
    disturbed = last is not None and last.disturbed and last.disturbed != REPLANNED
    live = moment.of(entry)
    inside: tuple[str, ...] = ()
    if live is not None and live.phase in (LivePhase.SETUP, LivePhase.WARM_UP):
        inside = (live.phase.name.lower().replace("_", "-"),)
    elif live is not None and live.fraction is not None:
        percent = f"{live.fraction * 100:.0f}%"
        inside = (f"{moment.glyphs.bar(live.fraction, _BAR)} {percent}", percent)
    texts = (*(f"t {trial} {text}" for text in inside), f"t {trial}", "runs")
    if warning:
        return Cell((*(f"{warning} {text}" for text in texts[:-1]), warning), Tone.WARN)
    if disturbed:
        return Cell(
            (*(f"{text} disturbed" for text in texts[:-1]), f"disturbed t {trial}", "disturbed"), Tone.WARN
        )
    return Cell(texts, Tone.BUSY)


def value_ns(entry: StepState | None) -> float | None:
    """Mean time of a measured operation, ns; None when there is none."""
    return number(entry.summary, "mean_ns") if entry is not None and entry.status is Status.ENDED else None


def interval_percent(entry: StepState, cycles: bool) -> float | None:
    """Half of the 95 % interval of what `figure_text` tells, in percent of it; None when there is none."""
    unit = "cycles" if cycles and number(entry.summary, "mean_cycles") else "ns"
    mean, low, high = (number(entry.summary, f"{name}_{unit}") for name in ("mean", "low", "high"))
    if not mean or low is None or high is None:
        return None
    return abs(high - low) / 2 / mean * 100


def figure_text(entry: StepState, cycles: bool) -> str:
    """The mean as pages print it, in cycles if wanted and known, else as a time."""
    counted = number(entry.summary, "mean_cycles") if cycles else None
    return fmt.cycles(counted) if counted else fmt.time_ns(value_ns(entry))


def _figure(entry: StepState, moment: Moment) -> Cell | None:
    """The figures of an ended measurement, for a process that died after its last call too; None without any."""
    if value_ns(entry) is None or entry.outcome is None:
        return None
    disturbed = any(trial.disturbed for trial in entry.trials if trial.used)
    mark = DISTURBED if disturbed else ""
    figure = f"{figure_text(entry, moment.cycles)}{mark}"
    percent = interval_percent(entry, moment.cycles)
    spread = f"{figure} \N{PLUS-MINUS SIGN}{percent:.2g}%" if percent is not None else figure
    names = ("n", "distinct_calls", "trials", "iterations", "rejected_trials")
    counts = [number(entry.summary, key) for key in names]
    n, distinct, trials, iterations, rejected = (0 if value is None else int(value) for value in counts)
    if entry.outcome is not Outcome.DONE:
        # It died after its last call: the figures stand, and the word must not be missed.
        long = entry.outcome.value
        return Cell((f"{spread} {long}", f"{figure} {long}", *words(entry.outcome)), Tone.BAD)
    counted = f"{spread} n {n}"
    # Calls with other inputs than every other call; usually all are, and then n says it.
    different = f"{counted} distinct {distinct}" if 0 < distinct < n else counted
    plan = f"{counted} ({trials}\N{MULTIPLICATION SIGN}{iterations}){different[len(counted) :]}"
    wide = (
        (f"{plan} rejected {rejected}", f"{different} rejected {rejected}", different, counted) if n else ()
    )
    return Cell((*wide, spread, figure, f"done{mark}"), Tone.WARN if disturbed else Tone.GOOD)


def shares(profiles: Sequence[StepState]) -> list[float | None]:
    """The helpers' share of each profiled operation that has ended well, as a fraction; None where it is unknown."""
    return [
        number(entry.summary, "hash_share")
        for entry in profiles
        if entry.status is Status.ENDED and entry.outcome is Outcome.DONE
    ]


def share_cell(profiles: Sequence[StepState], moment: Moment) -> Cell:
    """The profile of all operations: the share of each, their range, or how far it is."""
    if not profiles:
        return EMPTY
    ended = [entry for entry in profiles if entry.status is Status.ENDED]
    if any(entry.status is Status.RUNNING for entry in profiles):
        return Cell(
            (f"profiling {len(ended) + 1}/{len(profiles)}", f"p {len(ended) + 1}/{len(profiles)}", "runs"),
            Tone.BUSY,
        )
    if len(ended) < len(profiles):
        broken = any(entry.status is Status.INTERRUPTED for entry in profiles)
        waiting = INTERRUPTED if broken else QUEUED
        return Cell((f"{len(ended)}/{len(profiles)}", "part"), waiting.tone) if ended else waiting
    bad = next((entry for entry in ended if entry.failed and entry.outcome is not Outcome.SKIPPED), None)
    if bad is not None:
        return _other(bad)
    known = shares(profiles)
    if not known:
        return _other(ended[0])
    each = " ".join("?" if value is None else fmt.share(value) for value in known)
    proven = sorted(value for value in known if value is not None)
    if not proven:
        return Cell(("unknown", "?"), Tone.WARN)
    low, high = fmt.share(proven[0]), fmt.share(proven[-1])
    span = low if low == high else f"{proven[0] * 100:.0f}-{proven[-1] * 100:.0f}%"
    return Cell((each, span, high), Tone.PLAIN)
