"""Compares riichienv's numbers of actions with ours: `python -m scripts.encoders.masks --python ENV/bin/python`.

ENV is an environment with PyPI's `riichienv` 0.4.11. Its engine hears what a seat hears as mjai, and its mask at every
question of the seat has to be the numbers of our options, riichi's second question included; by tenhou's rules, four
players and three. Prints the first differences, and last `TOTAL n masks, d different`; exit code 1 if d is not 0.
"""

import argparse
import json
import random
import sys
from typing import Any

from jantaku.table.ground.port import Action, Choice
from jantaku.table.languages.mjai.speaker import Speaker
from jantaku.table.learn.riichienv import number_of, second_of
from jantaku.table.play.stepped import Hanchan
from jantaku.table.riichi import events
from jantaku.table.riichi.actions import NOTEN, SET_ASIDE, Discard
from jantaku.table.riichi.pieces.board import Board
from scripts.encoders.__main__ import Peer
from scripts.encoders.games import BOTS, Bot

CHILD = "riichienv_masks.py"
SHOWN = 10


class SeatStory:
    """What one player hears as mjai, and the numbers of its options at each question."""

    def __init__(self, player: int, players: int) -> None:
        self.player, self._players = player, players
        self._board = Board()
        self._speaker = Speaker(self._board, "riichienv")
        self._heard, self._reached = 0, False
        self.clear()

    def clear(self) -> None:
        """Begin a kyoku."""
        names = [str(player) for player in range(self._players)]
        self.story: list[str | None] = [json.dumps({"type": "start_game", "names": names})]
        self.asked: list[list[int]] = []

    def hear(self, game: Any) -> "list[tuple[list[str | None], list[list[int]]]]":
        """Hear what is new; return the kyoku that are over, with their questions."""
        over = []
        for index in range(self._heard, len(game.events)):
            event = game.masked(index, self.player)
            if isinstance(event, events.KyokuStart | events.HanchanEnd) and self.asked:
                over.append((self.story, self.asked))
            if isinstance(event, events.KyokuStart):
                self.clear()
            lines = self._speaker.lines(event)
            event.apply(self._board)
            if self._reached and isinstance(event, events.TileDiscard):
                lines, self._reached = lines[1:], False
            if not isinstance(event, events.HanchanStart | events.HanchanEnd | events.Win | events.Ryukyoku):
                self.story += [json.dumps(line) for line in lines]
        self._heard = len(game.events)
        return over

    def ask(self, choice: Choice, given: Action) -> None:
        """Receive a question and its answer. After a riichi, its discard is a question, too."""
        self.story.append(None)
        self.asked.append(sorted({number_of(option, self._players) for option in choice.options}))
        if isinstance(given, Discard) and given.riichi:
            self.story += [json.dumps({"type": "reach", "actor": self.player}), None]
            seconds = {second_of(option, self._players) for option in choice.options}
            self.asked.append(sorted(number for number in seconds if number is not None))
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


def play(number: int, rules: str, comparison: MaskComparison) -> None:
    """Play one hanchan whose seats make riichi, kans and calls often."""
    game, lots = Hanchan(rules, seed=f"masks {number}"), random.Random(number)
    players = game.game.seats
    stories = [SeatStory(player, players) for player in range(players)]
    bots = [Bot([*BOTS][(number + player) % len(BOTS)], f"{number} {player}") for player in range(players)]
    while True:
        for story in stories:
            for told, asked in story.hear(game.game):
                comparison.compare(story.player, players, told, asked)
        if game.question is None:
            return
        player, choice = game.question.player, game.question.choice
        given = bots[player].answer(choice, game.board, game.question.seat)
        if SET_ASIDE in choice.options and lots.random() < 0.7:
            given = SET_ASIDE
        if NOTEN not in choice.options:
            stories[player].ask(choice, given)
        game.answer(given)


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.encoders.masks",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--python", required=True, help="the Python of the environment with riichienv 0.4.11")
    parser.add_argument("--games", type=int, default=20, help="how many hanchan by each of the rules (default 20)")
    given = parser.parse_args()
    comparison = MaskComparison(Peer(given.python, CHILD))
    for rules in ("tenhou", "tenhou-3p"):
        before = comparison.count
        for number in range(given.games):
            play(number, rules, comparison)
        print(f"{rules}: {comparison.count - before} masks", flush=True)
    print(f"TOTAL {comparison.count} masks, {comparison.different} different")
    return int(comparison.different > 0)


if __name__ == "__main__":
    sys.exit(main())
