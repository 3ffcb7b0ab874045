"""What each answer to a question may win and may cost, in points: the decisions of the bot `allround`. Compiled with
the core: its games, and playouts by it, spend most of their time here."""

from typing import Final

from jantaku.players.base import RiichiPlayer
from jantaku.players.bots import prospects
from jantaku.players.bots.danger import all_gone
from jantaku.players.bots.thought import Thought
from jantaku.players.bots.worth import Worth
from jantaku.table.ground.port import Action, Question
from jantaku.table.riichi.actions import Call, Discard
from jantaku.table.riichi.pieces.melds import Meld, MeldKind
from jantaku.table.riichi.pieces.tehai import Tehai
from jantaku.table.riichi.pieces.tiles import KIND, RED_M, kinds_in, mask_of
from jantaku.table.riichi.points import shapes
from jantaku.table.riichi.points.scorer import Situation, hand_value
from jantaku.table.riichi.ruleset import preset

RIICHI: Final = 1.6
"""The han that a riichi brings on average, with ura dora, ippatsu and tsumo."""
FARTHEST: Final = 1
"""The largest shanten, after a call, of a hand that is opened without a 役牌."""
KEPT: Final = 5.0
"""What it is worth at least to be no further from tenpai."""
NOTEN: Final = 1500.0
"""What tenpai is worth at an empty wall."""
ENDS: Final = 0.9
"""The chance that nobody wins in a go-round, late in a kyoku."""
LOOKED_AHEAD: Final = 2
"""The largest shanten at which the next step is counted, too."""


class Weighing:
    """The table as a seat sees it at one question, and what each of its answers may bring."""

    def __init__(self, player: RiichiPlayer) -> None:
        board, seat = player.board, player.seat
        self.board, self.seat, self.hand = board, seat, player.hand
        self.rules = board.rules or preset("tenhou")
        self.seen = player.visible
        self.unseen = max(1, (136 if board.seats == 4 else 108) - sum(self.seen))
        self.draws = max(0, board.live) // board.seats
        self.dora = board.dora()
        self.worth = Worth(seat, board.round, self.dora, board.seats)
        self.ranking = prospects.Ranking(board, seat, self.rules)
        self.threats = prospects.threats_of(board, seat, self.rules)
        self.gone = all_gone(self.seen)
        self.river = board.rivers[seat].kinds
        waiting = sum([threat.chance for threat in self.threats])
        self.stays = prospects.STAYS - prospects.THREATENED * min(2.0, waiting)
        lost = sum([threat.chance * min(0.0, self.ranking.worth(-threat.loss)) for threat in self.threats])
        self.later = -prospects.LATER * lost
        """What going on costs if the hand does not win."""

    # --- the own turn

    def turn(self, player: RiichiPlayer, question: Question) -> Action:
        """Return the action with 14 tiles if it cannot win."""
        special = Thought(self.board, self.seat, player.threats).special(question.choice)
        return special or self.discard(player.find_all(question, Discard))

    def discard(self, discards: list[Discard]) -> Discard:
        _, kind, riichi = max(self.weighed(discards), key=lambda one: one[0])
        return self.pick(discards, kind, riichi)

    def ranked(self, discards: list[Discard]) -> list[tuple[float, Discard]]:
        """The discard of each kind, behind its points as `weighed` tells them; the best first."""
        ranked = sorted(self.weighed(discards), key=lambda one: -one[0])
        return [(total, self.pick(discards, kind, riichi)) for total, kind, riichi in ranked]

    def weighed(self, discards: list[Discard]) -> list[tuple[float, int, bool]]:
        """By kind, the points that its discard may bring less those that it may cost, the kind, and whether to declare
        riichi."""
        hand, found = self.hand, list[tuple[float, int, bool]]()
        legal = mask_of([KIND[one.tile] for one in discards])
        may_declare = mask_of([KIND[one.tile] for one in discards if one.riichi])
        plan = prospects.plan_of(self.worth, hand.melds, hand.counts, self.rules)
        least, _ = shapes.best_discards(hand.counts)
        good = self.worth.candidates(hand, legal, plan)
        for kind in kinds_in(legal):
            cost = self.cost(kind) if self.threats else 0.0
            value, riichi = self.prospect(kind, plan, least, bool(may_declare >> kind & 1), bool(good >> kind & 1))
            total = value - cost - 0.01 * self.worth.of(kind, hand)
            found.append((total, kind, riichi))
        return found

    def cost(self, kind: int) -> float:
        """What a discard of a kind costs on average."""
        weight = 1.4 if kind in self.dora else 1.0
        return prospects.cost_of(kind, self.threats, self.seen, self.gone, weight, self.ranking.worth)

    def pick(self, discards: list[Discard], kind: int, riichi: bool) -> Discard:
        """The discard of that kind, the drawn tile and plain fives first."""
        of_kind = [one for one in discards if KIND[one.tile] == kind]
        return min(of_kind, key=lambda one: (one.riichi != riichi, one.tile >= RED_M, not one.tsumogiri))

    def prospect(self, kind: int, plan: int, least: int, may_declare: bool, good: bool) -> tuple[float, bool]:
        """What the hand may bring after a discard, in points, and whether it is in riichi then."""
        hand, counts = self.hand, self.hand.counts[:]
        counts[kind] -= 1
        shanten, useful = shapes.useful(counts)
        if shanten > least or not good:
            return 0.0, False
        reds = sum(hand.reds) - prospects.only_red(kind, hand)
        value, riichi = self.worth_of(counts, list(hand.melds), reds, shanten, useful & plan, kind, may_declare)
        return value + KEPT, riichi

    def worth_of(
        self,
        counts: list[int],
        melds: list[Meld],
        reds: int,
        shanten: int,
        useful: int,
        discard: int,
        may_declare: bool,
    ) -> tuple[float, bool]:
        """What these concealed kinds with these melds may bring, and whether riichi is the better way."""
        closed = not any(meld.is_open for meld in melds)
        width = float(shapes.unseen(useful, self.seen))
        river = self.river | (1 << discard if discard >= 0 else 0)
        if shanten == 0:
            return self.tenpai(counts, melds, reds, useful, river, closed and may_declare)
        steps = [*prospects.WIDTHS[:shanten], width]
        if shanten <= LOOKED_AHEAD and width:
            steps[-2] = self.width_ahead(counts, useful, shanten, river)
        if not closed:
            steps = [steps[0], *[prospects.CALLED * one for one in steps[1:]]]
        yaku, extra = prospects.han_of(self.board, self.seat, counts, melds, reds)
        if not closed and yaku < 0.3:
            return 0.0, False
        points = prospects.expected_points(yaku + extra + (RIICHI if closed else 0.0), self.seat == 0, self.rules)
        return self.won(points, tuple(steps), prospects.PAID_IN_RIICHI if closed else prospects.PAID), False

    def tenpai(
        self, counts: list[int], melds: list[Meld], reds: int, waits: int, river: int, may_declare: bool
    ) -> tuple[float, bool]:
        """What a tenpai hand may bring, and whether riichi is the better way."""
        hand = self.shape(counts, melds)
        paid = (prospects.PAID, prospects.PAID_IN_RIICHI) if not waits & river else (0.0, 0.0)
        quiet, loud = self.won_with(hand, waits, reds, 0, paid[0]), 0.0
        if may_declare:
            loud = self.won_with(hand, waits, reds, 1, paid[1]) - self.later / 2
        at_the_end = NOTEN * ENDS**self.draws
        return (at_the_end + max(quiet, loud), may_declare and 0.0 < loud >= quiet)

    def shape(self, counts: list[int], melds: list[Meld]) -> Tehai:
        """A hand of these kinds, red fives as plain ones."""
        hand = Tehai([kind for kind, count in enumerate(counts) for _ in range(count)])
        hand.melds = melds
        return hand

    def won_with(self, hand: Tehai, waits: int, reds: int, riichi: int, paid: float) -> float:
        """What the waits bring, by a ron on each."""
        total = copies = 0.0
        for kind in kinds_in(waits):
            left = 4 - self.seen[kind]
            if left > 0:
                copies += left
                told = Situation(
                    seat=self.seat,
                    round_wind=self.board.round % 4,
                    tsumo=False,
                    riichi=riichi,
                    dora=tuple(self.board.indicators),
                )
                value = hand_value(hand, kind, told, self.rules)
                if value is not None:
                    total += left * prospects.points_of(value, reds + 0.7 * riichi, self.seat == 0, self.rules)
        return self.won(total / copies, (copies,), paid) if total else 0.0

    def width_ahead(self, counts: list[int], useful: int, shanten: int, river: int) -> float:
        """How wide the hand will be on average a step nearer to the win, over the tiles that bring it there."""
        total = copies = 0.0
        for kind in kinds_in(useful):
            left = 4 - self.seen[kind]
            if left <= 0:
                continue
            counts[kind] += 1
            keeping = shapes.tenpai_discards(counts) if shanten == 1 else shapes.best_discards(counts)[1]
            self.seen[kind] += 1
            _, width = shapes.widest_discards(counts, keeping, self.worth.all, self.seen, river)
            self.seen[kind] -= 1
            counts[kind] -= 1
            total, copies = total + left * width, copies + left
        return total / copies if copies else 0.0

    def won(self, points: float, steps: tuple[float, ...], paid: float) -> float:
        """The average gain of a hand that is worth `points`, less what the seat may lose while it goes on."""
        if not steps[-1]:
            return 0.0
        steps = tuple([round(2 * width) / 2 for width in steps])
        chance = prospects.chance_of(
            steps, -(-self.unseen // 4) * 4, self.draws, paid, self.stays, self.board.seats - 1
        )
        points += 1000 * self.board.sticks + 300 * self.board.honba
        gain = max(self.ranking.worth(points), 0.1 * points)
        return max(0.0, chance * gain - (1 - chance) * self.later * len(steps))

    # --- other seats' discards

    def call(self, player: RiichiPlayer, question: Question) -> Action:
        """Return the call that raises most what the hand may bring, otherwise the default."""
        return self.calls(player, question)[0][1]

    def calls(self, player: RiichiPlayer, question: Question) -> list[tuple[float, Action]]:
        """What the hand may bring without a call, and after each one that brings it nearer to a win; the best
        first."""
        hand = self.hand
        shanten, useful = shapes.useful(hand.counts)
        plan = prospects.plan_of(self.worth, hand.melds, hand.counts, self.rules)
        closed = hand.is_closed
        before, _ = self.worth_of(
            hand.counts[:], list(hand.melds), sum(hand.reds), shanten, useful & plan, -1, closed and shanten == 0
        )
        found: list[tuple[float, Action]] = [(before, question.default)]
        for call in player.find_all(question, Call):
            if call.meld.kind != MeldKind.DAIMINKAN:
                worth = self.after_call(call.meld, shanten)
                if worth > 0:
                    found.append((worth, call))
        return sorted(found, key=lambda one: -one[0])

    def after_call(self, meld: Meld, before: int) -> float:
        """What the hand may bring after a call and its best discard; 0 if it comes no nearer to a win with a yaku."""
        hand, counts = self.hand, self.hand.counts[:]
        melds = [*hand.melds, meld]
        reds = sum(hand.reds) - sum([tile >= RED_M for tile in meld.own])
        for tile in meld.own:
            counts[KIND[tile]] -= 1
        shanten, keeping = shapes.best_discards(counts)
        if shanten >= before:
            return 0.0
        plan = prospects.plan_of(self.worth, melds, counts, self.rules)
        strangers = shapes.held(counts) & ~plan
        if not plan or strangers & ~keeping or prospects.strangers_to(plan, counts) > shanten + 1:
            return 0.0
        if plan != self.worth.all and shanten > FARTHEST and hand.is_closed:
            return 0.0
        most = 0.0
        for kind in kinds_in(keeping):
            counts[kind] -= 1
            away, useful = shapes.useful(counts)
            value, _ = self.worth_of(counts, melds, reds, away, useful & plan, kind, may_declare=False)
            counts[kind] += 1
            most = max(most, value - self.cost(kind))
        return most
