"""Follows a tournament: plans each round as soon as the results before it suffice, and keeps the standings.

Everything is a function of the plan and of the hanchan's results, which may come in any order. So a tournament that is
resumed, or played by other workers, has the same rounds.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

import msgspec

from jantaku.table.arena.match.figures.looks import Looks
from jantaku.table.arena.match.figures.statistics import Figures
from jantaku.table.arena.match.figures.stops import NAME
from jantaku.table.arena.match.figures.summary import HanchanSummary
from jantaku.table.arena.match.formats import even
from jantaku.table.arena.match.pool import Job
from jantaku.table.arena.tournament import pairings
from jantaku.table.arena.tournament.plan import TournamentPlan
from jantaku.table.drawing.columns import shortened
from jantaku.table.ground.chance import Numbers, shuffled

LEADERS = 3
"""Number of players named in a progress line."""
_PARTS = 1000
"""Points are summed up in whole thousandths: a sum of floats would depend on the order of its terms."""


class Score:
    """The results of a player in some hanchan. `even` is the mean rank before the first one."""

    def __init__(self, even: float) -> None:
        self.hanchan = self._ranks = self._points = 0
        self._even = even

    def add(self, rank: int, points: float) -> None:
        self.hanchan += 1
        self._ranks += rank
        self._points += round(points * _PARTS)

    def join(self, other: "Score") -> None:
        """Add the hanchan of another score."""
        self.hanchan += other.hanchan
        self._ranks += other._ranks
        self._points += other._points

    @property
    def rank(self) -> float:
        return self._ranks / self.hanchan if self.hanchan else self._even

    @property
    def points(self) -> float:
        return self._points / self.hanchan / _PARTS if self.hanchan else 0.0

    @property
    def key(self) -> tuple[float, float]:
        """Sort key, the best first: by mean rank, equal ones by mean points."""
        return self.rank, -self.points


class Meeting:
    """How two players did in hanchan that both sat in, from the side of the lower number."""

    def __init__(self) -> None:
        self.hanchan = self.ahead = self._points = 0

    def add(self, ahead: bool, points: float) -> None:
        self.hanchan += 1
        self.ahead += ahead
        self._points += round(points * _PARTS)

    @property
    def points(self) -> float:
        """By how many points it was ahead in total."""
        return self._points / _PARTS


class PlayerStanding(msgspec.Struct, frozen=True):
    """A player in the standings. `place` counts from 1; `rounds` are those in which it sat at a table or had a bye;
    `byes` counts the byes."""

    place: int
    name: str
    hanchan: int
    rank: float
    points: float
    rounds: int
    byes: int


class PlacedPlayer(msgspec.Struct, frozen=True):
    """A player at a table of a round, with its mean rank and points there."""

    name: str
    rank: float
    points: float


class PlayedTable(msgspec.Struct, frozen=True):
    """A table of a round: its players, the best first, and the numbers of its first and its last hanchan."""

    players: tuple[PlacedPlayer, ...]
    first: int
    last: int


class PlayedRound(msgspec.Struct, frozen=True):
    """A round: its tables, and the players that sat out."""

    tables: tuple[PlayedTable, ...]
    byes: tuple[str, ...]


class Met(msgspec.Struct, frozen=True):
    """The meetings of two players: the hanchan that both sat in, those in which `a` was ahead, and by how many points
    in total."""

    a: str
    b: str
    hanchan: int
    ahead: int
    points: float


class TournamentResults(msgspec.Struct, frozen=True):
    """The content of a tournament's `results.json`. Equal plans end with equal bytes."""

    plan: str
    format: str
    walls: str
    rules: str
    seed: int | str
    standings: tuple[PlayerStanding, ...]
    rounds: tuple[PlayedRound, ...]
    meetings: tuple[Met, ...]
    figures: Figures | None
    """None if no hanchan has a result."""


class Rounds:
    """The rounds of a tournament; a `Schedule` of its hanchan."""

    def __init__(self, plan: TournamentPlan) -> None:
        self.plan = plan
        self.reason, self.looks, self.planned, self.course = "", Looks.ONCE, plan.games, ()
        self._tables = plan.tables
        self.sets = sum(self._tables) * plan.sets
        self.rounds: list[pairings.Round] = []
        """The rounds planned so far."""
        self._number = {name: number for number, name in enumerate(plan.names)}
        self._came: Counter[int] = Counter()
        """Finished hanchan by table; tables are numbered through all rounds."""
        self._new = partial(Score, even(plan.seats))
        self._of_table: defaultdict[int, defaultdict[int, Score]] = defaultdict(lambda: defaultdict(self._new))
        self._scores: defaultdict[int, Score] = defaultdict(self._new)
        self.meetings: defaultdict[pairings.Pair, Meeting] = defaultdict(Meeting)
        players = range(len(plan.players))
        self._lot = shuffled(players, Numbers(f"jantaku tournament 1|{plan.seed}"))
        """The players in an order drawn by lot, which decides if nothing else does."""
        self._lots = {player: place for place, player in enumerate(self._lot)}

    def add(self, line: HanchanSummary) -> None:
        table = line.set // self.plan.sets
        self._came[table] += 1
        seats = [self._number[name] for name in line.players]
        results = list(zip(seats, line.ranks, line.points, strict=False))
        for player, rank, points in results:
            for score in (self._of_table[table][player], self._scores[player]):
                score.add(rank, points)
        of = {player: (rank, points) for player, rank, points in results}
        for a, b in pairings.pairs_of(of):
            self.meetings[a, b].add(of[a][0] < of[b][0], of[a][1] - of[b][1])

    def jobs(self) -> Iterator[Job | None]:
        for number in range(len(self._tables)):
            while number >= len(self.known()):
                yield None
            yield from self._jobs_of(number)

    def known(self) -> Sequence[pairings.Round]:
        """Plan the rounds whose results before them are complete; return all planned so far."""
        while len(self.rounds) < len(self._tables) and (not self.plan.waits or self.is_over(len(self.rounds) - 1)):
            self.rounds.append(self._next())
        return self.rounds

    def is_over(self, number: int) -> bool:
        """Return whether all hanchan of a round and of the rounds before it are over."""
        last = sum(self._tables[: number + 1])
        return all(self._came[table] == self.plan.sets * self.plan.seats for table in range(last))

    @property
    def over(self) -> int:
        return next((number for number in range(len(self._tables)) if not self.is_over(number)), len(self._tables))

    @property
    def hanchan(self) -> int:
        return self._came.total()

    @property
    def now(self) -> int:
        """The number of the current round, from 1."""
        return min(self.over + 1, len(self._tables))

    def first_table(self, number: int) -> int:
        return sum(self._tables[:number])

    def score(self, table: int, player: int) -> Score:
        return self._of_table[table][player]

    def placed(self, table: int, players: Iterable[int]) -> list[int]:
        """Return the players of a table, the best first: by mean rank, then by mean points, then by lot."""
        return sorted(players, key=lambda player: (*self.score(table, player).key, self._lots[player]))

    def _by_score(self, scores: Mapping[int, Score]) -> list[int]:
        return sorted(self._lot, key=lambda player: (*scores[player].key, self._lots[player]))

    def _before(self, number: int) -> Mapping[int, Score]:
        """Return the results of the players before a round. Hanchan of later rounds may be known already."""
        scores: defaultdict[int, Score] = defaultdict(self._new)
        for table in range(self.first_table(number)):
            for player, score in self._of_table[table].items():
                scores[player].join(score)
        return scores

    def order(self) -> list[int]:
        """Return all players, the best first. In a knock-out a later last round comes first, and within a round the
        better place at the table."""
        by_score = self._by_score(self._scores)
        if self.plan.repeats:
            return by_score
        reached: dict[int, tuple[float, ...]] = {}
        for number, played in enumerate(self.rounds):
            for at, table in enumerate(played.tables, self.first_table(number)):
                over = self._came[at] == self.plan.sets * self.plan.seats
                for place, player in enumerate(self.placed(at, table)):
                    reached[player] = (-number, place if over else 0, *self.score(at, player).key)
            reached |= dict.fromkeys(played.byes, (-number, 0, 0.0, 0.0))
        return sorted(by_score, key=lambda player: reached.get(player, ()))

    @property
    def stands(self) -> str:
        """The current round and the leaders in a line."""
        best = [one for one in self.standings()[:LEADERS] if one.hanchan]
        told = (f"{shortened(one.name, NAME)} {one.rank:.2f}" for one in best)
        return ", ".join([f"round {self.now} of {len(self._tables)}", *told])

    def results(self, figures: Figures | None) -> TournamentResults:
        """Return the results of the tournament; `figures` are None if no hanchan has a result."""
        self.known()
        plan = self.plan
        return TournamentResults(
            plan=plan.digest,
            format=plan.format,
            walls=plan.walls,
            rules=plan.rules_digest,
            seed=plan.seed,
            standings=tuple(self.standings()),
            rounds=tuple(map(self._played, range(len(self.rounds)))),
            meetings=tuple(
                Met(plan.names[a], plan.names[b], met.hanchan, met.ahead, met.points)
                for (a, b), met in sorted(self.meetings.items())
            ),
            figures=figures,
        )

    def _played(self, number: int) -> PlayedRound:
        names, size, played = self.plan.names, self.plan.sets * self.plan.seats, self.rounds[number]
        tables = []
        for at, table in enumerate(played.tables, self.first_table(number)):
            scores = [(names[player], self.score(at, player)) for player in self.placed(at, table)]
            seated = tuple(PlacedPlayer(name, score.rank, score.points) for name, score in scores)
            tables.append(PlayedTable(seated, at * size, (at + 1) * size - 1))
        return PlayedRound(tuple(tables), tuple(names[player] for player in played.byes))

    def standings(self) -> list[PlayerStanding]:
        sat = Counter(player for one in self.rounds for table in one.tables for player in set(table))
        byes = Counter(player for one in self.rounds for player in one.byes)
        return [
            PlayerStanding(
                place=place,
                name=self.plan.names[player],
                hanchan=self._scores[player].hanchan,
                rank=self._scores[player].rank,
                points=self._scores[player].points,
                rounds=sat[player] + byes[player],
                byes=byes[player],
            )
            for place, player in enumerate(self.order(), 1)
        ]

    def _next(self) -> pairings.Round:
        seats = self.plan.seats
        match self.plan.format:
            case "round-robin":
                return pairings.Round([_of(self._lot, table) for table in pairings.balanced(len(self._lot), seats)])
            case "gauntlet":
                others = [player for player in self._lot if player]
                leg = pairings.legs_of(len(others), len(self.rounds) + 1, seats)[-1]
                return pairings.Round([(0, *_of(others, group)) for group in leg])
            case "swiss":
                byes = Counter(player for one in self.rounds for player in one.byes)
                return pairings.swiss(self._by_score(self._before(len(self.rounds))), self._met(), byes, seats)
            case _:
                return pairings.knock_out(self._entered(), self._met(), seats)

    def _met(self) -> Mapping[pairings.Pair, int]:
        return Counter(pair for one in self.rounds for table in one.tables for pair in pairings.pairs_of(table))

    def _entered(self) -> Sequence[int]:
        """Return the players of the next round of a knock-out, in the order in which they enter."""
        if not self.rounds:
            return self._lot
        last, first = self.rounds[-1], self.first_table(len(self.rounds) - 1)
        placed = [self.placed(at, table) for at, table in enumerate(last.tables, first)]
        results = {
            player: (*self.score(at, player).key, self._lots[player])
            for at, table in enumerate(last.tables, first)
            for player in table
        }
        return pairings.through(last, placed, results)

    def _jobs_of(self, number: int) -> Iterator[Job]:
        sets = self.plan.sets
        for at, table in enumerate(self.rounds[number].tables, self.first_table(number)):
            for wall_set in range(at * sets, (at + 1) * sets):
                first = shuffled(table, Numbers(f"jantaku tournament seats 1|{self.plan.seed}|{wall_set}"))
                for turned in range(len(first)):
                    yield Job(wall_set * len(first) + turned, wall_set, (*first[turned:], *first[:turned]))


def _of(players: Sequence[int], table: pairings.Table) -> pairings.Table:
    return tuple(players[one] for one in table)
