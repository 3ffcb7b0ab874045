"""Games of majiang-core 1.x: its paifu, its walls and, where listed, every player's replies and options."""

import re
from collections.abc import Iterable, Iterator, Mapping

from scripts.corpora.deriving import derived_decisions
from scripts.corpora.record import (
    Decision,
    DrawFact,
    Fact,
    Final,
    GameRecord,
    KyokuRecord,
    Line,
    Offer,
    Play,
    WinFact,
    four,
)
from table.riichi import actions, events
from table.riichi.actions import RiichiAction
from table.riichi.majiang_rule import from_majiang
from table.riichi.pieces.melds import MeldKind
from table.riichi.pieces.notation import MARKS, parse_meld, parse_tile, parse_tiles
from table.riichi.pieces.tiles import FIVES, NAMES, RED_M, dora_of, sort_tiles
from table.riichi.pieces.wall import Wall
from table.riichi.points.yaku import DORA, URA_DORA

_REASONS = {
    "荒牌平局": "exhaustive",
    "流し満貫": "nagashi",
    "九種九牌": "kyuushu",
    "四風連打": "suufon",
    "四家立直": "suucha",
    "四開槓": "suukan",
    "三家和": "sanchahou",
}
_DRAWS = ("zimo", "gangzimo")
_PLAYS = (*_DRAWS, "dapai", "fulou", "gang")
_FIRST_LIVE, _LAST_LIVE = 83, 14


def read_game(line: Line) -> GameRecord:
    """One line with `paipu`, `rule`, `walls` and perhaps `calls`."""
    paifu = line["paipu"]
    calls = line.get("calls") or [None] * len(paifu["log"])
    kyoku = [
        _kyoku(log, wall, replies, line["qijia"])
        for log, wall, replies in zip(paifu["log"], line["walls"], calls, strict=True)
    ]
    final = Final(
        scores=four(paifu["defen"]),
        ranks=four(paifu["rank"]),
        tenths=four(round(float(point) * 10) for point in paifu["point"]),
    )
    return GameRecord(name=line["id"], rules=from_majiang(line["rule"]), kyoku=tuple(kyoku), final=final)


def _kyoku(log: list[Line], wall: str, calls: list[Line] | None, first_dealer: int) -> KyokuRecord:
    start = log[0]["qipai"]
    facts = tuple(_facts(log))
    opened = [item["kaigang"]["baopai"] for item in log[1:] if "kaigang" in item]
    return KyokuRecord(
        dealer=(first_dealer + start["jushu"]) % 4,
        number=start["zhuangfeng"] * 4 + start["jushu"],
        honba=start["changbang"],
        sticks=start["lizhibang"],
        scores=four(start["defen"]),
        wall=_wall([parse_tile(name) for name in re.findall("..", wall)]),
        facts=facts,
        indicators=tuple(parse_tile(name) for name in (start["baopai"], *opened)),
        decisions=derived_decisions(facts) if calls is None else _decisions(facts, calls),
    )


def _wall(tiles: list[int]) -> Wall:
    """Dealt from the end, thirteen in a row for each seat; the first fourteen are the dead wall."""
    hands = [[tiles[135 - 13 * seat - place] for place in range(13)] for seat in range(4)]
    dead = tiles[:4]
    for number in range(5):
        dead += tiles[4 + number], tiles[9 + number]
    return Wall(hands, tiles[_FIRST_LIVE : _LAST_LIVE - 1 : -1], dead)


# --- what happened -----------------------------------------------------------------------------


def _facts(items: list[Line]) -> Iterator[Fact]:
    last: Play | None = None
    indicators: list[str] = []
    for place, item in enumerate(items):
        ((key, value),) = item.items()
        if key in _PLAYS:
            last = _play(key, value)
            yield last
            if isinstance(last, events.Discard) and last.riichi and not _is_ronned(items[place + 1]):
                yield events.Riichi(last.seat)
        elif key in ("qipai", "kaigang"):
            indicators.append(value["baopai"])
        elif key == "hule":
            assert last is not None, "somebody has drawn before anybody wins"
            yield _win(value, _tile_of(last), indicators)
        elif key == "pingju":
            hands = tuple(_concealed(text) if text else None for text in value["shoupai"])
            yield DrawFact(reason=_REASONS[value["name"]], deltas=four(value["fenpei"]), hands=hands)


def _is_ronned(item: Line) -> bool:
    """Whether a declaring discard was followed by a win, or by three claims: then riichi does not stand."""
    return "hule" in item or ("pingju" in item and item["pingju"]["name"] == "三家和")


def _play(key: str, value: Line) -> Play:
    seat = value["l"]
    if key in _DRAWS:
        return events.Draw(seat, parse_tile(value["p"]), rinshan=key == "gangzimo")
    if key == "dapai":
        discard = _discard(value["p"])
        return events.Discard(seat, discard.tile, discard.tsumogiri, discard.riichi)
    meld = parse_meld(value["m"])
    return events.Call(seat, meld) if key == "fulou" else events.Kan(seat, meld)


def _discard(text: str) -> actions.Discard:
    return actions.Discard(parse_tile(text[:2]), tsumogiri="_" in text, riichi="*" in text)


def _tile_of(play: Play) -> int | None:
    return play.tile if isinstance(play, events.Draw | events.Discard) else play.meld.tiles[-1]


def _concealed(text: str) -> tuple[int, ...]:
    """The concealed tiles of a hand text, sorted."""
    return tuple(sort_tiles(parse_tiles(text.split(",")[0].rstrip("*"))))


def _win(value: Line, tile: int | None, indicators: list[str]) -> WinFact:
    seat = value["l"]
    hand = list(_concealed(value["shoupai"]))
    assert tile is not None, "the record knows every tile"
    hand.remove(tile)
    yakuman, ura = value.get("damanguan") or 0, value["fubaopai"] or ()
    yaku = {each["name"]: len(each["fanshu"]) if yakuman else each["fanshu"] for each in value["hupai"]}
    han = value.get("fanshu") or 0
    missing = {} if yakuman else _missing_dora(value["shoupai"], indicators, ura)
    for name, number in missing.items():
        yaku[name] += number
        han += number
    liable = [(seat + MARKS.index(each["baojia"])) % 4 for each in value["hupai"] if each.get("baojia")]
    return WinFact(
        seat=seat,
        source=value["baojia"],
        deltas=four(value["fenpei"]),
        tile=tile,
        hand=tuple(hand),
        melds=tuple(parse_meld(text) for text in value["shoupai"].split(",")[1:]),
        fu=value.get("fu") or 0,
        han=han,
        yakuman=yakuman,
        yaku=frozenset(yaku.items()),
        points=None if missing else value["defen"],
        ura=tuple(parse_tile(name) for name in ura),
        liable=frozenset(liable),
        miscounted=bool(missing),
    )


def _missing_dora(shoupai: str, indicators: Iterable[str], ura: Iterable[str]) -> dict[str, int]:
    """Dora that majiang-core 1.4.1 forgets, by their yaku.

    Where fives are dora it takes only the first red one in each run of a hand text, such as p0058, for a five.
    """
    missing = {}
    for name, shown in ((DORA, indicators), (URA_DORA, ura)):
        number = 0
        for indicator in shown:
            kind = dora_of(parse_tile(indicator))
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
    own = play.seat if isinstance(play, events.Draw | events.Call) else None
    replies = {seat: reply for seat, said in enumerate(call["r"]) if (reply := _reply(said or {}, own == seat))}
    last_discard = isinstance(play, events.Discard)
    declared = [seat for seat, said in enumerate(call["r"]) if last_discard and said and "daopai" in said]
    if "g" not in call:
        return Decision(replies=replies, tenpai=frozenset(declared))
    free = [seat for seat, may in enumerate(call["g"]) if last_discard and may and "daopai" in may]
    if not lists_all_options(play):
        return Decision(replies=replies)
    offers = {seat: _offer(may or {}, own == seat) for seat, may in enumerate(call["g"])}
    return Decision(replies=replies, offers=offers, tenpai=frozenset(declared), may_declare=frozenset(free))


def lists_all_options(play: Play) -> bool:
    """Whether the options listed after a play are the whole truth.

    After a daiminkan nobody is asked before the rinshan draw. A pon with several red fives, such as m500-, is a chi to
    majiang-core 1.4.1 when it looks for kuikae, so that it forbids m2 or m8 as well.
    """
    if not isinstance(play, events.Call):
        return True
    reds = sum(tile >= RED_M for tile in play.meld.tiles)
    return play.meld.kind == MeldKind.CHI or (play.meld.kind == MeldKind.PON and reds < 2)


def _reply(said: Mapping[str, str], own_turn: bool) -> RiichiAction | None:
    """A reply as an action; None for none. A declaration of tenpai is none of the discard's replies."""
    if "dapai" in said:
        return _discard(said["dapai"])
    if "fulou" in said:
        return actions.Call(parse_meld(said["fulou"]))
    if "gang" in said:
        return actions.Kan(parse_meld(said["gang"]))
    if "hule" in said:
        return actions.TSUMO if own_turn else actions.RON
    return actions.KYUUSHU if "daopai" in said and own_turn else None


def _offer(may: Line, own_turn: bool) -> Offer:
    listed: list[RiichiAction] = [_discard(text) for text in may.get("dapai", ())]
    listed += [actions.Call(parse_meld(text)) for text in may.get("fulou", ())]
    listed += [actions.Kan(parse_meld(text)) for text in may.get("gang", ())]
    if may.get("hule"):
        listed.append(actions.TSUMO if own_turn else actions.RON)
    if may.get("daopai") and own_turn:
        listed.append(actions.KYUUSHU)
    return Offer(frozenset(listed), frozenset(_discard(text + "*") for text in may.get("lizhi", ())))
