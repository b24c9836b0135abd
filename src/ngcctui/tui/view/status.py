"""The lines around the rows of the monitor: the run in one line, and what runs right now in two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ngcctui.durations import clock
from ngcctui.engine.journal import utc_seconds
from ngcctui.engine.livepage import EngineHalf, LivePhase, LiveView
from ngcctui.engine.runstate import RunState, Status, StepState
from ngcctui.model.step import Kind
from ngcctui.tui.glyphs import Glyphs
from ngcctui.tui.snapshot import RunSnapshot
from ngcctui.tui.view.cells import REPLANNED, Moment, step_name, trial_now
from ngcctui.tui.view.grid import Grid, Tally
from ngcctui.tui.view.line import Line, Tone, clip, joined, shown, width_of

#: Running steps that are named one by one.
_NAMED = 3
_LABEL = 6
_PAUSED: Line = (("paused: P goes on", Tone.WARN),)
#: Between two pieces of a line; the narrower one before a piece is left out.
_GAPS = ("   ", "  ")
#: With less room than this left of its progress, the head tells the progress first.
_LEFT_LEAST = 20


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


def calibrated(state: RunState) -> bool:
    """True when every call that is still to be timed has been calibrated: nothing about it must be guessed."""
    waiting = (entry for entry in state.steps.values() if entry.step.kind is Kind.CALIBRATE)
    return all(entry.status is Status.ENDED for entry in waiting)


def state_word(snapshot: RunSnapshot, grid: Grid) -> tuple[str, Tone]:
    """One or two words for the run as a whole."""
    state = snapshot.state
    if not snapshot.whole:
        return f"reading {snapshot.read * 100:.0f}%", Tone.DIM
    if snapshot.alive:
        if state.stopping:
            return "stopping", Tone.WARN
        if state.paused:
            return "pausing" if grid.busy and not held(snapshot) else "paused", Tone.WARN
        if state.waiting is not None:
            return "waiting for its core", Tone.WARN
        return "running", Tone.BUSY
    if not state.sessions:
        return "not started", Tone.DIM
    if not state.ended:
        return "interrupted", Tone.WARN
    return ("done with failures", Tone.BAD) if grid.tally.failed else ("done", Tone.GOOD)


def held(snapshot: RunSnapshot) -> bool:
    """True when a pause has reached all that is at work."""
    live = snapshot.live
    return snapshot.state.paused and live is not None and bool(live.engine.held)


def head(snapshot: RunSnapshot, grid: Grid, facts: Facts, width: int, glyphs: Glyphs) -> Line:
    """The run in one line of `width` cells: what it is at the left, how far it is at the right."""
    state = snapshot.state
    dot = f" {glyphs.dot} "
    left: list[Line] = [((shown(state.campaign or snapshot.run.name, glyphs), Tone.TITLE),)]
    word, tone = state_word(snapshot, grid)
    if tone is not Tone.BUSY:
        left.append(((word, tone),))
    if facts.frozen:
        left.append((("frozen", Tone.WARN),))
    if facts.readonly:
        left.append((("read only", Tone.PLAIN),))
    if facts.system:
        left.append(((shown(facts.system, glyphs), Tone.PLAIN),))
    if state.core is not None:
        left.append(((f"core {state.core}", Tone.PLAIN),))
    if state.findings:
        left.append((("unfixed host", Tone.WARN),))
    right = _progress(snapshot, grid.tally, facts)
    room = width - width_of(right) - 3  # a blank at both ends, two between
    if room < _LEFT_LEAST:
        return clip((*right, (dot, Tone.PLAIN), *joined(left, dot)), width, glyphs)
    blanks = "  ", Tone.PLAIN
    return (*clip(((" ", Tone.PLAIN), *joined(left, dot)), room, glyphs), blanks, *right, (" ", Tone.PLAIN))


def _progress(snapshot: RunSnapshot, tally: Tally, facts: Facts) -> Line:
    done = f"{tally.done}/{tally.steps} done"
    failed: Line = ((f", {tally.failed} failed", Tone.BAD),) if tally.failed else ()
    time = clock(elapsed_s(snapshot))
    left = f"   {facts.left}" if facts.left and snapshot.alive and snapshot.whole else ""
    return ((done, Tone.PLAIN), *failed, (f"   {time}{left}", Tone.PLAIN))


def now(snapshot: RunSnapshot, grid: Grid, moment: Moment, width: int) -> tuple[Line, Line]:
    """What runs right now, in two lines of `width` cells."""
    glyphs = moment.glyphs
    running = grid.running()
    first: list[_Part]
    second: list[_Part] = []
    if not snapshot.whole:
        first = [(0, (("the journal is long and still being read", Tone.DIM),))]
    elif not snapshot.alive:
        first, how = _nobody(snapshot, grid)
        second = [(0, how)]
    elif not running:
        first = [(0, _between(snapshot.state))]
    elif len(running) == 1 and running[0].step.kind not in (Kind.BUILD, Kind.KAT):
        first, second = _timed(running[0], grid, moment), _process(running[0], moment)
    else:
        first = _several(running, moment)
    if running and held(snapshot):
        first = [(0, _PAUSED), *first]
    if grid.tally.trials:
        disturbed = f"disturbed {grid.tally.disturbed}/{grid.tally.trials}"
        second.append((1, ((disturbed, Tone.WARN if grid.tally.disturbed else Tone.PLAIN),)))
    return _labelled("now", first, width, glyphs), _labelled("", second, width, glyphs)


#: A piece of a line, and the order in which pieces are left out where there is no room: the highest number first.
_Part = tuple[int, Line]


def _labelled(label: str, parts: Sequence[_Part], width: int, glyphs: Glyphs) -> Line:
    """The pieces that fit behind a label."""
    kept = [(rank, tuple((glyphs.text(text), tone) for text, tone in line)) for rank, line in parts]
    gap = next(
        (gap for gap in _GAPS if width_of(joined((line for _, line in kept), gap)) <= width - _LABEL),
        _GAPS[-1],
    )
    while len(kept) > 1 and width_of(joined((line for _, line in kept), gap)) > width - _LABEL:
        kept.remove(max(kept, key=lambda part: part[0]))
    return clip(
        ((f" {label:<{_LABEL - 1}}", Tone.TITLE), *joined((line for _, line in kept), gap)), width, glyphs
    )


def _nobody(snapshot: RunSnapshot, grid: Grid) -> tuple[list[_Part], Line]:
    word, tone = state_word(snapshot, grid)
    if not snapshot.state.ended:
        how = "u in the list of runs (r), or `ngcctui resume`, goes on with it"
        return [(0, ((f"no engine works on this run: {word}", tone),))], ((how, Tone.PLAIN),)
    return [(0, ((word, tone),))], (("e opens the results, R and F start steps anew", Tone.PLAIN),)


def _between(state: RunState) -> Line:
    if state.stopping:
        return (("stopping", Tone.WARN),)
    if state.paused:
        return _PAUSED
    if state.waiting is not None:
        return ((state.waiting.text, Tone.WARN),)
    return ((state.phase.value, Tone.DIM),)


def _several(running: Sequence[StepState], moment: Moment) -> list[_Part]:
    """Builds and KATs, which run beside each other."""
    parts: list[_Part] = []
    for number, entry in enumerate(running[:_NAMED]):
        pace = moment.pace(entry)
        reached = f" {entry.kat_records}/{entry.kat_covered}" if entry.kat_covered else ""
        tone = Tone.WARN if pace.slow else Tone.PLAIN
        parts.append((number, ((f"{step_name(entry.step)}{reached} {pace.told()}", tone),)))
    if len(running) > _NAMED:
        parts.append((_NAMED, ((f"and {len(running) - _NAMED} more", Tone.PLAIN),)))
    return parts


def _timed(entry: StepState, grid: Grid, moment: Moment) -> list[_Part]:
    """A calibration, measurement or profile: trial, iteration, time and limit."""
    live = moment.of(entry)
    parts: list[_Part] = [(0, ((step_name(entry.step), Tone.PLAIN),))]
    if entry.step.kind is Kind.MEASURE:
        number, planned = trial_now(entry, grid.calibration(entry))
        trial = f"trial {number} of {planned}" if planned else f"trial {number}"
        parts.append((2, ((trial, Tone.PLAIN),)))
    if live is not None and (inside := _inside(live)):
        parts.append((3, ((inside, Tone.PLAIN),)))
    pace = moment.pace(entry)
    return [*parts, (1, ((pace.told(), Tone.WARN if pace.slow else Tone.PLAIN),))]


def _inside(live: LiveView) -> str:
    if live.phase in (LivePhase.SETUP, LivePhase.WARM_UP):
        return live.phase.name.lower().replace("_", "-")
    return f"iteration {live.iteration} of {live.iterations}" if live.iterations else ""


def _process(entry: StepState, moment: Moment) -> list[_Part]:
    """The process of a timed step: memory, clock, share of the core, switches, rejected trials."""
    dash = moment.glyphs.dash
    live = moment.of(entry)
    half = live.engine if live is not None and live.engine.updated_ns else EngineHalf()
    rss = f"{half.rss_kib / 1024:.1f} MiB" if half.rss_kib else dash
    clock_text = f"{half.frequency_khz / 1e6:.2f} GHz" if half.frequency_khz else dash
    share = f"{half.cpu_permille / 1000:.2f}" if half.cpu_permille else dash
    switches = f"{half.voluntary + half.involuntary}" if half.updated_ns else dash
    words = [(4, f"RSS {rss}"), (5 if half.frequency_khz else 7, f"clock {clock_text}")]
    words += [(2, f"cpu/wall {share}"), (6, f"switches {switches}")]
    if entry.step.kind is Kind.MEASURE:
        tried = [trial for trial in entry.trials if trial.disturbed != REPLANNED]
        words.append((3, f"rejected {sum(not trial.used for trial in tried)}/{len(tried)}"))
    return [(rank, ((word, Tone.PLAIN),)) for rank, word in words]
