"""What of an event each seat may see. The only place where anything is hidden."""

from typing import Final, cast

import msgspec

from table.riichi.events import Draw, Event, HanchanStart, KyokuStart
from table.riichi.pieces.steps import DEAL, DRAW, Step, step_of

_HIDDEN_DRAWS: Final = tuple([tuple([Draw(seat, None, rinshan) for rinshan in (False, True)]) for seat in range(4)])
_HIDDEN_STEPS: Final = tuple([tuple([step_of(draw) for draw in draws]) for draws in _HIDDEN_DRAWS])


def masked(event: Event, seat: int) -> Event:
    """`event` as `seat` may see it."""
    change = event.change
    if change == DRAW:
        draw = cast(Draw, event)
        return event if draw.seat == seat else _HIDDEN_DRAWS[draw.seat][draw.rinshan]
    if change == DEAL:
        dealt = cast(KyokuStart, event).hands
        hands = tuple([hand if owner == seat else None for owner, hand in enumerate(dealt)])
        return msgspec.structs.replace(event, hands=hands)
    return event


def masked_step(step: Step, seat: int) -> Step:
    """The step of an event as `seat` may see it: that of the masked event."""
    change: int = step[0]
    if change == DRAW:
        drawer: int = step[1]
        return step if drawer == seat else _HIDDEN_STEPS[drawer][bool(step[3])]
    if change == DEAL:
        return step_of(masked(step[5], seat))
    return step


def introduced(event: Event, player: int) -> Event:
    """`event`, heard before the first deal, as told to `player`: it learns its own id."""
    return msgspec.structs.replace(event, you=player) if isinstance(event, HanchanStart) else event
