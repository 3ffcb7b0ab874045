"""The report of a tournament: standings, results between every two players, and the rounds with their tables."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from jantaku.table.arena.match.conduct import Finished
from jantaku.table.arena.match.figures.statistics import Figures
from jantaku.table.arena.match.report import document
from jantaku.table.arena.match.report.document import Document, link
from jantaku.table.arena.match.report.parts import crossed, expected_table, game_list, times, title_of
from jantaku.table.arena.match.report.plots import plot_parts
from jantaku.table.arena.match.report.report import (
    RESULT_HEADS,
    facts_of,
    luck_part,
    result_row,
    results_drawn,
    units_part,
)
from jantaku.table.arena.match.report.tables import places_in
from jantaku.table.arena.match.report.verdict import hanchan_compared, remarks, verdict
from jantaku.table.arena.match.store import Store
from jantaku.table.arena.tournament.plan import TournamentPlan
from jantaku.table.arena.tournament.rounds import Met, PlayedRound, PlayedTable, TournamentResults
from jantaku.table.drawing.elements import Markup, Part, marked, minus, table
from jantaku.table.drawing.faces import FacedNames
from jantaku.table.records.journal.places import RECORDS
from jantaku.table.records.journal.writer import journal_of

LINKED = 8
"""If a table played more hanchan than this, only its first and its last are linked."""


def write_report(path: Path, store: Store[TournamentPlan], done: Finished[TournamentResults]) -> str:
    """Write the report. Return why it was not written; empty on success. BadInput if the disk refuses."""
    figures = done.results.figures
    if figures is None:
        return "no report without a result"
    document.write_report(path, _document(path, store.plan, done, figures))
    return ""


def _document(path: Path, plan: TournamentPlan, done: Finished[TournamentResults], figures: Figures) -> Document:
    results = done.results
    names = [one.name for one in results.standings]
    known = {player.name: player for player in figures.players}
    by_standing = [known[name] for name in names if name in known]
    faults = {player.name: player.faults for player in by_standing}
    bracket = _bracket(results) if plan.format == "knock-out" else []
    parts = [
        Part("Standings", _standings(results, figures, plan.unit)),
        *units_part(by_standing, figures),
        *luck_part(figures),
        *bracket,
        _cross_table(names, results.meetings, plan.unit),
        *expected_table(hanchan_compared(figures, plan.unit)),
        *(_round(number, one, path, FacedNames(names), plan.unit) for number, one in enumerate(results.rounds, 1)),
        *plot_parts(results_drawn(by_standing, done.tally.points, plan.unit)),
        times([*faults], done.times, faults),
        *game_list(done.games, path, plan.unit),
    ]
    facts = facts_of(plan, ", ".join(plan.bots), plan.format)
    first, second, third, *_ = names
    void = f", {figures.void} of them without a result" if figures.void else ""
    said = [
        f"{first} is first, before {second} and {third}.",
        verdict(hanchan_compared(figures, plan.unit)),
        *remarks(figures, plan.unit),
        f"{plan.described}{void}; {figures.legend}.",
    ]
    return Document(title_of(names), said, facts, parts)


def _standings(results: TournamentResults, figures: Figures, unit: str) -> Markup:
    known = {player.name: player for player in figures.players}
    byes = any(one.byes for one in results.standings)
    heads = ["player", "place", unit, *(["sat out"] if byes else []), *RESULT_HEADS, *places_in(figures)]
    faced, rows = FacedNames(one.name for one in results.standings), []
    for one in results.standings:
        row: list[object] = [faced.whole(one.name), one.place, one.hanchan, *([one.byes or ""] if byes else [])]
        row += result_row(known[one.name]) if one.name in known else ["–"] * (len(heads) - len(row))
        rows.append(row)
    return table("Standings", heads, rows)


def _cross_table(names: Sequence[str], meetings: Sequence[Met], unit: str) -> Part:
    note = (
        f"In how many of the {unit} that both played the row's player was ahead of the column's player, of how "
        "many, and by how many points in all."
    )
    return crossed(names, partial(_meeting, {(one.a, one.b): one for one in meetings}), note)


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
    return [Part("Bracket", drawn, "Marked are the players that go on, and in the final the winner.")]


def _box(seats: PlayedTable, on: set[str], faced: FacedNames) -> Markup:
    rows = []
    for one in seats.players:
        text = Markup(f"<span>{faced.short(one.name)}</span> {marked('small', f'{one.rank:.2f}')}")
        rows.append(marked("li", text, **({"class_": "better"} if one.name in on else {})))
    return Markup(f"<ol>{''.join(rows)}</ol>")
