"""The observation `jantaku-1`: the board as a seat sees it when it is asked, as numbers.

    obs, mask = ENCODER.buffers()
    write([RowPacker().seen(board, choice, seat, missed)], obs[np.newaxis], mask[np.newaxis])

It says all that the seat may know: `board_of` makes the board again. Seats are relative: 0 is the own one, 1 the next
in turn order.
Tiles are 1 to 37 (34 kinds, then the red fives of m, p, s), 0 is no tile. `FIELDS` says what stands where.
"""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Choice
from jantaku.table.learn.encoding import Mask, NetEncoder, RowPacking
from jantaku.table.riichi import events
from jantaku.table.riichi.flow.view import WaitsView
from jantaku.table.riichi.game import RiichiGame
from jantaku.table.riichi.option_numbers import NAMES, number_of
from jantaku.table.riichi.own_numbers import (
    AT,
    FIELDS,
    LARGE,
    NO_ROW,
    RIVER,
    SIDES,
    SIZE,
    OwnRow,
    RowPacker,
    joined,
    options_of,
)
from jantaku.table.riichi.pieces.board import MOST_KANS, Board
from jantaku.table.riichi.pieces.melds import Meld, MeldKind
from jantaku.table.riichi.pieces.seats import after, player_of, seat_of
from jantaku.table.riichi.pieces.tiles import KIND, NORTH
from jantaku.table.riichi.rules import Rules

NAME: Final = "jantaku-1"
ACTIONS: Final = len(NAMES)
"""Numbers of options, see `jantaku.table.riichi.option_numbers`; where four play the last one is never allowed."""
Obs = NDArray[np.int32]


def write(rows: Sequence[OwnRow | None], obs: NDArray[np.int32], mask: Mask) -> None:
    """Write packed rows into arrays with as many rows, all at once; None is a row of zeros."""
    numbers, large, marks = joined([NO_ROW if row is None else row for row in rows])
    obs[:] = np.frombuffer(numbers, np.uint8).reshape(obs.shape)
    obs[:, LARGE] = np.array(large, np.int32).reshape(len(obs), -1)
    mask[:] = np.frombuffer(marks, np.bool_).reshape(mask.shape)


def board_of(obs: Obs, rules: Rules) -> Board:
    """Make the board that an observation was written from, as its seat knows it."""
    told = [int(value) for value in obs]
    own, wind, kyoku, honba, sticks, live, seats = told[:7]
    board = Board(rules)
    indicators = [tile - 1 for tile in _field(told, "indicators") if tile]
    concealed = [tile - 1 for tile in _field(told, "hand") if tile]
    hands = [concealed if seat == own else None for seat in range(seats)]
    board.start(wind, kyoku, honba, sticks, [0] * seats, indicators[0], hands)
    for indicator in indicators[1:]:
        board.open_indicator(indicator)
    for relative in range(seats):
        _read_side(board, after(own, relative, seats), own, told, SIDES[relative])
    drawn, last = told[AT["drawn"]], told[AT["last"] + 1]
    if drawn:
        board.hands[own].draw(drawn - 1)
    board.live, board.rinshan, board.first_round = live, bool(told[8]), bool(told[9])
    board.last_seat, board.last_tile = after(told[AT["last"]], own, seats), last - 1 if last else None
    board.kans = sum(meld.is_kan for hand in board.hands for meld in hand.melds)
    return board


def _field(told: list[int], name: str) -> list[int]:
    size = next(field.size for field in FIELDS if field.name == name)
    return told[AT[name] : AT[name] + size]


def _read_side(board: Board, seat: int, own: int, told: list[int], at: tuple[int, int, int]) -> None:
    hand, river = board.hands[seat], board.rivers[seat]
    state, melds, place = at
    board.scores[seat], board.riichi[seat], paid, ippatsu, hand.aside, hand.size = told[state : state + 6]
    board.deposited[seat], board.ippatsu[seat] = bool(paid), bool(ippatsu)
    for begin in range(melds, melds + 7 * MOST_KANS, 7):
        kind, *tiles, called, source = told[begin : begin + 7]
        if kind:
            hand.melds.append(_meld(MeldKind(kind - 1), [tile - 1 for tile in tiles if tile], called, source))
    for begin in range(place, place + RIVER * 3, 3):
        tile, flags, caller = told[begin : begin + 3]
        if tile:
            river.add(tile - 1, bool(flags & 1), riichi=False)
            if flags & 2:
                river.sideways.append(len(river.tiles) - 1)
            if caller:
                river.called_by[len(river.tiles) - 1] = after(caller - 1, own, board.seats)
    laid = [tile for meld in hand.melds for tile in (*meld.own, *(() if meld.added is None else (meld.added,)))]
    for tile in (*river.tiles, *laid, *[NORTH] * hand.aside):
        board.open_counts[KIND[tile]] += 1


def _meld(kind: MeldKind, tiles: list[int], called: int, source: int) -> Meld:
    added = tiles.pop() if kind is MeldKind.KAKAN else None
    return Meld(kind, tuple(tiles), called - 1 if called else None, source, added)


class OwnSeat:
    """A seat's encoder of `jantaku-1`."""

    def __init__(self) -> None:
        self._view: WaitsView | None = None
        self._table = RowPacker()

    def hear(self, event: events.Event) -> None:
        if isinstance(event, events.HanchanStart):
            self._view = WaitsView(event.rules)
        if self._view is None:
            raise BadInput(f"{NAME} did not hear the start of the game; give it every event of its seat")
        self._view.follow(event)

    def observe(self, choice: Choice, obs: Obs, mask: Mask, first: int | None = None) -> None:
        """Write what the seat sees, and which option numbers it may take."""
        ENCODER.check(obs, mask)
        view = self._view
        seat = None if view is None else view.board.seat_known()
        if view is None or seat is None:
            raise BadInput(f"{NAME} is asked before a deal; give it every event of its seat first")
        row = self._table.seen(view.board, choice, seat, view.ready.missed[seat])
        write([row], obs[np.newaxis], mask[np.newaxis])


def _at(game: RiichiGame) -> Callable[[int, Choice], OwnRow]:
    table, seats, first = RowPacker(), game.seats, game.first_dealer

    def look(player: int, choice: Choice) -> OwnRow:
        kyoku = game.kyoku
        seat = seat_of(player, player_of(kyoku.board.kyoku, first, seats), seats)
        return table.seen(kyoku.board, choice, seat, kyoku.ready.missed[seat])

    return look


ENCODER: Final = NetEncoder(
    name=NAME,
    shape=(SIZE,),
    dtype=np.int32,
    words=NAMES,
    seat=OwnSeat,
    options=options_of,
    number=number_of,
    second=lambda action: None,
    three=True,
    packing=RowPacking(at=_at, write=write),
)
