"""Compares our options with majiang-core's: `python -m scripts.options --games 500`.

Four programs play under the preset majiang and know the game from messages alone (tests/peer/options.js, majiang-core's
own Player class). At every question they tell what that class would allow; here it is compared with the table's
options. Prints the differences and last `games G decisions D different X explained Y`; exit code 1 if X is not 0.
"""

import json
import shutil
import sys
from collections import Counter
from typing import Any

import click

from jantaku.players.adapters.process import Launch
from jantaku.table.ground.port import Action, Player, Question
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.timing import Clock
from jantaku.table.languages.majiang.rule import reply
from jantaku.table.languages.wire.majiang import Majiang
from jantaku.table.play import seeds
from jantaku.table.play.seating.making import let_go
from jantaku.table.play.seating.spec import Terms
from jantaku.table.riichi.actions import RiichiAction
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.ruleset import preset
from scripts.peers import PEER, require_majiang_core

PROGRAM = PEER / "options.js"
NAMES = ("a", "b", "c", "d")
SHOWN = 20


class OptionTally:
    """Counts comparisons and differences."""

    def __init__(self) -> None:
        self.decisions = 0
        self.explained: Counter[str] = Counter()
        self.different: list[str] = []

    def compare(self, question: Question, theirs: list[dict[str, Any]]) -> None:
        """Compare the options of a question with those that majiang-core lists."""
        self.decisions += 1
        ours = {json.dumps(reply(option)) for option in question.options if isinstance(option, RiichiAction)}
        listed = {json.dumps(one) for one in theirs}
        if ours == listed:
            return
        if why := _explanation(ours, listed):
            self.explained[why] += 1
        else:
            self.different.append(f"only ours {sorted(ours - listed)}, only majiang-core's {sorted(listed - ours)}")


def _explanation(ours: set[str], theirs: set[str]) -> str:
    """Return why the two may differ here; empty if they may not."""
    extra = {json.loads(one).get("dapai", "") for one in theirs - ours}
    fives = {text for text in extra if text[:1] in "mps" and text[1:2] == "5" and "_" not in text}
    if not ours - theirs and extra and extra == fives:
        return "majiang-core lists a drawn plain five once more where only a red one is in the hand"
    return ""


class Listening(Majiang):
    """The 1.x dialect, which also reads the options that the player sees."""

    def __init__(self, tally: OptionTally) -> None:
        super().__init__()
        self._tally = tally
        self._listed: list[dict[str, Any]] | None = None

    def _reply(self, line: bytes) -> Any:
        self._listed = json.loads(line).get("meta")
        return super()._reply(line)

    def _action(self, reply: Any, question: Question) -> Action:
        if self._listed is None:
            self._tally.different.append(f"{question.options}: majiang-core sees nothing to decide")
        else:
            self._tally.compare(question, self._listed)
        return super()._action(reply, question)


def play(number: int, tally: OptionTally) -> list[str]:
    rules = preset("majiang")
    node = shutil.which("node")
    assert node is not None, "node is not on the PATH"
    launch = Launch(Terms("exec:node"), "peer", [node, str(PROGRAM)], lambda: Listening(tally), None)
    players: list[Player] = [launch(seeds.of_bot("options", number, place)) for place in range(4)]
    game = RiichiGame(rules, walls_from("options", number, rules), NAMES, number % 4)
    try:
        result = Judge(game, players, mode="resident", clock=Clock(turn=20.0, reaction=20.0)).run()
    finally:
        let_go(*players)
    return [
        f"game {number}: {verdict} {count}"
        for report in result.seats
        for verdict, count in report.verdicts.items()
        if not verdict.good
    ]


@click.command()
@click.option("--games", default=100, show_default=True)
@click.option("--decisions", default=10**9, help="Stop after so many.")
@click.option("--first", default=0, help="Number of the first game.")
def main(games: int, decisions: int, first: int) -> None:
    """Compare options in seeded games."""
    require_majiang_core()
    tally, faults, played = OptionTally(), [], 0
    for number in range(first, first + games):
        faults += play(number, tally)
        played += 1
        if tally.decisions >= decisions:
            break
    for line in (*tally.different[:SHOWN], *faults[:SHOWN]):
        print(line)
    for why, count in tally.explained.items():
        print(f"explained {count}: {why}")
    different = len(tally.different) + len(faults)
    print(f"games {played} decisions {tally.decisions} different {different} explained {tally.explained.total()}")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
