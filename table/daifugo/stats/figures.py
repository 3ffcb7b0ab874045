"""The figures of 大富豪 series, from their records. Intervals are computed with the series as the unit."""

from collections import Counter
from collections.abc import Sequence

import msgspec

from jantaku.table.arena.match.figures.statistics import Interval, Pair, legend
from jantaku.table.arena.match.figures.summary import Spent, TimeLine, Times
from jantaku.table.arena.match.figures.tally import PairSums, SetSums, best_first
from jantaku.table.daifugo import events
from jantaku.table.daifugo.board import RANK_NAMES
from jantaku.table.daifugo.records.record import Record
from jantaku.table.daifugo.records.replay import followed
from jantaku.table.ground.port import Verdict


class SeriesPlayer(msgspec.Struct, frozen=True):
    """One player over all its seats in series with a result. `place` and `points` are means per series, `ranks` the
    shares of its rounds by 階級, `passes` the share of its turns. `fouls` counts forbidden finishes."""

    name: str
    seats: int
    rounds: int
    place: Interval
    points: Interval
    won: float
    ranks: dict[str, float]
    passes: float
    revolutions: int
    fouls: int
    faults: dict[str, int]


class SeriesFigures(msgspec.Struct, frozen=True):
    """All figures of some series that do not depend on the clock. `void` counts the series without an end."""

    series: int
    void: int
    rounds: int
    players: tuple[SeriesPlayer, ...]
    pairs: tuple[Pair, ...]
    """Differences of every two players; their `rank` is the difference of places."""

    @property
    def best_first(self) -> Sequence[SeriesPlayer]:
        """The players, the one with the most points first."""
        return sorted(self.players, key=lambda player: -player.points.mean)

    @property
    def legend(self) -> str:
        """What ± means in these figures."""
        return legend("series", (one for player in self.players for one in (player.place, player.points)))


class _SeatCounts:
    """What one seat did in one series."""

    def __init__(self) -> None:
        self.done: Counter[str] = Counter()
        self.ranks: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self.times = Times(counts={})


class _PlayerCounts(_SeatCounts):
    """What one player did over all its seats in all series."""

    def __init__(self) -> None:
        super().__init__()
        self.place, self.points = SetSums(), SetSums()

    def take(self, number: int, seat: _SeatCounts, place: int, points: int) -> None:
        """Add one seat of series `number`."""
        self.done += seat.done
        self.ranks += seat.ranks
        self.done["seats"] += 1
        self.done["won"] += place == 1
        self.place.add(number, place)
        self.points.add(number, points)

    def figures(self, name: str) -> SeriesPlayer:
        """Compute the player's figures. At least one of its series must have a result."""
        done, rounds = self.done, self.ranks.total()
        return SeriesPlayer(
            name=name,
            seats=done["seats"],
            rounds=rounds,
            place=self.place.interval,
            points=self.points.interval,
            won=done["won"] / done["seats"],
            ranks={word: self.ranks[word] / rounds for word in RANK_NAMES.values()},
            passes=done["passes"] / done["turns"] if done["turns"] else 0.0,
            revolutions=done["revolutions"],
            fouls=done["fouls"],
            faults=dict(sorted(self.faults.items())),
        )


class SeriesTally:
    """Sums up series one after another."""

    def __init__(self) -> None:
        self.series = self.void = self.rounds = 0
        self.spent = Spent()
        """The times of all answers."""
        self._players: dict[str, _PlayerCounts] = {}
        self._pairs = PairSums()

    @property
    def points(self) -> dict[str, SetSums]:
        """The points of every player that has a result."""
        return {name: player.points for name, player in self._players.items() if player.done["seats"]}

    @property
    def names(self) -> list[str]:
        """All players, in the order of their first series."""
        return list(self._players)

    def add(self, record: Record) -> tuple[Sequence[tuple[str, float]], int]:
        """Add the next series. Return names and points from the best down (empty if the series has no end), and the
        number of faults. BadInput if the record contradicts itself."""
        seats = [_SeatCounts() for _ in record.header.player]
        end = _counted(record, seats)
        players = [self._players.setdefault(name, _PlayerCounts()) for name in record.header.player]
        for player, seat in zip(players, seats, strict=True):
            player.faults += seat.faults
        self.spent.add(TimeLine(record.header.number, record.header.player, tuple(seat.times for seat in seats)))
        faults = sum(seat.faults.total() for seat in seats)
        if end is None:
            self.void += 1
            return (), faults
        for place, points, player, seat in zip(end.places, end.points, players, seats, strict=True):
            player.take(self.series, seat, place, points)
        self._pairs.add(self.series, record.header.player, end.places, end.points)
        self.series += 1
        self.rounds += seats[0].ranks.total()
        return best_first(record.header.player, end.places, end.points), faults

    def figures(self) -> SeriesFigures:
        """Compute the figures so far. At least one series must have a result."""
        players = [(name, player) for name, player in self._players.items() if player.done["seats"]]
        return SeriesFigures(
            series=self.series,
            void=self.void,
            rounds=self.rounds,
            players=tuple(player.figures(name) for name, player in players),
            pairs=self._pairs.figures(name for name, _ in players),
        )


def _counted(record: Record, seats: Sequence[_SeatCounts]) -> events.SeriesEnd | None:
    """Count what the seats did. Return the end of the series, None if it has none."""
    end: events.SeriesEnd | None = None
    for told in followed(record):
        for answer in told.line.get("answers", ()):
            seat = seats[answer["seat"]]
            seat.times.add(answer["used"])
            if answer["verdict"] != Verdict.OK:
                seat.faults[answer["verdict"]] += 1
        match told.event:
            case events.Play(number, cards):
                seats[number].done.update(turns=1, passes=not cards)
            case events.Revolution():
                seats[told.board.turn].done["revolutions"] += 1
            case events.Agari(number, _, foul):
                seats[number].done["fouls"] += bool(foul)
            case events.RoundEnd(_, ranks, _):
                for seat, rank in zip(seats, ranks, strict=True):
                    seat.ranks[RANK_NAMES.get(rank, "")] += 1
            case events.SeriesEnd():
                end = told.event
    return end
