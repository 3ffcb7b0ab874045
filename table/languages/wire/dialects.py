"""The dialects by the names that settings use: the table's side of each, and the player's."""

from collections.abc import Callable

import msgspec

from jantaku.table.languages.wire.dialect import Dialect
from jantaku.table.languages.wire.majiang import Majiang, Majiang2015, MajiangReader, MajiangReader2015
from jantaku.table.languages.wire.mjai import Mjai, MjaiActions, MjaiLines, MjaiLinesActions
from jantaku.table.languages.wire.mjai_reader import MjaiReader, MjsonpReader
from jantaku.table.languages.wire.mjsonp import Mjsonp
from jantaku.table.languages.wire.riichilab.dialect import RiichiLab
from jantaku.table.languages.wire.riichilab.reader import RiichiLabReader
from jantaku.table.languages.wire.talk import Reader
from jantaku.table.riichi import ruleset
from jantaku.table.riichi.pieces.seats import SEATS

DEFAULT = "majiang"


class KnownDialect(msgspec.Struct, frozen=True):
    """A dialect: `side()` makes the table's side of a seat, `reader(rules)` the player's; the rules matter where
    messages do not tell them. `of_three`: whether it has words for a three-player game."""

    side: Callable[[], Dialect]
    reader: Callable[[str], Reader]
    of_three: bool = False


def _mjai(rules: str) -> Reader:
    return MjaiReader(ruleset.resolve(rules).rules)


DIALECTS: dict[str, KnownDialect] = {
    "majiang": KnownDialect(Majiang, lambda rules: MajiangReader()),
    "majiang-2015": KnownDialect(Majiang2015, lambda rules: MajiangReader2015(ruleset.resolve(rules).rules)),
    "mjai": KnownDialect(Mjai, _mjai, of_three=True),
    "mjai-actions": KnownDialect(MjaiActions, _mjai, of_three=True),
    "mjai-lines": KnownDialect(MjaiLines, _mjai, of_three=True),
    "mjai-lines-actions": KnownDialect(MjaiLinesActions, _mjai, of_three=True),
    "mjsonp": KnownDialect(Mjsonp, lambda rules: MjsonpReader(ruleset.resolve(rules).rules)),
    "riichilab": KnownDialect(RiichiLab, lambda rules: RiichiLabReader(ruleset.resolve(rules).rules), of_three=True),
}


def dialects_of(players: int) -> list[str]:
    """The dialects for games of `players`."""
    return [name for name, known in DIALECTS.items() if players == SEATS or known.of_three]
