"""A page: everything known about one scheme on one system, in the order it is printed."""

from __future__ import annotations

from dataclasses import dataclass, field

from ngcctui.report.tables import (
    EnvironmentRow,
    EvidenceRow,
    HashPerformanceRow,
    KatNote,
    KatRow,
    LibraryRow,
    PerformanceRow,
    PrecisionRow,
    ProfileRow,
    ResourceRow,
    Row,
    SizeRow,
    SymmetricRow,
    Table,
)

#: What the published pages call a function.
SIGNATURE = "digital signature"
HASH = "hash function"

_PERFORMANCE = (
    "instance",
    "operation",
    "mean cycles",
    "mean time",
    "ops/s",
    "median trial",
    "n (trials × iters)",
)
_HASH = ("instance", "message", "mean cycles", "cycles/byte", "mean time", "MB/s", "n (trials × iters)")
_PRECISION = (
    "distinct calls",
    "rejected / trials",
    "min",
    "p5",
    "p25",
    "p50",
    "p75",
    "p95",
    "max",
    "remarks",
)


@dataclass(frozen=True)
class SchemeInfo:
    """Section 1; `versions` are the implementations measured."""

    id: str
    algorithm: str
    category: str
    function: str
    system: str
    versions: tuple[str, ...]
    instances: tuple[str, ...]
    symmetric_verdict: str = ""
    symmetric_notes: str = ""

    @property
    def hash(self) -> bool:
        """True for a hash function: messages instead of operations, no sizes, no symmetric section."""
        return self.function == HASH


@dataclass(frozen=True)
class RunFacts:
    """What is true of the run behind the figures; the sentences of a page are made of it.

    - `scheme`: the scheme's key; `machine`: architecture of the measured library, empty when unknown
    - `inputs`: input methods of the records shown; `environments`: where records differ from section 2
    - `cores`: the fewest that a session could use, 0 when unknown; `noise`: largest spread of the reference loop, a
      fraction; `changes`: what was accepted on resume
    - `findings`: of the host check in any session; `host_allowed`: the campaign lets measure all the same
    - `selftest`: right answers come from an independent model, not from a submitted file
    - `digest_bits`: output length of each instance of a hash function; `sizes`: where lengths of keys and signatures disagree
    - `failures`: why operations have no figures; `warnings`: what the run journalled; `problems`: what was wrong with its
      files when the page was made
    """

    run: str
    scheme: str
    campaign: str
    version: str
    sessions: int
    ended: bool
    inputs: tuple[str, ...]
    machine: str = ""
    core: int | None = None
    cores: int = 0
    counter: str = ""
    findings: tuple[str, ...] = ()
    host_checked: bool = False
    host_allowed: bool = False
    noise: float | None = None
    changes: tuple[str, ...] = ()
    environments: tuple[str, ...] = ()
    digest_bits: dict[str, int] = field(default_factory=dict)
    sizes: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    trials: int = 0
    target_s: float = 0.0
    budget_s: float = 0.0
    planning: str = "default"
    kat_records: int = 0
    kat_limit_s: float = 0.0
    selftest: bool = False
    memory_limit_mib: int = 0
    processes: bool = False


@dataclass(frozen=True)
class Page:
    """One candidate page; `facts` is None for figures published by others, which are known as printed only."""

    scheme: SchemeInfo
    environment: tuple[EnvironmentRow, ...] = ()
    kat: tuple[KatRow, ...] = ()
    kat_notes: tuple[KatNote, ...] = ()
    performance: tuple[PerformanceRow | HashPerformanceRow, ...] = ()
    resources: tuple[ResourceRow, ...] = ()
    sizes: tuple[SizeRow, ...] = ()
    symmetric: tuple[SymmetricRow, ...] = ()
    evidence: tuple[EvidenceRow, ...] = ()
    facts: RunFacts | None = None
    precision: tuple[PrecisionRow, ...] = ()
    profile: tuple[ProfileRow, ...] = ()
    libraries: tuple[LibraryRow, ...] = ()

    def tables(self) -> tuple[Table, ...]:
        """The tables that have rows, in page order."""
        confidence = (
            "repeatability of the mean" if self.facts and self.facts.inputs == ("fixed",) else "mean, 95 %"
        )
        precision = ("instance", "operation", confidence, "±", *_PRECISION)
        calls = ("instance", "operation", "pseudohash/XOF/sm3", "DRNG", "calls per operation")
        check = ("instance", "operation", "n", "warm-ups", "ticks", "self-check")
        memory = ("instance", "operation", "static: ELF image (bytes)", "baseline RSS", "peak RSS")
        sizes = ("instance", "public key", "secret key", "signature")
        library = ("instance", "library", "sha256", "build flags")
        rows: tuple[tuple[str, str, tuple[str, ...], tuple[Row, ...], bool], ...] = (
            ("environment", "2. Assessment environment", ("item", "value"), self.environment, False),
            ("kat", "3. Functional testing (KAT)", ("instance", "build flags", "KAT"), self.kat, False),
            (
                "performance",
                "4. Performance",
                _HASH if self.scheme.hash else _PERFORMANCE,
                self.performance,
                False,
            ),
            ("precision", "Precision", precision, self.precision, True),
            ("resources", "5. Resource consumption", memory, self.resources, False),
            ("sizes", "6. Transmission and storage overhead", sizes, self.sizes, False),
            ("symmetric", "Symmetric primitives", calls, self.symmetric, False),
            ("profile", "Profile", check, self.profile, True),
            ("evidence", "7. Raw evidence index", ("instance", "item", "file"), self.evidence, False),
            ("libraries", "Libraries", library, self.libraries, True),
        )
        return tuple(Table(*entry) for entry in rows if entry[3])
