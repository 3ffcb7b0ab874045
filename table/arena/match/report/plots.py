"""The plots of reports, as SVG."""

import math
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import accumulate, pairwise

from jantaku.table.arena.match.figures.statistics import Interval
from jantaku.table.arena.match.figures.stops import Sprt
from jantaku.table.arena.match.figures.tally import SetSums
from jantaku.table.arena.match.figures.timing import Timing, seconds
from jantaku.table.drawing.columns import shortened
from jantaku.table.drawing.elements import (
    Markup,
    Part,
)
from jantaku.table.drawing.faces import Face, faces_of

SHOWN = 8
"""Number of players in a plot with one line each."""
SHARES = 5
"""Number of colours for shares, from best to worst: the classes `share0` to `share4`."""
BAND_FROM = 5
"""Number of the first point with an interval: those before it are wider than the plot."""
NAME_IN_PLOT = 18
"""Most letters of a name in a plot."""
STEPS = 200
"""Most points of a curve."""
WIDTH, LETTER, LINE = 360.0, 5.4, 13.0
"""Width of a plot, of a letter and height of a line of text."""
TICKS = 6
"""Most ticks of an axis."""
Course = tuple[Sequence[int], Sequence[Interval]]
"""Numbers of games, and the intervals after them."""
Point = tuple[float, float]


def share_plot(label: str, shares: Mapping[str, Sequence[float]], heads: Sequence[str], unit: str) -> str:
    """Draw a bar per player with its shares, the best kind first; `heads` name the kinds."""
    kinds = [round(kind * (SHARES - 1) / (len(heads) - 1)) for kind in range(len(heads))]
    legend, top = _legend(heads, [f"share{kind}" for kind in kinds], 1)
    left, height, bar = _room(map(_short, shares)), 22.0 * len(shares), 16.0
    frame = _Frame((left, top, WIDTH - 10, top + height), (0, 100), (0, len(shares)))
    drawn = [*legend, *frame.bottom(_even(0, 100, TICKS), f"share of {unit}, %")]
    for row, (name, parts) in enumerate(shares.items()):
        y = top + 22.0 * row + 3
        drawn.append(_text(left - 6, y + bar / 2 + 3, _short(name), "end"))
        for kind, (before, part) in zip(kinds, zip(accumulate(parts, initial=0.0), parts, strict=False), strict=True):
            x, end = frame.x(before * 100), frame.x((before + part) * 100)
            drawn.append(_tag("rect", x=x, y=y, width=end - x, height=bar, class_=f"share{kind}"))
            if part >= 0.05:
                drawn.append(_text((x + end) / 2, y + bar / 2 + 3, f"{part * 100:.0f}", "middle", f"on{kind}"))
    return _svg(label, top + height + 2.4 * LINE, drawn)


def points_plot(label: str, points: Mapping[str, SetSums], unit: str) -> str:
    """Draw the mean points of the first players over the games played, with the 95 % interval by sets."""
    return course_plot(label, {name: sums.course(STEPS) for name, sums in points.items()}, unit, "mean points")


def course_plot(label: str, courses: Mapping[str, Course], unit: str, value: str, level: float = 0.0) -> str:
    """Draw intervals of the first players over the games played; `level` is the value of an even player."""
    shown, faces = list(courses.items())[:SHOWN], faces_of(courses)
    last = max(games[-1] for _, (games, _) in shown)
    low, high = _reach([Interval(found[-1].mean - level, found[-1].half) for _, (_, found) in shown])
    legend, frame = _lines([name for name, _ in shown], (0, max(last, 1)), (level + low, level + high), faces)
    inside = [_line("quiet", [(0, level), (last, level)], frame)]
    for name, (games, found) in shown:
        face = faces[name].classes
        known = [
            (at, one.mean, one.half)
            for at, one in list(zip(games, found, strict=True))[BAND_FROM - 1 :]
            if one.half is not None
        ]
        edge = [(at, mean + half) for at, mean, half in known] + [(at, mean - half) for at, mean, half in known[::-1]]
        inside.append(_tag("polygon", class_=f"band fill {face}", points=_points(edge, frame)) if edge else "")
        course = [(at, one.mean) for at, one in zip(games, found, strict=True)]
        inside.append(_line(f"line {face}", course, frame))
        if len(course) < BAND_FROM:  # a line through a single point is invisible
            inside += [
                _tag("circle", class_=f"fill {face}", cx=frame.x(x) - frame.left, cy=frame.y(y) - frame.top, r=2.5)
                for x, y in course
            ]
    drawn = [*legend, *frame.side(_even(level + low, level + high, TICKS), value), frame.clip(inside)]
    ticks = [tick for tick in _even(0, max(last, 1), TICKS) if tick == int(tick)]
    return _svg(label, frame.bottom_edge + 2.4 * LINE, [*drawn, *frame.bottom(ticks, unit)])


def sequential_plot(label: str, course: Sequence[float], test: Sprt) -> str:
    """Draw the log likelihood ratio of a sequential test after every set, between its bounds."""
    beyond = 1.5 * max(-test.lower, test.upper)
    _, frame = _lines((), (1, max(len(course), 2)), (-beyond * 1.05, beyond * 1.05), {})
    ends = (1, max(len(course), 2))
    inside = [_line("quiet", [(x, 0) for x in ends], frame)]
    for bound, said in ((test.upper, f"H1: mean rank {test.rank1:g}"), (test.lower, f"H0: mean rank {test.rank0:g}")):
        inside.append(_line("bound", [(x, bound) for x in ends], frame))
        inside.append(_text(2, frame.y(bound) - frame.top + (-4 if bound > 0 else LINE - 2), said))
    held = [(at, min(max(value, -beyond), beyond)) for at, value in enumerate(course, 1)]
    inside.append(_line("line c0", held, frame))
    side = frame.side(_even(-beyond, beyond, TICKS), "log likelihood ratio")
    ticks = [tick for tick in _even(*ends, TICKS) if tick == int(tick)]
    return _svg(label, frame.bottom_edge + 2.4 * LINE, [*side, frame.clip(inside), *frame.bottom(ticks, "wall sets")])


def time_plot(label: str, times: Sequence[Timing]) -> str:
    """Draw the cumulative distribution of answer times, a curve for each of the first players."""
    shown, faces = times[:SHOWN], faces_of(timing.name for timing in times)
    taken = [[math.log10(max(float(key), 1e-7)) for key in timing.counts] for timing in shown]
    every = [value for one in taken for value in one]
    low, high = math.floor(min(every, default=-3)), math.ceil(max(every, default=0) + 1e-9)
    legend, frame = _lines([timing.name for timing in shown], (low, max(high, low + 1)), (0, 101), faces)
    inside = []
    for timing, values in zip(shown, taken, strict=True):
        shares = [count / timing.questions * 100 for count in accumulate(timing.counts.values())]
        inside.append(_line(f"line {faces[timing.name].classes}", _stairs(values, shares), frame))
    step = -(-(high - low) // TICKS)
    ticks = range(low, high + 1, max(step, 1))
    bottom = frame.bottom(ticks, "time for an answer", lambda power: seconds(10.0**power))
    side = frame.side(_even(0, 100, TICKS), "share of answers, %")
    return _svg(label, frame.bottom_edge + 2.4 * LINE, [*legend, *side, frame.clip(inside), *bottom])


def plot_parts(drawn: Mapping[str, str]) -> list[Part]:
    """Turn drawings, by their headings, into parts of a report."""
    return [Part(heading, Markup(svg), beside=True) for heading, svg in drawn.items()]


class _Frame:
    """The part of a plot where values are drawn: from `values` (x, y: lowest and highest) to units of the drawing."""

    def __init__(self, place: tuple[float, float, float, float], x: Point, y: Point) -> None:
        self.left, self.top, self.right_edge, self.bottom_edge = place
        self._x, self._y = x, y

    def x(self, value: float) -> float:
        """Return the place of a value from left to right."""
        low, high = self._x
        return self.left + (value - low) / (high - low) * (self.right_edge - self.left)

    def y(self, value: float) -> float:
        """Return the place of a value from top to bottom."""
        low, high = self._y
        return self.bottom_edge - (value - low) / (high - low) * (self.bottom_edge - self.top)

    def clip(self, inside: Iterable[str]) -> str:
        """Draw what is given in units from the frame's corner; what lies outside of the frame is not seen."""
        size = {"width": self.right_edge - self.left, "height": self.bottom_edge - self.top}
        return _tag("svg", "".join(inside), x=self.left, y=self.top, **size)

    def bottom(
        self, ticks: Iterable[float], title: str, text: Callable[[float], str] = lambda value: _number(value)
    ) -> Iterator[str]:
        """Draw the axis below: its line, ticks with their texts, and what it counts."""
        y = self.bottom_edge
        yield _tag("path", class_="axis", d=f"M{self.left:g} {y:g}H{self.right_edge:g}")
        for tick in ticks:
            x = self.x(tick)
            yield _tag("path", class_="axis", d=f"M{x:.1f} {y:g}v3")
            yield _text(x, y + LINE, text(tick), "middle")
        yield _text((self.left + self.right_edge) / 2, y + 2.1 * LINE, title, "middle")

    def side(self, ticks: Iterable[float], title: str) -> Iterator[str]:
        """Draw the axis on the left."""
        yield _tag("path", class_="axis", d=f"M{self.left:g} {self.top:g}V{self.bottom_edge:g}")
        for tick in ticks:
            y = self.y(tick)
            yield _tag("path", class_="axis", d=f"M{self.left:g} {y:.1f}h-3")
            yield _text(self.left - 6, y + 3, _number(tick), "end")
        middle = (self.top + self.bottom_edge) / 2
        yield _text(10, middle, title, "middle", transform=f"rotate(-90 10 {middle:g})")


def _lines(names: Sequence[str], x: Point, y: Point, faces: Mapping[str, Face]) -> tuple[list[str], _Frame]:
    """Make a frame for curves and the legend above it."""
    shown = [_short(name) for name in names]
    columns = 2 if all(_width(name) <= NAME_IN_PLOT for name in shown) else 1
    legend, top = _legend(shown, [f"line {faces[name].classes}" for name in names], -(-len(shown) // columns))
    left = _room(_number(tick) for tick in _even(*y, TICKS)) + LINE
    return legend, _Frame((left, top, WIDTH - 18, top + 130), x, y)


def _legend(names: Sequence[str], kinds: Sequence[str], lines: int) -> tuple[list[str], float]:
    """Draw a legend of that many lines, and return the height where it ends."""
    drawn = []
    columns = -(-len(names) // max(lines, 1))
    wide = WIDTH / max(columns, 2)
    for number, (name, kind) in enumerate(zip(names, kinds, strict=True)):
        line, column = divmod(number, columns)
        x, y = 10 + wide * column, 4 + LINE * line
        if kind.startswith("line"):
            drawn.append(_tag("polyline", class_=kind, points=f"{x - 4:g},{y + 6:g} {x + 10:g},{y + 6:g}"))
        else:
            drawn.append(_tag("rect", class_=kind, x=x, y=y + 2, width=9, height=7, rx=1))
        drawn.append(_text(x + 13, y + 9, name))
    return drawn, 10 + LINE * (lines if names else 0)


def _reach(last: Sequence[Interval]) -> Point:
    """Return the ends of an axis that shows where the curves end, not their wide first intervals."""
    reach = [(one.mean, 2.5 * (one.half or 0)) for one in last]
    low, high = min(0.0, *(mean - far for mean, far in reach)), max(0.0, *(mean + far for mean, far in reach))
    beyond = 0.1 * max(high - low, 1.0)
    return low - beyond, high + beyond


def _even(low: float, high: float, most: int) -> list[float]:
    """Return at most that many round numbers at equal distances between two values."""
    exact = (high - low) / (most - 1)
    power = 10.0 ** math.floor(math.log10(exact))
    step = next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= exact * (1 - 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(number * step, 10) for number in range(first, last + 1)]


def _stairs(values: Sequence[float], shares: Sequence[float]) -> list[Point]:
    """Return the corners of a curve that rises at each value."""
    steps = list(zip(values, shares, strict=True))
    corners = [corner for (x, y), (after, _) in pairwise(steps) for corner in ((x, y), (after, y))]
    return [*([(values[0], 0.0)] if steps else []), *corners, *steps[-1:]]


def _line(kind: str, course: Sequence[Point], frame: _Frame) -> str:
    return _tag("polyline", class_=kind, points=_points(course, frame))


def _points(course: Iterable[Point], frame: _Frame) -> str:
    return " ".join(f"{frame.x(x) - frame.left:.1f},{frame.y(y) - frame.top:.1f}" for x, y in course)


def _text(x: float, y: float, text: str, anchor: str = "start", kind: str = "", **more: str) -> str:
    kinds = {"class_": kind} if kind else {}
    return _tag("text", escape(text), x=x, y=y, text_anchor=anchor, **kinds, **more)


def _tag(name: str, inside: str = "", **attributes: str | float) -> str:
    told = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{value if isinstance(value, str) else f"{value:.5g}"}"'
        for key, value in attributes.items()
    )
    return f"<{name}{told}>{inside}</{name}>" if inside else f"<{name}{told}/>"


def _svg(label: str, height: float, drawn: Iterable[str]) -> str:
    return _tag(
        "svg", "".join(drawn), class_="plot", role="img", aria_label=escape(label), viewBox=f"0 0 {WIDTH:g} {height:g}"
    )


def _short(name: str) -> str:
    return shortened(name, NAME_IN_PLOT)


def _room(texts: Iterable[str]) -> float:
    """Return the units that the widest of these texts takes beside an axis."""
    return 12 + LETTER * max(map(_width, texts), default=0)


def _width(text: str) -> int:
    """Return the columns that a text takes; an East Asian letter takes two."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def _number(value: float) -> str:
    return f"{value:g}".replace("-", "−")
