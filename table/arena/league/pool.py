"""The bots and the hanchan of a league: reads and writes the rows of its file.

Rows are checked here and turned into values; no other module reads them.

SQLite accepts any value in any column, and a file may come from strangers or have been changed by a query. A value of
the wrong type, or a row that contradicts another table, is BadInput that names table and row.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby, zip_longest
from typing import Annotated, Any, Final, Literal, NamedTuple, NoReturn, TypeVar

import msgspec
import numpy as np
from msgspec import Meta

from jantaku.table.arena.league.file import LeagueBot, LeagueFile, LeagueTerms, State, code_of
from jantaku.table.arena.league.strength import Lineup, Strengths, array_of, fitted
from jantaku.table.arena.match.figures.summary import Counts, HanchanSummary, is_bad
from jantaku.table.arena.match.hanchan import PlayedHanchan
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.settings import did_you_mean
from jantaku.table.play.roster import enlist
from jantaku.table.play.spec import Terms, confined
from jantaku.table.riichi import ruleset

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


_IS_OPEN = "NOT dropped AND (SELECT count(*) FROM games WHERE games.unit = units.unit) < ?"


class League:
    """A league in an open file. Making one reads its head."""

    def __init__(self, file: LeagueFile) -> None:
        self.file = file
        found = list(self._read(LeagueHead))
        if len(found) != 1:
            self._refuse(LeagueHead, (), f"has {len(found)} rows; one is wanted")
        self.terms, self.branch = found[0].terms, found[0].branch

    def check(self) -> None:
        """Read every row of every table. BadInput for one that cannot be read."""
        for _ in self.hanchan():
            pass
        self.history()

    # --- bots

    @property
    def bots(self) -> list[LeagueBot]:
        """Every version of every bot in the order in which they were added; `bots[id]` has that id."""
        bots = list(self._read(LeagueBot, "ORDER BY id"))
        for number, bot in enumerate(bots):
            if bot.id != number:
                self._refuse(LeagueBot, (bot.id,), f"ids go up by one from 0, and there is no bot {number}")
        return bots

    def seated(self, bot: LeagueBot) -> Terms:
        """Return the terms on which a bot sits at tables: under the name of its version, in the sandbox if the league
        has one."""
        (terms,) = confined([bot.seated]) if self.terms.sandbox else [bot.seated]
        return terms

    def named(self, word: str) -> LeagueBot:
        """Find a version by name and number, or the newest version by its bare name. BadInput if there is none."""
        bots = self.bots
        found = [bot for bot in bots if word in (bot.name, bot.label)]
        if not found:
            known = [bot.label for bot in bots]
            hint = did_you_mean(word, [*known, *(bot.name for bot in bots)])
            raise BadInput(
                f"{self.file.path}: there is no bot {word}; {hint}there are {', '.join(known) or 'none yet'}"
            )
        return found[-1]

    def add(self, player: Terms, fingerprint: str, anchor: float | None = None) -> LeagueBot:
        """Add a bot, or a new version of one. The first version of a name is active, each further one a candidate.
        BadInput if another version of that name has the same code."""
        bots = self.bots
        name, code = player.label, code_of(player, fingerprint)
        versions = [bot for bot in bots if bot.name == name]
        if same := next((bot for bot in versions if bot.code == code and fingerprint), None):
            raise BadInput(
                f"player {player.bot}: its code is that of {same.label} ({same.state}), which is in the league; "
                "change it, or give it another name: ?name=NAME"
            )
        state: State = "candidate" if versions else "active"
        new = LeagueBot(len(bots), name, len(versions) + 1, player, fingerprint, state, anchor)
        enlist([self.seated(new)])
        told = msgspec.json.encode(player).decode()
        with self.file.writing():
            self.file.write(
                "INSERT INTO bots VALUES (?, ?, ?, ?, ?, ?, ?, (SELECT count(*) FROM games))",
                *(new.id, name, new.version, told, fingerprint, state, anchor),
            )
        return new

    def promote(self, word: str) -> tuple[LeagueBot, list[LeagueBot]]:
        """Make a candidate the active version of its name. Return it, and the versions that this retires. BadInput if
        it is no candidate."""
        bot = self.named(word)
        if bot.state != "candidate":
            raise BadInput(f"{bot.label} is {bot.state}; only a candidate can be promoted{self._candidates()}")
        retired = [one for one in self.bots if one.name == bot.name and one.state == "active"]
        self._set_states([(bot, "active"), *((one, "retired") for one in retired)])
        return bot, retired

    def reject(self, word: str) -> LeagueBot:
        """Stop seating a bot: a candidate is rejected, an active bot retired. BadInput if it does not play."""
        bot = self.named(word)
        if not bot.plays:
            raise BadInput(f"{bot.label} is {bot.state} already")
        self._set_states([(bot, "rejected" if bot.state == "candidate" else "retired")])
        return self.named(bot.label)

    def _set_states(self, states: Sequence[tuple[LeagueBot, State]]) -> None:
        with self.file.writing():
            for bot, state in states:
                self.file.write("UPDATE bots SET state = ? WHERE id = ?", state, bot.id)

    def _candidates(self) -> str:
        found = [bot.label for bot in self.bots if bot.state == "candidate"]
        return f"; candidates are {', '.join(found)}" if found else "; there is none: jantaku league add"

    # --- tables

    def units(self, asked: str = "", *values: object) -> list[Unit]:
        """Return the planned tables; `asked` is an SQL condition with its `values`."""
        seats, bots = self.terms.seats, self._count(LeagueBot)
        last = self._count(Unit)
        units = list(self._read(Unit, asked, *values))
        for unit in units:
            if len(set(unit.lineup)) != len(unit.lineup) or len(unit.lineup) != seats:
                self._refuse(Unit, (unit.unit,), f"the lineup is not of {seats} different bots")
            self._refuse_strangers(Unit, (unit.unit,), unit.lineup, bots)
            if unit.batch >= last:
                self._refuse(Unit, (unit.unit,), f"batch {unit.batch} of {last} tables; they go up by one from 0")
        return units

    def open_units(self) -> list[Unit]:
        """Return the planned tables that still have hanchan to play, in order."""
        return self.units(f"WHERE {_IS_OPEN} ORDER BY unit", self.terms.seats)

    def plan(self, units: Sequence[Unit]) -> None:
        """Store planned tables. Once this returns, a kill does not change the plan."""
        rows = [
            (one.unit, one.batch, one.branch, one.walls, msgspec.json.encode(one.lineup).decode(), one.dropped)
            for one in units
        ]
        with self.file.writing():
            self.file.write_all("INSERT INTO units VALUES (?, ?, ?, ?, ?, ?)", rows)

    def drop(self, units: Sequence[Unit]) -> None:
        """Give up the hanchan of these tables that are not played yet."""
        with self.file.writing():
            self.file.write_all("UPDATE units SET dropped = 1 WHERE unit = ?", [(one.unit,) for one in units])

    # --- hanchan

    @property
    def played(self) -> int:
        """Number of finished hanchan."""
        return int(self.file.all("SELECT count(*) FROM games")[0][0])

    def kept(self) -> set[int]:
        """Return the numbers of the finished hanchan."""
        return {game for (game,) in self.file.all("SELECT game FROM games")}

    def keep(self, played: PlayedHanchan, unit: Unit, record: str) -> None:
        """Store the result of a hanchan. Its record is on disk already, under the name `record` in the folder of
        records."""
        line, seating = played.line, unit.seating(played.job.game % self.terms.seats)
        with self.file.writing():
            self.file.write(
                "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?)",
                *(played.job.game, unit.unit, line.ended, line.reason, line.print, record),
            )
            self.file.write_all("INSERT INTO seats VALUES (?, ?, ?, ?, ?, ?, ?, ?)", _seats(line, seating))

    def record_of(self, game: int) -> str:
        """Return the name of a hanchan's journal in the folder of records; empty if it has none."""
        return str(self.file.all("SELECT record FROM games WHERE game = ?", game)[0][0])

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

    def _seats(self, game: LeagueGame, seats: list[LeagueSeat], bots: int) -> list[LeagueSeat]:
        number = self.terms.seats
        if [seat.place for seat in seats] != list(range(number)):
            self._refuse(LeagueGame, (game.game,), f"its places in the table seats are not 0 to {number - 1}")
        for seat in seats:
            self._refuse_strangers(LeagueSeat, (seat.game, seat.place), (seat.bot,), bots)
            if game.ended and (seat.score is None or seat.points is None):
                self._refuse(LeagueSeat, (seat.game, seat.place), "score and points are missing")
        if game.ended and {seat.rank for seat in seats} != set(range(1, number + 1)):
            self._refuse(LeagueGame, (game.game,), f"its ranks in the table seats are not 1 to {number}")
        return seats

    def lines(self) -> Iterator[HanchanSummary]:
        """Yield a summary of every finished hanchan, in the order of their numbers."""
        names = [bot.label for bot in self.bots]
        digest = ruleset.digest(self.terms.rules)
        for game, unit, seats in self.hanchan():
            came = [(seat.rank or 0, seat.score or 0, seat.points or 0.0) for seat in seats if game.ended]
            yield HanchanSummary(
                game=game.game,
                set=unit.walls,
                seed=unit.branch,
                rules=digest,
                players=tuple(names[seat.bot] for seat in seats),
                ended=bool(game.ended),
                reason=game.reason,
                scores=tuple(score for _, score, _ in came),
                ranks=tuple(rank for rank, _, _ in came),
                points=tuple(points for _, _, points in came),
                faults=tuple(seat.faults for seat in seats),
                counts=tuple(seat.counts for seat in seats),
                print=game.print,
            )

    # --- ratings

    def strengths(self, up_to: int | None = None) -> Strengths:
        """Fit the strengths of all bots to the hanchan of all batches, or of those up to `up_to`."""
        rows = self.file.all(
            "SELECT bot, unit, walls, branch FROM seats JOIN games USING (game) JOIN units USING (unit) "
            "WHERE ended AND batch <= ? ORDER BY game, rank",
            1 << 60 if up_to is None else up_to,
        )
        seats = self.terms.seats
        orders = array_of([[row[0] for row in rows[at : at + seats]] for at in range(0, len(rows), seats)], seats)
        numbers: dict[tuple[int, str], int] = {}
        sets = [numbers.setdefault((walls, branch), len(numbers)) for _, _, walls, branch in rows[::seats]]
        bots = self.bots
        anchors = {bot.id: bot.anchor for bot in bots if bot.anchor is not None}
        return fitted(orders, np.array(sets, dtype=np.int64), len(bots), anchors)

    def rate_what_is_over(self) -> int:
        """Store the ratings after each finished batch that has none yet. Return the last finished batch; -1 if there is
        none."""
        under_way = self.file.all(f"SELECT min(batch) FROM units WHERE {_IS_OPEN}", self.terms.seats)[0][0]
        last = self.file.all("SELECT coalesce(max(batch), -1) FROM units")[0][0]
        over = int(last if under_way is None else under_way - 1)
        rated = int(self.file.all("SELECT coalesce(max(batch), -1) FROM ratings")[0][0])
        for batch in range(rated + 1, over + 1):
            self._rate(batch)
        return over

    def _rate(self, batch: int) -> None:
        known = self.strengths(batch)
        played = dict(
            self.file.all(
                "SELECT bot, count(*) FROM seats JOIN games USING (game) JOIN units USING (unit) "
                "WHERE ended AND batch <= ? GROUP BY bot",
                batch,
            )
        )
        rows = []
        for bot, games in sorted(played.items()):
            told = known.rating(bot)
            rows.append((batch, bot, games, round(told.mean, 3), None if told.half is None else round(told.half, 3)))
        with self.file.writing():
            self.file.write_all("INSERT OR REPLACE INTO ratings VALUES (?, ?, ?, ?, ?)", rows)

    def history(self) -> list[Rated]:
        """Return all stored ratings, batch by batch."""
        ratings = list(self._read(Rated, "ORDER BY batch, bot"))
        bots, batches = self._count(LeagueBot), self._count(Unit)
        for one in ratings:
            self._refuse_strangers(Rated, (one.batch, one.bot), (one.bot,), bots)
            if one.batch >= batches:
                self._refuse(Rated, (one.batch, one.bot), "there is no such batch")
        return ratings

    # --- rows

    def _refuse_strangers(self, kind: Any, key: tuple[object, ...], named: tuple[int, ...], bots: int) -> None:
        for bot in named:
            if not 0 <= bot < bots:
                self._refuse(kind, key, f"there is no bot {bot}; the table bots has {bots}")

    def _count(self, kind: type[msgspec.Struct]) -> int:
        return int(self.file.all(f"SELECT count(*) FROM {_TABLES[kind].name}")[0][0])

    def _read(self, kind: type[T], asked: str = "", *values: object) -> Iterator[T]:
        """Yield the rows of a kind's table, whose columns have the names of its fields."""
        table, fields = _TABLES[kind], kind.__struct_fields__
        for row in self.file.all(f"SELECT {', '.join(fields)} FROM {table.name} {asked}", *values):
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
        raise BadInput(why, f"{self.file.path}: {', '.join([f'table {table.name}', *row])}") from None


def _seats(line: HanchanSummary, seating: Lineup) -> list[tuple[object, ...]]:
    """Make the rows of the seats of a hanchan."""
    rows = []
    for place, bot in enumerate(seating):
        result = (line.ranks[place], line.scores[place], line.points[place]) if line.ended else (None, None, None)
        told = (msgspec.json.encode(one).decode() for one in (line.faults[place], line.counts[place]))
        rows.append((line.game, place, bot, *result, *told))
    return rows
