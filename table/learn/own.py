"""The observation `jantaku-1`: the board as a seat sees it when it is asked, as numbers.

    obs, mask = ENCODER.buffers()
    write(board, choice, seat, missed, obs, mask)

It says all that the seat may know: `board_of` makes the board again. Seats are relative: 0 is the own one, 1 the next
in turn order.
Tiles are 1 to 37 (34 kinds, then the red fives of m, p, s), 0 is no tile. `FIELDS` says what stands where.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Action, Choice
from jantaku.table.learn.encoding import Mask, NetEncoder
from jantaku.table.riichi import events
from jantaku.table.riichi.actions import NOTEN, PASS
from jantaku.table.riichi.flow.view import WaitsView
from jantaku.table.riichi.game import RiichiGame
from jantaku.table.riichi.option_numbers import NAMES, number_of
from jantaku.table.riichi.pieces.board import MOST_KANS, Board
from jantaku.table.riichi.pieces.melds import Meld, MeldKind
from jantaku.table.riichi.pieces.seats import SEATS, after, player_of, seat_of
from jantaku.table.riichi.pieces.tiles import KIND, NORTH, sort_tiles
from jantaku.table.riichi.pieces.wall import HAND, INDICATORS
from jantaku.table.riichi.rules import Rules

NAME: Final = "jantaku-1"
ACTIONS: Final = len(NAMES)
"""Numbers of options, see `jantaku.table.riichi.option_numbers`; where four play the last one is never allowed."""
RIVER: Final = 34
"""Places for discards of a seat: it has at most 18 own draws, and one discard for each call."""
Obs = NDArray[np.int32]


class ObsField(NamedTuple):
    """Where something stands in an observation: `size` numbers from `begin` on."""

    name: str
    begin: int
    size: int
    says: str


def _laid_out() -> Iterator[ObsField]:
    begin = 0
    fields = [
        ("table", 11, "own seat, round wind, kyoku, honba, sticks, tiles left, seats, what is asked (0 nothing, "
         "1 own turn, 2 claim, 3 tenpai), drawn from the dead wall, first go-round unbroken, a winning tile was "
         "passed up"),
        ("last", 2, "the seat that acted last, and its tile"),
        ("indicators", INDICATORS, "dora indicators in the order in which they were opened"),
        ("hand", HAND + 1, "own concealed tiles in order, without the drawn one"),
        ("drawn", 1, "the tile just drawn"),
    ]  # fmt: skip
    for seat in range(SEATS):
        whose = f"seat {seat}"
        fields += [
            (f"{whose} state", 6, "points, riichi (2 double), stick paid, ippatsu, norths aside, concealed tiles"),
            (f"{whose} melds", 7 * MOST_KANS, "for each meld: kind (1 chi, 2 pon, 3 daiminkan, 4 ankan, 5 kakan), four "
             "own tiles, the called tile, the seat that it came from from the owner's view (1 to 3)"),
            (f"{whose} river", RIVER * 3, "for each discard: tile, flags (1 tsumogiri, 2 lies sideways), 1 + the seat "
             "that called it"),
        ]  # fmt: skip
    for name, size, says in fields:
        yield ObsField(name, begin, size, says)
        begin += size


FIELDS: Final = tuple(_laid_out())
SIZE: Final = FIELDS[-1].begin + FIELDS[-1].size
_AT: Final = {field.name: field.begin for field in FIELDS}
_HAND, _DRAWN = _AT["hand"], _AT["drawn"]
_SIDES: Final = tuple(
    (_AT[f"seat {seat} state"], _AT[f"seat {seat} melds"], _AT[f"seat {seat} river"]) for seat in range(SEATS)
)


def write(board: Board, choice: Choice, seat: int, missed: bool, obs: Obs, mask: Mask) -> None:
    """Write what `seat`, whose tiles the board knows, sees at a choice, and which option numbers it may take. `missed`:
    it has passed up a winning tile, as `Readiness.missed` says. The arrays are those of `ENCODER.buffers`, checked."""
    hand, seats, last = board.hands[seat], board.seats, board.last_tile
    mask[:] = False
    mask[[*map(number_of, choice.options)]] = True
    asked = 3 if choice.default == NOTEN else 2 if choice.default == PASS else bool(choice.options)
    head = [seat, board.round, board.kyoku, board.honba, board.sticks, board.live, seats, asked]
    head += board.rinshan, board.first_round, missed
    head += after(board.last_seat, -seat, seats), 0 if last is None else last + 1
    head += [tile + 1 for tile in board.indicators]
    obs[:] = 0
    obs[: len(head)] = head
    tiles = [tile + 1 for tile in sort_tiles(hand.tiles_before_draw)]
    obs[_HAND : _HAND + len(tiles)] = tiles
    obs[_DRAWN] = 0 if hand.drawn is None else hand.drawn + 1
    for relative in range(seats):
        _write_side(board, after(seat, relative, seats), seat, obs, _SIDES[relative])


def _write_side(board: Board, seat: int, own: int, obs: Obs, at: tuple[int, int, int]) -> None:
    hand, river, seats = board.hands[seat], board.rivers[seat], board.seats
    state, _, place = at
    told = [board.scores[seat], board.riichi[seat], board.deposited[seat], board.ippatsu[seat], hand.aside, hand.size]
    for meld in hand.melds:
        tiles = [tile + 1 for tile in (*meld.own, *(() if meld.added is None else (meld.added,)))]
        told += meld.kind + 1, *tiles, *[0] * (4 - len(tiles)), 0 if meld.called is None else meld.called + 1
        told.append(meld.source)
    obs[state : state + len(told)] = told
    discards = [0] * (3 * len(river.tiles))
    discards[::3] = [tile + 1 for tile in river.tiles]
    discards[1::3] = river.tsumogiri
    for index in river.sideways:
        discards[3 * index + 1] += 2
    for index, caller in river.called_by.items():
        discards[3 * index + 2] = 1 + after(caller, -own, seats)
    obs[place : place + len(discards)] = discards


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
        _read_side(board, after(own, relative, seats), own, told, _SIDES[relative])
    drawn, last = told[_AT["drawn"]], told[_AT["last"] + 1]
    if drawn:
        board.hands[own].draw(drawn - 1)
    board.live, board.rinshan, board.first_round = live, bool(told[8]), bool(told[9])
    board.last_seat, board.last_tile = after(told[_AT["last"]], own, seats), last - 1 if last else None
    board.kans = sum(meld.is_kan for hand in board.hands for meld in hand.melds)
    return board


def _field(told: list[int], name: str) -> list[int]:
    size = next(field.size for field in FIELDS if field.name == name)
    return told[_AT[name] : _AT[name] + size]


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

    def hear(self, event: events.Event) -> None:
        """Bring the board up to date."""
        if isinstance(event, events.HanchanStart):
            self._view = WaitsView(event.rules)
        if self._view is None:
            raise BadInput(f"{NAME} hears every event of its seat; a game begins with its start")
        self._view.follow(event)

    def observe(self, choice: Choice, obs: Obs, mask: Mask, first: int | None = None) -> None:
        """Write what the seat sees, and which option numbers it may take."""
        ENCODER.check(obs, mask)
        view = self._view
        seat = None if view is None else view.board.seat_known()
        if view is None or seat is None:
            raise BadInput(f"{NAME} is asked before a deal; it hears every event of its seat first")
        write(view.board, choice, seat, view.ready.missed[seat], obs, mask)


def _look(game: RiichiGame, player: int, choice: Choice, obs: Obs, mask: Mask) -> None:
    kyoku = game.kyoku
    seat = seat_of(player, player_of(kyoku.board.kyoku, game.first_dealer, game.seats), game.seats)
    write(kyoku.board, choice, seat, kyoku.ready.missed[seat], obs, mask)


def _options(choice: Choice, number: int, first: int | None) -> Sequence[Action]:
    return [option for option in choice.options if number_of(option) == number]


ENCODER: Final = NetEncoder(NAME, (SIZE,), np.int32, NAMES, OwnSeat, _options, three=True, look=_look)
