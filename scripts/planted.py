"""Versions of `shanten` whose strength is known, to try a gate with (docs/ci.md says what came out).

jantaku gate scripts.planted:Late shanten --threads inline
jantaku gate scripts.planted:Mirrored shanten --threads inline
"""

from players.bots.shanten import Shanten
from players.bots.worth import Worth
from table.port import Action, Question
from table.riichi.actions import Discard
from table.riichi.pieces.tehai import Tehai
from table.riichi.pieces.tiles import KINDS

FIRST_RIICHI = 9
"""The discard from which on `Late` declares riichi. From the seventh on makes no difference that 800 hanchan show, from
the thirteenth on costs 0.4 ranks."""


class Late(Shanten):
    """Declares riichi late: about 0.1 ranks worse."""

    def _turn(self, question: Question) -> Action:
        action = super()._turn(question)
        early = len(self.board.rivers[self.seat].tiles) < FIRST_RIICHI
        if early and isinstance(action, Discard) and action.riichi:
            return next(one for one in self.find_all(question, Discard) if one.tile == action.tile and not one.riichi)
        return action


class MirroredWorth(Worth):
    """Of two tiles that are worth the same, the one that `shanten` would keep is worth less."""

    def of(self, kind: int, hand: Tehai) -> int:
        """See `Worth`."""
        return super().of(kind, hand) * KINDS + kind


class Mirrored(Shanten):
    """Decides ties the other way round: plays otherwise, and as well."""

    def _worth(self) -> Worth:
        return MirroredWorth(self.seat, self.board.round, self.dora)
