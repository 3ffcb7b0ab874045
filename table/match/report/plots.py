"""The plots of a report as SVG text, by matplotlib (extra `report`).

Names of players are untrusted text: matplotlib would read `$` as mathematics, a first `_` as “not in the legend”, and
has no glyphs for most scripts. It gets placeholders of about the same width, which are replaced by the names as text in
the finished drawing; the browser has the fonts.
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

from jantaku.table.match.figures.decision_times import Timing, seconds
from jantaku.table.match.figures.statistics import Interval
from jantaku.table.match.figures.stopping import Sprt
from jantaku.table.match.figures.tally import SetSums
from jantaku.table.match.report.document import Markup, Part
from jantaku.table.view.columns import shortened

COLOURS = ("#2b6cb0", "#c05621", "#2f855a", "#805ad5", "#b83280", "#718096", "#b7791f", "#2c7a7b")
_INK, _PALE = "#000000", "#a0aec0"
_VARIABLES = {colour: f"var(--line{number})" for number, colour in enumerate(COLOURS)} | {
    _INK: "currentcolor",
    _PALE: "var(--quiet)",
}
"""What the style sheet gives in the place of a colour, so that it suits a light and a dark page."""
SHARES = (
    ("#276749", "#ffffff"),
    ("#90cdb4", "#1a202c"),
    ("#dfe5ec", "#1a202c"),
    ("#f0c9a0", "#1a202c"),
    ("#b34d1b", "#ffffff"),
)
"""Colours of the shares from best to worst with that of the figures in them, the same on a light and a dark page."""
SHOWN = len(COLOURS)
"""Players that a plot with a line each can show apart."""
BAND_FROM = 5
"""Points of the curve before an interval is drawn: the first ones are wider than the plot."""
NAME = 18
"""Letters of a name that a plot has room for."""
BESIDE = 16
"""Columns of the names of a legend with two beside each other."""
LINE = 0.17
"""Inches of a line of a legend."""
STEPS = 200
"""Most points of a curve."""
Course = tuple[Sequence[int], Sequence[Interval]]
"""After how many games, and what was known then."""
_STYLED = re.compile(r' style="([^"]*)"')
_STYLE_ELEMENT = re.compile(r"<style[^>]*>(.*?)</style>", re.DOTALL)


class _Names:
    """Names and their placeholders while a plot is drawn."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def stand_in(self, name: str) -> str:
        """A placeholder for that name."""
        name = shortened(name, NAME)
        word = f"@{len(self._names)}@".ljust(_width(name), "n")
        self._names[word] = name
        return word

    def put_in(self, svg: str) -> str:
        """The drawing with the names in place of the placeholders."""
        return re.sub(r">(@\d+@n*)<", lambda found: f">{escape(self._names[found[1]])}<", svg)


def _width(text: str) -> int:
    """Columns of a text, of which a letter of East Asia takes two."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def _line_plot(names: Sequence[str]) -> tuple[Figure, Axes, int]:
    """A plot of curves with room for the legend of so many, and the columns of that."""
    shown = names[:SHOWN]
    columns = 2 if all(_width(shortened(name, NAME)) <= BESIDE for name in shown) else 1
    return *_axes(2.7 + LINE * -(-len(shown) // columns)), columns


def share_plot(label: str, shares: Mapping[str, Sequence[float]], heads: Sequence[str], unit: str) -> str:
    """Shares of every player, the best kind first, a bar each; `heads` name the kinds."""
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
    """The mean points of the first players after so many games, with the 95 % interval by sets."""
    return course_plot(label, {name: sums.course(STEPS) for name, sums in points.items()}, unit, "mean points")


def course_plot(label: str, courses: Mapping[str, Course], unit: str, value: str, level: float = 0.0) -> str:
    """How intervals of the first players went on; `level` is what they are measured from."""
    figure, axes, columns = _line_plot(list(courses))
    names, last = _Names(), []
    for colour, (name, (games, found)) in zip(COLOURS, courses.items(), strict=False):
        means = np.array([one.mean for one in found])
        halves = np.array([one.half if one.half is not None else np.nan for one in found])
        halves[: min(BAND_FROM, len(found)) - 1] = np.nan
        dots = "o" if len(found) < BAND_FROM else None  # a single one would be no line
        axes.plot(games, means, color=colour, label=names.stand_in(name), linewidth=1.6, marker=dots, markersize=4)
        axes.fill_between(games, means - halves, means + halves, color=colour, alpha=0.15, linewidth=0)
        last.append(Interval(found[-1].mean - level, found[-1].half))
    axes.axhline(level, color=_PALE, linewidth=0.8)
    _fit(axes, last, level)
    axes.set_xlabel(unit)
    axes.set_ylabel(value)
    return names.put_in(_svg(figure, label, columns))


def sequential_plot(label: str, course: Sequence[float], test: Sprt) -> str:
    """The log likelihood ratio of a sequential test after every set, between its bounds."""
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
    """Cumulative distribution of answer times, a curve for each of the first players."""
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
    """Drawings by their headings as parts of a report, with classes in place of style attributes, which its
    Content-Security-Policy forbids, and the style sheet of these classes."""
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
    """Settings for text as text, and for equal bytes of equal plots."""
    return rc_context({"svg.fonttype": "none", "svg.hashsalt": "jantaku", "font.family": "sans-serif", "font.size": 9})


def _axes(height: float) -> tuple[Figure, Axes]:
    with _style():
        figure = Figure(figsize=(5, height), layout="constrained")
        axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _svg(figure: Figure, label: str, columns: int) -> str:
    """The drawing, with a legend above in so many columns."""
    content = io.StringIO()
    with _style():
        if columns:
            figure.legend(loc="outside upper right", ncols=columns, frameon=False, columnspacing=1.2, handlelength=1.4)
        figure.savefig(content, format="svg", metadata={"Date": None, "Creator": None}, transparent=True)
    text = content.getvalue()
    return text[text.index("<svg") :].replace("<svg", f'<svg role="img" aria-label="{escape(label)}"', 1)


def _fit(axes: Axes, last: Sequence[Interval], level: float) -> None:
    """Show where the curves end, not how wide the first intervals were."""
    reach = [(one.mean, 2.5 * (one.half or 0)) for one in last]
    low, high = min(0.0, *(mean - far for mean, far in reach)), max(0.0, *(mean + far for mean, far in reach))
    beyond = 0.1 * max(high - low, 1.0)
    axes.set_ylim(level + low - beyond, level + high + beyond)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
