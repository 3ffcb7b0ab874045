"""The program: messages in, the default out, and at one moment the vice."""

import os
import sys

from players.adapters.client import Mind
from players.bots.tsumogiri import Tsumogiri
from table.port import Action, Choice
from table.riichi import events
from table.riichi.actions import PASS
from table.wire.majiang_reader import MajiangReader
from table.wire.told import Told
from tests.bots_broken.vices import VICES


def moment_of(told: Told, choice: Choice | None) -> str:
    """Which of the moments a message is."""
    last = told.events[-1]
    if isinstance(last, events.HanchanStart):
        return "start"
    if isinstance(last, events.Win | events.Ryukyoku):
        return "between"
    if choice is None or not choice.asks:
        return ""
    return "reaction" if PASS in choice.options else "turn"


def main() -> None:
    """Play until the table hangs up."""
    vice, at = VICES[sys.argv[1]], sys.argv[2]
    mind, reader, done = Mind(Tsumogiri()), MajiangReader(), False
    for line in sys.stdin.buffer:
        told = reader.read(line)
        choice: Choice | None = None
        for event in told.events:
            choice = mind.hear(event)
        if not told.wants_reply:
            continue
        action: Action | None = mind.decide(choice)
        reply = reader.write(action, told.number)
        if not done and moment_of(told, choice) == at:
            done = True
            reply = vice(reply, told.number)
        while reply:
            reply = reply[os.write(1, reply) :]


main()
