"""The facts of a recorded game: the game's own events, and results of which a log may not tell everything.

None in a `WinFact` or `DrawFact` means "not told": it is not compared with anything, and rules that agree with
everything else may fill it in. Seats are the kyoku's, as in events.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import msgspec

from jantaku.table.riichi import events
from jantaku.table.riichi.events import DrawReason, PerSeat
from jantaku.table.riichi.pieces.melds import Meld
from jantaku.table.riichi.pieces.seats import SEATS
from jantaku.table.riichi.pieces.tehai import Tehai
from jantaku.table.riichi.pieces.tiles import sort_tiles
from jantaku.table.riichi.points.payments import Liability
from jantaku.table.riichi.points.yaku import PAO_YAKU, HandValue

Tiles = tuple[int, ...]
Melds = tuple[Meld, ...]


class WinFact(msgspec.Struct, frozen=True, kw_only=True):
    """One seat wins. Fields as in `events.Win`, except that `hand` is sorted, `riichi` only says whether it was
    declared, and `ura` is empty where none counted.

    `source` is always told: None is a tsumo. `miscounted`: the log is known to have paid for the wrong han; everything
    is right but `deltas`.
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
    """The kyoku ends without a winner. `reason` is a `DrawReason`, or the log's own word where it is not one of these.

    `hands` are those that were opened, by seat, sorted, a tile just drawn last, None for the others; `melds` and
    `riichi` are what is shown beside them.
    """

    reason: str | None
    deltas: PerSeat | None = None
    hands: tuple[Tiles | None, ...] | None = None
    melds: tuple[Melds | None, ...] | None = None
    riichi: tuple[bool | None, ...] | None = None
    offender: int | None = None
    """Whose fault it was, of a chombo."""


class EndFact(msgspec.Struct, frozen=True):
    """The game is over. As `events.HanchanEnd`, by player id."""

    scores: PerSeat
    ranks: PerSeat | None = None
    tenths: PerSeat | None = None


Fact = events.Event | WinFact | DrawFact
"""What happened in a kyoku, from its deal on."""
AS_THEY_ARE = frozenset((events.Draw, events.TileDiscard))
"""Kinds of events that are facts already, as most of all are; known by their type: structs are slow to ask for it."""
NOTHING: PerSeat = (0, 0, 0, 0)
"""What four seats gain where nobody pays."""


class Shown(Protocol):
    """What is shown beside the tiles of a hand at a draw, by seat: melds and riichi. A board implements it."""

    @property
    def hands(self) -> Sequence[Tehai]:
        """Of these only the melds are looked at."""

    @property
    def riichi(self) -> Sequence[int]:
        """0 for a seat that has not declared."""


class Teller:
    """Converts the events of a game to facts, in order. Implements `Shown` without knowing any tile."""

    def __init__(self) -> None:
        self._begin(SEATS)

    def fact(self, event: events.Event) -> Fact:
        """The fact of the next event."""
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
    """The fact for an event, everything told; `board` as it was before the result."""
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
    """Hands as a deal tells them in facts."""
    return tuple([None if hand is None else tuple(sort_tiles(hand)) for hand in hands])


def log_of(stream: Iterable[events.Event]) -> list[list[Fact]]:
    """A game as the log of a record: by kyoku all facts, the deal first."""
    teller = Teller()
    log: list[list[Fact]] = []
    for event in stream:
        if isinstance(event, events.KyokuStart):
            log.append([])
        if not isinstance(event, events.HanchanStart | events.HanchanEnd):
            log[-1].append(teller.fact(event))
    return log


def agrees(told: Fact, made: Fact) -> bool:
    """Whether `made`, which is complete, agrees with everything that is `told`."""
    if not isinstance(told, WinFact | DrawFact) or type(told) is not type(made):
        return told == made
    parts = ((getattr(told, name), getattr(made, name)) for name in told.__struct_fields__)
    return all(theirs is None or theirs == ours for theirs, ours in parts)


def shown_hands(hands: Sequence[Iterable[int] | None], board: Shown) -> dict[str, Any]:
    """`hands`, `melds` and `riichi` of a draw at which these hands are opened."""
    opened = [hand is not None for hand in hands]
    return {
        "hands": tuple([None if hand is None else with_drawn_last(hand) for hand in hands]),
        "melds": tuple([tuple(hand.melds) if shows else None for hand, shows in zip(board.hands, opened, strict=True)]),
        "riichi": tuple([bool(riichi) if shows else None for riichi, shows in zip(board.riichi, opened, strict=True)]),
    }


def liable_for(seat: int, yaku: Iterable[tuple[str, int]]) -> tuple[Liability, ...]:
    """`seat` is liable for every one of these yakuman that permits liability."""
    found = {name for name, _ in yaku}
    return tuple(Liability(key, seat) for key, name in PAO_YAKU.items() if name in found)


def open_hand(hand: Tehai) -> Tiles:
    """The concealed tiles of a hand that is opened: sorted, a tile just drawn last."""
    return (*hand.tiles_before_draw, *(() if hand.drawn is None else (hand.drawn,)))


def with_drawn_last(tiles: Iterable[int]) -> Tiles:
    """The tiles of an opened hand sorted, but for the last one where it was just drawn."""
    hand = tuple(tiles)
    return (*sort_tiles(hand[:-1]), hand[-1]) if len(hand) % 3 == 2 else tuple(sort_tiles(hand))


def event_of(fact: Fact) -> events.Event:
    """The event as a seat hears it; what is not told of a result gets an empty value."""
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
