"""Has riichienv read the requests of RiichiLab's protocol: `python -m scripts.readers.riichilab --requests 40000`.

Our bots play through the dialect, and riichienv, in an environment of its own, gets each `request_action`. It reads the
observation, lists the possible actions from it, and finds each again by its mjai text; its own engine, which follows
the events of the observations, must arrive at the same legal actions, hand, discards and points. Prints how many
requests agree in all of that, and what differs; the exit code is 0 if nothing does.
"""

import argparse
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from jantaku.players.bots.caller import Caller
from jantaku.players.bots.dice import Dice
from jantaku.players.bots.shanten import Shanten
from jantaku.table.ground.port import Action, Player, Question
from jantaku.table.judge.judge import Judge
from jantaku.table.languages.wire.dialect import Heard, converse
from jantaku.table.languages.wire.riichilab import RiichiLab
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.ruleset import preset
from scripts.bench.peers import environment

PEER = Path(__file__).with_name("riichilab_peer.py")
SHOWN = 10
"""Most differences that are printed."""


class Client:
    """A bot that hears and answers in RiichiLab's messages. `show` is called with every request. Implements
    `Player`."""

    def __init__(self, bot: Player, show: Callable[[bytes], None]) -> None:
        self._bot = bot
        self._side, self._show = RiichiLab(), show
        self._held: Any = None
        self._request: dict[str, Any] = {}

    def hear(self, event: Any) -> None:
        """Hold the event back until the question about it, or the next event, as a server does."""
        self._bot.hear(event)
        self._tell_held(None)
        self._held = event

    def answer(self, question: Question) -> Action:
        """Send the bot's answer as replies, and return the action that the dialect reads from them."""
        self._tell_held(question)
        action = self._bot.answer(question)
        said = iter(self._side.written(action).split(" "))

        def receive() -> Heard:
            reply = msgspec.json.decode(next(said)) | {"request_id": self._request["request_id"]}
            return Heard(msgspec.json.encode(reply), self._side.due)

        understood: Action = converse(self._side.ask(question), self._take, receive)
        assert understood == action, f"{action} came back as {understood}"
        return understood

    def _tell_held(self, question: Question | None) -> None:
        event, self._held = self._held, None
        if event is not None:
            self._take(self._side.tell(event, question))

    def _take(self, data: bytes) -> None:
        for line in data.splitlines():
            told = msgspec.json.decode(line)
            if told["type"] == "request_action":
                self._request = told
                self._show(line)


def requests(show: Callable[[bytes], None], more: Callable[[], bool]) -> Iterator[int]:
    """Play hanchan while `more` wants them; yield their numbers."""
    number, rules = 0, preset("tenhou")
    while more():
        game = RiichiGame(rules, walls_from("riichilab", number, rules), ("a", "b", "c", "d"), number % 4)
        bots = [Shanten(), Caller(seed=number), Dice(seed=number), Shanten() if number % 2 else Caller(seed=-number)]
        done = Judge(game, [Client(bot, show) for bot in bots], mode="inline").run()
        assert not any(seat.first for seat in done.seats), done.seats
        yield number
        number += 1


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m scripts.readers.riichilab", description=__doc__)
    parser.add_argument("--requests", type=int, default=40000, help="how many requests at least (default 40000)")
    wanted = parser.parse_args().requests
    python = environment(lambda text: print(text, file=sys.stderr))
    with subprocess.Popen([python, PEER], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as peer:
        to, back = peer.stdin, peer.stdout
        assert to is not None
        assert back is not None
        shown = 0

        def show(line: bytes) -> None:
            nonlocal shown
            shown += 1
            to.write(line + b"\n")

        games = sum(1 for _ in requests(show, lambda: shown < wanted))
        to.close()
        found = json.loads(back.read())
    agree, different = found["agree"], Counter(found["different"])
    print(f"{agree} of {shown} requests of {games} hanchan: the same legal actions")
    for difference, count in different.most_common(SHOWN):
        print(f"  {count} times {difference}")
    return 0 if agree == shown else 1


if __name__ == "__main__":
    sys.exit(main())
