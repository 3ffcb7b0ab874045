"""Riichi games for the runner: draws seats, builds walls, and keeps the journal and the 牌譜."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.game import Game, GameWrapper, Turn
from jantaku.table.ground.port import Action, Answer, Choice
from jantaku.table.judge.result import Ending, Result, Watch
from jantaku.table.languages.majiang.paifu import FORM_2015, paifu_of, paifu_text
from jantaku.table.play import seeds
from jantaku.table.play.outcome import Outcome, by_entrant, faults_by_entrant, reports_of, with_chombos
from jantaku.table.records.journal.header import GAME, Header, titled
from jantaku.table.records.journal.lines import FORMAT, write_whole
from jantaku.table.records.journal.read import Record
from jantaku.table.records.journal.writer import Journal, journal_of
from jantaku.table.records.replay.drive import Drive
from jantaku.table.records.replay.past import begun, past_of
from jantaku.table.records.replay.verify import check_players, game_of, unfit
from jantaku.table.riichi.events import HanchanEnd, KyokuStart
from jantaku.table.riichi.game import Names, RiichiGame, walls_from
from jantaku.table.riichi.line import Position
from jantaku.table.riichi.pieces.notation import kyoku_text
from jantaku.table.riichi.pieces.seats import by_player
from jantaku.table.riichi.pieces.wall import seat_draw
from jantaku.table.riichi.rules import Rules


class Keeping(msgspec.Struct, frozen=True):
    """What is kept of each game, and where. `version` is jantaku's. `buffered`: the journal is written in large pieces
    instead of after every turn, for games that are replayed if they do not finish."""

    folder: Path
    version: str
    form_2015: bool = False
    buffered: bool = False
    title: str = ""
    date: str = ""


class RecordPlace(msgspec.Struct, frozen=True):
    """Where games start that continue a record: before turn `turn` of kyoku `kyoku`, both from 1."""

    record: Record
    kyoku: int
    turn: int


Beginning = RecordPlace | Position
"""Where games start that do not start with a deal: inside a record, or at a position.

A position hides tiles, so each game has another past that leads to it, by the seed. Its entrants sit in the order of
that kyoku's seats, 東 first; inside a record they take the record's places.
"""


class GivenTurn(GameWrapper[RiichiGame]):
    """A game in whose first turn the action is given; others may claim."""

    def __init__(self, game: RiichiGame, given: Action) -> None:
        super().__init__(game, penalty=game.penalty)
        self._given: Action | None = given

    def turn(self) -> Turn | None:
        turn = self.game.turn()
        return turn if self._given is None or turn is None else Turn(turn.seat, Choice((self._given,), self._given))

    def rule(self, responses: Sequence[Action | None]) -> None:
        self._given = None
        self.game.rule(responses)


class RiichiTable:
    """Opens riichi games between entrants of these names. Implements `runner.Opener`."""

    def __init__(
        self, rules: Rules, names: Sequence[str], seed: str, keeping: Keeping, begin: Beginning | None = None
    ) -> None:
        self._rules, self._names, self._seed = rules, tuple(names), seed
        self._keeping, self._begin = keeping, begin

    def __call__(self, number: int) -> "OpenRiichi":
        """Return game `number`, at its deal or driven to its starting point."""
        seed, given = seeds.of_game(self._seed, number), None
        if isinstance(self._begin, Position):
            order = tuple(by_player(range(len(self._names)), self._begin.board.kyoku))
            past = past_of(self._begin, f"{seed}|{number}", self._seated(order))
            game, given = begun(past), past.given
        elif self._begin is not None:
            game, order = self._driven(self._begin, number), tuple(range(len(self._names)))
        else:
            first_dealer, order = seat_draw(seed, number, len(self._names))
            walls = walls_from(seed, number, self._rules)
            game = RiichiGame(self._rules, walls, self._seated(order), first_dealer)
        return OpenRiichi(game, order, self._names, number, self._header(game, number), self._keeping, given)

    def _seated(self, order: Sequence[int]) -> Names:
        return tuple([self._names[place] for place in order])

    def _driven(self, begin: RecordPlace, number: int) -> RiichiGame:
        """Drive a game to its starting point. The players take the record's places in the order given."""
        check_players(begin.record, self._rules)
        record = msgspec.structs.replace(begin.record, names=self._names)
        game = game_of(record, self._rules, f"{seeds.of_game(self._seed, number)}|{number}")
        drive = Drive(game, record.log)
        last = 0
        for kyoku, turn in drive.steps():
            if (kyoku, turn) == (begin.kyoku, begin.turn):
                return game
            last = turn if kyoku == begin.kyoku else last
        if drive.difference is not None:
            why = unfit(begin.record, self._rules)
            told = f"{record.path} cannot be followed under these rules: {drive.difference}"
            raise BadInput(f"{told}; {why}" if why else told)
        if (begin.kyoku, begin.turn) == drive.stopped_at:
            return game
        is_there = begin.kyoku <= len(record.log)
        there = f"that kyoku has {last} turn{'s' * (last != 1)}" if is_there else f"it has {len(record.log)} kyoku"
        raise BadInput(f"{record.path} has no turn {begin.turn} in kyoku {begin.kyoku}; {there}")

    def _header(self, game: RiichiGame, number: int) -> Header:
        return Header(
            jantaku=FORMAT,
            version=self._keeping.version,
            game=GAME,
            rules=msgspec.to_builtins(self._rules),
            seed=seeds.of_game(self._seed, number),
            number=number,
            player=game.events[0].names,
            qijia=game.first_dealer,
            walls=self._begin.record.school if isinstance(self._begin, RecordPlace) else "shared",
            driven=self._begin is not None,
            title=self._title(number),
        )

    def _title(self, number: int) -> str | UnsetType:
        keeping = self._keeping
        if not keeping.title and not keeping.date:
            return UNSET
        return titled(keeping.title, keeping.date, seeds.of_game(self._seed, number), number)


class _Begun:
    """A watch that notes the turn with which each kyoku begins: the dealer always has something to choose."""

    def __init__(self) -> None:
        self.turns: list[int] = []
        self._deals = 0

    def events(self, new: Sequence[Any]) -> None:
        self._deals += sum(isinstance(event, KyokuStart) for event in new)

    def answers(self, turn: int, answers: Sequence[Answer]) -> None:
        if len(self.turns) < self._deals:
            self.turns.append(turn)


class OpenRiichi:
    """One riichi game with its journal. Implements `runner.OpenGame`."""

    def __init__(
        self,
        game: RiichiGame,
        order: Sequence[int],
        names: Sequence[str],
        number: int,
        header: Header,
        keeping: Keeping,
        given: Action | None = None,
    ) -> None:
        self.riichi = game
        self.game: Game = game if given is None else GivenTurn(game, given)
        self.order = order
        self._names = tuple(names)
        self._number = number
        self._header = header
        self._keeping = keeping
        self._path = journal_of(keeping.folder, number)
        self._journal: Journal | None = None
        self._begun = _Begun()

    def begin(self) -> Sequence[Watch]:
        """Create the journal's file, and return the watches."""
        self._journal = Journal(self._path, self._header, self.riichi, buffered=self._keeping.buffered)
        return self._journal, self._begun

    def close(self, result: Result | None) -> Outcome | None:
        """Close the journal; a finished game also gets its 牌譜."""
        if self._journal is not None:
            self._journal.close()
        if result is None:
            return None
        records = [str(self._path)]
        if result.ending is Ending.OVER:
            records += self._write_paifu()
        end = self.game.events[-1]
        scores, ranks, points = (), (), ()
        if isinstance(end, HanchanEnd) and result.ending is Ending.OVER:
            scores, ranks = by_entrant(end.scores, self.order), by_entrant(end.ranks, self.order)
            points = by_entrant([tenths / 10 for tenths in end.tenths], self.order)
        deals = [event for event in self.game.events if isinstance(event, KyokuStart)]
        kyoku = [kyoku_text(deal.round_wind, deal.kyoku, deal.honba) for deal in deals]
        begun = () if self._header.driven else self._begun.turns
        return Outcome(
            game=self._number,
            seed=self._header.seed,
            ending=result.ending,
            names=self._names,
            scores=scores,
            ranks=ranks,
            points=points,
            kyoku=len(kyoku),
            faults=with_chombos(
                faults_by_entrant(result, self.order), by_entrant(self.riichi.standing.chombos, self.order)
            ),
            longest=by_entrant([report.longest for report in result.seats], self.order),
            cpu=by_entrant([report.cpu for report in result.seats], self.order),
            records=tuple(records),
            reason=result.reason,
            fault_reports=reports_of(result, self.order, self._names, self._number, kyoku, records[0], begun),
        )

    def _write_paifu(self) -> list[str]:
        header = self._header
        extra = {"rules": header.rules, "seed": header.seed, "number": header.number, "driven": header.driven}
        extra["walls"] = header.walls
        title = header.title or titled("", "", header.seed, header.number)
        told = (self.riichi.events, self.riichi.rules, title, extra)
        forms = {".json": paifu_text(*told)}
        if self._keeping.form_2015:
            forms[".2015.json"] = msgspec.json.encode(FORM_2015.whole(paifu_of(*told)))
        paths = []
        for ending, content in forms.items():
            path = self._path.with_suffix(ending)
            write_whole(path, content + b"\n")
            paths.append(str(path))
        return paths
