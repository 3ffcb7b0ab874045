"""A report as one HTML file without network access, and the parts that reports of all games share."""

import os
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from jantaku.table.arena.match.figures.statistics import Interval
from jantaku.table.arena.match.figures.summary import Timing, seconds
from jantaku.table.arena.match.figures.tally import PlayedGame, PlayedGames
from jantaku.table.arena.match.report.tables import NAME, ComparedPlayers, Scale
from jantaku.table.ground.columns import shortened
from jantaku.table.ground.disk import replace_whole
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.markup.elements import (
    FacedNames,
    Markup,
    Part,
    cell,
    marked,
    minus,
    name_of,
    section,
    sheet,
    table,
    verdict_and_facts,
)
from jantaku.table.records.view.page import WholePage, digest, policy

# A report as one HTML file without network access, and without a script unless one is given. Knows nothing of any
# game.


class Document(NamedTuple):
    """The content of a report: the verdict in sentences, facts by name, and the parts. `style` is added to the style
    sheet. `script` is the page's only script; with one, the page may connect to its own server."""

    title: str
    verdict: Sequence[str]
    facts: Mapping[str, str]
    parts: Sequence[Part]
    style: str = ""
    script: str = ""


def write_report(path: Path, made: Document) -> None:
    """Write the report. BadInput if the disk refuses."""
    try:
        replace_whole(path, page_of(made).content)
    except OSError as error:
        raise BadInput(f"{path}: cannot be written: {error.strerror}") from error


_SIGNS = {"system": "◐", "light": "☀", "dark": "☾"}
_SIGNS = {"system": "◐", "light": "☀", "dark": "☾"}
_THEMES = "".join(f'<option value="{theme}">{sign} {theme}</option>' for theme, sign in _SIGNS.items())
"""The reader's choice of colours: the style sheet looks at what is chosen, no script does."""


def page_of(document: Document) -> WholePage:
    """Build the page, with its Content-Security-Policy."""
    title = escape(document.title)
    verdict = marked("section", verdict_and_facts(document.verdict, document.facts), id="verdict", aria_label="Verdict")
    style = f"{sheet('colours')}{sheet('results')}{sheet('page')}{document.style}\n"
    script = document.script
    allowed = policy([digest(script)] * bool(script), [digest(style)], "'self'" if script else "'none'")
    run = f"<script>{script}</script>" if script else ""
    text = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{allowed}"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta name="color-scheme" content="light dark"><style>{style}</style></head><body>'
        f'<header><span class="brand" lang="ja">雀卓</span><h1>{title}</h1>'
        f'<select aria-label="Colours">{_THEMES}</select></header><main>{verdict}'
        f"{''.join(map(section, document.parts))}</main>{run}</body></html>\n"
    )
    return WholePage(text.encode(), allowed)


def link(path: Path, words: object, report: Path) -> Markup:
    """Make a link to a file, relative to the report; only the words if there is no such file."""
    if not path.is_file():
        return Markup(cell(words))
    return marked("a", words, href=quote(os.fsencode(from_report(path, report))))


def from_report(path: Path, report: Path) -> str:
    """Return the path of a file relative to the report's folder."""
    return Path(os.path.relpath(path, report.parent)).as_posix()


# Parts that the reports of all games share.

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
    names = compared.names
    if len(names) < 2:
        return ()
    columns, sides = FacedNames(names).crossed(names)
    cells = ([_cross_cell(compared, name, other) for other in names] for name in names)
    rows = [[side, *row] for side, row in zip(sides, cells, strict=True)]
    first, second = (scale.unit for scale in compared.scales)
    note = (
        f"By how many {first} the player of the row is ahead of that of the column in games that both sat in, and by "
        f"how many {second}. Coloured where the 95 % interval leaves zero out; of twenty equal pairs one does so by "
        "chance."
    )
    return [Part("Who against whom", table("Who against whom", ["ahead of", *columns], rows, class_="cross"), note)]


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
            ", ".join(f"{word} {count}" for word, count in faults[name].items()) or "none",
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
    more = "" if kept == "all" else " Those with faults or without a result go before others."
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
