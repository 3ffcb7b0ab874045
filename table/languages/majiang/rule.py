"""Reads and writes the rule object of majiang-core 1.x. Its keys are Japanese, and so are the fields here.

The words of Majiang (電脳麻将) are here as well: replies, discards and names of draws. `pieces/notation` has tiles
and hands.
"""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from jantaku.table.ground import settings
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Action
from jantaku.table.ground.settings import Layer
from jantaku.table.riichi import actions
from jantaku.table.riichi.events import DrawReason
from jantaku.table.riichi.pieces.melds import meld_text
from jantaku.table.riichi.pieces.tiles import NAMES, NORTH, TILE
from jantaku.table.riichi.rules import Rules
from jantaku.table.riichi.words import discard_text

Item = dict[str, Any]
"""One event or one reply: a JSON object with one key."""

DRAW_NAMES: dict[DrawReason, str] = {
    DrawReason.EXHAUSTIVE: "荒牌平局",
    DrawReason.NAGASHI: "流し満貫",
    DrawReason.KYUUSHU: "九種九牌",
    DrawReason.SUUFON: "四風連打",
    DrawReason.SUUCHA: "四家立直",
    DrawReason.SUUKAN: "四開槓",
    DrawReason.SANCHAHOU: "三家和",
    DrawReason.CHOMBO: "チョンボ",
}
"""The name of each draw. Majiang itself has no chombo."""
DRAW_REASONS: dict[str, DrawReason] = {name: reason for reason, name in DRAW_NAMES.items()}

DECISIVE = {"qipai", "zimo", "dapai", "fulou", "gang", "penuki", "gangzimo", "hule", "pingju"}
"""Items whose order is the same in every record. `kaigang` and `lizhi` may stand elsewhere or be missing."""

CHOMBO: Item = {"chombo": "-"}
"""A journal's reply for an unusable answer that ends the kyoku."""

_DISCARD = re.compile(r"([mps][0-9]|z[1-7])(_?)(\*?)")


def draw_name(reason: str | None) -> str:
    return DRAW_NAMES[reason] if isinstance(reason, DrawReason) else reason or ""


def parse_discard(text: str) -> actions.Discard:
    """Read a discard, the inverse of `discard_text`. Raises BadInput for any other text."""
    match = _DISCARD.fullmatch(text)
    if match is None:
        raise BadInput(f"“{text}” is not a discard: they look like m1, m1_, m1* or m1_*")
    return actions.Discard(TILE[match[1]], bool(match[2]), bool(match[3]))


def reply(action: Action) -> Item:
    """Return an action as a Majiang 1.x reply; an empty object is a pass."""
    match action:
        case actions.Discard(tile, tsumogiri, riichi):
            return {"dapai": discard_text(tile, tsumogiri, riichi)}
        case actions.Call(meld):
            return {"fulou": meld_text(meld)}
        case actions.Kan(meld):
            return {"gang": meld_text(meld)}
        case actions.SetAside():
            return {"penuki": NAMES[NORTH]}
        case actions.Tsumo() | actions.Ron():
            return {"hule": "-"}
        case actions.Kyuushu() | actions.Tenpai():
            return {"daopai": "-"}
        case actions.Chombo():
            return CHOMBO
        case _:
            return {}


def reply_2015(action: Action) -> Item:
    """Return an action as a reply of 2015."""
    kind, data = next(iter(reply(action).items()), ("", None))
    if kind in ("hule", "daopai"):
        kind, data = "pingju" if kind == "daopai" else kind, None
    return {"type": kind, "data": data}


_WHERE = "majiang-core rule"
_RETURN = 30000  # a constant in majiang-core, independent of 配給原点
_ROUNDS = {0: "until-win", 1: "tonpu", 2: "hanchan", 4: "yonchan"}
_KUIKAE = ("forbidden", "suji", "free")
_RENCHAN = ("none", "win", "tenpai", "always")
_EXTENSION = ("none", "sudden-death", "renchan-first", "four-kyoku")
_ANKAN = ("never", "shape", "waits")
_ABORTS = ("kyuushu", "suufon", "suucha", "suukan", "sanchahou")
_DOUBLE = ("daisuushi", "suuankou_tanki", "kokushi_13", "chuuren_9")

Point = Annotated[str, Meta(pattern=r"^[+-]?[0-9]+(\.[0-9])?$")]
Reds = Annotated[int, Meta(ge=0, le=4)]


class RedFives(msgspec.Struct, frozen=True):
    m: Reds = 1
    p: Reds = 1
    s: Reds = 1


class MajiangRule(msgspec.Struct, frozen=True):
    """Every key of the rule object with its default."""

    配給原点: Annotated[int, Meta(ge=0, le=1_000_000, multiple_of=100)] = 25000
    順位点: tuple[Point, Point, Point, Point] = ("20.0", "10.0", "-10.0", "-20.0")
    連風牌は2符: bool = False
    赤牌: RedFives = RedFives()
    クイタンあり: bool = True
    喰い替え許可レベル: Literal[0, 1, 2] = 0
    場数: Literal[0, 1, 2, 4] = 2
    途中流局あり: bool = True
    流し満貫あり: bool = True
    ノーテン宣言あり: bool = False
    ノーテン罰あり: bool = True
    最大同時和了数: Literal[1, 2, 3] = 2
    連荘方式: Literal[0, 1, 2, 3] = 2
    トビ終了あり: bool = True
    オーラス止めあり: bool = True
    延長戦方式: Literal[0, 1, 2, 3] = 1
    一発あり: bool = True
    裏ドラあり: bool = True
    カンドラあり: bool = True
    カン裏あり: bool = True
    カンドラ後乗せ: bool = True
    ツモ番なしリーチあり: bool = False
    リーチ後暗槓許可レベル: Literal[0, 1, 2] = 2
    役満の複合あり: bool = True
    ダブル役満あり: bool = True
    数え役満あり: bool = True
    役満パオあり: bool = True
    切り上げ満貫あり: bool = False


def from_majiang(table: Mapping[str, Any]) -> Rules:
    """Return the rules that majiang-core plays with this rule object; a missing key has its default. Raises BadInput
    for a wrong value, or for a key that majiang-core does not have (it would ignore that silently)."""
    theirs = settings.build(MajiangRule, settings.read_layer(table, MajiangRule, _WHERE), _WHERE)
    layer = _game(theirs) | _hand(theirs) | _claims(theirs) | _value(theirs)
    return settings.build(Rules, settings.read_layer(layer, Rules, _WHERE), _WHERE)


def _game(theirs: MajiangRule) -> Layer:
    decimals = any("." in point for point in theirs.順位点)
    return {
        "game.length": _ROUNDS[theirs.場数],
        "game.start_points": theirs.配給原点,
        "game.return_points": _RETURN,
        "game.uma": [float(point) for point in theirs.順位点],
        "game.first_takes_rest": True,
        "game.score_rounding": "none" if decimals else "half-up",
        "game.ties": "seat",
        "game.leftover_sticks": "first",
        "game.tobi": theirs.トビ終了あり,
        "game.extension": _EXTENSION[theirs.延長戦方式],
        "game.extension_points": _RETURN,
        "game.agari_yame": "tenpai" if theirs.オーラス止めあり else "none",
        "game.agari_yame_points": _RETURN,
    }


def _hand(theirs: MajiangRule) -> Layer:
    return {
        "tiles.red_m": theirs.赤牌.m,
        "tiles.red_p": theirs.赤牌.p,
        "tiles.red_s": theirs.赤牌.s,
        "dora.ura": theirs.裏ドラあり,
        "dora.kan": theirs.カンドラあり,
        "dora.kan_ura": theirs.カン裏あり and theirs.裏ドラあり and theirs.カンドラあり,
        "dora.ankan_opens": "at-once",
        "dora.minkan_opens": "after-discard" if theirs.カンドラ後乗せ else "at-once",
        # majiang-core refuses a riichi below 1000 points only if the game would end below 0.
        "riichi.min_points": 1000 if theirs.トビ終了あり else 0,
        "riichi.min_tiles": 0 if theirs.ツモ番なしリーチあり else 4,
        "riichi.ippatsu": theirs.一発あり,
        "riichi.ankan": _ANKAN[theirs.リーチ後暗槓許可レベル],
    }


def _claims(theirs: MajiangRule) -> Layer:
    winners = theirs.最大同時和了数
    return {
        "call.kuikae": _KUIKAE[theirs.喰い替え許可レベル],
        "call.kokushi_ankan": False,
        "call.pao": ["daisangen", "daisuushi"] if theirs.役満パオあり else [],
        "call.pao_covers": "own",
        "call.pao_honba": "discarder",
        "ron.max_winners": winners,
        # In majiang-core, at most two winners means that three claims on a discard abort; a robbed kan is not tested.
        "ron.sanchahou": winners == 2,
        "ron.chankan_max_winners": 1 if winners == 1 else 3,
        "ron.chankan_sanchahou": False,
        "ron.honba": "nearest",
        "ron.sticks": "nearest",
    }


def _value(theirs: MajiangRule) -> Layer:
    aborts = theirs.途中流局あり
    return {
        "abort.kyuushu": aborts,
        "abort.suufon": aborts,
        "abort.suucha": aborts,
        "abort.suukan": "discard" if aborts else "never",
        "abort.renchan": list(_ABORTS),
        "draw.noten_penalty": 3000 if theirs.ノーテン罰あり else 0,
        "draw.declare_tenpai": theirs.ノーテン宣言あり,
        "draw.own_four_is_tenpai": True,
        "draw.nagashi_mangan": theirs.流し満貫あり,
        "draw.nagashi_several": "sum",
        "draw.renchan": _RENCHAN[theirs.連荘方式],
        "score.open_tanyao": theirs.クイタンあり,
        "score.double_wind_fu": 2 if theirs.連風牌は2符 else 4,
        "score.kiriage": theirs.切り上げ満貫あり,
        "score.kazoe": theirs.数え役満あり,
        "score.several_yakuman": theirs.役満の複合あり,
        "score.double_yakuman": list(_DOUBLE) if theirs.ダブル役満あり else [],
    }


def to_majiang(rules: Rules) -> dict[str, Any]:
    """Return the complete rule object with which majiang-core plays by `rules`. Raises BadInput, with the keys, if it
    cannot."""
    theirs = nearest_majiang(rules)
    back = from_majiang(theirs)
    lost = [name for name, _, _ in settings.difference(_comparable(rules), _comparable(back))]
    if lost:
        raise BadInput(f"majiang-core cannot play by these rules: it has no such value of {', '.join(lost)}")
    return theirs


def _comparable(rules: Rules) -> Rules:
    """Drop a difference without effect: a kakan never gets three claims, as the seat whose tile the pon took is
    furiten."""
    ron = msgspec.structs.replace(
        rules.ron, chankan_max_winners=min(rules.ron.chankan_max_winners, 2), chankan_sanchahou=False
    )
    return msgspec.structs.replace(rules, ron=ron)


def nearest_majiang(rules: Rules) -> dict[str, Any]:
    """Return the rule object closest to `rules`, even if it cannot express all of them."""
    game, score = rules.game, rules.score
    style = ".1f" if game.score_rounding == "none" else ".0f"
    winners = 2 if rules.ron.sanchahou else rules.ron.max_winners
    return {
        "配給原点": game.start_points,
        "順位点": [format(uma, style) for uma in game.uma],
        "連風牌は2符": score.double_wind_fu == 2,
        "赤牌": {"m": rules.tiles.red_m, "p": rules.tiles.red_p, "s": rules.tiles.red_s},
        "クイタンあり": score.open_tanyao,
        "喰い替え許可レベル": _KUIKAE.index(rules.call.kuikae),
        "場数": next((number for number, length in _ROUNDS.items() if length == game.length), 0),
        "途中流局あり": rules.abort.kyuushu,
        "流し満貫あり": rules.draw.nagashi_mangan,
        "ノーテン宣言あり": rules.draw.declare_tenpai,
        "ノーテン罰あり": rules.draw.noten_penalty > 0,
        "最大同時和了数": winners,
        "連荘方式": _RENCHAN.index(rules.draw.renchan),
        "トビ終了あり": game.tobi,
        "オーラス止めあり": game.agari_yame != "none",
        "延長戦方式": _EXTENSION.index(game.extension),
        "一発あり": rules.riichi.ippatsu,
        "裏ドラあり": rules.dora.ura,
        "カンドラあり": rules.dora.kan,
        "カン裏あり": rules.dora.kan_ura,
        "カンドラ後乗せ": rules.dora.minkan_opens == "after-discard",
        "ツモ番なしリーチあり": rules.riichi.min_tiles == 0,
        "リーチ後暗槓許可レベル": _ANKAN.index(rules.riichi.ankan) if rules.riichi.ankan in _ANKAN else 2,
        "役満の複合あり": score.several_yakuman,
        "ダブル役満あり": bool(score.double_yakuman),
        "数え役満あり": score.kazoe,
        "役満パオあり": bool(rules.call.pao),
        "切り上げ満貫あり": score.kiriage,
    }
