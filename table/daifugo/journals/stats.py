"""The figures of 大富豪 series, from their records. Intervals are computed with the series as the unit.

Series are read from folders; their figures are shown on the terminal and as a report.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec
from rich.table import Table

from jantaku.table.arena.match.figures.games import PlayedGame, PlayedGames, best_first
from jantaku.table.arena.match.figures.statistics import Interval, Pair, legend
from jantaku.table.arena.match.figures.summary import TimeLine, times_of
from jantaku.table.arena.match.figures.tally import PairSums, SetSums
from jantaku.table.arena.match.figures.timing import Spent, Timing, seconds
from jantaku.table.arena.match.records import numbered
from jantaku.table.arena.match.report import document
from jantaku.table.arena.match.report.document import Document
from jantaku.table.arena.match.report.parts import cross_table, ends, game_list, times, title_of
from jantaku.table.arena.match.report.plots import plot_parts, points_plot, share_plot, time_plot
from jantaku.table.arena.match.report.tables import share_text
from jantaku.table.arena.match.report.verdict import ComparedPlayers, Scale, verdict
from jantaku.table.daifugo import events
from jantaku.table.daifugo.journals.record import Record, load
from jantaku.table.daifugo.journals.replay import followed
from jantaku.table.daifugo.ranks import RANK_NAMES
from jantaku.table.drawing.columns import fitting
from jantaku.table.drawing.elements import Markup, Part, table
from jantaku.table.drawing.faces import FacedNames
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Verdict, was_asked
from jantaku.table.play.entry import Stats
from jantaku.table.records.journal.lines import content_of
from jantaku.table.records.journal.sealed import is_sealed


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
        self.used: list[float] = []


class _PlayerCounts(_SeatCounts):
    """What one player did over all its seats in all series."""

    def __init__(self) -> None:
        super().__init__()
        self.place, self.points = SetSums(), SetSums()

    def take(self, number: int, seat: _SeatCounts, place: int, points: int) -> None:
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
        self.spent.add(
            TimeLine(record.header.number, record.header.player, tuple(times_of(seat.used) for seat in seats))
        )
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
            if was_asked(answer["verdict"], answer["used"]):
                seat.used.append(answer["used"])
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


class PlayedSeries(NamedTuple):
    """What the records of some files and folders add up to."""

    tally: SeriesTally
    games: PlayedGames


def read_series(named: Mapping[Path, Sequence[Path]]) -> PlayedSeries:
    """Add up the series of all these files and folders. Equal names count as one player."""
    tally, games = SeriesTally(), PlayedGames()
    for paths in named.values():
        for number, path in numbered(paths):
            try:
                came_to, faults = tally.add(load(path))
            except BadInput:
                if not is_sealed(content_of(path)):
                    raise
                tally.void += 1  # a running series: its record tells the hands at the end
                came_to, faults = (), 0
            games.add(PlayedGame(number, None, path, came_to, faults, "" if came_to else "it has not come to its end"))
    return PlayedSeries(tally, games)


def series_tables(figures: SeriesFigures, times: Sequence[Timing], width: int) -> list[Table]:
    """Make tables of the results, of the rounds, and of the style of play with answer times. `width`: columns of the
    terminal."""
    results, rounds, habits = [], [], []
    by_name = {timing.name: timing for timing in times}
    for player in figures.best_first:
        faults = ", ".join(f"{word} {count}" for word, count in player.faults.items()) or "none"
        place, points = player.place.cell(2), player.points.cell(1)
        results.append((player.name, str(player.seats), points, place, share_text(player.won), faults))
        rounds.append((player.name, str(player.rounds), *map(share_text, player.ranks.values())))
        timing = by_name.get(player.name)
        spent = (seconds(timing.median), seconds(timing.p99)) if timing else ("-", "-")
        done = (share_text(player.passes), str(player.revolutions), str(player.fouls))
        habits.append((player.name, *done, *spent))
    return [
        *fitting(("player", "series", "points", "mean place", "won", "faults"), results, width),
        *fitting(("player", "rounds", *RANK_NAMES.values()), rounds, width),
        *fitting(("player", "passes", "革命", "反則", "median", "99%"), habits, width),
    ]


def write_series_report(path: Path, folders: Sequence[Path], played: PlayedSeries) -> str:
    """Write the report. Return why it was not written; empty on success. BadInput if the disk refuses."""
    document.write_report(path, _document(path, folders, played))
    return ""


def series_compared(figures: SeriesFigures) -> ComparedPlayers:
    """Compare the players of series by their points."""
    scales = (
        Scale("points a series", 1, lambda pair: pair.points),
        Scale("places", 2, lambda pair: pair.rank.reversed),
    )
    names = [player.name for player in figures.best_first]
    return ComparedPlayers(names, figures.pairs, figures.series, "series", scales)


def _document(path: Path, folders: Sequence[Path], played: PlayedSeries) -> Document:
    tally = played.tally
    figures = tally.figures()
    compared = series_compared(figures)
    timings = tally.spent.timings(compared.names)
    faults = {player.name: player.faults for player in figures.players}
    parts = [
        Part("Results", _results(figures.best_first)),
        *cross_table(compared),
        *_drawings(tally, figures, timings),
        times(compared.names, timings, faults),
        *game_list(played.games, path, "series"),
    ]
    void = f", {figures.void} without an end" if figures.void else ""
    rounds = f"{figures.rounds} round{'s' * (figures.rounds != 1)}"
    said = f"{figures.series} series of {rounds} in all{void}; {figures.legend}."
    facts = {"records": ", ".join(map(str, folders))}
    return Document(title_of(compared.names), [verdict(compared), said], facts, parts)


def _drawings(tally: SeriesTally, figures: SeriesFigures, timings: Sequence[Timing]) -> Sequence[Part]:
    points = {player.name: tally.points[player.name] for player in figures.best_first}
    ranks = {player.name: list(player.ranks.values()) for player in figures.best_first}
    heads = list(RANK_NAMES.values())
    return plot_parts(
        {
            "階級": share_plot("階級", ranks, heads, "rounds"),
            "Points over series": points_plot("Points over series", points, "series"),
            "Time for an answer": time_plot("Time for an answer", timings),
        }
    )


def _results(players: Sequence[SeriesPlayer]) -> Markup:
    faced = FacedNames(player.name for player in players)
    rows = [
        (
            faced.whole(player.name),
            player.points.cell(1),
            ends(player.points, 1),
            player.place.cell(2),
            *map(share_text, (player.won, player.passes)),
            player.revolutions,
            player.fouls,
            player.seats,
            player.rounds,
        )
        for player in players
    ]
    heads = ("player", "mean points", "95 %", "mean place", "won", "passes", "革命", "反則", "series", "rounds")
    return table("Results", heads, rows)


def stats_of(named: Mapping[Path, Sequence[Path]]) -> Stats:
    """Work out the figures of series, see `GameEntry.stats`. BadInput if no series has come to its end."""
    played = read_series(named)
    tally = played.tally
    if not tally.series:
        raise BadInput(f"{next(iter(named))}: none of {tally.void} series has come to its end")
    figures, times = tally.figures(), tally.spent.timings(tally.names)
    void = f", {figures.void} without an end" if figures.void else ""
    said = f"{figures.series} series of {figures.rounds} round{'s' * (figures.rounds != 1)} in all{void}"
    report = partial(write_series_report, folders=list(named), played=played)
    data, decided = {"figures": figures, "times": times}, verdict(series_compared(figures))
    return Stats(data, partial(series_tables, figures, times), figures.legend, decided, said, report)
