"""Interface of a game's entry: what commands ask of a game that is played or recorded. Independent of the game.

Entries are imported with the command line, because the names of games are in its help. So an entry imports nothing of
its game at module level; each method imports what it needs.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, TypeVar

import msgspec

from jantaku.table.errors import OtherGame

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from jantaku.table.convert.reading import Format
    from jantaku.table.judge.timing import Clock
    from jantaku.table.play.riichi import Beginning, Keeping
    from jantaku.table.play.runner import Opener
    from jantaku.table.play.watched import Looker
    from jantaku.table.record.unsealed import SeedsOf
    from jantaku.table.record.verified import Verified
    from jantaku.table.seating.spec import Terms
    from jantaku.table.settings.presets import Presets
    from jantaku.table.view.moment import Moment
    from jantaku.table.view.page import Viewed

T = TypeVar("T", bound=msgspec.Struct)


class Ruled(Protocol):
    """Options about rules as a command line gives them."""

    def over(self, files: "Presets[T]", rules: T) -> T:
        """These rules, unless others are named, with the keys that were set."""

    def named(self, files: "Presets[T]") -> T | None:
        """The rules that are named, with the keys that were set; None if none are."""

    def foreign(self, files: "Presets[T]") -> T | None:
        """As `named`, for a record that does not tell its rules: keys alone change nothing, which is BadInput."""


class Reading(NamedTuple):
    """How a record is to be read: its rules, its format where it is named, and what opens it."""

    ruled: Ruled
    form: "Format | None"
    seeds: "SeedsOf"


class Stats(NamedTuple):
    """The figures of games from their records: as data, as tables for so many columns of a terminal with a `legend`,
    and in sentences: the `verdict`, and what was played. `report` writes the HTML report and returns why there is none,
    else nothing."""

    data: Any
    tables: "Callable[[int], Sequence[Table]]"
    legend: str
    verdict: str
    said: str
    report: Callable[[Path], str]
    left_out: Sequence[str] = ()
    """Files found in folders that could not be read, and why."""


class GameEntry(ABC):
    """What a game brings."""

    name: ClassVar[str]
    """Name in options, records and players (`game` of a player class)."""
    title: ClassVar[str]
    """Name in sentences."""
    seated: ClassVar[str]
    """Number of players, for the help."""
    options: ClassVar[frozenset[str]] = frozenset()
    """Options of `jantaku play` that this game has and others may not have."""
    readers: ClassVar[tuple[str, ...]] = ("verify",)
    """The commands that read its records."""
    commands: ClassVar[Mapping[str, tuple[str, str]]] = {}
    """Commands of its own by name: the module, and what each does in a line."""

    @property
    @abstractmethod
    def rules(self) -> "Presets[Any]":
        """Its presets and rule files."""

    @abstractmethod
    def players(self, rules: Any) -> Sequence[str]:
        """The default players."""

    @abstractmethod
    def limit(self, rules: Any) -> float:
        """Default seconds for an answer."""

    @abstractmethod
    def fitted(self, rules: Any, players: "Sequence[str | Terms]", where: str) -> Any:
        """The rules for these players. BadInput where they, or so many, cannot play; `where` they were named."""

    @abstractmethod
    def opener(
        self, rules: Any, names: Sequence[str], seed: str, keeping: "Keeping", begin: "Beginning | None"
    ) -> "Opener":
        """Opens its games between entrants of these names."""

    def looker(self, console: "Console", clocks: "Mapping[str, Clock]") -> "Callable[[], Looker] | None":
        """Shows a running game in a terminal; None if there is no such view. `clocks` by player."""
        return None

    @abstractmethod
    def compared(self, path: Path, ruled: Ruled, seeds: "SeedsOf") -> "Verified":
        """Drive the engine by a record of this game. BadInput where it cannot be understood."""

    def viewed(self, path: Path, reading: Reading) -> "Viewed":
        """A record for the viewer's page, whose parts for this game are in the folder `name`. BadInput where it cannot
        be understood."""
        raise OtherGame(self.name, str(path))

    def moment(self, path: Path, reading: Reading, number: int, turn: int | None) -> "Moment":
        """The table after a turn of a round of a record, both from 1; turn 0 is the deal, None the end of the round.
        BadInput where there is none, or the record cannot be understood."""
        raise OtherGame(self.name, str(path))

    def stats(self, named: Mapping[Path, Sequence[Path]], *, luck: bool = False) -> Stats:
        """The figures of games, adjusted for luck as well if that is asked for. `named`: files and folders with the
        records that each stands for. BadInput where none has come to its end."""
        raise OtherGame(self.name, str(next(iter(named))))
