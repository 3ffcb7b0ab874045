"""The report of a match: one HTML file that needs nothing else, no network and no script."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path

import msgspec

from table.errors import BadInput
from table.match.figures.decision_times import Timing, seconds
from table.match.figures.statistics import Figures, Interval
from table.match.figures.tally import SetSums
from table.match.folder.disk import replace_whole
from table.view.guard import digest, policy

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #1a202c; background: #fff; max-width: 60rem; margin: 2rem auto;
  padding: 0 1rem; }
h1 { font-size: 1.5rem; margin-bottom: 0; } h2 { font-size: 1.1rem; margin: 2rem 0 .4rem; }
h1, dd, td:first-child { overflow-wrap: anywhere; }
p, dd { color: #4a5568; } dt { font-weight: 600; } dd { margin: 0; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0 1rem; margin: 1rem 0; }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .6rem; text-align: right; border-bottom: 1px solid #e2e8f0; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
td:first-child { white-space: normal; min-width: 6rem; max-width: 16rem; }
svg { width: 100%; min-width: 21rem; max-width: 38rem; height: auto; }
@media (max-width: 40rem) {
  body { margin: 1rem auto; }
  th:first-child, td:first-child { position: sticky; left: 0; background: #fff; max-width: 7rem; }
}
"""


class Content(msgspec.Struct, frozen=True):
    """Contents of a report: `facts` are names and values of what was played, `points` are those of every player."""

    title: str
    facts: Mapping[str, str]
    points: Mapping[str, SetSums]
    figures: Figures | None
    times: Sequence[Timing]


def write_report(path: Path, content: Content) -> str:
    """Write the report. Returns why there is none; empty if it is there. BadInput if the disk refuses."""
    if content.figures is None:
        return "no report without a result"
    try:
        from table.match.report import plots  # matplotlib is an extra
    except ImportError:
        return f"without {path.name}, which needs: pip install 'jantaku[report]'"
    drawings = {
        "Ranks": plots.rank_plot(content.figures),
        "Points over hanchan, with the 95 % interval": plots.points_plot(content.points, content.figures),
        "Time for an answer": plots.time_plot(content.times),
    }
    try:
        drawn = "".join(f'<h2>{escape(name)}</h2><div class="wide">{svg}</div>' for name, svg in drawings.items())
        replace_whole(path, _html(content, content.figures, *plots.without_inline_styles(drawn)).encode())
    except OSError as error:
        raise BadInput(f"{path}: cannot be written: {error.strerror}") from error
    return ""


def _html(content: Content, figures: Figures, plots: str, plot_style: str) -> str:
    title = escape(content.title)
    void = f", {figures.void} without a result" if figures.void else ""
    played = f"{figures.games} hanchan in {figures.sets} wall sets{void}"
    facts = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in content.facts.items())
    style = f"{_STYLE}{plot_style}\n"
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy(styles=[digest(style)])}"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{style}</style></head><body>'
        f"<h1>{title}</h1><p>{escape(played)}; ± is half of the 95 % interval, whose unit is the wall set</p>"
        f"<dl>{facts}</dl><h2>Results</h2>{_results(figures)}{_pairs(figures)}{plots}"
        f"<h2>Play</h2>{_play(figures)}<h2>Times and faults</h2>{_times(figures, content.times)}</body></html>\n"
    )


def _results(figures: Figures) -> str:
    rows = [
        (
            player.name,
            player.rank.text(3),
            _ends(player.rank, 3),
            player.points.text(2, sign=True),
            *(f"{share * 100:.1f} %" for share in player.ranks),
            f"{player.rating.mu:.1f} ± {player.rating.sigma:.1f}",
            player.seats,
        )
        for player in figures.best_first
    ]
    heads = ("player", "mean rank", "95 %", "mean points", "1st", "2nd", "3rd", "4th", "rating", "seats")
    return _table(heads, rows)


def _ends(interval: Interval, digits: int) -> str:
    if interval.low is None or interval.high is None:
        return "–"
    return f"{interval.low:.{digits}f} to {interval.high:.{digits}f}"


def _pairs(figures: Figures) -> str:
    rows = [
        (f"{pair.a} − {pair.b}", pair.rank.text(3, sign=True), pair.points.text(2, sign=True)) for pair in figures.pairs
    ]
    return (
        f"<h2>Differences in the same hanchan</h2>{_table(('players', 'mean rank', 'mean points'), rows)}"
        if rows
        else ""
    )


def _play(figures: Figures) -> str:
    rows = [
        (
            player.name,
            _share(player.win_rate),
            _share(player.tsumo_share),
            _value(player.win_value),
            _share(player.deal_in_rate),
            _value(player.deal_in_value),
            _share(player.riichi_rate),
            _share(player.call_rate),
        )
        for player in figures.best_first
    ]
    heads = ("player", "wins", "of them tsumo", "mean win", "deal-ins", "mean deal-in", "riichi", "with open melds")
    return f"<p>Shares of kyoku; values without honba and sticks.</p>{_table(heads, rows)}"


def _share(share: float | None) -> str:
    return "–" if share is None else f"{share * 100:.1f} %"


def _value(value: float | None) -> str:
    return "–" if value is None else f"{value:.0f}"


def _times(figures: Figures, times: Sequence[Timing]) -> str:
    by_name = {timing.name: timing for timing in times}
    rows = [
        (
            timing.name,
            timing.questions,
            *map(seconds, (timing.mean, timing.median, timing.p99, timing.longest)),
            ", ".join(f"{word} {count}" for word, count in player.faults.items()) or "none",
        )
        for player in figures.best_first
        if (timing := by_name.get(player.name))
    ]
    return _table(("player", "questions", "mean", "median", "99 %", "longest", "faults"), rows)


def _table(heads: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in heads)
    body = "".join(f"<tr>{''.join(f'<td>{escape(str(cell))}</td>' for cell in row)}</tr>" for row in rows)
    return f'<div class="wide"><table><tr>{head}</tr>{body}</table></div>'
