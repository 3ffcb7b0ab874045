"""Riichi games for the runner: draws seats, builds walls, and keeps the journal and the 牌譜."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

import msgspec
from msgspec import UNSET, UnsetType

from jantaku.table.ground.game import Game, GameWrapper, Turn
from jantaku.table.ground.port import Action, Choice
from jantaku.table.judge.result import Ending, Result, Watch
from jantaku.table.languages.majiang.forms import FORM_2015
from jantaku.table.languages.majiang.paifu import paifu_of, paifu_text
from jantaku.table.play import seeds
from jantaku.table.play.outcome import Outcome, by_entrant, faults_by_entrant, reports_of, with_chombos
from jantaku.table.records.journal.header import GAME, Header, titled
from jantaku.table.records.journal.lines import FORMAT, write_whole
from jantaku.table.records.journal.writer import Journal, journal_of
from jantaku.table.riichi.events import HanchanEnd, KyokuStart
from jantaku.table.riichi.game import Names, RiichiGame, walls_from
from jantaku.table.riichi.pieces.notation import kyoku_text
from jantaku.table.riichi.pieces.schools import School
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


class Begun(NamedTuple):
    """A game that has begun: `order` has the entrant at each place. `given` is the first action, if it is not asked
    for."""

    game: RiichiGame
    order: tuple[int, ...]
    given: Action | None = None


class Beginning(Protocol):
    """Where games start that do not start with a deal, see `beginnings`."""

    @property
    def school(self) -> School:
        """How the walls are drawn from."""

    @property
    def title(self) -> str:
        """The title that the games keep, with the date in a second line; empty if nobody gave one."""

    def begin(self, rules: Rules, names: Names, seed: str, number: int) -> Begun:
        """Begin game `number` of a seed. `names` are by entrant. Raises BadInput if no game comes there."""


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
        seed, names = seeds.of_game(self._seed, number), self._names
        if self._begin is None:
            first_dealer, order = seat_draw(seed, number, len(names))
            seated = tuple([names[place] for place in order])
            begun = Begun(RiichiGame(self._rules, walls_from(seed, number, self._rules), seated, first_dealer), order)
        else:
            begun = self._begin.begin(self._rules, names, seed, number)
        header = self._header(begun.game, number)
        return OpenRiichi(begun.game, begun.order, names, number, header, self._keeping, begun.given)

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
            walls="shared" if self._begin is None else self._begin.school,
            driven=self._begin is not None,
            title=self._title(number),
        )

    def _title(self, number: int) -> str | UnsetType:
        keeping = self._keeping
        if not keeping.title and not keeping.date:
            return UNSET
        return titled(keeping.title, keeping.date, seeds.of_game(self._seed, number), number)


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

    def begin(self) -> Sequence[Watch]:
        """Create the journal's file, and return it: it watches the game."""
        self._journal = Journal(self._path, self._header, self.riichi, buffered=self._keeping.buffered)
        return (self._journal,)

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
        begun = () if self._header.driven or self._journal is None else self._journal.first_turns
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
