"""Mortal's 46 numbers of actions, and the planes of the own hand and of the moment. Without numpy.

    0 .. 33   discard of a kind, the plain five of 4, 13, 22
    34 .. 36  discard of a red five of m, p, s
    37        riichi; its discard is a second question
    38 .. 40  chi: the called tile is the lowest, the middle, the highest
    41        pon
    42        daiminkan, ankan or kakan; which one is a second question, answered with 0 .. 33
    43        win: tsumo or ron
    44        九種九牌
    45        pass

The own hand: shanten and waits between the turns, what each discard does in a turn. The moment: the own tiles, what is
asked, what each answer does. A plane is a bit mask of kinds here.
"""

from typing import Final

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Action, Choice
from jantaku.table.riichi import actions
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.melds import Meld, MeldKind
from jantaku.table.riichi.pieces.tehai import Tehai
from jantaku.table.riichi.pieces.tiles import KIND, KINDS, RED_M, TILES, kinds_in
from jantaku.table.riichi.points import shapes
from jantaku.table.riichi.points.scorer import Situation, has_yaku
from jantaku.table.riichi.rules import Rules


class OwnHand:
    """Shanten, waits and furiten of one seat as they stood when it last had 3n + 1 tiles."""

    __slots__ = ("_flags", "_kept", "_missing", "_yaku", "completing", "furiten", "shanten", "waits")

    def __init__(self) -> None:
        self.shanten = 0
        """Of the tiles after the last discard, kan or call; at least 0."""
        self.completing = 0
        """The kinds that complete the hand, as a bit mask."""
        self.waits = 0
        """Those of them of which a copy is unseen."""
        self.furiten = False
        self._missing = False
        """Whether the last event offers a tile that completes the hand."""
        self._flags: tuple[int, int] | None = None
        self._kept: tuple[int, int] | None = None
        self._yaku: dict[tuple[bytes, int], bool] = {}

    def start(self, board: Board, seat: int) -> None:
        self.furiten = self._missing = False
        self._kept = None
        self._yaku.clear()
        self.settle(board, seat)

    def settle(self, board: Board, seat: int) -> None:
        """Look at the hand anew: it has 3n + 1 tiles."""
        counts = board.hands[seat].counts
        self._flags = None
        self.shanten, useful = shapes.useful(counts)
        self.completing = 0 if self.shanten else useful
        seen = board.visible_to(seat) if self.completing else counts
        self.waits = sum(1 << kind for kind in kinds_in(self.completing) if seen[kind] < 4)

    def discarded(self, board: Board, seat: int, was_riichi: bool, kept: tuple[int, int] | None) -> None:
        """Look at the hand after a discard of its own. With `kept` what discards do stays so from now on: the hand is
        in riichi, and the waits stay as well."""
        if not was_riichi:
            self.settle(board, seat)
        self._kept = kept
        self._look_at_river(board, seat, was_riichi)

    def _look_at_river(self, board: Board, seat: int, in_riichi: bool) -> None:
        """The hand is furiten if the river has a tile that completes it; what it missed counts on in riichi only."""
        river = bool(self.completing & board.rivers[seat].kinds)
        self.furiten = river or (in_riichi and self.furiten)

    def called(self, board: Board, seat: int) -> None:
        """Look at the hand after a chi or pon: waits and furiten stay as they were."""
        self._flags = None
        self._yaku.clear()
        self.shanten = max(shapes.shanten(board.hands[seat].counts), 0)

    def melded(self, board: Board, seat: int) -> None:
        """Look at the hand after a kan of its own, before the rinshan draw; in riichi the waits stay."""
        self._yaku.clear()
        in_riichi = bool(board.riichi[seat])
        if not in_riichi:
            self.settle(board, seat)
        self._look_at_river(board, seat, in_riichi)

    def drew(self) -> None:
        """Forget what discards do: there is one more tile."""
        self._flags = None

    def offered(self, kind: int) -> None:
        """Another seat discards or adds to a kan: if nobody wins, a wait makes furiten at the next event."""
        self._missing = bool(self.waits >> kind & 1) and not self.furiten

    def missed(self) -> None:
        """The next event is here."""
        if self._missing:
            self.furiten, self._missing = True, False

    def is_furiten(self, may_win: bool) -> bool:
        """Whether the seat is furiten now. A wait on which it may not win, for want of a yaku, counts at once."""
        return self.furiten or (self._missing and not may_win)

    def flags(self, tehai: Tehai) -> tuple[int, int]:
        """The kinds whose discard keeps the shanten, and those whose discard lowers it, as bit masks."""
        if self._kept is not None:
            return self._kept
        if self._flags is None:
            counts = tehai.counts
            least, best = shapes.best_discards(counts)
            if least >= self.shanten:
                self._flags = best if least == self.shanten else 0, 0
            else:
                self._flags = self._keeping(counts, tehai.one & ~best), best
        return self._flags

    def _keeping(self, counts: list[int], kinds: int) -> int:
        """Those of the kinds whose discard keeps the shanten."""
        rest, found = counts[:], 0
        for kind in kinds_in(kinds):
            rest[kind] -= 1
            if shapes.shanten(rest) == self.shanten:
                found |= 1 << kind
            rest[kind] += 1
        return found

    def certain(self, board: Board, seat: int, rules: Rules, kinds: int) -> int:
        """Those of the discards in `kinds` after which some unseen tile wins by ron with a yaku of the hand itself, and
        none that completes the hand is in the own river. After an accepted riichi it is the drawn tile, unless the
        hand is furiten."""
        tehai = board.hands[seat]
        if self.shanten > 1 or not board.live:
            return 0
        drawn = tehai.drawn
        if shapes.is_complete(tehai.counts) if drawn is None else self.waits >> KIND[drawn] & 1:
            return 0
        if board.deposited[seat]:
            return 0 if self.furiten or drawn is None else 1 << KIND[drawn]
        found = 0
        kinds &= shapes.tenpai_discards(tehai.counts)
        seen = board.visible_to(seat) if kinds else []
        for kind in kinds_in(kinds):
            if self._wins(board, seat, rules, kind, seen):
                found |= 1 << kind
        return found

    def _wins(self, board: Board, seat: int, rules: Rules, discard: int, seen: list[int]) -> bool:
        tehai = board.hands[seat]
        rest = tehai.counts[:]
        rest[discard] -= 1
        completing = shapes.waits(rest) & ~tehai.four & ~(1 << discard)
        if completing & board.rivers[seat].kinds:
            return False
        return any(
            seen[kind] < 4 and self._has_yaku(board, seat, rules, discard, kind) for kind in kinds_in(completing)
        )

    def _has_yaku(self, board: Board, seat: int, rules: Rules, discard: int, kind: int) -> bool:
        """Whether the hand without a discarded kind wins by ron on `kind`."""
        hand = board.hands[seat].copy()
        hand.remove(discard if hand.holds(discard) else 34 + discard // 9)
        key = bytes(hand.counts), kind
        known = self._yaku.get(key)
        if known is None:
            situation = Situation(seat=seat, round_wind=board.round, tsumo=False)
            known = self._yaku[key] = has_yaku(hand, kind, situation, rules)
        return known


RIICHI: Final = TILES
CHI: Final = 38
PON: Final = 41
KAN: Final = 42
WIN: Final = 43
KYUUSHU: Final = 44
PASS: Final = 45
CLAIMS: Final = 5
"""How many numbers from CHI on are calls of another seat's tile."""
_WORDS: Final[dict[Action, int]] = {actions.TSUMO: WIN, actions.RON: WIN, actions.KYUUSHU: KYUUSHU, actions.PASS: PASS}
_NUMBERED: Final = (actions.Discard, actions.Call, actions.Kan)


def number_of(action: Action) -> int:
    """The number of an action, 0 to 45; for riichi and kans the answer to the first question. What is lost: whether a
    discard is the tile just drawn, and which red five a chi or pon uses. Raises BadInput for an action without a
    number: to declare tenpai or noten, to set a north aside, what is no action."""
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
    """The options that a number means, first the one that Mortal takes; empty if the number is not allowed. `first`:
    the number answers the second question, after 37 or 42. Without it 37 and 42 mean all riichi discards and all kans:
    with one option there is nothing more to ask. Of equal discards the drawn tile comes first, of chi and pon the one
    with a red five of the hand."""
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


OWN_TILES: Final = 7
"""The first planes of all, of the own tiles; the other planes of the moment are the last of all."""
_ALL: Final = (1 << KINDS) - 1
_KIND: Final = KIND
_SHANTENS: Final = 6


def _filled(says: bool) -> int:
    return _ALL if says else 0


def moment(
    version: int, board: Board, hand: OwnHand, offers: Offers, rules: Rules, seat: int, first: int | None
) -> list[int]:
    """The planes in their order. `first`: the second question is asked, after 37 or 42."""
    riichi, kan = first == RIICHI, first == KAN
    tehai = board.hands[seat]
    found = [tehai.one, tehai.two, tehai.three, tehai.four]
    found += [_filled(count > 0) for count in tehai.reds]
    found += [hand.waits, _filled(hand.is_furiten(offers.win))]
    if version == 1:
        found += [_filled(hand.shanten > least) for least in range(_SHANTENS)]
    else:
        found += [_filled(min(hand.shanten, _SHANTENS) == number) for number in range(_SHANTENS + 1)]
    found += [_filled(board.deposited[seat]), _filled(kan)]
    found += _claimed(board) if offers.claims else [0, 0, 0]
    found += _discards(board, hand, offers, rules, seat, riichi) if offers.discards else [0] * 6
    found += [_filled(bool(offers.calls >> CHI + call & 1)) for call in range(CLAIMS)]
    if riichi:
        return [*found, 0, 0, 0, 0]
    return [*found, offers.ankans, offers.kakans, _filled(offers.win), _filled(offers.kyuushu)]


def _claimed(board: Board) -> list[int]:
    tile = board.last_tile
    assert tile is not None, "a claimed tile is seen"
    kind = _KIND[tile]
    return [1 << kind, _filled(tile >= RED_M), _filled(kind in board.dora())]


def _discards(board: Board, hand: OwnHand, offers: Offers, rules: Rules, seat: int, riichi: bool) -> list[int]:
    """The planes of what may be discarded, and of what it does."""
    allowed = kinds_of(offers.discards)
    kinds = kinds_of(offers.riichi) if riichi else allowed
    keeping, lowering = hand.flags(board.hands[seat])
    certain = hand.certain(board, seat, rules, allowed)
    declared = riichi or board.riichi[seat] > 0
    return [kinds, keeping, lowering, certain, _filled(declared), _filled(not declared and offers.riichi > 0)]


def kinds_of(tiles: int) -> int:
    """The kinds of a set of tiles, both as bit masks."""
    kinds = tiles & _ALL
    for tile in range(RED_M, RED_M + 3):
        kinds |= (tiles >> tile & 1) << _KIND[tile]
    return kinds


def doras_seen(board: Board, seat: int, factor: list[int], melded: int, reds: int) -> tuple[int, int, bytes]:
    """The dora in the own hand and melds, those that are unseen, and by kind the copies seen. `factor` says by kind how
    many indicators make it dora; `melded` are dora in own melds, `reds` red fives that all see."""
    tehai, seen = board.hands[seat], board.visible_to(seat)
    red = sum(tehai.reds)
    own, shown = red + melded, red + reds
    for kind in range(KINDS):
        times = factor[kind]
        if times:
            own += tehai.counts[kind] * times
            shown += seen[kind] * times
    return own, 4 * len(board.indicators) + 3 - shown, bytes(seen)
