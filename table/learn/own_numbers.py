"""The numbers of the observation `jantaku-1`: where each stands, and what a board says there. Without numpy: the core
compiles it."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from jantaku.table.ground.choice import Choice
from jantaku.table.riichi.actions import NOTEN, PASS
from jantaku.table.riichi.pieces.board import MOST_KANS, Board
from jantaku.table.riichi.pieces.seats import SEATS
from jantaku.table.riichi.pieces.tiles import sort_tiles
from jantaku.table.riichi.pieces.wall import HAND, INDICATORS

RIVER: Final = 34
"""Places for discards of a seat: it has at most 18 own draws, and one discard for each call."""


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
AT: Final = {field.name: field.begin for field in FIELDS}
_LAST, _HAND, _DRAWN = AT["last"], AT["hand"], AT["drawn"]
SIDES: Final = tuple(
    (AT[f"seat {seat} state"], AT[f"seat {seat} melds"], AT[f"seat {seat} river"]) for seat in range(SEATS)
)
_MELD: Final = 7


def numbers_of(board: Board, choice: Choice, seat: int, missed: bool) -> tuple[bytes, list[tuple[int, int]]]:
    """What `seat`, whose tiles the board knows, sees at a choice: a byte for each number, and those apart that a byte
    cannot hold, each with its place. `missed`: it has passed up a winning tile, as `Readiness.missed` says."""
    told = [0] * SIZE
    hand, seats, last = board.hands[seat], board.seats, board.last_tile
    told[0], told[1], told[2], told[5], told[6] = seat, board.round, board.kyoku, board.live, seats
    told[7] = 3 if choice.default == NOTEN else 2 if choice.default == PASS else int(bool(choice.options))
    told[8], told[9], told[10] = int(board.rinshan), int(board.first_round), int(missed)
    told[11], told[12] = (board.last_seat - seat) % seats, 0 if last is None else last + 1
    _tell_tiles(told, _LAST + 2, board.indicators)
    _tell_tiles(told, _HAND, sort_tiles(hand.tiles_before_draw))
    drawn = hand.drawn
    told[_DRAWN] = 0 if drawn is None else drawn + 1
    large = [(3, board.honba), (4, board.sticks)]
    for relative in range(seats):
        other = (seat + relative) % seats
        state, melds, river = SIDES[relative]
        large.append((state, board.scores[other]))
        _tell_state(told, state, melds, board, other)
        _tell_river(told, river, board, other, seat)
    return bytes(told), large


def _tell_tiles(told: list[int], place: int, tiles: list[int]) -> None:
    for tile in tiles:
        told[place] = tile + 1
        place += 1


def _tell_state(told: list[int], place: int, melds: int, board: Board, seat: int) -> None:
    hand = board.hands[seat]
    told[place + 1], told[place + 2] = int(board.riichi[seat]), int(board.deposited[seat])
    told[place + 3], told[place + 4], told[place + 5] = int(board.ippatsu[seat]), hand.aside, hand.size
    for meld in hand.melds:
        told[melds] = meld.kind + 1
        tiles = list(meld.own)
        if meld.added is not None:
            tiles.append(meld.added)
        _tell_tiles(told, melds + 1, tiles)
        told[melds + 5] = 0 if meld.called is None else meld.called + 1
        told[melds + 6] = meld.source
        melds += _MELD


def _tell_river(told: list[int], place: int, board: Board, seat: int, own: int) -> None:
    river = board.rivers[seat]
    at = place
    for tile in river.tiles:
        told[at] = tile + 1
        at += 3
    at = place + 1
    for tsumogiri in river.tsumogiri:
        told[at] = int(tsumogiri)
        at += 3
    for index in river.sideways:
        told[place + 3 * index + 1] += 2
    for index, caller in river.called_by.items():
        told[place + 3 * index + 2] = 1 + (caller - own) % board.seats
