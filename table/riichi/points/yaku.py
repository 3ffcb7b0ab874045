"""The order of the yaku, and the value of a won hand.

Names and order are those of Majiang (電脳麻将), because records contain them.
"""

from typing import Literal

import msgspec

from jantaku.table.riichi.points.names import Name, name_of

_ORDERED = (
    *("天和", "地和", "立直", "ダブル立直", "一発", "海底摸月", "河底撈魚", "嶺上開花", "槍槓", "門前清自摸和"),
    *("場風 東", "場風 南", "場風 西", "場風 北", "自風 東", "自風 南", "自風 西", "自風 北"),
    *("翻牌 白", "翻牌 發", "翻牌 中", "平和", "断幺九", "一盃口", "三色同順", "一気通貫", "混全帯幺九", "七対子"),
    *("対々和", "三暗刻", "三槓子", "三色同刻", "混老頭", "小三元", "混一色", "純全帯幺九", "二盃口", "清一色"),
    *("国士無双", "国士無双十三面", "四暗刻", "四暗刻単騎", "大三元", "大四喜", "小四喜", "字一色", "緑一色"),
    *("清老頭", "四槓子", "九蓮宝燈", "純正九蓮宝燈", "ドラ", "赤ドラ", "裏ドラ", "抜きドラ"),
)
RANK = {name: rank for rank, name in enumerate(_ORDERED)}
"""The place of each yaku in a list of yaku."""

DORA, RED_DORA, URA_DORA, NORTH_DORA = "ドラ", "赤ドラ", "裏ドラ", "抜きドラ"

PAO_YAKU: dict[Literal["daisangen", "daisuushi", "suukantsu"], str] = {
    "daisangen": "大三元",
    "daisuushi": "大四喜",
    "suukantsu": "四槓子",
}
"""For each value of the rule key `call.pao`, its yaku."""


class HandValue(msgspec.Struct, frozen=True, gc=False):
    """The value of a won hand.

    `yaku` has names with their han, or with their units if the hand is a yakuman; dora, red and ura dora come last.
    `fu` and `han` are 0 for a yakuman; `yakuman` is the number of yakuman that are paid, 0 for any other hand. A hand
    of 13 han or more has no yakuman here: the rules say what it pays.
    """

    yaku: tuple[tuple[str, int], ...]
    fu: int = 0
    han: int = 0
    yakuman: int = 0

    @property
    def names(self) -> tuple[Name, ...]:
        """The yaku's names in other languages and their numbers elsewhere, in the order of `yaku`."""
        return tuple(name_of(name) for name, _ in self.yaku)

    def __str__(self) -> str:
        yaku = ", ".join(f"{name} {worth}" for name, worth in self.yaku)
        return f"{yaku} ({f'{self.yakuman} yakuman' if self.yakuman else f'{self.han} han {self.fu} fu'})"

    def units(self, name: str) -> int:
        """Han or yakuman units of one yaku, 0 if the hand does not have it."""
        return next((worth for yaku, worth in self.yaku if yaku == name), 0)
