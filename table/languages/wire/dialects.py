"""The dialects by the names that settings use: the table's side of each, and the player's."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import msgspec

from jantaku.table.languages.wire.dialect import Dialect
from jantaku.table.languages.wire.reader import Reader
from jantaku.table.riichi.pieces.seats import SEATS

DEFAULT = "majiang"


class KnownDialect(msgspec.Struct, frozen=True):
    """A dialect: `table_side` and `player_side` are its classes, as `module:Class` of this folder. `reads_rules`: its
    reader takes the rules, which its messages do not tell. `of_three`: whether it has words for a three-player game."""

    table_side: str
    player_side: str
    reads_rules: bool = True
    of_three: bool = False

    def side(self) -> Dialect:
        """Make the table's side of a seat."""
        side: Dialect = _found(self.table_side)()
        return side

    def reader(self, rules: str) -> Reader:
        """Make the player's side; `rules` are a preset or a file."""
        from jantaku.table.riichi import ruleset  # only players need it

        made = _found(self.player_side)
        reader: Reader = made(ruleset.resolve(rules).rules) if self.reads_rules else made()
        return reader


def _found(named: str) -> Callable[..., Any]:
    """Import a class with its first seat: most games need one dialect or none, and each takes time."""
    module, _, name = named.partition(":")
    found: Callable[..., Any] = getattr(import_module(f"jantaku.table.languages.wire.{module}"), name)
    return found


DIALECTS: dict[str, KnownDialect] = {
    "majiang": KnownDialect("majiang:Majiang", "majiang_reader:MajiangReader", reads_rules=False),
    "majiang-2015": KnownDialect("majiang:Majiang2015", "majiang_reader:MajiangReader2015"),
    "mjai": KnownDialect("mjai:Mjai", "mjai_reader:MjaiReader", of_three=True),
    "mjai-actions": KnownDialect("mjai:MjaiActions", "mjai_reader:MjaiReader", of_three=True),
    "mjai-lines": KnownDialect("mjai:MjaiLines", "mjai_reader:MjaiReader", of_three=True),
    "mjai-lines-actions": KnownDialect("mjai:MjaiLinesActions", "mjai_reader:MjaiReader", of_three=True),
    "mjsonp": KnownDialect("mjai:Mjsonp", "mjai_reader:MjsonpReader"),
}


def dialects_of(players: int) -> list[str]:
    """The dialects for games of `players`."""
    return [name for name, known in DIALECTS.items() if players == SEATS or known.of_three]
