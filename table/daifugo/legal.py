"""Which plays are legal, and why others are not, in neof5's own words (§5.2, §6)."""

from collections.abc import Iterable, Sequence
from enum import StrEnum

from jantaku.table.daifugo.cards import THREE, TWO, naturals, rank_of, strength
from jantaku.table.daifugo.plays import is_kaidan, is_one_rank, kaidan_plays, one_rank_plays, representative
from jantaku.table.daifugo.rules import Rules


class Trick:
    """A trick from its lead to the 流れ. A pass does not exclude a seat: it may play again later."""

    def __init__(self) -> None:
        self._maker: int | None = None
        self._passed: set[int] = set()

    def play(self, seat: int) -> None:
        self._maker = seat
        self._passed.clear()

    def pass_by(self, seat: int) -> None:
        self._passed.add(seat)

    def is_over(self, holders: Iterable[int]) -> bool:
        """Whether all seats that still hold cards, except the maker of the last play, have passed since that play."""
        return all(seat == self._maker or seat in self._passed for seat in holders)


class Reason(StrEnum):
    """Why a play is refused. Clients of neof5 expect exactly these texts, full stops included (§5.2)."""

    NOT_YOUR_TURN = "手番が違います。"
    LEADER_PASSES = "親なのでパスできません。"
    NOT_IN_HAND = "手札にないカードを出そうとしています。"
    RANKS_DIFFER = "数字が異なるカードが含まれています。"
    COUNT_DIFFERS = "枚数が一致していません。"
    NOT_STRONGER = "強いカードではありません。"
    NOT_KAIDAN = "カードが階段でない"
    TRICK_IS_NO_KAIDAN = "場が階段でない"


class Foul(StrEnum):
    """Why going out with a play is forbidden (§6.5)."""

    JOKER = "ジョーカーあがりは禁止です"
    HIGHEST = "２あがり（革命時は３あがり）は禁止です"


def refusal(rules: Rules, top: Sequence[int], cards: Sequence[int], revolution: bool) -> Reason | None:
    """Why `cards` may not follow `top` (empty: they lead); None if they may. The hand is not checked. No cards mean a
    pass, which is always legal here: `why_not` checks that the leader may not pass."""
    reason = _refusal_a(top, cards, revolution)
    if reason is None or rules.game.letter == "A":
        return reason
    if not top:
        return None if is_kaidan(cards) else reason
    if is_kaidan(top):
        return _refusal_on_kaidan(rules, top, cards, revolution)
    return Reason.TRICK_IS_NO_KAIDAN if is_kaidan(cards) else reason


def _refusal_a(top: Sequence[int], cards: Sequence[int], revolution: bool) -> Reason | None:
    """The refusal by the rules of class A. A kaidan is not a set of one rank, so nothing may follow it."""
    mine = representative(cards)
    if mine is None:
        return None
    if not is_one_rank(cards):
        return Reason.RANKS_DIFFER
    other = representative(top)
    if other is None:
        return None
    if len(cards) != len(top):
        return Reason.COUNT_DIFFERS
    beats = is_one_rank(top) and strength(mine, revolution) > strength(other, revolution)
    return None if beats else Reason.NOT_STRONGER


def _refusal_on_kaidan(rules: Rules, top: Sequence[int], cards: Sequence[int], revolution: bool) -> Reason | None:
    """The refusal on a kaidan. Only natural cards count: the weakest new one must beat the strongest old one (§6.3)."""
    if not is_kaidan(cards):
        return Reason.NOT_KAIDAN
    if rules.kaidan.length == "same" and len(cards) != len(top):
        return Reason.COUNT_DIFFERS
    weakest = min(strength(card, revolution) for card in naturals(cards))
    strongest = max(strength(card, revolution) for card in naturals(top))
    return None if weakest > strongest else Reason.NOT_STRONGER


def why_not(
    rules: Rules, hand: Sequence[int], top: Sequence[int], cards: Sequence[int], revolution: bool
) -> Reason | None:
    """Why the player on turn, with this hand, may not play `cards` (empty: pass); None if it may (§5.2 #3-#9)."""
    if not cards and not top:
        return Reason.LEADER_PASSES
    # All cards are checked, and each may occur once: the original checked only one of them (§7.1 #1, #2).
    if len(set(cards)) < len(cards) or not set(cards) <= set(hand):
        return Reason.NOT_IN_HAND
    return refusal(rules, top, cards, revolution)


def legal_plays(rules: Rules, hand: Sequence[int], top: Sequence[int], revolution: bool) -> list[tuple[int, ...]]:
    """All plays that the player on turn may make: the pass first if it is legal, then small sets first, weak ones
    first."""
    plays = one_rank_plays(hand) + (kaidan_plays(hand) if rules.game.letter == "B" else [])
    if top:
        plays = [cards for cards in plays if refusal(rules, top, cards, revolution) is None]
    plays.sort(key=lambda cards: (len(cards), _weakness(cards, revolution), cards))
    return [(), *plays] if top else plays


def _weakness(cards: Sequence[int], revolution: bool) -> int:
    return min(strength(card, revolution) for card in cards)


def weakest_single(hand: Sequence[int], revolution: bool) -> tuple[int, ...]:
    """The default for a leader that gives no answer: the weakest card in the current order, the joker last."""
    return (min(hand, key=lambda card: (strength(card, revolution), card)),)


def foul(rules: Rules, cards: Sequence[int], revolution: bool) -> Foul | None:
    """Why going out with `cards` is forbidden, None if it is not (§6.5). Class A forbids nothing."""
    if rules.game.letter == "A":
        return None
    real = naturals(cards)
    if not real:
        return Foul.JOKER
    highest = THREE if revolution else TWO
    return Foul.HIGHEST if any(rank_of(card) == highest for card in real) else None
