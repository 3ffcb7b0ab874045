"""Small leagues for tests: single kyoku between tsumogiri and dice, in this process."""

from pathlib import Path

from jantaku.table.arena.league.file import LeagueFile, LeagueTerms, newcomer
from jantaku.table.arena.league.pool import League
from jantaku.table.arena.league.season import Season
from jantaku.table.arena.match.hanchan import Here, Places
from jantaku.table.ground.clock import Deadline
from jantaku.table.judge.judge import OnFault
from jantaku.table.judge.timing import Clock
from jantaku.table.judge.turn.responses import Mode
from jantaku.table.play.outcome import FaultReports
from jantaku.table.riichi import ruleset

BOTS = ("dice", "tsumogiri", "dice?name=second", "tsumogiri?name=fourth")


def terms(seed: int = 5, batch: int = 2, preset: str = "tenhou") -> LeagueTerms:
    """Hanchan of a single kyoku, without a clock."""
    return LeagueTerms(
        rules=ruleset.with_settings(ruleset.preset(preset), {"game.length": "one"}),
        walls="shared",
        clock=Clock(),
        threads=Mode.INLINE,
        on_fault=OnFault.DEFAULT,
        sandbox=False,
        seed=seed,
        batch=batch,
    )


def begun(path: Path, *bots: str, of: LeagueTerms | None = None) -> League:
    """A league with these bots."""
    league = League(LeagueFile.create(path, of or terms()))
    for bot in bots or BOTS:
        league.add(*newcomer(bot))
    return league


def play(league: League, hanchan: int | None, scratch: Path, stop: int | None = None) -> int:
    """Play so many hanchan in this process; `stop`: end as a kill would, after so many."""
    season = Season(league, "1", hanchan, Deadline(None))
    scratch.mkdir(exist_ok=True)
    league.file.records.mkdir(exist_ok=True)

    def tell(played: int) -> None:
        if played == stop:
            raise KeyboardInterrupt

    return season.play(Here(season.plan(), Places(scratch)), tell, FaultReports())
