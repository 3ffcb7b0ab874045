"""Hands of RiichiEnv (with Mahjong Soul's answers) and of mahjax, and shanten counts of several projects."""

from jantaku.table.languages.mjlog import numbered
from jantaku.table.riichi.pieces.melds import Meld, chi
from jantaku.table.riichi.pieces.tehai import tehai_of
from jantaku.table.riichi.pieces.tiles import KINDS, TILE, dora_of
from jantaku.table.riichi.points.scorer import Situation
from jantaku.table.riichi.ruleset import preset
from scripts.hands.cases import Expected, HandCase, Record, ShapeCase, plain_meld

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
        want=Expected(
            fu=record["fu"],
            han=0 if yakuman else record["fan"],
            yakuman=yakuman,
            base=record["score"],
        ),
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
    return ShapeCase(
        tehai=tehai_of(tiles),
        shanten=answer if regular_only else min(answer),
        regular_only=regular_only,
    )
