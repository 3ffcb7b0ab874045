"""The words of tenhou.net/6 logs: tile codes, call strings, names of yaku, draws and limits."""

import re

from jantaku.table.ground.errors import BadInput
from jantaku.table.languages.facts import TENHOU_DRAW
from jantaku.table.riichi.events import DrawReason
from jantaku.table.riichi.pieces.melds import Meld, MeldKind, ankan, chi, daiminkan, kakan, pon
from jantaku.table.riichi.pieces.seats import SEATS, THREE
from jantaku.table.riichi.pieces.tiles import KIND, NAMES, ORDER

_SUITS = "mpsz"
CODES = tuple(
    51 + _SUITS.index(name[0]) if name[1] == "0" else (_SUITS.index(name[0]) + 1) * 10 + int(name[1]) for name in NAMES
)
"""The code of each tile: 11-19, 21-29, 31-39, 41-47, and 51-53 for the red fives."""
TILE_OF = {code: tile for tile, code in enumerate(CODES)}
TSUMOGIRI = 60
NO_DISCARD = 0
CODE_ORDER = tuple(KIND[tile] * 2 + (ORDER[tile] % 2) for tile in range(len(NAMES)))
"""The sort key of each tile: a red five right after the plain one, as in genuine logs."""

_CALL = re.compile(r"((?:\d\d)*)([cpmka])((?:\d\d)*)")
_LETTERS = {"c": MeldKind.CHI, "p": MeldKind.PON, "m": MeldKind.DAIMINKAN, "k": MeldKind.KAKAN, "a": MeldKind.ANKAN}
_LETTER = {kind: letter for letter, kind in _LETTERS.items()}

DRAWS = {
    DrawReason.EXHAUSTIVE: TENHOU_DRAW,
    DrawReason.NAGASHI: "流し満貫",
    DrawReason.KYUUSHU: "九種九牌",
    DrawReason.SUUFON: "四風連打",
    DrawReason.SUUCHA: "四家立直",
    DrawReason.SUUKAN: "四槓散了",
    DrawReason.SANCHAHOU: "三家和了",
    DrawReason.CHOMBO: "チョンボ",
}
"""Tenhou's name of each draw. Tenhou itself has no chombo."""
REASONS = {name: reason for reason, name in DRAWS.items()} | {
    "荒牌平局": DrawReason.EXHAUSTIVE,
    "四開槓": DrawReason.SUUKAN,
    "三家和": DrawReason.SANCHAHOU,
}
"""For each name of a draw, its reason; includes names in logs that were converted from Majiang's."""
NOBODY_TENPAI, ALL_TENPAI = "全員不聴", "全員聴牌"
WIN = "和了"

LIMITS = ((4, "役満"), (3, "三倍満"), (2, "倍満"), (1.5, "跳満"), (1, "満貫"))
"""The names of limits, with the smallest payment of each in multiples of a mangan."""
MANGAN = (12000, 8000, 8000, 8000)
"""The payment of a mangan by ron, by the winner's seat."""
MANGAN_TSUMO = {SEATS: MANGAN, THREE: (8000, 6000, 6000)}
"""The payment of a mangan by tsumo, by number of players and the winner's seat: in a three-player game one share is
missing (T-51)."""
NORTH_ASIDE = "f44"
"""A north set aside, among the discards (T-72)."""
CIRCLE = 4
"""Tenhou counts players on a circle of four, whose last place is empty in a three-player game (T-71)."""


def call_text(meld: Meld) -> str:
    """Return the text of a meld; of a kakan, the tile added to its pon stands first among the called ones."""
    own = [CODES[tile] for tile in sorted(meld.own, key=CODE_ORDER.__getitem__)]
    letter = _LETTER[meld.kind]
    if meld.kind == MeldKind.ANKAN:
        return "".join(map(str, own[:3])) + letter + str(own[3])
    assert meld.called is not None, "only an ankan takes no tile"
    taken = [CODES[meld.called]] if meld.added is None else [CODES[meld.added], CODES[meld.called]]
    place = meld.place
    return "".join(map(str, own[:place])) + letter + "".join(map(str, taken + own[place:]))


def parse_call(text: str) -> Meld:
    """Read a meld, the inverse of `call_text`; a kakan includes the pon that it extends. Raises BadInput for any other
    text."""
    match = _CALL.fullmatch(text)
    if match is None:
        raise BadInput(f"“{text}” is not a call: they look like c275226, 15p1551, 1111m11, 31k313131, 414141a41")
    kind = _LETTERS[match[2]]
    before, (taken, *after) = _tiles(match[1]), _tiles(match[3]) or [-1]
    if len(before) + len(after) != (3 if kind >= MeldKind.DAIMINKAN else 2) or taken < 0:
        raise BadInput(f"“{text}” is not a call: it has {len(before) + len(after) + (taken >= 0)} tiles")
    source = 3 - (2 if len(before) == 3 else len(before))
    own = [*before, *after]
    if kind == MeldKind.CHI:
        return chi(taken, *own)
    if kind == MeldKind.ANKAN:
        return ankan(*own, taken)
    if kind == MeldKind.KAKAN:
        if not after:
            raise BadInput(f"“{text}” is not a call: the tile once called is missing")
        once_called, *rest = after
        return kakan(pon(once_called, source, *before, *rest), taken)
    return (pon if kind == MeldKind.PON else daiminkan)(taken, source, *own)


def tile_of(code: object) -> int:
    """Return the tile of a code. Raises BadInput for any other value."""
    if isinstance(code, int) and code in TILE_OF:
        return TILE_OF[code]
    raise BadInput(f"{code!r} is not a tile: allowed are 11-19, 21-29, 31-39, 41-47 and 51-53")


def _tiles(digits: str) -> list[int]:
    return [tile_of(int(digits[at : at + 2])) for at in range(0, len(digits), 2)]
