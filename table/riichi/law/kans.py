"""Kans on the seat's own turn, and the ankan that riichi still allows (S-56, S-57, S-76)."""

from collections.abc import Iterator
from typing import Final

from jantaku.table.riichi.pieces.board import MOST_KANS, Board
from jantaku.table.riichi.pieces.melds import Meld, MeldKind, ankan, kakan
from jantaku.table.riichi.pieces.tehai import Tehai
from jantaku.table.riichi.pieces.tiles import EAST, FIVES, KIND, KINDS, RED_M
from jantaku.table.riichi.points import shapes
from jantaku.table.riichi.rules import Rules

# a Final copy for speed: compiled code looks another module's names up at every use
_PON: Final = MeldKind.PON


def own_kans(board: Board, rules: Rules, seat: int, waits: int) -> list[Meld]:
    """The ankan and kakan that `seat`, having drawn, may make. `waits` are its waits before the draw. There are none
    with the last tile of the wall, and none after four kans (S-61, S-82)."""
    hand = board.hands[seat]
    if not board.live or board.kans == MOST_KANS:
        return []
    if board.riichi[seat]:
        return _ankan_in_riichi(hand, rules, waits)
    kans = [_ankan_of(hand, kind) for kind in range(KINDS) if hand.four >> kind & 1] if hand.four else []
    for meld in hand.melds:
        if meld.kind is _PON:
            kind = KIND[meld.own[0]]
            if hand.counts[kind]:
                kans.append(kakan(meld, tiles_of_kind(hand, kind)[0]))
    return kans


def tiles_of_kind(hand: Tehai, kind: int) -> list[int]:
    """The concealed tiles of one kind, red fives first."""
    reds = hand.reds[kind // 9] if kind in FIVES else 0
    return [RED_M + kind // 9] * reds + [kind] * (hand.counts[kind] - reds)


def _ankan_of(hand: Tehai, kind: int) -> Meld:
    return ankan(*tiles_of_kind(hand, kind))


def _ankan_in_riichi(hand: Tehai, rules: Rules, waits: int) -> list[Meld]:
    """The ankan allowed in riichi: it uses the tile just drawn, and the hand keeps its waits as `riichi.ankan`
    demands."""
    level = rules.riichi.ankan
    if level == "never" or hand.drawn is None or not hand.four >> KIND[hand.drawn] & 1:
        return []
    kind = KIND[hand.drawn]
    before = hand.counts[:]
    before[kind] -= 1
    after = hand.counts[:]
    after[kind] = 0
    waits_after = shapes.waits(after)
    if level == "shape":
        allowed = bool(waits_after) and _readings(before, waits) <= _readings(after, waits_after)
    else:
        allowed = waits_after == waits and (level == "waits" or _always_triplet(before, kind, waits))
    return [_ankan_of(hand, kind)] if allowed else []


Groups = tuple[tuple[int, ...], ...]


def divisions(counts: list[int], has_pair: bool = False, start: int = 0) -> Iterator[Groups]:
    """Every way to read concealed tiles as triplets, runs and one pair. `counts` is restored afterwards."""
    while start < KINDS and not counts[start]:
        start += 1
    if start == KINDS:
        if has_pair:
            yield ()
        return
    run = (start, start + 1, start + 2)
    shapes_here: list[tuple[int, ...]] = [(start,) * 3] if counts[start] >= 3 else []
    if not has_pair and counts[start] >= 2:
        shapes_here.append((start,) * 2)
    if start < EAST and start % 9 < 7 and counts[start + 1] and counts[start + 2]:
        shapes_here.append(run)
    for group in shapes_here:
        for kind in group:
            counts[kind] -= 1
        for rest in divisions(counts, has_pair or len(group) == 2, start):
            yield (group, *rest)
        for kind in group:
            counts[kind] += 1


def _wins(counts: list[int], waits: int) -> Iterator[tuple[int, Groups]]:
    """Yield (winning kind, reading) for every wait."""
    for kind in range(KINDS):
        if waits >> kind & 1:
            counts[kind] += 1
            for groups in divisions(counts):
                yield kind, groups
            counts[kind] -= 1


def _readings(counts: list[int], waits: int) -> int:
    """The number of ways in which the hand wins: pairs of a decomposition and a group in it that the winning tile
    completes."""
    return sum(len({group for group in groups if kind in group}) for kind, groups in _wins(counts, waits))


def _always_triplet(counts: list[int], kind: int, waits: int) -> bool:
    """Whether three tiles of `kind` are a triplet in every reading of every win."""
    return all((kind,) * 3 in groups for _, groups in _wins(counts, waits))
