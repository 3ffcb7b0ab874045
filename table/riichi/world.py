"""The hidden tiles of a position in numbers: a world, from which its kyoku goes on at once, any number of times.

    world = Worlds(read_line(text), seed="1").draw(0)
    kyoku = world.kyoku()

Nothing is replayed. What the line says stands on the board; hands and wall are drawn (`line/likely.py`), and the waits
and furiten of the other seats follow from them.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TypeVar

from jantaku.table.ground.chance import Numbers, shuffled
from jantaku.table.ground.errors import BadInput
from jantaku.table.riichi.events import Event, TileDiscard
from jantaku.table.riichi.flow.kyoku import Kyoku
from jantaku.table.riichi.flow.outcome import Midway
from jantaku.table.riichi.flow.view import WaitsView
from jantaku.table.riichi.law.readiness import Readiness
from jantaku.table.riichi.line import Position
from jantaku.table.riichi.line.checks import CLAIMS, OWN_CLAIMS, Subject
from jantaku.table.riichi.line.hidden import hidden_hands
from jantaku.table.riichi.line.position import Unlikely, action_of, timeline_of
from jantaku.table.riichi.mask import dealt_to
from jantaku.table.riichi.pieces.board import LIVE_TILES, Board
from jantaku.table.riichi.pieces.tehai import tehai_of
from jantaku.table.riichi.pieces.wall import HAND, Wall
from jantaku.table.riichi.rules import Rules

T = TypeVar("T")
TRIES = 400
"""Draws that are tried before a position is refused."""


class NoWorld(BadInput):
    """No hidden tiles were found that fit a position: a seat in riichi gets no tenpai from them, for example."""


def copy_of(whole: Board, seat: int | None = None) -> Board:
    """Copy a board as `seat` sees it, or with all hands."""
    board = Board(whole.rules)
    dealt_to(seat, whole, board)
    board.catch_up(whole, whole.last_seat if seat is None else seat)
    return board


class World:
    """One way in which the hidden tiles may lie, as the state of its kyoku and the wall."""

    def __init__(self, rules: Rules, midway: Midway, wall: Wall) -> None:
        self._rules, self._midway = rules, midway
        self._tiles, self._drawn, self._kans = wall.tiles, wall.drawn, wall.kans

    def kyoku(self) -> Kyoku:
        """Return the kyoku, ready to go on; each call returns another one in the same state."""
        at, wall = self._midway, Wall.from_tiles(self._tiles)
        wall.drawn, wall.kans = self._drawn, self._kans
        here = Midway(copy_of(at.board), at.seat, at.missed, at.unopened, at.rinshan, at.action)
        return Kyoku(self._rules, wall, here, [])


class Worlds:
    """Draws worlds of a position, the same ones for the same seed. NoWorld if no hidden tiles fit the position."""

    def __init__(self, position: Position, seed: str) -> None:
        self._position, self._seed = position, seed
        numbers = Numbers(f"jantaku worlds 1|{seed}|{position.line}")
        self._public = first_possible(lambda: timeline_of(position, numbers))

    def draw(self, number: int) -> World:
        position = self._position
        numbers = Numbers(f"jantaku world 1|{self._seed}|{number}|{position.line}")
        hands, rest = first_possible(lambda: hidden_hands(position, numbers))
        return world_of(position, self._public, hands, shuffled(rest, numbers))


def world_of(position: Position, public: Sequence[Event], hands: Sequence[Sequence[int]], rest: Sequence[int]) -> World:
    """Put a world in place. `public` are the events from the deal to the question (see `timeline_of`), `hands` the
    concealed tiles of all seats, and `rest` lies in the wall: the live part, then the dead wall from the left, without
    open indicators."""
    at, asked, rules = position.board, position.asked, position.rules
    board, mover, drawn = copy_of(at, position.seat), at.last_seat, at.hands[position.seat].drawn
    for seat, (hand, tiles) in enumerate(zip(at.hands, hands, strict=True)):
        if seat != position.seat:
            board.hands[seat] = tehai_of(tiles, hand.melds)
            board.hands[seat].aside = hand.aside
    made = at.kans + sum(hand.aside for hand in at.hands) - (asked in OWN_CLAIMS)
    gone = LIVE_TILES[at.seats] - at.live - made  # from the front of the live wall
    live, rinshan = [0] * gone, [0] * made
    if drawn is not None:  # the kyoku draws it again
        board.hands[mover].discard(drawn)
        board.live += 1
        (rinshan if asked is Subject.RINSHAN else live)[-1] = drawn
    wall = Wall.filled([[0] * HAND] * at.seats, live, rinshan, at.indicators, (), iter(rest))
    wall.drawn, wall.kans = gone - (asked is Subject.DRAW), made - (asked is Subject.RINSHAN)
    stand = at.kans - (asked in (Subject.KAKAN, Subject.ANKAN))
    midway = Midway(
        board,
        mover,
        tuple(_missed(position, public[: len(public) - (asked in CLAIMS)], board)),
        unopened=1 + stand * rules.dora.kan - len(at.indicators),
        rinshan=asked is Subject.RINSHAN if drawn is not None else None,
        action=action_of(public[-1]) if asked in CLAIMS else None,
    )
    return World(rules, midway, wall)


def _missed(position: Position, public: Sequence[Event], board: Board) -> list[bool]:
    """By seat, whether it passed up a tile that it waits for: nobody has won on what these events made."""
    view, in_riichi = WaitsView(position.rules), [False] * board.seats
    view.board, view.ready = board, Readiness(board)
    for event in public:
        if isinstance(event, TileDiscard):
            view.ready.discarded(event.seat, True, in_riichi[event.seat])
            in_riichi[event.seat] |= event.riichi
        view.close(event)
    missed = view.ready.missed
    missed[position.seat] = position.missed
    return missed


def first_possible(draw: Callable[[], T]) -> T:
    """Return what is drawn first without Unlikely. NoWorld if that takes too many tries."""
    for _ in range(TRIES):
        with suppress(Unlikely):
            return draw()
    raise NoWorld(f"found no kyoku that leads to this position, in {TRIES} tries", "position line")
