"""What a page says in words: each sentence is true of the run whose facts it is given, or it is not said.

Plain text; names and details from outside are part of it, so a renderer escapes the whole.
"""

from __future__ import annotations

from ngcctui.model.outcome import NOT_TIMED_AFTER, Outcome
from ngcctui.report import format as fmt
from ngcctui.report.page import Page, RunFacts

#: Outcomes after which an instance is timed although its answers are not known to be right.
_UNPROVEN = frozenset({outcome.value for outcome in Outcome if outcome.isupper()} - {"PASS"}) - {
    outcome.value for outcome in NOT_TIMED_AFTER
}
#: Operations named in one sentence.
_NAMED = 6
GUIDE = {"x86-64": "the x86 guide", "arm64": "the ARM guide"}
PUBLISHED = "These figures were published for the system named above; this program has read them and measured none of them."


def opening(page: Page) -> str:
    """Whose measurement this is."""
    facts = page.facts
    if facts is None:
        return PUBLISHED
    guide = GUIDE.get(facts.machine, "its guides")
    return (
        f"Measured with ngcctui {facts.version}, run {facts.run}, campaign {facts.campaign}, after items (1) to (7) of "
        f"section 3.5 of the competition's self-assessment guide ({guide}). This is an independent measurement and not "
        "the submitters' own assessment."
    )


def conditions(facts: RunFacts) -> list[str]:
    """Under which conditions the run measured: core, host, noise, what changed, what is missing."""
    said = []
    if facts.core is not None:
        said.append(
            f"Timed on core {facts.core}, one process at a time; no build and no known answer test ran beside a timed call."
        )
    if facts.cores == 1:
        said.append(
            "The run was allowed one core only: the engine and its monitoring shared it with the measurement."
        )
    if facts.noise is not None:
        said.append(
            f"A built-in reference loop, measured repeatedly, spread by {fmt.deviation(facts.noise)} of its time: "
            "differences of that size are noise of this host."
        )
    if facts.changes:
        said.append(
            "The run was resumed after changes that the operator accepted: " + "; ".join(facts.changes) + "."
        )
    if facts.environments:
        said.append("Not all records were taken in this environment: " + "; ".join(facts.environments) + ".")
    if facts.sessions > 1:
        said.append(f"The run was interrupted and resumed: {facts.sessions} sessions in all.")
    if not facts.ended:
        said.append("The run has not ended: a row without figures names the state of its step.")
    if facts.memory_limit_mib:
        said.append(
            f"Each candidate process could use {facts.memory_limit_mib} MiB of address space at most."
        )
    if facts.processes:
        said.append("The campaign let candidates start processes of their own; their time is in no figure.")
    return said


def host(facts: RunFacts) -> str:
    """What the host check found; a list of the findings follows when there are any."""
    if facts.findings and facts.host_allowed:
        return "Measured on a host that is not as a measurement asks for, with the campaign's leave. Its check found:"
    if facts.findings:
        return "The check of the host found:"
    return "The check of the host found nothing amiss." if facts.host_checked else ""


def kat(page: Page) -> list[str]:
    """How the known answer test was made."""
    facts = page.facts
    if facts is None:
        return []
    if facts.selftest:
        said = [
            (
                "Before timing, each library worked through a fixed set of inputs; the SHA-256 over all answers was compared "
                "with that of an independent model (SELFTEST)."
            )
        ]
    else:
        said = [
            (
                "Before timing, each library answered the known answer test anew; the SHA-256 of the regenerated text was "
                "compared with that of the submitted file, as scheme.toml names it."
            )
        ]
    asked = {0: "all records that the digest covers", 1: "record 0 alone"}
    wanted = asked.get(facts.kat_records, f"{facts.kat_records} records")
    said.append(f"The campaign asked for {wanted}, with a limit of {facts.kat_limit_s:g} s an instance.")
    if any(row.build_flags == "harness-default" for row in page.kat):
        said.append(
            "harness-default: built with -O2 -std=gnu11 -fno-strict-aliasing -fwrapv, after a fault with the guide's flags."
        )
    if any(row.kat in _UNPROVEN for row in page.kat):
        said.append("An instance that is timed without PASS has no validated output.")
    return said


def performance(page: Page) -> list[str]:
    """What the figures of section 4 are, and over which inputs."""
    facts = page.facts
    if facts is None:
        return []
    planned = "one call" if facts.planning == "published" else "a few calls"
    said = [
        (
            "Means are taken over all calls of all trials; the median trial is the median of the trial means. A trial is a "
            "fixed number of calls in a process of its own (a remark below tells where the set-up was too long for that), "
            f"planned from {planned}: {facts.trials} trials of about "
            f"{facts.target_s:g} s, fewer or shorter where the budget of {facts.budget_s:g} s an operation asks for it."
        )
    ]
    said += [INPUTS[name] for name in facts.inputs if name in INPUTS]
    figures = [row for row in page.performance if not row.word]
    if any(row.mean_cycles is not None for row in figures):
        said.append(
            f"Cycles are {facts.counter or 'those of the CPU in user mode'}, counted once a trial around the whole loop; "
            "an en dash stands where they could not be counted."
        )
    elif figures:
        said.append(f"Cycles are missing: {facts.counter or 'none were counted'}. Only times are given.")
    if not page.scheme.hash:
        said.append(CORRECTNESS)
    return said


def disturbed(page: Page) -> list[str]:
    """Which means hold trials that were disturbed: the table of section 4 has no column for it."""
    rows = [row for row in page.precision if row.disturbed]
    if not rows:
        return []
    named = [
        f"{row.instance} {row.operation} ({row.disturbed} of {row.attempts - row.rejected} trials)"
        for row in rows[:_NAMED]
    ]
    more = [f"{len(rows) - _NAMED} more"] if len(rows) > _NAMED else []
    return [
        f"Disturbed trials are in the means of {', '.join(named + more)}; remarks below tell what disturbed them."
    ]


CORRECTNESS = (
    "Verification had to accept in every timed call, else the row says rejected and shows no figure. A signing "
    "attempt that failed was repeated within its timed call; such repeats are counted behind n."
)
INPUTS = {
    "varied": (
        "Inputs vary: each trial has its own random stream and each call its own message; distinct calls counts the "
        "different inputs that n holds."
    ),
    "fixed": (
        "Inputs are fixed: every trial repeats the same random stream and message, so n holds only the calls of one "
        "trial as different inputs, and the spread between trials shows repeatability, not the scheme's own variance."
    ),
}


def precision(page: Page) -> str:
    """How the intervals are made."""
    kind = "95 % interval of the mean"
    if page.facts and page.facts.inputs == ("fixed",):
        kind = "repeatability (95 % over repeated trials of the same inputs; it never ranks)"
    return (
        f"The {kind} is taken from the trial means (Student's t); ≈ marks one from fewer than 4 calls a trial, an en "
        "dash a single trial. Rejected trials were disturbed and measured again; they are in no figure. min to max are "
        "times of one call, or of one call's share where calls were timed in batches."
    )


RESOURCES = (
    "Static is the memory that the library's loadable segments (PT_LOAD) take. Baseline is the resident set of the "
    "measuring process after the library is loaded and before the first call, peak its high-water mark (VmHWM); both are "
    "of the same process and hold the driver and the C library too, so they bound the algorithm's memory from above."
)
SIZES = "Lengths in bytes as the library declares them through its interface."
SYMMETRIC = (
    "Share of each operation spent in the competition's helper hash functions and in its random generator, and how often "
    "they are called. Measured with a second link of the same objects in which these calls are timed; no figure of "
    "section 4 comes from it. A nested call belongs to the outer one."
)
PROFILE = (
    "n calls were profiled. The self-check compares the calls seen with those that the helpers themselves counted; where "
    "it fails, calls may have escaped (inside one object file, or through copies of the helpers) and the share is unknown."
)
EVIDENCE = (
    "Paths are relative to the run's directory. Each record holds its trials, plan, environment, library digest and "
    "statistics; every timed value lies beside it in a .u64.gz file, so each figure here can be computed anew."
)
LIMITS = (
    (
        "One core of one machine and one compiler. Memory figures include the measuring process. Shares cover the "
        "competition's helpers only, not a candidate's own hash code."
    ),
    (
        "Candidates run in processes of their own with few rights, but code that attacks the measuring process it shares its "
        "memory with on purpose is out of scope."
    ),
)
