"""The entry of 大富豪 (computer daifugo)."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from jantaku.table.ground.errors import BadInput
from jantaku.table.play.entry import GameEntry, Reading, Ruled, Stats, Wishes

if TYPE_CHECKING:
    from jantaku.table.daifugo.journals.record import Record
    from jantaku.table.daifugo.rules import Rules
    from jantaku.table.ground.presets import Presets
    from jantaku.table.play.outcome import Outcome
    from jantaku.table.play.riichi import Beginning, Keeping
    from jantaku.table.play.runner import Opener, Plan
    from jantaku.table.play.seating.spec import Terms
    from jantaku.table.records.journal.killed import SeedsOf
    from jantaku.table.records.journal.verified import Verified
    from jantaku.table.records.view.moment import Moment
    from jantaku.table.records.view.page import Viewed


class _Daifugo(GameEntry):
    name = "daifugo"
    title = "大富豪"
    seated = "two to six"
    options = frozenset({"watch", "watch-port"})
    readers = ("verify", "view", "show", "stats")
    home = "daifugo"
    commands: ClassVar = {"daifugo": "Serve rooms of 大富豪 for programs over WebSocket."}

    @property
    def rules(self) -> "Presets[Rules]":
        from jantaku.table.daifugo import rules

        return rules.FILES

    def players(self, rules: "Rules") -> Sequence[str]:
        sitting = ("daifugo-greedy", "daifugo-weakest", "daifugo-greedy", "daifugo-weakest", "dice", "dice")
        return sitting[: rules.game.seats]

    def limit(self, rules: "Rules") -> float:
        return rules.room.turn_limit

    def fitted(self, rules: Any, players: "Sequence[str | Terms]", where: str) -> Any:
        if not 2 <= len(players) <= 6:
            raise BadInput(f"{where}: {len(players)} given; daifugo seats 2 to 6")
        return self.rules.with_settings(rules, {"game.seats": str(len(players))})

    def opener(
        self, rules: Any, names: Sequence[str], seed: str, keeping: "Keeping", begin: "Beginning | None"
    ) -> "Opener":
        from jantaku.table.daifugo.journals.replay import DaifugoTable

        return DaifugoTable(rules, names, seed, keeping.folder, keeping.version)

    def compared(self, path: Path, ruled: Ruled, seeds: "SeedsOf") -> "Verified":
        from jantaku.table.daifugo.journals.record import verify

        return verify(*self._read(path, Reading(ruled, None, seeds)))

    def viewed(self, path: Path, reading: Reading) -> "Viewed":
        from jantaku.table.daifugo.journals import shown

        record, rules = self._read(path, reading)
        return shown.viewed(record, self.fitted(rules, record.header.player, str(path)))

    def moment(self, path: Path, reading: Reading, number: int, turn: int | None) -> "Moment":
        from jantaku.table.daifugo.journals.shown import moment_of

        return moment_of(self._read(path, reading)[0], number, turn)

    def stats(self, named: Mapping[Path, Sequence[Path]], *, luck: bool = False, pt: str = "") -> Stats:
        from jantaku.table.daifugo.journals.stats import stats_of

        if luck or pt:
            option = "--luck" if luck else "--pt"
            raise BadInput(f"{option}: {next(iter(named))} holds {self.title}; only riichi has such figures")
        return stats_of(named)

    def with_person(
        self, name: str, plan: "Plan", rules: Any, keeping: "Keeping", wishes: Wishes
    ) -> "Iterator[Outcome]":
        from jantaku.table.daifugo.rooms.server import series_with

        return series_with(name, plan, rules, keeping, wishes)

    def _read(self, path: Path, reading: Reading) -> "tuple[Record, Rules]":
        """Read a journal, and its rules or the ones that the command line names."""
        from jantaku.table.daifugo.journals.record import load

        if reading.form not in (None, "journal"):
            raise BadInput(f"--read-as {reading.form}: {path} is a journal of {self.title}, which has no other format")
        record = load(path, reading.seeds)
        return record, reading.ruled.over(self.rules, record.rules)


ENTRY = _Daifugo()
