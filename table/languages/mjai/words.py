"""The words of mjai (tiles, yaku, draws), and actions as its replies."""

from collections.abc import Iterable
from typing import Any

from jantaku.table.ground.port import Action
from jantaku.table.riichi import actions
from jantaku.table.riichi.events import DrawReason
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.melds import Meld
from jantaku.table.riichi.pieces.seats import SEATS, THREE, at_side, player_of, seat_of
from jantaku.table.riichi.pieces.tiles import NAMES, NORTH

# The words of mjai: tiles, yaku, draws.

Line = dict[str, Any]
"""One event or one reply."""
NUMBERS = {THREE: "three", SEATS: "four"}
"""The number of players in words, for messages."""
ROUNDS = "ESWN"
"""The letter of each round (場風) in start_kyoku."""

_HONOURS = "ESWNPFC"

TILES = tuple(
    _HONOURS[int(name[1]) - 1] if name[0] == "z" else f"5{name[0]}r" if name[1] == "0" else name[1] + name[0]
    for name in NAMES
)
"""The mjai text of each tile."""
TILE = {text: tile for tile, text in enumerate(TILES)}

YAKU = {
    "menzenchin_tsumoho": "門前清自摸和",
    "reach": "立直",
    "double_reach": "ダブル立直",
    "ippatsu": "一発",
    "chankan": "槍槓",
    "rinshankaiho": "嶺上開花",
    "haiteiraoyue": "海底摸月",
    "hoteiraoyui": "河底撈魚",
    "pinfu": "平和",
    "tanyaochu": "断幺九",
    "ipeko": "一盃口",
    "chitoitsu": "七対子",
    "honchantaiyao": "混全帯幺九",
    "ikkitsukan": "一気通貫",
    "sanshokudojun": "三色同順",
    "sanshokudoko": "三色同刻",
    "sankantsu": "三槓子",
    "toitoiho": "対々和",
    "sananko": "三暗刻",
    "shosangen": "小三元",
    "honroto": "混老頭",
    "ryanpeko": "二盃口",
    "junchantaiyao": "純全帯幺九",
    "honiso": "混一色",
    "chiniso": "清一色",
    "renho": "人和",
    "tenho": "天和",
    "chiho": "地和",
    "daisangen": "大三元",
    "suanko": "四暗刻",
    "tsuiso": "字一色",
    "ryuiso": "緑一色",
    "chinroto": "清老頭",
    "churenpoton": "九蓮宝燈",
    "kokushimuso": "国士無双",
    "daisushi": "大四喜",
    "shosushi": "小四喜",
    "sukantsu": "四槓子",
    "dora": "ドラ",
    "uradora": "裏ドラ",
    "akadora": "赤ドラ",
    "nukidora": "抜きドラ",
}
"""For each mjai word of a yaku, our name of it. Yaku of winds and dragons are handled apart."""
YAKU_WORD = {name: word for word, name in YAKU.items()}

WIND_YAKU = {"jikaze": "自風", "bakaze": "場風"}
"""For each mjai word, our name of the wind yaku, without the wind."""
_WIND_WORD = {name: word for word, name in WIND_YAKU.items()}
DRAGON_YAKU = "sangenpai"
"""mjai's word for each dragon yaku; it stands once per dragon and does not name the dragon."""
YAKUMAN_HAN = 100
"""The han that mjai counts for a yakuman."""

PLAIN = {"四暗刻単騎": "四暗刻", "純正九蓮宝燈": "九蓮宝燈", "国士無双十三面": "国士無双"}
"""Yakuman whose better form has no word of its own in mjai, with the plain form."""

REASONS = {
    DrawReason.EXHAUSTIVE: ("fanpai", "exhaustive_draw"),
    DrawReason.NAGASHI: ("nagashimangan", "nagashimangan", "nagashi_mangan"),
    DrawReason.KYUUSHU: ("kyushukyuhai", "kyushu_kyuhai"),
    DrawReason.SUUFON: ("sufonrenta", "sufuurenta", "suufon_renda"),
    DrawReason.SUUCHA: ("suchareach", "suucha_riichi", "suurechi"),
    DrawReason.SUUKAN: ("sukaikan", "suukansansen", "suukan_sanra"),
    DrawReason.SANCHAHOU: ("sanchaho", "sanchaho"),
    DrawReason.CHOMBO: ("error", "Error: Illegal Action by Player "),
}
"""For each draw, the word in gimite's logs, the word of RiichiEnv, and other words that RiichiEnv has used. For a
chombo the first is mjai.app's; RiichiEnv's is followed by the player's number."""
DRAWS = {word: reason for reason, words in REASONS.items() for word in words}


def yaku_word(name: str) -> str:
    """Return mjai's word for one of our yaku; an unknown name stays unchanged."""
    kind = name.partition(" ")[0]
    if kind == "翻牌":
        return DRAGON_YAKU
    return _WIND_WORD.get(kind) or YAKU_WORD.get(PLAIN.get(name, name), name)


# Writes an action as a reply of mjai, and lists the possible replies as gimite's servers do.

_ORDER = ("hora", "reach", "ryukyoku", "daiminkan", "pon", "chi", "ankan", "kakan", "nukidora", "none")
"""The order in which possible actions are listed."""


def replies(action: Action | None, me: int, board: Board, aside: str = "nukidora") -> list[Line]:
    """Return the lines in which player `me` says `action` (None: no action): one line, or two for a riichi, of which
    the second answers the next message. `board` is what that player sees; ids count from the first dealer. `aside` is
    the word for setting a north aside."""
    match action:
        case actions.Discard():
            discard: Line = {"type": "dahai", "actor": me, "pai": TILES[action.tile], "tsumogiri": action.tsumogiri}
            return [{"type": "reach", "actor": me}, discard] if action.riichi else [discard]
        case actions.Tsumo():
            drawn = {} if board.last_tile is None else {"pai": TILES[board.last_tile]}
            return [{"type": "hora", "actor": me, "target": me, **drawn}]
        case actions.Ron():
            target = player_of(board.last_seat, board.kyoku, board.seats)
            return [{"type": "hora", "actor": me, "target": target, "pai": TILES[board.last_tile or 0]}]
        case actions.Kyuushu():
            return [{"type": "ryukyoku", "actor": me, "reason": "kyushukyuhai"}]
        case actions.Call(meld) | actions.Kan(meld):
            return [_meld(meld, me, board.seats)]
        case actions.SetAside():
            return [{"type": aside, "actor": me, "pai": TILES[NORTH]}]
    return [{"type": "none", "actor": me}]


def possible_actions(options: Iterable[Action], me: int, board: Board) -> list[Line]:
    """The replies that player `me` may send, without discards and passing; of a riichi the first line. gimite's servers
    send them as `possible_actions` with an own `tsumo` and another seat's `dahai` or `kakan`."""
    found: list[Line] = []
    for option in options:
        line = replies(option, me, board)[0]
        if line["type"] not in ("dahai", "none") and line not in found:
            found.append(line)
    return sorted(found, key=lambda line: _ORDER.index(line["type"]))


def cannot_dahai(options: Iterable[Action], me: int, board: Board, *, riichi: bool = False) -> list[str]:
    """The tiles in the hand of player `me` that must not be discarded now. gimite's servers send them as `cannot_dahai`
    with an own `chi` or `pon` and, with `riichi`, an own `reach`."""
    allowed = {option.tile for option in options if isinstance(option, actions.Discard) and option.riichi == riichi}
    held = dict.fromkeys(board.hands[seat_of(me, board.kyoku, board.seats)].tiles)
    return [TILES[tile] for tile in held if tile not in allowed]


def _meld(meld: Meld, me: int, seats: int) -> Line:
    line: Line = {"type": meld.kind.name.lower(), "actor": me}
    if meld.added is not None:
        return line | {"pai": TILES[meld.added], "consumed": [TILES[tile] for tile in meld.tiles[:-1]]}
    if meld.called is not None:
        line |= {"target": at_side(me, meld.source, seats), "pai": TILES[meld.called]}
    return line | {"consumed": [TILES[tile] for tile in meld.own]}
