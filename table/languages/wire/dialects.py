"""The dialects by the names that settings use: the table's side of each, and the player's."""

from collections.abc import Callable, Collection

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
"""The dialects that can express a three-player game."""


def dialects_of(players: int) -> Collection[str]:
    """The dialects for games of `players`."""
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
"""Readers by dialect; the rules matter for dialects that do not transmit them."""
