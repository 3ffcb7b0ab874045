"""The value of a won hand: a thin adapter to the library `mahjong`, which finds the yaku and the fu of every reading.

The dora, the yakuman that count twice or together, the fu of a double wind pair, and the points by which readings are
compared are computed here, so that the reading that pays most under *these* rules is taken (S-100).
"""

from collections.abc import Sequence
from typing import Final

import msgspec
from mahjong.hand_calculating.fu import FuCalculator
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.hand_calculating.hand_response import HandResponse
from mahjong.hand_calculating.scores import ScoresCalculator, ScoresResult
from mahjong.hand_calculating.yaku import Yaku
from mahjong.hand_calculating.yaku_config import YAKU_ID_TO_TENHOU_ID
from mahjong.meld import Meld as LibraryMeld

from jantaku.table.riichi.pieces.melds import Meld, MeldKind
from jantaku.table.riichi.pieces.tehai import Tehai
from jantaku.table.riichi.pieces.tiles import EAST, KIND, NORTH, RED_M, TERMINALS_AND_HONOURS, WHITE, dora_of
from jantaku.table.riichi.points import shapes
from jantaku.table.riichi.points.names import BY_TENHOU_ID
from jantaku.table.riichi.points.payments import base_points
from jantaku.table.riichi.points.yaku import DORA, NORTH_DORA, RANK, RED_DORA, URA_DORA, HandValue
from jantaku.table.riichi.rules import Rules


class Situation(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The circumstances of a win. The engine decides every flag, with rules such as `riichi.ippatsu` applied.

    `seat` and `round_wind` are winds 0 to 3; `riichi` is 1, or 2 for a double riichi; `first_turn` makes a tsumo 天和
    or 地和 (S-125); `chankan` is not set for a kokushi that robs an ankan (S-58). `dora` and `ura` are indicators, as
    tiles; `ura` counts only for a winner in riichi.
    """

    seat: int
    round_wind: int
    tsumo: bool
    riichi: int = 0
    ippatsu: bool = False
    rinshan: bool = False
    chankan: bool = False
    haitei: bool = False
    houtei: bool = False
    first_turn: bool = False
    dora: tuple[int, ...] = ()
    ura: tuple[int, ...] = ()

    @property
    def is_yaku(self) -> bool:
        """Whether one of the flags is a yaku by itself."""
        first = self.first_turn and self.tsumo
        return bool(self.riichi or self.rinshan or self.chankan or self.haitei or self.houtei or first)


def hand_value(tehai: Tehai, tile: int, situation: Situation, rules: Rules) -> HandValue | None:
    """The value of a hand that wins with `tile`; None if it is not complete or has no yaku.

    For a tsumo the tile is in `tehai` already, for a ron it is not. Raises ValueError if the flags contradict each
    other, such as riichi with an open hand.
    """
    counts = _with_tile(tehai, tile, situation.tsumo)
    bonus = _bonus(counts, tehai, tile, situation, rules)
    answer = _estimated(counts, tehai, tile, _Terms(situation, rules, sum(han for _, han in bonus)))
    if answer.error in (HandCalculator.ERR_NO_YAKU, HandCalculator.ERR_HAND_NOT_WINNING):
        return None
    if answer.error or not answer.yaku:
        raise ValueError(f"seat {situation.seat} cannot win like this: {answer.error}")
    return _value(answer, answer.yaku, bonus, rules)


def fu_reasons(tehai: Tehai, tile: int, situation: Situation, rules: Rules) -> tuple[tuple[str, int], ...]:
    """The reasons of a won hand's fu, each with its fu before rounding, in the reading that `hand_value` takes. Empty
    if the hand is not complete or a yakuman."""
    counts = _with_tile(tehai, tile, situation.tsumo)
    bonus = _bonus(counts, tehai, tile, situation, rules)
    answer = _estimated(counts, tehai, tile, _Terms(situation, rules, sum(han for _, han in bonus)))
    return tuple((_FU_WORDS.get(reason, reason.replace("_", " ")), fu) for reason, fu in _fu(answer, rules))


_FU_WORDS: Final = {
    FuCalculator.DOUBLE_VALUED_PAIR: "pair of the own and the round's wind",
    FuCalculator.HAND_WITHOUT_FU: "open hand without other fu",
    "closed_pon": "concealed triplet",
    "open_pon": "open triplet",
    "closed_terminal_pon": "concealed triplet of terminals or honours",
    "open_terminal_pon": "open triplet of terminals or honours",
    "closed_kan": "concealed kan",
    "open_kan": "open kan",
    "closed_terminal_kan": "concealed kan of terminals or honours",
    "open_terminal_kan": "open kan of terminals or honours",
    "base": "every hand",
    "penchan": "wait on an edge",
    "kanchan": "wait in the middle",
    "pair_wait": "wait on the pair",
    "valued_pair": "pair that is a yaku as a triplet",
}
"""The library's reasons in plain words."""


def _fu(answer: HandResponse, rules: Rules) -> list[tuple[str, int]]:
    """The reasons and fu of an answer by these rules: the library knows 4 fu for a double wind pair only."""
    double = {FuCalculator.DOUBLE_VALUED_PAIR: rules.score.double_wind_fu}
    return [(each["reason"], double.get(each["reason"], each["fu"])) for each in answer.fu_details or ()]


def _estimated(counts: Sequence[int], tehai: Tehai, tile: int, terms: "_Terms") -> HandResponse:
    """The library's answer about a hand with these concealed tiles."""
    tiles, melds = _library_tiles(counts, tehai.melds)
    return HandCalculator.estimate_hand_value(
        tiles,
        next(each for each in tiles if each // 4 == KIND[tile]),
        melds=melds,
        config=terms,
        scores_calculator_factory=_Scores,
    )


def has_yaku(tehai: Tehai, tile: int, situation: Situation, rules: Rules) -> bool:
    """Whether a hand may win with `tile` (S-70). `dora` and `ura` do not matter. Faster than `hand_value`."""
    counts = _with_tile(tehai, tile, situation.tsumo)
    if not shapes.is_complete(counts):
        return False
    if situation.is_yaku or (situation.tsumo and tehai.is_closed):
        return True
    _add_melds(counts, tehai.melds)
    # In a complete hand three of a kind of honours can only be a triplet.
    honours = (WHITE, WHITE + 1, WHITE + 2, EAST + situation.seat, EAST + situation.round_wind)
    if any(counts[kind] >= 3 for kind in honours):
        return True
    if (rules.score.open_tanyao or tehai.is_closed) and not any(counts[kind] for kind in TERMINALS_AND_HONOURS):
        return True
    return hand_value(tehai, tile, situation, rules) is not None


class _Terms(HandConfig):
    """The library's settings for one hand, made for each call because the library writes into them. They also carry
    what `_Scores` needs to compare readings."""

    def __init__(self, situation: Situation, rules: Rules, bonus_han: int) -> None:
        first = situation.first_turn and situation.tsumo
        super().__init__(
            is_tsumo=situation.tsumo,
            is_riichi=situation.riichi == 1,
            is_daburu_riichi=situation.riichi == 2,
            is_ippatsu=situation.ippatsu,
            is_rinshan=situation.rinshan,
            is_chankan=situation.chankan,
            is_haitei=situation.haitei and not situation.rinshan,  # S-121
            is_houtei=situation.houtei,
            is_tenhou=first and situation.seat == 0,
            is_chiihou=first and situation.seat != 0,
            player_wind=EAST + situation.seat,
            round_wind=EAST + situation.round_wind,
            options=OptionalRules(has_open_tanyao=rules.score.open_tanyao, limit_to_sextuple_yakuman=False),
        )
        self.rules = rules
        self.bonus_han = bonus_han
        doubles: dict[str, Yaku] = {
            "daisuushi": self.yaku.daisuushi,
            "suuankou_tanki": self.yaku.suuankou_tanki,
            "kokushi_13": self.yaku.daburu_kokushi,
            "chuuren_9": self.yaku.daburu_chuuren_poutou,
        }
        for name, yaku in doubles.items():
            if name not in rules.score.double_yakuman:
                yaku.han_closed = 13
                yaku.han_open = yaku.han_open and 13


class _Scores(ScoresCalculator):
    """Compares the readings of a hand by our base points."""

    @staticmethod
    def calculate_scores(han: int, fu: int, config: HandConfig, is_yakuman: bool = False) -> ScoresResult:
        """The score of one reading. The library calls this for every reading and takes the highest `total`, then han,
        then fu."""
        assert isinstance(config, _Terms)
        if is_yakuman:
            total = base_points(0, 0, _paid_units(han // 13, config.rules), config.rules.score)
        else:
            total = base_points(fu, han + config.bonus_han, 0, config.rules.score)
        return ScoresResult(
            main=0, additional=0, main_bonus=0, additional_bonus=0, kyoutaku_bonus=0, total=total, yaku_level=""
        )


def _paid_units(units: int, rules: Rules) -> int:
    return units if rules.score.several_yakuman else 1


def _value(answer: HandResponse, found: Sequence[Yaku], bonus: list[tuple[str, int]], rules: Rules) -> HandValue:
    """Translate the library's answer into a `HandValue`."""
    is_open = answer.is_open_hand
    worth = {
        BY_TENHOU_ID[YAKU_ID_TO_TENHOU_ID[yaku.yaku_id]]: (is_open and yaku.han_open) or yaku.han_closed
        for yaku in found
    }
    names = sorted(worth, key=RANK.__getitem__)
    if found[0].is_yakuman:
        units = tuple((name, worth[name] // 13) for name in names)
        return HandValue(units, yakuman=_paid_units(sum(each for _, each in units), rules))
    fu = answer.fu or 0
    if rules.score.double_wind_fu == 2 and any(
        reason == FuCalculator.DOUBLE_VALUED_PAIR for reason, _ in _fu(answer, rules)
    ):
        # Every reading of the hand has this pair, so the choice of the library, which counted 4 fu, stands.
        fu = _rounded_fu(sum(each for _, each in _fu(answer, rules)))
    yaku = tuple((name, worth[name]) for name in names) + tuple(bonus)
    return HandValue(yaku, fu=fu, han=sum(han for _, han in yaku))


def _rounded_fu(fu: int) -> int:
    return -(-fu // 10) * 10


def _with_tile(tehai: Tehai, tile: int, tsumo: bool) -> list[int]:
    """The concealed counts, including the winning tile."""
    counts = tehai.counts[:]
    if not tsumo:
        counts[KIND[tile]] += 1
    return counts


def _add_melds(counts: list[int], melds: Sequence[Meld]) -> None:
    for meld in melds:
        for tile in meld.tiles:
            counts[KIND[tile]] += 1


def _bonus(concealed: list[int], tehai: Tehai, tile: int, situation: Situation, rules: Rules) -> list[tuple[str, int]]:
    """The han of dora, red, ura and north dora, without those that are 0, in Majiang's order."""
    counts = concealed[:]
    _add_melds(counts, tehai.melds)
    ura: tuple[int, ...] = ()
    if situation.riichi and rules.dora.ura:
        ura = situation.ura if rules.dora.kan_ura else situation.ura[:1]
    red = sum(tehai.reds) + sum(each >= RED_M for meld in tehai.melds for each in meld.tiles)
    if not situation.tsumo and tile >= RED_M:
        red += 1
    counts[NORTH] += tehai.aside  # a north that was set aside is dora by an indicator as well (T-41)
    seats = rules.game.players
    bonus = (
        (DORA, sum(counts[dora_of(indicator, seats)] for indicator in situation.dora)),
        (RED_DORA, red),
        (URA_DORA, sum(counts[dora_of(indicator, seats)] for indicator in ura)),
        (NORTH_DORA, tehai.aside),
    )
    return [(name, han) for name, han in bonus if han]


_LIBRARY_KIND = {
    MeldKind.CHI: LibraryMeld.CHI,
    MeldKind.PON: LibraryMeld.PON,
    MeldKind.DAIMINKAN: LibraryMeld.KAN,
    MeldKind.ANKAN: LibraryMeld.KAN,
    MeldKind.KAKAN: LibraryMeld.SHOUMINKAN,
}


def _library_tiles(concealed: Sequence[int], melds: Sequence[Meld]) -> tuple[list[int], list[LibraryMeld]]:
    """The whole hand in the library's 136 numbers (four per kind), concealed tiles first, and its melds."""
    tiles = [kind * 4 + copy for kind, count in enumerate(concealed) for copy in range(count)]
    used = list(concealed)
    library_melds = []
    for meld in melds:
        numbers = []
        for kind in sorted(KIND[tile] for tile in meld.tiles):  # the library does not recognise an unsorted chi
            numbers.append(kind * 4 + used[kind])
            used[kind] += 1
        tiles += numbers
        library_melds.append(LibraryMeld(_LIBRARY_KIND[meld.kind], numbers, opened=meld.is_open))
    return tiles, library_melds
