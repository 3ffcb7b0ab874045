"""The bots and the hanchan of a league: reads and writes the rows of its file."""

from collections.abc import Iterator, Sequence

import msgspec
import numpy as np

from jantaku.table.arena.league.file import LeagueFile
from jantaku.table.arena.league.rows import LeagueGame, LeagueSeat, Rated, Rows, Unit
from jantaku.table.arena.league.strength import Lineup, Strengths, array_of, fitted
from jantaku.table.arena.league.terms import LeagueBot, State, code_of
from jantaku.table.arena.match.figures.summary import HanchanSummary
from jantaku.table.arena.match.workers.hanchan import PlayedHanchan
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.settings.layers import did_you_mean
from jantaku.table.play.roster import enlist
from jantaku.table.play.seating.spec import Terms, confined
from jantaku.table.riichi import ruleset

_IS_OPEN = "NOT dropped AND (SELECT count(*) FROM games WHERE games.unit = units.unit) < ?"


class League:
    """A league in an open file."""

    def __init__(self, file: LeagueFile) -> None:
        self.file, self._rows = file, Rows(file)
        self.terms, self.branch = self._rows.head.terms, self._rows.head.branch

    def check(self) -> None:
        """Read every row of every table. BadInput for one that cannot be read."""
        self._rows.check()

    # --- bots

    @property
    def bots(self) -> list[LeagueBot]:
        """Every version of every bot in the order in which they were added; `bots[id]` has that id."""
        return self._rows.bots()

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
        with self.file.writing():
            self.insert_bot(new)
        return new

    def insert_bot(self, bot: LeagueBot) -> None:
        """Insert the row of a bot. Call within a transaction."""
        player = msgspec.json.encode(bot.player).decode()
        self.file.write(
            "INSERT INTO bots VALUES (?, ?, ?, ?, ?, ?, ?, (SELECT count(*) FROM games))",
            *(bot.id, bot.name, bot.version, player, bot.fingerprint, bot.state, bot.anchor),
        )

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
        """Return the planned tables in order; `asked` is an SQL condition with its `values`."""
        return self._rows.units(asked, *values)

    def open_units(self) -> list[Unit]:
        """Return the planned tables that still have hanchan to play, in order."""
        return self.units(f"WHERE {_IS_OPEN} ORDER BY unit", self.terms.seats)

    def plan(self, units: Sequence[Unit]) -> None:
        """Store planned tables. Once this returns, a kill does not change the plan."""
        with self.file.writing():
            self.insert_units(units)

    def insert_units(self, units: Sequence[Unit]) -> None:
        """Insert the rows of planned tables. Call within a transaction."""
        self.file.write_all(
            "INSERT INTO units VALUES (?, ?, ?, ?, ?, ?)",
            [
                (one.unit, one.batch, one.branch, one.walls, msgspec.json.encode(one.lineup).decode(), one.dropped)
                for one in units
            ],
        )

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
        return self._rows.hanchan()

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
        return self._rows.ratings()


def _seats(line: HanchanSummary, seating: Lineup) -> list[tuple[object, ...]]:
    """Make the rows of the seats of a hanchan."""
    rows = []
    for place, bot in enumerate(seating):
        result = (line.ranks[place], line.scores[place], line.points[place]) if line.ended else (None, None, None)
        told = (msgspec.json.encode(one).decode() for one in (line.faults[place], line.counts[place]))
        rows.append((line.game, place, bot, *result, *told))
    return rows
