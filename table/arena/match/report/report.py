"""The report of a match."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from jantaku.table.arena.match.conduct import Finished
from jantaku.table.arena.match.figures.games import PlayedGames
from jantaku.table.arena.match.figures.statistics import Figures, PlayerFigures
from jantaku.table.arena.match.figures.stops import Results, Sprt
from jantaku.table.arena.match.figures.tally import SetSums
from jantaku.table.arena.match.figures.timing import Timing
from jantaku.table.arena.match.plan import MatchPlan
from jantaku.table.arena.match.pool import PoolPlan
from jantaku.table.arena.match.report import document
from jantaku.table.arena.match.report.document import Document
from jantaku.table.arena.match.report.parts import cross_table, ends, expected_table, game_list, times, title_of
from jantaku.table.arena.match.report.plots import plot_parts, points_plot, sequential_plot, share_plot, time_plot
from jantaku.table.arena.match.report.tables import (
    LUCK_HEADS,
    LUCK_NOTE,
    luck_rows,
    places_in,
    sprt_text,
    unit_cells,
    unit_heads,
)
from jantaku.table.arena.match.report.verdict import hanchan_compared, pace, remarks, verdict
from jantaku.table.arena.match.store import Store
from jantaku.table.drawing.columns import counted
from jantaku.table.drawing.elements import Markup, Part, table
from jantaku.table.drawing.faces import FacedNames
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


def write_match_report(path: Path, store: Store[MatchPlan], done: Finished[Results]) -> str:
    """Write the report of a match, as `write_report`."""
    plan, results = store.plan, done.results
    facts = facts_of(plan, plan.sides or ", ".join(plan.bots), f"{plan.format}, seatings {plan.seatings}")
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
    played = f"{figures.games} {content.unit} in {counted(figures.sets, 'wall set')}{void}; {figures.legend}."
    test = content.test
    tested = [] if test is None else [f"{sprt_text(test)}. {pace(test, figures.sets)}"]
    faults = {player.name: player.faults for player in figures.players}
    parts = [
        Part("Results", _results(figures)),
        *units_part(figures.best_first, figures),
        *luck_part(figures),
        *cross_table(compared),
        *expected_table(compared),
        *_drawings(content, figures),
        Part("Play", _play(figures.best_first), "Shares of kyoku; values without honba and sticks."),
        times(compared.names, content.times, faults),
        *game_list(content.games, path, content.unit),
    ]
    names = [player.name for player in figures.players]
    return Document(
        title_of(names), [verdict(compared), *tested, *remarks(figures, content.unit), played], content.facts, parts
    )


def facts_of(plan: PoolPlan, players: str, form: str) -> dict[str, str]:
    """Say what was played, by name."""
    return {
        "players": players,
        "format": f"{form}, walls {plan.walls}",
        "rules": ruleset.describe(plan.rules),
        "seed": str(plan.seed),
        "threads": f"{plan.threads}, on a fault: {plan.on_fault}, on an answer lost to the clock: {plan.clock.flag}",
    }


def _drawings(content: Content, figures: Figures) -> Sequence[Part]:
    by_name = {timing.name: timing for timing in content.times}
    timed = [by_name[player.name] for player in figures.best_first if player.name in by_name]
    drawn = {
        **results_drawn(figures.best_first, content.points, content.unit),
        "Time for an answer": time_plot("Time for an answer", timed),
    }
    if content.test is not None and content.course:
        drawn["Sequential test"] = sequential_plot("Sequential test", content.course, content.test)
    return plot_parts(drawn)


def results_drawn(players: Sequence[PlayerFigures], points: Mapping[str, SetSums], unit: str) -> dict[str, str]:
    """Draw the ranks of these players, and their points over the games, by heading. `unit`: what a game is called."""
    course = f"Points over {unit}, with the 95 % interval"
    return {
        "Ranks": ranks_drawn(players, unit),
        course: points_plot(course, {player.name: points[player.name] for player in players}, unit),
    }


def ranks_drawn(players: Sequence[PlayerFigures], unit: str) -> str:
    """Draw the shares of the ranks of these players."""
    shares = {player.name: player.ranks for player in players}
    return share_plot("Ranks", shares, ranks_of(max(map(len, shares.values()))), unit)


def ranks_of(seats: int) -> list[str]:
    """Return the ranks as heads of columns, for a table of `seats` seats."""
    return [f"{rank}." for rank in range(1, seats + 1)]


def _results(figures: Figures) -> Markup:
    players = figures.best_first
    faced = FacedNames(player.name for player in players)
    rows = [(faced.whole(player.name), *result_row(player), player.seats) for player in players]
    return table("Results", ("player", *RESULT_HEADS, *places_in(figures), "seats"), rows)


RESULT_HEADS = ("mean rank", "95 %", "mean points")
"""The heads of `result_row`, without the columns of ranks."""


def result_row(player: PlayerFigures) -> Sequence[str]:
    """Return the results of a player for a table of the page."""
    rank, points = player.rank, player.points.cell(2, sign=True)
    return rank.cell(3), ends(rank, 3), points, *(f"{share * 100:.1f} %" for share in player.ranks)


def units_part(players: Sequence[PlayerFigures], figures: Figures) -> Sequence[Part]:
    """Make the table of rank points and stable dan; none where neither is known."""
    if all(player.rank_pt is None and player.stable_dan is None for player in players):
        return ()
    faced = FacedNames(player.name for player in players)
    rows = [(faced.whole(player.name), *unit_cells(player)) for player in players]
    title = "In rank points"
    return [Part(title, table(title, ("player", *unit_heads(figures.points_by_rank)), rows))]


def luck_part(figures: Figures) -> Sequence[Part]:
    """Make the table of the results without luck; none where there are no such results."""
    faced = FacedNames(player.name for player in figures.players)
    rows = [(faced.whole(name), *cells) for name, *cells in luck_rows(figures.luck)]
    title = "Without luck"
    return [Part(title, table(title, ("player", *LUCK_HEADS), rows), LUCK_NOTE)] if rows else ()


def _play(players: Sequence[PlayerFigures]) -> Markup:
    faced = FacedNames(player.name for player in players)
    rows = [
        (
            faced.whole(player.name),
            share_of(player.win_rate),
            share_of(player.tsumo_share),
            _value(player.win_value),
            share_of(player.deal_in_rate),
            _value(player.deal_in_value),
            share_of(player.riichi_rate),
            share_of(player.call_rate),
        )
        for player in players
    ]
    heads = ("player", "wins", "of them tsumo", "mean win", "deal-ins", "mean deal-in", "riichi", "with open melds")
    return table("Play", heads, rows)


def share_of(share: float | None) -> str:
    return "–" if share is None else f"{share * 100:.1f} %"


def _value(value: float | None) -> str:
    return "–" if value is None else f"{value:.0f}"
