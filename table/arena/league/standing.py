"""The table of a league: every bot with its rating and other figures, the strongest first."""

import msgspec

from jantaku.table.arena.league.pool import League
from jantaku.table.arena.league.terms import PLAYING, LeagueBot, State
from jantaku.table.arena.match.figures.statistics import Interval, PlayerFigures, legend
from jantaku.table.arena.match.figures.tally import MatchTally


class BotStanding(msgspec.Struct, frozen=True):
    """One bot. `rating` is in points with its 95 % interval, fitted to all hanchan at once; an anchor's has none. A
    field is None if the bot has not played."""

    bot: str
    state: State
    anchor: bool
    hanchan: int
    rating: Interval
    rank: Interval | None
    points: Interval | None
    faults: dict[str, int]
    faulty: int
    fingerprint: str

    @property
    def plays(self) -> bool:
        """Whether the bot is seated."""
        return self.state in PLAYING


class LeagueTable(msgspec.Struct, frozen=True):
    """All bots. `void` counts hanchan without a result; `scatter` is the variance between wall sets relative to as many
    independent hanchan."""

    branch: str
    hanchan: int
    void: int
    scatter: float
    bots: tuple[BotStanding, ...]

    @property
    def legend(self) -> str:
        """What ± means in these figures. Ratings have an interval from the first wall set on, because they borrow from
        the whole league."""
        return legend("wall sets", (one.rank for one in self.bots if one.rank))


def standings(league: League, tally: MatchTally) -> LeagueTable:
    """Build the table; `tally` holds all hanchan of the league: see `tallied`."""
    known = league.strengths()
    figures = {one.name: one for one in tally.figures().players} if tally.games else {}
    found = [_standing(bot, known.rating(bot.id), figures.get(bot.label)) for bot in league.bots]
    found.sort(key=lambda one: (not one.hanchan, -one.rating.mean))
    return LeagueTable(league.branch, tally.games, tally.void, round(known.scatter, 3), tuple(found))


def tallied(league: League) -> MatchTally:
    """Sum up all hanchan of the league."""
    tally = MatchTally(bot.label for bot in league.bots)
    for line in league.lines():
        tally.add(line)
    return tally


def _standing(bot: LeagueBot, rating: Interval, figures: PlayerFigures | None) -> BotStanding:
    return BotStanding(
        bot=bot.label,
        state=bot.state,
        anchor=bot.anchor is not None,
        hanchan=figures.seats if figures else 0,
        rating=Interval(round(rating.mean, 2), None if rating.half is None else round(rating.half, 2)),
        rank=figures.rank if figures else None,
        points=figures.points if figures else None,
        faults=figures.faults if figures else {},
        faulty=figures.faulty if figures else 0,
        fingerprint=bot.fingerprint,
    )
