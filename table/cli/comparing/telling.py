"""What `jantaku compare` says: both estimates, what they cost, a sentence, and what to do next."""

import shlex
from collections.abc import Sequence

import msgspec

from table.cli.screen import Screen
from table.forks.screening import Judged, JudgedFork, Screening
from table.forks.stages import LARGE, OTHER, Probe
from table.match.conduct import Results
from table.match.figures.statistics import Interval, sets_to_decide
from table.match.figures.stopping import Sprt
from table.match.report.gate import EVEN
from table.match.report.tables import share_text
from table.view.columns import fitting

FIRST_ORDER = "; forks are true to first order: of A's states, not of B's own"
SHOWN = 3
"""Decisions listed of the most costly and of the most profitable ones."""


class Confirmed(msgspec.Struct, frozen=True):
    """A confirmation: the results of its match, and its folder."""

    results: Results
    folder: str

    @property
    def lead(self) -> Interval | None:
        """By how much the mean rank of B is better than that of an even player; None without a result."""
        figures = self.results.figures
        if figures is None:
            return None
        rank = figures.players[0].rank
        return Interval(EVEN - rank.mean, rank.half)

    @property
    def points(self) -> Interval | None:
        """B's points a hanchan."""
        return None if self.results.figures is None else self.results.figures.players[0].points


class ComparedBots(msgspec.Struct, frozen=True):
    """A comparison at its end. `names` are those of A and B, `reason` says why there was a confirmation, `spent` are
    seconds of CPU by stage."""

    names: tuple[str, str]
    probe: Probe
    found: Judged | None
    """None where nothing was forked, because B is another player."""
    reason: str
    confirmed: Confirmed | None
    spent: dict[str, float]
    records: str
    out: str

    def results(self) -> bytes:
        """What `results.json` holds: nothing of it depends on the clock or the number of workers."""
        return msgspec.json.format(msgspec.json.encode(self._content()), indent=1) + b"\n"

    def encoded(self) -> bytes:
        """One JSON object, with what it has cost."""
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
        """Say all of it."""
        for table in fitting(("stage", "ranks better", "points", "hanchan", "CPU s"), self._rows(), console.width):
            console.print(table)
            console.print()
        if self.found is None:
            asked = self.probe
            console.tell(
                f"{self.names[1]} plays otherwise in {share_text(asked.share)} of {asked.kyoku} kyoku, each of four "
                f"seats counted; {asked.asked} answers, and nothing was forked"
            )
        else:
            self._tell_forks(console, self.found)
        console.tell(self.verdict())
        console.tell("± is half of the 95 % interval" + (FIRST_ORDER if self.found else ""))
        for step in self._steps():
            console.say(step)

    def _tell_forks(self, console: Screen, judged: Judged) -> None:
        found = judged.screening
        console.tell(
            f"{self.names[1]} plays otherwise in {share_text(found.share)} of {found.kyoku} kyoku, each of four seats "
            f"counted; {found.asked} answers, {found.walls} walls of forks"
        )
        if found.faults:
            faults = ", ".join(f"{word} {count}" for word, count in found.faults.items())
            console.tell(f"{self.names[1]} is at fault beside the records: {faults}")
        self._tell_decisions(console, judged.decisions)

    def _rows(self) -> list[tuple[str, ...]]:
        spent, rows = self.spent, list[tuple[str, ...]]()
        alone = f"{spent.get('games', 0.0):.1f} games"
        if self.found is not None:
            found = self.found.screening
            cost = f"{alone} + {spent.get('forks', 0.0):.1f} forks"
            rows.append(("forks", *_figures(found.rank, found.points), str(found.hanchan), cost))
        if self.confirmed is not None:
            games = self.confirmed.results.figures.games if self.confirmed.results.figures else 0
            rows.append(
                (
                    "whole hanchan",
                    *_figures(self.confirmed.lead, self.confirmed.points),
                    str(games),
                    f"{spent.get('match', 0.0):.1f}" + ("" if self.found else f" + {alone}"),
                )
            )
        return rows

    def verdict(self) -> str:
        """The answer in a sentence."""
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
        if test is not None and test.accepted == "H0":
            far = EVEN - test.rank1
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
        steps = [f"all of it: {self.out}"]
        if self.found is None:
            return steps
        found = self.found.screening
        sets = sets_to_decide(found.rank, found.hanchan, found.looks)
        if not found.rank.decided and found.forked and sets is not None:
            told = f"--out {shlex.quote(self.out)} --hanchan {sets}"
            steps.insert(0, f"about {sets} hanchan would decide it: give the same command with {told}")
        return steps

    def _tell_decisions(self, console: Screen, decisions: Sequence[JudgedFork]) -> None:
        for title, shown in (
            ("wins most", [one for one in decisions[:SHOWN] if one.rank > 0]),
            ("costs most", [one for one in reversed(decisions[-SHOWN:]) if one.rank < 0]),
        ):
            if shown:
                console.tell(f"What {title}:")
                for one in shown:
                    console.say(f"  {self._decision(one)}")

    def _decision(self, one: JudgedFork) -> str:
        record = shlex.quote(f"{self.records}/game-{one.game:04d}.jsonl")
        return (
            f"{one.rank:+.3f} ranks: hanchan {one.game} {one.name} turn {one.turn} player {one.player}: "
            f"{_written(one.played)} → {_written(one.said)}: jantaku show {record} --kyoku {one.kyoku} "
            f"--turn {max(one.turn - 1, 0)}"
        )


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


def _written(item: dict[str, object]) -> str:
    return " ".join(f"{key} {value}" for key, value in item.items()) or "pass"
