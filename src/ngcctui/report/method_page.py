"""The method page in Markdown and TOML: every number in it is one of the run."""

from __future__ import annotations

from collections.abc import Iterable

from ngcctui.engine.plan import CLOCK_GRAIN_NS, REPLAN_FACTOR, WARM_UP_1_BELOW_S, WARM_UP_3_BELOW_S
from ngcctui.model.campaign import PlanningMode
from ngcctui.report import format as fmt
from ngcctui.report import sentences
from ngcctui.report.markdown import bullets, table_markdown
from ngcctui.report.method import Method
from ngcctui.report.text import markdown
from ngcctui.report.toml_text import toml_text

#: The compiler flags by their name on the pages.
FLAGS = {
    "guide": "-std=c99 -Wpedantic -Wall -Wextra -O2",
    "harness-default": "-O2 -std=gnu11 -fno-strict-aliasing -fwrapv",
}


def method_toml(method: Method) -> str:
    """The method as TOML: the campaign's numbers, the counts and the measurements of the reference loop, unrounded."""
    environment = {row.item: row.value for row in method.environment}
    return toml_text({"schema": 1} | vars(method) | {"environment": environment})


def method_markdown(method: Method) -> str:
    """The whole page (method_<system>.md)."""
    tables = {table.key: table_markdown(table) for table in method.tables()}
    guide = " and ".join(sentences.GUIDE[name] for name in method.machines if name in sentences.GUIDE)
    parts = [
        f"# Method — {markdown(f'system {method.system}')}",
        markdown(
            f"How run {method.run} (campaign {method.campaign}, ngcctui {method.version}) came to its figures, after "
            f"section 3.5 of the competition's self-assessment guide ({guide or 'its guides'})."
            + ("" if method.ended else " The run has not ended: counts are those so far.")
        ),
    ]
    sections: tuple[tuple[str, Iterable[str], str], ...] = (
        ("Host", _host(method), "environment"),
        ("Compiler flags", _flags(), "flags"),
        ("Known answer tests", _kat(method), ""),
        ("Planning", _planning(method), ""),
        ("Inputs", [sentences.INPUTS[name] for name in method.inputs if name in sentences.INPUTS], ""),
        ("Clocks and counters", _clocks(method), ""),
        ("Statistics", _statistics(), ""),
        ("Noise floor", _noise(method), "noise"),
        ("Disturbed trials", _disturbed(method), "disturbances"),
        ("Correctness while timing", [sentences.CORRECTNESS], ""),
        ("Memory", [sentences.RESOURCES], ""),
        ("Share of the helper functions", _profile(method), ""),
    )
    for title, said, key in sections:
        parts += [f"## {title}", *map(markdown, said), tables.get(key, "")]
        if title == "Host" and method.findings:
            parts += ["Found by the check of the host:", bullets(method.findings)]
    parts += ["## Limitations", bullets(_limits(method))]
    return "\n\n".join(part for part in parts if part) + "\n"


def _host(method: Method) -> Iterable[str]:
    if method.core is not None:
        yield (
            f"Everything timed ran on core {method.core}, one process at a time. Builds and known answer tests were over "
            "before the first calibration."
        )
    if method.cores == 1:
        yield "The run had one core only, which the engine shared with the measurement."
    if method.sessions > 1:
        yield f"The run took {method.sessions} sessions; a step that was interrupted began anew."
    if method.changes:
        yield "Accepted when it was resumed: " + "; ".join(method.changes) + "."
    if method.host_checked and not method.findings:
        yield "The check of the host found nothing amiss."
    elif method.findings and method.host_allowed:
        yield "The host is not as a measurement asks for; the campaign let it measure all the same."


def _flags() -> Iterable[str]:
    yield (
        f"guide: {FLAGS['guide']}. harness-default: {FLAGS['harness-default']}; an instance falls back to these when it "
        "cannot be built with the guide's flags, or when its known answer test fails with those and passes with these. To both "
        "are added -fPIC, -D_GNU_SOURCE, -ffile-prefix-map, and -Wno-error for what newer compilers refuse."
    )


def _kat(method: Method) -> Iterable[str]:
    asked = {0: "every record that the digest covers", 1: "record 0 alone"}
    yield (
        "Each library first answered its known answer test: the SHA-256 of the text made anew must be that of the "
        f"submitted file. Asked for was {asked.get(method.kat.records, f'{method.kat.records} records')}, with "
        f"{method.kat.limit_s:g} s for an instance. Guard bytes around every buffer are checked after each call."
    )
    yield (
        "Not timed: what cannot be built or loaded, crashes, exits, is killed or runs out of memory. Timed and marked: "
        "wrong answers, no known answer, a failed call, an overflow, a time-out."
    )


def _planning(method: Method) -> Iterable[str]:
    plan = method.planning
    one = plan.mode is PlanningMode.PUBLISHED
    yield (
        f"The time t1 of a call is {'that of one cold call' if one else 'the mean of at least 3 calls when it is below 5 s, else that of one'}. "
        f"A measurement is {plan.trials} trials, each in a process of its own, of max({plan.target_s:g} s / t1, "
        f"{plan.min_calls} / {plan.trials}) calls, at most {plan.max_iterations}. Where all calls together would take more than "
        f"{plan.budget_s:g} s there are fewer, down to one; where one call a trial takes longer, there are fewer trials."
    )
    yield (
        f"Warm-ups: 3 when t1 is below {WARM_UP_3_BELOW_S * 1000:g} ms, 1 when below {WARM_UP_1_BELOW_S:g} s, else none. If "
        f"the first trial shows t1 to be off by more than a factor of {REPLAN_FACTOR:g}, it becomes the calibration and the plan "
        f"is made anew ({method.trials.replanned} times in this run)."
    )
    if method.shared_process:
        yield f"Where the set-up takes more than {plan.shared_process_setup_s:g} s the trials shared one process; a remark says so."


def _clocks(method: Method) -> Iterable[str]:
    yield (
        f"Time is read from CLOCK_MONOTONIC_RAW around each call that takes {CLOCK_GRAIN_NS // 1000} µs or more, else around "
        f"batches of at least that length."
    )
    if method.empty_loop_ns is not None:
        yield (
            f"An empty call in the same loop cost {fmt.time_ns(method.empty_loop_ns)} at most; it is stored with each record "
            "and never subtracted."
        )
    if method.counted:
        yield (
            f"Cycles are {method.counter or 'those of the CPU in user mode'}, counted once a trial around the loop of calls "
            "by the kernel's counter of this thread. A count that is absent, zero, shared or runs backwards is none."
        )
    else:
        yield f"Cycles are missing: {method.counter or 'the host offers no counter'}. Ticks of other clocks never stand for them."


def _statistics() -> Iterable[str]:
    yield (
        "The mean over all calls is the primary figure. Beside it: the median of the trial means; least, greatest and "
        "quantiles of single calls; and a 95 % interval of the mean from the trial means (Student's t, one degree of "
        "freedom fewer than trials), approximate below 4 calls a trial and missing with one trial."
    )


def _noise(method: Method) -> Iterable[str]:
    if not method.noise:
        yield "The reference loop was not measured: how much this host differs from itself is unknown."
        return
    worst = max(row.spread for row in method.noise)
    yield (
        "A built-in loop of integer work and memory reads was measured as A and as A′ in turn, in fresh processes, at the start "
        f"and once a day. The spread is |A / A′ − 1|; the largest, {fmt.deviation(worst)}, is the noise floor of this run: "
        "smaller differences between two measurements say nothing."
    )


def _disturbed(method: Method) -> Iterable[str]:
    trials, repeats = method.trials, method.planning.repeats
    again = (
        f"It is measured again at most {repeats} {'times' if repeats > 1 else 'time'} within the budget; the attempt with "
        "the highest CPU share is kept, never chosen by its time, and flagged when it is still disturbed."
        if repeats
        else "The campaign asked for no repeats: such a trial is kept and flagged."
    )
    yield (
        f"A trial counts as disturbed when its CPU time is below {fmt.share(method.least_cpu_share)} of its wall time; when it "
        "changed the core; when the CPU was throttled, the hypervisor took time or memory was swapped meanwhile; or when its "
        f"cycles per nanosecond are more than {method.most_clock_shift * 100:g}% off the run's median. Context switches and "
        f"load are recorded only. {again}"
    )
    made = trials.made - trials.replanned
    yield (
        f"Of {made} trials {trials.rejected} were measured again and are in no figure; "
        f"{trials.disturbed} are in the figures although disturbed."
    )


def _profile(method: Method) -> Iterable[str]:
    if not method.profile.on:
        return ["The campaign did not ask for a profile."]
    said = [] if method.profiled else ["Nothing has been profiled."]
    return [*said, sentences.SYMMETRIC, sentences.PROFILE]


def _limits(method: Method) -> Iterable[str]:
    yield from sentences.LIMITS
    yield (
        "Shares see calls that cross object files only: what is inlined at link time, or copied into a candidate's own file, "
        "escapes and makes the share unknown. The time of the wrappers themselves is part of the total."
    )
    yield "Answers are compared by one digest of the whole text; a passed test covers the records it names and no other input."
    if method.inputs == ("fixed",):
        yield "All trials repeat the same inputs: intervals show repeatability, and instances must not be ranked by them."
    if not method.counted:
        yield "Times depend on the clock of this CPU at that moment; without cycles they do not carry over to another machine."
    if method.memory_limit_mib:
        yield f"Candidates had {method.memory_limit_mib} MiB of address space; what needs more ended as oom."
    if method.processes:
        yield "Candidates could start processes of their own, whose time and memory are in no figure."
