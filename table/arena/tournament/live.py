"""The page of a tournament in progress, for the projector of a class."""

from collections.abc import Iterator
from pathlib import Path

from jantaku.table.arena.match.figures.summary import HanchanSummary
from jantaku.table.arena.match.folder.store import Store
from jantaku.table.arena.match.report.live import LISTED, News, ShownTable, live_parts
from jantaku.table.arena.tournament.plan import TournamentPlan
from jantaku.table.arena.tournament.rounds import Rounds
from jantaku.table.ground.clock import Deadline
from jantaku.table.ground.markup.faces import FacedNames
from jantaku.table.records.journal.header import RECORDS
from jantaku.table.records.journal.journal import journal_of

PACE = 0.5
"""Seconds between two looks at a tournament in progress."""


def nothing_yet(plan: TournamentPlan) -> News:
    """What the page shows before the first player is started."""
    return News(_title(plan), ["It begins.", plan.described], [], FacedNames(plan.names), None, lambda game: None)


def _title(plan: TournamentPlan) -> str:
    return f"Tournament of {len(plan.names)}"


class LiveTournament:
    """What the page shows of a tournament. `follow` is called in the thread that plays, `news` in any: what it returns
    is made in the former and does not change any more."""

    def __init__(self, store: Store[TournamentPlan]) -> None:
        self._plan, self._records = store.plan, store.folder / RECORDS
        self._faced = FacedNames(store.plan.names)
        self._until = Deadline(PACE)
        rounds = Rounds(store.plan)
        for line in store.lines():
            rounds.add(line)
        rounds.known()
        self._news = self._made(rounds, len(store.kept))

    def news(self) -> News:
        """Return what the page shows."""
        return self._news

    def follow(self, rounds: Rounds, over: int) -> None:
        """Take note that `over` hanchan are finished."""
        if over == self._plan.games or self._until.over:
            self._news = self._made(rounds, over)
            self._until = Deadline(PACE)

    def _made(self, rounds: Rounds, over: int) -> News:
        plan, standings = self._plan, rounds.standings()
        rows = [
            (self._faced.placed(one.place, one.name), one.hanchan, f"{one.rank:.2f}", f"{one.points:+.1f}")
            for one in standings
        ]
        heads = ("player", plan.unit, "mean rank", "points")
        last = [ShownTable(line.game, _placed(line)) for line in reversed(rounds.last) if line.ended]
        parts = live_parts((heads, rows), list(self._playing(rounds)), last, self._faced, plan.unit)
        seen = {game for table in range(_planned(rounds)) if self._is_over(rounds, table) for game in self._of(table)}
        newest = next((line.game for line in reversed(rounds.last) if line.ended and line.game in seen), None)

        def record(game: int) -> Path | None:
            return journal_of(self._records, game) if game in seen else None

        first = standings[0]
        leads = f"{first.name} {'has won' if over == plan.games else 'leads'}." if first.hanchan else "It begins."
        said = [leads, f"Round {rounds.now} of {len(plan.tables)}, {over} of {plan.games} {plan.unit}"]
        shown = None if newest is None else (newest, journal_of(self._records, newest))
        return News(_title(plan), said, parts, self._faced, shown, record)

    def _playing(self, rounds: Rounds) -> Iterator[ShownTable]:
        """Yield the first tables that are not over, those that have begun before others."""
        size, names = len(self._of(0)), self._plan.names
        tables = [table for one in rounds.rounds for table in one.tables]
        is_open = [number for number in range(len(tables)) if not self._is_over(rounds, number)]
        for number in sorted(is_open, key=lambda one: (not rounds.came(one), one))[:LISTED]:
            players = [names[player] for player in rounds.placed(number, tables[number])]
            yield ShownTable(number + 1, players, f"{rounds.came(number)} of {size}")

    def _is_over(self, rounds: Rounds, table: int) -> bool:
        return rounds.came(table) == len(self._of(table))

    def _of(self, table: int) -> range:
        """Return the numbers of the hanchan of a table."""
        size = self._plan.sets * self._plan.seats
        return range(table * size, (table + 1) * size)


def _planned(rounds: Rounds) -> int:
    return sum(len(one.tables) for one in rounds.rounds)


def _placed(line: HanchanSummary) -> list[str]:
    """Return the players of a hanchan, the best first."""
    return [name for _, name in sorted(zip(line.ranks, line.players, strict=True))]
