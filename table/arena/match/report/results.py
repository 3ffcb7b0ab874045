"""What the records of matches add up to, for commands and for notebooks."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from jantaku.table.arena.match.figures.statistics import Figures
from jantaku.table.arena.match.figures.summary import Timing
from jantaku.table.arena.match.figures.tally import PlayedGames
from jantaku.table.arena.match.folder.records import Run, read_runs
from jantaku.table.arena.match.report.document import title_of
from jantaku.table.arena.match.report.report import Content, whole_document
from jantaku.table.arena.match.report.verdict import hanchan_compared, verdict
from jantaku.table.cli.commands.records import found_in
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.markup.elements import framed, section, verdict_and_facts


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
        return f"{found.games} {self.unit} in {found.sets} set{'s' * (found.sets != 1)}{void}"

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
        verdict=verdict(hanchan_compared(figures, run.unit)),
        figures=figures,
        times=times,
        unit=run.unit,
        left_out=tuple(run.left_out),
        content=Content(facts, tally.points, figures, times, run.games, unit=run.unit),
    )
