"""大富豪 (computer daifugo): what the game brings."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from jantaku.table.errors import BadInput
from jantaku.table.games.entry import GameEntry, Reading, Ruled, Stats

if TYPE_CHECKING:
    from jantaku.table.daifugo.rules import Rules
    from jantaku.table.play.riichi import Beginning, Keeping
    from jantaku.table.play.runner import Opener
    from jantaku.table.record.daifugo import Record
    from jantaku.table.record.unsealed import SeedsOf
    from jantaku.table.record.verified import Verified
    from jantaku.table.seating.spec import Terms
    from jantaku.table.settings.presets import Presets
    from jantaku.table.view.moment import Moment
    from jantaku.table.view.page import Viewed


class _Daifugo(GameEntry):
    name = "daifugo"
    title = "大富豪"
    seated = "two to six"
    options = frozenset({"watch", "watch-port"})
    readers = ("verify", "view", "show", "stats")
    commands: ClassVar = {
        "daifugo": ("jantaku.table.cli.playing.daifugo", "Serve rooms of 大富豪 for programs over WebSocket.")
    }

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
        from jantaku.table.play.daifugo import DaifugoTable

        return DaifugoTable(rules, names, seed, keeping.folder, keeping.version)

    def compared(self, path: Path, ruled: Ruled, seeds: "SeedsOf") -> "Verified":
        from jantaku.table.record.daifugo import verify

        return verify(*self._read(path, Reading(ruled, None, seeds)))

    def viewed(self, path: Path, reading: Reading) -> "Viewed":
        from jantaku.table.view import daifugo

        record, rules = self._read(path, reading)
        return daifugo.viewed(record, self.fitted(rules, record.header.player, str(path)))

    def moment(self, path: Path, reading: Reading, number: int, turn: int | None) -> "Moment":
        from jantaku.table.view.daifugo_moment import moment_of

        return moment_of(self._read(path, reading)[0], number, turn)

    def stats(self, named: Mapping[Path, Sequence[Path]], *, luck: bool = False) -> Stats:
        first = next(iter(named))
        if luck:
            raise BadInput(f"--luck: {first} holds {self.title}; only riichi has its luck counted")
        from jantaku.table.match.report.series import read_series, series_compared, series_tables, write_series_report
        from jantaku.table.match.report.verdict import verdict

        played = read_series(named)
        tally = played.tally
        if not tally.series:
            raise BadInput(f"{first}: none of {tally.void} series has come to its end")
        figures, times = tally.figures(), tally.spent.timings(tally.names)
        void = f", {figures.void} without an end" if figures.void else ""
        said = f"{figures.series} series of {figures.rounds} round{'s' * (figures.rounds != 1)} in all{void}"
        report = partial(write_series_report, folders=list(named), played=played)
        data, decided = {"figures": figures, "times": times}, verdict(series_compared(figures))
        return Stats(data, partial(series_tables, figures, times), figures.legend, decided, said, report)

    def _read(self, path: Path, reading: Reading) -> "tuple[Record, Rules]":
        """A journal, and its rules unless others are asked for."""
        from jantaku.table.record.daifugo import load

        if reading.form not in (None, "journal"):
            raise BadInput(f"--read-as {reading.form}: {path} is a journal of {self.title}, which has no other format")
        record = load(path, reading.seeds)
        return record, reading.ruled.over(self.rules, record.rules)


ENTRY = _Daifugo()
