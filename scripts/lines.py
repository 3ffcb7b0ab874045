"""Writes decisions of records as position lines, reads these back, and compares the questions.

    python -m scripts.lines FILE… [--decisions 20000] [--pasts]

Reads what `python -m scripts.differential` and `python -m scripts.roundtrips` read: collections of games of others, and
single records of every format. A line must come back as the same line; its board must have what the seat saw, its
choice the same options in the same order. With `--pasts` a past is made up for each line, from which the engine must
come to the same line again. Prints how many questions of each kind there were, and the first differences.
The last line is `TOTAL D decisions X different`; the exit code is 0 only if X is 0.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from operator import attrgetter
from pathlib import Path
from typing import Any

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Action, Choice
from jantaku.table.records.convert.readers import read_any
from jantaku.table.records.journal.read import Record
from jantaku.table.records.replay.drive import Drive
from jantaku.table.records.replay.past import past_of
from jantaku.table.records.replay.verify import game_of
from jantaku.table.riichi.game import RiichiGame
from jantaku.table.riichi.line import Position, line_of, read_line
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.seats import seat_of
from scripts import roundtrips
from scripts.collected import texts
from scripts.core import compile_first
from scripts.corpora.following import follow
from scripts.corpora.reading import read
from scripts.corpora.record import Skipped

_public = attrgetter(
    *("rules", "round", "kyoku", "honba", "sticks", "scores", "indicators", "open_counts", "live", "kans", "riichi"),
    *("deposited", "ippatsu", "first_round", "last_seat", "last_tile"),
)
_river = attrgetter("tiles", "tsumogiri", "called_by", "sideways", "kinds")
_laid = attrgetter("size", "melds", "aside")
_held = attrgetter("tiles", "drawn")
SHOWN = 5


class LinesTally:
    """Counts questions by what was asked, and keeps what came back differently. Stops after `most` questions. `pasts`:
    makes up a past for each."""

    def __init__(self, most: int = 10**9, *, pasts: bool = False) -> None:
        self.asked: Counter[str] = Counter()
        self.different: list[str] = []
        self.most, self.pasts = most, pasts

    @property
    def full(self) -> bool:
        """Whether there were enough questions."""
        return self.asked.total() >= self.most

    def take(self, game: RiichiGame, seat: int, choice: Choice) -> None:
        if choice.asks and not self.full:
            kyoku = game.kyoku
            self.compare(kyoku.board, seat, choice, missed=kyoku.ready.missed[seat])

    def compare(self, board: Board, seat: int, choice: Choice, *, missed: bool = False) -> Position | None:
        """Write a question as a line, read that, and compare. Return what was read; None if it is refused."""
        line = line_of(board, choice, seat=seat, missed=missed)
        try:
            position = read_line(line)
            if self.pasts:
                past_of(position, "1")
        except BadInput as error:
            self.asked["refused"] += 1
            self.different.append(f"{line}\n    {error}")
            return None
        self.asked[position.asked] += 1
        if wrong := _wrong(position, board, seat, choice, line):
            self.different.append(f"{line}\n    {wrong}")
        return position


def _wrong(position: Position, board: Board, seat: int, choice: Choice, line: str) -> str:
    """Return what came back differently; empty if nothing did. The board may know more hands than the seat. Whether
    the tile before a robbed kan was a rinshan tile is not on a line, as nothing depends on it."""
    read = position.board
    same = {
        "the line": position.line == line == line_of(read, position.choice, missed=position.missed),
        "the choice": position.choice == choice,
        "the board": _public(read) == _public(board),
        "the rivers": list(map(_river, read.rivers)) == list(map(_river, board.rivers)),
        "what is laid down": list(map(_laid, read.hands)) == list(map(_laid, board.hands)),
        "rinshan": read.rinshan == (board.rinshan and board.hands[seat].drawn is not None),
        "the hand": position.seat == seat and _held(read.hands[seat]) == _held(board.hands[seat]),
        "hidden hands": [hand.known for hand in read.hands] == [other == seat for other in range(read.seats)],
    }
    return ", ".join(what for what, is_same in same.items() if not is_same)


def questions(path: Path, tally: LinesTally) -> Iterator[str]:
    """Compare the questions of every record of a file, and yield the record's name after each."""
    first: dict[str, Any] = next((json.loads(text) for _, text in texts(path) if text.startswith("{")), {})
    if first.keys() & {"xml", "paipu", "steps"}:
        for game in read(path):
            if not isinstance(game, Skipped):
                follow(game, tally.take)
                yield game.name
    elif "jantaku" in first:
        _drive(read_any(path).record, tally)
        yield path.name
    else:
        for name, found in roundtrips.records(path):
            _drive(found.record, tally)
            yield name


def _drive(record: Record, tally: LinesTally) -> None:
    assert record.rules is not None, f"{record.path} does not tell its rules"
    game = game_of(record, record.rules, "lines")

    def asked(player: int, choice: Choice, action: Action) -> None:
        tally.take(game, seat_of(player, game.first_dealer + game.standing.kyoku, game.seats), choice)

    for _ in Drive(game, record.log, asked=asked, answers=record.answers).steps():
        if tally.full:
            return


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m scripts.lines", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--decisions", type=int, default=10**9, metavar="N", help="stop after so many of each file")
    parser.add_argument("--pasts", action="store_true", help="make up a past for each line as well")
    options = parser.parse_args(arguments)
    total, different = 0, 0
    for path in options.files:
        tally, games = LinesTally(options.decisions, pasts=options.pasts), 0
        try:
            for _ in questions(path, tally):
                games += 1
                if tally.full:
                    break
        except BadInput as error:
            print(f"lines: {error}", file=sys.stderr)
            return 2
        kinds = ", ".join(f"{count} {asked}" for asked, count in tally.asked.most_common())
        print(f"{path}: {games} games, {kinds}", flush=True)
        for text in tally.different[:SHOWN]:
            print(f"  {text}")
        total, different = total + tally.asked.total(), different + len(tally.different)
    print(f"TOTAL {total} decisions {different} different")
    return 1 if different else 0


if __name__ == "__main__":
    compile_first()
    sys.exit(main())
