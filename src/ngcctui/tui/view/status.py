"""The lines around the rows of the monitor: the run in one line, and what runs right now in two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ngcctui.durations import clock
from ngcctui.engine.livepage import LivePhase, LiveView
from ngcctui.engine.runstate import RunState, StepState
from ngcctui.model.errors import ExitCode
from ngcctui.model.step import Kind
from ngcctui.tui.glyphs import Glyphs
from ngcctui.tui.runs import utc_seconds
from ngcctui.tui.snapshot import RunSnapshot
from ngcctui.tui.view.cells import REPLANNED, Moment, operation_title, planned_trials
from ngcctui.tui.view.grid import Grid, Tally
from ngcctui.tui.view.line import Line, Tone, clip, joined, shown, width_of

#: Running steps that are named one by one.
_NAMED = 3
_LABEL = 6


@dataclass(frozen=True)
class Facts:
    """What the campaign and the screen add to what the journal says; `left` is what is left of the run, in words."""

    system: str = ""
    readonly: bool = False
    frozen: bool = False
    left: str = ""


def elapsed_s(snapshot: RunSnapshot) -> float:
    """Seconds since the session began, or that the last one took."""
    state = snapshot.state
    if not state.sessions:
        return 0.0
    start = utc_seconds(state.sessions[-1].started_utc)
    end = utc_seconds(snapshot.now_utc if snapshot.alive else state.last_event_utc)
    return 0.0 if start is None or end is None else max(end - start, 0.0)


def state_word(snapshot: RunSnapshot) -> tuple[str, Tone]:
    """One or two words for the run as a whole."""
    state = snapshot.state
    if snapshot.alive:
        if state.stopping:
            return "stopping", Tone.WARN
        return ("paused", Tone.WARN) if state.paused else ("running", Tone.BUSY)
    if not state.sessions:
        return "not started", Tone.DIM
    if not state.ended:
        return "interrupted", Tone.WARN
    return ("done", Tone.GOOD) if snapshot.exit is ExitCode.DONE else ("done with failures", Tone.BAD)


def head(snapshot: RunSnapshot, tally: Tally, facts: Facts, width: int, glyphs: Glyphs) -> Line:
    """The run in one line of `width` cells: what it is at the left, how far it is at the right."""
    state = snapshot.state
    dot = f" {glyphs.dot} "
    left: list[Line] = [((shown(state.campaign or snapshot.run.name, glyphs), Tone.TITLE),)]
    if facts.system:
        left.append(((shown(facts.system, glyphs), Tone.PLAIN),))
    if state.core is not None:
        left.append(((f"core {state.core}", Tone.PLAIN),))
    if state.findings:
        left.append((("unfixed host", Tone.WARN),))
    if facts.readonly:
        left.append((("read only", Tone.PLAIN),))
    if facts.frozen:
        left.append((("frozen", Tone.WARN),))
    word, tone = state_word(snapshot)
    if tone is not Tone.BUSY:
        left.append(((word, tone),))
    right = _progress(snapshot, tally, facts)
    gap = width - 1 - width_of(right)
    if gap < 20:
        return clip((*right, (dot, Tone.PLAIN), *joined(left, dot)), width, glyphs)
    return (*clip(((" ", Tone.PLAIN), *joined(left, dot), ("  ", Tone.PLAIN)), gap, glyphs), *right, (" ", Tone.PLAIN))


def _progress(snapshot: RunSnapshot, tally: Tally, facts: Facts) -> Line:
    done = f"{tally.done}/{tally.steps} done"
    failed: Line = ((f", {tally.failed} failed", Tone.BAD),) if tally.failed else ()
    time = clock(elapsed_s(snapshot))
    left = f"   {facts.left}" if facts.left and snapshot.alive else ""
    return ((done, Tone.PLAIN), *failed, (f"   {time}{left}", Tone.PLAIN))


def now(snapshot: RunSnapshot, grid: Grid, moment: Moment, width: int) -> tuple[Line, Line]:
    """What runs right now, in two lines of `width` cells."""
    glyphs = moment.glyphs
    running = grid.running()
    if not snapshot.alive:
        first, second = _nobody(snapshot)
    elif not running:
        first, second = _between(snapshot.state), ()
    elif len(running) == 1 and running[0].step.kind not in (Kind.BUILD, Kind.KAT):
        first, second = _timed(running[0], grid, moment), _process(running[0], grid, moment)
    else:
        first, second = _several(running, moment), ()
    disturbed = f"disturbed {grid.tally.disturbed}/{grid.tally.trials}"
    tail: Line = ((disturbed, Tone.WARN if grid.tally.disturbed else Tone.PLAIN),) if grid.tally.trials else ()
    return (
        clip(((_label("now"), Tone.TITLE), *_ascii(first, glyphs)), width, glyphs),
        clip(((_label(""), Tone.TITLE), *_ascii(joined((second, tail)), glyphs)), width, glyphs),
    )


def _label(text: str) -> str:
    return f" {text:<{_LABEL - 1}}"


def _ascii(line: Line, glyphs: Glyphs) -> Line:
    return tuple((glyphs.text(text), tone) for text, tone in line)


def _nobody(snapshot: RunSnapshot) -> tuple[Line, Line]:
    word, tone = state_word(snapshot)
    if not snapshot.state.ended:
        how = f"`ngcctui resume {snapshot.run.path}` or u in the list of runs goes on with it"
        return (((f"no engine works on this run: {word}", tone),), ((how, Tone.PLAIN),))
    return (((word, tone),), (("e opens the results, R and F start steps anew", Tone.PLAIN),))


def _between(state: RunState) -> Line:
    if state.stopping:
        return (("stopping", Tone.WARN),)
    if state.paused:
        return (("paused: P goes on", Tone.WARN),)
    return ((state.phase.value, Tone.DIM),)


def short(entry: StepState) -> str:
    """A step as an operator calls it: `OPSsig-128 sign`, `OPSsig-128 KAT`."""
    step = entry.step
    if step.operation is None:
        return f"{step.instance} {'KAT' if step.kind is Kind.KAT else step.kind.value}"
    what = "" if step.kind is Kind.MEASURE else f" {step.kind.value}"
    return f"{step.instance} {operation_title(step.operation)}{what}"


def _several(running: Sequence[StepState], moment: Moment) -> Line:
    """Builds and KATs, which run beside each other."""
    parts: list[Line] = []
    for entry in running[:_NAMED]:
        pace = moment.pace(entry)
        reached = f" {entry.kat_records}/{entry.kat_covered}" if entry.kat_covered else ""
        parts.append(((f"{short(entry)}{reached} {pace.told()}", Tone.WARN if pace.slow else Tone.PLAIN),))
    if len(running) > _NAMED:
        parts.append(((f"and {len(running) - _NAMED} more", Tone.PLAIN),))
    return joined(parts)


def _timed(entry: StepState, grid: Grid, moment: Moment) -> Line:
    """A calibration, measurement or profile: trial, iteration, time and limit."""
    live = moment.of(entry)
    words = [short(entry)]
    if entry.step.kind is Kind.MEASURE:
        ended = len({trial.trial for trial in entry.trials if trial.used})
        planned = planned_trials(entry, grid.calibration(entry))
        words.append(f"trial {min(ended + 1, planned)} of {planned}" if planned else f"trial {ended + 1}")
    if live is not None:
        words.append(_inside(live))
    pace = moment.pace(entry)
    tone = Tone.WARN if pace.slow else Tone.PLAIN
    return joined((((word, Tone.PLAIN),) for word in (*filter(None, words), "") if word)) + (
        (f"   {pace.told()}", tone),
    )


def _inside(live: LiveView) -> str:
    if live.phase in (LivePhase.SETUP, LivePhase.WARM_UP):
        return live.phase.name.lower().replace("_", "-")
    return f"iteration {live.iteration} of {live.iterations}" if live.iterations else ""


def _process(entry: StepState, grid: Grid, moment: Moment) -> Line:
    """The process of a timed step: memory, clock, share of the core, switches, rejected trials."""
    dash = moment.glyphs.dash
    live = moment.of(entry)
    half = live.engine if live is not None and live.engine.updated_ns else None
    rss = f"{half.rss_kib / 1024:.1f} MiB" if half and half.rss_kib else dash
    frequency = f"{half.frequency_khz / 1e6:.2f} GHz" if half and half.frequency_khz else dash
    share = f"{half.cpu_permille / 1000:.2f}" if half and half.cpu_permille else dash
    switches = str(half.voluntary + half.involuntary) if half else dash
    tried = [trial for trial in entry.trials if trial.disturbed != REPLANNED]
    rejected = sum(not trial.used for trial in tried)
    words = [f"RSS {rss}", f"clock {frequency}", f"cpu/wall {share}", f"switches {switches}"]
    if entry.step.kind is Kind.MEASURE:
        words.append(f"rejected {rejected}/{len(tried)}")
    return joined(((word, Tone.PLAIN),) for word in words)
