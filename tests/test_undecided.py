"""The page about published results: its table follows from the published counts."""

import math
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from jantaku.table.arena.match.figures.units import rank_pt, stable_dan
from jantaku.table.arena.match.ranklists import rank_points

# Mortal, docs/src/perf/strength.md at 273d41be: how often the one came 1st to 4th.
COUNTS = {
    "akochan beside mortal1": (5582, 5521, 5894, 6435),
    "akochan beside mortal3": (3121, 3116, 3243, 3672),
    "mortal2 beside mortal1": (107160, 106427, 105945, 106468),
    "mortal1 beside mortal2": (100909, 101357, 101105, 100629),
}


def _half(values: Sequence[float], counts: Sequence[int]) -> float:
    """Half of the 95 % interval of the mean of `values`, each hanchan being an observation."""
    hanchan = sum(counts)
    mean = math.fsum(n * value for n, value in zip(counts, values, strict=True)) / hanchan
    return (
        1.96 * math.sqrt(math.fsum(n * (value - mean) ** 2 for n, value in zip(counts, values, strict=True))) / hanchan
    )


@pytest.mark.parametrize("row", COUNTS)
def test_each_row_of_the_table_follows_from_the_counts(row: str) -> None:
    counts = COUNTS[row]
    hanchan, points = sum(counts), rank_points("houou-7")
    rank = sum(n * place for place, n in enumerate(counts, 1)) / hanchan
    dan = stable_dan([counts])
    assert dan is not None
    of_dan = _half((6, 3, 0, -dan.mean - 2), counts) * hanchan / counts[3]
    cells = (
        f"{hanchan:,}",
        f"{rank:.4f} ± {_half((1, 2, 3, 4), counts):.4f}",
        f"{rank_pt([counts], points).mean:+.2f} ± {_half(points, counts):.2f}",
        f"{dan.mean:.2f} ± {of_dan:.2f}",
    )
    page = (Path(__file__).parents[1] / "docs" / "undecided.md").read_text("utf-8")
    (shown,) = re.findall(rf"^\| {row} \| (.*) \|$", page, re.MULTILINE)
    assert shown == " | ".join(cells)


def test_how_many_hanchan_would_decide_follows_from_the_interval() -> None:
    counts, points = COUNTS["mortal2 beside mortal1"], rank_points("houou-7")
    ratio = _half(points, counts) / rank_pt([counts], points).mean
    assert round(ratio**2 * sum(counts) / 1e6, 1) == 1.4
