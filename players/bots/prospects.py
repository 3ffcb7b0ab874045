"""What a hand may bring and what a discard may cost, in points: chances to win, values, losses, ranks at the end.

The numbers are rough models of a table of fair players. They only have to order actions well.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import erf, sqrt
from typing import Final

from jantaku.players.bots.danger import danger
from jantaku.players.bots.worth import Worth
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.melds import Meld, MeldKind
from jantaku.table.riichi.pieces.tehai import Tehai
from jantaku.table.riichi.pieces.tiles import EAST, FIVES, KIND, RED, WHITE, YAOCHUU, kinds_in, mask_of
from jantaku.table.riichi.points import shapes
from jantaku.table.riichi.points.payments import base_points
from jantaku.table.riichi.points.yaku import HandValue
from jantaku.table.riichi.rules import Rules

STAYS: Final = 0.88
"""The chance that nobody else ends the kyoku in a go-round."""
THREATENED: Final = 0.06
"""How much less likely that is for each seat that waits."""
PAID: Final = 0.42
"""How likely one other seat discards a wait in a go-round, as a share of how likely it is drawn."""
PAID_IN_RIICHI: Final = 0.36
WIDTHS: Final = (5.5, 17.0, 26.0, 34.0, 42.0, 50.0, 56.0)
"""Unseen tiles that help, by shanten, where they are not counted."""
CALLED: Final = 2.6
"""How many times as fast an open hand comes on: it may call, too."""
ROUNDS: Final = {"tonpu": 1, "hanchan": 2, "yonchan": 4}
"""Rounds of a game; the other lengths are one kyoku."""
RANK: Final = 10000.0
"""Points that a rank is worth."""
SWING: Final = 6500.0
"""By how much one kyoku changes the lead of one seat over another, as a standard deviation."""
UNDECIDED: Final = 0.5
"""How many kyoku one is worth that goes on."""
LATER: Final = 0.03
"""How likely a seat that goes on loses to one that waits, later in the kyoku, for each step to the win."""
OPEN_LOSS: Final = (0.0, 0.04, 0.18, 0.45, 0.85)
"""By melds that came from others: how likely the hand is tenpai, late in a kyoku."""
_CHI: Final = MeldKind.CHI  # a copy for speed: compiled code looks another module's names up at every use


class Threat:
    """Another seat to which a discard may be lost: its safe kinds, how likely it waits, and what a ron would cost."""

    __slots__ = ("chance", "loss", "safe")

    def __init__(self, safe: int, chance: float, loss: float) -> None:
        self.safe, self.chance, self.loss = safe, chance, loss


def threats_of(board: Board, own: int, rules: Rules) -> list[Threat]:
    """The seats that may be tenpai: those in riichi, and those with melds."""
    found, dora = [], board.dora()
    gone_by = 70 - board.live if board.seats == 4 else 55 - board.live
    for seat in range(board.seats):
        if seat == own:
            continue
        hand, dealer = board.hands[seat], seat == 0
        if board.riichi[seat]:
            found.append(Threat(board.safe_against(seat), 1.0, 7800.0 if dealer else 5400.0))
            continue
        opened = sum([meld.is_open for meld in hand.melds])
        chance = OPEN_LOSS[min(opened, 4)] * min(1.0, gone_by / 45)
        if chance > 0.05:
            han = sum([dora.count(KIND[tile]) + (tile != KIND[tile]) for meld in hand.melds for tile in meld.tiles])
            loss = (1500.0, 2600.0, 4800.0, 8000.0)[min(han, 3)] * (1.5 if dealer else 1.0)
            found.append(Threat(board.safe_against(seat), chance, loss))
    return found


def cost_of(
    kind: int, threats: Sequence[Threat], seen: list[int], gone: int, weight: float, worth: Callable[[float], float]
) -> float:
    """What a discard of a kind costs on average, by the `worth` of the points lost; `weight`: of a win with it."""
    total = 0.0
    for threat in threats:
        if not threat.safe >> kind & 1:
            chance = threat.chance * danger(kind, threat.safe, seen[kind], gone) / 1000
            total -= chance * min(0.0, worth(-threat.loss * weight))
    return total


@lru_cache(1 << 16)
def chance_of(widths: tuple[float, ...], unseen: int, draws: int, paid: float, stays: float, others: int = 3) -> float:
    """How likely a hand wins within `draws` own draws. `widths` has the number of unseen tiles that bring each step,
    the last step to the win first, out of `unseen` tiles in all; `others` is how many other seats may discard the wait.
    `paid` and `stays` are as `PAID` and `STAYS` say."""
    if draws <= 0:
        return 0.0
    width = widths[-1] / unseen
    if len(widths) == 1:
        width = 1 - (1 - width) * (1 - min(width * paid, 1.0)) ** others
        return width + (1 - width) * stays * chance_of(widths, unseen, draws - 1, paid, stays, others)
    width = min(width, 1.0)
    on = chance_of(widths[:-1], unseen, draws - 1, paid, stays, others)
    return stays * (width * on + (1 - width) * chance_of(widths, unseen, draws - 1, paid, stays, others))


class Ranking:
    """What points are worth: the ranks that they are likely to win or lose, in points. Every other seat's lead is a
    chance to end before it, which depends on how many kyoku are left to turn it over."""

    def __init__(self, board: Board, seat: int, rules: Rules) -> None:
        seats, scores = board.seats, board.scores
        last = ROUNDS.get(rules.game.length, 0) * seats - 1
        self.left: Final = max(0, last - board.round * seats - board.kyoku)
        """How many kyoku follow this one at least."""
        self._own, self._tobi = scores[seat], rules.game.tobi
        place = (seat + board.kyoku) % seats  # of equal scores the one nearer to the first dealer ranks higher
        self._leads = [
            scores[seat] - scores[other] + (50 if place < (other + board.kyoku) % seats else -50)
            for other in range(seats)
            if other != seat
        ]
        self._now = self._ahead(0.0, self.left + UNDECIDED)

    def worth(self, points: float) -> float:
        """What it is worth to end the kyoku with a gain of these points, beside a kyoku that somebody else ends."""
        over = self._tobi and self._own + points < 0
        return RANK * (self._ahead(points * 4 / 3, 0 if over else self.left) - self._now) + 0.05 * points

    def _ahead(self, points: float, kyoku: float) -> float:
        """How many other seats probably end behind this one, if it gains `points` now and `kyoku` more are played."""
        spread = max(100.0, SWING * sqrt(2 * kyoku))
        return sum([0.5 + 0.5 * erf((lead + points) / spread) for lead in self._leads])


def expected_points(han: float, dealer: bool, rules: Rules) -> float:
    """The points of a hand with 30 fu. `han` may lie between two whole numbers: then the points do, too."""
    whole = min(int(han), 13)
    low, high = (4 * base_points(30, number, 0, rules.score) if number else 600 for number in (whole, whole + 1))
    return (low + (high - low) * (han - whole)) * (1.5 if dealer else 1.0)


def points_of(value: HandValue, more: float, dealer: bool, rules: Rules) -> float:
    """The points of a hand that has `more` han on average than its value says."""
    if value.yakuman:
        return 4 * base_points(0, 0, value.yakuman, rules.score) * (1.5 if dealer else 1.0)
    whole = int(more)
    low, high = (4 * base_points(value.fu, value.han + n, 0, rules.score) for n in (whole, whole + 1))
    return (low + (high - low) * (more - whole)) * (1.5 if dealer else 1.0)


def han_of(board: Board, seat: int, counts: list[int], melds: Sequence[Meld], reds: int) -> tuple[float, float]:
    """The han that a hand of these concealed kinds may expect: those that make it a win, and dora beside them."""
    yakuhai = [EAST + seat, EAST + board.round % 4, *range(WHITE, RED + 1)]
    honours = [1.0 if counts[kind] >= 3 else 0.35 if counts[kind] == 2 else 0.0 for kind in yakuhai]
    held, laid, is_open = shapes.held(counts), 0, False
    extra, tiles = reds, list[int]()
    for meld in melds:
        is_open = is_open or meld.is_open
        for tile in meld.tiles:
            kind: int = KIND[tile]
            tiles.append(kind)
            laid |= 1 << kind
            extra += tile != kind
        for place, kind in enumerate(yakuhai):
            if kind == tiles[-1] and meld.kind != _CHI:
                honours[place] = 1.0
    for kind in board.dora():
        extra += counts[kind] + tiles.count(kind)
    yaku = 0.0
    for han in honours:
        yaku += han
    if not laid & YAOCHUU:
        strangers = sum([counts[kind] for kind in kinds_in(held & YAOCHUU)])
        yaku += 1.0 if not strangers else 0.5 if strangers == 1 else 0.15 if strangers == 2 else 0.0
    yaku += _of_one_suit(held | laid, counts, is_open=is_open)
    return yaku, float(extra)


def plan_of(worth: Worth, melds: Sequence[Meld], counts: list[int], rules: Rules) -> int:
    """The kinds that a hand with these melds may consist of without losing its yaku: all kinds with a 役牌 or a closed
    hand, else simples for 断幺九, or one suit and honours for 混一色; 0 if there is no yaku in sight."""
    simples = worth.plan(melds, counts)
    if simples == worth.all:
        return simples
    laid = mask_of([KIND[tile] for meld in melds for tile in meld.tiles])
    plans = [worth.all & ~YAOCHUU] if rules.score.open_tanyao else []
    plans += [worth.all & (0x1FF << 9 * suit | 0x7F << EAST) for suit in range(3)]
    plans = [plan for plan in plans if not laid & ~plan]
    return min(plans, key=lambda plan: strangers_to(plan, counts)) if plans else 0


def strangers_to(plan: int, counts: list[int]) -> int:
    """How many concealed tiles lie outside of a plan."""
    return sum([count for kind, count in enumerate(counts) if count and not plan >> kind & 1])


def _of_one_suit(held: int, counts: list[int], *, is_open: bool) -> float:
    """The han of 混一色 and 清一色, as far as they are near."""
    best = 0.0
    sizes = [sum(counts[at : at + 9]) for at in (0, 9, 18)]
    for suit in range(3):
        if not held >> 9 * suit & 0x1FF:
            continue
        laid, others = False, 0
        for other in range(3):
            if other != suit:
                others += sizes[other]
                laid = laid or (held >> 9 * other & 0x1FF != 0 and not sizes[other])
        if not laid and others <= 2:
            han = (2.0 if is_open else 3.0) + (3.0 if not held >> EAST else 0.0)
            best = max(best, han * (1.0, 0.6, 0.25)[others])
    return best


def only_red(kind: int, hand: Tehai) -> bool:
    """Whether the hand has no plain five of this kind, only red ones."""
    return kind in FIVES and hand.reds[kind // 9] == hand.counts[kind]
