"""The interface of a game's entry: what commands need to play a game and to read its records. Independent of the game.

Entries are imported with the command line, because its help lists the games. So an entry imports nothing of its game at
module level; each method imports what it needs.

The entry of riichi mahjong and the list of the known games stand at the end.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, TypeVar

import msgspec

from jantaku.table.ground.errors import BadInput, OtherGame
from jantaku.table.ground.installation import part

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from jantaku.table.ground.presets import Presets
    from jantaku.table.judge.timing import Clock
    from jantaku.table.play.outcome import Outcome
    from jantaku.table.play.riichi import Beginning, Keeping
    from jantaku.table.play.runner import Looker, Opener, Plan
    from jantaku.table.play.seating.spec import Terms
    from jantaku.table.records.convert.readers import Read, Readable
    from jantaku.table.records.journal.killed import SeedsOf
    from jantaku.table.records.journal.verified import Verified
    from jantaku.table.records.view.moment import Moment
    from jantaku.table.records.view.page import Viewed
    from jantaku.table.riichi.rules import Rules


T = TypeVar("T", bound=msgspec.Struct)


class Ruled(Protocol):
    """The command line's options about rules."""

    def over(self, files: "Presets[T]", rules: T) -> T:
        """Return `rules`, or others if they are named, with the keys that are set."""

    def named(self, files: "Presets[T]") -> T | None:
        """Return the named rules with the keys that are set; None if none are named."""

    def foreign(self, files: "Presets[T]") -> T | None:
        """Like `named`, for a record that does not contain its rules: keys without named rules would change nothing, so
        they raise BadInput."""


class Reading(NamedTuple):
    """How to read a record: its rules, its format (None: detect it), and the seeds that open it."""

    ruled: Ruled
    form: "Readable | None"
    seeds: "SeedsOf"


class Wishes(NamedTuple):
    """What a person at the table wishes: at most `games` of them, `pace` seconds after each turn, `limit` seconds for
    each answer, and that a browser `opens`."""

    games: int | None = None
    pace: float | None = None
    limit: float | None = None
    opens: bool = True


class Stats(NamedTuple):
    """The figures of games, read from their records: `data`; `tables(width)` for a terminal, explained by `legend`; the
    `verdict` in sentences; and what was played (`said`). `report(path)` writes the HTML report, and returns why there
    is none, else an empty text."""

    data: Any
    tables: "Callable[[int], Sequence[Table]]"
    legend: str
    verdict: str
    said: str
    report: Callable[[Path], str]
    left_out: Sequence[str] = ()
    """Files in folders that could not be read, each with the reason."""


class GameEntry(ABC):
    """What a game offers to the commands."""

    name: ClassVar[str]
    """The name in options, records and players (`game` of a player class)."""
    title: ClassVar[str]
    """The name in sentences."""
    seated: ClassVar[str]
    """The number of players, in words, for the help."""
    options: ClassVar[frozenset[str]] = frozenset()
    """Options of `jantaku play` that this game has and others may not have."""
    readers: ClassVar[tuple[str, ...]] = ("verify",)
    """The commands that read its records."""
    home: ClassVar[str] = ""
    """Its wing of `table`, if it has one."""
    has_exam: ClassVar[bool] = False
    """Whether `jantaku exam` examines its bots."""
    commands: ClassVar[Mapping[str, str]] = {}
    """Additional commands, which its wing has: for each name one line of help."""

    @property
    @abstractmethod
    def rules(self) -> "Presets[Any]":
        """The presets and rule files."""

    @abstractmethod
    def players(self, rules: Any) -> Sequence[str]:
        """The default players."""

    @abstractmethod
    def limit(self, rules: Any) -> float:
        """The default seconds for an answer."""

    @abstractmethod
    def fitted(self, rules: Any, players: "Sequence[str | Terms]", where: str) -> Any:
        """Adapt the rules to these players. Raises BadInput if they cannot play, or if their number is wrong; `where`
        names the place in which they are given."""

    @abstractmethod
    def opener(
        self, rules: Any, names: Sequence[str], seed: str, keeping: "Keeping", begin: "Beginning | None"
    ) -> "Opener":
        """Return the opener of games between entrants of these names."""

    def at_position(self, line: str) -> "tuple[Beginning, Any]":
        """Return where games begin at a position line, and the rules that it names. BadInput if it is none."""
        raise BadInput(f"--position: {self.title} has no position lines")

    def inside(
        self, path: Path, ruled: Ruled, kyoku: int, turn: int, configured: Any = None
    ) -> "tuple[Beginning, Any]":
        """Return where games begin inside a record, and the rules: its own, or if it names none, those `configured`."""
        raise OtherGame(self.name, str(path))

    def looker(self, console: "Console", clocks: "Mapping[str, Clock]") -> "Callable[[], Looker] | None":
        """Return a factory of views that show a running game in a terminal; None if the game has none. `clocks` are by
        player."""
        return None

    def beside_person(self, rules: Any, chosen: "Sequence[str | Terms] | None") -> "Sequence[str | Terms]":
        """Return the bots beside a person, the `chosen` ones if there are any. BadInput if they cannot play."""
        return self.players(rules)[1:] if chosen is None else chosen

    def with_person(
        self, name: str, plan: "Plan", rules: Any, keeping: "Keeping", wishes: Wishes
    ) -> "Iterator[Outcome]":
        """Play games of a person against the bots of `plan`, which take every other seat. The page's address is
        printed. Games begin when it is opened, and end when it is closed after a game."""
        raise BadInput(f"--human: {self.title} has no seat for a person")

    @abstractmethod
    def compared(self, path: Path, ruled: Ruled, seeds: "SeedsOf") -> "Verified":
        """Drive the engine by a record of this game. Raises BadInput if the record is invalid."""

    def viewed(self, path: Path, reading: Reading) -> "Viewed":
        """Read a record for the viewer's page, which takes the parts for this game from the folder `name`. Raises
        BadInput if the record is invalid."""
        raise OtherGame(self.name, str(path))

    def moment(self, path: Path, reading: Reading, number: int, turn: int | None) -> "Moment":
        """The table after a turn of a round of a record, both counted from 1; turn 0 is the deal, None the end of the
        round. Raises BadInput if there is no such turn, or if the record is invalid."""
        raise OtherGame(self.name, str(path))

    def lines(self, path: Path, reading: Reading, number: int, turn: int | None) -> Iterator[str]:
        """The questions of a turn of a round of a record as position lines, both counted from 1; None for all turns.
        Raises BadInput if the game has no lines, if there is no such round, or if the record is invalid."""
        raise BadInput(f"{path} is a record of {self.title}, which has no position lines; riichi has them")

    def stats(self, named: Mapping[Path, Sequence[Path]], *, luck: bool = False, pt: str = "") -> Stats:
        """The figures of games, with `luck` also adjusted for luck, with `pt` also in rank points by that list. `named`
        maps each given file or folder to its records. Raises BadInput if no game has ended."""
        raise OtherGame(self.name, str(next(iter(named))))


BESIDE_A_PERSON = "shanten"
"""The bot that takes the other seats of a person's table."""


class _Riichi(GameEntry):
    name = title = "riichi"
    seated = "three or four"
    options = frozenset({"config", "from", "position", "length", "title", "date", "watch", "watch-port"})
    has_exam = True
    readers = ("play", "stats", "verify", "view", "review", "show", "convert")

    @property
    def rules(self) -> "Presets[Rules]":
        from jantaku.table.riichi import ruleset

        return ruleset.FILES

    def players(self, rules: Any) -> Sequence[str]:
        from jantaku.table.play.config import players_for

        return players_for(rules)

    def limit(self, rules: Any) -> float:
        from jantaku.table.judge.timing import LIMIT

        return LIMIT

    def fitted(self, rules: "Rules", players: "Sequence[str | Terms]", where: str) -> "Rules":
        from jantaku.table.play.seating.roster import refuse_programs

        seats, count = rules.game.players, len(players)
        if count != seats:
            others = "; for three players give --rules tenhou-3p" if count == 3 else ""
            raise BadInput(f"{where}: {count} given; a riichi table seats {seats} by these rules{others}")
        refuse_programs(players, seats, where)
        return rules

    def opener(
        self, rules: Any, names: Sequence[str], seed: str, keeping: "Keeping", begin: "Beginning | None"
    ) -> "Opener":
        from jantaku.table.play.riichi import RiichiTable

        return RiichiTable(rules, names, seed, keeping, begin)

    def at_position(self, line: str) -> "tuple[Beginning, Rules]":
        from jantaku.table.play.beginnings import PositionPlace
        from jantaku.table.riichi.line import read_line

        position = read_line(line)
        return PositionPlace(position), position.rules

    def inside(
        self, path: Path, ruled: Ruled, kyoku: int, turn: int, configured: "Rules | None" = None
    ) -> "tuple[Beginning, Rules]":
        from jantaku.table.play.beginnings import RecordPlace
        from jantaku.table.records.convert.readers import driving
        from jantaku.table.records.replay.fitting import rules_of

        record = driving(path, ruled.named(self.rules), otherwise=configured)
        return RecordPlace(record, kyoku, turn), record.rules or configured or rules_of(record)

    def looker(self, console: "Console", clocks: "Mapping[str, Clock]") -> "Callable[[], Looker]":
        from jantaku.table.records.view.terminal import LiveTable

        return lambda: LiveTable(console, clocks)

    def compared(self, path: Path, ruled: Ruled, seeds: "SeedsOf") -> "Verified":
        from jantaku.table.records.convert.readers import driving
        from jantaku.table.records.replay.fitting import rules_of, unfit
        from jantaku.table.records.replay.verify import verify

        record = driving(path, ruled.named(self.rules), seeds)
        rules = ruled.over(self.rules, rules_of(record))
        done = verify(record, rules)
        return done if done.difference is None else msgspec.structs.replace(done, why=unfit(record, rules))

    def viewed(self, path: Path, reading: Reading) -> "Viewed":
        from jantaku.table.records.journal.lines import content_of
        from jantaku.table.records.replay.reviewed import is_review
        from jantaku.table.records.view import riichi

        if is_review(content := content_of(path)):
            return self._reviewed(path, content, reading)
        read = self._read(path, reading)
        return riichi.viewed(read.record, read.notes)

    def _reviewed(self, path: Path, content: bytes, reading: Reading) -> "Viewed":
        from jantaku.table.records.convert.readers import read_any
        from jantaku.table.records.replay.reviewed import read_review, record_of
        from jantaku.table.records.view import riichi

        review = read_review(path, content)
        read = read_any(record_of(path, review.head), review.head.rules, seeds=reading.seeds)
        return riichi.viewed(read.record, read.notes, review)

    def moment(self, path: Path, reading: Reading, number: int, turn: int | None) -> "Moment":
        from jantaku.table.records.view.moment import moment_of

        return moment_of(self._read(path, reading).record, number, turn)

    def lines(self, path: Path, reading: Reading, number: int, turn: int | None) -> Iterator[str]:
        from jantaku.table.records.view.moment import lines_of

        return lines_of(self._read(path, reading).record, number, turn)

    def stats(self, named: Mapping[Path, Sequence[Path]], *, luck: bool = False, pt: str = "") -> Stats:
        stats: Stats = part("arena", "match.report.results").stats_of(named, luck=luck, pt=pt)
        return stats

    def beside_person(self, rules: "Rules", chosen: "Sequence[str | Terms] | None") -> "Sequence[str | Terms]":
        from jantaku.table.play.seating.roster import refuse_programs

        players = (BESIDE_A_PERSON,) * (rules.game.players - 1) if chosen is None else chosen
        refuse_programs(players, rules.game.players, "--players")
        return players

    def with_person(
        self, name: str, plan: "Plan", rules: Any, keeping: "Keeping", wishes: Wishes
    ) -> "Iterator[Outcome]":
        outcomes: Iterator[Outcome] = part("serve", "person").outcomes_with(name, plan, rules, keeping, wishes)
        return outcomes

    def _read(self, path: Path, reading: Reading) -> "Read":
        from jantaku.table.records.convert.readers import read_any

        return read_any(path, reading.ruled.foreign(self.rules), reading.form, reading.seeds)


ENTRY = _Riichi()


DEFAULT = "riichi"
"""The game of foreign records, and the default of commands."""
ENTRIES = ("jantaku.table.play.entry", "jantaku.table.daifugo.entry")
"""The modules that each have an `ENTRY`: one line makes a game known, if its package is installed."""


def _entries() -> Iterator[GameEntry]:
    for place in ENTRIES:
        package = place.rpartition(".")[0]
        if find_spec(package) is not None:
            yield import_module(place).ENTRY


GAMES: Mapping[str, GameEntry] = {entry.name: entry for entry in _entries()}


def game_of_record(path: Path) -> GameEntry:
    """The entry of a record's game. Raises BadInput if the file cannot be read, OtherGame if the game is unknown."""
    from jantaku.table.records.journal.lines import content_of, game_in

    name = game_in(content_of(path)) or DEFAULT
    if name not in GAMES:
        raise OtherGame(name, str(path))
    return GAMES[name]


def refusal(record: OtherGame) -> BadInput:
    """The error for a record that a command does not read: it names the record's game, and the commands that read
    it."""
    where = f"{' '.join(record.place)} is a record of"
    if (game := GAMES.get(record.game)) is None:
        known = " and ".join(entry.title for entry in GAMES.values())
        return BadInput(f"{where} {record.game!r}, a game that is not known here; known are {known}")
    return BadInput(f"{where} {game.title}, read only by jantaku {', '.join(game.readers)}")
