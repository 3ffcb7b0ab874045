"""What is played at the tables of a batch: rules, walls, seats, bots, and what the players gain."""

from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from jantaku.table.ground.errors import BadInput
from jantaku.table.learn.encoders import encoder_of
from jantaku.table.learn.encoding import NetEncoder
from jantaku.table.play import seeds
from jantaku.table.play.roster import Entrant, enlist
from jantaku.table.riichi.events import HanchanEnd
from jantaku.table.riichi.flow.outcome import Standing
from jantaku.table.riichi.pieces.wall import seat_draw
from jantaku.table.riichi.rules import Rules
from jantaku.table.riichi.ruleset import preset

LEARNER: Final = "learner"
"""The word for a player whose questions are rows."""
Reward = Callable[[Standing, Standing, HanchanEnd | None], Sequence[float]]
"""What the players gain, by their place: called with the standing before and after each kyoku, and with the end of the
game behind its last kyoku."""


class BatchPlan(msgspec.Struct, frozen=True):
    """What is played at every table, see `Batch`. `bots` are by player; None is a learner."""

    rules: Rules
    seed: str
    reward: Reward
    encoder: NetEncoder
    bots: tuple[Entrant | None, ...]
    paired: bool

    def seating(self, number: int) -> tuple[int, int, tuple[int, ...], str]:
        """Of game `number`: the number of its walls, the first dealer's place, the player at each place, and the seed
        of walls and bots."""
        seats = len(self.bots)
        if not self.paired:
            return number, *seat_draw(self.seed, number, seats), self.seed
        walls, turned = divmod(number, seats)
        order = tuple((place + turned) % seats for place in range(seats))
        return walls, 0, order, seeds.of_game(self.seed, walls)


def kyoku_points(before: Standing, after: Standing, end: HanchanEnd | None) -> list[float]:
    """The points won in a kyoku, in thousands."""
    return [(now - then) / 1000 for then, now in zip(before.scores, after.scores, strict=True)]


def final_points(before: Standing, after: Standing, end: HanchanEnd | None) -> list[float]:
    """The final points with uma and oka, once at the end."""
    return [0.0] * len(after.scores) if end is None else [tenths / 10 for tenths in end.tenths]


def final_rank(before: Standing, after: Standing, end: HanchanEnd | None) -> list[float]:
    """The middle rank minus the final one, once at the end: more is better, and the sum is zero."""
    middle = (len(after.scores) + 1) / 2
    return [0.0] * len(after.scores) if end is None else [middle - rank for rank in end.ranks]


REWARDS: Final[dict[str, Reward]] = {"kyoku": kyoku_points, "points": final_points, "rank": final_rank}


def plan_of(
    rules: Rules | str, seed: str, encoder: str, players: Sequence[str], reward: Reward | str, paired: bool = False
) -> BatchPlan:
    """Make a plan from what a person gives. Raises BadInput for names that there are not, and what does not fit."""
    if isinstance(reward, str) and reward not in REWARDS:
        raise BadInput(f"reward = “{reward}”; allowed are {', '.join(REWARDS)}, or a function")
    law = preset(rules) if isinstance(rules, str) else rules
    kind, seats = encoder_of(encoder), law.game.players
    kind.refuse(seats, "encoder")
    bots = bots_of(players or [LEARNER] * seats, seats)
    return BatchPlan(law, str(seed), REWARDS[reward] if isinstance(reward, str) else reward, kind, bots, paired)


def bots_of(players: Sequence[str], seats: int) -> tuple[Entrant | None, ...]:
    """The bots of a batch by player, None for a learner. Raises BadInput for another number of players, for none that
    learns, and for a bot that runs in a process of its own."""
    if len(players) != seats:
        raise BadInput(f"players: {len(players)} given; {seats} play by these rules")
    if LEARNER not in players:
        raise BadInput(f"players: none learns; allowed are bots and at least one “{LEARNER}”")
    entrants = iter(enlist([player for player in players if player != LEARNER]))
    bots = tuple([None if player == LEARNER else next(entrants) for player in players])
    for bot in bots:
        if bot is not None and bot.scheme:
            raise BadInput(f"players: {bot.spec}: a batch plays with Python bots of its own process")
    return bots
