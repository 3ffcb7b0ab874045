"""Plays a tournament, round by round, and writes its results."""

from collections.abc import Callable, Sequence

import msgspec

from jantaku.table.arena.match.conduct import counted, play, write_results
from jantaku.table.arena.match.figures.statistics import Figures
from jantaku.table.arena.match.figures.summary import Timing
from jantaku.table.arena.match.figures.tally import MatchTally, PlayedGames
from jantaku.table.arena.match.folder.store import Store
from jantaku.table.arena.match.workers.hanchan import Executor
from jantaku.table.arena.tournament.plan import TournamentPlan
from jantaku.table.arena.tournament.rounds import PlayerStanding, Rounds
from jantaku.table.play.faults import FaultReports


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


class FinishedTournament(msgspec.Struct, frozen=True):
    """A finished tournament."""

    results: TournamentResults
    times: Sequence[Timing]
    tally: MatchTally
    games: PlayedGames


def conduct(
    store: Store[TournamentPlan],
    executor: Executor,
    tell: Callable[[Rounds, int], None],
    faults: FaultReports | None = None,
) -> FinishedTournament:
    """Play what is missing of a tournament and write its results. `tell` is called after every hanchan, with the rounds
    and the number of finished hanchan."""
    plan, rounds = store.plan, Rounds(store.plan)
    play(store, executor, rounds, lambda: tell(rounds, len(store.kept)), faults)
    tally, games = counted(store)
    rounds.known()
    results = TournamentResults(
        plan=plan.digest,
        format=plan.format,
        walls=plan.walls,
        rules=plan.rules_digest,
        seed=plan.seed,
        standings=tuple(rounds.standings()),
        rounds=tuple(_played(rounds, number) for number in range(len(rounds.rounds))),
        meetings=tuple(
            Met(plan.names[a], plan.names[b], met.hanchan, met.ahead, met.points)
            for (a, b), met in sorted(rounds.meetings.items())
        ),
        figures=tally.figures() if tally.games else None,
    )
    return FinishedTournament(results, write_results(store, results), tally, games)


def _played(rounds: Rounds, number: int) -> PlayedRound:
    names, size = rounds.plan.names, rounds.plan.sets * rounds.plan.seats
    played = rounds.rounds[number]
    tables = []
    for at, table in enumerate(played.tables, rounds.first_table(number)):
        scores = [(names[player], rounds.score(at, player)) for player in rounds.placed(at, table)]
        seated = tuple(PlacedPlayer(name, score.rank, score.points) for name, score in scores)
        tables.append(PlayedTable(seated, at * size, (at + 1) * size - 1))
    return PlayedRound(tuple(tables), tuple(names[player] for player in played.byes))
