"""Mortal's 46 numbers of actions, and our actions that they mean.

0 .. 33   discard of a kind, the plain five of 4, 13, 22
34 .. 36  discard of a red five of m, p, s
37        riichi; its discard is a second question
38 .. 40  chi: the called tile is the lowest, the middle, the highest
41        pon
42        daiminkan, ankan or kakan; which one is a second question, answered with 0 .. 33
43        win: tsumo or ron
44        九種九牌
45        pass

Without numpy: the core compiles it.
"""

from typing import Final

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Action, Choice
from jantaku.table.riichi import actions
from jantaku.table.riichi.pieces.melds import Meld, MeldKind
from jantaku.table.riichi.pieces.tiles import KIND, TILES

RIICHI: Final = TILES
CHI: Final = 38
PON: Final = 41
KAN: Final = 42
WIN: Final = 43
KYUUSHU: Final = 44
PASS: Final = 45
CLAIMS: Final = 5
"""How many numbers from CHI on are calls of another seat's tile."""
_WORDS: Final[dict[Action, int]] = {
    actions.TSUMO: WIN,
    actions.RON: WIN,
    actions.KYUUSHU: KYUUSHU,
    actions.PASS: PASS,
}
_NUMBERED: Final = (actions.Discard, actions.Call, actions.Kan)


def number_of(action: Action) -> int:
    """The number of an action, 0 to 45; for riichi and kans the answer to the first question.

    What is lost: whether a discard is the tile just drawn, and which red five a chi or pon uses. Raises BadInput for an
    action without a number: to declare tenpai or noten, to set a north aside, what is no action.
    """
    if isinstance(action, actions.Discard):
        return RIICHI if action.riichi else action.tile
    if isinstance(action, actions.Call | actions.Kan):
        return _of_meld(action.meld)
    number = _WORDS.get(action)
    if number is None:
        raise BadInput(f"{action} has no number from 0 to 45: discards, riichi, chi, pon, kans, wins, 九種九牌, passes")
    return number


def second_of(action: Action) -> int | None:
    """The answer to the second question: the tile, 0 to 36, of a riichi discard, the kind, 0 to 33, of a kan. None for
    any other action, which has no second question."""
    if isinstance(action, actions.Discard) and action.riichi:
        return action.tile
    if isinstance(action, actions.Call | actions.Kan) and action.meld.is_kan:
        return action.meld.tile_kind
    return None


def actions_of(choice: Choice, number: int, first: int | None = None) -> tuple[Action, ...]:
    """The options that a number means, first the one that Mortal takes; empty if the number is not allowed.

    `first`: the number answers the second question, after 37 or 42. Without it 37 and 42 mean all riichi discards and
    all kans: with one option there is nothing more to ask. Of equal discards the drawn tile comes first, of chi and pon
    the one with a red five of the hand.
    """
    asked = [option for option in choice.options if option in _WORDS or isinstance(option, _NUMBERED)]
    if first is None:
        found = [option for option in asked if number_of(option) == number]
    else:
        found = [option for option in asked if number_of(option) == first and second_of(option) == number]
    return tuple(sorted(found, key=_rank))


def _rank(option: Action) -> tuple[bool, int]:
    """The order among options of the same number."""
    if isinstance(option, actions.Discard):
        return not option.tsumogiri, 0
    if isinstance(option, actions.Call | actions.Kan):
        return False, -sum(tile != KIND[tile] for tile in option.meld.own)
    return False, 0


def _of_meld(meld: Meld) -> int:
    if meld.kind == MeldKind.PON:
        return PON
    if meld.kind != MeldKind.CHI:
        return KAN
    assert meld.called is not None, "a chi calls a tile"
    return CHI + KIND[meld.called] - meld.tile_kind


class Offers:
    """What a choice offers, sorted by what the planes and the mask say of it. Sets are bit masks."""

    __slots__ = ("ankans", "calls", "claims", "discards", "kakans", "kans", "kyuushu", "riichi", "win")

    def __init__(self, choice: Choice) -> None:
        """Read the options. Raises BadInput if one of them has no number."""
        self.discards = 0
        """Tiles that may be discarded."""
        self.riichi = 0
        """Tiles whose discard may declare riichi."""
        self.ankans = self.kakans = 0
        self.kans = 0
        """Kinds of all kans, of a daiminkan, too."""
        self.calls = 0
        """38 to 42: chi, pon, daiminkan."""
        self.win = self.kyuushu = False
        self.claims = False
        """Whether another seat's tile may be claimed."""
        for option in choice.options:
            if type(option) is actions.Discard:
                if option.riichi:
                    self.riichi |= 1 << option.tile
                else:
                    self.discards |= 1 << option.tile
            else:
                self._add(option)

    def _add(self, option: Action) -> None:
        number = number_of(option)
        if isinstance(option, actions.Kan):
            kind = 1 << option.meld.tile_kind
            self.kans |= kind
            if option.meld.kind == MeldKind.ANKAN:
                self.ankans |= kind
            else:
                self.kakans |= kind
        elif isinstance(option, actions.Call):
            self.calls |= 1 << number
            if number == KAN:
                self.kans |= 1 << option.meld.tile_kind
        self.win |= number == WIN
        self.kyuushu |= number == KYUUSHU
        self.claims |= number == PASS

    def numbers(self, first: int | None) -> int:
        """The allowed numbers; with `first`, 37 or 42, of the second question."""
        if first is not None:
            return self.riichi if first == RIICHI else self.kans if first == KAN else 0
        found = self.discards | self.calls
        for number, allowed in (
            (RIICHI, self.riichi > 0),
            (KAN, self.kans > 0),
            (WIN, self.win),
            (KYUUSHU, self.kyuushu),
            (PASS, self.claims),
        ):
            if allowed:
                found |= 1 << number
        return found
