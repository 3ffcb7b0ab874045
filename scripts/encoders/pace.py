"""How long the observations `mortal-1` to `mortal-3` take over whole games: `python -m scripts.encoders --pace`."""

import time

import numpy as np

from jantaku.table.ground.port import Action, Choice
from jantaku.table.learn.mortal import MortalSeat
from jantaku.table.riichi.actions import NOTEN
from jantaku.table.riichi.events import Event
from jantaku.table.riichi.ruleset import preset
from scripts.encoders.games import BOTS, play
from scripts.encoders.mlibriichi import VERSIONS


class Notes:
    """What one player hears and is asked, in order."""

    def __init__(self) -> None:
        self.told: list[Event | Choice] = []

    def hear(self, event: Event) -> None:
        """Receive an event as the player hears it."""
        self.told.append(event)

    def asked(self, choice: Choice, given: Action) -> None:
        """Receive a question, and the answer that is given to it."""
        if NOTEN not in choice.options:
            self.told.append(choice)


def replay(version: int, told: list[Event | Choice]) -> tuple[int, float, float]:
    """Return the number of observations, their processor seconds, and those with the following of events."""
    seat, spent, count, clock = MortalSeat(version), 0.0, 0, time.process_time
    obs, mask = np.zeros(seat.shape, np.float32), np.zeros(46, np.bool_)
    first = clock()
    for one in told:
        if isinstance(one, Choice):
            begun = clock()
            seat.observe(one, obs, mask)
            spent += clock() - begun
            count += 1
        else:
            seat.hear(one)
    return count, spent, clock() - first


def report(games: int, rules: str) -> int:
    """Print the means of each version, the best of three passes; return the exit code."""
    notes = [[Notes() for _ in range(4)] for _ in range(games)]
    for number, players in enumerate(notes):
        play(preset(rules), number, [*BOTS], players)
    told = [player.told for players in notes for player in players]
    for version in VERSIONS:
        passes = [[sum(each) for each in zip(*(replay(version, one) for one in told), strict=True)] for _ in range(3)]
        count, alone, whole = (min(each) for each in zip(*passes, strict=True))
        print(
            f"mortal-{version}: {alone / count * 1e6:.1f} µs an observation, {whole / count * 1e6:.1f} µs with the"
            f" events between them ({count:.0f} observations)"
        )
    return 0
