"""What the options of a question are worth: each is played out to the end of the kyoku in the same worlds.

    playouts = Playouts(read_line(text), "shanten", seed="1")
    playouts.play(worlds=200)
    best, *others = playouts.options

A world is one way in which the hidden tiles may lie, drawn as likely as it is. Bots of this process play all seats from
their boards, without having heard the past. The worth hangs on these bots, and on how likely hands are thought to be.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from math import sqrt
from statistics import fmean, stdev
from textwrap import shorten
from traceback import format_exception_only
from typing import Any, cast

import msgspec

from jantaku.table.ground.clock import now
from jantaku.table.ground.distributions import student
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.foreign.traces import raised_at
from jantaku.table.ground.port import Action, Choice, Player, Question
from jantaku.table.languages.majiang.rule import Item, reply
from jantaku.table.play import seeds
from jantaku.table.play.seating.loader import bot_maker
from jantaku.table.play.seating.lots import says_itself
from jantaku.table.play.seating.making import let_go
from jantaku.table.play.seating.spec import terms_of
from jantaku.table.riichi.actions import PASS
from jantaku.table.riichi.flow.hanchan import next_standing
from jantaku.table.riichi.flow.kyoku import NO_RESPONSES, Kyoku
from jantaku.table.riichi.flow.outcome import KyokuResult
from jantaku.table.riichi.flow.worth import Outlook, StandingWorth
from jantaku.table.riichi.line import Position
from jantaku.table.riichi.line.checks import CLAIMS
from jantaku.table.riichi.mask import dealt_to
from jantaku.table.riichi.option_numbers import number_of
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.seats import player_of
from jantaku.table.riichi.position import standing_at
from jantaku.table.riichi.world import World, Worlds

LOOKS = 16
"""Whether an option leads is looked at after this many worlds, and whenever they have doubled."""
ERROR = 0.05
"""The chance that an interval misses the truth; all looks and options of one question share it when one is to lead."""
FEWEST = 5
"""There is no interval for fewer worlds."""
_MOST_LOOKS = 10
_LAST_LOOK = LOOKS * 2 ** (_MOST_LOOKS - 1)
"""The last look comes after 8,192 worlds: `ERROR` is shared by `_MOST_LOOKS` looks. Later no option is left out."""
_RAISED = object()
_SHOWN = 200
"""The most characters that a fault shows of what was raised."""
SLOW = 1.0
"""An answer that takes more seconds is told; it is used all the same, so that the same seed gives the same worth."""


class OptionWorth(msgspec.Struct, frozen=True):
    """What an option is worth: the mean final points, with uma and oka, that its player can expect behind the kyoku.
    `option` is a Majiang reply, `number` its option number. `behind`: how much less it is worth than the best option,
    and `margin` the half of its 95 % interval (None if there are too few worlds for one); both are 0 for the best
    one."""

    option: Item
    number: int
    points: float
    behind: float
    margin: float | None


def plays_from_board(bot: Player) -> bool:
    """Whether a bot needs nothing but its board: it says itself that it keeps nothing and which lots it draws."""
    told = says_itself(bot, "remembers") and getattr(bot, "remembers", True) is False
    return told and says_itself(bot, "reseed") and isinstance(getattr(bot, "shown_board", None), Board)


def maker_of(word: str) -> Callable[[int], Player]:
    """Return a function that makes a bot of this process from a seed. BadInput for a program, or a seat of a client."""
    if terms_of(word).scheme:
        raise BadInput(f"{word} is no bot of this process, so it cannot play on; allowed are shanten, FILE.py:Class …")
    return bot_maker(word, "riichi")


def made_to_play_on(make: Callable[[int], Player], seed: int) -> Player:
    """Make a bot that can play on from a position. BadInput if it has to hear what came before."""
    bot = make(seed)
    if not plays_from_board(bot):
        let_go(bot)
        raise BadInput(
            f"{type(bot).__name__} has to hear what came before, so it cannot play on from a position; allowed is a "
            "bot of this process, such as shanten, whose class says itself remembers = False and reseed (what it "
            "inherits of these does not count), and has no own hear"
        )
    return bot


class Playouts:
    """Plays the options of a question out. `bot` plays all seats: a word such as `shanten`, or a function that makes
    one from a seed. `options` are those that are played; by default all. With `by_rank` not the points at the end
    decide, but the rank. `error` is the chance that what leads for sure is not the best. The same seed gives the same
    worth. Raises BadInput for other options than the question has, if no hidden tiles fit the position (see `past_of`,
    which plays it), or if the bot has to hear the past."""

    def __init__(
        self,
        position: Position,
        bot: str | Callable[[int], Player] = "shanten",
        seed: str = "1",
        *,
        options: Sequence[Action] | None = None,
        by_rank: bool = False,
        error: float = ERROR,
    ) -> None:
        board, self._position, self._seed = position.board, position, seed
        played = position.choice.options if options is None else options
        _refuse_others(played, position.choice.options)
        make = maker_of(bot) if isinstance(bot, str) else bot
        self._bots: list[Any] = [made_to_play_on(make, seeds.of_bot(seed, 0, seat)) for seat in range(board.seats)]
        self._boards: list[Board] = [bot.shown_board for bot in self._bots]
        self._worlds = Worlds(position, seed)
        self._player = player_of(position.seat, board.kyoku, board.seats)
        self._standing = standing_at(
            position.rules,
            number=board.round * board.seats + board.kyoku,
            honba=board.honba,
            sticks=board.sticks,
            scores=[board.scores[(player - board.kyoku) % board.seats] for player in range(board.seats)],
        )
        self._model, self._known = StandingWorth(position.rules), dict[KyokuResult, Outlook]()
        self._by_rank, self._error = by_rank, error
        self.found: dict[Action, list[float]] = {one: [] for one in played}
        """By option, its worth in each world."""
        self._racing = list(self.found)
        self.worlds = 0
        """Worlds that were played."""
        self._look = LOOKS
        self.faults = Counter[str]()
        """Why answers of bots could not be used, and how often. The default was played for each."""
        self.slow = Counter[str]()
        """How often answers took longer than `SLOW`. They were used."""

    def play(self, worlds: int, *, decide: bool = True, seconds: float | None = None) -> None:
        """Play in that many worlds in all. Unless `decide` is False, options that are behind for sure are left out, and
        it ends when one leads. It also ends when `seconds` are over, before the next playout."""
        end = None if seconds is None else now() + seconds
        while self.worlds < worlds and not (decide and self.decided):
            world, values = self._worlds.draw(self.worlds), list[float]()
            for option in self._racing:
                if end is not None and now() >= end:
                    return
                values.append(self._value(world, option))
            for option, value in zip(self._racing, values, strict=True):
                self.found[option].append(value)
            self.worlds += 1
            if decide and self._look <= self.worlds <= _LAST_LOOK:
                self._look = 2 * self.worlds
                self._leave_out()

    @property
    def decided(self) -> bool:
        """Whether one option leads all others for sure."""
        return len(self._racing) == 1

    @property
    def best(self) -> Action:
        """The option that is worth most so far; the first one before anything was played."""
        return max(self._racing, key=lambda option: sum(self.found[option]))

    @property
    def options(self) -> tuple[OptionWorth, ...]:
        """What the options are worth, the best first."""
        best = self.best
        rest = sorted((one for one in self.found if one is not best), key=lambda one: -fmean(self.found[one] or [0.0]))
        return tuple([self._told(option, best) for option in (best, *rest)])

    def lead(self, option: Action, other: Action) -> tuple[float, float | None]:
        """By how much an option is worth more than another one in the worlds of both, and the standard error; None if
        there are too few worlds for one."""
        more = [one - two for one, two in zip(self.found[option], self.found[other], strict=False)]
        if len(more) < FEWEST:
            return fmean(more or [0.0]), None
        return fmean(more), stdev(more) / sqrt(len(more))

    def behind(self, option: Action, best: Action, error: float = ERROR) -> tuple[float, float | None]:
        """How much less an option is worth than the best one, and half of the interval that misses the truth with the
        chance `error`; both rounded to hundredths of a point. There is no interval for fewer than `FEWEST` worlds."""
        less, deviation = self.lead(best, option)
        worlds = min(len(self.found[option]), len(self.found[best]))
        half = None if deviation is None else round(student(worlds - 1, error / 2) * deviation, 2)
        return round(less, 2), half

    def _told(self, option: Action, best: Action) -> OptionWorth:
        points = fmean(self.found[option] or [0.0])
        behind, margin = (0.0, 0.0) if option is best else self.behind(option, best)
        return OptionWorth(reply(option), number_of(option), round(points, 2), behind, margin)

    def _leave_out(self) -> None:
        """Leave out the options that are behind the best one by more than the interval of all looks together."""
        best, error = self.best, self._error / (_MOST_LOOKS * max(1, len(self.found) - 1))
        self._racing = [one for one in self._racing if one is best or not self._is_behind(one, best, error)]

    def _is_behind(self, option: Action, best: Action, error: float) -> bool:
        less, deviation = self.lead(best, option)
        return deviation is not None and less > 0 and less > student(self.worlds - 1, error / 2) * deviation

    # --- one playout

    def _value(self, world: World, option: Action) -> float:
        kyoku = world.kyoku()
        self._play_on(kyoku, option)
        assert kyoku.result is not None, "it was played to the end"
        outlook = self._known.get(kyoku.result)
        if outlook is None:
            standing, over = next_standing(self._standing, kyoku.result, self._position.rules, 0)
            outlook = self._known[kyoku.result] = self._model.outlook(standing, over, self._player, 0)
        return -outlook.rank if self._by_rank else outlook.points

    def _play_on(self, kyoku: Kyoku, option: Action) -> None:
        """Play to the end; the seat that is asked does `option` first."""
        own, acted, first = self._position.seat, self._position.asked in CLAIMS, True
        for seat, bot in enumerate(self._bots):
            dealt_to(seat, kyoku.board, self._boards[seat])
            if bot.reseed is not None:
                self._called(bot, "reseed", seeds.of_bot(self._seed, self.worlds, seat))
        while kyoku.result is None:
            if not acted:
                turn = kyoku.turn()
                assert turn is not None, "it goes on"
                kyoku.act(option if first and turn[0] == own else self._asked(kyoku, *turn))
            responses: list[Action | None] | None = None
            for seat in kyoku.reacting():
                if (choice := kyoku.reaction(seat, kyoku.action)) is not None:
                    said = option if first and seat == own else self._asked(kyoku, seat, choice)
                    if said is not PASS and said != PASS:
                        responses = responses or [None] * len(self._bots)
                        responses[seat] = said
            kyoku.rule(NO_RESPONSES if responses is None else responses)
            acted = first = False

    def _asked(self, kyoku: Kyoku, seat: int, choice: Choice) -> Action:
        """What the bot of a seat answers; the default if that cannot be used."""
        if not choice.asks:
            return choice.default
        bot = self._bots[seat]
        self._boards[seat].catch_up(kyoku.board, seat)
        asked_at = now()
        given = self._called(bot, "answer", Question(0, seat, choice))
        if given is _RAISED:
            return choice.default
        if now() - asked_at > SLOW:
            self.slow[f"{type(bot).__name__}: an answer that took longer than {SLOW:g} s"] += 1
        option = choice.find(given)
        if option is None and given in choice.options:
            option = cast(Action, given)
        if option is None:
            self.faults[f"{type(bot).__name__}: an answer that is not among the options"] += 1
        return choice.default if option is None else option

    def _called(self, bot: Player, method: str, given: object) -> Any:
        """What a bot's method returns; `_RAISED`, and the bot is to blame, if it raises."""
        try:
            return getattr(bot, method)(given)
        except (Exception, SystemExit) as problem:  # a bot may raise anything
            told, place = shorten(format_exception_only(problem)[-1], _SHOWN, placeholder="…"), raised_at(problem)
            self.faults[f"{type(bot).__name__} raised {told}{f' ({place})' if place else ''}"] += 1
            return _RAISED


def _refuse_others(wanted: Sequence[Action], options: Sequence[Action]) -> None:
    """Raise BadInput unless all that are wanted are options of the question."""
    other = next((one for one in wanted if one not in options), None)
    if other is not None or not wanted:
        allowed = ", ".join(map(str, options))
        raise BadInput(f"options: {'none' if other is None else other} given; allowed are, at least one: {allowed}")
