"""A whole series behind the judge's interface `Game`: rounds with carried ranks, from the first deal to the final
points.

A `Trick` knows which plays are legal in it (§5.2, §6).
"""

from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum

from jantaku.table.daifugo import events
from jantaku.table.daifugo.cards import (
    CARDS,
    OPENING,
    PASS,
    REVOLUTION,
    THREE,
    TWO,
    Put,
    is_kaidan,
    is_one_rank,
    kaidan_plays,
    naturals,
    one_rank_plays,
    rank_of,
    representative,
    strength,
)
from jantaku.table.daifugo.events import DAIHINMIN, Board, DaifugoWords, gifts, points_at, rank_at
from jantaku.table.daifugo.rules import Rules
from jantaku.table.ground.chance import Numbers, shuffled
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.game import Game
from jantaku.table.ground.port import Action, Choice, Turn

# One trick: the last play and the passes since (§6.4).


class Trick:
    """A trick from its lead to the 流れ. A pass does not exclude a seat: it may play again later."""

    def __init__(self) -> None:
        self._maker: int | None = None
        self._passed: set[int] = set()

    def play(self, seat: int) -> None:
        """Note that `seat` has played cards."""
        self._maker = seat
        self._passed.clear()

    def pass_by(self, seat: int) -> None:
        """Note that `seat` has passed."""
        self._passed.add(seat)

    def is_over(self, holders: Iterable[int]) -> bool:
        """Whether all seats that still hold cards, except the maker of the last play, have passed since that play."""
        return all(seat == self._maker or seat in self._passed for seat in holders)


# Which plays are legal, and why others are not, in neof5's own words (§5.2, §6).


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


Deals = Callable[[int], events.Hands]
"""Returns the hands of a round, numbered from 1, in the order in which the cards are dealt."""


def deals_from(seed: str, number: int, seats: int) -> Deals:
    """Return hands that depend only on the seed, the number of the series and the round. Dealt one card per seat, seat
    0 first."""

    def deal(at: int) -> events.Hands:
        deck = shuffled(range(CARDS), Numbers(f"jantaku deck 1|{seed}|{number}|{at}"))
        return tuple(tuple(deck[seat::seats]) for seat in range(seats))

    return deal


def seats_drawn(seed: str, number: int, seats: int) -> tuple[int, ...]:
    """By seat, the entrant of a match that sits there in series `number`."""
    return tuple(shuffled(range(seats), Numbers(f"jantaku daifugo seats 1|{seed}|{number}")))


class DaifugoGame(Game):
    """One series. Every turn belongs to one seat, and no seat reacts."""

    def __init__(self, rules: Rules, deals: Deals, names: Sequence[str], ranks: Sequence[int] | None = None) -> None:
        if len(names) != rules.game.seats:
            raise BadInput(f"players: {len(names)} given for the {rules.game.seats} seats of game.seats")
        super().__init__(len(names), DaifugoWords(names), [])
        self.rules = rules
        self.board = Board()
        """The table with all hands open. Read only."""
        self.over = False
        self._deals = deals
        self._trick = Trick()
        self._happen(events.SeriesStart(tuple(names), rules.game.letter))
        self._begin_round(1, tuple(ranks or (0,) * self.seats))

    def __repr__(self) -> str:
        return f"<DaifugoGame class {self.rules.game.letter} {self.board!r}>"

    # --- the interface of the judge

    @property
    def rounds(self) -> int:
        return self.board.round

    def turn(self) -> Turn | None:
        """A seat is asked even if it can only pass: it has to say so itself."""
        if self.over:
            return None
        board = self.board
        hand = board.hands[board.turn]
        plays = legal_plays(self.rules, hand, board.top, board.revolution)
        default = PASS if board.trick else Put(weakest_single(hand, board.revolution))
        return Turn(board.turn, Choice(tuple(map(Put, plays)), default, always=True))

    def act(self, action: Action) -> None:
        assert isinstance(action, Put)
        self._before = self.board.revolution
        self._happen(events.Play(self.board.turn, action.cards))

    def reacting(self) -> list[int]:
        return []

    def reaction(self, seat: int, action: Action) -> None:
        """Return None: no seat ever reacts."""

    def rule(self, responses: Sequence[Action | None]) -> None:
        """Apply the consequences of the play, and begin the next turn (§3.2 d to h)."""
        board, seat = self.board, self.board.turn
        cards = board.history[-1].cards
        if cards:
            self._trick.play(seat)
            if len(cards) >= REVOLUTION:
                self._happen(events.Revolution(not board.revolution))
        else:
            self._trick.pass_by(seat)
            if self._trick.is_over(board.holders):
                self._happen(events.Nagare())
                self._trick = Trick()
        if not board.hands[seat]:
            self._go_out(seat, cards)
        if len(board.holders) > 1:
            self._next_turn(seat)
        else:
            self._end_round()

    def masked(self, index: int, seat: int) -> events.Event:
        return events.masked(self.events[index], seat)

    def accepts(self, action: object) -> bool:
        return type(action) is Put

    # --- rounds

    def _happen(self, event: events.Event) -> None:
        self.events.append(event)
        event.apply(self.board)

    def _begin_round(self, number: int, ranks: tuple[int, ...]) -> None:
        hands = self._deals(number)
        self._trick = Trick()
        self._happen(events.RoundStart(number, ranks))
        self._happen(events.Deal(hands))
        if DAIHINMIN in ranks:
            leader = ranks.index(DAIHINMIN)
        else:
            leader = next(seat for seat, hand in enumerate(hands) if OPENING in hand)
        self._happen(events.Leader(leader))
        if given := gifts(hands, ranks):
            self._happen(events.Exchange(given))
        self._happen(events.SortedHands())
        self._happen(events.Thinking(leader))

    def _next_turn(self, seat: int) -> None:
        """Begin the turn of the next seat that holds cards. After a 流れ this is the maker of the last play, or the
        next one after it."""
        after = ((seat + step) % self.seats for step in range(1, self.seats + 1))
        self._happen(events.Thinking(next(other for other in after if self.board.hands[other])))

    def _go_out(self, seat: int, cards: Sequence[int]) -> None:
        """Give a seat the best free place, or the worst free place for a forbidden finish."""
        revolution = self.board.revolution if self.rules.finish.revolution == "after" else self._before
        why = foul(self.rules, cards, revolution)
        free = [place for place in range(1, self.seats + 1) if place not in self.board.places]
        self._happen(events.Agari(seat, free[-1] if why else free[0], str(why or "")))

    def _end_round(self) -> None:
        board, seats = self.board, self.seats
        # One seat has no place yet: the one that still holds cards.
        left = next(place for place in range(1, seats + 1) if place not in board.places)
        places = tuple(place or left for place in board.places)
        ranks = tuple(rank_at(place, seats) for place in places)
        points = tuple(points_at(place, seats, self.rules.series.points) for place in places)
        self._happen(events.RoundEnd(places, ranks, points))
        if board.round < self.rules.series.rounds:
            self._begin_round(board.round + 1, ranks)
        else:
            self._end_series()

    def _end_series(self) -> None:
        """Rank the seats by points; of equal ones, the better place in the last round wins."""
        board = self.board
        best_first = sorted(range(self.seats), key=lambda seat: (-board.points[seat], board.places[seat]))
        places = tuple(best_first.index(seat) + 1 for seat in range(self.seats))
        self._happen(events.SeriesEnd(tuple(board.points), places))
        self.over = True
