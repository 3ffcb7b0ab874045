"""The words of mjai: tiles, yaku, draws."""

from typing import Any

from jantaku.table.riichi.events import DrawReason
from jantaku.table.riichi.pieces.seats import SEATS, THREE
from jantaku.table.riichi.pieces.tiles import NAMES

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
