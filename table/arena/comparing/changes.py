"""The changes from one player to another, as parts of a report: the decisions that differ, sorted by what they win or
cost. Each one opens in the viewer: by a link if a page has the record, else by a command."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from jantaku.table.arena.match.figures.statistics import Interval
from jantaku.table.ground.markup.elements import Markup, Part, cell, marked, minus, name_of, table
from jantaku.table.languages.majiang.words import Item
from jantaku.table.records.replay.reviewed import deed_of

SHOWN: Final = 100
"""Most decisions listed of those that win, and of those that cost."""
_WORDS: Final[Mapping[str, str]] = {"discard": "discard", "riichi": "riichi with", "call": "call", "kan": "kan"}


class WorthUnit(NamedTuple):
    """The unit in which decisions are valued, and its digits."""

    word: str
    digits: int


class Change(NamedTuple):
    """A decision that differs. `kind` names both replies in a word each, `did` in full. `worth`: how much more the
    second player's choice is worth, in the units of the page, the first of which decides. `place`: hanchan, kyoku and
    turn."""

    kind: str
    did: tuple[str, str]
    worth: Sequence[Interval]
    hand: str
    place: Sequence[object]
    command: str
    link: str = ""


class Changes(NamedTuple):
    """All changes, the most profitable first. `names` are the two players; `per` is the divisor of totals and its unit
    in words."""

    names: tuple[str, str]
    units: Sequence[WorthUnit]
    per: tuple[float, str]
    found: Sequence[Change]
    links: str
    """A sentence that says where links lead."""


def change_of(played: Item, said: Item) -> str:
    """Return the kind of a change: `pass → call`."""
    return f"{deed_of(played)} → {deed_of(said)}"


def reply_text(reply: Item) -> str:
    """Write a reply in words: `riichi with s3`."""
    deed = deed_of(reply)
    if deed not in _WORDS:
        return deed
    (tile,) = reply.values()
    drawn = "the drawn " if "_" in tile else ""
    return f"{_WORDS[deed]} {drawn}{tile.strip('_*')}"


def change_parts(changes: Changes, most: int = SHOWN) -> list[Part]:
    """Make the parts: number and total worth of each kind, then the decisions that win most and that cost most, `most`
    of either."""
    if not changes.found:
        return []
    won = [one for one in changes.found if one.worth[0].mean > 0]
    lost = [one for one in reversed(changes.found) if one.worth[0].mean < 0]
    both = {"What wins most": won, "What costs most": lost}
    listed = [_listed(heading, found, changes, most) for heading, found in both.items() if found]
    return [Part("Kinds of decisions", _kinds(changes), _KINDS.format(*changes.names)), *listed]


_KINDS: Final = (
    "What {0} did → what {1} does there, in sum over all decisions of the kind and on average for each of them."
)


def _kinds(changes: Changes) -> Markup:
    groups: dict[str, list[Change]] = {}
    for one in changes.found:
        groups.setdefault(one.kind, []).append(one)
    by, word = changes.per
    rows = []
    for kind, found in groups.items():
        totals = [sum(one.worth[place].mean for one in found) for place in range(len(changes.units))]
        rows.append((abs(totals[0]), kind, found, totals))
    rows.sort(key=lambda row: (-row[0], row[1]))
    cells = [
        (
            kind,
            len(found),
            *(_signed(total / by, unit) for total, unit in zip(totals, changes.units, strict=True)),
            *(f"{total / len(found):+.{unit.digits}f}" for total, unit in zip(totals, changes.units, strict=True)),
        )
        for _, kind, found, totals in rows
    ]
    units = [unit.word for unit in changes.units]
    heads = ("change", "decisions", *(f"{unit} {word}" for unit in units), *(f"{unit} each" for unit in units))
    return table("Kinds of decisions", heads, cells)


def _signed(value: float, unit: WorthUnit) -> Markup:
    text = minus(f"{value:+.{unit.digits + 1}f}")
    return marked("span", text, class_="worse" if value < 0 else "better") if value else Markup(text)


def _listed(heading: str, found: Sequence[Change], changes: Changes, most: int) -> Part:
    rows = []
    for one in found[:most]:
        worth, *others = (
            interval.text(unit.digits, sign=True) for interval, unit in zip(one.worth, changes.units, strict=True)
        )
        shown = marked("a", minus(worth), href=one.link) if one.link else minus(worth)
        command = marked("code", one.command)
        rows.append((shown, *others, *one.did, marked("code", one.hand), *one.place, command))
    heads = (
        *(unit.word for unit in changes.units),
        *map(name_of, changes.names),
        "hand",
        *("hanchan", "kyoku", "turn"),
        "in the viewer",
    )
    more = "" if len(found) <= most else f"{most} of {len(found)}. "
    return Part(heading, table(heading, heads, rows, class_="games"), Markup(f"{more}{cell(changes.links)}"))
