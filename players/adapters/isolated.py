"""A Python bot in a process of its own: `python -P -m players.adapters.isolated BOT [FOLDER]`.

Started by a table that seats a bot with `isolate = "process"`; speaks `table.wire.native`.
"""

import os
import sys
from collections.abc import Iterable
from typing import BinaryIO

from players.adapters.stdio import protocol_streams
from table.errors import BadInput
from table.port import Player, Question, port_of
from table.seating.loading import bot_maker, look_in
from table.wire import native


def serve(bot: Player, lines: Iterable[bytes], out: BinaryIO) -> None:
    """Let `bot` hear and answer everything, as a seat's own thread would. A fault in `hear` is reported in place of the
    answer to the next question."""
    out.write(native.write_ready())
    listens, fault = port_of(bot).listens, None
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
        except BaseException as problem:  # as in a seat's own thread, any exception is the bot's fault
            if isinstance(told, Question):
                out.write(native.write_fault(number, problem))
            else:
                fault = problem


def main() -> None:
    """Construct the bot named on the command line, found in that folder too, and serve it until the table closes the
    pipe."""
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
