"""The result of `jantaku compare` in words: both estimates, their cost, the verdict, and what to do next.

Below are the changes from one player to another, as parts of a report: the decisions that differ, sorted by what they
win or cost. Each one opens in the viewer: by a link if a page has the record, else by a command.
"""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from jantaku.table.arena.forks.folder import FEWEST, LARGE, OTHER, Judged, JudgedFork, Probe, Screening
from jantaku.table.arena.match.conduct import Results
from jantaku.table.arena.match.figures.statistics import Interval, sets_to_decide
from jantaku.table.arena.match.figures.stops import Sprt
from jantaku.table.arena.match.report.tables import share_text
from jantaku.table.cli.commands.records import view_command
from jantaku.table.cli.screen import Screen
from jantaku.table.ground.columns import fitting
from jantaku.table.ground.markup.elements import Markup, Part, cell, marked, minus, name_of, table
from jantaku.table.languages.majiang.rule import Item
from jantaku.table.records.journal.lines import REVIEWS
from jantaku.table.records.replay.reviewed import deed_of

SHOWN_CHANGES: Final = 100
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


def change_parts(changes: Changes, most: int = SHOWN_CHANGES) -> list[Part]:
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
            *(_signed_points(total / by, unit) for total, unit in zip(totals, changes.units, strict=True)),
            *(f"{total / len(found):+.{unit.digits}f}" for total, unit in zip(totals, changes.units, strict=True)),
        )
        for _, kind, found, totals in rows
    ]
    units = [unit.word for unit in changes.units]
    heads = ("change", "decisions", *(f"{unit} {word}" for unit in units), *(f"{unit} each" for unit in units))
    return table("Kinds of decisions", heads, cells)


def _signed_points(value: float, unit: WorthUnit) -> Markup:
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


FORKS = "forks"
"""Name of the first stage."""
SHOWN = 3
"""Decisions listed of the most profitable ones, and of the most costly ones."""
REPORT, RESULTS, DECISIONS = "report.html", "results.json", "decisions.jsonl"
"""Files in the folder of a comparison."""


class Confirmed(msgspec.Struct, frozen=True):
    """A confirmation: the results of its match, its folder, and the mean rank of an even player."""

    results: Results
    folder: str
    even: float

    @property
    def lead(self) -> Interval | None:
        """By how much B's mean rank is better than an even player's; None without a result."""
        figures = self.results.figures
        if figures is None:
            return None
        rank = figures.players[0].rank
        return Interval(self.even - rank.mean, rank.half)

    @property
    def points(self) -> Interval | None:
        """B's points per hanchan; None without a result."""
        return None if self.results.figures is None else self.results.figures.players[0].points


class ComparedBots(msgspec.Struct, frozen=True):
    """The result of a comparison. `names` are A and B, `reason` says why there was a confirmation, `spent` are CPU
    seconds by stage."""

    names: tuple[str, str]
    probe: Probe
    found: Judged | None
    """None if nothing was forked, because B is another player rather than a change."""
    reason: str
    confirmed: Confirmed | None
    spent: dict[str, float]
    out: str

    def results(self) -> bytes:
        """Return the content of `results.json`, which does not depend on the clock or the number of workers."""
        return msgspec.json.format(msgspec.json.encode(self._content()), indent=1) + b"\n"

    def encoded(self) -> bytes:
        """Return everything as one JSON object, including the cost."""
        decisions = {"decisions": self.found.decisions if self.found else []}
        cpu = {stage: round(seconds, 2) for stage, seconds in self.spent.items()}
        return msgspec.json.encode({**self._content(), "cpu": cpu, **decisions})

    def _content(self) -> dict[str, object]:
        return {
            "a": self.names[0],
            "b": self.names[1],
            "probe": self.probe if self.probe.hanchan else None,
            "screening": self.found.screening if self.found else None,
            "confirmation": None if self.confirmed is None else self.confirmed.results,
            "verdict": self.verdict(),
        }

    def tell(self, console: Screen) -> None:
        """Print the result."""
        for part in fitting(("stage", "ranks better", "points", "hanchan", "CPU s"), self._rows(), console.width):
            console.print(part)
            console.print()
        console.tell(f"{self._share()}; {self.asked()}")
        if faults := self.faults():
            console.tell(f"{self.names[1]} is at fault beside the records: {faults}")
        self._tell_decisions(console)
        console.tell(self.verdict())
        console.tell(self._order())
        for step in self._steps():
            console.say(step)

    def sentences(self) -> list[str]:
        """Return the result in sentences, the verdict first."""
        return [f"{one[0].upper()}{one[1:]}." for one in (self.verdict(), self._share(), self._order())]

    def faults(self) -> str:
        """Return B's faults beside the records; empty if it had none."""
        found = {} if self.found is None else self.found.screening.faults
        return ", ".join(f"{word} {count}" for word, count in found.items())

    @property
    def decisions(self) -> Sequence[JudgedFork]:
        """The decisions that differ, the most profitable first; empty if nothing was forked."""
        return () if self.found is None else self.found.decisions

    def asked(self) -> str:
        """Return how many answers and walls it took."""
        if self.found is None:
            return f"{self.probe.asked} answers, and nothing was forked"
        return f"{self.found.screening.asked} answers, {self.found.screening.walls} walls of forks"

    def estimates(self) -> Iterator[tuple[str, Interval | None, Interval | None, int]]:
        """Yield for each stage: its name, the ranks and points by which B is better, and the number of hanchan."""
        if self.found is not None:
            found = self.found.screening
            yield FORKS, found.rank, found.points, found.hanchan
        if self.confirmed is not None:
            figures = self.confirmed.results.figures
            yield "whole hanchan", self.confirmed.lead, self.confirmed.points, figures.games if figures else 0

    def _share(self) -> str:
        found = self.probe if self.found is None else self.found.screening
        share = share_text(found.share)
        return f"{self.names[1]} plays otherwise in {share} of {found.kyoku} kyoku, each seat counted"

    def _order(self) -> str:
        a, b = self.names
        order = "" if self.found is None else f"; forks are true to first order: of {a}'s states, not of {b}'s own"
        return f"± is half of the 95 % interval{order}"

    def _rows(self) -> list[tuple[str, ...]]:
        return [
            (stage, *_figures(rank, points), str(games), self._cost(stage))
            for stage, rank, points, games in self.estimates()
        ]

    def _cost(self, stage: str) -> str:
        alone, spent = f"{self.spent.get('games', 0.0):.1f} games", self.spent
        if stage == FORKS:
            return f"{alone} + {spent.get('forks', 0.0):.1f} forks"
        return f"{spent.get('match', 0.0):.1f}" + ("" if self.found else f" + {alone}")

    def verdict(self) -> str:
        """Return the verdict as a sentence."""
        a, b = self.names
        confirmed = self.confirmed.lead if self.confirmed is not None else None
        test = None if self.confirmed is None else self.confirmed.results.sprt
        accepted = "" if test is None else test.accepted
        if self.found is None:
            return self._by_whole_hanchan(confirmed, test)
        found = self.found.screening
        if not found.forked:
            return f"{b} gives every one of {found.asked} answers as {a} does: there is nothing to tell apart"
        if confirmed is None:
            return self._by_forks(found)
        both = f"forks say {_signed(found.rank)} to first order, whole hanchan {_signed(confirmed)} ranks"
        if accepted == "H1" and found.share >= LARGE:
            return f"{b} is {_word(confirmed)} than {a}: by {_amount(confirmed)} ranks, in whole hanchan; {both}"
        if accepted == "H1":
            return f"{b} is {_word(found.rank)} than {a}, and whole hanchan bear it out: {both}"
        if accepted == "H0":
            return f"whole hanchan do not bear out that {b} is {_word(found.rank)} than {a}: {both}"
        if confirmed.decided:
            return f"{b} is {_word(confirmed)} than {a}: by {_amount(confirmed)} ranks, in whole hanchan"
        return f"undecided whether {b} is better than {a}: {both}"

    def _by_whole_hanchan(self, lead: Interval | None, test: Sprt | None) -> str:
        a, b = self.names
        if lead is None:
            return f"undecided whether {b} is better than {a}: no hanchan has a result"
        if lead.decided or (test is not None and test.accepted == "H1"):
            return f"{b} is {_word(lead)} than {a}: by {_amount(lead)} ranks, in whole hanchan"
        if self.confirmed is not None and test is not None and test.accepted == "H0":
            far = self.confirmed.even - test.rank1
            return f"{b} is not better than {a} by {far:.1f} ranks: {_signed(lead)} ranks, in whole hanchan"
        return f"undecided whether {b} is better than {a}: {_signed(lead)} ranks, in whole hanchan"

    def _by_forks(self, found: Screening) -> str:
        a, b = self.names
        otherwise = f"{b} plays otherwise in {found.share:.0%} of all kyoku"
        if found.share >= OTHER:
            return f"no answer: {otherwise}, and forks see the states of {a} only; leave --confirm never away"
        large = f", to first order only: {otherwise}" if found.share >= LARGE else ""
        if not found.rank.decided:
            return f"undecided whether {b} is better than {a}: {_signed(found.rank)} ranks by forks{large}"
        return f"{b} is {_word(found.rank)} than {a}: by {_amount(found.rank)} ranks, by forks{large}"

    def _steps(self) -> list[str]:
        steps = [f"what changed, with links into the viewer: {self.out}/{REPORT}"]
        if self.found is None:
            return steps
        found = self.found.screening
        if found.hanchan < FEWEST:
            told = f"--out {shlex.quote(self.out)} --hanchan {FEWEST}"
            return [f"an interval is stated from {FEWEST} hanchan on: give the same command with {told}", *steps]
        sets = sets_to_decide(found.rank, found.hanchan, found.looks)
        if not found.rank.decided and found.forked and sets is not None:
            told = f"--out {shlex.quote(self.out)} --hanchan {sets}"
            steps.insert(0, f"about {sets} hanchan would decide it: give the same command with {told}")
        return steps

    def _tell_decisions(self, console: Screen) -> None:
        decisions = self.decisions
        for title, shown in (
            ("wins most", [one for one in decisions[:SHOWN] if one.rank > 0]),
            ("costs most", [one for one in reversed(decisions[-SHOWN:]) if one.rank < 0]),
        ):
            if shown:
                console.tell(f"What {title}:")
                for one in shown:
                    console.say(f"  {self._decision(one)}")

    def _decision(self, one: JudgedFork) -> str:
        where = f"hanchan {one.game} {one.name} turn {one.turn} player {one.player} {one.hand}"
        command = view_command(Path(self.out, review_name(one.game)), one.kyoku, one.event)
        return f"{one.rank:+.3f} ranks: {where}: {reply_text(one.played)} → {reply_text(one.said)}: {command}"


def _figures(rank: Interval | None, points: Interval | None) -> Sequence[str]:
    return (
        "-" if rank is None else _signed(rank),
        "-" if points is None else points.text(2, sign=True),
    )


def _signed(lead: Interval) -> str:
    return lead.text(4, sign=True)


def _amount(lead: Interval) -> str:
    return Interval(abs(lead.mean), lead.half).text(4)


def _word(lead: Interval) -> str:
    return "better" if lead.mean > 0 else "worse"


def review_name(game: int) -> str:
    """Return the path of a hanchan's review in the folder of a comparison."""
    return f"reviews/game-{game:04d}{REVIEWS}"
