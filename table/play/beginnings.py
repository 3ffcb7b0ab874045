"""Where games start that do not start with a deal: inside a record, or at a position."""

import msgspec

from jantaku.table.ground.errors import BadInput
from jantaku.table.play.riichi import Begun
from jantaku.table.records.journal.header import titled
from jantaku.table.records.journal.read import Record
from jantaku.table.records.replay.drive import Drive
from jantaku.table.records.replay.fitting import unfit
from jantaku.table.records.replay.past import begun, past_of
from jantaku.table.records.replay.verify import check_players, game_of
from jantaku.table.riichi.game import Names, RiichiGame
from jantaku.table.riichi.line import Position
from jantaku.table.riichi.pieces.schools import School
from jantaku.table.riichi.pieces.seats import by_player
from jantaku.table.riichi.rules import Rules


class PositionPlace(msgspec.Struct, frozen=True):
    """At a position. It hides tiles, so each game has another past that leads to it, by the seed. The entrants sit in
    the order of that kyoku's seats, 東 first. Implements `Beginning`."""

    position: Position

    @property
    def school(self) -> School:
        return "shared"

    @property
    def title(self) -> str:
        return ""

    def begin(self, rules: Rules, names: Names, seed: str, number: int) -> Begun:
        order = tuple(by_player(range(len(names)), self.position.board.kyoku))
        past = past_of(self.position, f"{seed}|{number}", [names[place] for place in order])
        return Begun(begun(past), order, past.given)


class RecordPlace(msgspec.Struct, frozen=True):
    """Before turn `turn` of kyoku `kyoku` of a record, both from 1. The entrants take the record's places in the order
    given. Implements `Beginning`."""

    record: Record
    kyoku: int
    turn: int

    @property
    def school(self) -> School:
        return self.record.school

    @property
    def title(self) -> str:
        told, record = self.record.title, self.record
        return "" if told == titled("", "", record.seed, record.number) else told

    def begin(self, rules: Rules, names: Names, seed: str, number: int) -> Begun:
        return Begun(self._driven(rules, names, f"{seed}|{number}"), tuple(range(len(names))))

    def _driven(self, rules: Rules, names: Names, seed: str) -> RiichiGame:
        """Drive a game to its starting point."""
        check_players(self.record, rules)
        game = game_of(msgspec.structs.replace(self.record, names=names), rules, seed)
        drive = Drive(game, self.record.log)
        last, wanted = 0, (self.kyoku, self.turn)
        for kyoku, turn in drive.steps():
            if (kyoku, turn) == wanted:
                return game
            last = turn if kyoku == self.kyoku else last
        if drive.difference is not None:
            why = unfit(self.record, rules)
            told = f"{self.record.path} cannot be followed under these rules: {drive.difference}"
            raise BadInput(f"{told}; {why}" if why else told)
        if wanted == drive.stopped_at:
            return game
        count = len(self.record.log)
        there = f"that kyoku has {last} turn{'s' * (last != 1)}" if self.kyoku <= count else f"it has {count} kyoku"
        raise BadInput(f"{self.record.path} has no turn {self.turn} in kyoku {self.kyoku}; {there}")
