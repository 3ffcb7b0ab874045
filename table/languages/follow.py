"""Follows the facts of a record on a board, and rejects the first one that contradicts those before.

Facts are in the order of play: a new indicator comes before the draw or discard that it belongs to, and `Riichi`
follows a discard whose riichi is accepted.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from jantaku.table.ground.errors import BadInput
from jantaku.table.languages.facts import NOTHING, DrawFact, Fact, WinFact
from jantaku.table.riichi import events
from jantaku.table.riichi.pieces.board import STICK, Board
from jantaku.table.riichi.pieces.melds import Meld, MeldKind
from jantaku.table.riichi.pieces.notation import hand_text
from jantaku.table.riichi.pieces.seats import SEATS, THREE, at_side, by_player
from jantaku.table.riichi.pieces.tiles import COPIES, IN_PLAY, KIND, NAMES, NORTH


class Follower:
    """A board that is updated fact by fact, each kyoku from its deal. `place` names the record in errors."""

    def __init__(self, *place: str) -> None:
        self.board = Board()
        self.count = 0
        """Number of facts of this kyoku followed so far."""
        self._place = place
        self._seen = Counter[int]()
        """By kind, the copies seen so far: dealt, drawn, indicators."""
        self._players = SEATS
        self._discarded = False
        """Whether the last tile is a discard, which may be called."""

    def take(self, fact: Fact) -> None:
        """Follow one fact. Raises BadInput, with the fact's number from 1, if it contradicts the earlier ones."""
        if isinstance(fact, events.KyokuStart):
            self.count, self._players = 0, len(fact.hands)
            self._seen.clear()
        self.count += 1
        try:
            self._check(fact)
        except BadInput as error:
            raise error.within(*self._place, f"event {self.count}") from None
        if isinstance(fact, WinFact | DrawFact):
            deltas = fact.deltas or (0,) * self.board.seats
            self.board.pay(deltas, self.board.sticks - sum(deltas) // STICK)
        else:
            fact.apply(self.board)
        self._discarded = isinstance(fact, events.TileDiscard | events.Riichi | events.Dora) and (
            self._discarded or isinstance(fact, events.TileDiscard)
        )

    def _check(self, fact: Fact) -> None:
        if self.count == 1 and not isinstance(fact, events.KyokuStart):
            raise BadInput("a kyoku begins with its deal")
        match fact:
            case events.KyokuStart():
                self._see(fact.indicator, *(tile for hand in fact.hands for tile in hand or ()))
            case events.Draw(seat, tile):
                self._check_draw(seat, tile)
            case events.TileDiscard(seat, tile):
                if self.board.hands[seat].size % 3 != 2:
                    raise BadInput(f"seat {seat} discards, but has to draw first")
                self._check_held(seat, tile)
            case events.NorthAside(seat):
                if self.board.seats != THREE:
                    raise BadInput(f"seat {seat} sets a north aside where four play")
                if self.board.hands[seat].size % 3 != 2:
                    raise BadInput(f"seat {seat} sets a north aside, but has to draw first")
                self._check_held(seat, NORTH)
            case events.Dora(indicator):
                self._see(indicator)
            case events.MeldCall(seat, meld) | events.OwnKan(seat, meld):
                self._check_meld(seat, meld)
            case WinFact() | DrawFact():
                self._check_payment(fact.deltas or NOTHING)

    def _see(self, *tiles: int) -> None:
        for tile in tiles:
            if not IN_PLAY[self._players] >> KIND[tile] & 1:
                raise BadInput(f"{NAMES[tile]} is told; where three play there are no m2 to m8")
            self._seen[KIND[tile]] += 1
            if self._seen[KIND[tile]] > COPIES:
                raise BadInput(f"a fifth {NAMES[KIND[tile]]}; there are {COPIES} of each tile")

    def _check_draw(self, seat: int, tile: int | None) -> None:
        if self.board.hands[seat].size % 3 != 1:
            raise BadInput(f"seat {seat} draws, but has to discard first")
        if tile is not None:
            self._see(tile)

    def _check_held(self, seat: int, *tiles: int) -> None:
        hand = self.board.hands[seat]
        for tile, count in Counter(tiles).items():
            if hand.known and hand.count_of(tile) < count:
                raise BadInput(f"seat {seat} does not hold {NAMES[tile]}; it has {hand_text(hand.tiles, hand.melds)}")

    def _check_meld(self, seat: int, meld: Meld) -> None:
        board = self.board
        if meld.kind == MeldKind.CHI and board.seats == THREE:
            raise BadInput(f"seat {seat} calls chi; there is none where three play")
        if meld.kind == MeldKind.KAKAN:
            under = (meld.own, meld.called)
            if not any(old.kind == MeldKind.PON and (old.own, old.called) == under for old in board.hands[seat].melds):
                raise BadInput(f"a kakan of {NAMES[meld.tiles[-1]]} without its pon")
        elif meld.called is not None:
            source = at_side(seat, meld.source, board.seats)
            if not self._discarded or source != board.last_seat or meld.called != board.last_tile:
                last = "nothing" if board.last_tile is None else NAMES[board.last_tile]
                raise BadInput(
                    f"seat {seat} calls {NAMES[meld.called]} of seat {source}; "
                    f"the last tile is {last} of seat {board.last_seat}"
                )
        self._check_held(seat, *(meld.tiles[-1:] if meld.kind == MeldKind.KAKAN else meld.own))

    def _check_payment(self, deltas: events.PerSeat) -> None:
        """Raise BadInput unless points only move between seats, and from the sticks on the table to a winner."""
        taken, rest = divmod(sum(deltas), STICK)
        if rest or not 0 <= taken <= self.board.sticks:
            raise BadInput(
                f"the points do not add up: {list(deltas)} makes {sum(deltas)}, "
                f"and {self.board.sticks} riichi sticks are on the table"
            )


def followed(log: Sequence[Sequence[Fact]], where: str) -> Iterator[Follower]:
    """Follow every kyoku of a record, and compare its result with the next deal. Raises BadInput at the first
    contradiction."""
    before: tuple[int, ...] | None = None
    for number, kyoku in enumerate(log, 1):
        follower = Follower(f"{where} kyoku {number}")
        for fact in kyoku:
            follower.take(fact)
            if isinstance(fact, events.KyokuStart):
                told = by_player(fact.scores, fact.kyoku)
                if before is not None and told != before:
                    problem = f"points {list(told)}; after the kyoku before they are {list(before)}"
                    raise BadInput(problem, f"{where} kyoku {number} event 1")
        before = by_player(follower.board.scores, follower.board.kyoku)
        yield follower
