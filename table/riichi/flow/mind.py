"""A bot that knows a game from messages; its questions follow from what it has heard."""

from collections.abc import Callable
from typing import Protocol

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Action, Choice, Player, Question, warmed_up
from jantaku.table.riichi.actions import PASS
from jantaku.table.riichi.events import Event, HanchanStart, KyokuStart
from jantaku.table.riichi.flow.view import View
from jantaku.table.riichi.pieces.board import Board


class Look(Protocol):
    """Watches what a client receives."""

    def line(self, line: bytes) -> None:
        """Receive a message, as it arrived."""

    def event(self, event: Event) -> None:
        """Receive an event just before the bot hears it."""


class Mind:
    """A bot, its board, and the questions that follow from the board. `again(seed)` makes the bot of each further game;
    without it the same bot plays on. `look` sees every event before the bot does."""

    def __init__(self, bot: Player, again: Callable[[int], Player] | None = None, look: Look | None = None) -> None:
        self._bot = bot
        self._again, self.look = again, look
        self.port = warmed_up(bot)
        """The bot's own attributes and optional methods."""
        self.has_answered = False
        """Whether the bot made the last decision and had more than one option."""
        self._view: View | None = None
        self._player = 0
        self._asked = 0

    @property
    def board(self) -> Board:
        """The kyoku as the bot's seat sees it."""
        return Board() if self._view is None else self._view.board

    def hear(self, event: Event, seed: int = 0) -> Choice | None:
        """Process an event and return what the seat may do about it. `seed` belongs to the game that begins."""
        if isinstance(event, HanchanStart):
            if self._view is not None and self._again is not None:
                self._bot = self._again(seed)
                self.port = warmed_up(self._bot)
            self._view = View(event.rules)
        if self._view is None:
            raise BadInput(f"a game begins with its start, not with {type(event).__name__}")
        if self.look is not None:
            self.look.event(event)
        if self.port.listens:
            self._bot.hear(event)
        choice = self._view.hear(event)
        if isinstance(event, KyokuStart):
            self._player = (event.dealer + self._view.seat) % 4
        return choice

    def decide(self, choice: Choice | None) -> Action | None:
        """Return the bot's action; None for nothing. If it passes on the last discard, it may still declare tenpai."""
        self.has_answered = False
        action = None if choice is None else self._ask(choice)
        if action in (None, PASS) and self._view is not None:
            declaration = self._view.declaration()
            return action if declaration is None else self._ask(declaration)
        return action

    def _ask(self, choice: Choice) -> Action:
        if not choice.asks:
            return choice.default
        self._asked += 1
        self.has_answered = True
        return self._bot.answer(Question(self._asked, self._player, choice))
