"""Rollout: looks ahead. It takes the answers that `allround` finds best, plays each out in many worlds, and gives the
one that ends best.

A world is one way in which the tiles that its seat does not see may lie. All seats play on by another bot, fast enough
for hundreds of worlds. `allround` decides where nothing is to be weighed, and where the worlds do not decide.
"""

from collections.abc import Sequence
from typing import Final

from jantaku.players.base import RiichiPlayer
from jantaku.players.bots.allround import Weighing
from jantaku.players.bots.thought import Thought
from jantaku.table.ground.clock import now
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Action, Question
from jantaku.table.play.playouts import Playouts
from jantaku.table.play.seating.loader import bot_maker
from jantaku.table.riichi.actions import Discard, Ron, Tenpai, Tsumo
from jantaku.table.riichi.line import line_of, read_line
from jantaku.table.riichi.pieces.tiles import KIND

WORLDS: Final = 64
MOST_WORLDS: Final = 10_000
MS: Final = 100.0
LONGEST: Final = 60_000.0
KEPT: Final = 0.1
"""The share of its time that it keeps for the playout that is under way when time is up, and for the table."""
MOST: Final = 3
"""How many of the best answers are played out, beside the safest discard."""
CLOSE: Final = 1000.0
"""An answer whose worth is more points below the best, as `allround` counts them, is not played out."""
SURE: Final = 1.0
"""How many standard errors an answer has to lead the one of `allround` by."""


class Rollout(RiichiPlayer):
    """Plays the best answers of `allround` out in `worlds` worlds, with the bot `by` at all seats, and takes the one
    that ends at the best rank. It answers within `ms` milliseconds, with the worlds that it has by then."""

    remembers = False
    reseed = None

    def __init__(self, *, worlds: int = WORLDS, ms: float = MS, by: str = "shanten") -> None:
        super().__init__()
        _refuse("worlds", worlds, isinstance(worlds, int) and 1 <= worlds <= MOST_WORLDS, f"1 to {MOST_WORLDS}")
        _refuse("ms", ms, isinstance(ms, int | float) and 1 <= ms <= LONGEST, f"1 to {LONGEST:g} milliseconds")
        self._worlds, self._seconds = worlds, ms / 1000 * (1 - KEPT)
        self._make = bot_maker(by, "riichi")

    def answer(self, question: Question) -> Action:
        """Return a win if offered, else the answer that ends best."""
        end = now() + self._seconds
        if sure := self.find(question, Tsumo, Ron, Tenpai):
            return sure
        first, *others = self.candidates(question)
        return self._best_of([first, *others], question, end) if others else first

    def candidates(self, question: Question) -> list[Action]:
        """The answers that are worth playing out; the first is that of `allround`."""
        weighing = Weighing(self)
        if not isinstance(question.default, Discard):
            return _close(weighing.calls(self, question))
        special = Thought(self.board, self.seat, self.threats).special(question.choice)
        discards = self.find_all(question, Discard)
        if special is not None and (self.board.riichi[self.seat] or not discards):
            return [special]
        ranked = weighing.ranked(discards)
        found = _close(ranked)
        tile, riichi = ranked[0][1].tile, ranked[0][1].riichi
        found += [one for one in discards if one.tile == tile and one.riichi != riichi][:1]
        if weighing.threats:
            safest = min([one for _, one in ranked], key=lambda one: weighing.cost(KIND[one.tile]))
            found += [safest] if safest not in found else []
        return found if special is None else [special, *found]

    def _best_of(self, options: list[Action], question: Question, end: float) -> Action:
        try:
            position = read_line(line_of(self.board, question.choice, seat=self.seat))
            playouts = Playouts(position, self._make, "rollout", options=options, by_rank=True)
            playouts.play(self._worlds, seconds=end - now())
        except BadInput:  # a hand in riichi that fits no draw of the hidden tiles
            return options[0]
        best, first = playouts.best, options[0]
        lead, error = playouts.lead(best, first)
        return best if error is not None and lead > SURE * error else first


def _close(ranked: Sequence[tuple[float, Action]]) -> list[Action]:
    """The best answers, those that are not far behind."""
    best = ranked[0][0]
    return [option for total, option in ranked[:MOST] if best - total <= CLOSE]


def _refuse(name: str, value: object, fits: bool, allowed: str) -> None:
    if not fits:
        raise BadInput(f"{name} = {value}: allowed is {allowed}", "player rollout")
