"""The entry of riichi mahjong."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.wings import part
from jantaku.table.play.games.entry import GameEntry, Reading, Ruled, Stats, Wishes

if TYPE_CHECKING:
    from rich.console import Console

    from jantaku.table.ground.settings.presets import Presets
    from jantaku.table.judge.timing import Clock
    from jantaku.table.play.outcome import Outcome
    from jantaku.table.play.riichi import Beginning, Keeping
    from jantaku.table.play.runner import Looker, Opener, Plan
    from jantaku.table.play.seating.spec import Terms
    from jantaku.table.records.convert.readers import Read
    from jantaku.table.records.journal.digest import Verified
    from jantaku.table.records.journal.sealed import SeedsOf
    from jantaku.table.records.view.page import Viewed
    from jantaku.table.records.view.riichi import Moment
    from jantaku.table.riichi.rules import Rules


BESIDE_A_PERSON = "shanten"
"""The bot that takes the other seats of a person's table."""


class _Riichi(GameEntry):
    name = title = "riichi"
    seated = "three or four"
    options = frozenset({"config", "from", "position", "length", "title", "date", "watch", "watch-port"})
    has_exam = True
    readers = ("play", "stats", "diff", "verify", "view", "review", "show", "convert")

    @property
    def rules(self) -> "Presets[Rules]":
        from jantaku.table.riichi import ruleset

        return ruleset.FILES

    def players(self, rules: Any) -> Sequence[str]:
        from jantaku.table.play.config import players_for

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
        from jantaku.table.records.view.terminal import LiveTable

        return lambda: LiveTable(console, clocks)

    def compared(self, path: Path, ruled: Ruled, seeds: "SeedsOf") -> "Verified":
        from jantaku.table.records.convert.readers import driving
        from jantaku.table.records.replay.verify import rules_of, unfit, verify

        record = driving(path, ruled.named(self.rules), seeds)
        rules = ruled.over(self.rules, rules_of(record))
        done = verify(record, rules)
        return done if done.difference is None else msgspec.structs.replace(done, why=unfit(record, rules))

    def viewed(self, path: Path, reading: Reading) -> "Viewed":
        from jantaku.table.records.journal.lines import content_of
        from jantaku.table.records.replay.reviewed import is_review
        from jantaku.table.records.view import riichi

        if is_review(content := content_of(path)):
            return self._reviewed(path, content, reading)
        read = self._read(path, reading)
        return riichi.viewed(read.record, read.notes)

    def _reviewed(self, path: Path, content: bytes, reading: Reading) -> "Viewed":
        from jantaku.table.records.convert.readers import read_any
        from jantaku.table.records.replay.reviewed import read_review, record_of
        from jantaku.table.records.view import riichi

        review = read_review(path, content)
        read = read_any(record_of(path, review.head), review.head.rules, seeds=reading.seeds)
        return riichi.viewed(read.record, read.notes, review)

    def moment(self, path: Path, reading: Reading, number: int, turn: int | None) -> "Moment":
        from jantaku.table.records.view.riichi import moment_of

        return moment_of(self._read(path, reading).record, number, turn)

    def lines(self, path: Path, reading: Reading, number: int, turn: int | None) -> Iterator[str]:
        from jantaku.table.records.view.riichi import lines_of

        return lines_of(self._read(path, reading).record, number, turn)

    def stats(self, named: Mapping[Path, Sequence[Path]], *, luck: bool = False) -> Stats:
        stats: Stats = part("arena", "match.report.stats").stats_of(named, luck=luck)
        return stats

    def beside_person(self, rules: "Rules", chosen: "Sequence[str | Terms] | None") -> "Sequence[str | Terms]":
        from jantaku.table.play.roster import refuse_programs

        players = (BESIDE_A_PERSON,) * (rules.game.players - 1) if chosen is None else chosen
        refuse_programs(players, rules.game.players, "--players")
        return players

    def with_person(
        self, name: str, plan: "Plan", rules: Any, keeping: "Keeping", wishes: Wishes
    ) -> "Iterator[Outcome]":
        outcomes: Iterator[Outcome] = part("serve", "person").outcomes_with(name, plan, rules, keeping, wishes)
        return outcomes

    def _read(self, path: Path, reading: Reading) -> "Read":
        from jantaku.table.records.convert.readers import read_any

        return read_any(path, reading.ruled.foreign(self.rules), reading.form, reading.seeds)


ENTRY = _Riichi()
