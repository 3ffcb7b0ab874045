"""Compares riichienv's numbers of actions with ours: `python -m scripts.encoders.masks`.

The engine of PyPI's `riichienv` 0.4.11 hears what a seat hears as mjai, and its mask at every question of the seat has
to be the numbers of our options, riichi's second question included; by tenhou's rules, four players and three. Prints
the first differences, and last `TOTAL n masks, d different`; exit code 1 if d is not 0.
"""

import argparse
import json
import sys

from jantaku.table.ground.port import Action, Choice
from jantaku.table.learn.riichienv import number_of, second_of
from jantaku.table.riichi import events
from jantaku.table.riichi.actions import NOTEN, Discard
from jantaku.table.riichi.events import Event
from jantaku.table.riichi.ruleset import preset
from scripts.encoders.__main__ import Peer
from scripts.encoders.games import BOTS, play
from scripts.encoders.watch import SeatStory

SHOWN = 10


class MaskWatch:
    """One player's kyoku, and the numbers of its options at each question. Implements `Watch`."""

    def __init__(self, player: int, players: int, comparison: "MaskComparison") -> None:
        self._players, self._comparison = players, comparison
        self._story = SeatStory(player, players, "riichienv")
        self._asked: list[list[int]] = []

    def hear(self, event: Event) -> None:
        if isinstance(event, events.KyokuStart | events.HanchanEnd):
            if self._asked:
                self._comparison.compare(self._story.player, self._players, self._story.told, self._asked)
            self._asked = []
        self._story.hear(event)

    def asked(self, choice: Choice, given: Action) -> None:
        """Receive a question and its answer. After a riichi, its discard is a question, too."""
        if NOTEN in choice.options:
            return
        self._ask({number_of(option, self._players) for option in choice.options})
        if isinstance(given, Discard) and given.riichi:
            self._story.reach()
            self._ask({second_of(option, self._players) for option in choice.options} - {None})

    def _ask(self, numbers: set[int | None]) -> None:
        self._story.told.append(None)
        self._asked.append(sorted(number for number in numbers if number is not None))


class MaskComparison:
    """Compares kyoku with the other program."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer
        self.count = self.different = 0

    def compare(self, player: int, players: int, story: "list[str | None]", ours: list[list[int]]) -> None:
        names = [str(number) for number in range(players)]
        story = [json.dumps({"type": "start_game", "names": names}), *story]
        theirs = self._peer.tell({"player": player, "players": players, "story": story})
        for number, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            self.count += 1
            self.different += one != other
            if one != other and self.different <= SHOWN:
                print(f"player {player}, question {number}: ours {one}, theirs {other}", *story, sep="\n   ")


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m scripts.encoders.masks",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--games", type=int, default=20, help="how many hanchan by each of the rules (default 20)")
    given = parser.parse_args()
    comparison = MaskComparison(Peer("riichienv"))
    for rules in ("tenhou", "tenhou-3p"):
        before = comparison.count
        players = preset(rules).game.players
        for number in range(given.games):
            watches = [MaskWatch(player, players, comparison) for player in range(players)]
            play(preset(rules), number, [*BOTS], watches)
        print(f"{rules}: {comparison.count - before} masks", flush=True)
    print(f"TOTAL {comparison.count} masks, {comparison.different} different")
    return int(comparison.different > 0)


if __name__ == "__main__":
    sys.exit(main())
