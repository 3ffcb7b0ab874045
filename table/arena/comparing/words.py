"""What changed from one player to another, in words: the decisions that differ, sorted by what they win or cost. Each
one opens in the viewer: by a link if a page has the record, else by a command."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

from jantaku.table.arena.forks.gains import JudgedFork
from jantaku.table.arena.match.figures.statistics import Interval
from jantaku.table.cli.commands.records import view_command
from jantaku.table.drawing.elements import Markup, Part, cell, marked, minus, name_of, table
from jantaku.table.ground.port import Verdict
from jantaku.table.languages.majiang.rule import Item
from jantaku.table.records.journal.places import REVIEWS
from jantaku.table.records.replay.reviewed import deed_of

GAMES: Final = "games.html"
_WORDS: Final[Mapping[str, str]] = {"discard": "discard", "riichi": "riichi with", "call": "call", "kan": "kan"}
_KINDS: Final = (
    "What {0} did → what {1} does there, in sum over all decisions of the kind and on average for each of them."
)


def review_name(game: int) -> str:
    """Return the path of a hanchan's review in the folder of a comparison."""
    return f"reviews/game-{game:04d}{REVIEWS}"


def reply_text(reply: Item) -> str:
    """Write a reply in words: `riichi with s3`."""
    deed = deed_of(reply)
    if deed not in _WORDS:
        return deed
    (tile,) = reply.values()
    drawn = "the drawn " if "_" in tile else ""
    return f"{_WORDS[deed]} {drawn}{tile.strip('_*')}"


def opening(one: JudgedFork, folder: str = "") -> str:
    """Return the command that shows a decision, for somebody in the folder of the comparison, or beside `folder`."""
    return view_command(Path(folder, review_name(one.game)), one.kyoku, one.event)


def extremes(decisions: Sequence[JudgedFork]) -> dict[str, Sequence[JudgedFork]]:
    """Return, by heading, the decisions that win and those that cost, the largest amount first."""
    return {
        "What wins most": [one for one in decisions if one.rank > 0],
        "What costs most": [one for one in reversed(decisions) if one.rank < 0],
    }


def change_parts(
    names: tuple[str, str],
    decisions: Sequence[JudgedFork],
    seats: float,
    most: int,
    shown: Sequence[int] = (),
    links: str = "",
) -> list[Part]:
    """Make the parts: number and total worth of each kind, then the decisions that win most and that cost most, `most`
    of either. `seats`: number of seats in all hanchan; `shown`: the hanchan that games.html has; `links`: a sentence on
    where links lead."""
    if not decisions:
        return []
    parts = [Part("Kinds of decisions", _kinds(decisions, seats), _KINDS.format(*names))]
    for heading, found in extremes(decisions).items():
        if found:
            more = "" if len(found) <= most else f"{most} of {len(found)}. "
            listed = _listed(heading, names, found[:most], shown)
            parts.append(Part(heading, listed, Markup(f"{more}{cell(links)}")))
    return parts


def _kinds(decisions: Sequence[JudgedFork], seats: float) -> Markup:
    groups: dict[str, list[JudgedFork]] = {}
    for one in decisions:
        groups.setdefault(f"{deed_of(one.played)} → {deed_of(one.said)}", []).append(one)
    rows = []
    for kind, found in groups.items():
        ranks, points = sum(one.rank for one in found), sum(one.points for one in found)
        rows.append((-abs(ranks), kind, len(found), ranks, points))
    cells = [
        (
            kind,
            count,
            _coloured(ranks / seats, 4),
            _coloured(points / seats, 3),
            f"{ranks / count:+.3f}",
            f"{points / count:+.2f}",
        )
        for _, kind, count, ranks, points in sorted(rows)
    ]
    heads = ("change", "decisions", "ranks a hanchan", "points a hanchan", "ranks each", "points each")
    return table("Kinds of decisions", heads, cells)


def _coloured(value: float, digits: int) -> Markup:
    text = minus(f"{value:+.{digits}f}")
    return marked("span", text, class_="worse" if value < 0 else "better") if value else Markup(text)


def _listed(heading: str, names: tuple[str, str], found: Sequence[JudgedFork], shown: Sequence[int]) -> Markup:
    rows = []
    for one in found:
        worth: object = minus(Interval(one.rank, one.half).text(3, sign=True))
        if one.game in shown:
            place = urlencode({"r": shown.index(one.game) + 1, "k": one.kyoku, "e": one.event})
            worth = marked("a", worth, href=f"{GAMES}#{place}")
        fault = "" if Verdict(one.verdict).good else f" ({one.verdict})"
        did = reply_text(one.played), f"{reply_text(one.said)}{fault}"
        hand, command = marked("code", one.hand), marked("code", opening(one))
        rows.append((worth, f"{one.points:+.2f}", *did, hand, one.game, one.name, one.turn, command))
    heads = ("ranks", "points", *map(name_of, names), "hand", "hanchan", "kyoku", "turn", "in the viewer")
    return table(heading, heads, rows, class_="games")
