"""Reads games of majiang-core 1.x: its paifu, its walls and, where listed, every player's replies and options."""

import re
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from jantaku.table.languages.facts import Fact, WinFact
from jantaku.table.languages.majiang.order import facts_of
from jantaku.table.languages.majiang.reader import end_of
from jantaku.table.languages.majiang.rule import from_majiang, parse_discard
from jantaku.table.riichi import actions, events
from jantaku.table.riichi.actions import RiichiAction
from jantaku.table.riichi.pieces.melds import MeldKind
from jantaku.table.riichi.pieces.notation import parse_meld, parse_tile
from jantaku.table.riichi.pieces.tiles import FIVES, NAMES, RED_M, dora_of
from jantaku.table.riichi.pieces.wall import Wall
from jantaku.table.riichi.points.yaku import DORA, URA_DORA
from scripts.corpora.record import Decision, GameRecord, KyokuRecord, Line, Offer, Play, derived_decisions, game_of

_FIRST_LIVE, _LAST_LIVE = 83, 14


def read_game(line: Line) -> GameRecord:
    """Read one line with `paipu`, `rule`, `walls` and perhaps `calls`."""
    paifu = line["paipu"]
    calls = line.get("calls") or [None] * len(paifu["log"])
    kyoku = [
        _kyoku(log, wall, replies, line["qijia"])
        for log, wall, replies in zip(paifu["log"], line["walls"], calls, strict=True)
    ]
    return game_of(line["id"], from_majiang(line["rule"]), kyoku, end_of(paifu))


def _kyoku(log: list[Line], wall: str, calls: list[Line] | None, first_dealer: int) -> KyokuRecord:
    deal, *rest = facts_of(log, first_dealer)
    assert isinstance(deal, events.KyokuStart), "a kyoku begins with its deal"
    indicators = (deal.indicator, *(fact.indicator for fact in rest if isinstance(fact, events.Dora)))
    told = {item["hule"]["l"]: item["hule"]["shoupai"] for item in log if "hule" in item}
    counted = [_counted(fact, told[fact.seat], indicators) if isinstance(fact, WinFact) else fact for fact in rest]
    facts = tuple(fact for fact in counted if not isinstance(fact, events.Dora))
    decisions = derived_decisions(facts) if calls is None else _decisions(facts, calls)
    return KyokuRecord((deal, *counted), _wall([parse_tile(name) for name in re.findall("..", wall)]), decisions)


def _wall(tiles: list[int]) -> Wall:
    """Make a wall: dealt from the end, thirteen tiles in a row for each seat; the first fourteen are the dead wall."""
    hands = [[tiles[135 - 13 * seat - place] for place in range(13)] for seat in range(4)]
    dead = tiles[:4]
    for number in range(5):
        dead += tiles[4 + number], tiles[9 + number]
    return Wall(hands, tiles[_FIRST_LIVE : _LAST_LIVE - 1 : -1], dead)


# --- what happened -----------------------------------------------------------------------------


def _counted(win: WinFact, shoupai: str, indicators: Sequence[int]) -> WinFact:
    """Return a win with the dora that majiang-core forgot and did not pay; its hand as recorded."""
    missing = {} if win.yakuman else _missing_dora(shoupai, indicators, win.ura or ())
    if not missing:
        return win
    yaku = tuple((name, han + missing.get(name, 0)) for name, han in win.yaku or ())
    han = (win.han or 0) + sum(missing.values())
    return msgspec.structs.replace(win, yaku=yaku, han=han, points=None, miscounted=True)


def _missing_dora(shoupai: str, indicators: Iterable[int], ura: Iterable[int]) -> dict[str, int]:
    """Return the dora that majiang-core 1.4.1 forgets, by yaku.

    If fives are dora, it takes only the first red one in each run of a hand text, such as p0058, for a five.
    """
    missing = {}
    for name, shown in ((DORA, indicators), (URA_DORA, ura)):
        number = 0
        for indicator in shown:
            kind = dora_of(indicator)
            runs = re.findall(rf"{NAMES[kind][0]}[^mpsz,]*", shoupai) if kind in FIVES else []
            number += sum(max(run.count("0") - 1, 0) for run in runs)
        if number:
            missing[name] = number
    return missing


# --- what everybody replied and could have replied ---------------------------------------------


def _decisions(facts: tuple[Fact, ...], calls: list[Line]) -> tuple[Decision, ...]:
    plays = [fact for fact in facts if isinstance(fact, Play)]
    return tuple(_decision(play, call) for play, call in zip(plays, calls, strict=True))


def _decision(play: Play, call: Line) -> Decision:
    own = play.seat if isinstance(play, events.Draw | events.MeldCall) else None
    replies = {seat: reply for seat, said in enumerate(call["r"]) if (reply := _reply(said or {}, own == seat))}
    last_discard = isinstance(play, events.TileDiscard)
    declared = [seat for seat, said in enumerate(call["r"]) if last_discard and said and "daopai" in said]
    if "g" not in call:
        return Decision(replies=replies, tenpai=frozenset(declared))
    free = [seat for seat, may in enumerate(call["g"]) if last_discard and may and "daopai" in may]
    if not lists_all_options(play):
        return Decision(replies=replies)
    offers = {seat: _offer(may or {}, own == seat) for seat, may in enumerate(call["g"])}
    return Decision(replies=replies, offers=offers, tenpai=frozenset(declared), may_declare=frozenset(free))


def lists_all_options(play: Play) -> bool:
    """Return whether the options listed after a play are complete.

    After a daiminkan no player is asked before the rinshan draw. A pon with several red fives, such as m500-, counts as
    a chi when majiang-core 1.4.1 looks for kuikae, so that it forbids m2 or m8 as well.
    """
    if not isinstance(play, events.MeldCall):
        return True
    reds = sum(tile >= RED_M for tile in play.meld.tiles)
    return play.meld.kind == MeldKind.CHI or (play.meld.kind == MeldKind.PON and reds < 2)


def _reply(said: Mapping[str, str], own_turn: bool) -> RiichiAction | None:
    """Return a reply as an action; None for no reply. A declaration of tenpai is not a reply to the discard."""
    if "dapai" in said:
        return parse_discard(said["dapai"])
    if "fulou" in said:
        return actions.Call(parse_meld(said["fulou"]))
    if "gang" in said:
        return actions.Kan(parse_meld(said["gang"]))
    if "hule" in said:
        return actions.TSUMO if own_turn else actions.RON
    return actions.KYUUSHU if "daopai" in said and own_turn else None


def _offer(may: Line, own_turn: bool) -> Offer:
    listed: list[RiichiAction] = [parse_discard(text) for text in may.get("dapai", ())]
    listed += [actions.Call(parse_meld(text)) for text in may.get("fulou", ())]
    listed += [actions.Kan(parse_meld(text)) for text in may.get("gang", ())]
    if may.get("hule"):
        listed.append(actions.TSUMO if own_turn else actions.RON)
    if may.get("daopai") and own_turn:
        listed.append(actions.KYUUSHU)
    return Offer(frozenset(listed), frozenset(parse_discard(text + "*") for text in may.get("lizhi", ())))
