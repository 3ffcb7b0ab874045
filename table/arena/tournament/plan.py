"""The plan of a tournament, and how a person asks for it: a TOML file, flags, or both.

[tournament]
format = "swiss"                    # round-robin, swiss, gauntlet, knock-out
players = ["alice.py:Bot", "bob.py:Bot", "shanten", "caller"]
hanchan = 40                        # of each player
rounds = 5
rules = "tenhou"
seed = 7
out = "tournaments/june"

Players may have tables of their own, and [clock] and [rules] are as in a match file.
"""

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import Meta

from jantaku.table.arena.match import matchfile
from jantaku.table.arena.match import plan as matches
from jantaku.table.arena.match.pool import PoolPlan, asked_by, pooled, terms_by, written
from jantaku.table.arena.match.poolfile import PoolFile, PoolSettings, layered
from jantaku.table.arena.tournament.pairings import MOST, balanced, sizes, tables_for
from jantaku.table.drawing.columns import counted
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.kinds import BESIDE
from jantaku.table.judge.timing import Clock

TournamentFormat = Literal["round-robin", "swiss", "gauntlet", "knock-out"]
MOST_PLAYERS = 1000
KNOCK_OUT_SETS = 4
"""Wall sets of a knock-out table unless asked otherwise: a single set is mostly luck."""
Hanchan = Annotated[int, Meta(ge=1, le=1_000_000)]


class Tournament(PoolSettings, frozen=True):
    """The `[tournament]` of the file."""

    format: Annotated[TournamentFormat, Meta(description="who meets whom")] = "swiss"
    hanchan: Annotated[
        Hanchan | None, Meta(description="of each player; gauntlet: of the challenger; knock-out: of each table")
    ] = None
    rounds: Annotated[
        Annotated[int, Meta(ge=1, le=1000)] | None,
        Meta(description="swiss: rounds; round-robin and gauntlet: how often all of it is played"),
    ] = None


class TournamentValues(msgspec.Struct, frozen=True):
    """The tables of the file that consist of plain values."""

    BESIDE: ClassVar = BESIDE

    tournament: Tournament = Tournament()
    clock: Clock = Clock()


class TournamentFile(PoolFile, frozen=True, kw_only=True):
    KIND = "tournament"
    VALUES = TournamentValues

    tournament: Tournament = Tournament()


class TournamentPlan(PoolPlan, frozen=True, kw_only=True):
    """The plan of a tournament. A table of a round plays `sets` wall sets, each in all rotations of one order, so that
    every player is first dealer equally often."""

    KIND = "tournament"

    format: TournamentFormat
    rounds: int
    sets: int

    @property
    def set_size(self) -> int:
        """One hanchan per rotation."""
        return self.seats

    @property
    def tables(self) -> Sequence[int]:
        return tables_of(self.format, len(self.players), self.rounds, self.seats)

    @property
    def games(self) -> int:
        return sum(self.tables) * self.sets * self.seats

    @property
    def each(self) -> int:
        """Hanchan of each player that sits out no round; of the challenger in a gauntlet; of each table in a
        knock-out."""
        rounds = self.rounds if self.repeats else 1
        return per_round(self.format, len(self.players), self.seats) * self.sets * self.seats * rounds

    @property
    def repeats(self) -> bool:
        """Whether all players play in every round."""
        return self.format != "knock-out"

    @property
    def waits(self) -> bool:
        """Whether a round depends on the results of earlier ones."""
        return self.format in ("swiss", "knock-out")

    @property
    def described(self) -> str:
        """The whole plan in a sentence."""
        tables, seats, unit = self.tables, self.seats, self.unit
        of_a_table = f"{self.sets * seats} {unit}"
        many = counted(len(tables), "round")
        whole = f"{self.games} {unit} in all"
        players = len(self.players)
        match self.format:
            case "round-robin":
                meet = tables[0] * seats * (seats - 1) // (players * (players - 1))
                often = meet * self.rounds * self.sets * seats
                return f"round-robin of {players}: every two meet in {often} {unit}, {self.each} each, {whole}"
            case "gauntlet":
                return f"gauntlet of {self.names[0]} against {players - 1}: {self.each} {unit} of its own, {whole}"
            case "swiss":
                out = f", {players % seats} out" if players % seats else ""
                a_round = f"{counted(tables[0], 'table')}{out}, {of_a_table} each"
                return f"Swiss of {players}: {many} of {a_round}, {whole}"
            case _:
                told = ", ".join(map(str, tables))
                return f"knock-out of {players}: {many}, tables {told}, {of_a_table} each, {whole}"


def per_round(form: TournamentFormat, players: int, seats: int) -> int:
    """Return at how many tables of a round a player sits; in a gauntlet the challenger. See `Tournament.hanchan`."""
    match form:
        case "round-robin":
            return len(balanced(players, seats)) * seats // players
        case "gauntlet":
            return _leg(players, seats)
        case _:
            return 1


def tables_of(form: TournamentFormat, players: int, rounds: int, seats: int) -> Sequence[int]:
    """Return the number of tables in every round."""
    match form:
        case "round-robin":
            return [len(balanced(players, seats))] * rounds
        case "gauntlet":
            return [_leg(players, seats)] * rounds
        case "swiss":
            return [players // seats] * rounds
        case _:
            return [tables_for(size, seats) for size in sizes(players, seats)]


def _leg(players: int, seats: int) -> int:
    return 1 if players == seats else players - 1


def read(path: str | None, flags: dict[str, Any], base: TournamentFile | None = None) -> TournamentFile:
    """Read the file, if there is one, over `base`, and `flags` over both; see `layered`."""
    return layered(base or TournamentFile(), path, flags)


def checked(kind: str, path: str) -> Any:
    """Read a file of a match or tournament (`kind`). BadInput if it cannot be played, as far as that is known without
    the players."""
    file: Any = matchfile.read(path, {}) if kind == "match" else read(path, {})
    if file.players:  # else they are named by the command
        try:
            (matches.amounts_of if kind == "match" else amounts_of)(file)
        except BadInput as error:
            raise error.within(path) from None
    return file


def file_of(plan: TournamentPlan) -> TournamentFile:
    rounds = plan.rounds if plan.repeats else None
    asked = Tournament(**asked_by(plan), format=plan.format, hanchan=plan.each, rounds=rounds)
    return TournamentFile(tournament=asked, clock=plan.clock, rules=plan.rules, player=terms_by(plan))


def plan_of(file: TournamentFile) -> TournamentPlan:
    """Make the plan of a tournament file; looks up every player. BadInput if it cannot be played."""
    rounds, sets = amounts_of(file)
    return TournamentPlan(**pooled(file, TournamentPlan.KIND), format=file.tournament.format, rounds=rounds, sets=sets)


def amounts_of(file: TournamentFile) -> tuple[int, int]:
    """Return the number of rounds, and of the wall sets of a table. BadInput if it cannot be played, as far as that is
    known without the players."""
    asked, seats = file.tournament, file.rules.game.players
    _check_pool(asked.format, written(file.players), seats)
    return _amounts(asked, len(file.players), seats)


def _check_pool(form: TournamentFormat, players: Sequence[str], seats: int) -> None:
    count = len(players)
    if count < seats:
        given = ", ".join(players) or "none"
        raise BadInput(f"players: a tournament needs {seats} or more, a table of them; given are {count}: {given}")
    most = MOST_PLAYERS if form in ("swiss", "knock-out") else MOST
    if count > most:
        hint = "; swiss and knock-out take more" if most == MOST else ""
        raise BadInput(f"players: format {form} takes up to {most}; given are {count}{hint}")


def _amounts(asked: Tournament, players: int, seats: int) -> tuple[int, int]:
    """Return the number of rounds and the wall sets of a table that come nearest to what was asked for."""
    wanted = asked.hanchan
    tables = per_round(asked.format, players, seats) * seats  # hanchan of a round with one set a table
    if asked.format == "knock-out":
        if asked.rounds is not None:
            raise BadInput(f"rounds = {asked.rounds}: a knock-out has as many rounds as it takes; leave rounds away")
        return len(sizes(players, seats)), KNOCK_OUT_SETS if wanted is None else _nearest(wanted, tables)
    if asked.format == "swiss":
        usual = max(3, (players - 1).bit_length())
        rounds = asked.rounds or (usual if wanted is None else min(usual, _nearest(wanted, tables)))
    else:
        rounds = asked.rounds or (1 if wanted is None else _nearest(wanted, tables))
    return rounds, 1 if wanted is None else _nearest(wanted, tables * rounds)


def _nearest(wanted: int, unit: int) -> int:
    """Return the number of units nearest to what is wanted, at least one; of two equally near ones the larger."""
    return max(1, (2 * wanted + unit) // (2 * unit))
