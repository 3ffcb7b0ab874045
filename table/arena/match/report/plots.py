"""The plots of a report as SVG text, by matplotlib (extra `report`).

Names of players are untrusted text: matplotlib would read `$` as mathematics and a leading `_` as “not in the legend”,
and has no glyphs for most scripts. So it gets placeholders of about the same width. In the finished drawing the names
replace them as text; the browser has the fonts.
"""

import io
import re
import unicodedata
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from html import escape

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from jantaku.table.arena.match.figures.decision_times import Timing, seconds
from jantaku.table.arena.match.figures.statistics import Interval
from jantaku.table.arena.match.figures.stopping import Sprt
from jantaku.table.arena.match.figures.tally import SetSums
from jantaku.table.arena.match.report.document import Markup, Part
from jantaku.table.ground.columns import shortened

COLOURS = ("#2b6cb0", "#c05621", "#2f855a", "#805ad5", "#b83280", "#718096", "#b7791f", "#2c7a7b")
_INK, _PALE = "#000000", "#a0aec0"
_VARIABLES = {colour: f"var(--line{number})" for number, colour in enumerate(COLOURS)} | {
    _INK: "currentcolor",
    _PALE: "var(--quiet)",
}
"""The CSS variable that replaces each colour, so that a plot suits a light and a dark page."""
SHARES = (
    ("#276749", "#ffffff"),
    ("#90cdb4", "#1a202c"),
    ("#dfe5ec", "#1a202c"),
    ("#f0c9a0", "#1a202c"),
    ("#b34d1b", "#ffffff"),
)
"""Colours of the shares from best to worst, each with the colour of the figures in it; equal on light and dark
pages."""
SHOWN = len(COLOURS)
"""Number of players in a plot with one line each."""
BAND_FROM = 5
"""Number of the first point with an interval: those before it are wider than the plot."""
NAME = 18
"""Most letters of a name in a plot."""
BESIDE = 16
"""Most columns of a name in a legend of two columns."""
LINE = 0.17
"""Height of a legend line in inches."""
STEPS = 200
"""Most points of a curve."""
Course = tuple[Sequence[int], Sequence[Interval]]
"""Numbers of games, and the intervals after them."""
_STYLED = re.compile(r' style="([^"]*)"')
_STYLE_ELEMENT = re.compile(r"<style[^>]*>(.*?)</style>", re.DOTALL)


class _Names:
    """Names and their placeholders while a plot is drawn."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def stand_in(self, name: str) -> str:
        """Return a placeholder for that name."""
        name = shortened(name, NAME)
        word = f"@{len(self._names)}@".ljust(_width(name), "n")
        self._names[word] = name
        return word

    def put_in(self, svg: str) -> str:
        """Replace the placeholders in a drawing by the names."""
        return re.sub(r">(@\d+@n*)<", lambda found: f">{escape(self._names[found[1]])}<", svg)


def _width(text: str) -> int:
    """Return the columns that a text takes; an East Asian letter takes two."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def _line_plot(names: Sequence[str]) -> tuple[Figure, Axes, int]:
    """Make an empty plot of curves with room for a legend of these names, and return the columns of the legend."""
    shown = names[:SHOWN]
    columns = 2 if all(_width(shortened(name, NAME)) <= BESIDE for name in shown) else 1
    return *_axes(2.7 + LINE * -(-len(shown) // columns)), columns


def share_plot(label: str, shares: Mapping[str, Sequence[float]], heads: Sequence[str], unit: str) -> str:
    """Draw a bar per player with its shares, the best kind first; `heads` name the kinds."""
    figure, axes = _axes(0.9 + 0.3 * len(shares))
    left, bars_at = np.zeros(len(shares)), np.arange(len(shares))
    names, players = _Names(), list(shares)[::-1]
    colours = [SHARES[round(kind * (len(SHARES) - 1) / (len(heads) - 1))] for kind in range(len(heads))]
    for kind, (head, (colour, ink)) in enumerate(zip(heads, colours, strict=True)):
        parts = np.array([shares[name][kind] * 100 for name in players])
        bars = axes.barh(bars_at, parts, left=left, color=colour, label=names.stand_in(head), height=0.7)
        texts = [f"{part:.0f}" if part >= 5 else "" for part in parts]
        axes.bar_label(bars, texts, label_type="center", fontsize=8, color=ink)
        left += parts
    axes.set_yticks(bars_at, [names.stand_in(name) for name in players])
    axes.set_xlim(0, 100)
    axes.set_xlabel(f"share of {unit}, %")
    return names.put_in(_svg(figure, label, len(heads)))


def points_plot(label: str, points: Mapping[str, SetSums], unit: str) -> str:
    """Draw the mean points of the first players over the games played, with the 95 % interval by sets."""
    return course_plot(label, {name: sums.course(STEPS) for name, sums in points.items()}, unit, "mean points")


def course_plot(label: str, courses: Mapping[str, Course], unit: str, value: str, level: float = 0.0) -> str:
    """Draw intervals of the first players over the games played; `level` is the value of an even player."""
    figure, axes, columns = _line_plot(list(courses))
    names, last = _Names(), []
    for colour, (name, (games, found)) in zip(COLOURS, courses.items(), strict=False):
        means = np.array([one.mean for one in found])
        halves = np.array([one.half if one.half is not None else np.nan for one in found])
        halves[: min(BAND_FROM, len(found)) - 1] = np.nan
        dots = "o" if len(found) < BAND_FROM else None  # a line through a single point is invisible
        axes.plot(games, means, color=colour, label=names.stand_in(name), linewidth=1.6, marker=dots, markersize=4)
        axes.fill_between(games, means - halves, means + halves, color=colour, alpha=0.15, linewidth=0)
        last.append(Interval(found[-1].mean - level, found[-1].half))
    axes.axhline(level, color=_PALE, linewidth=0.8)
    _fit(axes, last, level)
    axes.set_xlabel(unit)
    axes.set_ylabel(value)
    return names.put_in(_svg(figure, label, columns))


def sequential_plot(label: str, course: Sequence[float], test: Sprt) -> str:
    """Draw the log likelihood ratio of a sequential test after every set, between its bounds."""
    figure, axes = _axes(2.8)
    drawn = np.arange(1, len(course) + 1)
    beyond = 1.5 * max(-test.lower, test.upper)
    axes.plot(drawn, np.clip(course, -beyond, beyond), color=COLOURS[0], linewidth=1.6)
    for bound, said in ((test.upper, f"H1: mean rank {test.rank1:g}"), (test.lower, f"H0: mean rank {test.rank0:g}")):
        axes.axhline(bound, color=COLOURS[1], linewidth=1, linestyle="--")
        above = bound > 0
        axes.annotate(
            said, (1, bound), (0, 3 if above else -3), textcoords="offset points", va="bottom" if above else "top"
        )
    axes.axhline(0, color=_PALE, linewidth=0.8)
    axes.set_ylim(-beyond * 1.05, beyond * 1.05)
    axes.set_xlabel("wall sets")
    axes.set_ylabel("log likelihood ratio")
    return _svg(figure, label, 0)


def time_plot(label: str, times: Sequence[Timing]) -> str:
    """Draw the cumulative distribution of answer times, a curve for each of the first players."""
    figure, axes, columns = _line_plot([timing.name for timing in times])
    names = _Names()
    for colour, timing in zip(COLOURS, times, strict=False):
        taken = np.array([max(float(key), 1e-7) for key in timing.counts])
        share = np.cumsum(list(timing.counts.values())) / timing.questions * 100
        axes.step(taken, share, where="post", color=colour, label=names.stand_in(timing.name), linewidth=1.6)
    axes.set_xscale("log")
    axes.set_ylim(0, 101)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: seconds(value)))
    axes.set_xlabel("time for an answer")
    axes.set_ylabel("share of answers, %")
    return names.put_in(_svg(figure, label, columns))


def parts(drawn: Mapping[str, str]) -> tuple[list[Part], str]:
    """Turn drawings, by their headings, into parts of a report and a style sheet. Style attributes become classes,
    because the page's Content-Security-Policy forbids them."""
    rules = dict.fromkeys(f"svg {found}" for svg in drawn.values() for found in _STYLE_ELEMENT.findall(svg))
    classes: dict[str, str] = {}

    def named(found: re.Match[str]) -> str:
        return f' class="{classes.setdefault(found[1], f"p{len(classes)}")}"'

    made = [
        Part(heading, Markup(_STYLED.sub(named, _STYLE_ELEMENT.sub("", svg))), beside=True)
        for heading, svg in drawn.items()
    ]
    style = "\n".join([*rules, *(f".{name} {{ {style} }}" for style, name in classes.items())])
    return made, re.sub("#[0-9a-f]{6}", lambda found: _VARIABLES.get(found[0], found[0]), style)


def _style() -> AbstractContextManager[None]:
    """Settings that keep text as text, and make equal plots equal byte by byte."""
    return rc_context({"svg.fonttype": "none", "svg.hashsalt": "jantaku", "font.family": "sans-serif", "font.size": 9})


def _axes(height: float) -> tuple[Figure, Axes]:
    with _style():
        figure = Figure(figsize=(5, height), layout="constrained")
        axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _svg(figure: Figure, label: str, columns: int) -> str:
    """Render the figure, with a legend of that many columns above it (0: none)."""
    content = io.StringIO()
    with _style():
        if columns:
            figure.legend(loc="outside upper right", ncols=columns, frameon=False, columnspacing=1.2, handlelength=1.4)
        figure.savefig(content, format="svg", metadata={"Date": None, "Creator": None}, transparent=True)
    text = content.getvalue()
    return text[text.index("<svg") :].replace("<svg", f'<svg role="img" aria-label="{escape(label)}"', 1)


def _fit(axes: Axes, last: Sequence[Interval], level: float) -> None:
    """Scale the axes to where the curves end, not to the wide first intervals."""
    reach = [(one.mean, 2.5 * (one.half or 0)) for one in last]
    low, high = min(0.0, *(mean - far for mean, far in reach)), max(0.0, *(mean + far for mean, far in reach))
    beyond = 0.1 * max(high - low, 1.0)
    axes.set_ylim(level + low - beyond, level + high + beyond)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
