"""The ladder as a picture: a line for every bot, with its mean rank and interval; ours in colour."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from jantaku.table.arena.match.figures.statistics import Interval
from jantaku.table.riichi.pieces.picture import element
from scripts.results.plan import EVEN

WIDTH, LEFT, RIGHT = 560, 176, 448
"""Width of the picture, and where the scale begins and ends."""
TOP, LINE = 72, 26
FELT, EDGE, IVORY, GREY, GOLD = "#123d33", "#0b2a23", "#f1f5ee", "#9fb3aa", "#ffd166"
"""Colours of the viewer (`table/records/view/page/ground.css`), on light and dark pages alike."""
FONT = "system-ui,'Segoe UI','Hiragino Sans','Noto Sans CJK JP','Noto Sans JP',sans-serif"
STEP = 0.25
"""Ranks between two lines of the scale."""


class Rung(NamedTuple):
    """A bot on the ladder: `ours` if it comes along."""

    name: str
    rank: Interval
    ours: bool


def picture(rungs: Sequence[Rung], ground: str) -> str:
    """Draw the rungs, best first, beside three of `ground`."""
    low = _down(min(one.rank.low or one.rank.mean for one in rungs))
    high = _down(max(one.rank.high or one.rank.mean for one in rungs)) + STEP
    bottom = TOP + LINE * len(rungs)

    def at(rank: float) -> float:
        return LEFT + (RIGHT - LEFT) * (rank - low) / (high - low)

    drawn = [
        f'<rect width="{WIDTH}" height="{bottom + 30}" rx="14" fill="{FELT}"/>',
        said(20, 32, f"Mean rank of one beside three {ground}", 17, IVORY, bold=True),
        said(20, 54, "further left is better; bars: 95 % intervals; ours in yellow", 13, GREY),
    ]
    for tick in range(round((high - low) / STEP) + 1):
        rank = low + STEP * tick
        drawn.append(line(at(rank), TOP, at(rank), bottom, GOLD if rank == EVEN else EDGE, 1))
        if (rank * 2).is_integer():
            drawn.append(said(at(rank), bottom + 18, f"{rank:.1f}", 13, GREY, "middle"))
    for row, rung in enumerate(rungs):
        drawn += _rung(rung, TOP + LINE * row + LINE / 2, at)
    return element("".join(drawn), (0, 0, WIDTH, bottom + 30), "The ladder of bots", 1)


def _rung(rung: Rung, y: float, at: Callable[[float], float]) -> Iterator[str]:
    ink, words, width = (GOLD, IVORY, 4) if rung.ours else (GREY, GREY, 3)
    mean, half = rung.rank.mean, rung.rank.half or 0.0
    yield said(LEFT - 14, y + 5, rung.name, 14, words, "end", bold=rung.ours)
    yield line(at(mean - half), y, at(mean + half), y, ink, width)
    yield line(at(mean), y - 7, at(mean), y + 7, ink, width)
    yield said(RIGHT + 14, y + 5, rung.rank.text(2), 13, words)


def _down(rank: float) -> float:
    return math.floor(rank / STEP) * STEP


def line(x: float, y: float, to_x: float, to_y: float, colour: str, width: int) -> str:
    ends = f'x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}"'
    return f'<line {ends} stroke="{colour}" stroke-width="{width}"/>'


def said(x: float, y: float, text: str, size: int, colour: str, anchor: str = "start", *, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    place = f'x="{x:.1f}" y="{y:.1f}" font-size="{size}" font-family="{FONT}" text-anchor="{anchor}"'
    return f'<text {place} fill="{colour}"{weight}>{text}</text>'
