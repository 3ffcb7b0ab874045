"""A whole series behind the judge's interface `Game`: rounds with carried ranks, from the first deal to the final
points.

A `Trick` knows which plays are legal in it (§5.2, §6).
"""

from collections.abc import Callable, Sequence

from jantaku.table.daifugo import events
from jantaku.table.daifugo.cards import CARDS, OPENING
from jantaku.table.daifugo.events import Board, DaifugoWords
from jantaku.table.daifugo.legal import Trick, foul, legal_plays, weakest_single
from jantaku.table.daifugo.plays import PASS, REVOLUTION, Put
from jantaku.table.daifugo.ranks import DAIHINMIN, gifts, points_at, rank_at
from jantaku.table.daifugo.rules import Rules
from jantaku.table.ground.chance import Numbers, shuffled
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.game import Game
from jantaku.table.ground.port import Action, Choice, Turn

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
