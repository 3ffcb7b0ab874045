"""The ruling on simultaneous claims (S-35 to S-37, S-43). The order of seats decides, never the order of arrival."""

from collections.abc import Sequence

from jantaku.table.ground.port import Action
from jantaku.table.riichi.actions import CHOMBO, Call, Chombo, Ron
from jantaku.table.riichi.pieces.melds import Meld, MeldKind
from jantaku.table.riichi.pieces.seats import in_turn_order
from jantaku.table.riichi.rules import Rules


def claimants(responses: Sequence[Action | None], source: int, seats: int) -> tuple[int, ...]:
    return tuple([seat for seat in in_turn_order(source, seats) if isinstance(responses[seat], Ron)])


def winners(claims: tuple[int, ...], rules: Rules, *, on_kan: bool) -> tuple[int, ...] | None:
    """The claimants that win: the nearest ones; None if three claims abort the kyoku (三家和)."""
    ron = rules.ron
    aborts, most = (ron.chankan_sanchahou, ron.chankan_max_winners) if on_kan else (ron.sanchahou, ron.max_winners)
    if len(claims) == 3 and aborts:
        return None
    return claims[:most]


def offender(responses: Sequence[Action | None]) -> int | None:
    """The seat whose unusable response ends the kyoku: the first of several in the order of `responses`. None if there
    is none, or if a seat wins, which takes precedence."""
    if CHOMBO not in responses or any(isinstance(response, Ron) for response in responses):
        return None
    return next(seat for seat, response in enumerate(responses) if isinstance(response, Chombo))


def caller(responses: Sequence[Action | None], source: int, seats: int) -> tuple[int, Meld] | None:
    """The seat that gets the discard by a call, and its meld: pon or daiminkan before chi. None if there is no call."""
    chi: tuple[int, Meld] | None = None
    for seat in in_turn_order(source, seats):
        response = responses[seat]
        if isinstance(response, Call):
            if response.meld.kind != MeldKind.CHI:
                return seat, response.meld
            chi = seat, response.meld
    return chi
