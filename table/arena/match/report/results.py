"""What the records of matches add up to, for commands and for notebooks.

`jantaku stats` tells of hanchan from their records alone, and of one player: over all
records, by rules, and by the month in which they were played.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec

from jantaku.table.arena.match.figures.adjusted import LuckTally
from jantaku.table.arena.match.figures.games import PlayedGames
from jantaku.table.arena.match.figures.luck import luck_of
from jantaku.table.arena.match.figures.statistics import Figures, LuckFigures, PlayerFigures, legend
from jantaku.table.arena.match.figures.tally import PlayerSums, places_of
from jantaku.table.arena.match.figures.timing import Timing
from jantaku.table.arena.match.ranklists import USUAL, check_length, rank_points
from jantaku.table.arena.match.records import Run, Summarised, read_runs
from jantaku.table.arena.match.report.parts import title_of
from jantaku.table.arena.match.report.report import Content, whole_document, write_report
from jantaku.table.arena.match.report.tables import tables_of
from jantaku.table.arena.match.report.verdict import hanchan_compared, no_luck, remarks, verdict
from jantaku.table.cli.commands.many import found_in
from jantaku.table.drawing.columns import counted
from jantaku.table.drawing.elements import framed, section, verdict_and_facts
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.settings import did_you_mean
from jantaku.table.play.entry import Stats
from jantaku.table.records.journal.read import load
from jantaku.table.riichi import ruleset
from jantaku.table.riichi.pieces.seats import SEATS
from jantaku.table.riichi.rules import Rules


class MatchResults(msgspec.Struct, frozen=True):
    """The results of matches, as `jantaku stats` tells them. In a notebook it is shown as the tables and plots of the
    HTML report."""

    verdict: str
    """Who is better and by how much, or what is undecided, in sentences."""
    figures: Figures
    """The figures of every player, with 95 % intervals; `figures.best_first` has the best first."""
    times: tuple[Timing, ...]
    """Answer times of every player in seconds, where the records have them."""
    unit: str
    """What a game is called, by its length: `hanchan`, `tonpu`, …"""
    left_out: tuple[str, ...]
    """Why each file was left out that could not be read."""
    content: Content
    """The content of the HTML report."""

    @property
    def said(self) -> str:
        """What was played, in words."""
        found = self.figures
        void = f", {found.void} without a result" if found.void else ""
        return f"{found.games} {self.unit} in {counted(found.sets, 'set')}{void}"

    def _repr_html_(self) -> str:
        """The tables and plots that a notebook shows."""
        content = msgspec.structs.replace(self.content, games=PlayedGames())
        made = whole_document(content, self.figures, Path("report.html"))
        names = [player.name for player in self.figures.best_first]
        return framed(title_of(names), [verdict_and_facts(made.verdict, {}), *map(section, made.parts)])


def match_results(*places: Path | str) -> MatchResults:
    """Add up the records in these files and folders, of matches, of `jantaku play` or from elsewhere. Hanchan on the
    same walls (equal seed and set) count as one set. BadInput if there is no record, or if no game has come to its
    end."""
    named = {Path(place): [one.path for one in found_in(Path(place))] for place in places}
    if not named:
        raise BadInput("match_results: name a folder or file with records")
    return results_of(read_runs(named), named)


def results_of(run: Run, named: Mapping[Path, Sequence[Path]]) -> MatchResults:
    """Return what a run of records adds up to. BadInput if no game has come to its end."""
    tally = run.tally
    if not tally.games:
        first = next(iter(named))
        raise BadInput(
            run.left_out[0] if not tally.void else f"{first}: none of {tally.void} {run.unit} has come to its end"
        )
    figures, times = tally.figures(), tuple(run.spent.timings(tally.names))
    facts = {"records": ", ".join(map(str, named))}
    return MatchResults(
        verdict=" ".join([verdict(hanchan_compared(figures, run.unit)), *remarks(figures, run.unit)]),
        figures=figures,
        times=times,
        unit=run.unit,
        left_out=tuple(run.left_out),
        content=Content(facts, tally.points, figures, times, run.games, unit=run.unit),
    )


def stats_of(named: Mapping[Path, Sequence[Path]], *, luck: bool = False, pt: str = "") -> Stats:
    """Work out the figures of games, see `GameEntry.stats`. BadInput if no game has come to its end."""
    run = read_runs(named, luck=luck, pt=pt or USUAL)
    found = results_of(run, named)
    if pt:
        check_length(pt, max(len(player.ranks) for player in found.figures.players))
    figures, times, decided = found.figures, found.times, found.verdict
    report = partial(write_report, content=found.content)
    data: dict[str, Any] = {"figures": msgspec.structs.replace(figures, luck=msgspec.UNSET), "times": times}
    if figures.luck:
        data["luck"] = figures.luck
    tables = partial(tables_of, figures, times, units=bool(pt))
    return Stats(data, tables, figures.legend, decided, found.said, report, run.left_out)


_MONTHS: Final = (
    re.compile(r"(?<!\d)(20\d\d)[-/.年](0?[1-9]|1[0-2])(?=[-/.月]|$)"),  # 2025-08-01, 2025/8/1, 2025年8月, 2025-08
    re.compile(r"(?<!\d)(20\d\d)(0[1-9]|1[0-2])(?=(?:0[1-9]|[12]\d|3[01])(?:\d\dgm-|T\d|\D|$))"),  # 2022010121gm-…
)
_FOLDERS: Final = 3
"""A month is looked for in the names of this many folders around a record, the nearest first."""
_NAMED: Final = 5
"""Names that an error lists."""


class PlayerGroup(msgspec.Struct, frozen=True):
    """Some of a player's games, with the number of players at the table. `rules` (a preset), `length` and `month`
    (`2025-08`) say which ones; None takes all, and an empty month the games without a date."""

    players: int
    figures: PlayerFigures
    rules: str | None = None
    length: str | None = None
    month: str | None = None

    @property
    def place(self) -> tuple[int, int, str, int]:
        """Sort key: all games first, those by rules next, the most frequent first, then by month."""
        if self.rules is not None:
            return 1, 0, "", -self.figures.seats
        return (0, -self.players, "", 0) if self.month is None else (2, not self.month, self.month, -self.players)

    @property
    def name(self) -> str:
        """What a table calls it."""
        if self.rules is not None:
            return f"{self.rules} {self.length}"
        of = "" if self.players == SEATS else " of three"
        return f"all{of}" if self.month is None else f"{self.month or 'no date'}{of}"


class PlayerStats(msgspec.Struct, frozen=True):
    """The figures of `jantaku stats --player`: the number of records read, and the player's games with a result and
    without one (`void`). `groups` begins with all games; games by rules follow, then games by month."""

    player: str
    records: int
    games: int
    void: int
    groups: tuple[PlayerGroup, ...]
    luck: LuckFigures | msgspec.UnsetType = msgspec.UNSET

    @property
    def lucky(self) -> str:
        """What chance gave the player, in a sentence; empty if that was not asked for."""
        if not self.luck or not self.luck.known:
            return no_luck(self.luck, "games")
        rank, points = (plain.mean - without.mean for plain, without in self.luck.players[0].both)
        better = f"{abs(rank):.3f} ranks {'better' if rank < 0 else 'worse'}"
        return f"By luck {self.player} came out {better}, with {points:+.1f} points a game; the others, the other way."

    @property
    def rows(self) -> Sequence[tuple[str, PlayerFigures]]:
        """The groups for a table, each with its name."""
        return [(group.name, group.figures) for group in self.groups]

    @property
    def said(self) -> str:
        """What was counted, in words."""
        void = f", {self.void} without a result" if self.void else ""
        return f"{self.player}: {counted(self.games, 'game')} of {counted(self.records, 'record')}{void}"

    @property
    def legend(self) -> str:
        """What the columns mean."""
        shown = [interval for group in self.groups for interval in (group.figures.rank, group.figures.points)]
        return f"value and paid: mean points of a win and of a deal-in; rates are by kyoku; {legend('games', shown)}"


_Key = tuple[int, str | None, str | None, str | None]


class PlayerBook:
    """Adds up the games of one player, record after record."""

    def __init__(self, name: str, pt: str = "", *, luck: bool = False) -> None:
        self._name, self._points_by_rank = name, rank_points(pt or USUAL)
        self._records = self._games = self._void = 0
        self._sums: dict[_Key, PlayerSums] = {}
        """By number of players, rules, length and month, see `PlayerGroup`."""
        self._sets: dict[tuple[str, int], int] = {}
        self._presets: dict[str, str] = {}
        self._others: Counter[str] = Counter()
        self._luck = LuckTally() if luck else None

    def add(self, told: Summarised, path: Path) -> None:
        """Add a record. A game without the player counts as a record only."""
        line = told.line
        self._records += 1
        own = places_of(line.players).get(self._name)
        if own is None:
            self._others.update({*line.players})
        elif not line.ended:
            self._void += 1
        else:
            self._games += 1
            number = self._sets.setdefault((line.seed, line.set), len(self._sets))
            for key in self._keys(told, path):
                self._sums.setdefault(key, PlayerSums(points_by_rank=self._points_by_rank)).take(line, number, own)
            if self._luck is not None and not self._luck.why:
                try:
                    self._luck.add(number, line, luck_of(told.record or load(path)), {self._name: own})
                except BadInput as why:
                    self._luck.why = str(why)

    def _keys(self, told: Summarised, path: Path) -> Iterable[_Key]:
        """Return the groups that this game belongs to."""
        rules, players = told.line.rules, len(told.line.players)
        if rules not in self._presets:
            played_by = msgspec.convert(told.header["rules"], Rules)
            self._presets[rules] = ruleset.FILES.nearest(played_by)[0]
        names = (path.name, *[folder.name for folder in [*path.absolute().parents][:_FOLDERS]])
        month = month_in(str(told.header.get("title", "")), *names)
        of_rules = self._presets[rules], told.unit
        return (players, None, None, None), (players, *of_rules, None), (players, None, None, month)

    def stats(self) -> PlayerStats:
        """Return the figures. BadInput if no game of this player has come to its end."""
        if not self._games:
            raise BadInput(f"--player {self._name}: {self._missing()}")
        groups = [PlayerGroup(key[0], sums.figures(self._name), *key[1:]) for key, sums in self._sums.items()]
        groups.sort(key=lambda group: group.place)
        played = self._records, self._games, self._void
        luck = msgspec.UNSET if self._luck is None else self._luck.figures([self._name])
        return PlayerStats(self._name, *played, tuple(groups), luck=luck)

    def _missing(self) -> str:
        if self._void:
            return f"no game has come to its end, of {self._void} in the records"
        others = ", ".join(f"{name or '“”'} ({count})" for name, count in self._others.most_common(_NAMED))
        meant = did_you_mean(self._name, self._others)
        return f"no player has this name in {self._records} records; {meant}most often there are {others}"


def month_in(*texts: str) -> str:
    """The month of the first date in these texts, as `2025-08`; empty if there is none. A date begins with its year."""
    for text in texts:
        for form in _MONTHS:
            if (found := form.search(text)) is not None:
                return f"{found[1]}-{int(found[2]):02d}"
    return ""
