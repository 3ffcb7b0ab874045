"""Riichi mahjong: what the game brings."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from jantaku.table.errors import BadInput
from jantaku.table.games.entry import GameEntry, Reading, Ruled, Stats

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from jantaku.table.convert.reading import Read
    from jantaku.table.judge.timing import Clock
    from jantaku.table.play.riichi import Beginning, Keeping
    from jantaku.table.play.runner import Opener
    from jantaku.table.play.watched import Looker
    from jantaku.table.record.unsealed import SeedsOf
    from jantaku.table.record.verified import Verified
    from jantaku.table.riichi.rules import Rules
    from jantaku.table.seating.spec import Terms
    from jantaku.table.settings.presets import Presets
    from jantaku.table.view.moment import Moment
    from jantaku.table.view.page import Viewed


class _Riichi(GameEntry):
    name = title = "riichi"
    seated = "three or four"
    options = frozenset({"config", "from", "length", "title", "date", "watch", "watch-port"})
    readers = ("play", "stats", "diff", "verify", "view", "review", "show", "convert")

    @property
    def rules(self) -> "Presets[Rules]":
        from jantaku.table.riichi import ruleset

        return ruleset.FILES

    def players(self, rules: Any) -> Sequence[str]:
        from jantaku.table.config import players_for

        return players_for(rules)

    def limit(self, rules: Any) -> float:
        from jantaku.table.judge.timing import LIMIT

        return LIMIT

    def fitted(self, rules: "Rules", players: "Sequence[str | Terms]", where: str) -> "Rules":
        from jantaku.table.play.roster import refuse_programs

        seats, count = rules.game.players, len(players)
        if count != seats:
            others = "; three play by --rules tenhou-3p" if count == 3 else ""
            raise BadInput(f"{where}: {count} given; a riichi table seats {seats} by these rules{others}")
        refuse_programs(players, seats, where)
        return rules

    def opener(
        self, rules: Any, names: Sequence[str], seed: str, keeping: "Keeping", begin: "Beginning | None"
    ) -> "Opener":
        from jantaku.table.play.riichi import RiichiTable

        return RiichiTable(rules, names, seed, keeping, begin)

    def looker(self, console: "Console", clocks: "Mapping[str, Clock]") -> "Callable[[], Looker]":
        from jantaku.table.view.terminal import LiveTable

        return lambda: LiveTable(console, clocks)

    def compared(self, path: Path, ruled: Ruled, seeds: "SeedsOf") -> "Verified":
        from jantaku.table.convert.reading import driving
        from jantaku.table.replay.fitting import rules_of, unfit
        from jantaku.table.replay.verify import verify

        record = driving(path, ruled.named(self.rules), seeds)
        rules = ruled.over(self.rules, rules_of(record))
        done = verify(record, rules)
        return done if done.difference is None else msgspec.structs.replace(done, why=unfit(record, rules))

    def viewed(self, path: Path, reading: Reading) -> "Viewed":
        from jantaku.table.record.lines import content_of
        from jantaku.table.replay.reviewed import is_review
        from jantaku.table.view import riichi

        if is_review(content := content_of(path)):
            return self._reviewed(path, content, reading)
        read = self._read(path, reading)
        return riichi.viewed(read.record, read.notes)

    def _reviewed(self, path: Path, content: bytes, reading: Reading) -> "Viewed":
        from jantaku.table.convert.reading import read_any
        from jantaku.table.replay.reviewed import read_review, record_of
        from jantaku.table.view import riichi

        review = read_review(path, content)
        read = read_any(record_of(path, review.head), review.head.rules, seeds=reading.seeds)
        return riichi.viewed(read.record, read.notes, review)

    def moment(self, path: Path, reading: Reading, number: int, turn: int | None) -> "Moment":
        from jantaku.table.view.moment import moment_of

        return moment_of(self._read(path, reading).record, number, turn)

    def stats(self, named: Mapping[Path, Sequence[Path]], *, luck: bool = False) -> Stats:
        from jantaku.table.match.folder.reading import read_runs
        from jantaku.table.match.report.luck import luck_tables, luck_verdict
        from jantaku.table.match.report.report import Content, write_report
        from jantaku.table.match.report.tables import tables_of
        from jantaku.table.match.report.verdict import hanchan_compared, verdict

        run = read_runs(named, luck=luck)
        tally = run.tally
        if not tally.games:
            first = next(iter(named))
            raise BadInput(
                run.left_out[0] if not tally.void else f"{first}: none of {tally.void} {run.unit} has come to its end"
            )
        figures, times = tally.figures(), run.spent.timings(tally.names)
        void = f", {figures.void} without a result" if figures.void else ""
        facts = {"records": ", ".join(map(str, named))}
        content = Content(facts, tally.points, figures, times, run.games, unit=run.unit)
        said = f"{figures.games} {run.unit} in {figures.sets} set{'s' * (figures.sets != 1)}{void}"
        report, decided = partial(write_report, content=content), verdict(hanchan_compared(figures, run.unit))
        data = {"figures": figures, "times": times}
        if run.luck is None:
            return Stats(data, partial(tables_of, figures, times), figures.legend, decided, said, report, run.left_out)
        adjusted = run.luck.figures(tally.names)

        def tables(width: int) -> "list[Table]":
            return [*tables_of(figures, times, width), *luck_tables(adjusted, width)]

        decided = f"{decided} {luck_verdict(adjusted, figures, run.unit)}"
        return Stats({**data, "luck": adjusted}, tables, figures.legend, decided, said, report, run.left_out)

    def _read(self, path: Path, reading: Reading) -> "Read":
        from jantaku.table.convert.reading import read_any

        return read_any(path, reading.ruled.foreign(self.rules), reading.form, reading.seeds)


ENTRY = _Riichi()
