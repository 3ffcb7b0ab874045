"""Draws what was foretold beside what was true: a reliability diagram for each thing that was foretold."""

from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from typing import NamedTuple

from jantaku.table.riichi.pieces.picture import element
from scripts.results.ladder import EDGE, FELT, GOLD, GREY, IVORY, line, said

SIDE, LEFT, TOP, NEXT = 200, 64, 96, 264
"""Length of an axis, where the first panel begins, and how far the next one is from it."""
SMALL, LARGE = 2.0, 7.0
"""Radius of the point of a few cases, and of the largest bin."""
FEWEST = 10
"""Bins of fewer cases are left out."""


class Bin(NamedTuple):
    """Cases for which about the same probability was foretold: its mean, the share that was true, and how many."""

    foretold: float
    true: float
    cases: int


def picture(panels: Mapping[str, Mapping[str, Sequence[Bin]]]) -> str:
    """Draw a panel for each thing foretold, with the bins of two ways to foretell it, the second one in yellow."""
    other, own = next(iter(panels.values()))
    width, height = LEFT + NEXT * len(panels), TOP + SIDE + 36
    drawn = [
        f'<rect width="{width}" height="{height}" rx="14" fill="{FELT}"/>',
        said(20, 32, "Foretold by worlds (across), and true (up)", 17, IVORY, bold=True),
        said(20, 54, f"in per cent; yellow: {own}; grey: {other}; larger: more cases", 13, GREY),
    ]
    for number, (about, ways) in enumerate(panels.items()):
        drawn += _panel(LEFT + NEXT * number, about, ways)
    return element("".join(drawn), (0, 0, width, height), "Calibration of worlds", 1)


def _panel(left: float, about: str, ways: Mapping[str, Sequence[Bin]]) -> Iterator[str]:
    bottom = TOP + SIDE
    yield said(left, TOP - 14, about, 13, IVORY)
    for tick in range(6):
        at = SIDE * tick / 5
        yield line(left + at, TOP, left + at, bottom, EDGE, 1)
        yield line(left, bottom - at, left + SIDE, bottom - at, EDGE, 1)
        yield said(left + at, bottom + 18, f"{tick * 20}", 12, GREY, "middle")
        yield said(left - 8, bottom - at + 4, f"{tick * 20}", 12, GREY, "end")
    yield line(left, bottom, left + SIDE, TOP, GREY, 1)
    for ink, bins in zip((GREY, GOLD), ways.values(), strict=True):
        most = max((one.cases for one in bins), default=1)
        for one in filter(lambda one: one.cases >= FEWEST, bins):
            x, y = left + SIDE * one.foretold, bottom - SIDE * one.true
            radius = SMALL + (LARGE - SMALL) * sqrt(one.cases / most)
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{ink}" fill-opacity="0.85"/>'
