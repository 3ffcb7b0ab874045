"""The dialects by the names that a config gives them: the table's side of each, and the player's."""

from collections.abc import Callable, Collection

from table.riichi import ruleset
from table.riichi.pieces.seats import SEATS
from table.wire.dialect import Dialect
from table.wire.majiang import Majiang, Majiang2015
from table.wire.majiang_reader import MajiangReader, MajiangReader2015
from table.wire.mjai import Mjai, MjaiActions, MjaiLines, MjaiLinesActions
from table.wire.mjai_reader import MjaiReader, MjsonpReader
from table.wire.mjsonp import Mjsonp
from table.wire.riichilab.dialect import RiichiLab
from table.wire.riichilab.reader import RiichiLabReader
from table.wire.told import Reader

DEFAULT = "majiang"
DIALECTS: dict[str, Callable[[], Dialect]] = {
    "majiang": Majiang,
    "majiang-2015": Majiang2015,
    "mjai": Mjai,
    "mjai-actions": MjaiActions,
    "mjai-lines": MjaiLines,
    "mjai-lines-actions": MjaiLinesActions,
    "mjsonp": Mjsonp,
    "riichilab": RiichiLab,
}
OF_THREE = ("mjai", "mjai-actions", "mjai-lines", "mjai-lines-actions", "riichilab")
"""Those that have words for three players."""


def dialects_of(players: int) -> Collection[str]:
    """The dialects in which so many play."""
    return DIALECTS if players == SEATS else OF_THREE


READERS: dict[str, Callable[[str], Reader]] = {
    "majiang": lambda rules: MajiangReader(),
    "majiang-2015": lambda rules: MajiangReader2015(ruleset.resolve(rules).rules),
    **dict.fromkeys(
        ("mjai", "mjai-actions", "mjai-lines", "mjai-lines-actions"),
        lambda rules: MjaiReader(ruleset.resolve(rules).rules),
    ),
    "mjsonp": lambda rules: MjsonpReader(ruleset.resolve(rules).rules),
    "riichilab": lambda rules: RiichiLabReader(ruleset.resolve(rules).rules),
}
"""Readers by dialect; the rules are for dialects that do not transmit them."""
