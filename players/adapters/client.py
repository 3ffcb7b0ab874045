"""One of our bots as a program: `python -m players.adapters.client --bot shanten --dialect majiang`.

It knows the game from messages alone: from them it keeps its own board, works out its options and asks its bot. So it
shows what a program at this table may rely on, and how little it takes.
"""

import os
import sys
from collections.abc import Callable, Iterable
from typing import Protocol

import click

from players.adapters.environment import SEED
from players.adapters.stdio import protocol_streams
from table.errors import BadInput
from table.port import Action, Choice, Player, Question, port_of
from table.riichi.actions import PASS
from table.riichi.events import Event, HanchanStart, KyokuStart
from table.riichi.flow.view import View
from table.seating.loading import bot_maker
from table.seating.spec import Terms, terms_of
from table.wire.dialects import READERS
from table.wire.told import Reader


class Look(Protocol):
    """Sees what a client does."""

    def line(self, line: bytes) -> None:
        """A message as it came."""

    def event(self, event: Event) -> None:
        """What the bot hears, before it does."""


class Mind:
    """A bot, its board, and the questions that follow from the board. `again` makes the bot of each further game from
    its seed; without it the same bot plays on. `look` is told all that the bot may hear."""

    def __init__(
        self,
        bot: Player,
        again: Callable[[int], Player] | None = None,
        look: "Look | None" = None,
    ) -> None:
        self._bot = bot
        self._again, self._look = again, look
        self._listens = port_of(bot).listens
        self._view: View | None = None
        self._player = 0
        self._asked = 0

    def hear(self, event: Event, seed: int = 0) -> Choice | None:
        """Process an event; `seed` is that of a game that begins. Returns what the seat may do about it."""
        if isinstance(event, HanchanStart):
            if self._view is not None and self._again is not None:
                self._bot = self._again(seed)
                self._listens = port_of(self._bot).listens
            self._view = View(event.rules)
        if self._view is None:
            raise BadInput(f"a game begins with its start, not with {type(event).__name__}")
        if self._look is not None:
            self._look.event(event)
        if self._listens:
            self._bot.hear(event)
        choice = self._view.hear(event)
        if isinstance(event, KyokuStart):
            self._player = (event.dealer + self._view.seat) % 4
        return choice

    def decide(self, choice: Choice | None) -> Action | None:
        """The bot's action, None for nothing. Where it passes on the last discard it may still declare tenpai."""
        action = None if choice is None else self._ask(choice)
        if action in (None, PASS) and self._view is not None:
            declaration = self._view.declaration()
            return action if declaration is None else self._ask(declaration)
        return action

    def _ask(self, choice: Choice) -> Action:
        if not choice.asks:
            return choice.default
        self._asked += 1
        return self._bot.answer(Question(self._asked, self._player, choice))


class Sink(Protocol):
    """Stream of replies."""

    def write(self, line: bytes, /) -> object:
        """Send one reply."""


def serve(mind: Mind, reader: Reader, lines: Iterable[bytes], out: Sink) -> None:
    """Read messages and reply to them until they end."""
    choice = None
    for line in lines:
        told = reader.read(line)
        choice = choice if told.again else None
        for event in told.events:
            choice = mind.hear(event, told.seed)
        if choice is not None and told.narrow is not None:
            choice = told.narrow(choice)
        if told.wants_reply:
            out.write(reader.write(mind.decide(choice), told.number))


def maker_of(word: str) -> Callable[[int], Player]:
    """What makes the bot of `--bot`, called with a seed: a bot's name, perhaps with arguments. BadInput."""
    terms = terms_of(word)
    if terms != Terms(terms.bot, args=terms.args):
        raise BadInput(f"--bot {word}: only arg.NAME=VALUE may stand behind the ?")
    return bot_maker(terms.bot, args=terms.args)


@click.command()
@click.option(
    "--bot",
    "spec",
    default="shanten",
    show_default=True,
    help="An installed bot, module:Class or FILE.py:Class, perhaps with ?arg.NAME=VALUE.",
)
@click.option("--dialect", type=click.Choice(list(READERS)), default="majiang", show_default=True)
@click.option("--rules", default="majiang", show_default=True, help="Preset, for a dialect that does not tell rules.")
@click.option("--seed", type=int, help="The bot's seed in every game; by default the one that the table gives, or 0.")
def main(spec: str, dialect: str, rules: str, seed: int | None) -> None:
    """Play one of our bots over standard input and output."""
    lines, out = protocol_streams()
    try:
        make = maker_of(spec)
        bot = make(int(os.environ.get(SEED, "0")) if seed is None else seed)
        mind = Mind(bot, lambda told: make(told if seed is None else seed))
        serve(mind, READERS[dialect](rules), lines, out)
    except BadInput as error:
        sys.exit(str(error))
    except BrokenPipeError:
        sys.exit(0)  # the table has closed the pipe


if __name__ == "__main__":
    main()
