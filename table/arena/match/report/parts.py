"""Parts that the reports of all games share."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from jantaku.table.arena.match.figures.games import PlayedGame, PlayedGames
from jantaku.table.arena.match.figures.statistics import Interval
from jantaku.table.arena.match.figures.timing import Timing, seconds
from jantaku.table.arena.match.report.document import from_report, link
from jantaku.table.arena.match.report.tables import NAME
from jantaku.table.arena.match.report.verdict import RANKS, ComparedPlayers, Scale, faults_text
from jantaku.table.drawing.columns import shortened
from jantaku.table.drawing.elements import (
    Markup,
    Part,
    cell,
    marked,
    minus,
    name_of,
    table,
)
from jantaku.table.drawing.faces import FacedNames

_ROUNDING = 1e-9
NAMED_IN_TITLE = 6
"""Most players that a title names."""


def title_of(names: Sequence[str]) -> str:
    """Name the players as a title."""
    more = len(names) - NAMED_IN_TITLE
    shown = [shortened(name, NAME) for name in names[:NAMED_IN_TITLE]]
    return " · ".join([*shown, *([f"{more} more"] if more > 0 else [])])


def ends(interval: Interval, digits: int) -> str:
    """Write the ends of an interval."""
    if not interval.known:
        return "–"
    return f"{interval.low:.{digits}f} to {interval.high:.{digits}f}"


def cross_table(compared: ComparedPlayers) -> Sequence[Part]:
    """Make the table of leads between every two players; none for a single player."""
    if len(compared.names) < 2:
        return ()
    first, second = (scale.unit for scale in compared.scales)
    note = (
        f"How many {first} the row's player is ahead of the column's player in games that both played, and "
        f"how many {second}. Coloured where the 95 % interval excludes zero; one of twenty equal pairs does so by "
        "chance."
    )
    return [crossed(compared.names, partial(_cross_cell, compared), note)]


def expected_table(compared: ComparedPlayers) -> Sequence[Part]:
    """Make the table of how far the results of every two players leave what is expected of them; none where nothing
    can."""
    beyond = {(pair.a, pair.b): found for pair in compared.pairs if (found := pair.beyond) is not None}
    if all(abs(found.mean) < _ROUNDING for found in beyond.values()):
        return ()

    def told(name: str, other: str) -> Markup:
        if (found := beyond.get((name, other))) is None:
            back = beyond.get((other, name))
            found = None if back is None else back.reversed
        return Markup("" if name == other else "–") if found is None else _lead(found, RANKS)

    note = (
        "By how many ranks the player of the row is further ahead of that of the column than the results of both "
        "against everybody let expect. Coloured where the 95 % interval leaves zero out; of twenty pairs one does so "
        "by chance."
    )
    return [crossed(compared.names, told, note, "Better than expected against whom")]


def crossed(
    names: Sequence[str], cell_of: Callable[[str, str], Markup], note: str, title: str = "Who against whom"
) -> Part:
    """Make a table of each player against each."""
    columns, sides = FacedNames(names).crossed(names)
    rows = [[side, *(cell_of(name, other) for other in names)] for side, name in zip(sides, names, strict=True)]
    return Part(title, table(title, ["ahead of", *columns], rows, class_="cross"), note)


def _cross_cell(compared: ComparedPlayers, name: str, other: str) -> Markup:
    if not (leads := compared.leads(name, other)):
        return Markup("–" if name != other else "")
    said = [_lead(lead, scale) for lead, scale in zip(leads, compared.scales, strict=True)]
    return Markup(said[0] + marked("small", said[1]))


def _lead(lead: Interval, scale: Scale) -> Markup:
    text = minus(lead.cell(scale.digits, sign=True))
    if not lead.decided:
        return Markup(cell(text))
    return marked("span", text, class_="worse" if lead.mean < 0 else "better")


def times(names: Sequence[str], timings: Sequence[Timing], faults: Mapping[str, Mapping[str, int]]) -> Part:
    """Make the table of every player's decision times and faults."""
    by_name = {timing.name: timing for timing in timings}
    faced = FacedNames(names)
    rows = [
        (
            faced.whole(name),
            timing.questions,
            *map(seconds, (timing.mean, timing.median, timing.p99, timing.longest)),
            faults_text(faults[name]),
        )
        for name in names
        if (timing := by_name.get(name))
    ]
    heads = ("player", "questions", "mean", "median", "99 %", "longest", "faults")
    return Part("Times and faults", table("Times and faults", heads, rows))


def game_list(games: PlayedGames, report: Path, what: str) -> Sequence[Part]:
    """List the games with links to their records, and say how to look at them; none if no games are known."""
    if not games.shown:
        return ()
    places = max(len(game.came_to) for game in games.shown)
    sets = ["set"] if any(game.set is not None for game in games.shown) else []
    heads = (what, *sets, *(f"{place}." for place in range(1, places + 1)), "faults")
    faced = FacedNames(name for game in games.shown for name, _ in game.came_to)
    rows = [_game(game, report, places, faced) for game in games.shown]
    command = marked("code", f"jantaku view {from_report(games.shown[0].record, report)}")
    faulty = next((from_report(game.record, report) for game in games.shown if game.faults), None)
    fault = "" if faulty is None else f"; {marked('code', f'jantaku view {faulty}#fault')} opens the first fault in it"
    kept = "all" if games.total == len(games.shown) else f"{len(games.shown)} of {games.total}"
    more = "" if kept == "all" else " Those with faults or without a result come first."
    note = (
        f"{kept} of them.{more} In the folder of this report, {command} shows one in the browser, turn by turn{fault}."
    )
    return [Part("Games", table("Games", heads, rows, class_="games"), Markup(note[0].upper() + note[1:]))]


def _game(game: PlayedGame, report: Path, places: int, faced: FacedNames) -> Sequence[object]:
    came_to = [Markup(f"{faced.short(name)} {minus(f'{points:+.1f}')}") for name, points in game.came_to]
    if game.reason:
        came_to = [Markup(f"{cell('without a result:')} {name_of(game.reason)}")]
    filled = [*came_to, *[Markup("")] * (places - len(came_to))]
    sets = [] if game.set is None else [game.set]
    return [link(game.record, game.number, report), *sets, *filled, game.faults or ""]
