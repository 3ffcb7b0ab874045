"""大富豪 for the runner: draws seats and cards, and keeps the journal."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from jantaku.table.daifugo.events import SeriesEnd
from jantaku.table.daifugo.game import DaifugoGame, deals_from, seats_drawn
from jantaku.table.daifugo.records.record import GAME, SECRETS, Header, lines_of, reply
from jantaku.table.daifugo.rules import Rules
from jantaku.table.judge.result import Ending, Result
from jantaku.table.judge.watch import Watch
from jantaku.table.play import seeds
from jantaku.table.play.faults import reports_of
from jantaku.table.play.outcome import Outcome, by_entrant, faults_by_entrant
from jantaku.table.records.journal.lines import FORMAT
from jantaku.table.records.journal.writer import JournalWriter


class DaifugoTable:
    """Opens series between entrants of these names. Implements `runner.Opener`. Journals go to `folder`; `version` is
    jantaku's."""

    def __init__(self, rules: Rules, names: Sequence[str], seed: str, folder: Path, version: str) -> None:
        self._rules, self._names, self._seed = rules, tuple(names), seed
        self._folder, self._version = folder, version

    def __call__(self, number: int) -> "OpenDaifugo":
        """Return series `number`, at its first deal."""
        seats, seed = len(self._names), seeds.of_game(self._seed, number)
        order = seats_drawn(seed, number, seats)
        game = DaifugoGame(self._rules, deals_from(seed, number, seats), tuple(self._names[place] for place in order))
        header = header_of(game, seed, number, self._version)
        return OpenDaifugo(game, order, header, self._folder / f"game-{number:04d}.jsonl")


def header_of(game: DaifugoGame, seed: str, number: int, version: str, *, driven: bool = False) -> Header:
    """Return the journal's header for a series that has just begun."""
    return Header(
        jantaku=FORMAT,
        version=version,
        game=GAME,
        rules=msgspec.to_builtins(game.rules),
        seed=seed,
        number=number,
        player=game.events[0].names,
        ranks=game.events[1].ranks,
        driven=driven,
    )


class OpenDaifugo:
    """One series, ready to be played; `path` is its journal, None for none. Implements `runner.OpenGame`."""

    def __init__(self, game: DaifugoGame, order: Sequence[int], header: Header, path: Path | None) -> None:
        self.game = game
        self.order = order
        self._header = header
        self._path = path
        self._journal: JournalWriter | None = None

    def begin(self) -> Sequence[Watch]:
        """Create the journal's file, and return its watch."""
        if self._path is None:
            return ()
        self._journal = JournalWriter(self._path, self._header, lines_of, reply, secrets=SECRETS)
        return (self._journal,)

    def close(self, result: Result | None) -> Outcome | None:
        if self._journal is not None:
            self._journal.close()
        if result is None:
            return None
        end = self.game.events[-1]
        over = isinstance(end, SeriesEnd) and result.ending is Ending.OVER
        scores = by_entrant(end.points, self.order) if over else ()
        names = by_entrant(self._header.player, self.order)
        rounds = [f"round {number}" for number in range(1, self.game.rounds + 1)]
        record = "" if self._path is None else str(self._path)
        return Outcome(
            game=self._header.number,
            seed=self._header.seed,
            ending=result.ending,
            names=names,
            scores=scores,
            ranks=by_entrant(end.places, self.order) if over else (),
            points=tuple(map(float, scores)),
            kyoku=self.game.rounds,
            faults=faults_by_entrant(result, self.order),
            longest=by_entrant([report.longest for report in result.seats], self.order),
            cpu=by_entrant([report.cpu for report in result.seats], self.order),
            records=(record,) if record else (),
            reason=result.reason,
            fault_reports=reports_of(result, self.order, names, self._header.number, rounds, record),
        )
