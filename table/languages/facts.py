"""The facts of a recorded game: the game's own events, and results in which a log may omit values.

None in a `WinFact` or `DrawFact` means "unknown": it is not compared with anything, and it may be filled in by rules
that agree with everything else. Seats are the kyoku's, as in events.

`Follower` follows the facts of a record on a board, and rejects the first one that contradicts those before.

Facts are in the order of play: a new indicator comes before the draw or discard that it belongs to, and `Riichi`
follows a discard whose riichi is accepted.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol

import msgspec

from jantaku.table.ground.errors import BadInput
from jantaku.table.riichi import events
from jantaku.table.riichi.events import DrawReason, PerSeat
from jantaku.table.riichi.pieces.board import STICK, Board
from jantaku.table.riichi.pieces.melds import Meld, MeldKind
from jantaku.table.riichi.pieces.notation import hand_text
from jantaku.table.riichi.pieces.seats import SEATS, THREE, at_side, by_player
from jantaku.table.riichi.pieces.tehai import Tehai
from jantaku.table.riichi.pieces.tiles import COPIES, IN_PLAY, KIND, NAMES, NORTH, sort_tiles
from jantaku.table.riichi.points.payments import Liability
from jantaku.table.riichi.points.yaku import DORA, NORTH_DORA, PAO_YAKU, RANK, HandValue

Tiles = tuple[int, ...]
Melds = tuple[Meld, ...]
TENHOU_YAKU = {"ダブル立直": "両立直", "国士無双十三面": "国士無双１３面"} | {
    f"翻牌 {d}": f"役牌 {d}" for d in "白發中"
}
"""Tenhou's name of each yaku that it names differently."""
OUR_YAKU = {theirs: ours for ours, theirs in TENHOU_YAKU.items()}
TENHOU_DRAW = "流局"
"""Tenhou's name of a draw without a special reason."""


class WinFact(msgspec.Struct, frozen=True, kw_only=True):
    """One seat wins. It has the fields of `events.Win`; but `hand` is sorted, `riichi` says only whether riichi was
    declared, and `ura` is empty if no ura dora counted.

    `source` is always known: None is a tsumo. `miscounted` says that the log is known to have paid for the wrong han:
    then all values except `deltas` are right.
    """

    seat: int
    source: int | None
    deltas: PerSeat | None = None
    tile: int | None = None
    hand: Tiles | None = None
    melds: Melds | None = None
    riichi: bool | None = None
    ura: Tiles | None = None
    fu: int | None = None
    han: int | None = None
    yakuman: int | None = None
    yaku: tuple[tuple[str, int], ...] | None = None
    points: int | None = None
    liable: tuple[Liability, ...] | None = None
    miscounted: bool = False


class DrawFact(msgspec.Struct, frozen=True, kw_only=True):
    """The kyoku ends without a winner. `reason` is a `DrawReason`, or the log's own word if it is not one of these.

    `hands` has the opened hands by seat, sorted, the tile just drawn last, None for the others; `melds` and `riichi`
    are shown beside them.
    """

    reason: str | None
    deltas: PerSeat | None = None
    hands: tuple[Tiles | None, ...] | None = None
    melds: tuple[Melds | None, ...] | None = None
    riichi: tuple[bool | None, ...] | None = None
    offender: int | None = None
    """The seat whose chombo ended the kyoku; None for any other draw."""


class EndFact(msgspec.Struct, frozen=True):
    """The game is over. The fields are those of `events.HanchanEnd`, by player id."""

    scores: PerSeat
    ranks: PerSeat | None = None
    tenths: PerSeat | None = None


Fact = events.Event | WinFact | DrawFact
"""One fact of a kyoku, from its deal on."""
AS_THEY_ARE = frozenset((events.Draw, events.TileDiscard))
"""Types of events that are facts unchanged, and the most frequent ones. Tested by type, which is faster than asking a
struct."""
NOTHING: PerSeat = (0, 0, 0, 0)
"""The payments of four seats if nothing is paid."""


class Shown(Protocol):
    """What a draw shows beside the tiles of a hand, by seat: melds and riichi. A board implements it."""

    @property
    def hands(self) -> Sequence[Tehai]:
        """The hands by seat; only their melds are read."""

    @property
    def riichi(self) -> Sequence[int]:
        """By seat, 0 if it has not declared riichi."""


class Teller:
    """Converts the events of a game to facts, in order. Implements `Shown` without knowing any tile."""

    def __init__(self) -> None:
        self._begin(SEATS)

    def fact(self, event: events.Event) -> Fact:
        """Return the fact of the next event."""
        match event:
            case events.TileDiscard(seat, riichi=True):
                self.riichi[seat] = 1
            case events.MeldCall(seat, meld) | events.OwnKan(seat, meld):
                self.hands[seat].meld(meld)
            case events.KyokuStart(hands=dealt):
                self._begin(len(dealt))
        return fact_of(event, self)

    def _begin(self, seats: int) -> None:
        self.hands = [Tehai() for _ in range(seats)]
        self.riichi = [0] * seats


def fact_of(event: events.Event, board: Shown) -> Fact:
    """Return the fact of an event, with all values known; `board` is the state before the result."""
    if type(event) in AS_THEY_ARE:
        return event
    if isinstance(event, events.Win):
        value = event.value
        return WinFact(
            seat=event.seat,
            source=event.source,
            deltas=event.deltas,
            tile=event.tile,
            hand=tuple(sort_tiles(event.hand)),
            melds=event.melds,
            riichi=bool(event.riichi),
            ura=event.ura or (),
            fu=value.fu,
            han=value.han,
            yakuman=value.yakuman,
            yaku=value.yaku,
            points=event.points,
            liable=tuple(one for name, _ in value.yaku for one in event.liable if PAO_YAKU[one.yakuman] == name),
        )
    if isinstance(event, events.Ryukyoku):
        offender = event.offender if isinstance(event, events.ChomboDraw) else None
        shown = shown_hands(event.hands, board)
        return DrawFact(reason=event.reason, deltas=event.deltas, **shown, offender=offender)
    if isinstance(event, events.KyokuStart):
        return msgspec.structs.replace(event, hands=sorted_hands(event.hands))
    return event


def sorted_hands(hands: Iterable[Iterable[int] | None]) -> tuple[Tiles | None, ...]:
    """Sort dealt hands as facts have them."""
    return tuple([None if hand is None else tuple(sort_tiles(hand)) for hand in hands])


def log_of(stream: Iterable[events.Event]) -> list[list[Fact]]:
    """Convert a game to the log of a record: a list of facts for each kyoku, the deal first."""
    teller = Teller()
    log: list[list[Fact]] = []
    for event in stream:
        if isinstance(event, events.KyokuStart):
            log.append([])
        if not isinstance(event, events.HanchanStart | events.HanchanEnd):
            log[-1].append(teller.fact(event))
    return log


def agrees(told: Fact, made: Fact) -> bool:
    """Whether `made`, which is complete, agrees with all known values of `told`."""
    if not isinstance(told, WinFact | DrawFact) or type(told) is not type(made):
        return told == made
    parts = ((getattr(told, name), getattr(made, name)) for name in told.__struct_fields__)
    return all(theirs is None or theirs == ours for theirs, ours in parts)


def shown_hands(hands: Sequence[Iterable[int] | None], board: Shown) -> dict[str, Any]:
    """Return `hands`, `melds` and `riichi` of a draw at which these hands are opened."""
    opened = [hand is not None for hand in hands]
    return {
        "hands": tuple([None if hand is None else with_drawn_last(hand) for hand in hands]),
        "melds": tuple([tuple(hand.melds) if shows else None for hand, shows in zip(board.hands, opened, strict=True)]),
        "riichi": tuple([bool(riichi) if shows else None for riichi, shows in zip(board.riichi, opened, strict=True)]),
    }


def liable_for(seat: int, yaku: Iterable[tuple[str, int]]) -> tuple[Liability, ...]:
    """Make `seat` liable for every one of these yakuman that has liability."""
    found = {name for name, _ in yaku}
    return tuple(Liability(key, seat) for key, name in PAO_YAKU.items() if name in found)


def in_order(yaku: Iterable[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    """Sort yaku into the order of our results; unknown names come last."""
    return tuple(sorted(yaku, key=lambda one: RANK.get(one[0], len(RANK))))


def norths_apart(yaku: Iterable[tuple[str, int]], norths: int, *, yakuman: bool) -> tuple[tuple[str, int], ...]:
    """Sort yaku, and separate the norths set aside from the dora, among which Tenhou counts them (T-40, T-72)."""
    if not norths or yakuman:
        return in_order(yaku)
    rest = [(name, han - norths if name == DORA else han) for name, han in yaku]
    return in_order([*((name, han) for name, han in rest if han), (NORTH_DORA, norths)])


def open_hand(hand: Tehai) -> Tiles:
    """The concealed tiles of an opened hand: sorted, the tile just drawn last."""
    return (*hand.tiles_before_draw, *(() if hand.drawn is None else (hand.drawn,)))


def with_drawn_last(tiles: Iterable[int]) -> Tiles:
    """Sort the tiles of an opened hand, except for the last one if it was just drawn."""
    hand = tuple(tiles)
    return (*sort_tiles(hand[:-1]), hand[-1]) if len(hand) % 3 == 2 else tuple(sort_tiles(hand))


def event_of(fact: Fact) -> events.Event:
    """Return the event as a seat hears it; unknown values of a result become empty ones."""
    if isinstance(fact, DrawFact):
        reason = fact.reason if isinstance(fact.reason, DrawReason) else DrawReason.EXHAUSTIVE
        deltas = fact.deltas or NOTHING
        hands = fact.hands or (None,) * len(deltas)
        if fact.offender is not None:
            return events.ChomboDraw(reason, hands, deltas, fact.offender)
        return events.Ryukyoku(reason, hands, deltas)
    if not isinstance(fact, WinFact):
        return fact
    return events.Win(
        seat=fact.seat,
        source=fact.source,
        tile=fact.tile or 0,
        hand=fact.hand or (),
        melds=fact.melds or (),
        riichi=int(bool(fact.riichi)),
        ura=fact.ura or None,
        value=HandValue(fact.yaku or (), fact.fu or 0, fact.han or 0, fact.yakuman or 0),
        points=fact.points or 0,
        deltas=fact.deltas or NOTHING,
        liable=fact.liable or (),
    )


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
                    raise BadInput(f"seat {seat} sets a north aside in a game of four")
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
                raise BadInput(f"{NAMES[tile]} appears; with three players there are no m2 to m8")
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
            raise BadInput(f"seat {seat} calls chi; with three players there is no chi")
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
