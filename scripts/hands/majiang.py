"""Hands of majiang-core: won hands with fu, han, yaku and payments, and hands with their waits."""

import re
from typing import Literal

import msgspec

from jantaku.table.riichi.pieces.melds import Meld, ankan, chi, daiminkan, kakan, pon
from jantaku.table.riichi.pieces.tehai import tehai_of
from jantaku.table.riichi.pieces.tiles import KIND, TILE, mask_of
from jantaku.table.riichi.points.payments import Liability
from jantaku.table.riichi.points.scorer import Situation
from jantaku.table.riichi.rules import Rules
from jantaku.table.riichi.ruleset import preset
from scripts.hands.cases import ALL_DOUBLE, Expected, HandCase, Record, ShapeCase, with_score

SOURCES = {"+": 1, "=": 2, "-": 3}
"""The seat that a tile came from, relative to the owner."""
_MAJIANG_SCORE = {
    "切り上げ満貫あり": "kiriage",
    "クイタンあり": "open_tanyao",
    "役満の複合あり": "several_yakuman",
    "数え役満あり": "kazoe",
}
_LIABLE_YAKU: dict[str, Literal["daisangen", "daisuushi"]] = {"大三元": "daisangen", "大四喜": "daisuushi"}


def _rules(changes: dict[str, bool]) -> Rules:
    rules = preset("majiang")
    score: Record = {_MAJIANG_SCORE[key]: on for key, on in changes.items() if key in _MAJIANG_SCORE}
    score["double_wind_fu"] = 2 if changes.get("連風牌は2符") else 4
    score["double_yakuman"] = ALL_DOUBLE if changes.get("ダブル役満あり", True) else ()
    if not changes.get("役満パオあり", True):
        rules = msgspec.structs.replace(rules, call=msgspec.structs.replace(rules.call, pao=()))
    return with_score(rules, **score)


def tiles_of(text: str) -> list[int]:
    """Return the tiles of a Majiang hand string such as m1230z11."""
    return [TILE[run[0] + rank] for run in re.findall(r"[mpsz]\d+", text) for rank in run[1:]]


def meld_of(text: str) -> Meld:
    """Parse a Majiang meld such as m34-0, z777=, p555=5 or s1111: the mark follows the called tile."""
    tiles = tiles_of(re.sub(r"[-+=]", "", text))
    mark = re.search(r"[-+=]", text)
    if not mark:
        return ankan(*tiles)
    source, at = SOURCES[mark.group()], mark.start() - 2
    called, own = tiles[at], tiles[:at] + tiles[at + 1 :]
    if len(tiles) == 3:
        return pon(called, source, *own) if len({KIND[tile] for tile in tiles}) == 1 else chi(called, *own)
    return daiminkan(called, source, *own) if at == 3 else kakan(pon(called, source, *own[:2]), own[2])


def hand(record: Record) -> HandCase:
    """Read a line with `in` (hand, winds, indicators) and `out` (majiang-core's answer)."""
    question, answer = record["in"], record["out"]
    param = question["param"]
    concealed, *melds = question["shoupai"].split(",")
    tiles = tiles_of(concealed)
    ron, seat = question.get("rongpai"), param["menfeng"]
    return HandCase(
        tehai=tehai_of(tiles, [meld_of(meld) for meld in melds if meld]),
        tile=TILE[ron[:2]] if ron else tiles[-1],
        situation=_situation(param, tsumo=not ron),
        loser=(seat + SOURCES[ron[2]]) % 4 if ron else None,
        rules=_rules(record.get("rule", {})),
        honba=param["jicun"]["changbang"],
        sticks=param["jicun"]["lizhibang"],
        liable=tuple(
            Liability(_LIABLE_YAKU[yaku["name"]], (seat + SOURCES[yaku["baojia"]]) % 4)
            for yaku in answer.get("hupai") or ()
            if yaku.get("baojia")
        ),
        want=_expected(answer),
    )


def _situation(param: Record, tsumo: bool) -> Situation:
    flags = param["hupai"]
    return Situation(
        seat=param["menfeng"],
        round_wind=param["zhuangfeng"],
        tsumo=tsumo,
        riichi=flags.get("lizhi") or 0,
        ippatsu=bool(flags.get("yifa")),
        rinshan=bool(flags.get("lingshang")),
        chankan=bool(flags.get("qianggang")),
        haitei=flags.get("haidi") == 1,
        houtei=flags.get("haidi") == 2,
        first_turn=bool(flags.get("tianhu")),
        dora=tuple(TILE[tile] for tile in param["baopai"]),
        ura=tuple(TILE[tile] for tile in param.get("fubaopai") or ()),
    )


def _expected(answer: Record) -> Expected:
    found = answer.get("hupai") or []
    yakuman = answer.get("damanguan") or 0
    return Expected(
        win=bool(found),
        fu=0 if yakuman else answer.get("fu"),
        han=0 if yakuman else answer.get("fanshu"),
        yakuman=yakuman,
        # A yakuman is written as one star, a double one as two.
        yaku=tuple((yaku["name"], len(yaku["fanshu"]) if yakuman else yaku["fanshu"]) for yaku in found),
        ordered=True,
        defen=answer["defen"],
        deltas=tuple(answer["fenpei"]) if found else None,
    )


def waiting(record: Record) -> ShapeCase:
    """Read a line with `hand`, `shanten`, `waits` and `waits_without_fifth`."""
    concealed, *melds = record["hand"].split(",")
    return ShapeCase(
        tehai=tehai_of(tiles_of(concealed), [meld_of(meld) for meld in melds]),
        shanten=None if record.get("degenerate") else record["shanten"],
        waits=mask_of(TILE[tile] for tile in record["waits"]),
        waits_left=mask_of(TILE[tile] for tile in record["waits_without_fifth"]),
    )
