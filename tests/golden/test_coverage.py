"""Intervals and flags on simulated candidates: few campaigns, fixed seeds, bounds that only a wrong method breaks.

benchmarks/coverage.py does the same with 10,000 campaigns against the tight bounds.
"""

from __future__ import annotations

from random import Random

import pytest
from golden.simulated import CANDIDATES, UNIT_NS, Candidate, campaign, covered, flagged

CAMPAIGNS = 400


@pytest.mark.parametrize("candidate", CANDIDATES, ids=lambda candidate: candidate.name)
def test_the_interval_holds_the_true_mean_in_about_95_percent(candidate: Candidate) -> None:
    assert 0.91 <= covered(candidate, CAMPAIGNS, 1) <= 0.985


@pytest.mark.parametrize("candidate", CANDIDATES, ids=lambda candidate: candidate.name)
def test_equal_costs_are_seldom_flagged_and_unequal_ones_often(candidate: Candidate) -> None:
    assert 0.01 <= flagged(candidate, CAMPAIGNS, 1) <= 0.08
    assert flagged(candidate, 100, 1, 1.6) >= 0.8


@pytest.mark.parametrize("candidate", CANDIDATES, ids=lambda candidate: candidate.name)
def test_the_candidates_cost_what_they_say(candidate: Candidate) -> None:
    chance = Random(7)
    mean = sum(campaign(candidate, chance).value for _ in range(200)) / 200 / UNIT_NS
    assert mean == pytest.approx(candidate.mean, rel=0.02)
