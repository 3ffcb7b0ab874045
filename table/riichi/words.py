"""Actions and rulings as text for logs, exams and reports."""

from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from jantaku.table.ground.port import Action
from jantaku.table.riichi import actions, events
from jantaku.table.riichi.pieces.melds import MeldKind, meld_text
from jantaku.table.riichi.pieces.seats import in_turn_order
from jantaku.table.riichi.pieces.tiles import NAMES


def discard_text(tile: int, tsumogiri: bool, riichi: bool) -> str:
    """A discard as text: `m1`, `m1_` (just drawn), `m1*` (riichi), `m1_*`."""
    return NAMES[tile] + "_" * tsumogiri + "*" * riichi


@cache
def word_of(action: Action) -> str:
    """An action as a word: a discard `m1_*`, a meld, or the action's name in lower case, such as `tsumo`. Two options
    of one question never have the same word."""
    match action:
        case actions.Discard(tile, tsumogiri, riichi):
            return discard_text(tile, tsumogiri, riichi)
        case actions.Call(meld) | actions.Kan(meld):
            return meld_text(meld)
        case _:
            return type(action).__name__.lower()


class RiichiWords:
    """Implements `jantaku.table.ground.game.Words`."""

    round: Final = "kyoku"

    def __init__(self, players: Sequence[str]) -> None:
        self.players = players

    def action(self, action: Action) -> str:
        return word_of(action)

    def ruling(self, mover: int, responses: Sequence[Action | None], new: Sequence[Any]) -> tuple[str, str]:
        order = in_turn_order(mover, len(self.players))
        claims = [seat for seat in order if isinstance(responses[seat], actions.Ron)]
        wins = sum(isinstance(event, events.Win) for event in new)
        for event in new:
            match event:
                case events.Win() if not claims:
                    return f"tsumo by {mover}", "wins on its own draw"
                case events.Win():
                    ruled = f"ron by {', '.join(map(str, claims[:wins]))}"
                    return ruled, "one claim" if len(claims) == 1 else f"{len(claims)} claims, the nearest {wins} win"
                case events.ChomboDraw():
                    others = (seat for seat, said in enumerate(responses) if said is actions.CHOMBO)
                    return f"chombo by {next(others, mover)}", "an answer that cannot be used"
                case events.Ryukyoku():
                    return f"draw, {event.reason}", f"{len(claims)} claims abort" if claims else "by the rules"
                case events.MeldCall():
                    calls = {seat: said.meld for seat in order if isinstance(said := responses[seat], actions.Call)}
                    by = next(seat for seat, meld in calls.items() if meld == event.meld)
                    kind = MeldKind(event.meld.kind).name.lower()
                    return f"{kind} by {by}", "one claim" if len(calls) == 1 else "pon and kan go before chi"
                case events.Draw():
                    return "next draw", "nobody claims"
        return "next question", "nobody claims"
