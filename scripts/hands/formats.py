"""Reads collections of hands: one JSON object per line, plain or gzip; its keys tell the format."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import msgspec
from mahjong.hand_calculating.yaku_config import YAKU_ID_TO_TENHOU_ID, YakuConfig

from jantaku.table.ground.errors import BadInput
from jantaku.table.languages.facts import norths_apart
from jantaku.table.languages.mjlog import numbered
from jantaku.table.riichi.pieces.melds import Meld, ankan, chi, daiminkan, kakan, pon
from jantaku.table.riichi.pieces.seats import THREE
from jantaku.table.riichi.pieces.tehai import Tehai, tehai_of
from jantaku.table.riichi.pieces.tiles import EAST, KIND, KINDS, TILE, dora_of, mask_of
from jantaku.table.riichi.points.names import BY_TENHOU_ID
from jantaku.table.riichi.points.payments import Liability
from jantaku.table.riichi.points.scorer import Situation
from jantaku.table.riichi.rules import Rules
from jantaku.table.riichi.ruleset import preset
from scripts.collected import reader_of, texts
from scripts.hands.cases import ALL_DOUBLE, Case, Expected, HandCase, Record, ShapeCase, plain_meld, with_score

# --- Tenhou, with its own answers

_LIABLE: dict[int, Literal["daisangen", "daisuushi"]] = {39: "daisangen", 49: "daisuushi"}


def tenhou_win(record: Record) -> HandCase:
    flags, answer, reds = record["flags"], record["expect"], record["aka"]
    seat, win = record["seat"], numbered(record["win"], reds)
    melds = [
        plain_meld(kind, [numbered(tile, reds) for tile in tiles], source, called=called and numbered(called, reds))
        for kind, source, called, tiles in reversed(record["melds"])  # the log has the latest meld first
    ]
    tiles = [numbered(tile, reds) for tile in record["closed"]] + ([win] if record["tsumo"] else [])
    yakuman = answer["yakuman"]
    found = [(BY_TENHOU_ID[number], han) for number, han in answer["yaku"] if han]
    liable = [_LIABLE[number] for number in yakuman if number in _LIABLE]
    rules = preset("tenhou-3p" if record.get("players") == THREE else "tenhou")
    named = [(BY_TENHOU_ID[number], 1) for number in yakuman] or found
    tehai = tehai_of(tiles, melds)
    tehai.aside = len(record.get("nuki", ()))
    return HandCase(
        tehai=tehai,
        tile=win,
        situation=Situation(
            seat=seat,
            round_wind=record["round"],
            tsumo=record["tsumo"],
            first_turn=flags["tenhou"] or flags["chiihou"],
            dora=tuple(tile // 4 for tile in record["dora"]),
            ura=tuple(tile // 4 for tile in record["ura"]),
            **{key: flags[key] for key in ("riichi", "ippatsu", "chankan", "rinshan", "haitei", "houtei")},
        ),
        loser=None if record["tsumo"] else record["loser"],
        rules=with_score(rules, open_tanyao=record["kuitan"]),
        honba=record["honba"],
        sticks=record["sticks"],
        liable=() if record["pao"] is None else tuple(Liability(name, record["pao"]) for name in liable),
        want=Expected(
            fu=0 if yakuman else answer["fu"],
            han=0 if yakuman else answer["han"],
            yakuman=len(yakuman),
            yaku=norths_apart(named, tehai.aside, yakuman=bool(yakuman)),
            deltas=tuple(answer["delta"]),
        ),
    )


# --- majiang-core

SOURCES = {"+": 1, "=": 2, "-": 3}
"""The seat that a tile came from, relative to the owner."""
_MAJIANG_SCORE = {
    "切り上げ満貫あり": "kiriage",
    "クイタンあり": "open_tanyao",
    "役満の複合あり": "several_yakuman",
    "数え役満あり": "kazoe",
}
_LIABLE_YAKU: dict[str, Literal["daisangen", "daisuushi"]] = {"大三元": "daisangen", "大四喜": "daisuushi"}


def _majiang_rules(changes: dict[str, bool]) -> Rules:
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


def majiang_hand(record: Record) -> HandCase:
    """Read a line with `in` (hand, winds, indicators) and `out` (majiang-core's answer)."""
    question, answer = record["in"], record["out"]
    param = question["param"]
    concealed, *melds = question["shoupai"].split(",")
    tiles = tiles_of(concealed)
    ron, seat = question.get("rongpai"), param["menfeng"]
    return HandCase(
        tehai=tehai_of(tiles, [meld_of(meld) for meld in melds if meld]),
        tile=TILE[ron[:2]] if ron else tiles[-1],
        situation=_majiang_situation(param, tsumo=not ron),
        loser=(seat + SOURCES[ron[2]]) % 4 if ron else None,
        rules=_majiang_rules(record.get("rule", {})),
        honba=param["jicun"]["changbang"],
        sticks=param["jicun"]["lizhibang"],
        liable=tuple(
            Liability(_LIABLE_YAKU[yaku["name"]], (seat + SOURCES[yaku["baojia"]]) % 4)
            for yaku in answer.get("hupai") or ()
            if yaku.get("baojia")
        ),
        want=_majiang_answer(answer),
    )


def _majiang_situation(param: Record, tsumo: bool) -> Situation:
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


def _majiang_answer(answer: Record) -> Expected:
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


def majiang_waits(record: Record) -> ShapeCase:
    """Read a line with `hand`, `shanten`, `waits` and `waits_without_fifth`."""
    concealed, *melds = record["hand"].split(",")
    return ShapeCase(
        tehai=tehai_of(tiles_of(concealed), [meld_of(meld) for meld in melds]),
        shanten=None if record.get("degenerate") else record["shanten"],
        waits=mask_of(TILE[tile] for tile in record["waits"]),
        waits_left=mask_of(TILE[tile] for tile in record["waits_without_fifth"]),
    )


# --- calls of `mahjong`, recorded while its tests ran

_LIBRARY_NAMES = {
    yaku.name: BY_TENHOU_ID[YAKU_ID_TO_TENHOU_ID[yaku.yaku_id]]
    for yaku in vars(YakuConfig()).values()
    if yaku.yaku_id in YAKU_ID_TO_TENHOU_ID
}
_LIBRARY_YAKUMAN = frozenset(BY_TENHOU_ID[37:52])

_LIBRARY_OPTIONS = {"has_open_tanyao", "has_aka_dora", "has_double_yakuman", "kiriage", "kazoe_limit"}
_LIBRARY_DEFAULTS = {"fu_for_open_pinfu", "paarenchan_needs_yaku", "limit_to_sextuple_yakuman"}
_LIBRARY_FOREIGN = ("is_renhou", "is_open_riichi", "is_nagashi_mangan", "paarenchan", "num_nuki_dora")
_LIBRARY_FLAGS = ("ippatsu", "rinshan", "chankan", "haitei", "houtei")
_LIBRARY_MELDS = {"kan": "daiminkan", "shouminkan": "kakan"}


def library_call(record: Record) -> HandCase | None:
    """Read a line with `test`, `config` and `result`; None if it uses rules that we do not have."""
    config, answer = record["config"], record["result"]
    if _is_foreign(record):
        return None
    want = _library_answer(answer)
    kinds = [] if want.yakuman else [tile // 4 for tile in record["tiles"]]  # no wind matters to a yakuman
    seat = _wind(config.get("player_wind"), kinds, (0,) if config.get("is_tenhou") else (2, 1, 3))
    round_wind = _wind(config.get("round_wind"), kinds, (3, 2, 1, 0))
    if seat is None or round_wind is None:
        return None
    tsumo, reds = config.get("is_tsumo", False), record["options"].get("has_aka_dora", False)
    return HandCase(
        tehai=_library_tehai(record, reds, tsumo),
        tile=numbered(record["win"], reds),
        situation=Situation(
            seat=seat,
            round_wind=round_wind,
            tsumo=tsumo,
            riichi=2 if config.get("is_daburu_riichi") else int(config.get("is_riichi", False)),
            first_turn=bool(config.get("is_tenhou") or config.get("is_chiihou")),
            dora=tuple(tile // 4 for tile in record["dora"]),
            ura=tuple(tile // 4 for tile in record["ura"]),
            **{flag: config.get(f"is_{flag}", False) for flag in _LIBRARY_FLAGS},
        ),
        loser=None if tsumo else (seat + 1) % 4,
        rules=_library_rules(record["options"]),
        honba=config.get("tsumi_number", 0),
        sticks=config.get("kyoutaku_number", 0),
        want=want,
    )


def _is_foreign(record: Record) -> bool:
    config, options, answer = record["config"], record["options"], record["result"]
    on = {key for key, value in options.items() if value}
    return bool(
        "aotenjou" in record["test"]  # limitless scoring is a class there, not an option
        or answer["error"] not in (None, "no_yaku", "hand_not_winning")
        or on - _LIBRARY_OPTIONS - _LIBRARY_DEFAULTS
        or (options and _LIBRARY_DEFAULTS - on - {"limit_to_sextuple_yakuman"})
        or options.get("kazoe_limit") == 2
        or any(config.get(key) for key in _LIBRARY_FOREIGN)
        or answer["han"] == 78  # cut off at six yakuman
        or not _adds_up(record)
    )


def _adds_up(record: Record) -> bool:
    """Return whether no tile occurs twice, the melds are part of the hand, and the winning tile is concealed."""
    tiles = record["tiles"]
    melded = [tile for meld in record["melds"] for tile in meld[1]]
    concealed = {tile // 4 for tile in set(tiles) - set(melded)}
    return len(set(tiles)) == len(tiles) and set(melded) <= set(tiles) and record["win"] // 4 in concealed


def _wind(kind: int | None, kinds: list[int], others: tuple[int, ...]) -> int | None:
    """Return a seat or round wind; if the call gives none, one of `others` that the hand does not hold."""
    if kind is not None:
        return kind - EAST
    return next((wind for wind in others if EAST + wind not in kinds), None)


def _library_tehai(record: Record, reds: bool, tsumo: bool) -> Tehai:
    numbers = record["tiles"][:]
    melds: list[Meld] = []
    for kind, tiles, is_open in record["melds"]:
        for tile in tiles:
            numbers.remove(tile)
        name = _LIBRARY_MELDS.get(kind, kind) if is_open else "ankan"
        melds.append(plain_meld(name, sorted(numbered(tile, reds) for tile in tiles), 3))
    if not tsumo:
        numbers.remove(record["win"] if record["win"] in numbers else _same_kind(numbers, record["win"]))
    return tehai_of((numbered(tile, reds) for tile in numbers), melds)


def _same_kind(numbers: list[int], number: int) -> int:
    """Return a concealed tile to win with, in place of one in a meld."""
    return next(other for other in numbers if other // 4 == number // 4)


def _library_rules(options: Record) -> Rules:
    return with_score(
        preset("tenhou"),
        open_tanyao=options.get("has_open_tanyao", False),
        double_yakuman=ALL_DOUBLE if options.get("has_double_yakuman", True) else (),
        kiriage=options.get("kiriage", False),
        kazoe=options.get("kazoe_limit", 0) == 0,
    )


def _library_answer(answer: Record) -> Expected:
    # The library appends the number of dora to their name.
    names = frozenset(_LIBRARY_NAMES[re.sub(r" \d+$", "", name)] for name in answer["yaku"] or ())
    yakuman = bool(names & _LIBRARY_YAKUMAN)
    return Expected(
        win=not answer["error"],
        fu=None if yakuman else answer["fu"],
        han=0 if yakuman else answer["han"],
        yakuman=answer["han"] // 13 if yakuman else 0,
        names=names,
        gain=answer["cost"] and answer["cost"]["total"],
    )


# --- RiichiEnv (with Mahjong Soul's answers), mahjax, and shanten counts of several projects

_WINDS = "東南西北"
_MAHJONG_SOUL_YAKU = (
    *("", "門前清自摸和", "立直", "槍槓", "嶺上開花", "海底摸月", "河底撈魚", "翻牌 白", "翻牌 發", "翻牌 中"),
    *("自風", "場風", "断幺九", "一盃口", "平和", "混全帯幺九", "一気通貫", "三色同順", "ダブル立直", "三色同刻"),
    *("三槓子", "対々和", "三暗刻", "小三元", "混老頭", "七対子", "純全帯幺九", "混一色", "二盃口", "清一色"),
    *("一発", "ドラ", "赤ドラ", "裏ドラ", "抜きドラ", "天和", "地和", "大三元", "四暗刻", "字一色", "緑一色"),
    *("清老頭", "国士無双", "小四喜", "四槓子", "九蓮宝燈", "八連荘", "純正九蓮宝燈", "四暗刻単騎"),
    *("国士無双十三面", "大四喜"),
)
"""Our names by Mahjong Soul's yaku number."""


def mahjong_soul(record: Record) -> HandCase | None:
    """Read a line of RiichiEnv's agari_4p.json, whose `expected` is Mahjong Soul's answer."""
    flags, answer, win = record["conditions"], record["expected"], record["win_tile_136"]
    numbers = [*record["tiles_136"], win, *(tile for meld in record["melds"] for tile in meld["tiles"])]
    if len(numbers) != len(set(numbers)):
        return None  # some of these records hold the same tile twice
    seat, tsumo = flags["player_wind"], flags["tsumo"]
    melds = [plain_meld(meld["meld_type"], [numbered(tile) for tile in meld["tiles"]], 3) for meld in record["melds"]]
    return HandCase(
        tehai=tehai_of((numbered(tile) for tile in record["tiles_136"] + [win] * tsumo), melds),
        tile=numbered(win),
        situation=Situation(
            seat=seat,
            round_wind=flags["round_wind"],
            riichi=2 if flags["double_riichi"] else int(flags["riichi"]),
            first_turn=flags["tsumo_first_turn"],
            dora=tuple(tile // 4 for tile in record["dora_indicators"]),
            ura=tuple(tile // 4 for tile in record["ura_indicators"]),
            **{key: flags[key] for key in ("tsumo", "ippatsu", "chankan", "rinshan", "haitei", "houtei")},
        ),
        loser=None if tsumo else (seat + 1) % 4,
        rules=preset("mahjongsoul"),
        honba=flags["honba"],
        want=_mahjong_soul_answer(answer, seat, flags["round_wind"]),
    )


def _mahjong_soul_answer(answer: Record, seat: int, round_wind: int) -> Expected:
    spelt = {"自風": f"自風 {_WINDS[seat]}", "場風": f"場風 {_WINDS[round_wind]}"}
    names = [_MAHJONG_SOUL_YAKU[number] for number in answer["yaku"]]
    yakuman = answer["han"] // 13 if answer["fu"] == 0 else 0
    return Expected(
        win=answer["is_win"],
        fu=answer["fu"],
        han=0 if yakuman else answer["han"],
        yakuman=yakuman,
        names=frozenset(spelt.get(name, name) for name in names),
    )


def mahjax(record: Record) -> HandCase:
    """Read a line with `hand`, the counts without the winning tile; `dora_indices` are the dora themselves."""
    melds = [_mahjax_meld(code) for code in record["melds"][: record["n_meld"]]]
    tiles = [kind for kind, count in enumerate(record["hand"]) for _ in range(count)]
    tsumo, yakuman = not record["is_ron"], record["score"] // 8000 if record["fu"] == 0 else 0
    seat, tile = record["seat_wind"], record["last"]
    return HandCase(
        tehai=tehai_of(tiles + [tile] * tsumo, melds),
        tile=tile,
        situation=Situation(
            seat=seat,
            round_wind=record["prevalent_wind"],
            tsumo=tsumo,
            riichi=record["riichi"],
            dora=tuple(_indicator(kind) for kind in record["dora_indices"]),
        ),
        loser=None if tsumo else (seat + 1) % 4,
        rules=preset("tenhou"),
        want=Expected(fu=record["fu"], han=0 if yakuman else record["fan"], yakuman=yakuman, base=record["score"]),
    )


def _mahjax_meld(code: int) -> Meld:
    """A meld is source << 13 | its lowest kind << 7 | action; actions 34 to 67 are kans in the own turn."""
    source, kind, action = code >> 13, code >> 7 & 63, code & 127
    if action in (74, 75, 76):
        return chi(kind, kind + 1, kind + 2)
    name = {72: "pon", 73: "daiminkan"}.get(action, "kakan" if source else "ankan")
    return plain_meld(name, [kind] * (3 if action == 72 else 4), source)


def _indicator(dora: int) -> int:
    return next(kind for kind in range(KINDS) if dora_of(kind) == dora)


def shanten(record: Record) -> ShapeCase:
    """Read a line with 14 tiles (`q` names or `t` kinds) and `x`: shanten, or [regular, kokushi, seven pairs]."""
    tiles = [TILE[tile] for tile in record["q"]] if "q" in record else record["t"]
    answer = record["x"]
    regular_only = isinstance(answer, int)
    return ShapeCase(tehai=tehai_of(tiles), shanten=answer if regular_only else min(answer), regular_only=regular_only)


# --- collections

_READERS: tuple[tuple[str, Callable[[Record], Case | None]], ...] = (
    ("in", majiang_hand),
    ("expect", tenhou_win),
    ("tiles_136", mahjong_soul),
    ("n_meld", mahjax),
    ("test", library_call),
    ("waits", majiang_waits),
    ("x", shanten),
)
"""A key that only one format has, and that format's reader, which returns None for an unsupported rule or an impossible
hand."""


def read(path: Path) -> Iterator[tuple[str, Case | None]]:
    """Yield every record of a file: its id and its case, None for an unsupported rule or an impossible hand. BadInput
    with file and line."""
    number = 0
    try:
        for at, text in texts(path):
            number = at
            record = json.loads(text)
            case = reader_of(record, _READERS)(record)
            yield str(record["id"]), None if case is None or _is_impossible(case) else case
    except json.JSONDecodeError as error:
        raise BadInput(f"{path}, line {number}: not JSON ({error.msg}, column {error.colno})") from error
    except KeyError as error:
        raise BadInput(f"{path}, line {number}: the key or tile {error} is missing or unknown") from error
    except (TypeError, ValueError, IndexError, AttributeError) as error:
        raise BadInput(f"{path}, line {number}: not a hand that this command reads ({error})") from error
    if not number:
        raise BadInput(f"{path}: holds no hands")


def _is_impossible(case: Case) -> bool:
    """Return whether it holds a fifth copy of a tile or an impossible number of tiles, as in some unit tests."""
    tiles = case.tehai.tiles
    if isinstance(case, HandCase) and not case.situation.tsumo:
        tiles = [*tiles, case.tile]
    whole = Counter(KIND[tile] for tile in tiles)
    whole.update(KIND[tile] for meld in case.tehai.melds for tile in meld.tiles)
    return max(whole.values()) > 4 or len(tiles) % 3 == 0 or len(tiles) + 3 * len(case.tehai.melds) not in (13, 14)
