"""A Python bot in its own process: `python -P -m jantaku.players.adapters.isolated SEATED`, a `Seated` as JSON.

Started by a table that seats a bot with `isolate = "process"`; speaks `jantaku.table.languages.wire.native`.
"""

import json
import math
import os
import sys
import threading
from collections.abc import Callable, Iterable
from typing import Any, BinaryIO

import msgspec

from jantaku.players.adapters.environment import SEED, protocol_streams
from jantaku.table.ground.clock import now
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.foreign.remarks import lost, remark_text
from jantaku.table.ground.foreign.traces import stack_of
from jantaku.table.ground.port import DefaultPlayed, Player, Port, Question, warmed_up
from jantaku.table.languages.wire import native
from jantaku.table.play.seating.loader import bot_maker, look_in
from jantaku.table.play.seating.lots import drawing_anew

LOOK = 0.02
"""Seconds between two tests whether the time is up."""


class Overtime:
    """When the time of a question is up, writes to stderr where the bot is, once: the table cannot see into this
    process."""

    def __init__(self) -> None:
        self._until = math.inf
        self._bot = threading.get_ident()
        threading.Thread(target=self._watch, name="overtime", daemon=True).start()

    def begin(self, seconds: float | None) -> None:
        """Begin the time of a question, in the thread that has made this object, which calls the bot."""
        self._until = math.inf if seconds is None else now() + seconds

    def end(self) -> None:
        """End the time of a question, after its answer."""
        self._until = math.inf

    def _watch(self) -> None:
        look = threading.Event()
        while now() < self._until:
            look.wait(LOOK)
        print(stack_of(self._bot), file=sys.stderr, flush=True)


def serve(make: Callable[[int], Player], seed: int, lines: Iterable[bytes], out: BinaryIO) -> None:
    """Make a bot for every game, and let it hear and answer everything, as a seat's own thread would. A fault in `hear`
    is reported in place of the answer to the next question."""
    bot = make(seed)
    port, fault = warmed_up(bot), None
    out.write(native.write_ready())
    overtime = Overtime()
    for line in lines:
        number, told = native.read_table(line)
        if isinstance(told, native.Again):
            os.environ[SEED] = str(told.seed)
            bot = make(told.seed)
            port, fault = warmed_up(bot), None
            out.write(native.write_ready(number))
            continue
        try:
            if isinstance(told, DefaultPlayed):
                if port.defaulted is not None:
                    port.defaulted(told)
            elif not isinstance(told, Question):
                if port.listens:
                    bot.hear(told)
            elif fault is None:
                overtime.begin(told.allowed)
                answer = bot.answer(told)
                remark = remarked(port)
                overtime.end()
                out.write(native.write_answer(number, told, answer, remark))
            else:
                out.write(native.write_fault(number, fault, " (while hearing an event)"))
                fault = None
        except BaseException as problem:  # as in a seat's own thread, any exception is the bot's fault
            overtime.end()
            if isinstance(told, Question):
                out.write(native.write_fault(number, problem))
            else:
                fault = problem


def remarked(port: Port) -> str:
    """The bot's remark as JSON text, or a note of what was wrong with it."""
    if port.remark is None:
        return ""
    try:
        return remark_text(port.remark())
    except BaseException as problem:
        return lost(native.raised(problem))


class Seated(msgspec.Struct, frozen=True):
    """The bot, its arguments, the folders in which its modules are searched before and after all others, and when it
    draws lots anew."""

    bot: str
    args: dict[str, Any]
    first: list[str]
    last: list[str]
    lots: str = "game"


def main() -> None:
    """Serve the bot named on the command line until the table closes the pipe."""
    lines, out = protocol_streams()
    seated = msgspec.convert(json.loads(sys.argv[1]), Seated)
    try:
        sys.path[:0] = seated.first  # as Python does with a PYTHONPATH; jantaku's own modules are imported already
        for folder in seated.last:
            look_in(folder)
        make = bot_maker(seated.bot, args=seated.args)
        make = drawing_anew(make) if seated.lots == "decision" else make
        serve(make, int(os.environ.get(SEED, "0")), lines, out)
    except BadInput as error:
        sys.exit(str(error).removeprefix(f"player {seated.bot}: "))  # the table adds the player's name


if __name__ == "__main__":
    main()
