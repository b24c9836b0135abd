"""How many times the cost: the operations of one run, dataset or published system against those of another."""

from ngcctui.report.compare.pages import Compared, Figures, compare
from ngcctui.report.compare.pairs import Comparison, Pair, compare_sides
from ngcctui.report.compare.ratio import FASTER, SLOWER, Mean, Ratio, ratio
from ngcctui.report.compare.sides import Side, place, published_side, run_side

__all__ = [
    "FASTER",
    "SLOWER",
    "Compared",
    "Comparison",
    "Figures",
    "Mean",
    "Pair",
    "Ratio",
    "Side",
    "compare",
    "compare_sides",
    "place",
    "published_side",
    "ratio",
    "run_side",
]
