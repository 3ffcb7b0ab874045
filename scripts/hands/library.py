"""Calls of `mahjong` recorded while its tests ran: arguments and answers."""

import re

from mahjong.hand_calculating.yaku_config import YAKU_ID_TO_TENHOU_ID, YakuConfig

from jantaku.table.languages.mjlog import numbered
from jantaku.table.riichi.pieces.melds import Meld
from jantaku.table.riichi.pieces.tehai import Tehai, tehai_of
from jantaku.table.riichi.pieces.tiles import EAST
from jantaku.table.riichi.points.payments import BY_TENHOU_ID
from jantaku.table.riichi.points.scorer import Situation
from jantaku.table.riichi.rules import Rules
from jantaku.table.riichi.ruleset import preset
from scripts.hands.cases import ALL_DOUBLE, Expected, HandCase, Record, plain_meld, with_score

_NAMES = {
    yaku.name: BY_TENHOU_ID[YAKU_ID_TO_TENHOU_ID[yaku.yaku_id]]
    for yaku in vars(YakuConfig()).values()
    if yaku.yaku_id in YAKU_ID_TO_TENHOU_ID
}
_YAKUMAN = frozenset(BY_TENHOU_ID[37:52])

_OPTIONS = {"has_open_tanyao", "has_aka_dora", "has_double_yakuman", "kiriage", "kazoe_limit"}
_DEFAULTS = {"fu_for_open_pinfu", "paarenchan_needs_yaku", "limit_to_sextuple_yakuman"}
_FOREIGN = ("is_renhou", "is_open_riichi", "is_nagashi_mangan", "paarenchan", "num_nuki_dora")
_FLAGS = ("ippatsu", "rinshan", "chankan", "haitei", "houtei")
_MELDS = {"kan": "daiminkan", "shouminkan": "kakan"}


def hand(record: Record) -> HandCase | None:
    """Read a line with `test`, `config` and `result`; None if it uses rules that we do not have."""
    config, answer = record["config"], record["result"]
    if _is_foreign(record):
        return None
    want = _expected(answer)
    kinds = [] if want.yakuman else [tile // 4 for tile in record["tiles"]]  # no wind matters to a yakuman
    seat = _wind(config.get("player_wind"), kinds, (0,) if config.get("is_tenhou") else (2, 1, 3))
    round_wind = _wind(config.get("round_wind"), kinds, (3, 2, 1, 0))
    if seat is None or round_wind is None:
        return None
    tsumo, reds = config.get("is_tsumo", False), record["options"].get("has_aka_dora", False)
    return HandCase(
        tehai=_tehai(record, reds, tsumo),
        tile=numbered(record["win"], reds),
        situation=Situation(
            seat=seat,
            round_wind=round_wind,
            tsumo=tsumo,
            riichi=2 if config.get("is_daburu_riichi") else int(config.get("is_riichi", False)),
            first_turn=bool(config.get("is_tenhou") or config.get("is_chiihou")),
            dora=tuple(tile // 4 for tile in record["dora"]),
            ura=tuple(tile // 4 for tile in record["ura"]),
            **{flag: config.get(f"is_{flag}", False) for flag in _FLAGS},
        ),
        loser=None if tsumo else (seat + 1) % 4,
        rules=_rules(record["options"]),
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
        or on - _OPTIONS - _DEFAULTS
        or (options and _DEFAULTS - on - {"limit_to_sextuple_yakuman"})
        or options.get("kazoe_limit") == 2
        or any(config.get(key) for key in _FOREIGN)
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


def _tehai(record: Record, reds: bool, tsumo: bool) -> Tehai:
    numbers = record["tiles"][:]
    melds: list[Meld] = []
    for kind, tiles, is_open in record["melds"]:
        for tile in tiles:
            numbers.remove(tile)
        name = _MELDS.get(kind, kind) if is_open else "ankan"
        melds.append(plain_meld(name, sorted(numbered(tile, reds) for tile in tiles), 3))
    if not tsumo:
        numbers.remove(record["win"] if record["win"] in numbers else _same_kind(numbers, record["win"]))
    return tehai_of((numbered(tile, reds) for tile in numbers), melds)


def _same_kind(numbers: list[int], number: int) -> int:
    """Return a concealed tile to win with, in place of one in a meld."""
    return next(other for other in numbers if other // 4 == number // 4)


def _rules(options: Record) -> Rules:
    return with_score(
        preset("tenhou"),
        open_tanyao=options.get("has_open_tanyao", False),
        double_yakuman=ALL_DOUBLE if options.get("has_double_yakuman", True) else (),
        kiriage=options.get("kiriage", False),
        kazoe=options.get("kazoe_limit", 0) == 0,
    )


def _expected(answer: Record) -> Expected:
    # The library appends the number of dora to their name.
    names = frozenset(_NAMES[re.sub(r" \d+$", "", name)] for name in answer["yaku"] or ())
    yakuman = bool(names & _YAKUMAN)
    return Expected(
        win=not answer["error"],
        fu=None if yakuman else answer["fu"],
        han=0 if yakuman else answer["han"],
        yakuman=answer["han"] // 13 if yakuman else 0,
        names=names,
        gain=answer["cost"] and answer["cost"]["total"],
    )
