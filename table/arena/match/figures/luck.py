"""What chance gave each player of a hanchan, read from its record. The mean of these numbers is exactly zero, however
the players play.

A kyoku begins with all tiles in random order. Whatever was dealt, drawn and revealed so far, and whatever the players
did with it, the remaining tiles are still in random order, because nobody has seen them. So at each deal, draw and
indicator the next tile is any unseen one with equal chance, and the record tells how many of each kind are unseen. The
luck of a tile is its worth to a hand less the mean worth of all unseen tiles: zero in the mean at every step, and so in
the sum of a hanchan. Unseen means seen by nobody, *not* unseen by one player: discards tell of hands, so that the tiles
one player has not seen are not equally likely.

A worth may be any function of what was known before the tile. Where numpy is installed and four play, it is learned:
`outlook`. Elsewhere it is the `chance` to win from that shanten with the draws left, times the approximate value of the
hand, so that the numbers are rough points. Only their mean must be right; how much of a result they explain is measured
(`adjusted`).
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.util import find_spec
from typing import Final

from jantaku.table.arena.match.figures.summary import Luck
from jantaku.table.ground.errors import BadInput
from jantaku.table.languages.facts import Fact, WinFact
from jantaku.table.records.journal.read import Record
from jantaku.table.riichi import events
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.seats import SEATS, player_of
from jantaku.table.riichi.pieces.tehai import Tehai
from jantaku.table.riichi.pieces.tiles import IN_PLAY, KIND, KINDS, NORTH, RED_M, dora_of
from jantaku.table.riichi.points.shapes import useful

PARTS: Final = ("deal", "progress", "wins")
"""The kinds of rough luck: haipai and all dora; draws that bring a hand forward; draws of a winning tile."""
Parts = tuple[float, float, float]
"""One number for each of `PARTS`."""
DIGITS: Final = 6
"""Learned luck is rounded: numpy's products differ in the last digits from machine to machine."""
_DEAL, _PROGRESS, _WINS = range(3)
_COPIES: Final = 4
_STEPS: Final = (0.13, 0.22, 0.33, 0.5, 0.6, 0.7, 0.8)
"""By shanten: approximate chance that a go-round brings a hand forward (from tenpai: that it wins)."""
_GOES_ON: Final = 0.965
"""Approximate chance that no other player ends the kyoku in a go-round."""
_WORTH: Final = (1000, 1300, 2600, 5000, 8000, 8000, 12000, 12000, 16000, 16000, 16000, 24000, 24000, 32000)
"""Approximate points of a win, by han."""
_DEALER: Final = 1.5


@lru_cache(4096)
def chance(shanten: int, draws: int) -> float:
    """Return the approximate chance that a hand of this shanten (-1: it has won) wins with `draws` draws left."""
    if shanten < 0:
        return 1.0
    if draws <= 0:
        return 0.0
    step = _STEPS[min(shanten, len(_STEPS) - 1)]
    goes_on = 1.0 if shanten == 0 else _GOES_ON  # a win ends the kyoku itself
    forward = step * goes_on * chance(shanten - 1, draws - 1)
    return forward + (1 - step) * _GOES_ON * chance(shanten, draws - 1)


def luck_of(record: Record) -> tuple[Luck, ...]:
    """Return the luck of each player (by id) in a whole record. BadInput if the record does not tell all tiles."""
    if any(_hides(fact) for kyoku in record.log for fact in kyoku):
        raise BadInput("luck needs all hands and draws, and this record hides some", str(record.path))
    if not is_learned(len(record.names)):
        return tuple(Luck(parts, parts) for parts in rough_luck(record))
    from jantaku.table.arena.match.figures.outlook import learned_luck  # only it needs numpy

    return tuple(Luck((rank,), (points,)) for rank, points in learned_luck(record).round(DIGITS).tolist())


def is_learned(players: int) -> bool:
    """Return whether games of so many players have learned luck; else it is rough. BadInput if the weights cannot be
    used."""
    if players != SEATS or find_spec("numpy") is None:
        return False
    from jantaku.table.arena.match.figures.outlook import net_in

    net_in()
    return True


def _hides(fact: Fact) -> bool:
    if isinstance(fact, events.KyokuStart):
        return None in fact.hands
    return isinstance(fact, events.Draw) and fact.tile is None


def rough_luck(record: Record) -> tuple[Parts, ...]:
    """Return the luck of each player (by id) relative to the others, in thousands of rough points."""
    seats = len(record.names)
    sums = [[0.0] * len(PARTS) for _ in range(seats)]
    for kyoku in record.log:
        deal = kyoku[0]
        assert isinstance(deal, events.KyokuStart), "the reader has held that"
        found = _KyokuLuck(deal)
        for fact in kyoku[1:]:
            found.take(fact)
        for part, by_seat in enumerate(zip(*found.by_seat, strict=True)):
            mean = sum(by_seat) / seats
            for seat, value in enumerate(by_seat):
                sums[player_of(seat, deal.dealer, seats)][part] += (value - mean) * seats / (seats - 1) / 1000
    return tuple([(deal, progress, wins) for deal, progress, wins in sums])


class _KyokuLuck:
    """Follows one kyoku, all hands open."""

    def __init__(self, deal: events.KyokuStart) -> None:
        self._board = Board()
        deal.apply(self._board)
        self._seats = range(self._board.seats)
        self.by_seat = [[0.0] * len(PARTS) for _ in self._seats]
        self._unseen = [_COPIES * (IN_PLAY[len(self._seats)] >> kind & 1) for kind in range(KINDS)]
        """How many tiles of each kind nobody has seen."""
        self._dora = [0] * KINDS
        """How many indicators make each kind dora."""
        self._known: list[tuple[int, int] | None] = [None] * len(self._seats)
        """By seat: shanten and useful kinds of the hand before a draw; None if the hand has changed since."""
        for tile in (tile for hand in deal.hands for tile in hand or ()):
            self._unseen[KIND[tile]] -= 1
        for seat in self._seats:  # without the dealer's factor the expected worth is the same for every seat
            self.by_seat[seat][_DEAL] += chance(self._useful(seat)[0], self._draws) * _WORTH[self._han(seat)]
        self._open(deal.indicator)

    def take(self, fact: Fact) -> None:
        """Take the next fact of the record."""
        if isinstance(fact, WinFact):
            self._win(fact)
        elif isinstance(fact, events.Dora):
            self._open(fact.indicator)
        elif isinstance(fact, events.Draw):
            self._draw(fact)
        elif isinstance(fact, events.TileDiscard | events.MeldCall | events.OwnKan | events.NorthAside):
            self._known[fact.seat] = None
        if isinstance(fact, events.Event):
            fact.apply(self._board)

    @property
    def _draws(self) -> int:
        """The number of draws that each seat has left."""
        return self._board.live // len(self._seats)

    def _useful(self, seat: int) -> tuple[int, int]:
        known = self._known[seat]
        if known is None:
            known = self._known[seat] = useful(self._before_draw(self._board.hands[seat]))
        return known

    @staticmethod
    def _before_draw(hand: Tehai) -> list[int]:
        if hand.drawn is None:
            return hand.counts
        counts = hand.counts.copy()
        counts[KIND[hand.drawn]] -= 1
        return counts

    def _han(self, seat: int) -> int:
        """Return the approximate han of a seat's hand."""
        hand = self._board.hands[seat]
        dora = sum(self._dora[kind] for meld in hand.melds for kind in _kinds_of(meld.tiles))
        reds = sum(hand.reds) + sum(tile >= RED_M for meld in hand.melds for tile in meld.tiles)
        held = sum(count * times for count, times in zip(hand.counts, self._dora, strict=True) if times)
        aside = hand.aside * (1 + self._dora[NORTH])
        return (1 if hand.melds else 2) + held + dora + reds + aside

    def _worth(self, seat: int, more: int = 0) -> float:
        """Return the approximate points of that seat's win with `more` additional han."""
        return _WORTH[min(self._han(seat) + more, len(_WORTH) - 1)] * (_DEALER if seat == 0 else 1.0)

    def _share(self, mask: int) -> float:
        """Return the share of the unseen tiles whose kind is in this bit mask."""
        return sum(count for kind, count in enumerate(self._unseen) if mask >> kind & 1) / sum(self._unseen)

    def _draw(self, draw: events.Draw) -> None:
        assert draw.tile is not None, "a record tells all tiles"
        kind = KIND[draw.tile]
        seat = draw.seat
        shanten, mask = self._useful(seat)
        gain = self._worth(seat) * (chance(shanten - 1, self._draws) - chance(shanten, self._draws))
        self.by_seat[seat][_PROGRESS if shanten else _WINS] += gain * ((mask >> kind & 1) - self._share(mask))
        mean = sum(map(int.__mul__, self._dora, self._unseen)) / sum(self._unseen)
        held = chance(shanten, self._draws) * self._step(seat)
        self.by_seat[seat][_DEAL] += held * (self._dora[kind] - mean)
        self._unseen[kind] -= 1

    def _step(self, seat: int) -> float:
        """Return the approximate points of one more han."""
        return self._worth(seat, 1) - self._worth(seat)

    def _open(self, indicator: int) -> None:
        for seat in self._seats:
            counts = self._held(seat, self._board.hands[seat].counts)
            step = chance(self._useful(seat)[0], self._draws) * self._step(seat)
            self.by_seat[seat][_DEAL] += step * (counts[self._dora_of(indicator)] - self._mean_dora(counts))
        self._unseen[KIND[indicator]] -= 1
        self._dora[self._dora_of(indicator)] += 1

    def _held(self, seat: int, concealed: Sequence[int]) -> list[int]:
        """Count the tiles of a seat by kind, melds included."""
        counts = list(concealed)
        for meld in self._board.hands[seat].melds:
            for kind in _kinds_of(meld.tiles):
                counts[kind] += 1
        return counts

    def _mean_dora(self, counts: Sequence[int]) -> float:
        """Return the expected number of dora in these tiles for one more indicator."""
        found = sum(
            number * counts[dora_of(kind, len(self._seats))] for kind, number in enumerate(self._unseen) if number
        )
        return found / sum(self._unseen)

    def _dora_of(self, indicator: int) -> int:
        return dora_of(indicator, self._board.seats)

    def _win(self, win: WinFact) -> None:
        """Count the ura dora of a riichi: the record tells their indicators."""
        if not win.ura or win.hand is None or win.tile is None:
            return
        concealed = [0] * KINDS
        for kind in _kinds_of((*win.hand, win.tile)):
            concealed[kind] += 1
        counts = self._held(win.seat, concealed)
        gain = sum(counts[self._dora_of(indicator)] for indicator in win.ura) - len(win.ura) * self._mean_dora(counts)
        self.by_seat[win.seat][_DEAL] += self._step(win.seat) * gain


def _kinds_of(tiles: Sequence[int]) -> Iterator[int]:
    return (KIND[tile] for tile in tiles)
