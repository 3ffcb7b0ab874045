"""The report of a tournament: tables for the terminal, and a page."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.table import Table

from jantaku.table.arena.match.figures.statistics import Figures
from jantaku.table.arena.match.folder.store import Store
from jantaku.table.arena.match.report import document, plots
from jantaku.table.arena.match.report.document import Document, ends, game_list, link, times, title_of
from jantaku.table.arena.match.report.tables import NAME, places_in
from jantaku.table.arena.match.report.verdict import hanchan_compared, verdict
from jantaku.table.arena.tournament.conduct import FinishedTournament, Met, PlayedRound, PlayedTable, TournamentResults
from jantaku.table.arena.tournament.plan import TournamentPlan
from jantaku.table.arena.tournament.rounds import PlayerStanding, Rounds
from jantaku.table.ground.columns import fitting, shortened
from jantaku.table.ground.markup.elements import Markup, Part, marked, minus, table
from jantaku.table.ground.markup.faces import FacedNames
from jantaku.table.records.journal.header import RECORDS
from jantaku.table.records.journal.journal import journal_of
from jantaku.table.riichi import ruleset

# Prints a tournament: tables that fit the terminal.

LEADERS = 3
"""Number of players named in a progress line."""


def standings_table(standings: Sequence[PlayerStanding], figures: Figures | None, unit: str, width: int) -> list[Table]:
    """Make the table of the standings, with intervals if there are `figures`. `unit`: what a game is
    called. `width`: columns of the terminal."""
    known = {} if figures is None else {player.name: player for player in figures.players}
    heads = ["player", "place", unit, "mean rank", "points"]
    if figures is not None:
        heads += [f"{' '.join(places_in(figures))} %", "faults"]
    if any(one.byes for one in standings):
        heads.insert(3, "sat out")
    rows = []
    for one in standings:
        figure = known.get(one.name)
        row = [one.name, str(one.place), str(one.hanchan)]
        row += [str(one.byes or "")] if "sat out" in heads else []
        if figure is None:
            row += [f"{one.rank:.2f}", f"{one.points:+.1f}"] + ["-"] * (3 if known else 0)
        else:
            faults = ", ".join(f"{word} {count}" for word, count in figure.faults.items()) or "none"
            shares = " ".join(f"{share * 100:3.0f}" for share in figure.ranks)
            row += [figure.rank.cell(2), figure.points.cell(1, sign=True), shares, faults]
        rows.append(row)
    return fitting(heads, rows, width)


def leaders(rounds: Rounds) -> str:
    """Name the current round and the leaders in a line."""
    now = f"round {rounds.now} of {len(rounds.plan.tables)}"
    best = [f"{shortened(one.name, NAME)} {one.rank:.2f}" for one in rounds.standings()[:LEADERS] if one.hanchan]
    return ", ".join([now, *best])


def round_lines(number: int, played: PlayedRound) -> list[str]:
    """Describe a round: a line for each table, and the players that sat out."""
    lines = [
        f"round {number} table {at}: " + ", ".join(f"{one.name} {one.rank:.2f}" for one in table.players)
        for at, table in enumerate(played.tables, 1)
    ]
    return lines + ([f"round {number} sat out: {', '.join(played.byes)}"] if played.byes else [])


# The report of a tournament: standings, results between every two players, and the rounds with their tables.

LINKED = 8
"""If a table played more hanchan than this, only its first and its last are linked."""


def write_report(path: Path, store: Store[TournamentPlan], done: FinishedTournament) -> str:
    """Write the report. Return why it was not written; empty on success. BadInput if the disk refuses."""
    figures = done.results.figures
    if figures is None:
        return "no report without a result"
    document.write_report(path, _document(path, store.plan, done, figures))
    return ""


def _document(path: Path, plan: TournamentPlan, done: FinishedTournament, figures: Figures) -> Document:
    results = done.results
    names = [one.name for one in results.standings]
    faults = {player.name: player.faults for player in figures.players}
    bracket = _bracket(results) if plan.format == "knock-out" else []
    parts = [
        Part("Standings", _standings(results, figures, plan.unit)),
        *bracket,
        _cross_table(names, results.meetings, plan.unit),
        *(_round(number, one, path, FacedNames(names), plan.unit) for number, one in enumerate(results.rounds, 1)),
        *_drawings(done, figures, names, plan.unit),
        times([name for name in names if name in faults], done.times, faults),
        *game_list(done.games, path, plan.unit),
    ]
    facts = {
        "players": ", ".join(plan.bots),
        "format": f"{plan.format}, walls {plan.walls}",
        "rules": ruleset.describe(plan.rules),
        "seed": str(plan.seed),
        "threads": f"{plan.threads}, on a fault: {plan.on_fault}",
    }
    said = [*_verdict(results, figures, plan.unit), _played(plan, figures)]
    return Document(title_of(names), said, facts, parts)


def _verdict(results: TournamentResults, figures: Figures, unit: str) -> list[str]:
    first, second, third, *_ = results.standings
    compared = hanchan_compared(figures, unit)
    return [f"{first.name} is first, before {second.name} and {third.name}.", verdict(compared)]


def _played(plan: TournamentPlan, figures: Figures) -> str:
    void = f", {figures.void} of them without a result" if figures.void else ""
    return f"{plan.described}{void}; {figures.legend}."


def _standings(results: TournamentResults, figures: Figures, unit: str) -> Markup:
    known = {player.name: player for player in figures.players}
    byes = any(one.byes for one in results.standings)
    heads = ["player", "place", unit, *(["sat out"] if byes else []), "mean rank", "95 %", "mean points"]
    heads += places_in(figures)
    faced, rows = FacedNames(one.name for one in results.standings), []
    for one in results.standings:
        row: list[object] = [faced.whole(one.name), one.place, one.hanchan, *([one.byes or ""] if byes else [])]
        if player := known.get(one.name):
            row += [player.rank.cell(3), ends(player.rank, 3), player.points.cell(2, sign=True)]
            row += [f"{share * 100:.1f} %" for share in player.ranks]
        else:
            row += ["–"] * (len(heads) - len(row))
        rows.append(row)
    return table("Standings", heads, rows)


def _cross_table(names: Sequence[str], meetings: Sequence[Met], unit: str) -> Part:
    met = {(one.a, one.b): one for one in meetings}
    columns, sides = FacedNames(names).crossed(names)
    cells = ([_meeting(met, name, other) for other in names] for name in names)
    rows = [[side, *row] for side, row in zip(sides, cells, strict=True)]
    note = (
        f"In how many of the {unit} that both sat in the player of the row was ahead of that of the column, of how "
        "many, and by how many points in all."
    )
    return Part("Who against whom", table("Who against whom", ["ahead of", *columns], rows, class_="cross"), note)


def _meeting(met: Mapping[tuple[str, str], Met], name: str, other: str) -> Markup:
    if found := met.get((name, other)):
        ahead, points = found.ahead, found.points
    elif found := met.get((other, name)):
        ahead, points = found.hanchan - found.ahead, 0.0 - found.points
    else:
        return Markup("" if name == other else "–")
    kind = {1: "better", -1: "worse"}.get((2 * ahead > found.hanchan) - (2 * ahead < found.hanchan), "")
    share = marked("span", f"{ahead} of {found.hanchan}", **({"class_": kind} if kind else {}))
    return Markup(share + marked("small", minus(f"{points:+.1f}")))


def _round(number: int, played: PlayedRound, report: Path, faced: FacedNames, unit: str) -> Part:
    heads = ["table", *(f"{place}." for place in range(1, len(played.tables[0].players) + 1)), unit]
    rows = [
        [at, *(Markup(f"{faced.short(one.name)} {one.rank:.2f}") for one in seats.players), _records(seats, report)]
        for at, seats in enumerate(played.tables, 1)
    ]
    note = "Mean ranks at the table."
    if played.byes:
        note += f" {', '.join(played.byes)} sat out."
    return Part(f"Round {number}", table(f"Round {number}", heads, rows, class_="games"), note)


def _records(seats: PlayedTable, report: Path) -> Markup:
    games = range(seats.first, seats.last + 1)
    shown = games if len(games) <= LINKED else (seats.first, seats.last)
    links = [link(journal_of(report.parent / RECORDS, game), game, report) for game in shown]
    return Markup((" " if len(games) <= LINKED else " … ").join(links))


def _bracket(results: TournamentResults) -> list[Part]:
    """Draw the tables of a knock-out, a column per round."""
    faced, columns = FacedNames(one.name for one in results.standings), []
    for number, played in enumerate(results.rounds, 1):
        following = results.rounds[number] if number < len(results.rounds) else None
        on = {one.name for seats in following.tables for one in seats.players} if following else set()
        on |= set(following.byes) if following else {results.standings[0].name}
        boxes = "".join(marked("li", _box(seats, on, faced)) for seats in played.tables)
        head = "Final" if following is None else f"Round {number}"
        byes = marked("p", f"{len(played.byes)} sat out") if played.byes else ""
        columns.append(marked("li", Markup(f"{marked('strong', head)}<ol>{boxes}</ol>{byes}")))
    inside = marked("ol", Markup("".join(columns)), class_="bracket")
    drawn = marked("div", inside, class_="wide", tabindex="0", role="region", aria_label="Bracket")
    return [Part("Bracket", drawn, "Who goes on, and in the final who has won, is marked.")]


def _box(seats: PlayedTable, on: set[str], faced: FacedNames) -> Markup:
    rows = []
    for one in seats.players:
        text = Markup(f"<span>{faced.short(one.name)}</span> {marked('small', f'{one.rank:.2f}')}")
        rows.append(marked("li", text, **({"class_": "better"} if one.name in on else {})))
    return Markup(f"<ol>{''.join(rows)}</ol>")


def _drawings(done: FinishedTournament, figures: Figures, names: Sequence[str], unit: str) -> Sequence[Part]:
    shares = {player.name: player.ranks for player in figures.players}
    ranks = {name: shares[name] for name in names if name in shares}
    places = max(map(len, ranks.values()))
    course = f"Points over {unit}, with the 95 % interval"
    points = {name: done.tally.points[name] for name in ranks}
    return plots.parts(
        {
            "Ranks": plots.share_plot("Ranks", ranks, [f"{rank}." for rank in range(1, places + 1)], unit),
            course: plots.points_plot(course, points, unit),
        }
    )
