"""One of our bots as a program: `python -m jantaku.players.adapters.client --bot shanten --dialect majiang`.

It knows the game only from messages: from them it keeps its own board, derives its options and asks its bot. So it
shows what a program at this table may rely on, and how little it needs.
"""

import os
import sys
from collections.abc import Callable, Iterable
from typing import Protocol

import click

from jantaku.players.adapters.environment import SEED, protocol_streams
from jantaku.players.adapters.isolated import remarked
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Choice, Player
from jantaku.table.languages.wire.dialects import DIALECTS
from jantaku.table.languages.wire.reader import Reader, Told
from jantaku.table.play.seating.loader import bot_maker
from jantaku.table.play.seating.spec import Terms, terms_of
from jantaku.table.riichi.flow.mind import Look as Look
from jantaku.table.riichi.flow.mind import Mind as Mind


class Sink(Protocol):
    """A stream of replies."""

    def write(self, line: bytes, /) -> object:
        """Send one reply."""


def choice_after(told: Told, before: Choice | None, mind: Mind) -> Choice | None:
    """Let the bot hear a line, and return what may be chosen then; `before` is what could be chosen before the line."""
    choice = before if told.again else None
    for event in told.events:
        choice = mind.hear(event, told.seed)
    return choice if choice is None or told.narrow is None else told.narrow(choice)


def serve(mind: Mind, reader: Reader, lines: Iterable[bytes], out: Sink) -> None:
    """Read messages and reply to them until they end."""
    choice: Choice | None = None
    for line in lines:
        if mind.look is not None:
            mind.look.line(line)
        told = reader.read(line)
        choice = choice_after(told, choice, mind)
        if told.wants_reply:
            action = mind.decide(choice)
            said = remarked(mind.port) if mind.has_answered else ""
            out.write(reader.write(action, told.number, said))


def maker_of(word: str) -> Callable[[int], Player]:
    """Return the function that makes the bot of `--bot` from a seed. `word` is a bot's name, possibly with arguments.
    Raises BadInput for anything else."""
    terms = terms_of(word)
    if terms != Terms(terms.bot, args=terms.args):
        raise BadInput(f"--bot {word}: only arg.NAME=VALUE may follow the ?")
    return bot_maker(terms.bot, args=terms.args)


@click.command()
@click.option(
    "--bot",
    "spec",
    default="shanten",
    show_default=True,
    help="An installed bot, module:Class or FILE.py:Class, perhaps with ?arg.NAME=VALUE.",
)
@click.option("--dialect", type=click.Choice(list(DIALECTS)), default="majiang", show_default=True)
@click.option("--rules", default="majiang", show_default=True, help="Preset, where the messages name no rules.")
@click.option("--seed", type=int, help="The bot's seed in every game; by default the one that the table gives, or 0.")
def main(spec: str, dialect: str, rules: str, seed: int | None) -> None:
    """Play one of our bots over standard input and output."""
    lines, out = protocol_streams()
    try:
        make = maker_of(spec)
        bot = make(int(os.environ.get(SEED, "0")) if seed is None else seed)
        mind = Mind(bot, lambda told: make(told if seed is None else seed))
        serve(mind, DIALECTS[dialect].reader(rules), lines, out)
    except BadInput as error:
        sys.exit(str(error))
    except BrokenPipeError:
        sys.exit(0)  # the table has closed the pipe


if __name__ == "__main__":
    main()
