"""How often intervals hold the true mean, and how often equal costs are told apart, over simulated campaigns.

5 trials of 20 calls each; the drawn values go through the statistics of records and the comparison of runs.  Seeded: the
same numbers at every call.
"""

from __future__ import annotations

import sys
import time

from benchmarks.common import ROOT, goal_line, title

sys.path.insert(0, str(ROOT / "tests"))
from golden.simulated import CALLS, CANDIDATES, TRIALS, covered, flagged

CAMPAIGNS = 10_000
SEED = 1
#: How much slower the second campaign is where a flag would be right.
SLOWER = (1.1, 1.3, 1.6)
POWER_CAMPAIGNS = 1_000


def main() -> None:
    """Simulate and print."""
    title(f"{CAMPAIGNS} simulated campaigns of {TRIALS} x {CALLS} calls")
    started = time.perf_counter()
    for candidate in CANDIDATES:
        print(candidate.name)
        share = covered(candidate, CAMPAIGNS, SEED)
        goal_line("95 % interval holds the true mean", 100 * share, "%", 93.0, at_least=True)
        goal_line("", 100 * share, "%", 97.0)
        goal_line("equal costs flagged as different", 100 * flagged(candidate, CAMPAIGNS, SEED), "%", 6.0)
        for factor in SLOWER:
            right = 100 * flagged(candidate, POWER_CAMPAIGNS, SEED, factor)
            print(f"  {f'{factor:g} times the cost flagged':<44} {right:>9.3f} %")
    print(f"\n{time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
