"""Rollout: looks ahead. It takes the answers that `allround` finds best, plays each out in many worlds, and gives the
one that ends best.

A world is one way in which the tiles that its seat does not see may lie. All seats play on by another bot, fast enough
for hundreds of worlds. `allround` decides where nothing is to be weighed, and where the worlds do not decide.
"""

from collections.abc import Sequence
from typing import Final

from jantaku.players.base import RiichiPlayer
from jantaku.players.bots.thought import Thought
from jantaku.players.bots.weighing import Weighing
from jantaku.table.ground.clock import now
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Action, Question
from jantaku.table.play.playouts import Playouts, made_to_play_on, maker_of
from jantaku.table.play.seating.making import let_go
from jantaku.table.riichi.actions import Discard, Ron, Tenpai, Tsumo
from jantaku.table.riichi.line import line_of, read_line
from jantaku.table.riichi.pieces.tiles import KIND
from jantaku.table.riichi.world import NoWorld

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
RANK: Final = 1e-4
"""The rank that a point is worth to `allround`."""
DOUBT: Final = 0.02
"""How far `allround` is wrong about the difference of two answers, in ranks: a standard deviation. Playouts whose error
is as large count as much as its opinion."""
Weighed = tuple[float, Action]
"""An answer, behind the points that `allround` gives it."""


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
        self._by, self._make = by, maker_of(by)
        let_go(made_to_play_on(self._make, 0))

    def answer(self, question: Question) -> Action:
        """Return a win if offered, else the answer that ends best."""
        end = now() + self._seconds
        if sure := self.find(question, Tsumo, Ron, Tenpai):
            return sure
        candidates = self.candidates(question)
        return candidates[0][1] if len(candidates) == 1 else self._best_of(candidates, question, end)

    def candidates(self, question: Question) -> list[Weighed]:
        """The answers to play out. `allround` would give the first one."""
        weighing = Weighing(self)
        if not isinstance(question.default, Discard):
            return _close(weighing.calls(self, question))
        special = Thought(self.board, self.seat, self.threats).special(question.choice)
        discards = self.find_all(question, Discard)
        if special is not None and (self.board.riichi[self.seat] or not discards):
            return [(0.0, special)]
        ranked = weighing.ranked(discards)
        found = _close(ranked)
        most, best = ranked[0]
        found += [(most, one) for one in discards if one.tile == best.tile and one.riichi != best.riichi][:1]
        if weighing.threats:
            safest = min(ranked, key=lambda one: weighing.cost(KIND[one[1].tile]))
            found += [safest] if safest not in found else []
        return found if special is None else [(most, special), *found]

    def _best_of(self, candidates: Sequence[Weighed], question: Question, end: float) -> Action:
        """Play the candidates out, and weigh how they end with what `allround` thinks of them."""
        first = candidates[0][1]
        try:
            position = read_line(line_of(self.board, question.choice, seat=self.seat))
            options = [option for _, option in candidates]
            playouts = Playouts(position, self._make, "rollout", options=options, by_rank=True)
            playouts.play(self._worlds, seconds=end - now())
        except NoWorld:
            return first
        if playouts.faults:
            raise RuntimeError(f"by = {self._by}: {next(iter(playouts.faults))}")
        return chosen(candidates, playouts)


def chosen(candidates: Sequence[Weighed], playouts: Playouts) -> Action:
    """Weigh how the answers ended against what `allround` thinks of them, each as far as it is sure, and return the
    best one."""
    most, first = candidates[0]
    best, lead = first, 0.0
    for points, option in candidates[1:]:
        found, error = playouts.lead(option, first)
        if error is not None:
            trust = DOUBT**2 / (DOUBT**2 + error**2)
            after = trust * found - (1 - trust) * (most - points) * RANK
            best, lead = (option, after) if after > lead else (best, lead)
    return best


def _close(ranked: Sequence[tuple[float, Action]]) -> list[Weighed]:
    """The best answers, those that are not far behind."""
    return [one for one in ranked[:MOST] if ranked[0][0] - one[0] <= CLOSE]


def _refuse(name: str, value: object, fits: bool, allowed: str) -> None:
    if not fits:
        raise BadInput(f"{name} = {value}: allowed is {allowed}", "player rollout")
