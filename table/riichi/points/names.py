"""Yaku, limits and results in Japanese, English and Chinese, with the numbers that Tenhou and Mahjong Soul give yaku.

    name_of("立直").en, name_of("Riichi").zh, name_of(tenhou=1).mahjong_soul

Japanese names are those of our records. The viewer's English names are drawn from here (`python -m scripts.names`).
"""

from typing import Any, Final

import msgspec

from jantaku.table.ground.errors import BadInput


class Name(msgspec.Struct, frozen=True):
    """What one yaku, limit or result is called. `zh` is simplified Chinese, empty where no name is known."""

    ja: str
    en: str
    zh: str
    mahjong_soul: int | None = None
    """The id in Mahjong Soul's table `fan`: one for the four winds of a seat, one for those of the round."""
    tenhou: int | None = None
    """Tenhou's yaku number. It has none for 抜きドラ, which it counts as ドラ."""


_BY_TENHOU: Final = (
    ("門前清自摸和", "Menzen tsumo", "门前清自摸和", 1),
    ("立直", "Riichi", "立直", 2),
    ("一発", "Ippatsu", "一发", 30),
    ("槍槓", "Chankan", "枪杠", 3),
    ("嶺上開花", "Rinshan", "岭上开花", 4),
    ("海底摸月", "Haitei", "海底摸月", 5),
    ("河底撈魚", "Houtei", "河底捞鱼", 6),
    ("平和", "Pinfu", "平和", 14),
    ("断幺九", "Tanyao", "断幺九", 12),
    ("一盃口", "Iipeikou", "一杯口", 13),
    ("自風 東", "Seat wind East", "自风 东", 10),
    ("自風 南", "Seat wind South", "自风 南", 10),
    ("自風 西", "Seat wind West", "自风 西", 10),
    ("自風 北", "Seat wind North", "自风 北", 10),
    ("場風 東", "Round wind East", "场风 东", 11),
    ("場風 南", "Round wind South", "场风 南", 11),
    ("場風 西", "Round wind West", "场风 西", 11),
    ("場風 北", "Round wind North", "场风 北", 11),
    ("翻牌 白", "Dragon White", "役牌 白", 7),
    ("翻牌 發", "Dragon Green", "役牌 发", 8),
    ("翻牌 中", "Dragon Red", "役牌 中", 9),
    ("ダブル立直", "Double riichi", "两立直", 18),
    ("七対子", "Chiitoitsu", "七对子", 25),
    ("混全帯幺九", "Chanta", "混全带幺九", 15),
    ("一気通貫", "Ittsuu", "一气通贯", 16),
    ("三色同順", "Sanshoku", "三色同顺", 17),
    ("三色同刻", "Sanshoku doukou", "三色同刻", 19),
    ("三槓子", "Sankantsu", "三杠子", 20),
    ("対々和", "Toitoi", "对对和", 21),
    ("三暗刻", "Sanankou", "三暗刻", 22),
    ("小三元", "Shousangen", "小三元", 23),
    ("混老頭", "Honroutou", "混老头", 24),
    ("二盃口", "Ryanpeikou", "二杯口", 28),
    ("純全帯幺九", "Junchan", "纯全带幺九", 26),
    ("混一色", "Honitsu", "混一色", 27),
    ("清一色", "Chinitsu", "清一色", 29),
    ("人和", "Renhou", "人和", 59),
    ("天和", "Tenhou", "天和", 35),
    ("地和", "Chiihou", "地和", 36),
    ("大三元", "Daisangen", "大三元", 37),
    ("四暗刻", "Suuankou", "四暗刻", 38),
    ("四暗刻単騎", "Suuankou tanki", "四暗刻单骑", 48),
    ("字一色", "Tsuuiisou", "字一色", 39),
    ("緑一色", "Ryuuiisou", "绿一色", 40),
    ("清老頭", "Chinroutou", "清老头", 41),
    ("九蓮宝燈", "Chuuren poutou", "九莲宝灯", 45),
    ("純正九蓮宝燈", "Pure chuuren", "纯正九莲宝灯", 47),
    ("国士無双", "Kokushi musou", "国士无双", 42),
    ("国士無双十三面", "Kokushi 13 waits", "国士无双十三面", 49),
    ("大四喜", "Daisuushii", "大四喜", 50),
    ("小四喜", "Shousuushii", "小四喜", 43),
    ("四槓子", "Suukantsu", "四杠子", 44),
    ("ドラ", "Dora", "宝牌", 31),
    ("裏ドラ", "Ura dora", "里宝牌", 33),
    ("赤ドラ", "Red five", "红宝牌", 32),
)
BY_TENHOU_ID = tuple(row[0] for row in _BY_TENHOU)
"""The yaku names by Tenhou's yaku number, 0 to 54."""

YAKU: Final = (
    *(Name(*row, number) for number, row in enumerate(_BY_TENHOU)),
    Name("抜きドラ", "North dora", "拔北宝牌", 34),
)
LIMITS: Final = (
    Name("満貫", "Mangan", "满贯"),
    Name("跳満", "Haneman", "跳满"),
    Name("倍満", "Baiman", "倍满"),
    Name("三倍満", "Sanbaiman", "三倍满"),
    Name("数え役満", "Counted yakuman", "累计役满"),
    Name("役満", "Yakuman", "役满"),
    Name("ダブル役満", "Double yakuman", "两倍役满"),
    Name("トリプル役満", "Triple yakuman", "三倍役满"),
    Name("四倍役満", "Quadruple yakuman", "四倍役满"),
    Name("五倍役満", "Quintuple yakuman", "五倍役满"),
    Name("六倍役満", "Sextuple yakuman", "六倍役满"),
)
DRAWS: Final = (
    Name("荒牌平局", "Exhaustive draw", "荒牌流局"),
    Name("流し満貫", "Nagashi mangan", "流局满贯"),
    Name("九種九牌", "Nine terminals", "九种九牌"),
    Name("四風連打", "Four winds", "四风连打"),
    Name("四家立直", "Four riichi", "四家立直"),
    Name("四開槓", "Four kans", "四杠散了"),
    Name("三家和", "Triple ron", "三家和了"),
    Name("チョンボ", "Chombo", ""),
)
WINS: Final = (Name("ロン", "Ron", "荣和"), Name("ツモ", "Tsumo", "自摸"))

_WINDS: Final = (Name("自風", "Seat wind", "自风", 10), Name("場風", "Round wind", "场风", 11))
"""What Mahjong Soul's ids of winds stand for."""
_ALL: Final = (*_WINDS, *YAKU, *LIMITS, *DRAWS, *WINS)
_FOUND: Final[dict[tuple[str, object], Name]] = {
    **{("text", word): one for one in _ALL for word in (one.ja, one.en, one.zh) if word},
    **{("tenhou", one.tenhou): one for one in YAKU},
    **{("mahjong_soul", one.mahjong_soul): one for one in reversed((*_WINDS, *YAKU))},
}
_ALLOWED: Final = {
    "text": "a yaku, limit or result as our records or this table write it, such as 立直, Riichi, 满贯 or 荒牌平局",
    "tenhou": f"0 to {len(BY_TENHOU_ID) - 1}",
    "mahjong_soul": "1 to 45, 47 to 50 and 59",
}


def name_of(text: str | None = None, *, tenhou: int | None = None, mahjong_soul: int | None = None) -> Name:
    """Return the name of a yaku, limit or result. Give one argument: a name in any of the three languages, or a yaku's
    number at Tenhou or Mahjong Soul. Raises BadInput for anything else."""
    asked: dict[str, Any] = {"text": text, "tenhou": tenhou, "mahjong_soul": mahjong_soul}
    given = [(key, value) for key, value in asked.items() if value is not None]
    if len(given) != 1:
        raise BadInput("name_of: give a text, tenhou=NUMBER or mahjong_soul=NUMBER, and one of them")
    key, value = given[0]
    found = _FOUND.get((key, value)) if isinstance(value, str | int) else None
    if found is None:
        raise BadInput(f"name_of: {key}={value!r} is not known: allowed are {_ALLOWED[key]}")
    return found
