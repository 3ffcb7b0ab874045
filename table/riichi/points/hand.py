"""A hand from text, for people and programs that want an answer without a table.

    hand = Hand("m123p406s27899z11 +m4")  # or "123m406p27899s11z +4m"
    hand.shanten, hand.waits, hand.discards

It answers through the functions of `shapes`, `scorer` and `payments`, which the games use, too.
"""

from types import UnionType
from typing import Any, Final, Literal, get_args

import msgspec

from jantaku.table.ground.errors import BadInput
from jantaku.table.riichi.pieces.melds import Meld, meld_text
from jantaku.table.riichi.pieces.notation import parse_meld
from jantaku.table.riichi.pieces.notation import tiles as parse
from jantaku.table.riichi.pieces.picture import hand_svg
from jantaku.table.riichi.pieces.tehai import Tehai, tehai_of
from jantaku.table.riichi.pieces.tiles import COPIES, KIND, KINDS, NAMES, kinds_in, tiles_text
from jantaku.table.riichi.points import shapes
from jantaku.table.riichi.points.payments import Payment, limit_name, settle
from jantaku.table.riichi.points.scorer import Situation, fu_reasons, hand_value
from jantaku.table.riichi.points.yaku import HandValue
from jantaku.table.riichi.rules import Rules
from jantaku.table.riichi.ruleset import preset

Wind = Literal["east", "south", "west", "north"]
Flag = Literal["ippatsu", "rinshan", "chankan", "haitei", "houtei", "first_turn"]
"""A circumstance of a win, see `Situation`."""
_WINDS: Final = get_args(Wind)
_FLAGS: Final = get_args(Flag)


class HandScore(msgspec.Struct, frozen=True):
    """What a win is worth: the yaku (`value.names`: with their names in English and Chinese), the fu by reason, the
    limit's name in Japanese (empty below mangan), and what each seat gains in points, 東 first."""

    value: HandValue
    fu: tuple[tuple[str, int], ...]
    """Each reason with its fu, before rounding up to tens; empty for a yakuman."""
    limit: str
    payment: Payment

    @property
    def points(self) -> int:
        """Points of the hand alone, without honba and sticks."""
        return self.payment.defen

    def __str__(self) -> str:
        return " ".join(part for part in (str(self.value) + ":", self.limit, str(self.points)) if part)


class Hand:
    """The tiles and melds of one seat, read from text.

    The text is the concealed tiles, the drawn tile after `+`, then the melds in 電脳麻将's notation, apart by spaces or
    commas: `m123p40z11 +m4 s789- z222=`. The suit stands before its digits or behind them (`123m40p`), 0 is a red five.
    A hand that can discard and has no `+` drew the tile that stands last. Raises BadInput if the text is no hand.
    """

    def __init__(self, text: str) -> None:
        _refuse_what_is_no(str, "hand as a text", hand=text)
        words = text.replace(",", " ").split()
        if not words:
            raise BadInput("a hand needs tiles: m123p406s27899z11, or 123m406p27899s11z")
        drawn = [parse(word[1:]) for word in words if word.startswith("+")]
        loose, *rest = [word for word in words if not word.startswith("+")] or [""]
        if len(drawn) > 1 or any(len(tiles) != 1 for tiles in drawn):
            raise BadInput(f"“{text}” draws more or less than one tile: one stands after +, such as +m4")
        tiles = parse(loose)
        melds = [_meld(word) for word in rest]
        _check(text, tiles + [tile for each in drawn for tile in each], melds)
        self.tehai: Tehai = tehai_of(tiles, melds)
        """The same hand as the engine's class."""
        if drawn:
            self.tehai.draw(drawn[0][0])
        elif len(tiles) % 3 == 2:
            self.tehai.drawn = tiles[-1]

    def __str__(self) -> str:
        drawn = [] if self.tehai.drawn is None else [f"+{NAMES[self.tehai.drawn]}"]
        return " ".join([tiles_text(self.tehai.tiles_before_draw), *drawn, *map(meld_text, self.tehai.melds)])

    def __repr__(self) -> str:
        return f"Hand({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hand) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def _repr_svg_(self) -> str:
        """The picture that a notebook shows."""
        return self.svg()

    def svg(self) -> str:
        """The hand as a picture: one SVG element, readable on light and dark ground."""
        return hand_svg(self.tehai)

    @property
    def shanten(self) -> int:
        """The number of tiles away from tenpai: 0 tenpai, -1 complete."""
        return shapes.shanten(self.tehai.counts)

    @property
    def waits(self) -> tuple[str, ...]:
        """The tiles that complete a hand that is to draw; empty if it is not tenpai."""
        return tuple(self.accepted) if not self._must_discard and self.shanten == 0 else ()

    @property
    def accepted(self) -> dict[str, int]:
        """The tiles that lower the shanten of a hand that is to draw (受け入れ), each with its copies outside the hand;
        empty for a hand that is to discard, see `discards`."""
        return {} if self._must_discard else self._accepted(self.tehai.counts)

    @property
    def discards(self) -> dict[str, dict[str, int]]:
        """The discards that leave the lowest shanten, each with what the hand accepts then, the widest first; empty for
        a hand that is to draw."""
        if not self._must_discard:
            return {}
        found = {}
        for kind in kinds_in(shapes.best_discards(self.tehai.counts)[1]):
            rest = self.tehai.counts[:]
            rest[kind] -= 1
            found[NAMES[kind]] = self._accepted(rest)
        return dict(sorted(found.items(), key=lambda each: -sum(each[1].values())))

    def score(
        self,
        tile: str | None = None,
        *,
        seat: Wind = "east",
        round_wind: Wind = "east",
        loser: Wind | None = None,
        riichi: int = 0,
        flags: tuple[Flag, ...] = (),
        dora: str = "",
        ura: str = "",
        honba: int = 0,
        sticks: int = 0,
        rules: Rules | str = "tenhou",
    ) -> HandScore | None:
        """What a win is worth; None if the hand is not complete or has no yaku.

        With `tile` it is a ron on it, from `loser` (the next seat if it is not named), without it a tsumo of the drawn
        tile. `riichi` is 1, or 2 for a double riichi; `dora` and `ura` are the indicators; `rules` may be the name of
        a preset. Raises BadInput if this cannot be.
        """
        _refuse_what_is_no(str, "text of tiles, such as m4z1", tile="" if tile is None else tile, dora=dora, ura=ura)
        _refuse_terms(riichi, flags, honba, sticks)
        winds = _WINDS[: (chosen := _rules_of(rules)).game.players]
        won, winner = self._won(tile), _place(seat, winds)
        payer = None if tile is None else _payer(loser, winner, winds)
        situation = Situation(
            seat=winner,
            round_wind=_place(round_wind, _WINDS),
            tsumo=tile is None,
            riichi=riichi,
            dora=tuple(parse(dora)),
            ura=tuple(parse(ura)),
            **dict.fromkeys(flags, True),
        )
        if (value := self._value(won, situation, chosen)) is None:
            return None
        payment = settle(value, winner, payer, chosen, honba=honba, sticks=sticks)
        fu = () if value.yakuman else fu_reasons(self.tehai, won, situation, chosen)
        return HandScore(value, fu, limit_name(value, chosen.score), payment)

    def _value(self, won: int, situation: Situation, rules: Rules) -> HandValue | None:
        try:
            return hand_value(self.tehai, won, situation, rules)
        except ValueError as refused:
            raise BadInput(str(refused), str(self)) from None

    def _won(self, tile: str | None) -> int:
        """The tile of a win: of a ron the one that is named, of a tsumo the drawn one."""
        if tile is None:
            if self.tehai.drawn is None:
                raise BadInput(f"{self} has drawn no tile: name the tile of a ron")
            return self.tehai.drawn
        if self._must_discard:
            raise BadInput(f"{self} has drawn already: a tsumo names no tile")
        won = parse(tile)
        if len(won) != 1:
            raise BadInput(f"“{tile}” is not one tile: m4 and 4m are")
        if self._copies()[KIND[won[0]]] >= COPIES:
            raise BadInput(f"{self} has the four {NAMES[KIND[won[0]]]} itself and cannot win on another")
        return won[0]

    @property
    def _must_discard(self) -> bool:
        return self.tehai.size % 3 == 2

    def _copies(self) -> list[int]:
        return _copies(self.tehai.tiles, self.tehai.melds)

    def _accepted(self, counts: list[int]) -> dict[str, int]:
        seen = self._copies()
        kinds = kinds_in(shapes.useful(counts)[1])
        return {NAMES[kind]: COPIES - seen[kind] for kind in kinds if seen[kind] < COPIES}


def _meld(text: str) -> Meld:
    try:
        return parse_meld(text)
    except BadInput:
        raise BadInput(
            f"“{text}” is not a meld: behind the concealed tiles, which stand without a space, melds look like m12-3 "
            "(chi), p505= (pon), z1111 (ankan), s999+9 (kakan)"
        ) from None


def _refuse_what_is_no(kind: type | UnionType, meant: str, **given: Any) -> None:
    for name, value in given.items():
        if not isinstance(value, kind) or (isinstance(value, int) and value < 0):
            raise BadInput(f"{name}={value!r} is no {meant}")


def _rules_of(rules: Rules | str) -> Rules:
    chosen = preset(rules) if isinstance(rules, str) else rules
    _refuse_what_is_no(Rules, "name of a preset and no Rules", rules=chosen)
    return chosen


def _refuse_terms(riichi: int, flags: tuple[str, ...], honba: int, sticks: int) -> None:
    _refuse_what_is_no(int, "number of sticks: allowed are whole numbers from 0", honba=honba, sticks=sticks)
    _refuse_what_is_no(tuple | list | set | frozenset, "tuple of flags", flags=flags)
    unknown = [flag for flag in flags if flag not in _FLAGS]
    if riichi not in (0, 1, 2) or unknown:
        wrong = f"the flag {unknown[0]}" if unknown else f"riichi={riichi}"
        raise BadInput(f"{wrong} cannot be: riichi is 0, 1 or 2, flags are {', '.join(_FLAGS)}")


def _place(wind: str, winds: tuple[str, ...]) -> int:
    if wind not in winds:
        raise BadInput(f"“{wind}” is no seat here: allowed are {', '.join(winds)}")
    return winds.index(wind)


def _payer(loser: Wind | None, winner: int, winds: tuple[str, ...]) -> int:
    payer = (winner + 1) % len(winds) if loser is None else _place(loser, winds)
    if payer == winner:
        raise BadInput(f"{loser} cannot win from itself: the loser is another seat")
    return payer


def _copies(tiles: list[int], melds: list[Meld]) -> list[int]:
    counts = [0] * KINDS
    for tile in [*tiles, *(each for meld in melds for each in meld.tiles)]:
        counts[KIND[tile]] += 1
    return counts


def _check(text: str, tiles: list[int], melds: list[Meld]) -> None:
    """Refuse five of a tile, and a number of tiles that no hand has."""
    for kind, count in enumerate(_copies(tiles, melds)):
        if count > COPIES:
            raise BadInput(f"“{text}” has {count} {NAMES[kind]}: there are {COPIES} of each tile")
    size = len(tiles) + 3 * len(melds)
    if size % 3 == 0 or size > 14:
        raise BadInput(f"“{text}” has {size} tiles, three for each meld: a hand has 13, or 14 with the drawn one")
