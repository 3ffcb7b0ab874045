"""The report of a tournament: tables for the terminal, and a page.

A tournament in progress has a page of its own, for the projector of a class.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rich.table import Table

from jantaku.table.arena.match.figures.statistics import Figures
from jantaku.table.arena.match.figures.summary import HanchanSummary
from jantaku.table.arena.match.report import document
from jantaku.table.arena.match.report.document import (
    Document,
    ends,
    game_list,
    link,
    plot_parts,
    points_plot,
    share_plot,
    times,
    title_of,
)
from jantaku.table.arena.match.report.live import LISTED, News, ShownTable, live_parts
from jantaku.table.arena.match.report.tables import NAME, hanchan_compared, places_in, verdict
from jantaku.table.arena.match.store import Store
from jantaku.table.arena.tournament.plan import TournamentPlan
from jantaku.table.arena.tournament.rounds import (
    FinishedTournament,
    Met,
    PlayedRound,
    PlayedTable,
    PlayerStanding,
    Rounds,
    TournamentResults,
)
from jantaku.table.ground.clock import Deadline
from jantaku.table.ground.columns import fitting, shortened
from jantaku.table.ground.markup.elements import FacedNames, Markup, Part, marked, minus, table
from jantaku.table.records.journal.lines import RECORDS
from jantaku.table.records.journal.writer import journal_of
from jantaku.table.riichi import ruleset

PACE = 0.5
"""Seconds between two looks at a tournament in progress."""


def nothing_yet(plan: TournamentPlan) -> News:
    """What the page shows before the first player is started."""
    return News(_title(plan), ["It begins.", plan.described], [], FacedNames(plan.names), None, lambda game: None)


def _title(plan: TournamentPlan) -> str:
    return f"Tournament of {len(plan.names)}"


class LiveTournament:
    """What the page shows of a tournament. `follow` is called in the thread that plays, `news` in any: what it returns
    is made in the former and does not change any more."""

    def __init__(self, store: Store[TournamentPlan]) -> None:
        self._plan, self._records = store.plan, store.folder / RECORDS
        self._faced = FacedNames(store.plan.names)
        self._until = Deadline(PACE)
        rounds = Rounds(store.plan)
        for line in store.lines():
            rounds.add(line)
        rounds.known()
        self._news = self._made(rounds, len(store.kept))

    def news(self) -> News:
        """Return what the page shows."""
        return self._news

    def follow(self, rounds: Rounds, over: int) -> None:
        """Take note that `over` hanchan are finished."""
        if over == self._plan.games or self._until.over:
            self._news = self._made(rounds, over)
            self._until = Deadline(PACE)

    def _made(self, rounds: Rounds, over: int) -> News:
        plan, standings = self._plan, rounds.standings()
        rows = [
            (self._faced.placed(one.place, one.name), one.hanchan, f"{one.rank:.2f}", f"{one.points:+.1f}")
            for one in standings
        ]
        heads = ("player", plan.unit, "mean rank", "points")
        last = [ShownTable(line.game, _placed(line)) for line in reversed(rounds.last) if line.ended]
        parts = live_parts((heads, rows), list(self._playing(rounds)), last, self._faced, plan.unit)
        seen = {game for table in range(_planned(rounds)) if self._is_over(rounds, table) for game in self._of(table)}
        newest = next((line.game for line in reversed(rounds.last) if line.ended and line.game in seen), None)

        def record(game: int) -> Path | None:
            return journal_of(self._records, game) if game in seen else None

        first = standings[0]
        leads = f"{first.name} {'has won' if over == plan.games else 'leads'}." if first.hanchan else "It begins."
        said = [leads, f"Round {rounds.now} of {len(plan.tables)}, {over} of {plan.games} {plan.unit}"]
        shown = None if newest is None else (newest, journal_of(self._records, newest))
        return News(_title(plan), said, parts, self._faced, shown, record)

    def _playing(self, rounds: Rounds) -> Iterator[ShownTable]:
        """Yield the first tables that are not over, those that have begun before others."""
        size, names = len(self._of(0)), self._plan.names
        tables = [table for one in rounds.rounds for table in one.tables]
        is_open = [number for number in range(len(tables)) if not self._is_over(rounds, number)]
        for number in sorted(is_open, key=lambda one: (not rounds.came(one), one))[:LISTED]:
            players = [names[player] for player in rounds.placed(number, tables[number])]
            yield ShownTable(number + 1, players, f"{rounds.came(number)} of {size}")

    def _is_over(self, rounds: Rounds, table: int) -> bool:
        return rounds.came(table) == len(self._of(table))

    def _of(self, table: int) -> range:
        """Return the numbers of the hanchan of a table."""
        size = self._plan.sets * self._plan.seats
        return range(table * size, (table + 1) * size)


def _planned(rounds: Rounds) -> int:
    return sum(len(one.tables) for one in rounds.rounds)


def _placed(line: HanchanSummary) -> list[str]:
    """Return the players of a hanchan, the best first."""
    return [name for _, name in sorted(zip(line.ranks, line.players, strict=True))]


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
    return [Part("Bracket", drawn, "Marked are the players that go on, and in the final the winner.")]


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
    return plot_parts(
        {
            "Ranks": share_plot("Ranks", ranks, [f"{rank}." for rank in range(1, places + 1)], unit),
            course: points_plot(course, points, unit),
        }
    )
