"""The site of a league: a page with the table, rating curves and results between every two bots, and one with games to
watch. It consists of files only: any web server can serve them, and a browser can open them from disk.

Last comes the page of a league in progress, for a projector.
"""

from collections.abc import Container, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import msgspec

from jantaku.table.arena.league.file import PLAYING, LeagueBot, LeagueFile, State
from jantaku.table.arena.league.pool import League
from jantaku.table.arena.league.strength import MIDDLE, Strengths
from jantaku.table.arena.match.figures.statistics import Interval, PlayerFigures, legend
from jantaku.table.arena.match.figures.summary import HanchanSummary
from jantaku.table.arena.match.figures.tally import MatchTally, best_first
from jantaku.table.arena.match.report.document import (
    Document,
    course_plot,
    cross_table,
    ends,
    plot_parts,
    write_report,
)
from jantaku.table.arena.match.report.live import LISTED, News, ShownTable, live_parts, placed
from jantaku.table.arena.match.report.report import ranks_drawn, ranks_of
from jantaku.table.arena.match.report.tables import PLACES, hanchan_compared
from jantaku.table.ground.disk import replace_whole, telling
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.markup.elements import FacedNames, Markup, Part, colours_of, marked, minus, table
from jantaku.table.records.convert.readers import read_any
from jantaku.table.records.view.page import Book, Entry, page
from jantaku.table.records.view.riichi import viewed
from jantaku.table.riichi import ruleset

# The table of a league: every bot with its rating and other figures, the strongest first.


class BotStanding(msgspec.Struct, frozen=True):
    """One bot. `rating` is in points with its 95 % interval, fitted to all hanchan at once; an anchor's has none. A
    field is None if the bot has not played."""

    bot: str
    state: State
    anchor: bool
    hanchan: int
    rating: Interval
    rank: Interval | None
    points: Interval | None
    faults: dict[str, int]
    faulty: int
    fingerprint: str

    @property
    def plays(self) -> bool:
        """Whether the bot is seated."""
        return self.state in PLAYING


class LeagueTable(msgspec.Struct, frozen=True):
    """All bots. `void` counts hanchan without a result; `scatter` is the variance between wall sets relative to as many
    independent hanchan."""

    branch: str
    hanchan: int
    void: int
    scatter: float
    bots: tuple[BotStanding, ...]

    @property
    def legend(self) -> str:
        """What ± means in these figures. Ratings have an interval from the first wall set on, because they borrow from
        the whole league."""
        return legend("wall sets", (one.rank for one in self.bots if one.rank))


def standings(league: League, tally: MatchTally) -> LeagueTable:
    """Build the table; `tally` holds all hanchan of the league: see `tallied`."""
    known = league.strengths()
    figures = {one.name: one for one in tally.figures().players} if tally.games else {}
    found = [_standing(bot, known.rating(bot.id), figures.get(bot.label)) for bot in league.bots]
    found.sort(key=lambda one: (not one.hanchan, -one.rating.mean))
    return LeagueTable(league.branch, tally.games, tally.void, round(known.scatter, 3), tuple(found))


def tallied(league: League) -> MatchTally:
    """Sum up all hanchan of the league."""
    tally = MatchTally(bot.label for bot in league.bots)
    for line in league.lines():
        tally.add(line)
    return tally


def _standing(bot: LeagueBot, rating: Interval, figures: PlayerFigures | None) -> BotStanding:
    return BotStanding(
        bot=bot.label,
        state=bot.state,
        anchor=bot.anchor is not None,
        hanchan=figures.seats if figures else 0,
        rating=Interval(round(rating.mean, 2), None if rating.half is None else round(rating.half, 2)),
        rank=figures.rank if figures else None,
        points=figures.points if figures else None,
        faults=figures.faults if figures else {},
        faulty=figures.faulty if figures else 0,
        fingerprint=bot.fingerprint,
    )


INDEX, GAMES = "index.html", "games.html"
WATCHED: Final = 12
"""Number of games to watch: half of them the last ones, half the most surprising ones."""
RATED: Final = (
    "Ratings in points: a bot that is 100 points ahead of another ends before it in 64 % of hanchan. "
    "Faults: answers that were not played as they came."
)


def write_site(league: League, folder: Path) -> int:
    """Write the pages into a folder, over older ones. Return the number of games to watch. BadInput if the disk
    refuses."""
    tally = tallied(league)
    if not tally.games:
        raise BadInput(
            f"{league.file.path}: no hanchan has a result; play some: jantaku league play {league.file.path}"
        )
    games = list(_to_watch(league))
    with telling(folder):
        folder.mkdir(parents=True, exist_ok=True)
        if games:
            entries = [_entry(league, line) for line in games]
            replace_whole(folder / GAMES, page(Book(entries)).content)
    write_report(folder / INDEX, document_of(league, tally, games))
    return len(games)


def document_of(league: League, tally: MatchTally, games: Sequence[HanchanSummary] = ()) -> Document:
    """Build the page; it links to `games`."""
    found, figures = standings(league, tally), tally.figures()
    by_name, faced = {one.name: one for one in figures.players}, FacedNames(one.bot for one in found.bots)
    parts = [
        Part("Table", _table(found, by_name, faced), f"{RATED} {found.legend}."),
        *_candidates(league, faced),
        *_drawings(league, found, by_name),
        *cross_table(hanchan_compared(figures)._replace(names=[one.bot for one in found.bots if one.hanchan])),
        *_games(games, faced),
    ]
    terms = league.terms
    facts = {
        "rules": ruleset.describe(terms.rules),
        "threads": f"{terms.threads}, walls {terms.walls}, on a fault: {terms.on_fault}",
        "played": f"{tally.games} hanchan in {figures.sets} wall sets" + (f", {tally.void} void" if tally.void else ""),
    }
    return Document(f"League {league.file.path.stem}", verdict_of(league, found), facts, parts)


def verdict_of(league: League, found: LeagueTable) -> list[str]:
    """Say which bot leads, and whether that is decided."""
    seated = [one for one in found.bots if one.hanchan and one.plays]
    if len(seated) < 2:
        return ["There is nobody to compare."]
    first, second = seated[:2]
    lead = league.strengths().lead(league.named(first.bot).id, league.named(second.bot).id)
    ahead = f"{lead.text(0)} points ahead of {second.bot}"
    if lead.decided:
        return [f"{first.bot} is the strongest of {len(seated)}: {ahead}."]
    return [f"{first.bot} leads {len(seated)} bots, {ahead}: that is not decided yet."]


def _table(found: LeagueTable, by_name: Mapping[str, PlayerFigures], faced: FacedNames) -> Markup:
    rows = [
        (
            faced.whole(one.bot),
            one.rating.text(0),
            ends(one.rating, 0),
            "anchor" if one.anchor else one.state,
            one.hanchan,
            by_name[one.bot].rank.cell(2),
            *(f"{share * 100:.0f} %" for share in by_name[one.bot].ranks),
            sum(one.faults.values()) or "",
        )
        for one in found.bots
        if one.hanchan
    ]
    places = PLACES[: max(len(player.ranks) for player in by_name.values())]
    return table("Table", ("bot", "rating", "95 %", "state", "hanchan", "mean rank", *places, "faults"), rows)


def _candidates(league: League, faced: FacedNames) -> Iterator[Part]:
    """Compare every candidate with the active version of its name."""
    bots, known = league.bots, league.strengths()
    rows = []
    for bot in bots:
        for other in bots:
            if bot.state == "candidate" and (other.name, other.state) == (bot.name, "active"):
                rows.append((faced.whole(bot.label), faced.short(other.label), *_ahead(known, bot.id, other.id)))
    if rows:
        heads = ("candidate", "active", "points ahead", "so far")
        note = "How far a candidate is ahead of the version that it may replace."
        yield Part("Candidates", table("Candidates", heads, rows), note)


def _ahead(known: Strengths, bot: int, other: int) -> tuple[str, str]:
    lead = known.lead(bot, other)
    said = "undecided" if not lead.decided else "better" if lead.mean > 0 else "worse"
    return lead.text(0, sign=True), said


def _drawings(league: League, found: LeagueTable, figures: Mapping[str, PlayerFigures]) -> Sequence[Part]:
    labels = [bot.label for bot in league.bots]
    courses: dict[str, tuple[list[int], list[Interval]]] = {}
    for one in league.history():
        games, told = courses.setdefault(labels[one.bot], ([], []))
        games.append(one.games)
        told.append(Interval(one.rating, one.half))
    for bot in found.bots:
        games, told = courses.get(bot.bot, ([bot.hanchan], []))
        if games[-1] < bot.hanchan:  # hanchan since the last batch
            games.append(bot.hanchan)
            told.append(bot.rating)
    names = [one.bot for one in found.bots if one.hanchan]
    drawn = {"Ranks": ranks_drawn([figures[name] for name in names], "hanchan")}
    if rated := {name: courses[name] for name in names if name in courses}:
        label = "Ratings over hanchan, with the 95 % interval"
        drawn = {label: course_plot(label, rated, "hanchan of the bot", "points", MIDDLE), **drawn}
    return plot_parts(drawn)


def _to_watch(league: League) -> Iterator[HanchanSummary]:
    """Yield the games whose result was the least likely one, then the last games."""
    known, numbers = league.strengths(), {bot.label: bot.id for bot in league.bots}
    there = {path.name for path in league.file.records.glob("*.jsonl")}
    lines = [line for line in league.lines() if line.ended and league.record_of(line.game) in there]
    last = lines[-(WATCHED // 2) :][::-1]
    rest = lines[: -len(last)] if last else []

    def expected(line: HanchanSummary) -> tuple[float, int]:
        return known.likely([numbers[name] for name in placed(line)]), line.game

    yield from sorted(rest, key=expected)[: WATCHED - len(last)]
    yield from last


def _entry(league: League, line: HanchanSummary) -> Entry:
    """Make a hanchan an entry of the page for games."""
    read = read_any(league.file.records / league.record_of(line.game))
    shown = viewed(read.record, read.notes)
    faces = colours_of(read.record.names, (bot.label for bot in league.bots))
    return shown._replace(head={**shown.head, "file": f"hanchan {line.game}", "faces": faces}).entry()


def _games(games: Sequence[HanchanSummary], faced: FacedNames) -> Iterator[Part]:
    """List the players of each game, the best first, with a link to the game on the other page."""
    rows = []
    for number, line in enumerate(games, 1):
        ordered = best_first(line.players, line.ranks, line.points)
        came_to = [Markup(f"{faced.short(name)} {minus(f'{points:+.1f}')}") for name, points in ordered]
        rows.append([marked("a", line.game, href=f"{GAMES}#r={number}"), *came_to])
    if rows:
        heads = ("hanchan", *ranks_of(len(games[0].ranks)))
        note = "The ones that nobody would have expected, and the last ones, to be watched turn by turn."
        yield Part("Games to watch", table("Games to watch", heads, rows, class_="games"), note)


def news_of(path: Path) -> News:
    """Read what the page shows of the league in a file."""
    with LeagueFile.open(path) as file:
        return league_news(League(file))


def league_news(league: League) -> News:
    """Tell how an open league stands: its table, the tables that are played next, and the last hanchan."""
    tally, lines = tallied(league), list(league.lines())
    found, names = standings(league, tally), [bot.label for bot in league.bots]
    find = partial(_found, league.file.path)
    faced, ended = FacedNames(names), [line for line in lines if line.ended]
    playing = [ShownTable(unit.unit, [names[bot] for bot in unit.lineup]) for unit in league.open_units()[:LISTED]]
    last = [ShownTable(line.game, placed(line)) for line in ended[: -LISTED - 1 : -1]]
    kept = league.kept()
    newest = next((line.game for line in reversed(ended) if _may_be_seen(league, line.game, kept)), None)
    record = None if newest is None else _record_in(league, newest)
    said = [*verdict_of(league, found), f"{tally.games} hanchan, {len(names)} bots", found.legend]
    heads = ("bot", "rating", "mean rank", "hanchan")
    parts = live_parts((heads, _rows(found, faced)), playing, last, faced, "hanchan")
    shown = None if newest is None or record is None else (newest, record)
    return News(f"League {league.file.path.stem}", said, parts, faced, shown, find)


def _rows(found: LeagueTable, faced: FacedNames) -> Sequence[Sequence[object]]:
    return [
        (faced.placed(place, one.bot), one.rating.text(0), one.rank.cell(2) if one.rank else "", one.hanchan)
        for place, one in enumerate((one for one in found.bots if one.hanchan and one.plays), 1)
    ]


def _may_be_seen(league: League, game: int, kept: Container[int]) -> bool:
    """Return whether all hanchan of a game's table are over: nothing is left to play on their walls."""
    first = game - game % league.terms.seats
    return all(one in kept for one in range(first, first + league.terms.seats))


def _record_in(league: League, game: int) -> Path | None:
    name = Path(league.record_of(game)).name
    return league.file.records / name if name else None


def _found(path: Path, game: int) -> Path | None:
    """Return the record of a hanchan; None if it is not to be seen, or not yet."""
    with LeagueFile.open(path) as file:
        league = League(file)
        return _record_in(league, game) if _may_be_seen(league, game, league.kept()) else None
