"""Checks the rows of a league's file and turns them into values. No other module reads rows.

SQLite accepts any value in any column, and a file may come from strangers or have been changed by a query. A value of
the wrong type, or a row that contradicts another table, is BadInput that names table and row.
"""

from collections.abc import Iterator
from itertools import groupby, zip_longest
from typing import Annotated, Any, Final, Literal, NamedTuple, NoReturn, TypeVar

import msgspec
from msgspec import Meta

from jantaku.table.arena.league.file import LeagueFile
from jantaku.table.arena.league.strength import Lineup
from jantaku.table.arena.league.terms import LeagueBot, LeagueTerms
from jantaku.table.arena.match.figures.summary import Counts, is_bad
from jantaku.table.ground.errors import BadInput

Number = Annotated[int, Meta(ge=0, le=1 << 48)]
"""Bounded, so that numbers computed from it fit into SQLite's integers."""
Real = Annotated[float, Meta(ge=-1e9, le=1e9)]
"""Finite, and so are sums of such values."""
YesNo = Literal[0, 1]


class LeagueHead(msgspec.Struct, frozen=True):
    """The row of the whole league. `branch`: part of the wall seeds, so that copies of the file made by older versions
    deal other walls."""

    terms: LeagueTerms
    branch: str


class Unit(msgspec.Struct, frozen=True):
    """A planned table: bots that play the wall set number `walls` of a branch, each once on every seat. `lineup` is in
    the order of seats of the first hanchan. `dropped`: its missing hanchan are not played any more."""

    unit: Number
    batch: Number
    branch: str
    walls: Number
    lineup: Lineup
    dropped: YesNo = 0

    def seating(self, rotation: int) -> Lineup:
        """Return the bots by place in its hanchan number `rotation`."""
        return (*self.lineup[rotation:], *self.lineup[:rotation])

    @property
    def games(self) -> range:
        """The numbers of its hanchan."""
        return range(self.unit * len(self.lineup), (self.unit + 1) * len(self.lineup))


class LeagueGame(msgspec.Struct, frozen=True):
    """A finished hanchan. `record` is the name of its journal in the folder of records; empty if it has none."""

    game: Number
    unit: Number
    ended: YesNo
    reason: str
    print: str
    record: str


class LeagueSeat(msgspec.Struct, frozen=True):
    """A bot at a place of a hanchan, with its result; None in each field if the hanchan has no result."""

    game: Number
    place: Number
    bot: Number
    rank: int | None
    score: Annotated[int, Meta(ge=-(10**9), le=10**9)] | None
    points: Real | None
    faults: dict[str, Number]
    counts: Counts

    def __post_init__(self) -> None:
        try:
            for word in self.faults:
                is_bad(word)
        except ValueError:
            raise ValueError("a word of its faults is no verdict") from None


class Rated(msgspec.Struct, frozen=True):
    """A bot's rating after a batch, and the number of hanchan that it had played by then."""

    batch: Number
    bot: Number
    games: Number
    rating: Real
    half: Real | None


class _Table(NamedTuple):
    """A table of the file: its name, its key columns, and its columns that hold JSON."""

    name: str
    key: tuple[str, ...]
    json: tuple[str, ...] = ()


_TABLES: Final[dict[type[msgspec.Struct], _Table]] = {
    LeagueHead: _Table("league", (), ("terms",)),
    LeagueBot: _Table("bots", ("id",), ("player",)),
    Unit: _Table("units", ("unit",), ("lineup",)),
    LeagueGame: _Table("games", ("game",)),
    LeagueSeat: _Table("seats", ("game", "place"), ("faults", "counts")),
    Rated: _Table("ratings", ("batch", "bot")),
}
T = TypeVar("T", bound=msgspec.Struct)


class Rows:
    """Reads the rows of an open file. Making one reads `head`."""

    def __init__(self, file: LeagueFile) -> None:
        self._file = file
        found = list(self._read(LeagueHead))
        if len(found) != 1:
            self._refuse(LeagueHead, (), f"has {len(found)} rows; one is wanted")
        self.head = found[0]

    def check(self) -> None:
        """Read every row once."""
        for _ in self.hanchan():
            pass
        self.ratings()

    def bots(self) -> list[LeagueBot]:
        """Return every version of every bot in the order of their ids, which are 0, 1, …"""
        bots = list(self._read(LeagueBot, "ORDER BY id"))
        for number, bot in enumerate(bots):
            if bot.id != number:
                self._refuse(LeagueBot, (bot.id,), f"ids go up by one from 0, and there is no bot {number}")
        return bots

    def units(self, asked: str = "", *values: object) -> list[Unit]:
        """Return the planned tables; `asked` is an SQL condition with its `values`."""
        seats, bots = self.head.terms.seats, self._count(LeagueBot)
        last = self._count(Unit)
        units = list(self._read(Unit, asked, *values))
        for unit in units:
            if len(set(unit.lineup)) != len(unit.lineup) or len(unit.lineup) != seats:
                self._refuse(Unit, (unit.unit,), f"the lineup is not of {seats} different bots")
            self._refuse_strangers(Unit, (unit.unit,), unit.lineup, bots)
            if unit.batch >= last:
                self._refuse(Unit, (unit.unit,), f"batch {unit.batch} of {last} tables; they go up by one from 0")
        return units

    def hanchan(self) -> Iterator[tuple[LeagueGame, Unit, list[LeagueSeat]]]:
        """Yield every finished hanchan with its table and its seats, in the order of their numbers."""
        units = {unit.unit: unit for unit in self.units()}
        bots = self._count(LeagueBot)
        seats = groupby(
            self._read(LeagueSeat, "WHERE game IN (SELECT game FROM games) ORDER BY game, place"), lambda one: one.game
        )
        for game, (number, found) in zip_longest(self._read(LeagueGame, "ORDER BY game"), seats, fillvalue=(None, ())):
            assert isinstance(game, LeagueGame)  # seats are read only for rows of games
            if game.unit not in units or game.game not in units[game.unit].games:
                self._refuse(LeagueGame, (game.game,), f"is not a hanchan of table {game.unit}")
            if number != game.game:
                self._refuse(LeagueGame, (game.game,), "none of its seats is in the table seats")
            yield game, units[game.unit], self._seats(game, list(found), bots)

    def ratings(self) -> list[Rated]:
        """Return all ratings, batch by batch."""
        ratings = list(self._read(Rated, "ORDER BY batch, bot"))
        bots, batches = self._count(LeagueBot), self._count(Unit)
        for one in ratings:
            self._refuse_strangers(Rated, (one.batch, one.bot), (one.bot,), bots)
            if one.batch >= batches:
                self._refuse(Rated, (one.batch, one.bot), "there is no such batch")
        return ratings

    def _seats(self, game: LeagueGame, seats: list[LeagueSeat], bots: int) -> list[LeagueSeat]:
        number = self.head.terms.seats
        if [seat.place for seat in seats] != list(range(number)):
            self._refuse(LeagueGame, (game.game,), f"its places in the table seats are not 0 to {number - 1}")
        for seat in seats:
            self._refuse_strangers(LeagueSeat, (seat.game, seat.place), (seat.bot,), bots)
            if game.ended and (seat.score is None or seat.points is None):
                self._refuse(LeagueSeat, (seat.game, seat.place), "score and points are missing")
        if game.ended and {seat.rank for seat in seats} != set(range(1, number + 1)):
            self._refuse(LeagueGame, (game.game,), f"its ranks in the table seats are not 1 to {number}")
        return seats

    def _refuse_strangers(self, kind: Any, key: tuple[object, ...], named: tuple[int, ...], bots: int) -> None:
        for bot in named:
            if not 0 <= bot < bots:
                self._refuse(kind, key, f"there is no bot {bot}; the table bots has {bots}")

    def _count(self, kind: type[msgspec.Struct]) -> int:
        return int(self._file.all(f"SELECT count(*) FROM {_TABLES[kind].name}")[0][0])

    def _read(self, kind: type[T], asked: str = "", *values: object) -> Iterator[T]:
        """Yield the rows of a kind's table, whose columns have the names of its fields."""
        table, fields = _TABLES[kind], kind.__struct_fields__
        for row in self._file.all(f"SELECT {', '.join(fields)} FROM {table.name} {asked}", *values):
            told = dict(zip(fields, row, strict=True))
            key = [told[name] for name in table.key]
            column = ""
            try:
                for column in table.json:
                    told[column] = msgspec.json.decode(str(told[column]))
                column = ""
                yield msgspec.convert(told, kind)
            except (msgspec.DecodeError, RecursionError, BadInput) as error:  # BadInput: the clock's own checks
                self._refuse(kind, key, f"{column and f'{column}: '}{error}")

    def _refuse(self, kind: type[msgspec.Struct], key: Any, why: str) -> NoReturn:
        table = _TABLES[kind]
        row = [f"{name} {value!s:.20}" for name, value in zip(table.key, key, strict=True)]
        raise BadInput(why, f"{self._file.path}: {', '.join([f'table {table.name}', *row])}") from None
