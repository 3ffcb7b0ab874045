"""The report of a match."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from jantaku.table.arena.match.conduct import Finished
from jantaku.table.arena.match.figures.statistics import Figures, PlayerFigures
from jantaku.table.arena.match.figures.stops import Sprt
from jantaku.table.arena.match.figures.summary import Timing
from jantaku.table.arena.match.figures.tally import PlayedGames, SetSums
from jantaku.table.arena.match.folder.store import Store
from jantaku.table.arena.match.plan.plan import MatchPlan
from jantaku.table.arena.match.report import document, plots
from jantaku.table.arena.match.report.document import Document, cross_table, ends, game_list, times, title_of
from jantaku.table.arena.match.report.tables import PLACES, sprt_text
from jantaku.table.arena.match.report.verdict import hanchan_compared, pace, verdict
from jantaku.table.ground.markup.elements import Markup, Part, table
from jantaku.table.ground.markup.faces import FacedNames
from jantaku.table.riichi import ruleset


class Content(msgspec.Struct, frozen=True):
    """Contents of a report. `facts` describe what was played, by name; `points` are by player. `test` is the state of a
    sequential test and `course` its log likelihood ratio after every set. `unit` is what a game is called."""

    facts: Mapping[str, str]
    points: Mapping[str, SetSums]
    figures: Figures | None
    times: Sequence[Timing]
    games: PlayedGames
    test: Sprt | None = None
    course: Sequence[float] = ()
    unit: str = "hanchan"


def write_match_report(path: Path, store: Store[MatchPlan], done: Finished) -> str:
    """Write the report of a match, as `write_report`."""
    plan, results = store.plan, done.results
    facts = {
        "players": plan.sides or ", ".join(plan.bots),
        "format": f"{plan.format}, seatings {plan.seatings}, walls {plan.walls}",
        "rules": ruleset.describe(plan.rules),
        "seed": str(plan.seed),
        "threads": f"{plan.threads}, on a fault: {plan.on_fault}",
    }
    if results.ended_by:
        facts["ended early"] = results.ended_by
    played = done.tally.points, results.figures, done.times, done.games
    return write_report(path, Content(facts, *played, results.sprt, done.course, plan.unit))


def write_report(path: Path, content: Content) -> str:
    """Write the report. Return why it was not written; empty on success. BadInput if the disk refuses."""
    figures = content.figures
    if figures is None:
        return "no report without a result"
    document.write_report(path, whole_document(content, figures, path))
    return ""


def whole_document(content: Content, figures: Figures, path: Path) -> Document:
    """Make the report that stands at `path`: links are relative to it."""
    compared = hanchan_compared(figures, content.unit)
    void = f", {figures.void} without a result" if figures.void else ""
    sets = f"{figures.sets} wall set{'s' * (figures.sets != 1)}"
    played = f"{figures.games} {content.unit} in {sets}{void}; {figures.legend}."
    test = content.test
    tested = [] if test is None else [f"{sprt_text(test)}. {pace(test, figures.sets)}"]
    faults = {player.name: player.faults for player in figures.players}
    parts = [
        Part("Results", _results(figures.best_first)),
        *cross_table(compared),
        *_drawings(content, figures),
        Part("Play", _play(figures.best_first), "Shares of kyoku; values without honba and sticks."),
        times(compared.names, content.times, faults),
        *game_list(content.games, path, content.unit),
    ]
    names = [player.name for player in figures.players]
    return Document(title_of(names), [verdict(compared), *tested, played], content.facts, parts)


def _drawings(content: Content, figures: Figures) -> Sequence[Part]:
    ordered = {player.name: content.points[player.name] for player in figures.best_first}
    shares = {player.name: player.ranks for player in figures.best_first}
    ranks = max(map(len, shares.values()))
    by_name = {timing.name: timing for timing in content.times}
    timed = [by_name[name] for name in ordered if name in by_name]
    course = f"Points over {content.unit}, with the 95 % interval"
    drawn = {
        "Ranks": plots.share_plot("Ranks", shares, [f"{rank}." for rank in range(1, ranks + 1)], content.unit),
        course: plots.points_plot(course, ordered, content.unit),
        "Time for an answer": plots.time_plot("Time for an answer", timed),
    }
    if content.test is not None and content.course:
        drawn["Sequential test"] = plots.sequential_plot("Sequential test", content.course, content.test)
    return plots.parts(drawn)


def _results(players: Sequence[PlayerFigures]) -> Markup:
    faced = FacedNames(player.name for player in players)
    rows = [
        (
            faced.whole(player.name),
            player.rank.cell(3),
            ends(player.rank, 3),
            player.points.cell(2, sign=True),
            *(f"{share * 100:.1f} %" for share in player.ranks),
            player.seats,
        )
        for player in players
    ]
    places = PLACES[: max(len(player.ranks) for player in players)]
    heads = ("player", "mean rank", "95 %", "mean points", *places, "seats")
    return table("Results", heads, rows)


def _play(players: Sequence[PlayerFigures]) -> Markup:
    faced = FacedNames(player.name for player in players)
    rows = [
        (
            faced.whole(player.name),
            _share(player.win_rate),
            _share(player.tsumo_share),
            _value(player.win_value),
            _share(player.deal_in_rate),
            _value(player.deal_in_value),
            _share(player.riichi_rate),
            _share(player.call_rate),
        )
        for player in players
    ]
    heads = ("player", "wins", "of them tsumo", "mean win", "deal-ins", "mean deal-in", "riichi", "with open melds")
    return table("Play", heads, rows)


def _share(share: float | None) -> str:
    return "–" if share is None else f"{share * 100:.1f} %"


def _value(value: float | None) -> str:
    return "–" if value is None else f"{value:.0f}"
