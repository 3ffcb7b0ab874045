"""What the options of a question are worth: each is played out to the end of the kyoku from the same made-up pasts.

    told = options_worth(read_line(text), enlist(["shanten"])[0], pasts=100)

The worth hangs on the bot that plays all seats from there, and on the hidden tiles being as likely as any others: hands
are not guessed from discards.
"""

from collections.abc import Callable
from statistics import mean

import msgspec

from jantaku.table.arena.forks.course import course_of
from jantaku.table.arena.forks.rollout import Branch, BranchedGame, StandingWorth
from jantaku.table.arena.forks.shadow import ALONE, Beside, play_between
from jantaku.table.arena.match.figures.statistics import interval
from jantaku.table.ground.port import Action
from jantaku.table.languages.majiang.words import Item, reply
from jantaku.table.play.roster import Entrant
from jantaku.table.records.replay.past import Past, begun, past_of
from jantaku.table.riichi.line import Position
from jantaku.table.riichi.option_numbers import number_of

PASTS = 100
"""The pasts of a question, if no other number is wanted."""


class OptionWorth(msgspec.Struct, frozen=True):
    """What an option is worth: the mean final points, with uma and oka, that its player can expect behind the kyoku.

    `option` is a Majiang reply, `number` its option number. `behind`: how much less it is worth than the best option,
    and `margin` the half of its 95 % interval (None if there are too few pasts for one); both are 0 for the best one.
    """

    option: Item
    number: int
    points: float
    behind: float
    margin: float | None


class OptionsWorth(msgspec.Struct, frozen=True):
    """The options of a question, the best first: the bot `by` has played all seats from each of `pasts` pasts."""

    by: str
    pasts: int
    options: tuple[OptionWorth, ...]


def options_worth(
    position: Position,
    bot: Entrant,
    *,
    pasts: int = PASTS,
    seed: str = "1",
    beside: Beside = ALONE,
    played: Callable[[], object] = lambda: None,
) -> OptionsWorth:
    """Play every option out from each past; `played` is called after each past. BadInput if no kyoku leads to the
    position, or the bot cannot be made."""
    points: dict[Action, list[float]] = {option: [] for option in position.choice.options}
    for number in range(pasts):
        rest = _RestOfPast(past_of(position, f"{seed}|{number}"), bot, beside)
        for option, found in points.items():
            found.append(rest.points(option))
        played()
    best = max(points, key=lambda option: sum(points[option]))
    told = [_worth(option, found, points[best]) for option, found in points.items()]
    return OptionsWorth(bot.name, pasts, tuple(sorted(told, key=lambda one: -one.points)))


def _worth(option: Action, found: list[float], best: list[float]) -> OptionWorth:
    less = [top - own for top, own in zip(best, found, strict=True)]
    half = 0.0 if found is best else interval(less, [1.0] * len(less)).half
    margin = None if half is None else round(half, 2)
    return OptionWorth(reply(option), number_of(option), round(mean(found), 2), round(mean(less), 2), margin)


class _RestOfPast:
    """Plays one past on with different options."""

    def __init__(self, past: Past, bot: Entrant, beside: Beside) -> None:
        self._past, self._bot, self._beside = past, bot, beside
        self._told = begun(past)
        course = course_of(past.record)
        if not course.kyoku:  # the question is the first one of the kyoku
            course = msgspec.structs.replace(course, kyoku=[[]], standings=[self._told.standing])
        self._course = course
        self._worth = StandingWorth(self._course.rules)

    def points(self, option: Action) -> float:
        """Return the final points that the player can expect behind the kyoku, if it chooses this option."""
        past, course, turns = self._past, self._course, len(self._course.kyoku[0])
        given = {past.player: option}
        if past.given is not None:
            turn = self._told.turn()
            assert turn is not None, "the kyoku goes on"
            given[turn.seat] = past.given
        branch = Branch(1, turns + 1, given)
        game = BranchedGame(course, self._told, branch, self._told.walls[0])
        entrants = dict.fromkeys(range(course.seats), self._bot)
        play_between(lambda players: game, course.seats, entrants, self._beside, turns=turns)
        return self._worth.outlook(game.standing, game.over, past.player, self._told.first_dealer).points
