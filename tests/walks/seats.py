"""Players for fuzzing: they play by a bot, compare every offer with their own view, and sometimes cheat."""

import random
from collections.abc import Iterable
from typing import Any

from jantaku.players.bots.caller import Caller
from jantaku.players.bots.dice import Dice
from jantaku.players.bots.shanten import Shanten
from jantaku.table.ground.port import Action, Choice, Player, Question
from jantaku.table.riichi import actions
from jantaku.table.riichi.flow.view import View
from jantaku.table.riichi.game import RiichiGame
from jantaku.table.riichi.line import line_of, read_line
from jantaku.table.riichi.pieces.melds import ankan, chi, pon
from tests.walks.laws import Remembered, Violation, Witness, require

BOTS: tuple[type, ...] = (Dice, Caller, Caller, Shanten)
"""Bots to play by; dice alone would hardly ever win."""
MELDS = tuple(
    meld for kind in range(34) for meld in (pon(kind, 1, kind, kind), pon(kind, 3, kind, kind), ankan(*[kind] * 4))
) + tuple(chi(kind, kind + 1, kind + 2) for kind in range(27) if kind % 9 < 7)
ANYTHING: tuple[Action, ...] = (
    *actions.DISCARDS,
    *actions.TSUMOGIRI,
    *actions.RIICHI_DISCARDS,
    *actions.RIICHI_TSUMOGIRI,
    *(actions.TSUMO, actions.RON, actions.SET_ASIDE, actions.KYUUSHU, actions.PASS, actions.TENPAI, actions.NOTEN),
    *(actions.Call(meld) for meld in MELDS),
    *(actions.Kan(meld) for meld in MELDS),
)
"""All actions of the game, legal or not."""


class Doubter:
    """One player. Its chances per answer: to cheat, to answer nonsense, and to try (`tries`) all its options on a copy
    of the game."""

    def __init__(self, game: Remembered, player: int, chance: random.Random, *, tries: float, cheats: float) -> None:
        bot: type[Any] = chance.choice(BOTS)
        self._bot: Player = bot(seed=chance.getrandbits(32))
        self._listens = bot.listens
        self._game, self._player, self._chance = game, player, chance
        self._tries, self._cheats = tries, cheats
        self._view = View(game.rules)
        self._offer: Choice | None = None
        self.asked = self.illegal = self.malformed = 0
        self.broken: Exception | None = None

    def hear(self, event: Any) -> None:
        """Check that a seat with options was asked, and pass the event on."""
        if self._offer is not None and self._offer.asks and self.broken is None:
            self.broken = Violation(f"whoever may do something is asked: {self._player} {self._offer} {event}")
        self._offer = self._view.hear(event)
        if self._listens:
            self._bot.hear(event)

    def answer(self, question: Question) -> Action:
        """Answer; keep an error in `broken`, because the judge takes it for a fault of the player."""
        try:
            return self._answer(question)
        except Exception as problem:
            self.broken = problem
            raise

    def _answer(self, question: Question) -> Action:
        self.asked += 1
        choice = question.choice
        self._check(choice)
        if self._chance.random() < self._tries:
            for option in self._some(choice.options):
                self._try(option, choice)
        luck = self._chance.random()
        if luck < self._cheats:
            self.illegal += 1
            return self._chance.choice([action for action in ANYTHING if action not in choice.options])
        if luck < 2 * self._cheats:
            self.malformed += 1
            return self._chance.choice(("m1", None, 7, ("dapai", "m1")))
        return self._bot.answer(question)

    def _check(self, choice: Choice) -> None:
        """Check that options exist, each once, with the default, and that the seat's own view allows the same."""
        options = choice.options
        require(bool(options), "options are never empty", self._player)
        require(len(set(options)) == len(options), "options are never repeated", options)
        require(choice.default in options, "the default is an option", choice)
        declares = actions.TENPAI in options or actions.NOTEN in options
        expected = self._view.declaration() if declares else self._offer
        require(expected == choice, "a seat's own view comes to the same options", self._player, expected, choice)
        line = line_of(self._view.board, choice, missed=self._view.ready.missed[self._view.seat])
        read = read_line(line)
        require(read.line == line and read.choice == choice, "a line comes back, with the same options", line, choice)
        self._offer = None

    def _some(self, options: tuple[Action, ...]) -> Iterable[Action]:
        return self._chance.sample(options, min(len(options), 4))

    def _try(self, option: Action, choice: Choice) -> None:
        """Check that a copy of the game accepts an offered option, and keeps all laws."""
        copy = self._game.again()
        known = len(copy.events)
        require(copy.events[1:] == self._game.events[self._game.first :], "a kyoku can be played again", self._player)
        mover = self._mover
        if mover is None:
            turn = copy.turn()
            require(turn is not None and turn.choice == choice, "the copy offers the same", turn, choice)
            mover = self._player
            copy.act(option)
        responses = [None if seat == mover else default_of(copy, seat) for seat in range(copy.seats)]
        if mover != self._player:
            responses[self._player] = option
        copy.rule(responses)
        Witness(copy, unchecked=known).events(copy.events)

    @property
    def _mover(self) -> int | None:
        """The player whose action waits for reactions; None while a turn seat decides."""
        moves = self._game.moves
        return self._game.mover if moves and moves[-1][1] is None else None


def default_of(game: RiichiGame, seat: int) -> Action | None:
    """Return the answer that counts for `seat` without a question."""
    choice = game.reaction(seat, game.kyoku.action)
    return None if choice is None else choice.default
