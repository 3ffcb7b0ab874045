"""riichienv's numbers of actions, 82 where four play and 60 where three do, and our actions that they mean.

four players   three players
0 .. 33        0 .. 26         discard of a kind (of three players' 27 kinds: m1, m9, p, s, honours)
37             27              riichi; its discard is a second question
38 .. 40       none            chi: the called tile is the lowest, the middle, the highest
41             28              pon
42 .. 75       29 .. 55        kan of a kind
79             56              win
80             57              九種九牌
81             58              pass
none           59              a north is set aside

What is lost: red fives, and whether a discard is the tile just drawn.
"""

from collections.abc import Sequence
from typing import Final

from jantaku.table.ground.port import Action, Choice
from jantaku.table.learn.mortal import numbers as mortal
from jantaku.table.riichi import actions
from jantaku.table.riichi.pieces.seats import SEATS
from jantaku.table.riichi.pieces.tiles import KIND, KINDS

VERSION: Final = "0.4.11"
"""The version of riichienv whose masks were compared."""
COUNT: Final = {4: 82, 3: 60}
"""Numbers by players."""
_THREE: Final = [kind for kind in range(KINDS) if not 0 < kind < 8]
_KAN, _KAN_OF_THREE, _PON_OF_THREE, _ASIDE = 42, 29, 28, 59
_FOUR: Final = {mortal.WIN: 79, mortal.KYUUSHU: 80, mortal.PASS: 81}
_WORDS_OF_THREE: Final = {
    mortal.RIICHI: 27,
    mortal.PON: _PON_OF_THREE,
    mortal.WIN: 56,
    mortal.KYUUSHU: 57,
    mortal.PASS: 58,
}


def number_of(action: Action, players: int = SEATS) -> int:
    """The number of an action; of a riichi discard the answer to the first question. Raises BadInput for an action
    without a number, such as to declare tenpai."""
    if action == actions.SET_ASIDE and players != SEATS:
        return _ASIDE
    number = mortal.number_of(action)
    if number < mortal.RIICHI:
        return _kind(KIND[number], players)
    if number == mortal.KAN:
        assert isinstance(action, actions.Call | actions.Kan), "a kan"
        return (_KAN if players == SEATS else _KAN_OF_THREE) + _kind(action.meld.tile_kind, players)
    return _FOUR.get(number, number) if players == SEATS else _WORDS_OF_THREE[number]


def _kind(kind: int, players: int) -> int:
    return kind if players == SEATS else _THREE.index(kind)


def second_of(action: Action, players: int = SEATS) -> int | None:
    """The answer to the second question: the kind of a riichi's discard; None for any other action."""
    if isinstance(action, actions.Discard) and action.riichi:
        return _kind(KIND[action.tile], players)
    return None


def actions_of(choice: Choice, number: int, first: int | None = None, *, players: int = SEATS) -> Sequence[Action]:
    """The options that a number means, first the one that riichienv takes: the plain five before the red one. `first`:
    the number answers the second question, after a riichi."""
    of = number_of if first is None else second_of
    return sorted([option for option in choice.options if of(option, players) == number], key=_reds)


def _reds(option: Action) -> int:
    """How many red fives an option gives away."""
    if isinstance(option, actions.Discard):
        return int(option.tile != KIND[option.tile])
    if isinstance(option, actions.Call | actions.Kan):
        return sum(tile != KIND[tile] for tile in option.meld.own)
    return 0
