"""Works out of a decision what its seat can know: for programs that explain, and for people who look.

    for decision in decisions_seen(record, assess):
        decision.view.discards, decision.answer

Tiles are named as in records (`m5`), seats are those of the kyoku, copies count what the seat does not see.
Nothing here is an estimate: how likely a tile deals in, or what an option is worth, is for players to say.
"""

from collections.abc import Iterator
from typing import Literal

import msgspec

from jantaku.table.riichi.flow.hanchan import by_rank
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.seats import after
from jantaku.table.riichi.pieces.tehai import Tehai
from jantaku.table.riichi.pieces.tiles import COPIES, EAST, FIVES, KIND, NAMES, RED_M, kinds_in
from jantaku.table.riichi.points import shapes
from jantaku.table.riichi.points.payments import settle
from jantaku.table.riichi.points.scorer import Situation, hand_value
from jantaku.table.riichi.rules import Rules
from jantaku.table.riichi.ruleset import DEFAULT, preset

Safety = Literal["genbutsu", "no-chance", "suji", "half-suji", "honour", ""]
"""Why a tile is safer than another against a seat, of the reasons that hold the first of these:

`genbutsu`: the seat cannot ron it now. `honour`: it is no part of a run. `no-chance`: no wait on two sides is left, as
all copies of a neighbour are seen. `suji`: every wait on two sides would be furiten; `half-suji`: one of two would.
Only the first excludes every wait.
"""


class WinOutlook(msgspec.Struct, frozen=True):
    """A win: how, with what, its points without honba and sticks, and the winner's rank with them. Without a yaku the
    points are 0. A `riichi` win declares riichi first, without ippatsu and ura dora."""

    by: Literal["ron", "tsumo"]
    tile: str
    riichi: bool
    points: int
    ranks: tuple[int | None, ...]
    """By the seat that pays a ron the winner's rank after it, None for the winner itself; of a tsumo one rank."""


class DiscardOutlook(msgspec.Struct, frozen=True):
    """What a discard leaves: the shanten, and what the hand accepts then with its unseen copies."""

    tile: str
    shanten: int
    accepted: dict[str, int]
    width: int
    """Unseen copies of all accepted tiles."""
    furiten: bool
    """The hand would be tenpai and could not ron, because a wait lies in the own river."""
    safety: tuple[Safety | None, ...]
    """By seat, None for the own one."""
    dora: bool


class Assessment(msgspec.Struct, frozen=True):
    """A decision's facts. `discards` are there if the hand is to discard (the lowest shanten first, then the widest),
    `accepted` if it is to draw, `wins` if it is tenpai or complete."""

    seat: int
    shanten: int
    discards: tuple[DiscardOutlook, ...]
    accepted: dict[str, int]
    furiten: bool
    """A wait lies in the own river. A pass of this turn or in riichi can be a reason, too; options tell that."""
    wins: tuple[WinOutlook, ...]
    unseen: dict[str, int]
    """By kind, the copies that the seat does not see."""


def assess(board: Board, seat: int) -> Assessment:
    """Work out the facts of a decision of `seat`, whose tiles `board` knows. Rules are those of the board, or Tenhou's
    if it has none."""
    hand, seen = board.hands[seat], board.visible_to(seat)
    rules = board.rules or preset(DEFAULT)
    to_discard = hand.size % 3 == 2
    number = shapes.shanten(hand.counts)
    waiting = 0 if to_discard else shapes.waits(hand.counts)
    return Assessment(
        seat=seat,
        shanten=number,
        discards=tuple(_discards(board, seat, seen)) if to_discard else (),
        accepted={} if to_discard else _copies(shapes.useful(hand.counts)[1], seen),
        furiten=bool(waiting & board.rivers[seat].kinds),
        wins=tuple(_wins(board, seat, rules, waiting)),
        unseen={NAMES[kind]: COPIES - count for kind, count in enumerate(seen) if count < COPIES},
    )


def _copies(kinds: int, seen: list[int]) -> dict[str, int]:
    return {NAMES[kind]: COPIES - seen[kind] for kind in kinds_in(kinds) if seen[kind] < COPIES}


def _discards(board: Board, seat: int, seen: list[int]) -> list[DiscardOutlook]:
    """The outlook of every different tile of the hand; a red five counts as a tile of its own."""
    hand, dora = board.hands[seat], board.dora()
    river = board.rivers[seat].kinds
    safe = [None if other == seat else _safe_kinds(board, other) for other in range(board.seats)]
    found = []
    for tile in dict.fromkeys(hand.tiles):
        rest = hand.counts[:]
        rest[KIND[tile]] -= 1
        number, kinds = shapes.useful(rest)
        accepted = _copies(kinds, seen)
        found.append(
            DiscardOutlook(
                tile=NAMES[tile],
                shanten=number,
                accepted=accepted,
                width=sum(accepted.values()),
                furiten=number == 0 and bool(kinds & (river | 1 << KIND[tile])),
                safety=tuple(None if each is None else _safety(KIND[tile], *each, seen) for each in safe),
                dora=KIND[tile] in dora or KIND[tile] != tile,
            )
        )
    return sorted(found, key=lambda each: (each.shanten, -each.width))


def _safe_kinds(board: Board, seat: int) -> tuple[int, int]:
    """The kinds that a seat cannot ron now, and those that it can never ron with the hand that it has."""
    now = board.safe_against(seat)
    return now, now if board.riichi[seat] else board.rivers[seat].kinds


def _safety(kind: int, now: int, ever: int, seen: list[int]) -> Safety:
    """How safe a tile is against a seat that cannot ron the kinds in `now`, and those in `ever` in no later turn."""
    if now >> kind & 1:
        return "genbutsu"
    if kind >= EAST:
        return "honour"
    rank = kind % 9
    sides = [step for step in (-3, 3) if 0 <= rank + step < 9]
    walls = [seen[kind + step // 3] == COPIES or seen[kind + step // 3 * 2] == COPIES for step in sides]
    if all(walls):
        return "no-chance"
    suji = [bool(ever >> kind + step & 1) or wall for step, wall in zip(sides, walls, strict=True)]
    return "suji" if all(suji) else "half-suji" if any(suji) else ""


def _wins(board: Board, seat: int, rules: Rules, waiting: int) -> Iterator[WinOutlook]:
    """The wins with every wait, or the one with the drawn tile of a complete hand."""
    hand = board.hands[seat]
    if hand.drawn is not None and shapes.is_complete(hand.counts):
        yield _win(board, seat, rules, hand, hand.drawn, tsumo=True, riichi=False)
    can_declare = hand.is_closed and not board.riichi[seat]
    for kind in kinds_in(waiting & ~shapes.own_four(hand)):
        for tile in (kind, *_unseen_red(board, seat, rules, kind)):
            drawn = hand.copy()
            drawn.draw(tile)
            for riichi in (False, True)[: 1 + can_declare]:
                yield _win(board, seat, rules, hand, tile, tsumo=False, riichi=riichi)
                yield _win(board, seat, rules, drawn, tile, tsumo=True, riichi=riichi)


def _unseen_red(board: Board, seat: int, rules: Rules, kind: int) -> list[int]:
    """The red five of a kind, if the seat does not see them all, or is asked about one."""
    if kind not in FIVES:
        return []
    suit = FIVES.index(kind)
    if board.last_tile == RED_M + suit and board.last_seat != seat:
        return [RED_M + suit]
    seen = [*board.indicators, *board.hands[seat].tiles]
    for hand, river in zip(board.hands, board.rivers, strict=True):
        seen += [tile for place, tile in enumerate(river.tiles) if place not in river.called_by]
        seen += [tile for meld in hand.melds for tile in meld.tiles]
    in_play = (rules.tiles.red_m, rules.tiles.red_p, rules.tiles.red_s)[suit]
    return [RED_M + suit] if seen.count(RED_M + suit) < in_play else []


def _win(board: Board, seat: int, rules: Rules, hand: Tehai, tile: int, *, tsumo: bool, riichi: bool) -> WinOutlook:
    now = hand is board.hands[seat] and (tsumo or tile == board.last_tile)  # not a win that is still to come
    situation = Situation(
        seat=seat,
        round_wind=board.round % 4,
        tsumo=tsumo,
        riichi=1 if riichi else board.riichi[seat],
        ippatsu=board.ippatsu[seat] and rules.riichi.ippatsu and not riichi,
        rinshan=tsumo and now and board.rinshan,
        haitei=tsumo and now and not board.live,
        houtei=not tsumo and now and not board.live,
        first_turn=tsumo and now and board.first_round and not board.rivers[seat].tiles,
        dora=tuple(board.indicators),
    )
    value = hand_value(hand, tile, situation, rules)
    payers = [None] if tsumo else [None if other == seat else other for other in range(board.seats)]
    ranks: list[int | None] = []
    points = 0
    for payer in payers:
        if value is None or (payer is None and not tsumo):
            ranks.append(None)
            continue
        paid = settle(value, seat, payer, rules, honba=board.honba, sticks=board.sticks)
        points = paid.defen
        scores = [score + gain for score, gain in zip(board.scores, paid.total, strict=True)]
        ranks.append(_rank(board, scores, seat))
    return WinOutlook("tsumo" if tsumo else "ron", NAMES[tile], riichi, points, tuple(ranks))


def _rank(board: Board, scores: list[int], seat: int) -> int:
    """The rank of a seat with these points, from 1."""
    return by_rank(scores, after(0, -board.kyoku, board.seats)).index(seat) + 1
