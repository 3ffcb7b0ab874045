"""A Python bot in a process of its own: `python -P -m players.adapters.isolated BOT [FOLDER]`.

Started by a table that seats a bot with `isolate = "process"`; speaks `table.wire.native`.
"""

import os
import sys
from collections.abc import Iterable
from typing import BinaryIO

from players.adapters.stdio import protocol_streams
from table.errors import BadInput
from table.port import Player, Question
from table.seating.loading import bot_maker, look_in
from table.wire import native


def serve(bot: Player, lines: Iterable[bytes], out: BinaryIO) -> None:
    """Let `bot` hear and answer all that comes, as a seat's own thread would.

    A fault while it hears is told with the next question, which is then not put.
    """
    out.write(native.write_ready())
    listens, fault = getattr(bot, "listens", True), None
    for line in lines:
        number, told = native.read_table(line)
        try:
            if not isinstance(told, Question):
                if listens:
                    bot.hear(told)
            elif fault is None:
                out.write(native.write_answer(number, told, bot.answer(told)))
            else:
                out.write(native.write_fault(number, fault, " (while hearing)"))
                fault = None
        except BaseException as problem:  # as in a seat's own thread, everything is the bot's
            if isinstance(told, Question):
                out.write(native.write_fault(number, problem))
            else:
                fault = problem


def main() -> None:
    """Make the bot named on the command line, found in that folder too, and serve it until the table hangs up."""
    lines, out = protocol_streams()
    try:
        for folder in sys.argv[2:]:
            look_in(folder)
        bot = bot_maker(sys.argv[1])(int(os.environ.get("JANTAKU_SEED", "0")))
    except BadInput as error:
        sys.exit(str(error))
    serve(bot, lines, out)


if __name__ == "__main__":
    main()
