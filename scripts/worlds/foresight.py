"""What does it gain to look ahead, and what keeps `rollout` from gaining more? Measured on games of `allround`.

    python -m scripts.worlds.foresight DIR… [--questions 100] [--truth 400] [--worlds 1024]

Takes questions at which `allround` finds several answers good. What each is worth in truth is the mean rank at which it
ends with the hands as they lie, the wall mixed anew `truth` times, and `allround` at all seats. Then several ways to
choose are asked, each by other playouts, and told: how often they choose another answer than `allround` does, and how
much better that is, in ranks for each question, ± half of the 95 % interval.
"""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import click

from jantaku.players.rollout import DOUBT, RANK, Rollout, Weighed, chosen
from jantaku.table.arena.match.figures.statistics import interval
from jantaku.table.ground.chance import Numbers, shuffled
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Action
from jantaku.table.play.playouts import Playouts
from jantaku.table.records.journal.places import RECORDS
from jantaku.table.riichi.line import Position, read_line
from jantaku.table.riichi.line.hidden import unseen_by
from jantaku.table.riichi.world import NoWorld, World, Worlds, world_of
from scripts.core import compile_first
from scripts.worlds.questions import others, question_to, truths

Hands = Sequence[Sequence[int]]
FEW = (16, 64, 256)
SLOW = 256
"""The worlds in which `allround` plays on."""


class Asked(NamedTuple):
    """A question, all hands as they lay, and the answers that `allround` finds best."""

    position: Position
    hands: Hands
    candidates: list[Weighed]


class TrueWorlds(Worlds):
    """Worlds with the hands as they lie; only the wall is mixed."""

    def __init__(self, position: Position, seed: str, hands: Hands) -> None:
        super().__init__(position, seed)
        self._hands, self._rest = hands, unseen_by(position)
        for seat in others(position):
            self._rest.subtract(hands[seat])

    def draw(self, number: int) -> World:
        numbers = Numbers(f"true world {self._seed}|{number}|{self._position.line}")
        return world_of(self._position, self._public, self._hands, shuffled(self._rest.elements(), numbers))


class Known(Playouts):
    """Playouts from the hands as they lie."""

    def __init__(self, asked: Asked, bot: str, seed: str) -> None:
        options = [option for _, option in asked.candidates]
        super().__init__(asked.position, bot, seed, options=options, by_rank=True)
        self._worlds = TrueWorlds(asked.position, seed, asked.hands)


def questions_of(file: Path) -> Iterator[Asked]:
    """Yield the questions put to `allround` at which it finds several answers good. BadInput if the record cannot be
    read."""
    bot = Rollout()
    for truth in truths([file]):
        if truth.player == "allround":
            position = read_line(truth.line)
            candidates = bot.candidates(question_to(bot, position))
            if len(candidates) > 1:
                yield Asked(position, truth.hands, candidates)


def ways(asked: Asked, worlds: int) -> dict[str, Action]:
    """What each way to choose answers."""
    options = [option for _, option in asked.candidates]
    likely = Playouts(asked.position, "shanten", "foresight", options=options, by_rank=True)
    found: dict[str, Action] = {}
    for few in (*FEW, worlds):
        likely.play(few, decide=False)
        found[f"rollout, {few} worlds"] = chosen(asked.candidates, likely)
        found[f"the best of {few} worlds by shanten"] = likely.best
    slow = Playouts(asked.position, "allround", "foresight", options=options, by_rank=True)
    slow.play(min(SLOW, worlds), decide=False)
    found[f"rollout by allround, {slow.worlds} worlds"] = chosen(asked.candidates, slow)
    found[f"the best of {slow.worlds} worlds by allround"] = slow.best
    known = Known(asked, "shanten", "foresight")
    known.play(worlds, decide=False)
    found[f"the best of {worlds} by shanten, hands as they lie"] = known.best
    return found


@click.command(help=(__doc__ or "").splitlines()[0])
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--questions", type=click.IntRange(min=1), default=100, show_default=True)
@click.option("--truth", type=click.IntRange(min=1), default=400, show_default=True)
@click.option("--worlds", type=click.IntRange(min=1), default=1024, show_default=True)
def main(folders: Sequence[Path], questions: int, truth: int, worlds: int) -> None:
    """Ask, and print what was gained so far after each tenth of the questions."""
    files = [path for folder in folders for path in sorted((folder / RECORDS).glob("game-*.jsonl"))]
    gains, told = dict[str, list[float | None]](), 0
    try:
        for number, gained in enumerate(asked_in(files, questions, truth, worlds), 1):
            for way, gain in gained.items():
                gains.setdefault(way, []).append(gain)
            if number % max(1, questions // 10) == 0:
                tell(gains, told := number)
    except BadInput as error:
        raise click.ClickException(str(error)) from None
    if not gains:
        raise click.ClickException("no question: DIR is a match of allround, as jantaku match writes it")
    if (asked := len(next(iter(gains.values())))) > told:
        tell(gains, asked)


def asked_in(files: list[Path], questions: int, truth: int, worlds: int) -> Iterator[dict[str, float | None]]:
    """Yield a gain by way, question after question: the answer of the way less the answer of `allround`. It is None
    where both answer alike. BadInput for a record that cannot be read."""
    lots, left = random.Random(1), questions
    lots.shuffle(files)
    for file in files:
        put = list(questions_of(file))
        for asked in lots.sample(put, min(len(put), 1 + questions // len(files))):
            try:
                true = Known(asked, "allround", "truth")
                true.play(truth, decide=False)
                answers = ways(asked, worlds)
            except NoWorld:
                continue
            first = asked.candidates[0][1]
            yield {way: None if one == first else true.lead(one, first)[0] for way, one in answers.items()}
            left -= 1
            if not left:
                return


def tell(gains: dict[str, list[float | None]], questions: int) -> None:
    print(f"{questions} questions (DOUBT {DOUBT}, RANK {RANK}):", flush=True)
    for way, gained in gains.items():
        all_of_them = [gain or 0.0 for gain in gained]
        other = sum(gain is not None for gain in gained) / questions
        better = interval(all_of_them, [1.0] * questions).text(4, sign=True)
        print(f"  {way}: another answer {other:.0%}, better by {better}", flush=True)


if __name__ == "__main__":
    compile_first()
    main()
