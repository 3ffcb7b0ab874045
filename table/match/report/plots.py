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
from matplotlib.ticker import FuncFormatter

from table.match.figures.decision_times import Timing, seconds
from table.match.figures.statistics import Figures, shortened
from table.match.figures.tally import SetSums

COLOURS = ("#2b6cb0", "#c05621", "#2f855a", "#805ad5", "#b83280", "#718096", "#b7791f", "#2c7a7b")
RANKS = ("#2f855a", "#90cdb4", "#f0c9a0", "#c05621")
SHOWN = len(COLOURS)
"""Players that a plot with a line each can show apart."""
BAND_FROM = 5
"""Points of the curve before an interval is drawn: the first ones are wider than the plot."""
NAME = 18
"""Letters of a name that a plot has room for."""
STEPS = 200
"""Most points of a curve."""
_STYLED = re.compile(r' style="([^"]*)"')
_STYLE_ELEMENT = re.compile(r"<style[^>]*>(.*?)</style>", re.DOTALL)


class _Names:
    """Names and their placeholders while a plot is drawn."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def stand_in(self, name: str) -> str:
        """A placeholder for that name."""
        name = shortened(name, NAME)
        width = sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in name)
        word = f"@{len(self._names)}@".ljust(width, "n")
        self._names[word] = name
        return word

    def put_in(self, svg: str) -> str:
        """The drawing with the names in place of the placeholders."""
        return re.sub(r">(@\d+@n*)<", lambda found: f">{escape(self._names[found[1]])}<", svg)


def rank_plot(figures: Figures) -> str:
    """Shares of ranks 1 to 4, a bar per player."""
    players = figures.best_first[::-1]
    figure, axes = _axes(0.9 + 0.34 * len(players))
    left, bars_at = np.zeros(len(players)), np.arange(len(players))
    for rank in range(4):
        shares = np.array([player.ranks[rank] * 100 for player in players])
        bars = axes.barh(bars_at, shares, left=left, color=RANKS[rank], label=f"{rank + 1}.", height=0.7)
        axes.bar_label(
            bars, [f"{share:.0f}" if share >= 4 else "" for share in shares], label_type="center", fontsize=8
        )
        left += shares
    names = _Names()
    axes.set_yticks(bars_at, [names.stand_in(player.name) for player in players])
    axes.set_xlim(0, 100)
    axes.set_xlabel("share of hanchan, %")
    figure.legend(loc="outside upper right", ncols=4, frameon=False)
    return names.put_in(_svg(figure))


def points_plot(points: Mapping[str, SetSums], figures: Figures) -> str:
    """The mean points of every player after so many hanchan, with the 95 % interval by sets."""
    figure, axes = _axes(3.1)
    names = _Names()
    for colour, player in zip(COLOURS, figures.players, strict=False):
        games, found = points[player.name].course(STEPS)
        means = np.array([one.mean for one in found])
        halves = np.array([one.half if one.half is not None else np.nan for one in found])
        halves[: min(BAND_FROM, len(found)) - 1] = np.nan
        axes.plot(games, means, color=colour, label=names.stand_in(player.name), linewidth=1.6)
        axes.fill_between(games, means - halves, means + halves, color=colour, alpha=0.15, linewidth=0)
    axes.axhline(0, color="#a0aec0", linewidth=0.8)
    _fit(axes, figures)
    axes.set_xlabel("hanchan")
    axes.set_ylabel("mean points")
    figure.legend(loc="outside upper right", ncols=4, frameon=False)
    return names.put_in(_svg(figure))


def time_plot(times: Sequence[Timing]) -> str:
    """Cumulative distribution of answer times, a curve per player."""
    figure, axes = _axes(2.8)
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
    figure.legend(loc="outside upper right", ncols=4, frameon=False)
    return names.put_in(_svg(figure))


def without_inline_styles(svg: str) -> tuple[str, str]:
    """The drawings with classes in place of style attributes, which the report's Content-Security-Policy forbids, and
    the style sheet of these classes."""
    rules = dict.fromkeys(f"svg {found}" for found in _STYLE_ELEMENT.findall(svg))
    classes: dict[str, str] = {}
    text = _STYLED.sub(
        lambda found: f' class="{classes.setdefault(found[1], f"p{len(classes)}")}"', _STYLE_ELEMENT.sub("", svg)
    )
    return text, "\n".join([*rules, *(f".{name} {{ {style} }}" for style, name in classes.items())])


def _style() -> AbstractContextManager[None]:
    """Settings for text as text, and for equal bytes of equal plots."""
    return rc_context({"svg.fonttype": "none", "svg.hashsalt": "jantaku", "font.family": "sans-serif", "font.size": 10})


def _axes(height: float) -> tuple[Figure, Axes]:
    with _style():
        figure = Figure(figsize=(6, height), layout="constrained")
        axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _svg(figure: Figure) -> str:
    content = io.StringIO()
    with _style():
        figure.savefig(content, format="svg", metadata={"Date": None, "Creator": None}, transparent=True)
    text = content.getvalue()
    return text[text.index("<svg") :]


def _fit(axes: Axes, figures: Figures) -> None:
    """Show where the curves end, not how wide the first intervals were."""
    spreads = [abs(player.points.mean) + 2.5 * (player.points.half or 0) for player in figures.players]
    top = max([*spreads, 1.0]) * 1.3
    axes.set_ylim(-top, top)
