"""Validation: everything that a run or a published dataset says can be found again in what it holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from ngcctui.collector import no_collection
from ngcctui.engine.rundir import RunDir
from ngcctui.model.step import Kind
from ngcctui.report.beside import beside
from ngcctui.report.dataset import is_dataset
from ngcctui.report.systems import System
from ngcctui.report.validate.clocks import check_clocks
from ngcctui.report.validate.evidence import Evidence, gather
from ngcctui.report.validate.figures import Difference, recompute
from ngcctui.report.validate.finding import Finding
from ngcctui.report.validate.libraries import check_libraries
from ngcctui.report.validate.pages import check_pages
from ngcctui.report.validate.privacy import Private
from ngcctui.report.validate.profiles import check_profiles
from ngcctui.report.validate.published import validate_published
from ngcctui.report.validate.records import check_records
from ngcctui.report.validate.registry import check_system
from ngcctui.report.validate.steps import check_steps, check_strays
from ngcctui.report.validate.sums import check_sums

__all__ = [
    "Difference",
    "Finding",
    "Private",
    "Validation",
    "examine",
    "recompute",
    "validate",
    "validate_published",
]


@dataclass(frozen=True)
class Validation:
    """What was found, and what was looked at: records, profiles, pages, KAT logs."""

    findings: tuple[Finding, ...]
    looked_at: Mapping[str, int] = field(default_factory=dict)


def validate(
    run: RunDir,
    systems: Mapping[str, System],
    private: Private | None = None,
    published: Mapping[str, Path] | None = None,
) -> Validation:
    """Hold everything in a run, or in a dataset opened as one, against everything else in it.

    Figures are recomputed from the timed values, shares from calls, plans from calibrations, pages from all of it; nothing
    is written.  `systems` are the registered ones, `published` the directories of published figures, which charts may show.
    Nothing is raised for what is damaged: that is a finding.
    """
    return examine(run, systems, private or Private(), published or {})[0]


def examine(
    run: RunDir, systems: Mapping[str, System], private: Private, published: Mapping[str, Path]
) -> tuple[Validation, Evidence, dict[str, bytes]]:
    """Like `validate`, and what it read: the evidence, and the files of the report as the run gives them."""
    with no_collection():
        evidence = gather(run, is_dataset(run.path), private)
        paged = beside(partial(_paged, evidence, published), records=len(evidence.records))
        check_steps(evidence)
        check_libraries(evidence)
        check_records(evidence)
        check_clocks(evidence)
        check_profiles(evidence)
        check_strays(evidence)
        check_system(evidence, systems)
        pages, findings, private_ones = paged()
        evidence.findings += findings
        if evidence.dataset:
            check_sums(evidence, pages)
    evidence.findings += [*evidence.scanner.findings, *private_ones]
    kats = sum(
        entry.step.kind is Kind.KAT and entry.file is not None for entry in evidence.state.steps.values()
    )
    counts = {
        "records": len(evidence.records),
        "profiles": len(evidence.profiles),
        "KAT logs": kats,
        "pages": len(pages),
    }
    return Validation(tuple(dict.fromkeys(evidence.findings)), counts), evidence, pages


def _paged(
    evidence: Evidence, published: Mapping[str, Path]
) -> tuple[dict[str, bytes], list[Finding], list[Finding]]:
    """Look at the pages: the files of the report, what was found, and what is private in them."""
    before, private_before = len(evidence.findings), len(evidence.scanner.findings)
    pages = check_pages(evidence, published)
    found, private_ones = evidence.findings[before:], evidence.scanner.findings[private_before:]
    del evidence.findings[before:], evidence.scanner.findings[private_before:]
    return pages, found, private_ones
