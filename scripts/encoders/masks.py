"""Compares riichienv's numbers of actions with ours: `python -m scripts.encoders.masks`.

The engine of PyPI's `riichienv` 0.4.11 hears what a seat hears as mjai, and its mask at every question of the seat has
to be the numbers of our options, riichi's second question included; by tenhou's rules, four players and three. Prints
the first differences, and last `TOTAL n masks, d different`; exit code 1 if d is not 0.
"""

import argparse
import json
import sys

from jantaku.table.ground.port import Action, Choice
from jantaku.table.languages.mjai.speaker import Speaker
from jantaku.table.learn.riichienv import number_of, second_of
from jantaku.table.riichi import events
from jantaku.table.riichi.actions import NOTEN, Discard
from jantaku.table.riichi.events import Event
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.ruleset import preset
from scripts.encoders.__main__ import Peer
from scripts.encoders.games import BOTS, play

SHOWN = 10


class SeatStory:
    """What one player hears as mjai, and the numbers of its options at each question. Implements `Watch`."""

    def __init__(self, player: int, players: int, comparison: "MaskComparison") -> None:
        self._player, self._players, self._comparison = player, players, comparison
        self._board = Board()
        self._speaker = Speaker(self._board, "riichienv")
        self._reached = False
        self._clear()

    def _clear(self) -> None:
        names = [str(player) for player in range(self._players)]
        self._story: list[str | None] = [json.dumps({"type": "start_game", "names": names})]
        self._asked: list[list[int]] = []

    def hear(self, event: Event) -> None:
        """Receive an event as the player hears it; where a kyoku is over, compare its questions."""
        if isinstance(event, events.HanchanStart):
            self._player = (self._player - event.first_dealer) % self._players  # as mjai counts
        if isinstance(event, events.KyokuStart | events.HanchanEnd) and self._asked:
            self._comparison.compare(self._player, self._players, self._story, self._asked)
        if isinstance(event, events.KyokuStart):
            self._clear()
        lines = self._speaker.lines(event)
        event.apply(self._board)
        if self._reached and isinstance(event, events.TileDiscard):
            lines, self._reached = lines[1:], False
        if not isinstance(event, events.HanchanStart | events.HanchanEnd | events.Win | events.Ryukyoku):
            self._story += [json.dumps(line) for line in lines]

    def asked(self, choice: Choice, given: Action) -> None:
        """Receive a question and its answer. After a riichi, its discard is a question, too."""
        if NOTEN in choice.options:
            return
        self._story.append(None)
        self._asked.append(sorted({number_of(option, self._players) for option in choice.options}))
        if isinstance(given, Discard) and given.riichi:
            self._story += [json.dumps({"type": "reach", "actor": self._player}), None]
            seconds = {second_of(option, self._players) for option in choice.options}
            self._asked.append(sorted(number for number in seconds if number is not None))
            self._reached = True


class MaskComparison:
    """Compares kyoku with the other program."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer
        self.count = self.different = 0

    def compare(self, player: int, players: int, story: "list[str | None]", ours: list[list[int]]) -> None:
        """Compare one seat's kyoku."""
        theirs = self._peer.tell({"player": player, "players": players, "story": story})
        for number, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            self.count += 1
            self.different += one != other
            if one != other and self.different <= SHOWN:
                print(f"player {player}, question {number}: ours {one}, theirs {other}", *story, sep="\n   ")


def main() -> int:
    """The command."""
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
            stories = [SeatStory(player, players, comparison) for player in range(players)]
            play(preset(rules), number, [*BOTS], stories)
        print(f"{rules}: {comparison.count - before} masks", flush=True)
    print(f"TOTAL {comparison.count} masks, {comparison.different} different")
    return int(comparison.different > 0)


if __name__ == "__main__":
    sys.exit(main())
