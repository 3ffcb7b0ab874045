"""Whole hanchan of the exam: random ones, and ones that the player joins in progress."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from jantaku.table.check.exam.items import Maker
from jantaku.table.ground.errors import TableFault
from jantaku.table.ground.port import Player
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.timing import Clock
from jantaku.table.judge.turn.way import Mode
from jantaku.table.languages.facts import log_of
from jantaku.table.play import seeds
from jantaku.table.play.roster import enlist
from jantaku.table.records.journal.read import Record
from jantaku.table.records.replay.drive import Drive
from jantaku.table.records.replay.verify import game_of
from jantaku.table.riichi.game import Names, RiichiGame, walls_from
from jantaku.table.riichi.pieces.seats import after
from jantaku.table.riichi.rules import Rules
from jantaku.table.testing.sitting import Sat, Sitting

OPPONENTS = ("dice", "caller", "dice", "caller")
"""The opponents by place, as many as the game needs; together they take every kind of action."""
JOINS = ((0, 0.2), (1, 0.45), (2, 0.7), (3, 0.95))
"""Where the player joins: its place (with three seats taken modulo three), and the share of the record played by
then."""
CATCHING_UP = 60.0
"""Extra seconds in the bank of a joining player: it hears a whole record at once, and may think about each of its
questions."""
_NAMES = ("A", "B", "C", "D")


def hanchan(make: Maker, rules: Rules, clock: Clock, seed: str, number: int, threads: Mode = Mode.RESIDENT) -> Sat:
    """Play a random hanchan; the player's place follows from its number."""
    game = RiichiGame(rules, walls_from(seed, number, rules), _names(rules))
    return _sit(game, after(0, number, game.seats), make, clock, seed, number, threads)


def joined(
    make: Maker, rules: Rules, clock: Clock, seed: str, threads: Mode = Mode.RESIDENT
) -> Iterator[tuple[str, Sat]]:
    """Play hanchan that others began to their end; yield a description and the result of each."""
    clock = msgspec.structs.replace(clock, bank=clock.bank + CATCHING_UP)
    record = _record(rules, f"{seed} record")
    turns = sum(1 for _ in Drive(_unplayed(record, rules), record.log).steps())
    for number, (place, share) in enumerate(JOINS):
        game, (kyoku, turn) = _driven(record, rules, int(turns * share))
        about = f"joined in turn {turn} of kyoku {kyoku} of {len(record.log)}"
        yield about, _sit(game, after(0, place, game.seats), make, clock, seed, number, threads)


def _sit(game: RiichiGame, place: int, make: Maker, clock: Clock, seed: str, number: int, threads: Mode) -> Sat:
    others = {seat: player for seat, player in enumerate(_opponents(game, seed, number)) if seat != place}
    player = make(seeds.of_bot(seed, number, place))
    return Sitting(game, place, player, others, clock, threads=threads).play()


def _opponents(game: RiichiGame, seed: str, number: int) -> Sequence[Player]:
    entrants = enlist(OPPONENTS[: game.seats])
    return [entrant.make(seeds.of_bot(seed, number, seat)) for seat, entrant in enumerate(entrants)]


def _names(rules: Rules) -> Names:
    return _NAMES[: rules.game.players]


def _record(rules: Rules, seed: str) -> Record:
    """Return a hanchan of the opponents alone, as if read from a file."""
    game = RiichiGame(rules, walls_from(seed, 0, rules), _names(rules))
    Judge(game, _opponents(game, seed, 0), mode=Mode.INLINE).run()
    return Record(Path("the exam's record"), _names(rules), game.first_dealer, log_of(game.events))


def _unplayed(record: Record, rules: Rules) -> RiichiGame:
    return game_of(record, rules, "exam")


def _driven(record: Record, rules: Rules, turns: int) -> tuple[RiichiGame, tuple[int, int]]:
    """Return the game of the record after `turns` turns, with kyoku and turn from 1."""
    game = _unplayed(record, rules)
    drive = Drive(game, record.log)
    for played, at in enumerate(drive.steps()):
        if played == turns:
            return game, at
    raise TableFault(f"exam: the record cannot be followed: {drive.difference}")
