"""The dialects by the names that a config gives them."""

from collections.abc import Callable

from table.wire.dialect import Dialect
from table.wire.majiang import Majiang, Majiang2015
from table.wire.mjai import Mjai, MjaiActions, MjaiLines, MjaiLinesActions
from table.wire.mjsonp import Mjsonp
from table.wire.riichilab.dialect import RiichiLab

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
