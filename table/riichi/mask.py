"""Hides what a seat may not see of an event: other seats' draws and dealt tiles. Nothing is hidden anywhere else."""

from typing import Final, cast

import msgspec

from jantaku.table.riichi.events import Draw, Event, HanchanStart, KyokuStart
from jantaku.table.riichi.pieces.board import DEAL, DRAW, Board

_HIDDEN_DRAWS: Final = tuple([tuple([Draw(seat, None, rinshan) for rinshan in (False, True)]) for seat in range(4)])


def masked(event: Event, seat: int) -> Event:
    change = event.change
    if change == DRAW:
        draw = cast(Draw, event)
        return event if draw.seat == seat else _HIDDEN_DRAWS[draw.seat][draw.rinshan]
    if change == DEAL:
        dealt = cast(KyokuStart, event).hands
        hands = tuple([hand if owner == seat else None for owner, hand in enumerate(dealt)])
        return msgspec.structs.replace(event, hands=hands)
    return event


def dealt_to(seat: int | None, whole: Board, board: Board) -> None:
    """Set `board` to the deal of the kyoku on `whole`, as `seat` sees it, or with all hands if that is None.
    `Board.catch_up` then adds the tiles."""
    hands = [() if seat is None or owner == seat else None for owner in range(whole.seats)]
    place = whole.round, whole.kyoku, whole.honba
    board.rules = whole.rules
    board.start(*place, whole.sticks, whole.scores, whole.indicators[0], hands)


def introduced(event: Event, player: int) -> Event:
    """Return `event`, heard before the first deal, as told to `player`: with the player's own id."""
    return msgspec.structs.replace(event, you=player) if isinstance(event, HanchanStart) else event
