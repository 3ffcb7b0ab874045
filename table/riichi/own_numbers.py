"""The numbers of the observation `jantaku-1`: where each stands, and what a board says there. Without numpy: the core
compiles it."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from jantaku.table.ground.choice import Action, Choice
from jantaku.table.riichi.actions import NOTEN, PASS
from jantaku.table.riichi.option_numbers import NAMES, number_of
from jantaku.table.riichi.pieces.board import MOST_KANS, Board, River
from jantaku.table.riichi.pieces.melds import Meld
from jantaku.table.riichi.pieces.seats import SEATS
from jantaku.table.riichi.pieces.tiles import FIVES, KINDS, RED_M
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
_NUMBERS: Final = len(NAMES)
_HEAD: Final = SIDES[0][0]
_STATE: Final = SIDES[0][1] - SIDES[0][0]
_NO_SIDE: Final = bytes(SIZE - SIDES[3][0])
"""Of the fourth seat where three play."""
_NO_RIVER: Final = bytes(3 * RIVER)
_NO_MELDS: Final = bytes(_MELD * MOST_KANS)
_SUIT_OF_FIVE: Final = [FIVES.index(kind) if kind in FIVES else -1 for kind in range(KINDS)]
OwnRow = tuple[bytearray, tuple[int, int, int, int, int, int], bytearray]
"""What a seat sees, packed: a byte for each number, the numbers at the places `LARGE`, and a byte for each option
number (1: it may be taken)."""
LARGE: Final = (AT["table"] + 3, AT["table"] + 4, *[state for state, _, _ in SIDES])
"""Places of the numbers that a byte cannot hold: honba, sticks, and each seat's points."""
NO_ROW: Final[OwnRow] = (bytearray(SIZE), (0, 0, 0, 0, 0, 0), bytearray(_NUMBERS))
"""Nothing is seen, and nothing may be taken."""


class RowPacker:
    """Packs what the seats of one table see. Rivers and melds are the same numbers for every seat, but for the seats
    that called: they are kept until they change."""

    def __init__(self) -> None:
        self._rivers = [River() for _ in range(SEATS)]
        self._discards = [b""] * SEATS
        """By seat, the numbers of the discards so far."""
        self._padded = [_NO_RIVER] * SEATS
        self._melds: list[list[Meld]] = [[] for _ in range(SEATS)]
        self._laid = [_NO_MELDS] * SEATS

    def seen(self, board: Board, choice: Choice, seat: int, missed: bool) -> OwnRow:
        """What `seat`, whose tiles the board knows, sees at a choice. `missed`: it has passed up a winning tile, as
        `Readiness.missed` says."""
        seats = board.seats
        told = _head(board, choice, seat, missed)
        scores, calls = [0] * SEATS, list[int]()
        for relative in range(seats):
            other = (seat + relative) % seats
            hand = board.hands[other]
            scores[relative] = board.scores[other]
            told += [0, board.riichi[other], int(board.deposited[other]), int(board.ippatsu[other])]
            told += [hand.aside, hand.size]
            for index, caller in board.rivers[other].called_by.items():
                calls.append(SIDES[relative][2] + 3 * index + 2)
                calls.append(1 + (caller - seat) % seats)
        row = self._row(board, bytes(told), seat)
        for index in range(0, len(calls), 2):
            row[calls[index]] = calls[index + 1]
        return row, (board.honba, board.sticks, scores[0], scores[1], scores[2], scores[3]), _marks(choice)

    def _row(self, board: Board, told: bytes, seat: int) -> bytearray:
        """Put rivers and melds between what is told of the table and of each seat."""
        parts, begin = [told[:_HEAD]], _HEAD
        for relative in range(board.seats):
            other = (seat + relative) % board.seats
            if board.hands[other].melds != self._melds[other]:
                self._melds[other] = board.hands[other].melds[:]
                self._laid[other] = bytes(_told_melds(self._melds[other]))
            river = board.rivers[other]
            if river is not self._rivers[other] or 3 * len(river.tiles) != len(self._discards[other]):
                self._follow(other, river)
            parts += [told[begin : begin + _STATE], self._laid[other], self._padded[other]]
            begin += _STATE
        if board.seats < SEATS:
            parts.append(_NO_SIDE)
        return bytearray().join(parts)

    def _follow(self, seat: int, river: River) -> None:
        """Add new discards of a river. Earlier ones never change: calls are no part of these numbers."""
        known = self._discards[seat] if river is self._rivers[seat] else b""
        for index in range(len(known) // 3, len(river.tiles)):
            flags = int(river.tsumogiri[index]) + 2 * int(index in river.sideways)
            known += bytes((river.tiles[index] + 1, flags, 0))
        self._rivers[seat], self._discards[seat] = river, known
        self._padded[seat] = known + bytes(3 * RIVER - len(known))


def _head(board: Board, choice: Choice, seat: int, missed: bool) -> list[int]:
    told = [0] * _HEAD
    hand, seats, last, drawn = board.hands[seat], board.seats, board.last_tile, board.hands[seat].drawn
    told[0], told[1], told[2], told[5], told[6] = seat, board.round, board.kyoku, board.live, seats
    told[7] = 3 if choice.default == NOTEN else 2 if choice.default == PASS else int(bool(choice.options))
    told[8], told[9], told[10] = int(board.rinshan), int(board.first_round), int(missed)
    told[11], told[12] = (board.last_seat - seat) % seats, 0 if last is None else last + 1
    place = _LAST + 2
    for tile in board.indicators:
        told[place] = tile + 1
        place += 1
    place, apart = _HAND, -1 if drawn is None else drawn
    for kind, count in enumerate(hand.counts):
        if not count:
            continue
        suit = _SUIT_OF_FIVE[kind]
        reds = 0 if suit < 0 else hand.reds[suit]
        plain = count - reds - int(apart == kind)
        reds -= int(suit >= 0 and apart == RED_M + suit)
        for _ in range(reds):
            told[place] = RED_M + suit + 1
            place += 1
        for _ in range(plain):
            told[place] = kind + 1
            place += 1
    told[_DRAWN] = apart + 1
    return told


def _told_melds(melds: list[Meld]) -> list[int]:
    told = [0] * (_MELD * MOST_KANS)
    place = 0
    for meld in melds:
        told[place] = meld.kind + 1
        tiles = list(meld.own)
        if meld.added is not None:
            tiles.append(meld.added)
        for index, tile in enumerate(tiles):
            told[place + 1 + index] = tile + 1
        told[place + 5] = 0 if meld.called is None else meld.called + 1
        told[place + 6] = meld.source
        place += _MELD
    return told


def _marks(choice: Choice) -> bytearray:
    marks = bytearray(_NUMBERS)
    for option in choice.options:
        marks[number_of(option)] = 1
    return marks


def joined(rows: list[OwnRow]) -> tuple[bytes, list[int], bytes]:
    """Join the parts of rows: all bytes of numbers, all large numbers, all bytes of option numbers."""
    seen: list[bytearray] = []
    large: list[int] = []
    marks: list[bytearray] = []
    for row in rows:
        seen.append(row[0])
        large += row[1]
        marks.append(row[2])
    return b"".join(seen), large, b"".join(marks)


def options_of(choice: Choice, number: int, first: int | None) -> list[Action]:
    """The options of a choice with this number: one or none."""
    return [option for option in choice.options if number_of(option) == number]
