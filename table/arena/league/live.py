"""The page of a league in progress, for a projector."""

from collections.abc import Container, Sequence
from functools import partial
from pathlib import Path

from jantaku.table.arena.league.file import LeagueFile
from jantaku.table.arena.league.pool import League
from jantaku.table.arena.league.site import LeagueTable, standings, tallied, verdict_of
from jantaku.table.arena.match.figures.summary import HanchanSummary
from jantaku.table.arena.match.report.live import LISTED, News, ShownTable, live_parts
from jantaku.table.ground.markup.faces import FacedNames


def news_of(path: Path) -> News:
    """Read what the page shows of the league in a file."""
    with LeagueFile.open(path) as file:
        return league_news(League(file))


def league_news(league: League) -> News:
    """Tell how an open league stands: its table, the tables that are played next, and the last hanchan."""
    tally, lines = tallied(league), list(league.lines())
    found, names = standings(league, tally), [bot.label for bot in league.bots]
    find = partial(_found, league.file.path)
    faced, ended = FacedNames(names), [line for line in lines if line.ended]
    playing = [ShownTable(unit.unit, [names[bot] for bot in unit.lineup]) for unit in league.open_units()[:LISTED]]
    last = [ShownTable(line.game, _placed(line)) for line in ended[: -LISTED - 1 : -1]]
    kept = league.kept()
    newest = next((line.game for line in reversed(ended) if _may_be_seen(league, line.game, kept)), None)
    record = None if newest is None else _record_in(league, newest)
    said = [*verdict_of(league, found), f"{tally.games} hanchan, {len(names)} bots", found.legend]
    heads = ("bot", "rating", "mean rank", "hanchan")
    parts = live_parts((heads, _rows(found, faced)), playing, last, faced, "hanchan")
    shown = None if newest is None or record is None else (newest, record)
    return News(f"League {league.file.path.stem}", said, parts, faced, shown, find)


def _rows(found: LeagueTable, faced: FacedNames) -> Sequence[Sequence[object]]:
    return [
        (faced.placed(place, one.bot), one.rating.text(0), one.rank.cell(2) if one.rank else "", one.hanchan)
        for place, one in enumerate((one for one in found.bots if one.hanchan and one.plays), 1)
    ]


def _placed(line: HanchanSummary) -> list[str]:
    """Return the players of a hanchan, the best first."""
    order = sorted(range(len(line.ranks)), key=lambda place: line.ranks[place])
    return [line.players[place] for place in order]


def _may_be_seen(league: League, game: int, kept: Container[int]) -> bool:
    """Return whether all hanchan of a game's table are over: nothing is left to play on their walls."""
    first = game - game % league.terms.seats
    return all(one in kept for one in range(first, first + league.terms.seats))


def _record_in(league: League, game: int) -> Path | None:
    name = Path(league.record_of(game)).name
    return league.file.records / name if name else None


def _found(path: Path, game: int) -> Path | None:
    """Return the record of a hanchan; None if it is not to be seen, or not yet."""
    with LeagueFile.open(path) as file:
        league = League(file)
        return _record_in(league, game) if _may_be_seen(league, game, league.kept()) else None
