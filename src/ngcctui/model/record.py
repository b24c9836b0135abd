"""Records: what a measure or profile step leaves on disk, complete enough to recompute every printed number."""

from __future__ import annotations

from dataclasses import dataclass, field

from ngcctui.model.outcome import Outcome

SCHEMA = 1


@dataclass(frozen=True)
class Plan:
    """How an operation is measured; t1 and setup in ns, limit of one process in seconds.

    `batch` is the number of calls between two clock reads (1: every call is timed by itself).
    """

    t1_ns: float
    setup_ns: float
    trials: int
    iterations: int
    warmups: int
    batch: int
    separate_processes: bool
    reuse_calibration: bool
    limit_s: float
    over_budget: bool = False


@dataclass(frozen=True)
class Health:
    """Deltas over one trial that tell a disturbed one; None where the host does not tell."""

    cpu_before: int
    cpu_after: int
    voluntary_switches: int
    involuntary_switches: int
    minor_faults: int
    major_faults: int
    throttle: int | None = None
    steal_ticks: int | None = None
    swap_pages: int | None = None


@dataclass(frozen=True)
class Trial:
    """One attempt at one trial: `iterations` calls in one process.

    Times in ns (CLOCK_MONOTONIC_RAW and thread CPU time around the whole loop); `cycles` is None without a usable
    counter and `counter` says why; `ticks` are TSC or cntvct ticks, `tick_source` names them.  `samples_offset` counts
    u64 values in the record's .u64.gz, `samples` values belong to the trial, each the ns of `batch` calls (the last
    batch may be shorter).  `disturbed` lists the reasons; `used` is False for attempts outside the statistics.  For
    `held_ns` the process waited between calls because the run was paused; no other figure holds any of that.
    """

    trial: int
    attempt: int
    iterations: int
    batch: int
    wall_ns: int
    cpu_ns: int
    cycles: int | None
    counter: str
    ticks: int | None
    tick_source: str
    health: Health
    retries: int = 0
    rejected: int = 0
    failures: int = 0
    started_utc: str = ""
    load_average: float = 0.0
    frequency_khz: int | None = None
    disturbed: tuple[str, ...] = ()
    used: bool = True
    samples_offset: int = 0
    samples: int = 0
    pid: int = 0
    held_ns: int = 0


@dataclass(frozen=True)
class Memory:
    """Memory of one process, bytes: sum of PT_LOAD sizes, RSS after loading, VmHWM; None where unknown."""

    static_bytes: int | None = None
    baseline_rss_bytes: int | None = None
    peak_rss_bytes: int | None = None


@dataclass(frozen=True)
class Statistics:
    """Figures over all calls of the used trials, ns a call unless the name says otherwise.

    `interval_low`/`interval_high` bound the mean with 95 % (Student on trial means); None with one trial.
    `distinct_calls` is how many different inputs n holds.
    """

    calls: int
    distinct_calls: int
    mean_ns: float
    median_trial_ns: float
    trial_means_ns: tuple[float, ...]
    min_ns: float
    p5_ns: float
    p25_ns: float
    p50_ns: float
    p75_ns: float
    p95_ns: float
    max_ns: float
    ops_per_second: float
    mean_cycles: float | None = None
    median_trial_cycles: float | None = None
    interval_low_ns: float | None = None
    interval_high_ns: float | None = None
    interval_low_cycles: float | None = None
    interval_high_cycles: float | None = None
    approximate: bool = False


@dataclass(frozen=True)
class Record:
    """The record of one measure step (records/<key>/<instance>__<operation>.json)."""

    step: str
    scheme: str
    instance: str
    operation: str
    outcome: Outcome
    detail: str
    flags: str
    inputs: str
    message_bytes: int
    library: str
    library_sha256: str
    kat: str
    attempt: int
    started_utc: str
    ended_utc: str
    command: str
    environment: dict[str, str] = field(default_factory=dict)
    plan: Plan | None = None
    trials: tuple[Trial, ...] = ()
    memory: Memory = field(default_factory=Memory)
    sizes: dict[str, int] = field(default_factory=dict)
    statistics: Statistics | None = None
    samples_file: str | None = None
    samples_sha256: str | None = None
    retries: int = 0
    rejected: int = 0
    rejected_trials: int = 0
    empty_loop_ns: float | None = None
    signal: str | None = None
    schema: int = SCHEMA


@dataclass(frozen=True)
class ProfileCall:
    """Calls of one helper function with one pair of lengths (bits): how many, and the ticks spent in them."""

    function: str
    in_bits: int
    out_bits: int
    calls: int
    ticks: int


@dataclass(frozen=True)
class ProfileRecord:
    """The profile of one operation (profile/<key>/<instance>__<operation>.json).

    `operations` calls took `total_ticks` of `tick_source`; `intercepted` is the verdict of the self-check: when it is
    False the shares are unknown.  Shares are fractions of the total: the helper hash functions, and the DRNG.
    """

    step: str
    scheme: str
    instance: str
    operation: str
    outcome: Outcome
    detail: str
    library_sha256: str
    started_utc: str
    ended_utc: str
    operations: int = 0
    warmups: int = 0
    total_ticks: int = 0
    tick_source: str = ""
    intercepted: bool = False
    overflow_calls: int = 0
    calls: tuple[ProfileCall, ...] = ()
    hash_share: float | None = None
    drng_share: float | None = None
    environment: dict[str, str] = field(default_factory=dict)
    attempt: int = 1
    schema: int = SCHEMA


@dataclass(frozen=True)
class LibraryInfo:
    """A built library: path in the run, digest, flags, and the memory image of its PT_LOAD segments (bytes)."""

    path: str
    sha256: str
    flags: str
    static_bytes: int
    profile_path: str | None = None
    profile_sha256: str | None = None


@dataclass(frozen=True)
class KatResult:
    """What a KAT step found: digest of the regenerated text, records reached and where it first differs.

    `sizes` are the declared lengths in bytes, `lengths` the least and the greatest that the calls returned, by the same names.
    """

    outcome: Outcome
    records: int
    covered: int
    sha256: str | None = None
    detail: str = ""
    log: str | None = None
    log_sha256: str | None = None
    selftest: bool = False
    sizes: dict[str, int] = field(default_factory=dict)
    lengths: dict[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """The word on pages: SELFTEST PASS for a passed self test, `PASS (1 record)` for record 0 alone."""
        if self.outcome is Outcome.PASS and self.selftest:
            return "SELFTEST PASS"
        if self.outcome is Outcome.PASS and self.records < self.covered:
            return f"PASS ({self.records} record{'s' if self.records != 1 else ''})"
        return self.outcome.value
