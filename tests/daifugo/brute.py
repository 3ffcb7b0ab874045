"""A second judge of plays, slow and by other means: it works on texts and tries every meaning of a joker.

Nothing here imports the game, so that a wrong ruling is missed only if both are wrong in the same way.
"""

from collections.abc import Sequence

ORDER = ["3", "4", "5", "6", "7", "8", "9", "0", "J", "Q", "K", "A", "2"]
SUITS = ["S", "H", "D", "C"]


def split(cards: Sequence[str]) -> tuple[list[str], int]:
    return [card for card in cards if card != "JK"], sum(card == "JK" for card in cards)


def scale(revolution: bool) -> list[str]:
    """Return the ranks from weak to strong, the joker last."""
    return (ORDER[::-1] if revolution else ORDER) + ["K!"]


def power(rank: str, revolution: bool) -> int:
    return scale(revolution).index(rank)


def set_rank(cards: Sequence[str]) -> str | None:
    """Return the rank of a set of one rank (`K!` for jokers alone), None if it is no such set."""
    natural, _ = split(cards)
    if not natural:
        return "K!"
    for rank in ORDER:
        if all(card[1] == rank for card in natural):
            return rank
    return None


def runs(size: int) -> list[list[str]]:
    return [[suit + rank for rank in ORDER[low : low + size]] for suit in SUITS for low in range(len(ORDER) - size + 1)]


def is_run(cards: Sequence[str]) -> bool:
    """Return whether a run consists of these natural cards and as many others as there are jokers."""
    natural, jokers = split(cards)
    if len(cards) < 3 or not natural or len(set(natural)) < len(natural):
        return False
    return any(set(natural) <= set(run) and len(set(run) - set(natural)) == jokers for run in runs(len(cards)))


def verdict_a(top: Sequence[str], cards: Sequence[str], revolution: bool) -> str:
    """Return the word of §9.4 for a play of class A: OK, DIFF, CNT or WEAK."""
    if not cards:
        return "OK"
    rank = set_rank(cards)
    if rank is None:
        return "DIFF"
    if not top:
        return "OK"
    if len(top) != len(cards):
        return "CNT"
    beaten = set_rank(top)
    if beaten is None or power(rank, revolution) <= power(beaten, revolution):
        return "WEAK"
    return "OK"


def verdict(letter: str, same: bool, top: Sequence[str], cards: Sequence[str], revolution: bool) -> str:
    """Return the word for a play; class B also has NO_KAIDAN and BA_NO_KAIDAN. `same`: kaidan must have equal
    length."""
    word = verdict_a(top, cards, revolution)
    if word == "OK" or letter == "A":
        return word
    if not top:
        return "OK" if is_run(cards) else word
    if not is_run(top):
        return "BA_NO_KAIDAN" if is_run(cards) else word
    if not is_run(cards):
        return "NO_KAIDAN"
    if same and len(top) != len(cards):
        return "CNT"
    for mine in split(cards)[0]:
        for other in split(top)[0]:
            if power(mine[1], revolution) <= power(other[1], revolution):
                return "WEAK"
    return "OK"


def all_plays(
    letter: str, same: bool, hand: Sequence[str], top: Sequence[str], revolution: bool
) -> set[frozenset[str]]:
    """Return every legal play of a hand, found by trying each of its 2^n subsets."""
    found = set()
    for mask in range(1, 1 << len(hand)):
        cards = [card for at, card in enumerate(hand) if mask >> at & 1]
        if verdict(letter, same, top, cards, revolution) == "OK":
            found.add(frozenset(cards))
    if top:
        found.add(frozenset())
    return found
