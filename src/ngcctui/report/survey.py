"""The symmetric survey: what a scheme's hashing and randomness rest on, by its maker's word, by the survey, by measurement."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import ClassVar

from ngcctui.model.codec import CodecError
from ngcctui.model.toml_file import load
from ngcctui.report import format as fmt
from ngcctui.report.page import Page
from ngcctui.report.tables import Cells, SymmetricRow
from ngcctui.share import share_dir

ICCS_ONLY, MIXED, BYPASS, DEPENDS = "ICCS-only", "mixed", "bypass", "instance-dependent"
VERDICTS = (ICCS_ONLY, MIXED, BYPASS, DEPENDS)


@dataclass(frozen=True)
class Verdict:
    """The survey's verdict on one submission."""

    id: str
    verdict: str
    note: str = ""

    def __post_init__(self) -> None:
        if self.verdict not in VERDICTS:
            raise CodecError("verdict", f"must be one of {', '.join(VERDICTS)}")


@dataclass(frozen=True)
class Survey:
    """The catalogue (data/survey.toml)."""

    origin: str
    scheme: tuple[Verdict, ...] = ()

    def of(self, id: str) -> Verdict | None:
        """The verdict on a submission; None when it was not surveyed."""
        return next((entry for entry in self.scheme if entry.id == id), None)


@cache
def load_survey(path: Path | None = None) -> Survey:
    """The catalogue in a file, the packaged one by default; ConfigError when it does not fit."""
    return load(Survey, path or share_dir() / "data" / "survey.toml")


@dataclass(frozen=True)
class SurveyRow(Cells):
    """One scheme of the survey; `low` and `high` bound the share of the helpers over `known` of `profiled` operations.

    `remark` tells where verdict and measurement do not go together.
    """

    _code: ClassVar[tuple[int, ...]] = (0,)
    scheme: str
    verdict: str
    note: str
    low: float | None = None
    high: float | None = None
    known: int = 0
    profiled: int = 0
    remark: str = ""

    def cells(self) -> tuple[str, ...]:
        measured = fmt.DASH
        if self.known:
            bounds = dict.fromkeys((fmt.share(self.low), fmt.share(self.high)))
            measured = f"{' to '.join(bounds)} ({self.known} of {self.profiled})"
        elif self.profiled:
            measured = f"unknown (0 of {self.profiled})"
        return self.scheme, self.verdict or fmt.DASH, measured, self.note or fmt.DASH, self.remark or fmt.DASH


def survey_row(page: Page, key: str) -> SurveyRow:
    """The row of one scheme: the page's verdict and the shares of its operations."""
    rows = [row for row in page.symmetric if row.word in ("", "unknown")]
    known = [row for row in rows if not row.word]
    shares = [(row.hash_share or 0.0) + (row.drng_share or 0.0) for row in known]
    info = page.scheme
    remark = _remark(info.symmetric_verdict, known)
    return SurveyRow(
        key,
        info.symmetric_verdict,
        info.symmetric_notes,
        min(shares, default=None),
        max(shares, default=None),
        len(known),
        len(rows),
        remark,
    )


def _remark(verdict: str, known: list[SymmetricRow]) -> str:
    """What the profile says against the verdict; empty when nothing."""
    called = [f"{row.instance} {row.operation}" for row in known if any(row.calls.values())]
    if verdict == BYPASS and called:
        return f"calls helper functions all the same ({called[0]})"
    if verdict == ICCS_ONLY and known and not called:
        return "no helper function was seen called"
    return ""
