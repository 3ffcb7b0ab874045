"""Hidden hands of a position, drawn at random from all that the seat does not see, as likely as they are by what their
seats have done (`likely.py`). A seat in riichi gets a hand of sets and a pair that waits for a tile it may still win
with."""

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from math import comb, prod

from jantaku.table.ground.chance import Numbers, shuffled
from jantaku.table.riichi.line.likely import STEPS, Likely
from jantaku.table.riichi.line.position import Position, Unlikely
from jantaku.table.riichi.pieces.tiles import EAST, KIND, KINDS, NORTH, full_set
from jantaku.table.riichi.pieces.wall import HAND
from jantaku.table.riichi.points import shapes

_WAITS = 30
"""Hands that are drawn for a seat in riichi; if every one waits for a tile that went by, the last is taken."""


def hidden_hands(position: Position, numbers: Numbers, steps: int = STEPS) -> tuple[list[list[int]], list[int]]:
    """Draw the concealed tiles of every seat at the question, by seat, and return with them the tiles that are left for
    the wall. The seat that is asked has its own, with the tile just drawn. `steps`: see `Likely.drawn`; with 0 every
    hand of a seat without riichi is as likely as any other. Raises Unlikely if a seat in riichi got no tenpai."""
    board, own, unseen = position.board, position.seat, unseen_by(position)
    closed = [list(hand.tiles) if seat == own else [] for seat, hand in enumerate(board.hands)]
    for seat in sorted(set(range(board.seats)) - {own}, key=lambda one: not board.riichi[one]):
        size = HAND - 3 * len(board.hands[seat].melds)
        if board.riichi[seat]:
            pool = shuffled(unseen.elements(), numbers)
            closed[seat] = _tenpai(pool, size, board.safe_against(seat), numbers)
        else:
            closed[seat] = Likely(board, seat).drawn(list(unseen.elements()), size, numbers, steps)
        unseen.subtract(closed[seat])
    return closed, list(unseen.elements())


def unseen_by(position: Position) -> Counter[int]:
    """The tiles that the seat does not see."""
    board, rules = position.board, position.rules
    unseen = Counter(full_set(rules.tiles.red_m, rules.tiles.red_p, rules.tiles.red_s, board.seats))
    unseen.subtract([*board.indicators, *board.hands[position.seat].tiles])
    for hand, river in zip(board.hands, board.rivers, strict=True):
        unseen.subtract([tile for place, tile in enumerate(river.tiles) if place not in river.called_by])
        unseen.subtract([tile for meld in hand.melds for tile in meld.tiles])
        unseen.subtract([NORTH] * hand.aside)
    return unseen


def _tenpai(pool: Sequence[int], size: int, passed: int, numbers: Numbers) -> list[int]:
    """Draw a hand in tenpai from the pool, if possible one that waits for no kind of `passed`."""
    kinds: list[int] = []
    for _ in range(_WAITS):
        left_over = Counter(KIND[tile] for tile in pool)
        kinds = _sets(left_over, size // 3, numbers) or (_pairs(left_over, numbers) if size == HAND else [])
        if not kinds:
            raise Unlikely
        kinds.pop(numbers.below(len(kinds)))
        counts = [kinds.count(kind) for kind in range(KINDS)]
        if (waits := shapes.waits(counts)) and not waits & passed:
            break
    left = list(pool)
    return [left.pop(next(at for at, tile in enumerate(left) if KIND[tile] == kind)) for kind in kinds]


_RUNS = [(kind, kind + 1, kind + 2) for kind in range(EAST) if kind % 9 < 7]
_TRIPLETS, _PAIRS = ([(kind,) * size for kind in range(KINDS)] for size in (3, 2))


def _sets(left: Counter[int], sets: int, numbers: Numbers) -> list[int]:
    """Draw sets and a pair, each as likely as its copies make it; empty if there are too few."""
    rest, kinds = left.copy(), list[int]()
    for groups in [*[[*_RUNS, *_TRIPLETS]] * sets, _PAIRS]:
        ways = [prod(comb(rest[kind], group.count(kind)) for kind in set(group)) for group in groups]
        if not sum(ways):
            return []
        pick = numbers.below(sum(ways))
        group = groups[next(at for at, upto in enumerate(accumulate(ways)) if pick < upto)]
        kinds += group
        rest.subtract(group)
    return kinds


def _pairs(left: Counter[int], numbers: Numbers) -> list[int]:
    """Draw seven different pairs; empty if there are too few."""
    there = [kind for kind in range(KINDS) if left[kind] > 1]
    return sorted(shuffled(there, numbers)[:7] * 2) if len(there) >= 7 else []
