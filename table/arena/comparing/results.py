"""The result of `jantaku compare`: both estimates, their cost, the verdict in words, and what to do next. It is
printed, written as the files of its folder, and read from there for programs and notebooks.

Its pages are a report of the changes, reviews of the records with both choices at each decision, and a page of the
viewer with the games of the best and worst changes.
"""

import shlex
from collections.abc import Iterator, Sequence
from typing import Final, TypeVar

import msgspec

from jantaku.table.arena.comparing.words import change_parts, extremes, opening, reply_text
from jantaku.table.arena.forks.gains import FEWEST, Judged, JudgedFork, Screening
from jantaku.table.arena.forks.stages import LARGE, OTHER, Probe
from jantaku.table.arena.match.figures.statistics import Interval, sets_to_decide
from jantaku.table.arena.match.figures.stops import Results
from jantaku.table.arena.match.formats import even
from jantaku.table.arena.match.report.parts import ends
from jantaku.table.arena.match.report.tables import share_text
from jantaku.table.cli.screen import Screen
from jantaku.table.drawing.columns import fitting
from jantaku.table.drawing.elements import Part, framed, section, table, verdict_and_facts

STAGE: Final = "forks"
"""Name of the first stage."""
SHOWN: Final = 3
LISTED: Final = 8
REPORTED: Final = 100
"""Decisions listed of those that win most and of those that cost most: in the terminal, a notebook and the report."""
LINKED: Final = 12
"""Number of decisions from either end of the list whose games are on the page of the viewer."""
REPORT, RESULTS, DECISIONS = "report.html", "results.json", "decisions.jsonl"
"""Files in the folder of a comparison."""
LINKS: Final = (
    "A link opens games.html at the decision, with both choices; the command does so for any of them, in "
    "the folder of this report."
)
T = TypeVar("T", bound=msgspec.Struct)


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """The result of `jantaku compare`, which asks B beside A's games. In a notebook it is shown as in the HTML
    report. `spent` are CPU seconds by stage."""

    names: tuple[str, str]
    """A and B."""
    seats: int
    probe: Probe
    found: Judged | None
    """What the forks say; None if nothing was forked, because B is another player rather than a change."""
    confirmation: Results | None
    """The results of whole hanchan, as of a match; None if none were played."""
    out: str
    spent: dict[str, float] = {}

    def results(self) -> dict[str, object]:
        """Return the content of `results.json`, which does not depend on the clock or the number of workers."""
        return {
            "a": self.names[0],
            "b": self.names[1],
            "probe": self.probe if self.probe.hanchan else None,
            "screening": self.screening,
            "confirmation": self.confirmation,
            "verdict": self.verdict,
        }

    def encoded(self) -> bytes:
        """Return everything as one JSON object, including the cost."""
        cpu = {stage: round(seconds, 2) for stage, seconds in self.spent.items()}
        return msgspec.json.encode({**self.results(), "cpu": cpu, "decisions": self.decisions})

    @property
    def screening(self) -> Screening | None:
        """The estimate by forks; None if nothing was forked."""
        return None if self.found is None else self.found.screening

    @property
    def decisions(self) -> Sequence[JudgedFork]:
        """The decisions that differ, with what they win or cost, the most profitable first; empty if nothing was
        forked."""
        return () if self.found is None else self.found.decisions

    @property
    def lead(self) -> Interval | None:
        """By how much B's mean rank in whole hanchan is better than an even player's; None without a result."""
        if self.confirmation is None or self.confirmation.figures is None:
            return None
        rank = self.confirmation.figures.players[0].rank
        return Interval(even(self.seats) - rank.mean, rank.half)

    @property
    def verdict(self) -> str:
        """Whether B is better, and by how much, in a sentence."""
        a, b = self.names
        found, lead = self.screening, self.lead
        accepted = self._accepted
        if found is None:
            return self._by_whole_hanchan(lead)
        if not found.forked:
            return f"{b} gives the same {found.asked} answers as {a}: there is no difference to measure"
        if lead is None:
            return self._by_forks(found)
        both = f"forks say {_signed(found.rank)} to first order, whole hanchan {_signed(lead)} ranks"
        if accepted == "H1" and found.share >= LARGE:
            return f"{self._better(lead, 'in whole hanchan')}; {both}"
        if accepted == "H1":
            return f"{b} is {_word(found.rank)} than {a}, and whole hanchan confirm it: {both}"
        if accepted == "H0":
            return f"whole hanchan do not confirm that {b} is {_word(found.rank)} than {a}: {both}"
        if lead.decided:
            return self._better(lead, "in whole hanchan")
        return f"undecided whether {b} is better than {a}: {both}"

    @property
    def _accepted(self) -> str:
        test = None if self.confirmation is None else self.confirmation.sprt
        return "" if test is None else test.accepted

    def _better(self, lead: Interval, where: str) -> str:
        """Say that B is better, and by how much; and where the interval leaves that open, that the test says it."""
        amount = Interval(abs(lead.mean), lead.half).text(4)
        better = f"{self.names[1]} is {_word(lead)} than {self.names[0]}"
        if lead.decided:
            return f"{better}: by {amount} ranks, {where}"
        return f"{better}, as the sequential test says; the interval by itself, {amount} ranks {where}, leaves it open"

    def _by_whole_hanchan(self, lead: Interval | None) -> str:
        a, b = self.names
        if lead is None:
            return f"undecided whether {b} is better than {a}: no hanchan has a result"
        if lead.decided or self._accepted == "H1":
            return self._better(lead, "in whole hanchan")
        test = None if self.confirmation is None else self.confirmation.sprt
        if test is not None and test.accepted == "H0":
            far = even(self.seats) - test.rank1
            return f"{b} is not better than {a} by {far:.1f} ranks: {_signed(lead)} ranks, in whole hanchan"
        return f"undecided whether {b} is better than {a}: {_signed(lead)} ranks, in whole hanchan"

    def _by_forks(self, found: Screening) -> str:
        a, b = self.names
        otherwise = f"{b} plays differently in {found.share:.0%} of all kyoku"
        if found.share >= OTHER:
            return f"no verdict: {otherwise}, and forks see the states of {a} only; leave --confirm never away"
        large = f", to first order only: {otherwise}" if found.share >= LARGE else ""
        if not found.rank.decided:
            return f"undecided whether {b} is better than {a}: {_signed(found.rank)} ranks by forks{large}"
        return f"{self._better(found.rank, 'by forks')}{large}"

    def sentences(self) -> list[str]:
        """Return the result in sentences, the verdict first."""
        return [f"{one[0].upper()}{one[1:]}." for one in (self.verdict, self._share(), self._order())]

    @property
    def asked(self) -> str:
        """How many answers and walls it took."""
        if (found := self.screening) is None:
            return f"{self.probe.asked} answers, and nothing was forked"
        return f"{found.asked} answers, {found.walls} walls of forks"

    @property
    def faults(self) -> str:
        """B's faults beside the records; empty if it had none."""
        found = {} if self.screening is None else self.screening.faults
        return ", ".join(f"{word} {count}" for word, count in found.items())

    def _share(self) -> str:
        found = self.screening or self.probe
        share = share_text(found.share)
        return f"{self.names[1]} plays differently in {share} of {found.kyoku} kyoku, each seat counted"

    def _order(self) -> str:
        a, b = self.names
        order = "" if self.found is None else f"; forks are true to first order: for {a}'s states, not for {b}'s own"
        return f"± is half of the 95 % interval{order}"

    def estimates(self) -> Iterator[tuple[str, Interval | None, Interval | None, int]]:
        """Yield for each stage: its name, the ranks and points by which B is better, and the number of hanchan."""
        if (found := self.screening) is not None:
            yield STAGE, found.rank, found.points, found.hanchan
        if self.confirmation is not None:
            figures = self.confirmation.figures
            points = None if figures is None else figures.players[0].points
            yield "whole hanchan", self.lead, points, figures.games if figures else 0
            if figures and figures.luck and figures.luck.known:
                first = figures.luck.players[0]
                lead = Interval(even(self.seats) - first.rank_adjusted.mean, first.rank_adjusted.half)
                yield "the same without luck", lead, first.points_adjusted, figures.games

    def parts(self, listed: int, shown: Sequence[int] = (), links: str = "") -> list[Part]:
        """Make the parts of a report: both estimates, and the decisions that differ; see `change_parts`."""
        rows = []
        for stage, rank, points, hanchan in self.estimates():
            told = ("–", "–") if rank is None else (_signed(rank), ends(rank, 4))
            rows.append((stage, *told, "–" if points is None else points.text(2, sign=True), hanchan))
        result = table("Result", ("stage", "ranks better", "95 %", "points", "hanchan"), rows)
        seats = float(self.seats * (self.screening.hanchan if self.screening else 1))
        return [
            Part("Result", result, "By how much the mean rank and the points of a hanchan are better."),
            *change_parts(self.names, self.decisions, seats, listed, shown, links),
        ]

    def _repr_html_(self) -> str:
        """The tables that a notebook shows."""
        said = verdict_and_facts(self.sentences(), {})
        return framed(" → ".join(self.names), [said, *map(section, self.parts(LISTED))])

    def tell(self, console: Screen) -> None:
        rows = [
            (
                stage,
                "-" if rank is None else _signed(rank),
                "-" if points is None else points.text(2, sign=True),
                str(games),
                self._cost(stage),
            )
            for stage, rank, points, games in self.estimates()
        ]
        for one in fitting(("stage", "ranks better", "points", "hanchan", "CPU s"), rows, console.width):
            console.print(one)
            console.print()
        console.tell(f"{self._share()}; {self.asked}")
        if self.faults:
            console.tell(f"{self.names[1]} has faults in the games of the records: {self.faults}")
        for heading, found in extremes(self.decisions).items():
            for line in [f"{heading}:", *(f"  {self._decision(one)}" for one in found[:SHOWN])] if found else []:
                console.say(line)
        console.tell(self.verdict)
        console.tell(self._order())
        for step in self._steps():
            console.say(step)

    def _cost(self, stage: str) -> str:
        alone, spent = f"{self.spent.get('games', 0.0):.1f} games", self.spent
        if stage == STAGE:
            return f"{alone} + {spent.get('forks', 0.0):.1f} forks"
        return f"{spent.get('match', 0.0):.1f}" + ("" if self.found else f" + {alone}")

    def _decision(self, one: JudgedFork) -> str:
        where = f"hanchan {one.game} {one.name} turn {one.turn} player {one.player} {one.hand}"
        did = f"{reply_text(one.played)} → {reply_text(one.said)}"
        return f"{one.rank:+.3f} ranks: {where}: {did}: {opening(one, self.out)}"

    def _steps(self) -> list[str]:
        steps = [f"what changed, with links into the viewer: {self.out}/{REPORT}"]
        if (found := self.screening) is None:
            return steps
        told = f"give the same command with --out {shlex.quote(self.out)} --hanchan"
        if found.hanchan < FEWEST:
            return [f"an interval is stated from {FEWEST} hanchan on: {told} {FEWEST}", *steps]
        sets = sets_to_decide(found.rank, found.hanchan, found.looks)
        if not found.rank.decided and found.forked and sets is not None:
            steps.insert(0, f"about {sets} hanchan would decide it: {told} {sets}")
        return steps


def _signed(lead: Interval) -> str:
    return lead.text(4, sign=True)


def _word(lead: Interval) -> str:
    return "better" if lead.mean > 0 else "worse"
